// An orbit camera: drag turns, shift or another button moves, the wheel and pinching zoom.

const fieldOfView = (32 * Math.PI) / 180;

function createCamera() {
  return { yaw: 0, pitch: 0, distance: 1, shift: [0, 0, 0] };
}

// A view from the front right that holds the ball around the scene in a window of this shape.
function resetCamera(camera, aspect) {
  const narrow = Math.min(1, aspect);
  camera.yaw = -0.95;
  camera.pitch = 0.26;
  camera.distance = (0.94 * extent.radius) / (Math.sin(fieldOfView / 2) * narrow);
  camera.shift = [0, 0, 0];
}

// Where the scene's centre is.
function centerAt(time, follow) {
  return follow && frameCount ? add(extent.center, travelTo(time)) : extent.center;
}

function viewFrom(camera, center, aspect) {
  const { yaw, pitch, distance } = camera;
  const backward = [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  const target = add(center, camera.shift);
  const eye = add(target, scale(backward, distance));
  const reach = 12 * distance + 10 * extent.radius;
  const projection = perspective(fieldOfView, aspect, 0.02 * distance, reach);
  const looking = lookAt(eye, target, [0, 0, 1]);
  return { eye, target, center, distance, backward, matrix: multiply(projection, looking) };
}

function turn(camera, dx, dy) {
  camera.yaw -= 0.007 * dx;
  camera.pitch = clamp(camera.pitch + 0.007 * dy, -1.5, 1.54);
}

// Moves so that the point under the pointer stays there; `height` is the canvas's in pixels.
function pan(camera, dx, dy, height) {
  const perPixel = (2 * camera.distance * Math.tan(fieldOfView / 2)) / height;
  const right = [-Math.sin(camera.yaw), Math.cos(camera.yaw), 0];
  const { backward } = viewFrom(camera, [0, 0, 0], 1);
  const up = cross(backward, right);
  const moved = add(scale(right, -dx * perPixel), scale(up, dy * perPixel));
  camera.shift = add(camera.shift, moved);
}

function zoom(camera, factor) {
  camera.distance = clamp(camera.distance * factor, 0.15 * extent.size, 60 * extent.radius);
}

function spread(pointers) {
  const [a, b] = [...pointers.values()];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.hypot(a.x - b.x, a.y - b.y) };
}

function dragOne(camera, canvas, event, last) {
  const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
  if (event.shiftKey || event.buttons & 6) pan(camera, dx, dy, canvas.clientHeight);
  else turn(camera, dx, dy);
}

function dragTwo(camera, canvas, before, after) {
  pan(camera, after.x - before.x, after.y - before.y, canvas.clientHeight);
  if (after.size > 0) zoom(camera, before.size / after.size);
}

function moveCamera(camera, canvas, changed) {
  const pointers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? spread(pointers) : null;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (before) dragTwo(camera, canvas, before, spread(pointers));
    else dragOne(camera, canvas, event, last);
    changed();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(camera, Math.exp(clamp(event.deltaY * lines, -200, 200) * 0.0015));
    changed();
  }, { passive: false });
  canvas.addEventListener("dblclick", () => {
    resetCamera(camera, canvas.clientWidth / canvas.clientHeight);
    changed();
  });
}

// The body under the pointer, by the balls around its shapes; good enough for a name.
function pick(view, aspect, x, y, time) {
  const [right, height] = [unit(cross([0, 0, 1], view.backward)), Math.tan(fieldOfView / 2)];
  const up = cross(view.backward, right);
  const aside = add(scale(right, x * height * aspect), scale(up, y * height));
  const ray = unit(subtract(aside, view.backward));
  let [found, nearest] = [null, Infinity];
  scene.bodies.forEach((body, b) => {
    const pose = fromPose(poseAt(time, b));
    if (!pose) return;
    for (const shape of body.shapes.filter(drawable)) {
      const placed = fromPose(shape.pose);
      const center = placed ? [...multiply(pose, placed).slice(12, 15)] : [NaN];
      const toCenter = subtract(center, view.eye);
      const along = dot(toCenter, ray);
      const miss = norm(subtract(toCenter, scale(ray, along)));
      if (along > 0 && miss < 0.8 * shapeRadius(shape) && miss < nearest) [found, nearest] = [body, miss];
    }
  });
  return found;
}
