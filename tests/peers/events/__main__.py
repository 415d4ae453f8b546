"""Compares event times with those of Siconos (Debian's python3-siconos) under the same laws of impact.

A ball that bounces, a block that rocks without friction, and a block that sticks to a belt and slips:
here events are located to rounding, and Siconos steps over them by Moreau and Jean's scheme, so that
its times are wrong by a few steps.

Standard output is CSV with the largest difference of each scene and step, s. Exits with 1 if one is
larger than BOUND steps, and with 2 if Siconos can be neither found nor installed.
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

SCENES = ("bouncing_ball", "rocking_block", "stick_slip")
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4)
BOUND = 10.0
"""The largest difference, in steps: events come one after the other, and errors add up."""


def main() -> int:
    """Builds, runs and compares; returns the exit code."""
    argparse.ArgumentParser(
        prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    if not _siconos():
        print(f"no siconos.kernel: install {DEBIAN_PACKAGE}", file=sys.stderr)
        return 2
    crate = Project("events", JOURDAIN, (HERE / "events.rs").read_text())
    crate.write(anew=False)
    crate.build(RELEASE)
    corners = FOLDER / "corners.so"
    flags = ["-shared", "-fPIC", "-O2"]
    subprocess.run(["gcc", *flags, HERE / "corners.c", "-o", corners, "-lm"], check=True)
    print(",".join(["scene", "events", *(f"{h:g}" for h in STEPS)]))
    far = [scene for scene in SCENES if not _compare(scene, crate.executable(RELEASE))]
    for scene in far:
        print(f"{scene}: further than {BOUND:g} steps", file=sys.stderr)
    return 1 if far else 0


def _compare(scene: str, executable: Path) -> bool:
    """Prints the differences of a scene; whether they are as they should be."""
    located = _times([str(executable), scene])
    peers = [_times([PYTHON, str(HERE / "stepped.py"), scene, repr(h)]) for h in STEPS]
    if any(len(peer) < len(located) for peer in peers) or not located:
        return False
    pairs = [(np.array(located), np.array(peer[: len(located)])) for peer in peers]
    errors = [float(np.abs(ours - peer).max()) for ours, peer in pairs]
    numbers = ",".join(f"{error:.1e}" for error in errors)
    print(f"{scene},{len(located)},{numbers}", flush=True)
    return all(error <= BOUND * h for error, h in zip(errors, STEPS, strict=True))


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


def _times(command: list[str]) -> list[float]:
    """What a program prints; its libraries are looked for among what was built."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(FOLDER)}
    environment.pop("PYTHONPATH", None)
    outcome = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=FOLDER
    )
    if outcome.returncode:
        raise RuntimeError(outcome.stderr)
    return [float(line) for line in outcome.stdout.split()]


if __name__ == "__main__":
    sys.exit(main())
