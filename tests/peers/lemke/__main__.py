"""Times Lemke's method against that of Siconos (Debian's libsiconos-numerics) on identical
matrices.

Random problems, positive definite ones and steps with friction, are written to files; both
programs solve them cold, in turns on one core, and the residuals of both are computed. What the
call costs for a problem whose solution is zero is subtracted from both. Ours has the check of its
solution in it.

Standard output is CSV; ratio is Siconos' median by ours. All else goes to standard error. Exits
with 1 if one of our solutions fails, and with 2 if Siconos can be neither found nor installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from compiler import FLAGS, Build, built
from problems import KINDS
from project import JOURDAIN, RELEASE, WORK, BuildFailure, Project, keep_to_one_core
from subject import DEPENDENCIES

HERE = Path(__file__).resolve().parent
FOLDER = WORK / "lemke"
HEADER = Path("/usr/include/siconos/numerics/LCP_Solvers.h")
DEBIAN_PACKAGE = "libsiconos-numerics-dev"

FOLDERS = ("/usr/include/siconos", "/usr/include/siconos/numerics")
FLAGS["siconos"] = ["-std=c++17", *(f"-isystem{f}" for f in FOLDERS), "-lsiconos_numerics"]

SEED = 1
PROBLEMS = 8
ROUNDS = 5
SECONDS = 0.3
RESIDUAL = 1e-9
COLUMNS = "kind,n,ours_ns,ours_minimum_ns,siconos_ns,siconos_minimum_ns,ratio,ours_unsolved,"
COLUMNS += "siconos_unsolved,ours_residual,siconos_residual"


@dataclass(frozen=True)
class Outcome:
    """What a program said of the problems of a file."""

    median: float
    """Nanoseconds of a solution, the call's own cost subtracted."""
    minimum: float
    unsolved: int
    residual: float
    """The largest |min(z, M z + q)| by the largest |q|, of what is solved."""


def main() -> int:
    """Builds, times and prints; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="one round with the smallest problems")
    quick = parser.parse_args().quick
    if not _siconos():
        print(f"no {HEADER}: install {DEBIAN_PACKAGE}", file=sys.stderr)
        return 2
    try:
        programs = [_own(), built(Build("siconos", source=HERE))[0].executable]
    except BuildFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    core = keep_to_one_core()
    print(COLUMNS)
    solved = True
    for kind, (_, sizes) in KINDS.items():
        for size in sizes[:1] if quick else sizes:
            ours, peer = _compare(programs, kind, size, 1 if quick else ROUNDS)
            solved &= ours.unsolved == 0 and ours.residual <= RESIDUAL
            print(_row(kind, size, ours, peer), flush=True)
    return 0 if solved else 1


def _siconos() -> bool:
    """Whether it is there, or could be installed."""
    if not HEADER.exists() and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {DEBIAN_PACKAGE}", file=sys.stderr)
        for arguments in (["update"], ["install", "--yes", DEBIAN_PACKAGE]):
            subprocess.run(["apt-get", "--quiet", *arguments], stdout=sys.stderr, check=False)
    return HEADER.exists()


def _own() -> Path:
    """Our program, built."""
    DEPENDENCIES.write(anew=False)
    DEPENDENCIES.build(RELEASE)
    crate = Project("lemke", JOURDAIN, (HERE / "lemke.rs").read_text())
    crate.write(anew=False)
    crate.build(RELEASE)
    return crate.executable(RELEASE)


def _compare(programs: list[Path], kind: str, size: int, count: int) -> list[Outcome]:
    """Both on the same problems, in turns."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{kind.replace(' ', '_')}_{size}.problems"
    make, _ = KINDS[kind]
    rng = np.random.default_rng(SEED)
    problems = [make(size, rng) for _ in range(PROBLEMS)]
    numbers = [part for m, q in problems for part in (m.ravel(order="F"), q)]
    np.concatenate(numbers).astype("<f8").tofile(path)
    rounds: list[list[Outcome]] = [[], []]
    for _ in range(count):
        for program, outcomes in zip(programs, rounds, strict=True):
            outcomes.append(_run(program, path, size))
    return [_over_rounds(outcomes) for outcomes in rounds]


def _run(program: Path, path: Path, size: int) -> Outcome:
    command = [str(program), str(path), str(size), str(SECONDS)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    middle, least, call, least_call, unsolved, residual = output.split("\t")
    times = float(middle) - float(call), float(least) - float(least_call)
    return Outcome(*times, int(unsolved), float(residual))


def _over_rounds(outcomes: list[Outcome]) -> Outcome:
    middle = median(outcome.median for outcome in outcomes)
    least = min(outcome.minimum for outcome in outcomes)
    return Outcome(middle, least, outcomes[0].unsolved, outcomes[0].residual)


def _row(kind: str, size: int, ours: Outcome, peer: Outcome) -> str:
    times = ",".join(f"{x:.0f}" for x in (ours.median, ours.minimum, peer.median, peer.minimum))
    ratio = peer.median / ours.median
    quality = f"{ours.unsolved},{peer.unsolved},{ours.residual:.1e},{peer.residual:.1e}"
    return f"{kind},{size},{times},{ratio:.2f},{quality}"


if __name__ == "__main__":
    sys.exit(main())
