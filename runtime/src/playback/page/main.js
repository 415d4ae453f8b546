// Puts the page together. A frame is drawn when something has changed, and only then.

// The fragment of the address, such as #t=2.5&dark.
const wishes = new URLSearchParams(location.hash.slice(1));
for (const theme of ["light", "dark"]) {
  if (wishes.has(theme)) document.documentElement.dataset.theme = theme;
}

const probe = document.body.appendChild(element("i", { hidden: true }));

// The colour of a style variable under the present theme.
function themeColor(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

function themeRgb(name) {
  return themeColor(name).match(/[\d.]+/g).slice(0, 3).map((x) => Number(x) / 255);
}

function readTheme() {
  const dark = themeRgb("--card")[0] < 0.5;
  return {
    force: themeRgb("--force"),
    plane: {
      floorColor: themeRgb("--floor"), lineColor: themeRgb("--line"),
      shade: dark ? [0.02, 0.025, 0.035] : [0.22, 0.26, 0.33], strength: dark ? 1.25 : 1,
    },
  };
}

function say(text) {
  byId("message").textContent = text;
  byId("message").hidden = false;
}

function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const pixels = (length) => Math.max(1, Math.round(length * ratio));
  const [width, height] = [pixels(canvas.clientWidth), pixels(canvas.clientHeight)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  return width / height;
}

function createStage(player) {
  const canvas = byId("view");
  const renderer = createRenderer(canvas);
  if (!renderer) {
    byId("viewer").classList.add("flat");
    say("This browser has no WebGL2, which the 3-D view needs. The curves are complete.");
    return { draw: () => {}, retheme: () => {} };
  }
  if (!frameCount || !scene.bodies.length) say("The recording is empty: there is nothing to show.");
  const camera = createCamera();
  resetCamera(camera, fitCanvas(canvas));
  moveCamera(camera, canvas, player.changed);
  let theme = readTheme();
  const view = () => viewFrom(camera, centerAt(player.time, player.show.follow), fitCanvas(canvas));
  showScales();
  nameOnHover(canvas, view, player);
  const draw = () => render(renderer, player.time, view(), theme, player.show);
  // At once: what waited for the next frame would be seen stretched in this one.
  new ResizeObserver(draw).observe(canvas);
  return { draw, retheme: () => { theme = readTheme(); } };
}

function nameOnHover(canvas, view, player) {
  const tag = byId("tag");
  canvas.addEventListener("pointermove", (event) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const body = event.buttons || !frameCount ? null
      : pick(view(), width / height, (2 * x) / width - 1, 1 - (2 * y) / height, player.time);
    tag.hidden = !body;
    if (!body) return;
    tag.textContent = body.name;
    [tag.style.left, tag.style.top] = [`${x}px`, `${y}px`];
  });
  canvas.addEventListener("pointerleave", () => { tag.hidden = true; });
}

function start() {
  const player = createPlayer();
  let [asked, last] = [false, null];
  player.changed = () => {
    if (!asked) requestAnimationFrame(frame);
    asked = true;
  };
  const hover = (time) => { player.pointed = time; player.changed(); };
  const charts = scene.plots.map((plot) => createChart(plot, player.seek, hover));
  byId("plots").append(...charts.map((chart) => chart.card));
  const stage = createStage(player);
  const draw = () => {
    showState(player);
    stage.draw();
    charts.forEach((chart) => moveHead(chart, player.time, player.pointed));
  };
  function frame(now) {
    asked = false;
    if (player.playing && last !== null) advance(player, Math.min(0.1, (now - last) / 1000));
    last = player.playing ? now : null;
    draw();
    if (player.playing) player.changed();
  }
  connectTransport(player);
  connectToggles(player);
  connectKeys(player);
  charts.forEach(drawChart);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    stage.retheme();
    charts.forEach(drawChart);
    player.changed();
  });
  const time = Number.parseFloat(wishes.get("t"));
  if (Number.isFinite(time)) player.time = clamp(time, startTime, endTime);
  draw();
  if (!Number.isFinite(time) && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play(true);
}

start();
