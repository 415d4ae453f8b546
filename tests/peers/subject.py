"""The generated robots: one small cargo project for each case, outside the workspace.

All projects share a target folder, so that what they depend on compiles once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from catalogue import Case
from coordinates import Joint, State
from reference import Quantities

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target" / "peers"
BUILD = WORK / "build"


class BuildFailure(RuntimeError):
    """A project that does not compile; carries what cargo said."""


class RunFailure(RuntimeError):
    """A program that ends with an error; carries what it said."""


@dataclass(frozen=True)
class Profile:
    """How cargo builds."""

    flags: tuple[str, ...]
    folder: str


RELEASE = Profile(("--release",), "release")
DEVELOPMENT = Profile((), "debug")


@dataclass(frozen=True)
class Project:
    """A binary crate of its own; ``sources`` are copied or written into ``src/``."""

    name: str
    dependencies: dict[str, str]
    main: str
    copies: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        """Where it is written."""
        return WORK / self.name

    def write(self) -> None:
        """Writes all files anew, so that the next build compiles the crate again."""
        source = self.folder / "src"
        source.mkdir(parents=True, exist_ok=True)
        (self.folder / "Cargo.toml").write_text(self._manifest())
        shutil.copyfile(ROOT / "Cargo.lock", self.folder / "Cargo.lock")
        for copy in self.copies:
            target = source if copy.suffix == ".rs" else self.folder
            shutil.copyfile(copy, target / copy.name)
        (source / "main.rs").write_text(self.main)

    def _manifest(self) -> str:
        dependencies = "".join(f"{name} = {value}\n" for name, value in self.dependencies.items())
        return (
            f'[package]\nname = "{self.name}"\nversion = "0.0.0"\nedition = "2024"\n\n'
            f"[dependencies]\n{dependencies}\n[workspace]\n"
        )

    def build(self, profile: Profile) -> float:
        """Builds it and returns the seconds that took; raises ``BuildFailure``."""
        start = time.perf_counter()
        outcome = subprocess.run(
            ["cargo", "build", "--quiet", *profile.flags],
            cwd=self.folder,
            env=os.environ | {"CARGO_TARGET_DIR": str(BUILD), "CARGO_TERM_COLOR": "never"},
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - start
        (self.folder / "build.log").write_text(outcome.stderr)
        if outcome.returncode != 0:
            raise BuildFailure(outcome.stderr)
        return seconds

    def run(
        self, profile: Profile, *arguments: str, text: str = "", **environment: str
    ) -> list[list[str]]:
        """Runs it and returns the lines it prints, split at tabs; raises ``RunFailure``."""
        outcome = subprocess.run(
            [str(BUILD / profile.folder / self.name), *arguments],
            env=os.environ | environment,
            input=text,
            capture_output=True,
            text=True,
        )
        if outcome.returncode != 0:
            raise RunFailure(outcome.stderr)
        return [line.split("\t") for line in outcome.stdout.splitlines()]


def _path(folder: Path) -> str:
    return f'{{ path = "{Path(os.path.relpath(folder, WORK / "any")).as_posix()}" }}'


JOURDAIN = {"jourdain": _path(ROOT / "runtime")}

DEPENDENCIES = Project("dependencies", JOURDAIN, "fn main() {}\n")
"""Builds what every subject depends on, so that its time is not counted as the first one's."""

EXPANSION = Project(
    "expansion",
    {"jourdain-codegen": _path(ROOT / "macros" / "codegen"), "proc-macro2": '"1"'},
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
        return {f"frame_{k}": link for k, link in enumerate(self.case.robot.frames())}

    @property
    def item(self) -> str:
        """The struct and its description, without the derive."""
        robot = self.case.robot
        entries = [
            f"urdf = {_quoted(robot.path.name)}",
            f"base = {'floating' if robot.floating else 'fixed'}",
            f"mimic = {self.case.mimic.value}",
            *(["kernels(all)"] if self.case.complete else []),
            *(f"frame({name}, on = {_quoted(link)})" for name, link in self.frames.items()),
        ]
        lines = "".join(f"    {entry},\n" for entry in entries)
        return f"#[robot(\n{lines})]\npub struct Subject;\n"

    @property
    def project(self) -> Project:
        """The project that derives it."""
        name = re.sub("[^a-z0-9]+", "-", self.case.name.lower()).strip("-")
        more = "requested::record" if self.case.complete else "|_, _, _| {}"
        main = (
            f"//! {self.case.name}, as the comparison with Pinocchio describes it.\n\n"
            f"mod exchange;\n{'mod requested;' if self.case.complete else ''}\n\n"
            "use jourdain::prelude::*;\n\n"
            f"#[derive(Robot)]\n{self.item}\n"
            "fn main() -> Result<(), exchange::Failure> {\n"
            f"    exchange::run(Subject, {more})\n}}\n"
        )
        copies = (HERE / "exchange.rs", HERE / "requested.rs", self.case.robot.path)
        return Project(f"subject-{name}", JOURDAIN, main, copies)

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
