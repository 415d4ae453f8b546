"""Times the compilation of a crate that has one generated robot and calls every kernel of it on one
`f64` state: an arm, a quadruped and a humanoid of example-robot-data, described with the kernels that
every robot has and with `kernels(all)`.

What the crate depends on is built before; cargo's own caches of the crate are removed, so that all of
it is compiled: expansion by the unoptimised macro, rustc, linking. Standard output is CSV with the
seconds of an ordinary `cargo build` and `cargo build --release`, the seconds of processor time behind
each (more than the first where both cores compile, and a figure to compare by on a busy machine), and
the memory of the largest process. Exits with 1 if a budget is exceeded; the budget holds for two cores.

A second table is of simulations: the seconds that a build takes on one core after `main.rs` was touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

import rebuilds
from project import BUILD, DEVELOPMENT, JOURDAIN, RELEASE, BuildFailure, Profile, Project
from robots import Robot, prepare
from subject import DEPENDENCIES

MEMORY = 2.0
"""Gigabytes that a compiler may take."""

BUDGETS = {
    ("panda", "default"): (3.0, 5.0),
    ("panda", "all"): (3.0, 5.0),
    ("solo12", "default"): (6.0, 12.0),
    ("solo12", "all"): (6.0, 12.0),
    ("talos_38", "default"): (10.0, 15.0),
    ("talos_38", "all"): (25.0, 45.0),
}
"""Seconds for a development and for a release build."""

QUANTITIES = """
    MassMatrix CoriolisMatrix GravityForce BiasForce InverseDynamics ForwardDynamics KineticEnergy
    PotentialEnergy CenterOfMass Momentum PassiveForce InputMatrix LinkPoses Gap ContactJacobian
    ContactBias ContactPoints ContactParameters Constraint ConstraintRate ConstraintJacobian
    ConstraintBias ConstraintPoints ConstraintParameters CoordinateParameters Requirements
""".split()
"""The kernels of every robot."""

FAMILIES = {
    "InverseDynamicsDerivatives": ("InverseDynamicsDerivatives",),
    "ForwardDynamicsDerivatives": ("ForwardDynamicsDerivatives",),
    "InverseMassMatrix": ("InverseMassMatrix",),
    "MassMatrixRate": ("MassMatrixRate",),
    "Centroidal": ("CentroidalMatrix", "CentroidalBias", "CentroidalInertia"),
    "JointJacobians": ("JointJacobians",),
    "Regressor": ("TorqueRegressor", "EnergyRegressor", "InertialParameters"),
    "FieldDerivatives": ("FieldDerivatives",),
}
"""The kernels of `kernels(all)`, by the traits that they belong to."""


@dataclass(frozen=True)
class Outcome:
    """What a build took."""

    seconds: float
    processor: float
    """Seconds of all processes together."""
    gigabytes: float
    """Of the largest process."""


def main() -> int:
    """Builds and prints; returns the exit code."""
    options = _arguments()
    chosen = [
        (robot, kernels)
        for robot, kernels in BUDGETS
        if robot in (options.robot or [robot]) and kernels in (options.set or [kernels])
    ]
    profiles = (DEVELOPMENT, RELEASE)
    DEPENDENCIES.write(anew=False)
    for profile in profiles:
        DEPENDENCIES.build(profile)
    print("robot,set,dev_s,dev_cpu_s,release_s,release_cpu_s,memory_gb", flush=True)
    exceeded = []
    for case in chosen:
        project = _project(prepare(case[0]), case[1])
        try:
            outcomes = [_build(project, profile) for profile in profiles]
        except BuildFailure as failure:
            print(failure, file=sys.stderr)
            return 1
        times = [f"{o.seconds:.1f},{o.processor:.1f}" for o in outcomes]
        memory = max(o.gigabytes for o in outcomes)
        print(",".join([*case, *times, f"{memory:.2f}"]), flush=True)
        within = (o.seconds <= limit for o, limit in zip(outcomes, BUDGETS[case], strict=True))
        if not all(within) or memory > MEMORY:
            exceeded.append(" ".join(case))
    if not (options.robot or options.set):
        print(flush=True)
        try:
            exceeded += rebuilds.table()
        except BuildFailure as failure:
            print(failure, file=sys.stderr)
            return 1
    if exceeded:
        print(f"over budget: {', '.join(exceeded)}", file=sys.stderr)
    return 1 if exceeded else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="compile.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    robots = list(dict.fromkeys(robot for robot, _ in BUDGETS))
    parser.add_argument("robot", nargs="*", help=f"some robots only, of {', '.join(robots)}")
    parser.add_argument("--set", action="append", choices=("default", "all"), help="one set only")
    return parser.parse_args()


def _project(robot: Robot, kernels: str) -> Project:
    """The crate: the robot, and a call of each kernel."""
    complete = kernels == "all"
    paths = [f"Quantities>::{name}" for name in QUANTITIES]
    if complete:
        paths += [f"{t}>::{name}Kernel" for t, names in FAMILIES.items() for name in names]
    calls = "".join(f"    evaluate::<<Subject as {path}>(&input, &mut out);\n" for path in paths)
    traits = ", ".join(FAMILIES)
    base = "floating" if robot.floating else "fixed"
    main = (
        f"//! {robot.name} with a call of each kernel of one state.\n\n"
        "use std::hint::black_box;\n\nuse jourdain::kernel::{Input, evaluate};\n"
        f"{f'use jourdain::kernels::{{{traits}}};' if complete else ''}\n"
        "use jourdain::prelude::*;\nuse jourdain::quantities::Quantities;\n\n"
        f'#[derive(Robot)]\n#[robot(urdf = "{robot.name}.urdf", base = {base}'
        f"{', kernels(all)' if complete else ''})]\npub struct Subject;\n\n"
        "fn main() {\n    let numbers = black_box(vec![0.0; 100]);\n"
        "    let (q, v) = (&numbers[..Subject::NQ], &numbers[..Subject::NV]);\n"
        "    let input = Input { q, v, a: v, t: &v[..1], ..Input::default() };\n"
        "    let mut out = black_box(vec![0.0; 100_000]);\n"
        f"{calls}    black_box(out);\n}}\n"
    )
    return Project(f"compile-{robot.name}-{kernels}", JOURDAIN, main, (robot.path("urdf"),))


def _build(project: Project, profile: Profile) -> Outcome:
    """All of the crate anew, with cargo's defaults; raises ``BuildFailure``."""
    project.write()
    crate = project.name.replace("-", "_")
    for cache in (BUILD / profile.folder / "incremental").glob(f"{crate}-*"):
        shutil.rmtree(cache)
    start = time.perf_counter()
    with (project.folder / "build.log").open("w+") as log:
        cargo = subprocess.Popen(
            ["cargo", "build", "--quiet", *profile.flags],
            cwd=project.folder,
            env=os.environ | {"CARGO_TARGET_DIR": str(BUILD), "CARGO_TERM_COLOR": "never"},
            stderr=log,
        )
        _, status, usage = os.wait4(cargo.pid, 0)
        seconds = time.perf_counter() - start
        if status != 0:
            log.seek(0)
            raise BuildFailure(log.read())
    return Outcome(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20)


if __name__ == "__main__":
    sys.exit(main())
