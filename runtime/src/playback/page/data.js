// The recording, decoded, and what follows from it: poses between snapshots, extent, scales.

function decode(text, Type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Type(bytes.buffer);
}

const scene = {
  ...recording,
  times: decode(recording.times, Float64Array),
  poses: decode(recording.poses, Float32Array),
  forces: decode(recording.forces, Float32Array),
  grids: recording.grids.map((grid) => ({ ...grid, heights: decode(grid.heights, Float32Array) })),
  plots: recording.plots.map((plot) => ({
    ...plot,
    series: plot.series.map(({ name, values }) => ({ name, values: decode(values, Float64Array) })),
  })),
};
const frameCount = scene.times.length;
const startTime = frameCount ? scene.times[0] : 0;
const endTime = frameCount ? scene.times[frameCount - 1] : 0;

// Number of the first arrow of each snapshot, and the total.
const firstArrow = [0];
decode(recording.forceCounts, Float32Array).forEach((count, k) => firstArrow.push(firstArrow[k] + count));

// The last snapshot that is not after `time`.
function frameAt(time) {
  let [low, high] = [0, frameCount - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (scene.times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

function recordedPose(frame, body) {
  const first = 7 * (frame * scene.bodies.length + body);
  return Array.from(scene.poses.subarray(first, first + 7));
}

// Positions linearly, rotations along the shorter arc, between the two snapshots around `time`.
function poseAt(time, body) {
  const k = frameAt(time);
  const before = recordedPose(k, body);
  if (k + 1 >= frameCount) return before;
  const after = recordedPose(k + 1, body);
  const part = clamp((time - scene.times[k]) / (scene.times[k + 1] - scene.times[k]), 0, 1);
  if (!(part > 0) || !finite(after)) return before;
  const overlap = before.slice(0, 4).reduce((sum, x, i) => sum + x * after[i], 0);
  const sign = overlap < 0 ? -1 : 1;
  return before.map((x, i) => x * (1 - part) + after[i] * part * (i < 4 ? sign : 1));
}

// A force acts over a step and is not interpolated.
function arrowsAt(time) {
  const k = frameAt(time);
  const arrows = [];
  for (let a = firstArrow[k]; a < firstArrow[k + 1]; a++) {
    const numbers = Array.from(scene.forces.subarray(6 * a, 6 * a + 6));
    const force = numbers.slice(3);
    if (finite(numbers) && norm(force) > 0) arrows.push({ point: numbers.slice(0, 3), force });
  }
  return arrows;
}

// The distance from the shape's centre to its farthest point.
function shapeRadius({ kind, size, faces }) {
  if (kind === "hull") return Math.max(0, ...faces.flat().map(norm));
  if (kind === "sphere") return size[0];
  if (kind === "box") return norm(size);
  if (kind === "cylinder") return Math.hypot(size[0], size[1] / 2);
  return size[0] + size[1] / 2;
}

// Balls around the shape, in its body: one, or the corners of a box, of which long ones would have a large one.
function boundsOf(shape) {
  const place = fromPose(shape.pose);
  if (shape.kind !== "box" || !place) return [[shape.pose.slice(4), shapeRadius(shape)]];
  const signs = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
  return signs.map((sign) => [transform(place, sign.map((s, i) => s * shape.size[i])), 0]);
}

function growBox(box, center, radius) {
  for (let i = 0; i < 3; i++) {
    box.low[i] = Math.min(box.low[i], center[i] - radius);
    box.high[i] = Math.max(box.high[i], center[i] + radius);
  }
}

// The box around everything in some hundred snapshots, each moved by `offset(time)`.
function boxOf(frames, offset) {
  const box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  for (const frame of frames) {
    const moved = offset(scene.times[frame]);
    scene.bodies.forEach((body, b) => {
      const pose = fromPose(recordedPose(frame, b));
      if (!pose) return;
      for (const shape of body.shapes.filter(drawable)) {
        for (const [point, radius] of boundsOf(shape)) {
          growBox(box, add(moved, transform(pose, point)), radius);
        }
      }
    });
  }
  return box;
}

function drawable(shape) {
  return finite([...shape.size, ...shape.pose]) && shape.size.every((x) => x >= 0);
}

function ball({ low, high }) {
  const radius = norm(subtract(high, low)) / 2;
  if (!(radius > 0 && radius < 1e6)) return { center: [0, 0, 0], radius: 1 };
  return { center: scale(add(low, high), 0.5), radius };
}

// The middle of the bodies that are somewhere at this time.
function middleAt(time) {
  const places = scene.bodies.map((_, body) => poseAt(time, body).slice(4)).filter(finite);
  return places.length ? scale(places.reduce(add), 1 / places.length) : null;
}

// How far the bodies have come: over ground without the height, so that a fall is seen as one.
function travelTo(time) {
  const [start, now] = [middleAt(startTime), middleAt(time)];
  if (!start || !now) return [0, 0, 0];
  const [x, y, z] = subtract(now, start);
  return [x, y, scene.planes.length + scene.grids.length ? 0 : z];
}

// A ball around the motion if it stays within a few sizes of the robot, or around the motion as
// seen by one who travels along.
function measure() {
  if (!frameCount) return { center: [0, 0, 0], radius: 1, size: 1, travels: false };
  const still = () => [0, 0, 0];
  const stride = Math.ceil(frameCount / 100);
  const frames = Array.from({ length: Math.ceil(frameCount / stride) }, (_, k) => k * stride);
  const first = ball(boxOf([0], still));
  const whole = ball(boxOf(frames, still));
  const travels = whole.radius > 1.7 * first.radius;
  const seen = travels ? ball(boxOf(frames, (time) => scale(travelTo(time), -1))) : whole;
  return { ...seen, size: first.radius, travels };
}
const extent = measure();

// An ordinary force becomes an arrow half as long as the robot; the peaks of impacts are cut.
function chooseForceScale() {
  const sizes = [];
  const stride = 6 * Math.max(1, Math.floor(scene.forces.length / 6 / 20000));
  for (let i = 0; i + 5 < scene.forces.length; i += stride) {
    const size = Math.hypot(scene.forces[i + 3], scene.forces[i + 4], scene.forces[i + 5]);
    if (size > 0 && size < Infinity) sizes.push(size);
  }
  if (!sizes.length) return null;
  sizes.sort((a, b) => a - b);
  const largest = sizes[sizes.length - 1];
  const notable = sizes.filter((size) => size > 1e-4 * largest);
  const typical = notable[notable.length >> 1];
  const length = roundDown(extent.size / 4);
  const newtons = roundUp((typical * length) / (0.5 * extent.size));
  return { length, newtons, longest: 1.4 * extent.size, largest };
}
const forceScale = chooseForceScale();
