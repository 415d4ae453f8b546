// Vectors are arrays of three, quaternions arrays of four [x y z w], matrices Float32Array(16)
// column by column, as WebGL takes them.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const finite = (numbers) => numbers.every(Number.isFinite);

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a) {
  const length = norm(a);
  return length > 0 ? scale(a, 1 / length) : [0, 0, 1];
}

// Two unit vectors that make a right-handed frame with the unit vector n: x and y for n = z.
function tangents(n) {
  const x = unit(Math.abs(n[0]) < 0.9 ? subtract([1, 0, 0], scale(n, n[0])) : cross([0, 1, 0], n));
  return [x, cross(n, x)];
}

function multiply(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      product[4 * column + row] = sum;
    }
  }
  return product;
}

function fromAxes(x, y, z, origin) {
  return new Float32Array([...x, 0, ...y, 0, ...z, 0, ...origin, 1]);
}

// The matrix of a pose [qx qy qz qw, x y z], or null if it is none.
function fromPose(pose) {
  if (!finite(pose)) return null;
  const length = Math.hypot(pose[0], pose[1], pose[2], pose[3]);
  if (!(length > 0)) return null;
  const [x, y, z, w] = [pose[0] / length, pose[1] / length, pose[2] / length, pose[3] / length];
  return fromAxes(
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    pose.slice(4),
  );
}

function transform(m, [x, y, z]) {
  return [0, 1, 2].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);
}

function lookAt(eye, target, up) {
  const z = unit(subtract(eye, target));
  const x = unit(cross(up, z));
  const y = cross(z, x);
  return new Float32Array([
    x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1,
  ]);
}

function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView / 2);
  const depth = near - far;
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0,
    0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0,
  ]);
}

function orthographic(halfWidth, near, far) {
  const depth = near - far;
  return new Float32Array([
    1 / halfWidth, 0, 0, 0, 0, 1 / halfWidth, 0, 0,
    0, 0, 2 / depth, 0, 0, 0, (far + near) / depth, 1,
  ]);
}

// The largest and the smallest of 1, 2 and 5 times a power of ten that are not beyond x.
const roundDown = (x) => roundTo(x, (steps) => steps.findLast((step) => step <= x));
const roundUp = (x) => roundTo(x, (steps) => steps.find((step) => step >= x));

function roundTo(x, choose) {
  const power = 10 ** Math.floor(Math.log10(x));
  return choose([0.5, 1, 2, 5, 10, 20].map((step) => step * power));
}
