"""Robots that stand, or press on a wall: postures, feet of spheres, servos that carry them, and what
else acts on them.

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

from project import ROOT
from robots import FOLDER, SOURCES, Robot, change, mujoco_spec, prepare, prepare_from
from scenes import WAVE, Scene, Servo, Triple, add_floor, touching

FRICTION = 0.8

TIME_CONSTANT = 0.01
"""Of MuJoCo's contacts, s: half of its default, so that no foot sinks in by a millimetre."""

RIPPLE = 2e-3
"""Of a servo, by its stiffness, rad."""

RUBBING = 0.02
"""Dry friction of a joint, by the effort of its motor."""

ROOM = 1.0
"""From a joint's posture to its limits, rad."""

BEYOND = 0.02
"""By how much servos of joints that press on a limit are aimed beyond it, rad."""

ON_ITS_SIDE = (0.5**0.5, 0.0, 0.0, 0.5**0.5)

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
    effort: float | None = None
    """Of all motors, N m, where the description says none that is one."""
    pressing: tuple[str, ...] = ()
    """Joints that press on their lower limits where there are limits."""
    trunk: tuple[str, Triple] | None = None
    """The link that carries eight more spheres, and the half edges of the box that has them as corners."""
    knees: tuple[str, ...] = ()
    """Links with one more sphere each at their origins."""
    wall: Triple | None = None
    """The normal of the plane that the feet touch, of what stands on a base; level ground if None."""
    push: float = 0.0
    """The force on it, N."""


@dataclass(frozen=True)
class Load:
    """What acts beside feet and inputs."""

    motors: bool = False
    """Servos are motors, within their efforts."""
    rubbing: bool = False
    """Joints have dry friction."""
    limits: bool = False
    """Joints have limits, of which some press."""
    others: bool = False
    """Twelve more contacts are declared at trunk and knees."""
    fallen: bool = False
    """It lies on its side."""


LOADS = {
    "": Load(),
    "_servos": Load(motors=True),
    "_rubbing": Load(rubbing=True),
    "_all": Load(motors=True, rubbing=True, limits=True),
    "_others": Load(motors=True, rubbing=True, limits=True, others=True),
    "_fallen": Load(motors=True, rubbing=True, limits=True, others=True, fallen=True),
}
"""By what a scene's name has after the robot's."""


SOLE = tuple((x, y, 0.01) for x in (-0.1, 0.1) for y in (-0.06, 0.06))

STANCES = {
    "solo12": Stance(
        ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"),
        ((0.0, 0.0, 0.0),),
        0.0165,
        {"F*_HFE": 0.8, "F*_KFE": -1.6, "H*_HFE": -0.8, "H*_KFE": 1.6},
        {"*": (8.0, 0.2)},
        0.4,
        effort=2.7,
        pressing=("FL_HFE", "HR_KFE"),
        trunk=("base_link", (0.2, 0.09, 0.03)),
        knees=("FL_LOWER_LEG", "FR_LOWER_LEG", "HL_LOWER_LEG", "HR_LOWER_LEG"),
    ),
    "anymal_b": Stance(
        ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
        ((0.0, 0.0, 0.0),),
        0.031,
        {"?F_HFE": 0.6, "?F_KFE": -1.2, "?H_HFE": -0.6, "?H_KFE": 1.2},
        {"*": (200.0, 5.0)},
        0.4,
        pressing=("LF_HFE", "RH_KFE"),
        trunk=("base", (0.28, 0.12, 0.08)),
        knees=("LF_SHANK", "RF_SHANK", "LH_SHANK", "RH_SHANK"),
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
        pressing=("leg_left_4_joint", "arm_right_4_joint"),
    ),
    "g1": Stance(
        ("left_ankle_roll_link", "right_ankle_roll_link"),
        tuple((x, y, -0.03) for x in (-0.05, 0.12) for y in (-0.03, 0.03)),
        0.005,
        {
            "*_hip_pitch_joint": -0.2,
            "*_knee_joint": 0.4,
            "*_ankle_pitch_joint": -0.2,
            "*_shoulder_pitch_joint": 0.1,
            "left_shoulder_roll_joint": 0.2,
            "right_shoulder_roll_joint": -0.2,
            "*_elbow_joint": 0.9,
        },
        {
            "*_ankle_*": (500.0, 4.0),
            "*_hip_*": (800.0, 8.0),
            "*_knee_*": (800.0, 8.0),
            "waist_*": (500.0, 8.0),
            "*_wrist_*": (5.0, 0.1),
            "*": (50.0, 1.5),
        },
        0.1,
        pressing=("left_knee_joint", "right_elbow_joint"),
    ),
    "panda": Stance(
        ("panda_hand",),
        ((0.0, 0.0, 0.1),),
        0.02,
        {
            "panda_joint2": 0.3,
            "panda_joint4": -1.8,
            "panda_joint6": 2.1,
            "panda_joint7": 0.8,
        },
        {"*[1234]": (600.0, 30.0), "*": (150.0, 6.0)},
        0.1,
        pressing=("panda_joint1", "panda_joint7"),
        wall=(-1.0, 0.0, 0.0),
        push=20.0,
    ),
}
"""By the robot's name. The humanoids half sit, talos as its makers' SRDF file says."""

SCENES = [
    *(f"{robot}{load}" for robot in ("solo12", "anymal_b") for load in LOADS),
    *(f"{robot}{load}" for robot in ("talos_38", "g1") for load in ("", "_all")),
    "panda_all",
]
"""The names of all scenes."""


def standing(name: str, sides: int) -> Scene:
    """One of the scenes, with polygons of friction of so many sides."""
    robot = max((robot for robot in STANCES if name.startswith(robot)), key=len)
    return _Stood(robot, LOADS[name.removeprefix(robot)]).scene(name, sides)


def _prepared(name: str) -> Robot:
    """From the collection that all peers are compared on, or one of the workspace's models."""
    if name in SOURCES:
        return prepare(name)
    return prepare_from(name, ROOT / "models" / "urdf" / f"{name}.urdf", floating=True)


class _Stood:
    """A robot in its posture."""

    def __init__(self, name: str, load: Load) -> None:
        self.stance = STANCES[name]
        self.load = load
        self.robot = _prepared(name)
        self.model = self.robot.pinocchio()
        self.first = 2 if self.robot.floating else 1
        """Joints before those with servos: the universe and the base."""
        self.joints = list(self.model.names)[self.first :]
        self.posture = {name: _matching(self.stance.posture, name) or 0.0 for name in self.joints}
        self.feet = [(foot, place) for foot in self.stance.feet for place in self.stance.places]
        self.balls = self.feet + (self._others() if load.others else [])
        self.turn = ON_ITS_SIDE if load.fallen else (0.0, 0.0, 0.0, 1.0)
        self.tree = ElementTree.parse(self.robot.path("urdf"))
        self._data = self.model.createData()
        self._q = pin.neutral(self.model)
        if self.robot.floating:
            self._q[3:7] = self.turn
        for joint, angle in self.posture.items():
            self._place(joint, angle)
        pin.computeJointJacobians(self.model, self._data, self._q)
        pin.updateFramePlacements(self.model, self._data)
        self.normal = np.array(self.stance.wall or (0.0, 0.0, 1.0))
        self.lowest = min(self.normal @ self._center(ball) for ball in self.balls)
        self.efforts = self._efforts()

    def _place(self, joint: str, angle: float) -> None:
        of = self.model.joints[self.model.getJointId(joint)]
        # A joint without limits is a point of the unit circle.
        both = [np.cos(angle), np.sin(angle)] if of.nq == 2 else [angle]
        self._q[of.idx_q : of.idx_q + of.nq] = both

    def scene(self, name: str, sides: int) -> Scene:
        """As both programs are told."""
        stance, floating = self.stance, self.robot.floating
        urdf = FOLDER / f"{name}.scene.urdf"
        change(urdf, lambda path: self._described().write(path))
        offset = self.lowest - stance.radius
        normal = list(map(float, self.normal))
        wall = "" if floating else f"    ground(normal = {normal}, offset = {offset}),\n"
        contacts = "    ".join(
            f"contact(ball_{k}, on = {link}, at = {list(place)}, sphere = {stance.radius}, "
            f"friction = {FRICTION}, directions = {sides}),\n"
            for k, (link, place) in enumerate(self.balls)
        )
        base = "floating" if floating else "fixed"
        return Scene(
            name,
            f'urdf = "{urdf.name}", base = {base},\n{wall}    {contacts}',
            (urdf,),
            self._spec(urdf, offset * self.normal),
            tuple((link, place, stance.radius) for link, place in self.balls),
            FRICTION,
            float(stance.radius - self.lowest),
            self.posture,
            self._servos(),
            stance.kick,
            None if self.load.fallen else len(self.feet),
            motors=self.load.motors,
            held=RUBBING * float(np.linalg.norm(list(self.efforts.values()))) * self.load.rubbing,
            turn=self.turn if floating else None,
        )

    def _others(self) -> list[tuple[str, Triple]]:
        """The corners of the trunk's box and the knees."""
        if self.stance.trunk is None:
            return []
        trunk, (x, y, z) = self.stance.trunk
        signs = (-1.0, 1.0)
        corners = [(a * x, b * y, c * z) for a in signs for b in signs for c in signs]
        knees = [(knee, (0.0, 0.0, 0.0)) for knee in self.stance.knees]
        return [(trunk, corner) for corner in corners] + knees

    def _frame(self, link: str) -> pin.SE3:
        return self._data.oMf[self.model.getFrameId(link)]

    def _center(self, ball: tuple[str, Triple]) -> np.ndarray:
        link, place = ball
        return self._frame(link).act(np.array(place))

    def _efforts(self) -> dict[str, float]:
        joints = self.tree.getroot().findall("joint")
        of = {joint.attrib["name"]: joint.find("limit") for joint in joints}
        efforts = {}
        for name in self.joints:
            limit = of[name]
            assert self.stance.effort or limit is not None
            efforts[name] = self.stance.effort or float(limit.attrib["effort"])
        return efforts

    def _is_pressing(self, joint: str) -> bool:
        return self.load.limits and joint in self.stance.pressing

    def _servos(self) -> tuple[Servo, ...]:
        """One for each joint."""
        torque = self._torque()
        servos = []
        for k, name in enumerate(self.joints):
            stiffness, damping = _matching(self.stance.gains, name) or (0.0, 0.0)
            v = self.model.joints[self.model.getJointId(name)].idx_v
            beyond = BEYOND if self._is_pressing(name) else 0.0
            rest = float(self.posture[name] + torque[v] / stiffness - beyond)
            shift, ripple = 37 * k % WAVE, RIPPLE * stiffness
            effort = self.efforts[name]
            servos.append(Servo(name, 0, stiffness, damping, rest, ripple, shift, effort))
        return tuple(servos)

    def _torque(self) -> np.ndarray:
        """What holds the posture on the feet, or pushes on the wall."""
        weight = pin.computeGeneralizedGravity(self.model, self._data, self._q)
        rows = [self._jacobian(foot, place) for foot, place in self.feet]
        jacobian = np.vstack(rows)
        if not self.robot.floating:
            return weight - jacobian.T @ (self.stance.push * self.normal)
        if self.load.fallen:
            return np.zeros_like(weight)
        force = np.linalg.lstsq(jacobian[:, :6].T, weight[:6], rcond=None)[0]
        return weight - jacobian.T @ force

    def _jacobian(self, link: str, place: Triple) -> np.ndarray:
        """Of a point of a link, in the world's axes, (3, nv)."""
        frame = self.model.getFrameId(link)
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        columns = pin.getFrameJacobian(self.model, self._data, frame, axes)
        arm = self._frame(link).rotation @ np.array(place)
        return columns[:3] - pin.skew(arm) @ columns[3:]

    def _spec(self, urdf: Path, on_wall: np.ndarray) -> mujoco.MjSpec:
        """In MuJoCo's words: spheres on the bodies into which the links merge."""
        floating = self.robot.floating
        spec = mujoco_spec(urdf, floating)
        if floating:
            add_floor(spec)
        else:
            add_floor(spec, on_wall, self.normal)
        bodies = {joint.name: body for body in spec.bodies for joint in body.joints}
        base = spec.worldbody.first_body()
        for link, place in self.balls:
            frame = self.model.frames[self.model.getFrameId(link)]
            body = bodies.get(self.model.names[frame.parentJoint], base)
            ball = body.add_geom()
            ball.type = mujoco.mjtGeom.mjGEOM_SPHERE
            ball.size = [self.stance.radius, 0.0, 0.0]
            ball.pos = frame.placement.act(np.array(place))
            touching(spec, ball, FRICTION, TIME_CONSTANT)
        self._load(spec)
        return spec

    def _load(self, spec: mujoco.MjSpec) -> None:
        """Adds what acts on joints."""
        for name in self.joints:
            joint, effort = spec.joint(name), self.efforts[name]
            if self.load.rubbing:
                joint.frictionloss = RUBBING * effort
                joint.solref_friction = [TIME_CONSTANT, 1.0]
            if self.load.limits:
                joint.limited = 1
                joint.range = self._range(name)
                joint.solref_limit = [TIME_CONSTANT, 1.0]
            if self.load.motors:
                stiffness, damping = _matching(self.stance.gains, name) or (0.0, 0.0)
                actuator = spec.add_actuator()
                actuator.target = name
                actuator.trntype = mujoco.mjtTrn.mjTRN_JOINT
                actuator.set_to_position(kp=stiffness, kv=damping)
                actuator.forcelimited = 1
                actuator.forcerange = [-effort, effort]

    def _range(self, joint: str) -> list[float]:
        angle = self.posture[joint]
        return [angle - (0.0 if self._is_pressing(joint) else ROOM), angle + ROOM]

    def _described(self) -> ElementTree.ElementTree:
        """The description with what acts on joints, which turn freely but for limits."""
        tree = ElementTree.parse(self.robot.path("urdf"))
        for joint in tree.getroot().findall("joint"):
            for child in joint.findall("limit") + joint.findall("dynamics"):
                joint.remove(child)
            name = joint.attrib["name"]
            if name not in self.posture:
                continue
            if self.load.rubbing:
                friction = {"friction": str(RUBBING * self.efforts[name])}
                ElementTree.SubElement(joint, "dynamics", friction)
            if self.load.limits:
                lower, upper = map(str, self._range(name))
                bounds = {"lower": lower, "upper": upper, "effort": "0", "velocity": "0"}
                ElementTree.SubElement(joint, "limit", bounds)
            elif joint.get("type") == "revolute":
                joint.set("type", "continuous")
        return tree


def _matching(table: Mapping[str, Value], name: str) -> Value | None:
    return next((value for pattern, value in table.items() if fnmatchcase(name, pattern)), None)
