"""What is in a world, as both programs are told: robots, free bodies, and bodies that stand still.

A scene has one coefficient of friction, so that rules for pairs of two do not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

Triple = tuple[float, float, float]

Quaternion = tuple[float, float, float, float]

UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)
"""x, y, z, w."""

WATER = 1000.0
"""kg/m³."""


@dataclass(frozen=True)
class Solid:
    """A convex solid."""

    kind: str
    """`box`, `sphere`, `capsule`, `cylinder` or `hull`."""
    sizes: tuple[float, ...]
    """Whole edges; a radius; radius and length along z; all coordinates of the points of a hull."""


@dataclass(frozen=True)
class Part:
    """A solid on a link of a robot."""

    link: str
    solid: Solid
    at: Triple = (0.0, 0.0, 0.0)
    rpy: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Kind:
    """A robot's description."""

    name: str
    urdf: Path
    floating: bool
    friction: float
    """That of the scenes that it is in."""
    parts: tuple[Part, ...]
    feet: tuple[Part, ...] = ()
    """Spheres that are contacts of ours, with the ground of the description."""
    tool: tuple[str, Triple] | None = None
    """A link and a point there, whose pose is looked at."""


@dataclass(frozen=True)
class Servo:
    """A force on a joint: STIFFNESS (x − q) + DAMPING (ẋ − v), at most EFFORT."""

    joint: str
    stiffness: float
    damping: float
    effort: float
    way: tuple[tuple[float, float], ...]
    """x at these times, in between on straight lines."""


@dataclass(frozen=True)
class Robot:
    """A robot at its start."""

    name: str
    kind: Kind
    posture: dict[str, float]
    """The coordinate of each joint that is not zero."""
    servos: tuple[Servo, ...]
    place: Triple = (0.0, 0.0, 0.0)
    """Of a floating base."""
    velocity: Triple = (0.0, 0.0, 0.0)
    """Of it, m/s."""


@dataclass(frozen=True)
class Thing:
    """A body, which starts at rest."""

    name: str
    solid: Solid
    place: Triple
    turn: Quaternion = UPRIGHT
    density: float = WATER
    fixed: bool = False


Values = dict[str, np.ndarray]
"""Of each body and of each floating base its place and x, y, z, w, of each other joint its
coordinate; by the name of the body, or of robot and joint."""

Check = Callable[[list[Values]], str | None]
"""What is wrong with a run, by its values at the times that are looked at, if something is."""


@dataclass(frozen=True)
class Scene:
    """A world, for how long it is simulated, and how it should end."""

    name: str
    friction: float
    duration: float
    """Seconds."""
    check: Check
    robots: tuple[Robot, ...] = ()
    things: tuple[Thing, ...] = ()
    looks: tuple[float, ...] = field(default=())
    """Times at which values are taken, s, beside the beginning and the end."""

    @property
    def free(self) -> list[Thing]:
        """The bodies that move."""
        return [thing for thing in self.things if not thing.fixed]
