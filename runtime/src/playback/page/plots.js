// Curves over time. A chart's canvas is drawn once per size and theme; the play head and the
// pointer's line are elements that move over it.

const margin = { left: 46, right: 10, top: 6, bottom: 20 };

function superscript(n) {
  return String(n).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
}

function element(tag, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...children);
  return made;
}

// Lowest and highest value, and the range that holds all but the rarest if it is much smaller:
// one peak of an impact must not flatten the rest.
function ranges(series) {
  const values = series.flatMap(({ values }) => Array.from(values).filter(Number.isFinite));
  if (!values.length) return { full: [0, 1], usual: null };
  values.sort((a, b) => a - b);
  const rare = Math.floor(0.01 * values.length);
  const full = [values[0], values[values.length - 1]];
  const usual = [values[rare], values[values.length - 1 - rare]];
  const worth = full[1] - full[0] > 3 * (usual[1] - usual[0]) && usual[1] > usual[0];
  return { full, usual: worth ? usual : null };
}

// Room around the values, and zero if it is near. What varies by less than labels can tell is
// drawn as the constant that it nearly is.
function axisRange([low, high]) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(high - low > 1e-5 * size)) return [low - (size / 2 || 1), high + (size / 2 || 1)];
  if (low > 0 && low < 0.6 * high) low = 0;
  if (high < 0 && high > 0.6 * low) high = 0;
  const room = 0.08 * (high - low);
  return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room];
}

function ticks(low, high, wanted) {
  const step = roundUp((high - low) / wanted);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return { step, found };
}

// The power of ten, a multiple of three, that axis labels leave to the unit.
function labelPower([low, high]) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size === 0 || (size >= 0.01 && size < 20000)) return 0;
  return clamp(3 * Math.floor(Math.log10(size) / 3), -300, 300);
}

const decimals = (step) => clamp(Math.ceil(-Math.log10(step) - 1e-9), 0, 12);
const minus = (text) => text.replace("-", "−");

function tickLabel(value, step, power) {
  return minus((value / 10 ** power || 0).toFixed(decimals(step / 10 ** power)));
}

function readout(value, chart) {
  if (!Number.isFinite(value)) return "–";
  return tickLabel(value, chart.step / 50, chart.power);
}

function createChart(plot, seek, hover) {
  const body = element("div", { className: "chart" });
  const canvas = element("canvas");
  const head = element("div", { className: "head" });
  const line = element("div", { className: "hover", hidden: true });
  body.append(canvas, line, head);
  const unitLabel = element("span");
  const peak = element("button", { className: "peak", type: "button", hidden: true });
  const values = plot.series.map(() => element("b"));
  const legend = element("div", { className: "legend" }, ...plot.series.map(({ name }, k) => {
    const swatch = element("i");
    swatch.style.background = `var(--series-${k % 8})`;
    return element("span", {}, swatch, name, values[k]);
  }));
  const heading = element("h2", {}, plot.title, " ", unitLabel);
  const card = element("article", { className: "plot" }, peak, heading, legend, body);
  const parts = { card, body, canvas, head, line, unitLabel, peak, values };
  const chart = { plot, ...parts, all: ranges(plot.series), whole: false };
  listenToChart(chart, seek, hover);
  return chart;
}

function listenToChart(chart, seek, hover) {
  const { body, canvas, peak } = chart;
  const timeAt = (event) => {
    const part = (event.clientX - body.getBoundingClientRect().left - margin.left) / innerWidthOf(chart);
    return startTime + clamp(part, 0, 1) * (endTime - startTime);
  };
  body.addEventListener("pointerdown", (event) => {
    body.setPointerCapture(event.pointerId);
    seek(timeAt(event));
  });
  body.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) seek(timeAt(event));
    hover(timeAt(event));
  });
  body.addEventListener("pointerleave", () => hover(null));
  peak.addEventListener("click", () => {
    chart.whole = !chart.whole;
    drawChart(chart);
  });
  new ResizeObserver(() => drawChart(chart)).observe(canvas);
}

const innerWidthOf = ({ body }) => Math.max(1, body.clientWidth - margin.left - margin.right);

function placeOf(chart, time) {
  const span = endTime - startTime || 1;
  return margin.left + ((time - startTime) / span) * innerWidthOf(chart);
}

// Sets the range, the labels' power of ten, and the note on peaks beyond the range.
function scaleChart(chart) {
  const { full, usual } = chart.all;
  chart.range = axisRange(chart.whole || !usual ? full : usual);
  chart.power = labelPower(chart.range);
  chart.step = ticks(...chart.range, 4).step;
  const { unit } = chart.plot;
  const power = chart.power ? `10${superscript(chart.power)} ` : "";
  chart.unitLabel.textContent = power + unit;
  chart.peak.hidden = !usual;
  const farthest = Math.abs(full[1]) >= Math.abs(full[0]) ? full[1] : full[0];
  const size = minus(String(Number(farthest.toPrecision(3))));
  chart.peak.textContent = chart.whole ? "cut peaks" : `peak ${size} ${unit}`;
}

function drawChart(chart) {
  const { canvas, body } = chart;
  const [width, height] = [body.clientWidth, body.clientHeight];
  const ratio = window.devicePixelRatio || 1;
  if (!width || !height) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  scaleChart(chart);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const [low, high] = chart.range;
  const [right, bottom] = [width - margin.right, height - margin.bottom];
  const box = { left: margin.left, right, top: margin.top, bottom };
  const y = (value) => box.bottom - ((value - low) / (high - low)) * (box.bottom - box.top);
  drawAxes(context, chart, box, y);
  context.beginPath();
  context.rect(box.left, box.top - 1, box.right - box.left, box.bottom - box.top + 2);
  context.clip();
  chart.plot.series.forEach(({ values }, k) => drawCurve(context, chart, values, y, `--series-${k % 8}`));
  moveHead(chart, chart.time ?? startTime, null);
}

function drawAxes(context, chart, box, y) {
  context.font = `11px ${getComputedStyle(chart.card).fontFamily}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const levels = ticks(...chart.range, clamp((box.bottom - box.top) / 36, 2, 6));
  for (const value of levels.found) {
    const level = Math.round(y(value)) + 0.5;
    context.fillStyle = themeColor("--edge");
    context.fillRect(box.left, level - 0.5, box.right - box.left, 1);
    context.fillStyle = themeColor("--quiet");
    context.fillText(tickLabel(value, levels.step, chart.power), box.left - 7, level);
  }
  if (!(endTime > startTime)) return;
  const times = ticks(startTime, endTime, Math.max(2, (box.right - box.left) / 58));
  context.fillStyle = themeColor("--quiet");
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  times.found.forEach((time) => {
    const label = tickLabel(time, times.step, 0) + (time === times.found.at(-1) ? " s" : "");
    const half = context.measureText(label).width / 2;
    context.fillText(label, clamp(placeOf(chart, time), 0, box.right + margin.right - half), box.bottom + 15);
  });
}

// Gaps where a value is missing; a lone value between gaps is a dot.
function drawCurve(context, chart, values, y, color) {
  const path = new Path2D();
  const known = (k) => Number.isFinite(values[k]);
  for (let k = 0; k < frameCount; k++) {
    if (!known(k)) continue;
    const [px, py] = [placeOf(chart, scene.times[k]), y(clamp(values[k], -1e30, 1e30))];
    if (k > 0 && known(k - 1)) path.lineTo(px, py);
    else path.moveTo(px, py);
    if (!known(k - 1) && !known(k + 1)) path.arc(px, py, 0.5, 0, 7);
  }
  context.strokeStyle = themeColor(color);
  context.lineWidth = 1.6;
  context.lineJoin = "round";
  context.stroke(path);
}

// The play head at `time`; the read-out at the pointer's time where there is one.
function moveHead(chart, time, pointed) {
  chart.time = time;
  chart.head.style.transform = `translateX(${placeOf(chart, time)}px)`;
  chart.line.hidden = pointed === null;
  if (pointed !== null) {
    chart.line.style.transform = `translateX(${placeOf(chart, pointed)}px)`;
    chart.line.dataset.time = `${pointed.toFixed(2)} s`;
  }
  const frame = frameAt(pointed ?? time);
  chart.plot.series.forEach(({ values }, k) => {
    chart.values[k].textContent = readout(values[frame], chart);
  });
}
