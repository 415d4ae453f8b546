// WebGL2: two depth maps, then bodies, ground and force arrows.

const [sunMapSize, skyMapSize] = [1024, 128];
const sunDirection = unit([0.45, -0.55, 1.0]);

function compile(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  const uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; k++) {
    const { name } = gl.getActiveUniform(program, k);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

function upload(gl, { vertices, indices, lines }) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(indices), gl.STATIC_DRAW);
  for (const [place, offset] of [[0, 0], [1, 12]]) {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, offset);
  }
  return { array, count: indices.length, form: lines ? gl.LINES : gl.TRIANGLES };
}

function depthMap(gl, size) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  const buffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
  return { texture, buffer, size };
}

// Everything that lives on the graphics processor, or null where WebGL2 does not.
function createRenderer(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
  if (!gl) return null;
  const programs = {
    solid: compile(gl, solidVertex, solidFragment),
    depth: compile(gl, solidVertex, depthFragment),
    plane: compile(gl, planeVertex, planeFragment),
  };
  if (!programs.solid || !programs.depth || !programs.plane) return null;
  const meshes = {
    rounded: upload(gl, roundedMesh()),
    cylinder: upload(gl, cylinderMesh()),
    cone: upload(gl, coneMesh()),
    quad: upload(gl, quadMesh()),
  };
  scene.bodies.forEach(({ shapes }, body) => shapes.forEach(({ faces }, k) => {
    if (faces.length) meshes[hullName(body, k)] = upload(gl, hullMesh(faces));
  }));
  scene.grids.forEach((grid, k) => {
    meshes[`ground ${k}`] = upload(gl, groundMesh(grid));
    meshes[`lines ${k}`] = upload(gl, gridLines(grid));
  });
  gl.enable(gl.DEPTH_TEST);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  return { gl, canvas, programs, meshes, sunMap: depthMap(gl, sunMapSize), skyMap: depthMap(gl, skyMapSize) };
}

// Sets uniforms by name, by the type of the value; those that a program does not use are skipped.
function setUniforms(gl, { uniforms }, values) {
  for (const [name, value] of Object.entries(values)) {
    const place = uniforms[name];
    if (!place) continue;
    if (typeof value === "number") gl.uniform1f(place, value);
    else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
    else gl.uniform3fv(place, value);
  }
}

function drawMesh(gl, { array, count, form }) {
  gl.bindVertexArray(array);
  gl.drawElements(form, count, gl.UNSIGNED_INT, 0);
}

function drawSolids({ gl, meshes }, program, solids) {
  for (const { mesh, ...uniforms } of solids.filter((solid) => solid.mesh in meshes)) {
    setUniforms(gl, program, uniforms);
    drawMesh(gl, meshes[mesh]);
  }
}

const hullName = (body, shape) => `hull ${body} ${shape}`;

const bodySolids = scene.bodies.map(({ shapes }, body) => shapes.map((shape, k) => ({
  ...solid(shape, hullName(body, k)),
  local: drawable(shape) ? fromPose(shape.pose) : null,
  color: shape.color.map((x) => x / 255),
})));

function solidsAt(time) {
  return bodySolids.flatMap((shapes, body) => {
    const pose = shapes.length && frameCount ? fromPose(poseAt(time, body)) : null;
    if (!pose) return [];
    return shapes.filter((s) => s.local).map((s) => ({ ...s, model: multiply(pose, s.local) }));
  });
}

// A shaft and a head; longer arrows than the longest are cut and get a second head.
function arrowSolids({ point, force }, color) {
  const size = norm(force);
  const wanted = (size / forceScale.newtons) * forceScale.length;
  const length = Math.min(wanted, forceScale.longest);
  const direction = scale(force, 1 / size);
  const [x, y] = tangents(direction);
  const thick = Math.min(0.014 * extent.size, 0.1 * length);
  const head = 5.5 * thick;
  const place = (along) => fromAxes(x, y, direction, add(point, scale(direction, along)));
  const half = (length - head) / 2;
  const look = { radius: 0, color };
  const shaft = { ...look, mesh: "cylinder", core: [thick, thick, half], model: place(half) };
  const cone = { ...look, mesh: "cone", core: [2.4 * thick, 2.4 * thick, head] };
  const tip = { ...cone, model: place(length - head) };
  if (wanted <= length) return [shaft, tip];
  return [shaft, tip, { ...cone, model: place(length - 1.7 * head) }];
}

// A light that sees a ball of the given radius around the target.
function lightCamera(direction, target, radius) {
  const eye = add(target, scale(direction, 3 * radius));
  const up = Math.abs(direction[2]) > 0.99 ? [0, 1, 0] : [0, 0, 1];
  return multiply(orthographic(radius, radius, 5 * radius), lookAt(eye, target, up));
}

function drawDepth(renderer, map, camera, solids) {
  const { gl, programs } = renderer;
  gl.bindFramebuffer(gl.FRAMEBUFFER, map.buffer);
  gl.viewport(0, 0, map.size, map.size);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.useProgram(programs.depth.program);
  setUniforms(gl, programs.depth, { camera });
  drawSolids(renderer, programs.depth, solids);
}

function useProgram({ gl, sunMap, skyMap }, program, shared) {
  gl.useProgram(program.program);
  [sunMap, skyMap].forEach((map, unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, map.texture);
  });
  gl.uniform1i(program.uniforms.sunMap, 0);
  gl.uniform1i(program.uniforms.skyMap, 1);
  setUniforms(gl, program, shared);
}

// What lies behind another plane is hidden: up to eight planes as (normal, offset), padded with
// one that hides nothing.
function otherPlanes(plane) {
  const others = planes.filter((other) => other !== plane).slice(0, 8);
  const numbers = others.flatMap(({ normal, offset }) => [...normal, offset]);
  while (numbers.length < 32) numbers.push(0, 0, 0, -1);
  return numbers;
}

function drawPlanes(renderer, shared, view, theme) {
  const { gl, programs, meshes } = renderer;
  useProgram(renderer, programs.plane, { ...shared, ...theme.plane });
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  for (const plane of planes) {
    const height = dot(plane.normal, view.target) - plane.offset;
    const foot = subtract(view.target, scale(plane.normal, height));
    const reach = 5 * view.distance + Math.abs(height);
    const behind = dot(plane.normal, view.eye) < plane.offset;
    if (behind) continue;
    setUniforms(gl, programs.plane, { ...plane, foot, reach, target: foot, cell: gridCell });
    gl.uniform4fv(programs.plane.uniforms["others[0]"], otherPlanes(plane));
    drawMesh(gl, meshes.quad);
  }
  gl.depthMask(true);
  gl.disable(gl.BLEND);
}

// Ground of heights, with shadows on it and the lines of its grid.
function drawGrids(renderer, shared, theme) {
  const { gl, programs } = renderer;
  const still = { core: [1, 1, 1], radius: 0, model: fromAxes([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]) };
  const of = (mesh, color) => scene.grids.map((_, k) => ({ ...still, mesh: `${mesh} ${k}`, color }));
  const { floorColor, lineColor } = theme.plane;
  const mix = (share) => floorColor.map((x, i) => x + share * (lineColor[i] - x));
  useProgram(renderer, programs.solid, { ...shared, glow: 0, opacity: 1 });
  drawSolids(renderer, programs.solid, of("ground", mix(0.15)));
  setUniforms(gl, programs.solid, { glow: 1 });
  drawSolids(renderer, programs.solid, of("lines", mix(0.6)));
}

// Arrows stand before what hides them as a ghost, so that no force is lost inside a leg.
function drawArrows(renderer, shared, arrows, color) {
  const { gl, programs } = renderer;
  const solids = arrows.flatMap((arrow) => arrowSolids(arrow, color));
  useProgram(renderer, programs.solid, { ...shared, glow: 0.85, opacity: 1 });
  drawSolids(renderer, programs.solid, solids);
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  gl.depthFunc(gl.GREATER);
  setUniforms(gl, programs.solid, { opacity: 0.28 });
  drawSolids(renderer, programs.solid, solids);
  gl.depthFunc(gl.LESS);
  gl.depthMask(true);
  gl.disable(gl.BLEND);
}

// Unit normals and tangents of the planes; one that is named twice is drawn once.
function distinctPlanes() {
  const found = [];
  for (const numbers of scene.planes.filter(finite)) {
    const length = norm(numbers.slice(0, 3));
    if (!(length > 0 && length < Infinity)) continue;
    const normal = scale(numbers.slice(0, 3), 1 / length);
    const offset = numbers[3] / length;
    const same = (other) => norm(subtract(other.normal, normal)) + Math.abs(other.offset - offset) < 1e-6;
    const [across, along] = tangents(normal);
    if (Number.isFinite(offset) && !found.some(same)) found.push({ normal, across, along, offset });
  }
  return found;
}
const planes = distinctPlanes();
const gridCell = 10 ** Math.round(Math.log10(extent.size / 5));

// Draws the scene at a time as `view` sees it: { eye, target, distance, matrix }.
function render(renderer, time, view, theme, show) {
  const { gl, canvas, programs } = renderer;
  const solids = solidsAt(time);
  const reach = 2.2 * extent.radius;
  const sunCamera = lightCamera(sunDirection, view.center, reach);
  const skyCamera = lightCamera([0, 0, 1], view.center, reach);
  const shared = {
    camera: view.matrix, eye: view.eye, sun: sunDirection, sunCamera, skyCamera,
    sizeOfScene: extent.size, lightReach: reach, shadows: show.shadows ? 1 : 0,
  };
  if (show.shadows) {
    drawDepth(renderer, renderer.sunMap, sunCamera, solids);
    drawDepth(renderer, renderer.skyMap, skyCamera, solids);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  useProgram(renderer, programs.solid, { ...shared, glow: 0, opacity: 1 });
  drawSolids(renderer, programs.solid, solids);
  drawGrids(renderer, shared, theme);
  drawPlanes(renderer, shared, view, theme);
  if (show.forces && forceScale) drawArrows(renderer, shared, arrowsAt(time), theme.force);
}
