"""How the time of a step grows with the number of contacts: a cube at rest on grids of spheres.

The motion has six coordinates whatever the number, and all contacts but three are redundant.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from blocks import grid
from chart import Curve, chart, exponent
from scenes import Scene
from simulators import Fact, Simulator, weight
from table import EXACT, OURS, Table, disagreements

EDGES = (2, 3, 4, 6, 8, 11, 16, 20)
"""Spheres along each side of a grid."""

SETTINGS = {
    OURS: ("coulomb", "todorov"),
    "mujoco": ("pyramidal dense", "pyramidal sparse", "elliptic dense", "elliptic sparse"),
}

CURVES = {
    "Jourdain, exact Coulomb": (OURS, ("coulomb",)),
    "Jourdain, convex": (OURS, ("todorov",)),
    "MuJoCo, pyramid": ("mujoco", SETTINGS["mujoco"][:2]),
    "MuJoCo, elliptic": ("mujoco", SETTINGS["mujoco"][2:]),
}
"""By name, the program and its settings, of which the fastest counts."""

FITTED = 16
"""The least number of contacts that rises are fitted to."""

LONGEST = 1e7
"""The time of a step, ns, after which a setting is given no larger grid."""


def scenes(sides: int) -> list[Scene]:
    """The grids, with polygons of friction of so many sides."""
    return [grid(edge, sides) for edge in EDGES]


def measure(
    scene: Scene, simulators: list[Simulator], rounds: int, seconds: float, table: Table
) -> tuple[list[str], list[str]]:
    """Times the settings that are not too slow by now; returns what failed, and which do not rest
    alike."""
    slow = {row.variant[3:] for row in table.rows() if row.time.median > LONGEST}
    failures: dict[str, None] = {}
    facts: dict[str, dict[str, Fact]] = {OURS: {}}
    for _ in range(rounds):
        for simulator in simulators:
            for setting in SETTINGS[simulator.name]:
                if (simulator.name, setting) in slow:
                    continue
                result = simulator.run(seconds, setting)
                table.add(scene.name, simulator.name, result)
                facts.setdefault(simulator.name, {}).update(result.facts)
                failures |= {f"{scene.name}, {line}": None for line in result.failures}
    exact = (OURS, EXACT) not in slow
    return list(failures), disagreements(scene, weight(scene), facts) if exact else []


def draw(table: Table, path: Path) -> list[str]:
    """Draws the times at rest, warm; returns a line for each curve with how it rises."""
    curves, lines = [], []
    for name, (program, settings) in CURVES.items():
        points = _points(table, program, settings)
        times = f"{', '.join(f'{n} {time / 1e3:.1f}' for n, time in points)} µs"
        steep = [f"{of[0]:.0f} ns for one more, slope {of[1]:.2f}" for of in _rise(points)]
        curves.append(Curve("\n".join([name, *steep]), [(n, time / 1e3) for n, time in points]))
        lines.append(f"{name}: {', '.join([times, *steep])}")
    title = "A step of a cube at rest on spheres, warm start"
    path.write_text(chart(title, "contacts", "µs", [edge**2 for edge in EDGES], curves))
    return lines


def _points(table: Table, program: str, settings: tuple[str, ...]) -> list[tuple[int, float]]:
    """Contacts and nanoseconds of the fastest setting."""
    times: dict[int, list[float]] = {}
    for row in table.rows():
        scene, drive, start, by, setting = row.variant
        if (drive, start, by) == ("rest", "warm", program) and setting in settings:
            times.setdefault(int(scene.split("_")[1]), []).append(row.time.median)
    return [(n, min(of)) for n, of in sorted(times.items())]


def _rise(points: list[tuple[int, float]]) -> list[tuple[float, float]]:
    """The time of one more contact and the exponent of n in the time, by least squares, if points
    are enough."""
    fitted = [(n, time) for n, time in points if n >= FITTED]
    if len(fitted) < 2:
        return []
    return [(float(np.polyfit(*np.array(fitted).T, 1)[0]), exponent(fitted))]
