"""Scenes of contact: what stands or lies on level ground, as both programs are told.

A scene is the entries of a description for the derive, and the same in MuJoCo's words. Joints are
held by servos, whose forces ripple so that no step is like the last: they are inputs, or what both
programs have for them, motors of the step and position actuators. Where a scene says so, joints
have dry friction and limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

STEP = 1e-3
"""Seconds."""

GRAVITY = 9.81

FLOOR = "floor"

WAVE = 628
"""Steps after which the ripple repeats itself."""


@dataclass(frozen=True)
class Servo:
    """A force on a joint, as scene.hpp has it."""

    joint: str | None
    """None for the base."""
    coordinate: int = 0
    """Which of the base's velocity."""
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    ripple: float = 0.0
    shift: int = 0
    effort: float = 0.0
    """The largest force of one that is a motor."""


Triple = tuple[float, float, float]

Quaternion = tuple[float, float, float, float]

Ball = tuple[str, Triple, float]
"""A sphere that touches the ground: its link, its centre there, and its radius."""


@dataclass(frozen=True)
class Scene:
    """One scene."""

    name: str
    attributes: str
    """What stands in #[robot(…)]."""
    copies: tuple[Path, ...]
    """Files that the description names."""
    spec: mujoco.MjSpec
    """What MuJoCo is told."""
    balls: tuple[Ball, ...]
    """What touches, where that is spheres."""
    friction: float
    height: float
    """Of the base's origin, where contacts touch."""
    posture: dict[str, float]
    """The angle of each joint that is not zero."""
    servos: tuple[Servo, ...]
    kick: float
    """The speed of a kick, m/s."""
    contacts: int | None
    """How many touch at rest; None where it depends on how far what is soft gives way."""
    settling: int = 2000
    """Steps until it rests."""
    motors: bool = False
    """Whether servos are motors."""
    turn: Quaternion | None = (0.0, 0.0, 0.0, 1.0)
    """Of the base, x, y, z, w; None of what is fixed and presses on a wall."""
    held: float = 0.0
    """The torque that dry friction may take from servos at rest: the norm of its bounds, N m."""


def add_floor(
    spec: mujoco.MjSpec, place: Triple = (0.0, 0.0, 0.0), normal: Triple = (0.0, 0.0, 1.0)
) -> None:
    """Level ground, or a plane at another place."""
    floor = spec.worldbody.add_geom()
    floor.name = FLOOR
    floor.type, floor.size = mujoco.mjtGeom.mjGEOM_PLANE, [0.0, 0.0, 1.0]
    floor.pos = place
    quaternion = np.zeros(4)
    mujoco.mju_quatZ2Vec(quaternion, np.array(normal))
    floor.quat = quaternion
    floor.contype = floor.conaffinity = 0


def touching(
    spec: mujoco.MjSpec, geom: mujoco.MjsGeom, friction: float, time_constant: float = 0.02
) -> None:
    """Lets a solid without mass touch the floor, with friction and no torsion; MuJoCo's contacts
    give way, and come back with a time constant in seconds. A pair that is named takes it less time
    than one that it finds."""
    geom.name = f"solid_{len(spec.geoms)}"
    geom.mass, geom.density = 0.0, 0.0
    geom.contype = geom.conaffinity = 0
    pair = spec.add_pair()
    pair.geomname1, pair.geomname2 = FLOOR, geom.name
    pair.condim, pair.friction = 3, [friction, friction, 0.0, 0.0, 0.0]
    pair.solref = [time_constant, 1.0]
