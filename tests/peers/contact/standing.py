"""Robots that stand: postures, feet of spheres, and servos that carry them.

The servos' angles of rest are such that their torques hold the posture, with contact forces of
least norm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

import mujoco
import numpy as np
import pinocchio as pin

from robots import FOLDER, Robot, change, mujoco_spec, prepare
from scenes import WAVE, Scene, Servo, Triple, add_floor, touching

FRICTION = 0.8

TIME_CONSTANT = 0.01
"""Of MuJoCo's contacts, s: half of its default, so that no foot sinks in by a millimetre."""

RIPPLE = 2e-3
"""Of a servo, by its stiffness, rad."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Stance:
    """How a robot stands; what is said of joints is said of the first pattern that matches."""

    feet: tuple[str, ...]
    """The links that stand."""
    places: tuple[Triple, ...]
    """The centres of the spheres of each foot."""
    radius: float
    posture: Mapping[str, float]
    gains: Mapping[str, tuple[float, float]]
    """Stiffness, N m, and damping, N m s."""
    kick: float


SOLE = tuple((x, y, 0.01) for x in (-0.1, 0.1) for y in (-0.06, 0.06))

STANCES = {
    "solo12": Stance(
        ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"),
        ((0.0, 0.0, 0.0),),
        0.0165,
        {"F*_HFE": 0.8, "F*_KFE": -1.6, "H*_HFE": -0.8, "H*_KFE": 1.6},
        {"*": (8.0, 0.2)},
        0.4,
    ),
    "anymal_b": Stance(
        ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
        ((0.0, 0.0, 0.0),),
        0.031,
        {"?F_HFE": 0.6, "?F_KFE": -1.2, "?H_HFE": -0.6, "?H_KFE": 1.2},
        {"*": (200.0, 5.0)},
        0.4,
    ),
    "talos_38": Stance(
        ("left_sole_link", "right_sole_link"),
        SOLE,
        0.01,
        {
            "leg_*_3_joint": -0.411354,
            "leg_*_4_joint": 0.859395,
            "leg_*_5_joint": -0.448041,
            "arm_left_1_joint": 0.25847,
            "arm_right_1_joint": -0.25847,
            "arm_left_2_joint": 0.173046,
            "arm_right_2_joint": -0.173046,
            "arm_*_4_joint": -0.525366,
        },
        {
            "leg_*_6_joint": (2000.0, 10.0),
            "leg_*": (2000.0, 20.0),
            "torso_*": (2000.0, 40.0),
            "arm_*_[12]_joint": (400.0, 20.0),
            "arm_*_[34]_joint": (100.0, 5.0),
            "gripper_*": (1.0, 0.05),
            "*": (10.0, 0.5),
        },
        0.1,
    ),
}
"""By the robot's name. The humanoid half sits, as its makers' SRDF file says."""


def standing(name: str, sides: int) -> Scene:
    """The scene of a robot, with polygons of friction of so many sides."""
    stance, robot = STANCES[name], prepare(name)
    urdf = FOLDER / f"{name}.scene.urdf"
    change(urdf, lambda path: _without_limits(robot.path("urdf")).write(path))
    stood = _Stood(robot, stance)
    contacts = [
        f"contact(foot_{k}, on = {foot}, at = {list(place)}, sphere = {stance.radius}, "
        f"friction = {FRICTION}, directions = {sides}),\n"
        for k, (foot, place) in enumerate(stood.balls)
    ]
    return Scene(
        name,
        f'urdf = "{urdf.name}", base = floating,\n    {"    ".join(contacts)}',
        (urdf,),
        stood.spec(urdf),
        tuple((foot, place, stance.radius) for foot, place in stood.balls),
        FRICTION,
        stood.height,
        stood.posture,
        stood.servos(),
        stance.kick,
        len(stood.balls),
    )


class _Stood:
    """A robot in its posture."""

    def __init__(self, robot: Robot, stance: Stance) -> None:
        self.stance = stance
        self.model = robot.pinocchio()
        self.joints = list(self.model.names)[2:]
        self.posture = {name: _matching(stance.posture, name) or 0.0 for name in self.joints}
        self.balls = [(foot, place) for foot in stance.feet for place in stance.places]
        self._data = self.model.createData()
        self._q = pin.neutral(self.model)
        for name, angle in self.posture.items():
            self._q[self.model.joints[self.model.getJointId(name)].idx_q] = angle
        pin.computeJointJacobians(self.model, self._data, self._q)
        pin.updateFramePlacements(self.model, self._data)
        lowest = min(self._frame(foot).act(np.array(place))[2] for foot, place in self.balls)
        self.height = float(stance.radius - lowest)

    def _frame(self, link: str) -> pin.SE3:
        return self._data.oMf[self.model.getFrameId(link)]

    def servos(self) -> tuple[Servo, ...]:
        """One for each joint."""
        torque = self._torque()
        servos = []
        for k, name in enumerate(self.joints):
            stiffness, damping = _matching(self.stance.gains, name) or (0.0, 0.0)
            v = self.model.joints[self.model.getJointId(name)].idx_v
            rest = self.posture[name] + torque[v] / stiffness
            shift = 37 * k % WAVE
            ripple = RIPPLE * stiffness
            servos.append(Servo(name, 0, stiffness, damping, float(rest), ripple, shift))
        return tuple(servos)

    def _torque(self) -> np.ndarray:
        """What holds the posture, the first six being zero."""
        weight = pin.computeGeneralizedGravity(self.model, self._data, self._q)
        rows = [self._jacobian(foot, place) for foot, place in self.balls]
        jacobian = np.vstack(rows)
        force = np.linalg.lstsq(jacobian[:, :6].T, weight[:6], rcond=None)[0]
        return weight - jacobian.T @ force

    def _jacobian(self, link: str, place: Triple) -> np.ndarray:
        """Of a point of a link, in the world's axes, (3, nv)."""
        frame = self.model.getFrameId(link)
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        columns = pin.getFrameJacobian(self.model, self._data, frame, axes)
        arm = self._frame(link).rotation @ np.array(place)
        return columns[:3] - pin.skew(arm) @ columns[3:]

    def spec(self, urdf: Path) -> mujoco.MjSpec:
        """In MuJoCo's words: spheres on the bodies into which the feet merge."""
        spec = mujoco_spec(urdf, floating=True)
        add_floor(spec)
        bodies = {joint.name: body for body in spec.bodies for joint in body.joints}
        for foot, place in self.balls:
            frame = self.model.frames[self.model.getFrameId(foot)]
            ball = bodies[self.model.names[frame.parentJoint]].add_geom()
            ball.type = mujoco.mjtGeom.mjGEOM_SPHERE
            ball.size = [self.stance.radius, 0.0, 0.0]
            ball.pos = frame.placement.act(np.array(place))
            touching(spec, ball, FRICTION, TIME_CONSTANT)
        return spec


def _matching(table: Mapping[str, Value], name: str) -> Value | None:
    return next((value for pattern, value in table.items() if fnmatchcase(name, pattern)), None)


def _without_limits(urdf: Path) -> ElementTree.ElementTree:
    """Its hinges turn freely."""
    tree = ElementTree.parse(urdf)
    for joint in tree.getroot().findall("joint"):
        for child in joint.findall("limit") + joint.findall("dynamics"):
            joint.remove(child)
        if joint.get("type") == "revolute":
            joint.set("type", "continuous")
    return tree
