"""The generated crates: one for each robot, which derives it and times its kernels."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from coordinates import Joint
from kernels import KERNELS
from project import JOURDAIN, RELEASE, Project
from robots import Robot

HERE = Path(__file__).resolve().parent

MANGLING = ("-C", "symbol-mangling-version=v0")
"""The names of functions then say of which kernel they are; the code is the same."""


@dataclass(frozen=True)
class Generated:
    """The crate of a robot."""

    robot: Robot

    @cached_property
    def project(self) -> Project:
        """Its project."""
        name, base = self.robot.name, "floating" if self.robot.floating else "fixed"
        calls = "".join(
            f'    session.one("{kernel.name}", |s, out| {kernel.call});\n'
            for kernel in KERNELS
            if kernel.call
        )
        families = ", ".join(kernel.family for kernel in KERNELS if kernel.family)
        main = (
            f"//! {name}, timed.\n\nmod states;\nmod timing;\n\n"
            "use jourdain::nalgebra::SMatrix;\nuse jourdain::prelude::*;\n"
            "use timing::{Failure, Session, link_poses};\n\n"
            f'#[derive(Robot)]\n#[robot(urdf = "{name}.urdf", base = {base}, kernels({families}))]\n'
            "pub struct Subject;\n\n"
            "type Poses = SMatrix<f64, 12, { Subject::LINKS.len() }>;\n\n"
            "fn main() -> Result<(), Failure> {\n"
            "    let Some(session) = Session::<Subject>::new()? else { return Ok(()) };\n"
            f"{calls}    Ok(())\n}}\n"
        )
        copies = (HERE / "timing.rs", HERE.parent / "states.rs", self.robot.path("urdf"))
        return Project(f"speed-{name}", JOURDAIN, main, copies)

    @property
    def executable(self) -> Path:
        """Its program."""
        return self.project.executable(RELEASE)

    def build(self) -> float:
        """Builds it and returns the seconds that took."""
        self.project.write(anew=False)
        return self.project.build(RELEASE, *MANGLING)

    @cached_property
    def _facts(self) -> list[list[str]]:
        return self.project.run(RELEASE, "describe")

    @property
    def joints(self) -> list[Joint]:
        """Its joints, in the order of its coordinates."""
        lines = [fields for kind, *fields in self._facts if kind == "joint"]
        return [Joint(name, family, *map(int, numbers)) for name, family, *numbers in lines]

    @property
    def links(self) -> list[str]:
        """Its links."""
        return [fields[0] for kind, *fields in self._facts if kind == "link"]

    @property
    def bodies(self) -> list[str]:
        """The links that moving bodies are named after."""
        return [fields[0] for kind, *fields in self._facts if kind == "body"]

    def code_bytes(self) -> dict[str, int]:
        """The machine code of each kernel, all levels but the plain one together."""
        listing = subprocess.run(
            ["nm", "--print-size", self.executable], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        symbols = [line.split() for line in listing.splitlines()]
        sizes = [(fields[3], int(fields[1], 16)) for fields in symbols if len(fields) == 4]
        sizes = [(name, size) for name, size in sizes if "6kernel5plain" not in name]
        return {
            kernel.name: sum(size for name, size in sizes if f"Subject{kernel.type}E" in name)
            for kernel in KERNELS
            if kernel.call
        }
