// Play button, slider, speeds, toggles, keys. All act on one `player`.

const speeds = [0.1, 0.25, 0.5, 1, 2];

function createPlayer() {
  const player = {
    time: startTime, playing: false, speed: 1, pointed: null,
    show: { forces: true, follow: extent.travels, shadows: true, loop: true },
    changed: () => {},
  };
  player.seek = (time) => {
    player.time = clamp(time, startTime, endTime);
    player.changed();
  };
  player.play = (playing) => {
    if (playing && player.time >= endTime) player.time = startTime;
    player.playing = playing && endTime > startTime;
    player.changed();
  };
  return player;
}

// Moves the clock by `seconds` of the viewer's.
function advance(player, seconds) {
  player.time += seconds * player.speed;
  if (player.time < endTime) return;
  if (player.show.loop) player.time = startTime;
  else [player.time, player.playing] = [endTime, false];
}

const byId = (id) => document.getElementById(id);

function connectTransport(player) {
  const slider = byId("time");
  [slider.min, slider.max] = [startTime, endTime];
  slider.addEventListener("input", () => player.seek(Number(slider.value)));
  byId("play").addEventListener("click", () => player.play(!player.playing));
  byId("transport").hidden = !(endTime > startTime);
  for (const speed of speeds) {
    const button = element("button", { type: "button", textContent: `${speed}×` });
    button.addEventListener("click", () => {
      player.speed = speed;
      player.changed();
    });
    byId("speeds").append(button);
  }
}

function connectToggles(player) {
  const offered = [
    ["forces", "Forces", forceScale],
    ["follow", "Follow", frameCount],
    ["shadows", "Shadows", true],
    ["loop", "Loop", endTime > startTime],
  ];
  for (const [name, textContent] of offered.filter(([, , useful]) => useful)) {
    const button = element("button", { type: "button", textContent });
    button.dataset.toggle = name;
    button.addEventListener("click", () => {
      player.show[name] = !player.show[name];
      player.changed();
    });
    byId("toggles").append(button);
  }
}

function showState(player) {
  const slider = byId("time");
  slider.value = player.time;
  const done = (player.time - startTime) / (endTime - startTime || 1);
  slider.style.setProperty("--done", `${100 * done}%`);
  const whole = element("span", { textContent: ` / ${endTime.toFixed(2)} s` });
  byId("clock").replaceChildren(player.time.toFixed(2), whole);
  byId("play").classList.toggle("playing", player.playing);
  byId("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
  [...byId("speeds").children].forEach((button, k) => {
    button.setAttribute("aria-pressed", String(speeds[k] === player.speed));
  });
  for (const button of byId("toggles").children) {
    button.setAttribute("aria-pressed", String(player.show[button.dataset.toggle]));
  }
}

// Space plays and pauses, arrows step by a tenth of a second (with shift by one), Home and End.
function connectKeys(player) {
  const actions = {
    " ": () => player.play(!player.playing),
    ArrowLeft: (event) => player.seek(player.time - (event.shiftKey ? 1 : 0.1)),
    ArrowRight: (event) => player.seek(player.time + (event.shiftKey ? 1 : 0.1)),
    Home: () => player.seek(startTime),
    End: () => player.seek(endTime),
  };
  window.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    const pressesButton = event.key === " " && event.target instanceof HTMLButtonElement;
    if (!action || pressesButton || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });
}

function distanceLabel(metres) {
  if (metres >= 1000 || metres < 0.001) return `${Number(metres.toPrecision(1)).toExponential()} m`;
  if (metres >= 1) return `${metres} m`;
  if (metres >= 0.01) return `${Math.round(100 * metres)} cm`;
  return `${Math.round(1000 * metres)} mm`;
}

function forceLabel({ length, newtons, longest, largest }) {
  const extreme = newtons >= 1e5 || newtons < 1e-3;
  const value = extreme ? newtons.toExponential(0) : Number(newtons.toPrecision(1));
  const cut = (largest / newtons) * length > longest ? " (double head: cut)" : "";
  return `force ${distanceLabel(length)} = ${value} N${cut}`;
}

// What a cell of the grid and a length of arrow stand for.
function showScales() {
  const show = (id, text) => {
    byId(id).append(text);
    byId(id).hidden = false;
  };
  const cells = [gridCell, 10 * gridCell].map(distanceLabel);
  if (planes.length) show("grid-scale", `grid ${cells[0]}, bold ${cells[1]}`);
  if (forceScale) show("force-scale", forceLabel(forceScale));
}
