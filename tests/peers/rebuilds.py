"""Times what a user of a simulation waits for after a change: a build of a crate with one robot and its
simulation, where everything that it depends on is built and its `main.rs` was touched.

On one core. LLVM's lines are those of the unoptimised program that a release build hands on, whichever
machine builds it.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from project import BUILD, DEVELOPMENT, JOURDAIN, RELEASE, ROOT, BuildFailure, Profile, Project

TURNS = 3
"""Of which the fastest counts."""

FIVE = 2.5
"""The largest ratio of the time of all five simulations to that of one."""

ACROBOT = """\
#[robot(
    link(upper, mass = 1, com = [0, 0, -0.5]),
    joint(shoulder, revolute(world -> upper), at = [0, 0, 1.5], axis = [0, 1, 0]),
    link(lower, mass = 1, com = [0, 0, -0.5]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -1], axis = [0, 1, 0], actuated),
    contact(tip, on = lower, at = [0, 0, -1], friction = 0.5),
)]"""

SIMULATIONS = """\
    let mut compliant = CompliantSimulation::new(Subject)?;
    compliant.run(0.1, |_: &State<Subject>| SVector::zeros())?;
    let mut hybrid = HybridSimulation::new(Subject)?;
    hybrid.run(0.1, |_: &State<Subject>| SVector::zeros())?;
    let mut variational = Variational::new(Subject)?;
    variational.run(0.1, |_: &State<Subject>| SVector::zeros())?;
    let mut smooth = SmoothSimulation::new(Subject)?;
    smooth.run(0.1, |_: &State<Subject>| SVector::zeros())?;
"""
"""Those beside time stepping."""


@dataclass(frozen=True)
class Crate:
    """A robot with its simulations, and the seconds that a release and a development build may take."""

    name: str
    attribute: str
    urdf: Path | None
    budget: tuple[float, float] = (float("inf"), float("inf"))
    simulations: str = ""

    def project(self) -> Project:
        """The crate."""
        main = (
            f"//! {self.name}\n\nuse jourdain::prelude::*;\nuse jourdain::*;\nuse nalgebra::SVector;\n\n"
            f"#[derive(Robot, Clone, Copy, Debug)]\n{self.attribute}\nstruct Subject;\n\n"
            "fn main() -> Result<(), Box<dyn std::error::Error>> {\n"
            "    let mut simulation = Simulation::new(Subject)?;\n"
            "    let report = simulation.run(0.1, |_: &State<Subject>| SVector::zeros())?;\n"
            f"{self.simulations}"
            '    println!("{report:?} {}", simulation.current().time);\n    Ok(())\n}\n'
        )
        copies = () if self.urdf is None else (self.urdf,)
        needs = JOURDAIN | {"nalgebra": '"*"'}
        return Project(f"rebuild-{self.name.replace(' ', '-')}", needs, main, copies)


def crates() -> list[Crate]:
    """Those that are timed."""
    solo12, g1 = _of_model("solo12"), _of_model("g1")
    return [
        Crate("acrobot", ACROBOT, None, (3.0, 1.0)),
        Crate("solo12", *solo12, (10.0, 1.5)),
        Crate("g1", *g1, (22.0, 4.0)),
        Crate("solo12 all five", *solo12, simulations=SIMULATIONS),
    ]


def table() -> list[str]:
    """Prints a line for each; returns those over their budget."""
    print("crate,release_s,dev_s,llvm_lines", flush=True)
    exceeded, times = [], {}
    for crate in crates():
        project = crate.project()
        project.write()
        release, dev = (_rebuild(project, profile) for profile in (RELEASE, DEVELOPMENT))
        print(f"{crate.name},{release:.2f},{dev:.2f},{_lines(project)}", flush=True)
        times[crate.name] = release
        if release > crate.budget[0] or dev > crate.budget[1]:
            exceeded.append(crate.name)
    if times["solo12 all five"] > FIVE * times["solo12"]:
        exceeded.append("solo12 all five")
    return exceeded


def _of_model(name: str) -> tuple[str, Path]:
    """The attribute of one of the workspace's models, without its frames, and its URDF."""
    source = (ROOT / "models" / "src" / f"{name}.rs").read_text()
    attribute = re.search(r"^#\[robot\(.*?^\)\]", source, re.M | re.S)
    if attribute is None:
        raise BuildFailure(f"{name} has no attribute")
    lines = [line for line in attribute[0].splitlines() if not line.strip().startswith("frame(")]
    text = "\n".join(lines).replace("urdf/", "")
    return text, ROOT / "models" / "urdf" / f"{name}.urdf"


def _rebuild(project: Project, profile: Profile) -> float:
    """Seconds of a build after a touch, the least of some; raises ``BuildFailure``."""
    _cargo(project, "build", *profile.flags)
    least = float("inf")
    for _ in range(TURNS):
        (project.folder / "src" / "main.rs").touch()
        start = time.perf_counter()
        _cargo(project, "build", *profile.flags)
        least = min(least, time.perf_counter() - start)
    return least


def _lines(project: Project) -> int:
    """Lines of LLVM's language."""
    passes = ["-Cno-prepopulate-passes", "-Cpasses=name-anon-globals", "-Ccodegen-units=1"]
    output = project.folder / "lines.ll"
    (project.folder / "src" / "main.rs").touch()
    _cargo(project, "rustc", "--release", "--", f"--emit=llvm-ir={output}", *passes)
    return output.read_text().count("\n")


def _cargo(project: Project, *arguments: str) -> None:
    core = min(os.sched_getaffinity(0))
    outcome = subprocess.run(
        ["cargo", arguments[0], "--quiet", *arguments[1:]],
        cwd=project.folder,
        env=os.environ | {"CARGO_TARGET_DIR": str(BUILD), "CARGO_TERM_COLOR": "never"},
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    if outcome.returncode != 0:
        raise BuildFailure(outcome.stderr)
