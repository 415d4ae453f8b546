"""Compares event times with those of Siconos (Debian's python3-siconos) under the same laws of impact.

A ball that bounces, a block that rocks by friction, and a block that sticks to a belt and slips, each
from several starts: here events are located to rounding, and Siconos steps over them by Moreau and
Jean's scheme, so that its times are wrong in proportion to its steps.

Standard output is CSV with the mean difference of each scene and step, s, and the order in the step that
is fitted to them. Exits with 1 if one is below LEAST_ORDER, or if Siconos saw other events, and with 2 if
it can be neither found nor installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from project import JOURDAIN, RELEASE, WORK, Project

HERE = Path(__file__).resolve().parent
FOLDER = WORK / "events"
PYTHON = "/usr/bin/python3"
DEBIAN_PACKAGE = "python3-siconos"

SCENES = {
    "bouncing_ball": (1.0, 1.05, 1.1, 1.15, 1.2),
    "rocking_block": (0.08, 0.09, 0.1, 0.11, 0.12),
    "stick_slip": (1.0, 1.1, 1.2, 1.3, 1.4),
}
"""The starts of each: a height, m, an angle, rad, and a displacement, m."""

STEPS = tuple(2e-3 * 0.6**k for k in range(8))
SAMPLE = 5
"""How many of the steps a sample has, the longest ones."""
LEAST_ORDER = 0.9


def main() -> int:
    """Builds, runs and compares; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", action="store_true", help=f"only the {SAMPLE} longest steps")
    steps = STEPS[:SAMPLE] if parser.parse_args().sample else STEPS
    if not _siconos():
        print(f"no siconos.kernel: install {DEBIAN_PACKAGE}", file=sys.stderr)
        return 2
    crate = Project("events", JOURDAIN, (HERE / "events.rs").read_text())
    crate.write(anew=False)
    crate.build(RELEASE)
    corners = FOLDER / "corners.so"
    flags = ["-shared", "-fPIC", "-O2"]
    subprocess.run(["gcc", *flags, HERE / "corners.c", "-o", corners, "-lm"], check=True)
    print(",".join(["scene", "events", *(f"{h:.3g}" for h in steps), "order"]))
    failed = [scene for scene in SCENES if not _compare(scene, crate.executable(RELEASE), steps)]
    for scene in failed:
        print(f"{scene}: other events, or an order below {LEAST_ORDER}", file=sys.stderr)
    return 1 if failed else 0


def _compare(scene: str, executable: Path, steps: tuple[float, ...]) -> bool:
    """Prints the differences of a scene and their order; whether it is as it should be."""
    starts = [repr(start) for start in SCENES[scene]]
    located = [np.array(_lines([str(executable), scene, start])).ravel() for start in starts]
    differences = []
    for h in steps:
        peers = _lines([PYTHON, str(HERE / "stepped.py"), scene, repr(h), *starts])
        pairs = list(zip(located, peers, strict=True))
        if any(len(ours) == 0 or len(peer) < len(ours) for ours, peer in pairs):
            return False
        apart = [np.abs(ours - peer[: len(ours)]) for ours, peer in pairs]
        differences.append(float(np.concatenate(apart).mean()))
    order = float(np.polyfit(np.log(steps), np.log(differences), 1)[0])
    numbers = ",".join(f"{difference:.1e}" for difference in differences)
    print(f"{scene},{sum(map(len, located))},{numbers},{order:.2f}", flush=True)
    return order >= LEAST_ORDER


def _siconos() -> bool:
    """Whether it is there, or could be installed."""
    if not _imports() and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {DEBIAN_PACKAGE}", file=sys.stderr)
        for arguments in (["update"], ["install", "--yes", DEBIAN_PACKAGE]):
            subprocess.run(["apt-get", "--quiet", *arguments], stdout=sys.stderr, check=False)
    return _imports()


def _imports() -> bool:
    command = [PYTHON, "-c", "import siconos.kernel"]
    return Path(PYTHON).exists() and subprocess.run(command, capture_output=True).returncode == 0


def _lines(command: list[str]) -> list[list[float]]:
    """The numbers on each line that a program prints; its libraries are looked for among what was built."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(FOLDER)}
    environment.pop("PYTHONPATH", None)
    outcome = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=FOLDER
    )
    if outcome.returncode:
        raise RuntimeError(outcome.stderr)
    return [list(map(float, line.split())) for line in outcome.stdout.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
