"""The programs that simulate a scene: a generated one of ours for each, and MuJoCo's for all.

All have the command line of scene.hpp; each scene is written in the coordinates of the program.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import mujoco

from compiler import Build
from project import JOURDAIN, RELEASE, WORK, Project
from scenes import STEP, Scene

HERE = Path(__file__).resolve().parent

FOLDER = WORK / "contact"
"""Where scenes and results lie."""


@dataclass(frozen=True)
class Fact:
    """How a scene rests in a program's setting."""

    height: float
    """Of the base's origin, m."""
    force: float
    """The sum of normal forces, N, a mean over 50 ms."""
    contacts: int
    torque: float
    """The square root of the sum of squares of the servos' forces, N or N m."""


@dataclass(frozen=True)
class Time:
    """How long a step takes, nanoseconds."""

    median: float
    minimum: float
    contacts: float
    iterations: float


@dataclass(frozen=True)
class Result:
    """What a program printed."""

    facts: dict[str, Fact] = field(default_factory=dict)
    """By setting."""
    times: dict[tuple[str, str, str], Time] = field(default_factory=dict)
    """By setting, drive and start."""
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Simulator:
    """A program with a scene."""

    name: str
    command: tuple[str, ...]

    def run(self, seconds: float, *settings: str) -> Result:
        """Runs it for so long in each variant, of these settings if any are named."""
        command = [*self.command, str(seconds), *settings]
        outcome = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        result = Result()
        for line in outcome.stdout.splitlines():
            kind, setting, *fields = line.split("\t")
            if kind == "fact":
                height, force, contacts, torque = fields
                fact = Fact(float(height), float(force), int(contacts), float(torque))
                result.facts[setting] = fact
            elif kind == "time":
                drive, start, *numbers = fields
                result.times[setting, drive, start] = Time(*map(float, numbers))
            else:
                result.failures.append(f"{setting}: {', '.join(fields)}")
        return result


def project(scene: Scene) -> Project:
    """The crate that derives and simulates a scene."""
    main = (
        f"//! {scene.name}, simulated.\n\nmod simulation;\n\nuse jourdain::Robot;\n\n"
        f"#[derive(Robot, Clone, Copy, Debug)]\n#[robot(\n    {scene.attributes})]\n"
        "pub struct Subject;\n\n"
        "fn main() -> Result<(), simulation::Failure> {\n    simulation::run(&Subject)\n}\n"
    )
    copies = (HERE / "simulation.rs", *scene.copies)
    return Project(f"contact-{scene.name.replace('_', '-')}", JOURDAIN, main, copies)


def own_simulator(scene: Scene) -> Simulator:
    """Ours, which is built."""
    crate = project(scene)
    joints = {name: (int(q), int(v)) for name, q, v in crate.run(RELEASE, "describe")}
    base = [] if scene.turn is None else [0.0, 0.0, scene.height, *scene.turn]
    q = base + [0.0] * (len(joints) - bool(base))
    for name, angle in scene.posture.items():
        q[joints[name][0]] = angle
    # Of a robot all joints but its base have inputs; the base of a block has six.
    first = 6 if base and len(joints) > 1 else 0
    servos = [
        (joints[servo.joint][1] - first, *joints[servo.joint])
        if servo.joint
        else (servo.coordinate, 0, servo.coordinate)
        for servo in scene.servos
    ]
    path = _write(scene, "ours", q, servos)
    return Simulator("ours", (str(crate.executable(RELEASE)), str(path)))


def mujoco_simulator(scene: Scene, build: Build) -> Simulator:
    """MuJoCo's."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    model = scene.spec.compile()
    binary = FOLDER / f"{scene.name}.mjb"
    mujoco.mj_saveModel(model, str(binary))
    q = [0.0] * model.nq
    if scene.turn is not None:
        x, y, z, w = scene.turn
        q[:7] = [0.0, 0.0, scene.height, w, x, y, z]
    for name, angle in scene.posture.items():
        q[model.joint(name).qposadr[0]] = angle
    servos = []
    for servo in scene.servos:
        v = model.joint(servo.joint).dofadr[0] if servo.joint else servo.coordinate
        servos.append((v, model.joint(servo.joint).qposadr[0] if servo.joint else 0, v))
    path = _write(scene, "mujoco", q, servos)
    return Simulator("mujoco", (str(build.executable), str(binary), str(path)))


def weight(scene: Scene) -> float:
    """m g, N."""
    model = scene.spec.compile()
    return float(-sum(model.body_mass) * model.opt.gravity[2])


def _write(scene: Scene, program: str, q: list[float], places: list[tuple[int, int, int]]) -> Path:
    """The file of a scene; ``places`` are output, q and v of each servo."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    head = f"{STEP} {scene.kick} {scene.settling} {len(q)} {len(places)} {int(scene.motors)}"
    lines = [head, " ".join(map(repr, q))]
    for (output, at, v), s in zip(places, scene.servos, strict=True):
        law = f"{s.stiffness} {s.damping} {s.rest} {s.ripple} {s.shift} {s.effort}"
        lines.append(f"{output} {at} {v} {law}")
    path = FOLDER / f"{scene.name}.{program}.scene"
    path.write_text("\n".join(lines) + "\n")
    return path
