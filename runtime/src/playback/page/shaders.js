// GLSL. Light is computed in linear colours; the sun casts shadows through a depth map, and a
// second map seen from straight above, blurred widely, darkens the ground under the robot as the
// sky does on an overcast day.

const solidVertex = `#version 300 es
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
uniform mat4 model, camera;
uniform vec3 core;
uniform float radius;
out vec3 world, facing;
void main() {
  vec4 place = model * vec4(corner * core + normal * radius, 1.0);
  world = place.xyz;
  facing = mat3(model) * normal;
  gl_Position = camera * place;
}`;

const depthFragment = `#version 300 es
precision highp float;
void main() {}`;

const shadowFunctions = `
uniform highp sampler2DShadow sunMap, skyMap;
uniform mat4 sunCamera, skyCamera;
uniform float shadows, lightReach, sizeOfScene;
// Interleaved gradient noise: Jimenez, Next generation post processing in Call of Duty (2014).
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }
// Share of light that arrives, from taps on a golden spiral that is turned from pixel to pixel
// and reaches as far as the blur, in sizes of the scene. The map is 2 lightReach wide, 4 deep; its
// texels are about as far apart as the taps, so that interpolating between them hides the noise.
float light(highp sampler2DShadow map, mat4 view, vec3 place, float blur) {
  blur *= 0.5 * sizeOfScene / lightReach;
  float bias = 0.1 * blur + 0.001 * sizeOfScene / lightReach;
  vec3 p = (view * vec4(place, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float turn = 6.2831853 * noise(gl_FragCoord.xy), sum = 0.0;
  for (int k = 0; k < TAPS; k++) {
    float angle = turn + 2.3999632 * float(k), reach = sqrt((float(k) + 0.5) / float(TAPS));
    vec2 tap = p.xy + blur * reach * vec2(cos(angle), sin(angle));
    sum += texture(map, vec3(tap, p.z - bias));
  }
  return mix(1.0, sum / float(TAPS), shadows);
}`.replaceAll("TAPS", "32");

const solidFragment = `#version 300 es
precision highp float;
in vec3 world, facing;
uniform vec3 eye, sun, color;
uniform float glow, opacity;
out vec4 pixel;
${shadowFunctions}
void main() {
  vec3 n = normalize(facing), toEye = normalize(eye - world);
  vec3 place = world + n * 0.02 * sizeOfScene;
  float lit = clamp(dot(n, sun) * 1.6, 0.0, 1.0) * light(sunMap, sunCamera, place, 0.025);
  float above = mix(0.55, 1.0, light(skyMap, skyCamera, place, 0.15));
  vec3 sky = mix(vec3(0.34, 0.33, 0.32), vec3(0.62, 0.66, 0.72) * above, 0.5 + 0.5 * n.z);
  vec3 sunLight = vec3(1.30, 1.24, 1.14) * max(dot(n, sun), 0.0) * lit;
  float rim = pow(1.0 - max(dot(n, toEye), 0.0), 4.0);
  vec3 halfway = normalize(sun + toEye);
  float shine = 0.22 * lit * pow(max(dot(n, halfway), 0.0), 48.0) + 0.10 * rim * (0.5 + 0.5 * n.z);
  vec3 base = pow(color, vec3(2.2));
  vec3 shaded = mix(base * (sky * 0.72 + sunLight * 0.62) + shine, base * (0.95 + 0.15 * n.z), glow);
  shaded = shaded / (1.0 + 0.12 * shaded);
  pixel = vec4(pow(shaded, vec3(1.0 / 2.2)) * opacity, opacity);
}`;

const planeVertex = `#version 300 es
layout(location = 0) in vec3 corner;
uniform mat4 camera;
uniform vec3 foot, across, along;
uniform float reach;
out vec3 world;
out vec2 place;
void main() {
  world = foot + reach * (corner.x * across + corner.y * along);
  place = vec2(dot(world, across), dot(world, along));
  gl_Position = camera * vec4(world, 1.0);
}`;

const planeFragment = `#version 300 es
precision highp float;
in vec3 world;
in vec2 place;
uniform vec3 eye, sun, target, normal, floorColor, lineColor, shade;
uniform float cell, reach, strength;
uniform vec4 others[8];
out vec4 pixel;
${shadowFunctions}
// Coverage of lines one pixel wide; they fade before they are closer than a few pixels.
float lines(vec2 x, float width) {
  vec2 step = max(fwidth(x), 1e-6);
  vec2 near = abs(fract(x - 0.5) - 0.5) / step;
  vec2 cover = (1.0 - smoothstep(width - 0.5, width + 0.5, near)) * (1.0 - smoothstep(0.06, 0.35, step));
  return max(cover.x, cover.y);
}
void main() {
  for (int k = 0; k < 8; k++) {
    if (dot(others[k].xyz, world) < others[k].w) discard;
  }
  float away = distance(world, target) / reach;
  float fade = 1.0 - smoothstep(0.25, 0.95, away);
  float level = abs(dot(normalize(eye - world), normal));
  float grid = max(0.20 * lines(place / cell, 0.5), 0.50 * lines(place / (10.0 * cell), 0.7));
  grid *= smoothstep(0.0, 0.12, level) * fade;
  float dark = 1.0 - light(sunMap, sunCamera, world, 0.05);
  dark *= smoothstep(0.0, 0.3, dot(normal, sun));
  float cloud = 1.0 - light(skyMap, skyCamera, world, 0.35);
  float gloom = clamp((dark * 0.62 + cloud * 0.42 + 0.2 * (1.0 - normal.z)) * strength, 0.0, 0.85);
  vec3 base = mix(floorColor, lineColor, grid);
  vec3 seen = mix(base, shade, gloom);
  float opacity = max(fade * fade * 0.9, max(grid, gloom * fade));
  pixel = vec4(seen * opacity, opacity);
}`;
