"""Times generated kernels against the fastest function of Pinocchio 4.1.0 and MuJoCo 4.0.0.

The peers come from registry packages; Pinocchio, which is header-only, is compiled by clang, -O3
-march=native, and once more without AVX-512 where the processor has that. The robots of
example-robot-data are derived in cargo projects below target/peers/ and built by a plain `cargo build
--release`. What the programs compute is compared at one state. Then all run on one core in turns:
each round gives every kernel of every program a short time, so that a disturbance hits all, and the
figures are medians over the rounds of the median sample (timing.hpp) over 128 random states.

Standard output is CSV and then one line with the smallest ratios. ours_ns and peer_ns are times for
one state; ratio is peer_ns / ours_ns; ours_batch_ns is ours for one of eight states at once, where
the library has that; code_bytes is the kernel's machine code. joint_jacobians is kinematics with the
columns of all joints' Jacobians. The target folder keeps the CSV as peers/speed/speed.csv. All else
goes to standard error. Exits with 1 if the programs do not compute the same.
"""

from __future__ import annotations

import argparse
import sys

from check import BOUND, disagreements
from compiler import Build, compile_peers
from coordinates import random_states
from generated import Generated
from kernels import KERNELS, Kernel
from programs import Program, own_program, peer_program
from project import RELEASE, BuildFailure, keep_to_one_core
from report import Table, summary
from robots import FOLDER, SOURCES, prepare
from subject import DEPENDENCIES

STATES = 128
"""A power of two."""

SEED = 3
ROUNDS = 9
SECONDS = 0.05
"""Time for one kernel of one program in one round."""

QUICK_ROBOTS = ("ur5", "solo12")


def main() -> int:
    """Builds, compares, times and prints; returns the exit code."""
    options = _arguments()
    names = tuple(options.robot) or (QUICK_ROBOTS if options.quick else tuple(SOURCES))
    kernels = tuple(k for k in KERNELS if not options.kernel or k.name in options.kernel)
    known = {*SOURCES, *(kernel.name for kernel in KERNELS)}
    if unknown := {*names, *options.kernel} - known:
        print(f"unknown: {', '.join(unknown)}", file=sys.stderr)
        return 2
    try:
        builds = compile_peers(options.quick)
        generated = _build(names, kernels)
    except BuildFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    programs = {name: _programs(crate, builds) for name, crate in generated.items()}
    wrong = [line for own in programs.values() for line in disagreements(own)]
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    _say(f"all agree to {BOUND:.0e}")
    table = Table({name: crate.code_bytes() for name, crate in generated.items()})
    _time(programs, table, 1 if options.quick else ROUNDS)
    text = table.csv()
    (FOLDER / "speed.csv").write_text(text)
    print(text, end="")
    missing = [kernel.name for kernel in kernels if not kernel.inputs]
    print(summary(table, missing))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ", ".join(SOURCES)
    parser.add_argument("robot", nargs="*", help=f"some robots only, of {names}")
    parser.add_argument(
        "--kernel",
        action="append",
        default=[],
        help="some kernels only; large robots compile for minutes with all of them",
    )
    parser.add_argument(
        "--quick", action="store_true", help="one round, two robots: a test of this program"
    )
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _build(names: tuple[str, ...], kernels: tuple[Kernel, ...]) -> dict[str, Generated]:
    """The generated programs."""
    DEPENDENCIES.write(anew=False)
    DEPENDENCIES.build(RELEASE)
    generated = {}
    for name in names:
        generated[name] = Generated(prepare(name), kernels)
        _say(f"{name}: compiled in {generated[name].build():.1f} s")
    return generated


def _programs(crate: Generated, builds: list[Build]) -> list[Program]:
    """Ours first."""
    states = random_states(crate.joints, STATES, SEED)
    if crate.robot.floating:
        states[0].v[:3] = 0.0
    peers = [peer_program(build, crate, states) for build in builds]
    return [own_program(crate, states), *peers]


def _time(programs: dict[str, list[Program]], table: Table, rounds: int) -> None:
    core = keep_to_one_core()
    for turn in range(rounds):
        _say(f"round {turn + 1} of {rounds} on core {core}")
        for robot, rivals in programs.items():
            for program in rivals:
                table.add(robot, program.peer, program.times(SECONDS))


if __name__ == "__main__":
    sys.exit(main())
