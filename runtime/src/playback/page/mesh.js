// A few meshes draw all shapes. A vertex has a corner c and a normal n; the shader places it at
// (core ∘ c) + radius n. The rounded mesh is a unit sphere cut along its three planes of symmetry,
// with c the octant's signs: core = 0 makes a sphere, core = (0, 0, h) a capsule, and any other a
// box with rounded edges, all with exact normals.

function buildGrid(mesh, columns, rows, vertex) {
  const first = mesh.vertices.length / 6;
  for (let i = 0; i <= columns; i++) {
    for (let j = 0; j <= rows; j++) mesh.vertices.push(...vertex(i, j));
  }
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const a = first + i * (rows + 1) + j;
      const b = a + rows + 1;
      mesh.indices.push(a, b, b + 1, a, b + 1, a + 1);
    }
  }
}

// Six faces of a cube blown up to a sphere. The lines in the middle of a face are doubled, once
// with either sign, and what lies between them is the flat part of a box.
function roundedMesh(steps = 8) {
  const mesh = { vertices: [], indices: [] };
  const coordinate = (i) => Math.tan((Math.PI / 4) * ((i <= steps ? i : i - 1) / steps - 1));
  const signOf = (i) => (i <= steps ? -1 : 1);
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      buildGrid(mesh, 2 * steps + 1, 2 * steps + 1, (i, j) => {
        const [corner, point] = [[0, 0, 0], [0, 0, 0]];
        const [u, v] = side > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
        [corner[axis], corner[u], corner[v]] = [side, signOf(i), signOf(j)];
        [point[axis], point[u], point[v]] = [side, coordinate(i), coordinate(j)];
        return [...corner, ...unit(point)];
      });
    }
  }
  return mesh;
}

// A profile of rings turned about z: each [r, z] of the corner, then [r, z] of the normal.
function turnedMesh(rings, steps = 48) {
  const mesh = { vertices: [], indices: [] };
  buildGrid(mesh, steps, rings.length - 1, (i, j) => {
    const angle = (2 * Math.PI * i) / steps;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const [r, z, nr, nz] = rings[j];
    return [r * x, r * y, z, nr * x, nr * y, nz];
  });
  return mesh;
}

// A cylinder with rounded edges: core = (R − b, R − b, h − b), radius = b.
function cylinderMesh() {
  const quarter = [0, 1, 2, 3, 4].map((k) => (k * Math.PI) / 8);
  const lower = quarter.map((a) => [1, -1, Math.sin(a), -Math.cos(a)]);
  const upper = quarter.map((a) => [1, 1, Math.cos(a), Math.sin(a)]);
  return turnedMesh([[0, -1, 0, -1], ...lower, ...upper, [0, 1, 0, 1]]);
}

// The head of an arrow: base of radius 1 at z = 0, tip at z = 1; core = (R, R, length).
function coneMesh() {
  const slope = [0.93, 0.36];
  return turnedMesh([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, ...slope], [0, 1, ...slope]], 32);
}

// The square from −1 to 1 in x and y.
function quadMesh() {
  const mesh = { vertices: [], indices: [] };
  buildGrid(mesh, 1, 1, (i, j) => [2 * i - 1, 2 * j - 1, 0, 0, 0, 1]);
  return mesh;
}

// Flat faces with their corners around them; core = (1, 1, 1).
function hullMesh(faces) {
  const mesh = { vertices: [], indices: [] };
  for (const face of faces) {
    const first = mesh.vertices.length / 6;
    const normal = unit(cross(subtract(face[1], face[0]), subtract(face[2], face[0])));
    for (const corner of face) mesh.vertices.push(...corner, ...normal);
    for (let k = 2; k < face.length; k++) mesh.indices.push(first, first + k - 1, first + k);
  }
  return mesh;
}

// A place of the ground on a grid's point, lifted by some height.
function gridPoint({ columns, origin, spacing, heights }, i, j, lift = 0) {
  return [origin[0] + i * spacing[0], origin[1] + j * spacing[1], heights[j * columns + i] + lift];
}

// Each cell has corners of its own, so that crests are sharp; core = (1, 1, 1).
function groundMesh(grid) {
  const mesh = { vertices: [], indices: [] };
  const rows = grid.heights.length / grid.columns;
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < grid.columns; i++) {
      const at = (s, t) => gridPoint(grid, i + s, j + t);
      buildGrid(mesh, 1, 1, (s, t) => {
        const [along, up] = [subtract(at(1, t), at(0, t)), subtract(at(s, 1), at(s, 0))];
        return [...at(s, t), ...unit(cross(along, up))];
      });
    }
  }
  return mesh;
}

// The lines of a grid, a little above the ground.
function gridLines(grid) {
  const mesh = { vertices: [], indices: [], lines: true };
  const rows = grid.heights.length / grid.columns;
  const lift = 0.004 * Math.min(...grid.spacing);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < grid.columns; i++) {
      const k = mesh.vertices.length / 6;
      mesh.vertices.push(...gridPoint(grid, i, j, lift), 0, 0, 1);
      if (i + 1 < grid.columns) mesh.indices.push(k, k + 1);
      if (j + 1 < rows) mesh.indices.push(k, k + grid.columns);
    }
  }
  return mesh;
}

// What the shader needs for a shape: a mesh's name, core and radius.
function solid({ kind, size }, name) {
  if (kind === "hull") return { mesh: name, core: [1, 1, 1], radius: 0 };
  if (kind === "sphere") return { mesh: "rounded", core: [0, 0, 0], radius: size[0] };
  if (kind === "capsule") return { mesh: "rounded", core: [0, 0, size[1] / 2], radius: size[0] };
  if (kind === "box") {
    const edge = 0.12 * Math.min(...size);
    return { mesh: "rounded", core: size.map((x) => x - edge), radius: edge };
  }
  const edge = 0.12 * Math.min(size[0], size[1] / 2);
  return { mesh: "cylinder", core: [size[0] - edge, size[0] - edge, size[1] / 2 - edge], radius: edge };
}
