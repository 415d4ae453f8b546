"""Drake's simulator of a scene, in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import venv

from blocks import HALF, MASS
from project import WORK
from scenes import STEP, Scene
from simulators import FOLDER, HERE, Simulator

REQUIREMENT = "drake==1.51.1"
ENVIRONMENT = WORK / "drake"


def install() -> None:
    """Makes the environment, if there is none with this version."""
    done = ENVIRONMENT / "requirement.txt"
    if done.exists() and done.read_text() == REQUIREMENT:
        return
    print(f"installing {REQUIREMENT}", file=sys.stderr)
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    options = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([_python(), "-m", "pip", "install", *options, REQUIREMENT], check=True)
    done.write_text(REQUIREMENT)


def simulator(scene: Scene) -> Simulator:
    """Drake's, of a scene whose contacts are spheres: two solids touch at one point there."""
    servos = [(s.joint, s.stiffness, s.damping, s.rest) for s in scene.servos if s.joint]
    numbers = {
        "step": STEP,
        "kick": scene.kick,
        "settling": scene.settling,
        "urdf": next(map(str, scene.copies), None),
        "edge": 2.0 * HALF,
        "mass": MASS,
        "balls": scene.balls,
        "friction": scene.friction,
        "height": scene.height,
        "posture": scene.posture,
        "servos": servos,
    }
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{scene.name}.json"
    path.write_text(json.dumps(numbers))
    return Simulator("drake", (_python(), str(HERE / "tamsi.py"), str(path)))


def _python() -> str:
    return str(ENVIRONMENT / "bin" / "python")
