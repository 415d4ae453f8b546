"""The generated robots: one small cargo project for each case."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from catalogue import Case
from coordinates import Joint, State
from project import DEVELOPMENT, JOURDAIN, ROOT, Profile, Project, dependency
from reference import Quantities

HERE = Path(__file__).resolve().parent

DEPENDENCIES = Project("dependencies", JOURDAIN, "fn main() {}\n")
"""Builds what every subject depends on, so that its time is not counted as the first one's."""

EXPANSION = Project(
    "expansion",
    {"jourdain-codegen": dependency(ROOT / "macros" / "codegen"), "proc-macro2": '"1"'},
    (HERE / "expansion.rs").read_text(),
)
"""Times an expansion, unoptimised as derive macros are."""


def prepare(profile: Profile) -> None:
    """Builds what all cases share."""
    DEPENDENCIES.write()
    DEPENDENCIES.build(profile)
    EXPANSION.write()
    EXPANSION.build(DEVELOPMENT)


@dataclass(frozen=True)
class Description:
    """What a generated robot says of itself."""

    joints: list[Joint] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    """The links that moving bodies are named after."""
    operations: dict[str, int] = field(default_factory=dict)
    """Additions, multiplications, divisions and roots of each kernel."""

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return sum(joint.nv for joint in self.joints)


@dataclass(frozen=True)
class Subject:
    """The generated robot of one case."""

    case: Case
    profile: Profile

    @property
    def frames(self) -> dict[str, str]:
        """The link on which each declared frame sits."""
        frames = {f"frame_{k}": link for k, link in enumerate(self.case.robot.frames())}
        return frames | self._feet(axes=True)

    def _feet(self, axes: bool) -> dict[str, str]:
        """The link of each foot that is held with its axes, or without."""
        feet = self.case.feet
        links = feet.links if feet is not None and feet.axes == axes else ()
        return {f"foot_{k}": link for k, link in enumerate(links)}

    @property
    def item(self) -> str:
        """The struct and its description, without the derive."""
        robot, points, soles = self.case.robot, self._feet(axes=False), self._feet(axes=True)
        entries = [
            f"urdf = {_quoted(robot.path.name)}",
            f"base = {'floating' if robot.floating else 'fixed'}",
            f"mimic = {self.case.mimic.value}",
            *(["kernels(all)"] if self.case.complete else []),
            *(
                f"frame({name}, on = {_quoted(link)}{', held' if name in soles else ''})"
                for name, link in self.frames.items()
            ),
            *(f"contact({name}, on = {_quoted(link)})" for name, link in points.items()),
        ]
        lines = "".join(f"    {entry},\n" for entry in entries)
        return f"#[robot(\n{lines})]\npub struct Subject;\n"

    @property
    def project(self) -> Project:
        """The project that derives it."""
        name = re.sub("[^a-z0-9]+", "-", self.case.name.lower()).strip("-")
        modules = self._modules
        declared = "".join(f"mod {module};\n" for module in modules)
        calls = " ".join(f"{module}::record(robot, state, record);" for module in modules)
        more = f"|robot, state, record| {{ {calls} }}" if modules else "|_, _, _| {}"
        main = (
            f"//! {self.case.name}, as the comparison with Pinocchio describes it.\n\n"
            f"mod exchange;\n{declared}mod states;\n\n"
            "use jourdain::prelude::*;\n\n"
            f"#[derive(Robot, Clone)]\n{self.item}\n"
            "fn main() -> Result<(), exchange::Failure> {\n"
            f"    exchange::run(Subject, {more})\n}}\n"
        )
        sources = tuple(HERE / f"{name}.rs" for name in ("exchange", *modules, "states"))
        copies = (*sources, self.case.robot.path)
        return Project(f"subject-{name}", JOURDAIN, main, copies)

    @property
    def _modules(self) -> list[str]:
        """Those that record more than every robot has."""
        parts = {"held": self.case.feet, "requested": self.case.complete}
        return [module for module, wanted in parts.items() if wanted]

    def expansion_milliseconds(self) -> float:
        """Time of one expansion of the description."""
        folder = str(self.project.folder)
        lines = EXPANSION.run(DEVELOPMENT, text=self.item, CARGO_MANIFEST_DIR=folder)
        return float(lines[0][0])

    def describe(self) -> Description:
        """What the built program says of its robot."""
        description = Description()
        for kind, *fields in self.project.run(self.profile, "describe"):
            if kind == "joint":
                name, family, *numbers = fields
                description.joints.append(Joint(name, family, *map(int, numbers)))
            elif kind == "link":
                description.links.append(fields[0])
            elif kind == "body":
                description.bodies.append(fields[0])
            elif kind == "operations":
                description.operations[fields[0]] = int(fields[1])
        return description

    def evaluate(self, states: list[State]) -> list[Quantities]:
        """The quantities of the built program at ``states``, as they lie in memory."""
        states_file = self.project.folder / "states.bin"
        results_file = self.project.folder / "results.bin"
        np.array([state.numbers() for state in states], dtype="<f8").tofile(states_file)
        lines = self.project.run(self.profile, "evaluate", str(states_file), str(results_file))
        schema = [(name, int(length)) for _, name, length in lines]
        ends = np.cumsum([length for _, length in schema])
        rows = np.fromfile(results_file, dtype="<f8").reshape(len(states), -1)
        names = [name for name, _ in schema]
        return [dict(zip(names, np.split(row, ends[:-1]), strict=True)) for row in rows]


def _quoted(text: str) -> str:
    """A Rust string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
