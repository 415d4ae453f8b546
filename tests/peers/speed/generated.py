"""The generated crates: one for each robot, which derives it and times its kernels."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from catalogue import Feet
from coordinates import Joint
from kernels import Kernel
from project import JOURDAIN, RELEASE, Project
from robots import Robot

HERE = Path(__file__).resolve().parent

MANGLING = ("-C", "symbol-mangling-version=v0")
"""The names of functions then say of which kernel they are; the code is the same."""

FUSED = ("4Avx2", "8Binary64Kb1_")
"""The arithmetics of one state with fused multiply-add, as function names have them."""


@dataclass(frozen=True)
class Generated:
    """The crate of a robot."""

    robot: Robot
    kernels: tuple[Kernel, ...]
    """What is timed."""

    @property
    def timed(self) -> list[Kernel]:
        """The kernels that the robot has."""
        return [kernel for kernel in self.kernels if self.robot.feet or not kernel.held]

    @cached_property
    def project(self) -> Project:
        """Its project."""
        name, base = self.robot.name, "floating" if self.robot.floating else "fixed"
        calls = "".join(
            f'    session.time("{kernel.name}", |s, out| {kernel.one}, |s, out| {kernel.batch});\n'
            for kernel in self.timed
            if kernel.inputs
        )
        feet = self.robot.feet
        held = (
            "    let mut held = held::held(Subject);\n"
            "    let mut eights = held::Eights::new::<Subject>();\n"
            if feet
            else ""
        )
        families = ", ".join(kernel.family for kernel in self.kernels if kernel.family)
        asked = f", kernels({families})" if families else ""
        main = (
            f"//! {name}, timed.\n\n{'mod held;' if feet else ''}\nmod states;\nmod timing;\n\n"
            "use jourdain::kernel::{F64x8, Input, Number};\nuse jourdain::kernels;\n"
            "use jourdain::nalgebra::SMatrix;\nuse jourdain::prelude::*;\n"
            "use jourdain::quantities::Quantities;\nuse timing::{Failure, Session, poses};\n\n"
            f'#[derive(Robot)]\n#[robot(urdf = "{name}.urdf", base = {base}{asked}{_feet(feet)})]\n'
            "pub struct Subject;\n\n"
            "type Poses = SMatrix<f64, 12, { Subject::LINKS.len() }>;\n\n"
            "fn main() -> Result<(), Failure> {\n"
            "    let Some(session) = Session::<Subject>::new()? else { return Ok(()) };\n"
            f"{held}{calls}    Ok(())\n}}\n"
        )
        copies = (
            *(HERE / "timing.rs", HERE.parent / "states.rs", self.robot.path("urdf")),
            *([HERE / "held.rs"] if feet else []),
        )
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
        """The machine code of each kernel for one state, with fused multiply-add."""
        listing = subprocess.run(
            ["nm", "--print-size", self.executable], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        symbols = [line.split() for line in listing.splitlines()]
        sizes = [(fields[3], int(fields[1], 16)) for fields in symbols if len(fields) == 4]
        fused = [(name, size) for name, size in sizes if any(word in name for word in FUSED)]
        return {
            kernel.name: sum(size for name, size in fused if _mangled(kernel) in name)
            for kernel in self.timed
            if kernel.inputs
        }


def _feet(feet: Feet | None) -> str:
    """The feet as a description has them: frames with axes, and points."""
    entries = [
        f", frame(foot_{k}, on = {link}, held)" if feet.axes else f", contact(foot_{k}, on = {link})"
        for k, link in enumerate(feet.links if feet else ())
    ]
    return "".join(entries)


def _mangled(kernel: Kernel) -> str:
    """The type as it stands in a function's name: after its length."""
    name = f"Subject{kernel.type}"
    return f"{len(name)}{name}"
