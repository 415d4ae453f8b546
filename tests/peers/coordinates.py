"""From the coordinates of a generated robot to those of Pinocchio's model of the same file.

Pinocchio sorts sibling joints by name, stores a continuous joint as (cos, sin), and moves every
joint on its own. With q̂, v̂ for its coordinates,

    v̂ = G v,    q̂ = chart(G q + offset),

where G permutes columns and, for joints that follow others, holds their multipliers. G is
constant, so the equations of motion of the coupled robot are M = Gᵀ M̂ G and b = Gᵀ b̂(q̂, G v).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from catalogue import Follower

Vector = np.ndarray
Matrix = np.ndarray

FREE_FLYER = "root_joint"
"""Pinocchio's name for the joint of a floating base."""

POSE = 7
"""Coordinates of a floating joint: position, then unit quaternion, in both."""


@dataclass(frozen=True)
class Joint:
    """A joint as the generated robot reports it."""

    name: str
    family: str
    q: int
    nq: int
    v: int
    nv: int


class UnknownJoint(ValueError):
    """A joint of one model that the other lacks, or has with other coordinates."""


@dataclass(frozen=True)
class Part:
    """How one of Pinocchio's joints follows from the robot's coordinates."""

    source: Joint
    q: int
    nq: int
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Coordinates:
    """The map q, v → q̂, v̂."""

    nq: int
    gain: Matrix
    """G, (n̂v, nv)."""
    parts: tuple[Part, ...]

    def configuration(self, q: Vector) -> Vector:
        """q̂."""
        out = np.empty(self.nq)
        for part in self.parts:
            own = q[part.source.q : part.source.q + part.source.nq]
            out[part.q : part.q + part.nq] = _chart(part, own)
        return out


def _chart(part: Part, own: Vector) -> Vector:
    if part.nq == POSE:
        return own
    angle = part.multiplier * own[0] + part.offset
    return np.array([np.cos(angle), np.sin(angle)]) if part.nq == 2 else np.array([angle])


def match(model: pin.Model, joints: list[Joint], followers: dict[str, Follower]) -> Coordinates:
    """The map between the two models; raises ``UnknownJoint`` where they differ."""
    own = {_peer_name(joint): joint for joint in joints if joint.nv > 0}
    gain = np.zeros((model.nv, sum(joint.nv for joint in joints)))
    parts = []
    for name, joint in zip(list(model.names)[1:], list(model.joints)[1:], strict=True):
        leader, multiplier, offset = _resolve(name, followers)
        if leader not in own:
            raise UnknownJoint(f"the generated robot has no joint {leader}")
        source = own[leader]
        if (source.nv, source.nq == POSE) != (joint.nv, joint.nq == POSE):
            raise UnknownJoint(
                f"joint {leader} is {source.family}, in Pinocchio {joint.shortname()}"
            )
        rows = slice(joint.idx_v, joint.idx_v + joint.nv)
        gain[rows, source.v : source.v + source.nv] = multiplier * np.eye(joint.nv)
        parts.append(Part(source, joint.idx_q, joint.nq, multiplier, offset))
    unused = own.keys() - {_peer_name(part.source) for part in parts}
    if unused:
        raise UnknownJoint(f"Pinocchio has no joint {', '.join(sorted(unused))}")
    return Coordinates(model.nq, gain, tuple(parts))


def _peer_name(joint: Joint) -> str:
    return FREE_FLYER if joint.family == "floating" else joint.name


def _resolve(name: str, followers: dict[str, Follower]) -> tuple[str, float, float]:
    """The joint whose coordinate moves ``name``, the multiplier and the offset."""
    multiplier, offset = 1.0, 0.0
    while name in followers:
        follower = followers[name]
        offset += multiplier * follower.offset
        multiplier *= follower.multiplier
        name = follower.leader
    return name, multiplier, offset


@dataclass(frozen=True)
class State:
    """One state of the generated robot."""

    q: Vector
    v: Vector
    v_dot: Vector
    tau: Vector

    def numbers(self) -> Vector:
        """All in a row."""
        return np.concatenate([self.q, self.v, self.v_dot, self.tau])


def random_states(joints: list[Joint], count: int, seed: int) -> list[State]:
    """States all over the configuration space, limits disregarded: angles and slides within ±π,
    poses within 1 m with any orientation, velocities and accelerations within ±1, forces within
    ±10."""
    generator = np.random.default_rng(seed)
    nv = sum(joint.nv for joint in joints)
    states = []
    for _ in range(count):
        parts = [_random_joint(joint, generator) for joint in joints]
        q = np.concatenate([*parts, np.empty(0)])
        v, v_dot, tau = generator.uniform(-1.0, 1.0, (3, nv))
        states.append(State(q, v, v_dot, 10.0 * tau))
    return states


def _random_joint(joint: Joint, generator: np.random.Generator) -> Vector:
    if joint.nq != POSE:
        return generator.uniform(-np.pi, np.pi, joint.nq)
    quaternion = generator.normal(size=4)
    position = generator.uniform(-1.0, 1.0, 3)
    return np.concatenate([position, quaternion / np.linalg.norm(quaternion)])
