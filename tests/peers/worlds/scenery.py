"""The scenes: quadrupeds that collide, an arm that takes a cube from a heap, a carriage with a box,
bodies poured into a bowl, and rocks that fall on a plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from pathlib import Path

import numpy as np

import arm
import ends
from project import ROOT
from standing import STANCES
from things import Kind, Part, Quaternion, Robot, Scene, Servo, Solid, Thing, Triple

HERE = ROOT / "tests" / "peers" / "worlds"

DROP = 1e-3
"""What lies starts this far above what it lies on, m."""

POURED = (10, 30, 100, 300, 500)
ROCKS = (30, 100, 200)


def quadrupeds() -> Scene:
    """One is thrown against another that stands."""
    stance = STANCES["solo12"]
    legs = [f"{end}{side}" for end in "FH" for side in "LR"]
    thigh, shank = Solid("capsule", (0.019, 0.16)), Solid("capsule", (0.01, 0.16))
    parts = [Part("base_link", Solid("box", (0.41, 0.124, 0.052)))]
    for leg in legs:
        out = 1.0 if leg.endswith("L") else -1.0
        parts.append(Part(f"{leg}_UPPER_LEG", thigh, (0.0, 0.019 * out, -0.08)))
        parts.append(Part(f"{leg}_LOWER_LEG", shank, (0.0, 0.008 * out, -0.08)))
    sphere = Solid("sphere", (stance.radius,))
    feet = tuple(Part(foot, sphere) for foot in stance.feet)
    kind = Kind("Solo12", _model("solo12"), True, 0.8, tuple(parts), feet)
    joints = [f"{leg}_{joint}" for leg in legs for joint in ("HAA", "HFE", "KFE")]
    [(stiffness, damping)] = stance.gains.values()
    posture = {joint: _angle(joint) for joint in joints}
    servos = tuple(
        Servo(joint, stiffness, damping, 2.7, ((0.0, angle),)) for joint, angle in posture.items()
    )
    height = 0.32 * float(np.cos(_angle("FL_HFE"))) + stance.radius
    thrown = Robot("thrown", kind, posture, servos, (0.0, 0.03, height + 0.05), (2.0, 0.0, 0.0))
    struck = Robot("struck", kind, posture, servos, (0.5, 0.0, height))
    return Scene("quadrupeds", kind.friction, 1.5, ends.collided, (thrown, struck))


def _angle(joint: str) -> float:
    """As the stance of the comparison of steps has it."""
    sign = 1.0 if joint.startswith("F") else -1.0
    return sign * {"HAA": 0.0, "HFE": 0.8, "KFE": -1.6}[joint.split("_")[1]]


def _model(name: str) -> Path:
    return ROOT / "models" / "urdf" / f"{name}.urdf"


EDGE = 0.04
TABLE = 0.1
ROWS = (6, 5, 4, 3, 2, 1)
BESIDE = 9
"""Cubes that lie beside the heap."""


def pick() -> Scene:
    """An arm takes the uppermost of 100 cubes from a heap on a table, and holds it."""
    table = Thing("table", Solid("box", (0.6, 1.0, TABLE)), (0.6, 0.0, 0.5 * TABLE), fixed=True)
    cube, z = Solid("box", (EDGE, EDGE, EDGE)), TABLE + 0.5 * EDGE
    places = [(0.42 + 0.045 * k, -0.3, z) for k in range(BESIDE)]
    for rows in ROWS:
        line = [(k - 0.5 * (rows - 1)) * (EDGE + 1e-3) for k in range(rows)]
        places += [(0.5 + x, y, z) for x in line for y in line]
        z += EDGE + 1e-5
    cubes = [Thing(f"cube {k}", cube, place) for k, place in enumerate(places)]
    robot, looks = arm.reaching(places[-1], _model("panda"))
    tool_pose = partial(arm.tool_pose, robot.kind)
    check = partial(ends.held, cubes[-1].name, arm.LIFT, tool_pose)
    return Scene("pick", robot.kind.friction, arm.END, check, (robot,), (table, *cubes), looks)


def carry() -> Scene:
    """A carriage on four wheels speeds up and brakes, with a box on it."""
    radius, wheel = 0.08, Solid("cylinder", (0.08, 0.04))
    wheels = [f"{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
    across = (0.5 * float(np.pi), 0.0, 0.0)
    parts = (
        Part("deck", Solid("box", (0.6, 0.3, 0.06)), (0.0, 0.0, 0.09)),
        *(Part(f"{name}_wheel", wheel, rpy=across) for name in wheels),
    )
    kind = Kind("Carriage", HERE / "carriage.urdf", True, 0.6, parts)
    # Up to 1 m/s in half a second, on, and down again in less.
    speeds = ((0.1, 0.0), (0.6, 1.0), (1.0, 1.0), (1.35, 0.0), (1.6, 0.0))
    way, angle = [(0.0, 0.0)], 0.0
    for (start, before), (end, after) in zip(speeds, speeds[1:], strict=False):
        for share in np.linspace(0.0, 1.0, 26)[1:]:
            time = start + share * (end - start)
            mean = before + 0.5 * share * (after - before)
            way.append((float(time), float(angle + mean * (time - start) / radius)))
        angle = way[-1][1]
    servos = tuple(Servo(f"{name}_axle", 20.0, 0.4, 5.0, tuple(way)) for name in wheels)
    carriage = Robot("carriage", kind, {}, servos, (0.0, 0.0, radius + 1e-4))
    edges = (0.3, 0.25, 0.2)
    top = radius + 0.12 + 0.5 * edges[2] + DROP
    box = Thing("box", Solid("box", edges), (0.0, 0.0, top), density=150.0)
    return Scene("carry", kind.friction, 1.6, ends.carried, (carriage,), (box,), (0.1,))


BOWL = 0.3
"""The radius of its floor, m."""
SLABS = 12
LEAN = 0.25 * np.pi
"""Of its slabs, out of the horizontal."""


def bowl(count: int) -> Scene:
    """Boxes, balls and hulls fall into a bowl of slabs that stand still."""
    random = np.random.default_rng(5)
    across, thick = 2.0 * BOWL, 0.1
    floor = Solid("box", (2.0 * across, 2.0 * across, thick))
    fixed = [Thing("floor", floor, (0.0, 0.0, -0.5 * thick), fixed=True)]
    slab, wide = Solid("box", (0.8, 1.0, thick)), 0.4
    for k in range(SLABS):
        angle = 2.0 * np.pi * k / SLABS
        # Its upper face begins at the rim of the floor.
        out = BOWL + wide * np.cos(LEAN) + 0.5 * thick * np.sin(LEAN)
        up = wide * np.sin(LEAN) - 0.5 * thick * np.cos(LEAN)
        turn = _product(_about((0.0, 0.0, 1.0), angle), _about((0.0, 1.0, 0.0), -LEAN))
        place = (float(out * np.cos(angle)), float(out * np.sin(angle)), float(up))
        fixed.append(Thing(f"slab {k}", slab, place, turn, fixed=True))
    free = []
    for k, place in enumerate(islice(_layers(6, 0.085, 0.06), count)):
        size = float(random.uniform(0.02, 0.035))
        if k % 3 == 0:
            edges = size * random.uniform(1.2, 1.8, 3)
            solid = Solid("box", tuple(map(float, edges)))
        elif k % 3 == 1:
            solid = Solid("sphere", (size,))
        else:
            solid = _rock(random, size)
        free.append(Thing(f"body {k}", solid, _near(random, place, 0.004), _turn(random)))
    check = partial(ends.within, BOWL + 0.8 * np.cos(LEAN))
    return Scene(f"bowl_{count}", 0.5, 1.0, check, (), (*fixed, *free))


def rocks(count: int) -> Scene:
    """Rough rocks of all sizes fall on a plane."""
    random = np.random.default_rng(11)
    free = []
    for k, place in enumerate(islice(_layers(5, 0.26, 0.14), count)):
        rock = _rock(random, float(random.uniform(0.04, 0.12)))
        free.append(Thing(f"rock {k}", rock, _near(random, place, 0.005), _turn(random)))
    return Scene(f"rocks_{count}", 1.0, 1.5, partial(ends.within, 10.0), (), tuple(free))


def _layers(rows: int, pitch: float, lowest: float) -> Iterator[Triple]:
    """Places in layers of rows squared, without end."""
    line = [(k - 0.5 * (rows - 1)) * pitch for k in range(rows)]
    height = lowest
    while True:
        for x, y in product(line, line):
            yield x, y, height
        height += pitch


def _near(random: np.random.Generator, place: Triple, by: float) -> Triple:
    x, y, z = np.array(place) + random.uniform(-by, by, 3)
    return float(x), float(y), float(z)


def _rock(random: np.random.Generator, radius: float) -> Solid:
    """The hull of 12 to 20 points of an ellipsoid, the longest semi-axis of which is the radius,
    about the middle of them."""
    points = random.normal(size=(int(random.integers(12, 21)), 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points *= radius * np.array([1.0, *random.uniform(0.6, 1.0, 2)])
    points -= points.mean(axis=0)
    return Solid("hull", tuple(map(float, points.ravel())))


def _turn(random: np.random.Generator) -> Quaternion:
    x, y, z, w = random.normal(size=4)
    return _unit(x, y, z, w)


def _unit(*entries: float) -> Quaternion:
    x, y, z, w = np.array(entries) / np.linalg.norm(entries)
    return float(x), float(y), float(z), float(w)


def _about(axis: Triple, angle: float) -> Quaternion:
    x, y, z = np.sin(0.5 * angle) * np.array(axis)
    return _unit(x, y, z, np.cos(0.5 * angle))


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    u, v = np.array(a[:3]), np.array(b[:3])
    x, y, z = a[3] * v + b[3] * u + np.cross(u, v)
    return _unit(x, y, z, a[3] * b[3] - u @ v)


SCENES: dict[str, Callable[[], Scene]] = {
    "quadrupeds": quadrupeds,
    "pick": pick,
    "carry": carry,
    **{f"bowl_{count}": partial(bowl, count) for count in POURED},
    **{f"rocks_{count}": partial(rocks, count) for count in ROCKS},
}
"""By name."""
