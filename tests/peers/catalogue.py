"""The robots of example-robot-data and how each is described for the comparison."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from functools import cached_property
from importlib.metadata import files
from pathlib import Path
from xml.etree import ElementTree

FLOATING_PACKAGES = frozenset(
    """a1 alex alexander anymal_b_simple anymal_c_simple b1 bolt borinot centauro g1 go1 go2 hector
    hextilt human hyq icub iris laikago quadruped romeo simple_humanoid solo talos""".split()
)
"""Packages of robots that walk or fly; arms, hands and wheeled robots stand on their base."""

FIXED_ROBOTS = frozenset({"talos/talos_left_arm"})
"""Robots of those packages that do not."""

INVALID_ROBOTS = frozenset({"ur/ur3"})
"""Files that describe no robot."""

SAMPLE = (
    "kinova/kinova",
    "panda/panda",
    "solo/solo12",
    "talos/talos_reduced",
    "ur/ur5_robot",
    "ur/ur3",
)
"""What continuous integration compares: continuous joints, a coupled gripper, a quadruped, a
humanoid and an arm, and the file that must be refused."""


COMPLETE = (
    "kinova/kinova",
    "panda/panda",
    "solo/solo12",
    "talos/talos_reduced",
    "ur/ur5_robot",
)
"""Robots that are described with `kernels(all)`, which for a humanoid compile for a minute."""


@dataclass(frozen=True)
class Feet:
    """Links that constrained motion is compared with held still."""

    links: tuple[str, ...]
    axes: bool
    """Whether their axes are held too, or only the points at their origins."""


FEET = {
    "anymal_b_simple/anymal": Feet(("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"), axes=False),
    "solo/solo12": Feet(("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), axes=False),
    "talos/talos_reduced": Feet(("left_sole_link", "right_sole_link"), axes=True),
}
"""Robots that stand."""


class Mimic(Enum):
    """What becomes of a joint that follows another."""

    IGNORE = "ignore"
    """It moves on its own, as in Pinocchio by default."""
    FOLLOW = "follow"
    """It moves with the other."""


@dataclass(frozen=True)
class Follower:
    """q = multiplier · q of ``leader`` + offset."""

    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Robot:
    """One URDF file."""

    path: Path

    @cached_property
    def name(self) -> str:
        """Package and file, such as ``solo/solo12``."""
        package = next(part.name for part in self.path.parents if part.parent.name == "robots")
        return f"{re.sub('_(description|data)$', '', package)}/{self.path.stem}"

    @property
    def valid(self) -> bool:
        """Whether the file describes a robot."""
        return self.name not in INVALID_ROBOTS

    @property
    def floating(self) -> bool:
        """Whether its base moves freely."""
        return self.name.split("/")[0] in FLOATING_PACKAGES and self.name not in FIXED_ROBOTS

    @cached_property
    def _tree(self) -> ElementTree.Element:
        return ElementTree.parse(self.path).getroot()

    @cached_property
    def _joints(self) -> dict[str, ElementTree.Element]:
        """The joint that carries each link but the root, in the order of the file."""
        return {_link(joint, "child"): joint for joint in self._tree.findall("joint")}

    @cached_property
    def followers(self) -> dict[str, Follower]:
        """The joints that move and follow another, by name."""
        found = {}
        for joint in self._tree.findall("joint"):
            mimic = joint.find("mimic")
            if mimic is not None and joint.get("type") != "fixed":
                multiplier = float(mimic.get("multiplier", 1.0))
                offset = float(mimic.get("offset", 0.0))
                found[joint.attrib["name"]] = Follower(mimic.attrib["joint"], multiplier, offset)
        return found

    @property
    def followers_resolve(self) -> bool:
        """Whether every joint that is followed exists."""
        names = {joint.attrib["name"] for joint in self._tree.findall("joint")}
        return all(follower.leader in names for follower in self.followers.values())

    def frames(self) -> list[str]:
        """Up to four links to put a frame on: the leaf behind the most moving joints, the link half
        way to it, and two other leaves."""
        links = [link.attrib["name"] for link in self._tree.findall("link")]
        inner = {_link(joint, "parent") for joint in self._joints.values()}
        chains = [self._chain(link) for link in links if link not in inner]
        if not chains:
            return []
        chains.sort(key=lambda chain: -sum(map(self._moves, chain)))
        deepest = chains[0]
        others = (chains[len(chains) // 2], chains[-1])
        return list(
            dict.fromkeys([deepest[0], deepest[len(deepest) // 2], *(c[0] for c in others)])
        )

    def _chain(self, link: str) -> list[str]:
        """The links from ``link`` to the root."""
        chain = [link]
        while chain[-1] in self._joints:
            chain.append(_link(self._joints[chain[-1]], "parent"))
        return chain

    def _moves(self, link: str) -> bool:
        return link in self._joints and self._joints[link].get("type") != "fixed"


def _link(joint: ElementTree.Element, end: str) -> str:
    element = joint.find(end)
    if element is None:
        raise ValueError(f"joint {joint.get('name')} has no {end}")
    return element.attrib["link"]


@dataclass(frozen=True)
class Case:
    """A robot and how its coupled joints are read."""

    robot: Robot
    mimic: Mimic

    @property
    def name(self) -> str:
        """The robot's name, with the mode if it is not the default."""
        return self.robot.name + ("" if self.mimic is Mimic.IGNORE else " (follow)")

    @property
    def accepted(self) -> bool:
        """Whether the derive must accept it."""
        coupled = self.mimic is Mimic.FOLLOW
        return self.robot.valid and (self.robot.followers_resolve or not coupled)

    @property
    def complete(self) -> bool:
        """Whether it is described with all kernels that it can ask for."""
        return self.robot.name in COMPLETE

    @property
    def feet(self) -> Feet | None:
        """Those that it stands on."""
        return FEET.get(self.robot.name)

    @property
    def followers(self) -> dict[str, Follower]:
        """The joints that own no coordinates here."""
        return self.robot.followers if self.mimic is Mimic.FOLLOW else {}


def robots() -> list[Robot]:
    """Every URDF file of the installed package once, by name."""
    installed = files("example-robot-data") or []
    paths = {Path(str(file.locate())).resolve() for file in installed if file.suffix == ".urdf"}
    return sorted((Robot(path) for path in paths), key=lambda robot: robot.name)


def cases(patterns: list[str]) -> list[Case]:
    """The cases of the robots whose name, or file name, matches one of ``patterns``."""
    chosen = []
    for robot in robots():
        names = (robot.name, robot.path.stem)
        if any(fnmatchcase(name, pattern) for name in names for pattern in patterns):
            chosen.append(Case(robot, Mimic.IGNORE))
            if robot.followers:
                chosen.append(Case(robot, Mimic.FOLLOW))
    return chosen
