"""Boxes and plates: one body on the ground, pushed to and fro less than it takes to move it."""

from __future__ import annotations

import numpy as np
from mujoco import MjsBody, MjSpec, mjtGeom

from scenes import GRAVITY, WAVE, Ball, Scene, Servo, add_floor, touching

MASS = 1.0
FRICTION = 0.5
HALF = 0.1
"""Half the edge of the cube, m."""
RADIUS = 0.01
"""Of the spheres that a body rests on."""
SPEED = 0.5

SETTLING = 300
"""Steps until a body rests: it starts where it lies, but for how far MuJoCo's contacts give way."""

PUSHES = tuple(
    Servo(None, coordinate=i, ripple=0.1 * MASS * GRAVITY, shift=i * WAVE // 40) for i in (0, 1)
)
"""A force that turns, a fifth of what friction holds."""


def box_4(sides: int) -> Scene:
    """A cube, four of whose eight vertices touch."""
    edge = 2.0 * HALF
    solid = f"box = [{edge}, {edge}, {edge}]"
    contact = f"contact(vertex, on = cube, {solid}, {_surface(sides)})"
    spec, body = _body()
    cube = body.add_geom()
    cube.type, cube.size = mjtGeom.mjGEOM_BOX, [HALF, HALF, HALF]
    touching(spec, cube, FRICTION)
    return _scene("box_4", contact, spec, (), HALF, 4)


def box_8(sides: int) -> Scene:
    """The same cube on eight spheres along the edges of its bottom."""
    rim = (-HALF, 0.0, HALF)
    places = [(x, y) for x in rim for y in rim if (x, y) != (0.0, 0.0)]
    return _on_spheres("box_8", places, sides)


def grid(edge: int, sides: int) -> Scene:
    """It again on a square grid of spheres, ``edge`` along each side."""
    line = np.linspace(-HALF, HALF, edge)
    places = [(float(x), float(y)) for x in line for y in line]
    return _on_spheres(f"grid_{edge**2}", places, sides)


def _surface(sides: int) -> str:
    return f"friction = {FRICTION}, directions = {sides}"


def _on_spheres(name: str, places: list[tuple[float, float]], sides: int) -> Scene:
    contacts = ",\n    ".join(
        f"contact(ball_{k}, on = cube, at = [{x}, {y}, -{HALF}], sphere = {RADIUS}, "
        f"{_surface(sides)})"
        for k, (x, y) in enumerate(places)
    )
    spec, body = _body()
    for x, y in places:
        ball = body.add_geom()
        ball.type, ball.size, ball.pos = mjtGeom.mjGEOM_SPHERE, [RADIUS, 0.0, 0.0], [x, y, -HALF]
        touching(spec, ball, FRICTION)
    balls = tuple(("cube", (x, y, -HALF), RADIUS) for x, y in places)
    return _scene(name, contacts, spec, balls, HALF + RADIUS, len(places))


def _inertia() -> float:
    """Of a solid cube."""
    return MASS * (2.0 * HALF) ** 2 / 6.0


def _body() -> tuple[MjSpec, MjsBody]:
    spec = MjSpec()
    add_floor(spec)
    body = spec.worldbody.add_body()
    body.add_freejoint()
    body.mass, body.inertia, body.explicitinertial = MASS, [_inertia()] * 3, True
    return spec, body


def _scene(
    name: str, contacts: str, spec: MjSpec, balls: tuple[Ball, ...], height: float, count: int
) -> Scene:
    inertia = f"[{_inertia()}, {_inertia()}, {_inertia()}]"
    attributes = (
        f"link(cube, mass = {MASS}, inertia = {inertia}),\n"
        f"    joint(free, floating(world -> cube), actuated),\n    {contacts},\n"
    )
    shape = (balls, FRICTION, height)
    return Scene(name, attributes, (), spec, *shape, {}, PUSHES, SPEED, count, SETTLING)
