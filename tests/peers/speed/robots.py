"""The robots that are timed, and their descriptions as each program reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pinocchio as pin

import catalogue
from project import WORK

FOLDER = WORK / "speed"
"""Where everything that is made lies."""

SOURCES = {
    "ur5": "ur/ur5_robot",
    "panda": "panda/panda",
    "solo12": "solo/solo12",
    "anymal_b": "anymal_b_simple/anymal",
    "talos_38": "talos/talos_reduced",
    "talos_50": "talos/talos_full_v2",
}
"""Of each robot, its name in the catalogue; the humanoids are told apart by their nv."""

FINGERS = ("panda_finger_joint1", "panda_finger_joint2")
"""Joints that are held fast."""

UNUSED = ("visual", "collision", "transmission", "gazebo", "sensor", "material")
"""Elements that say nothing of motion."""


@dataclass(frozen=True)
class Robot:
    """A prepared robot."""

    name: str
    floating: bool

    @property
    def feet(self) -> catalogue.Feet | None:
        """What of it is held still, if it stands."""
        return catalogue.FEET.get(SOURCES.get(self.name, ""))

    def path(self, suffix: str) -> Path:
        """Its file of this kind."""
        return FOLDER / f"{self.name}.{suffix}"

    def pinocchio(self) -> pin.Model:
        """Pinocchio's model of the prepared description."""
        if self.floating:
            return pin.buildModelFromUrdf(str(self.path("urdf")), pin.JointModelFreeFlyer())
        return pin.buildModelFromUrdf(str(self.path("urdf")))

    def mujoco(self) -> mujoco.MjModel:
        """MuJoCo's model of it, without contacts."""
        spec = mujoco_spec(self.path("urdf"), self.floating)
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        return spec.compile()

    def moving_links(self) -> list[str]:
        """The links that a joint with coordinates carries."""
        joints = ElementTree.parse(self.path("urdf")).getroot().findall("joint")
        return [_child(joint) for joint in joints if joint.get("type") != "fixed"]

    def children(self) -> dict[str, str]:
        """The link that each joint carries."""
        joints = ElementTree.parse(self.path("urdf")).getroot().findall("joint")
        return {joint.attrib["name"]: _child(joint) for joint in joints}


def _child(joint: ElementTree.Element) -> str:
    child = joint.find("child")
    assert child is not None
    return child.attrib["link"]


def mujoco_spec(urdf: Path, floating: bool) -> mujoco.MjSpec:
    """MuJoCo's description of a robot whose joints nothing drives, damps, or limits."""
    spec = mujoco.MjSpec.from_file(str(urdf))
    if floating:
        spec.worldbody.first_body().add_freejoint()
    for joint in spec.joints:
        joint.damping, joint.stiffness = np.zeros(3), np.zeros(3)
        joint.frictionloss = joint.armature = 0.0
        joint.limited = 0
    return spec


def prepare(name: str) -> Robot:
    """Writes the description without what is not timed, and the peers' models."""
    [source] = [robot for robot in catalogue.robots() if robot.name == SOURCES[name]]
    return prepare_from(name, source.path, source.floating)


def prepare_from(name: str, source: Path, floating: bool) -> Robot:
    """The same from any file, by a name of its own."""
    robot = Robot(name, floating)
    FOLDER.mkdir(parents=True, exist_ok=True)
    change(robot.path("urdf"), lambda path: _description(source).write(path))
    robot.pinocchio().saveToText(str(robot.path("pinocchio")))
    feet = robot.feet or catalogue.Feet((), axes=False)
    words = ["axes" if feet.axes else "points", *feet.links]
    Path(f"{robot.path('pinocchio')}.feet").write_text("\n".join(words) + "\n")
    mujoco.mj_saveModel(robot.mujoco(), str(robot.path("mujoco")))
    return robot


def _description(path: Path) -> ElementTree.ElementTree:
    """Every joint moves on its own."""
    tree = ElementTree.parse(path)
    root = tree.getroot()
    for parent in (root, *root.findall("link"), *root.findall("joint")):
        for child in list(parent):
            if child.tag in UNUSED or child.tag == "mimic":
                parent.remove(child)
    for joint in root.findall("joint"):
        if joint.attrib["name"] in FINGERS:
            joint.set("type", "fixed")
    for inertia in root.iter("inertia"):
        _make_possible(inertia)
    return tree


def _make_possible(inertia: ElementTree.Element) -> None:
    """A placeholder with six equal entries is the inertia of no body, and MuJoCo refuses it."""
    if len({float(value) for value in inertia.attrib.values()}) == 1:
        for product in ("ixy", "ixz", "iyz"):
            inertia.set(product, "0")


def change(path: Path, write: Callable[[Path], None]) -> None:
    """Keeps a file that would come out the same, so that nothing is compiled for nothing."""
    fresh = path.with_suffix(".new")
    write(fresh)
    if path.exists() and path.read_bytes() == fresh.read_bytes():
        fresh.unlink()
    else:
        fresh.replace(path)
