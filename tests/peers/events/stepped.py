"""Event times of three systems by Siconos, which steps over them (Moreau and Jean's scheme).

Run by the system's Python, where Debian's python3-siconos is: `stepped.py SCENE STEP_SIZE START...` prints
a line for each start, with its times in seconds. An event is told by what a step did, to the precision of
its length.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import cos, sin

import numpy as np
import siconos.kernel as sk

GRAVITY = 9.81


def bouncing_ball(height: float, h: float) -> Iterator[float]:
    """A point of 1 kg falls from a height, and springs back with 0.9: its impacts."""
    ball = sk.LagrangianLinearTIDS([height], [0.0], np.eye(1))
    weight = np.array([-GRAVITY])
    ball.setFExtPtr(weight)
    relation = sk.LagrangianLinearTIR(np.eye(1))
    simulation = _simulation(ball, [(sk.NewtonImpactNSL(0.9), relation)], (h, 5.0))
    before = 0.0
    for time in _steps(simulation):
        after = ball.velocity()[0]
        if before < 0.0 < after:
            yield time
        before = after


def rocking_block(angle: float, h: float) -> Iterator[float]:
    """A block of 1 kg falls from one corner to the other, and neither slips nor bounces: its impacts."""
    friction = 0.9
    inertia = (0.2**2 + 1.0**2) / 12.0
    start = [0.0, 0.5 * cos(angle) + 0.1 * sin(angle), angle]
    block = sk.LagrangianDS(start, [0.0] * 3, np.diag([1.0, 1.0, inertia]))
    weight = np.array([0.0, -GRAVITY, 0.0])
    block.setFExtPtr(weight)
    sides = ("left", "right")
    relations = [sk.LagrangianScleronomousR(f"corners:{s}", f"corners:{s}_rows") for s in sides]
    laws = [
        (sk.NewtonImpactFrictionNSL(0.0, 0.0, friction, 2), relation) for relation in relations
    ]
    simulation = _simulation(block, laws, (h, 2.4), sk.FrictionContact(2))
    before = [0.0, 0.0]
    for time in _steps(simulation):
        q, v = block.q(), block.velocity()
        rates = [v[1] + (s * 0.1 * cos(q[2]) + 0.5 * sin(q[2])) * v[2] for s in (-1.0, 1.0)]
        if any(old < -0.05 < new for old, new in zip(before, rates, strict=True)):
            yield time
        before = rates


def stick_slip(x: float, h: float) -> Iterator[float]:
    """A block of 1 kg on a belt of 0.5 m/s, tied by 10 N/m and pulled aside by x: where it begins to stick,
    and to slip again."""
    stiffness, friction, belt = 10.0, 0.5, 0.5
    block = sk.LagrangianLinearTIDS([x, 0.0], [-belt, 0.0], np.eye(2))
    spring, force = np.diag([stiffness, 0.0]), np.array([0.0, -GRAVITY])
    block.setKPtr(spring)
    block.setFExtPtr(force)
    law = sk.NewtonImpactFrictionNSL(0.0, 0.0, friction, 2)
    relation = sk.LagrangianLinearTIR(np.array([[0.0, 1.0], [1.0, 0.0]]))
    simulation = _simulation(block, [(law, relation)], (h, 2.9), sk.FrictionContact(2))
    contact = _KEPT[-1][0]
    slipped = True
    for time in _steps(simulation):
        normal, tangential = contact.lambda_(1)
        slips = abs(tangential) >= friction * normal * (1.0 - 1e-9)
        if slips != slipped:
            yield time
        slipped = slips
        # In axes that move with the belt the spring's end moves.
        block.fExt()[0] = -stiffness * belt * time


def _simulation(
    system: sk.DynamicalSystem,
    laws: list[tuple[sk.NonSmoothLaw, sk.Relation]],
    span: tuple[float, float],
    problem: sk.OneStepNSProblem | None = None,
) -> sk.TimeStepping:
    h, end = span
    model = sk.NonSmoothDynamicalSystem(0.0, end)
    model.insertDynamicalSystem(system)
    contacts = [sk.Interaction(law, relation) for law, relation in laws]
    for contact in contacts:
        model.link(contact, system)
    steps = sk.TimeDiscretisation(0.0, h)
    simulation = sk.TimeStepping(model, steps, sk.MoreauJeanOSI(0.5), problem or sk.LCP())
    _KEPT.extend((model, laws, contacts))
    return simulation


_KEPT: list[object] = []
"""What Siconos' simulations refer to without owning it."""


def _steps(simulation: sk.TimeStepping) -> Iterator[float]:
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        yield simulation.nextTime()
        simulation.nextStep()


SCENES = {"bouncing_ball": bouncing_ball, "rocking_block": rocking_block, "stick_slip": stick_slip}

if __name__ == "__main__":
    scene, step_size, *starts = sys.argv[1:]
    for start in starts:
        print(*map(repr, SCENES[scene](float(start), float(step_size))))
