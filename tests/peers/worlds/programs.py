"""The programs that simulate worlds: one of ours, with all robots, and one of MuJoCo's.

    ours SCENE LIMIT
    mujoco MODEL SCENE LIMIT TOLERANCE

simulate a scene in each of their settings, ours twice. What ours reads is, line by line,

    STEP STEPS FRICTION LOOK...
    robot NAME KIND
    X Y Z QX QY QZ QW VX VY VZ                       of a floating base
    JOINT START STIFFNESS DAMPING EFFORT TIME TARGET TIME TARGET...
    body NAME DENSITY X Y Z QX QY QZ QW KIND SIZE...  the density is zero of what stands still

with underscores for blanks in names. MuJoCo's is

    STEPS NQ NV SERVOS LOOKS LOOK... q v
    Q V STIFFNESS DAMPING EFFORT COUNT TIME TARGET...

They print, fields separated by tabs, for each setting

    state SETTING STEP q                              before each step in LOOK, and at the end
    run SETTING ALL LAST STEPS POINTS RESIDUAL PENETRATION ITERATIONS ERROR
    same SETTING yes|no

ALL and LAST are ms a step, of all steps and of the last fifth, POINTS those that press at the end,
RESIDUAL and PENETRATION the largest of all steps, ITERATIONS a mean of a step, ERROR what ended it,
or `-`. LIMIT is the seconds after which a run is stopped.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np

from compiler import Build
from model import FOLDER, describe, model
from project import JOURDAIN, RELEASE, Project
from scenes import STEP
from things import Kind, Part, Robot, Scene, Thing, Values

HERE = Path(__file__).resolve().parent

OURS, MUJOCO = "ours", "mujoco"


@dataclass(frozen=True)
class Run:
    """What a run took."""

    all: float
    """ms a step."""
    last: float
    """The same, of the last fifth."""
    steps: int
    points: int
    residual: float
    penetration: float
    """m."""
    iterations: float
    error: str | None


@dataclass
class Outcome:
    """What a program printed of a setting."""

    runs: list[Run] = field(default_factory=list)
    same: bool = True
    """Whether all runs end in the same bits."""
    states: list[list[float]] = field(default_factory=list)

    def join(self, other: Outcome) -> None:
        """Adds another round, which has to end alike."""
        self.runs += other.runs
        self.same = self.same and other.same and self.states == other.states


@dataclass(frozen=True)
class Program:
    """A program with a scene."""

    name: str
    command: tuple[str, ...]
    places: dict[str, tuple[int, int]]
    """Of each body, base and joint, where its numbers begin in a state, and how many they are."""
    more: tuple[str, ...] = ()
    """What else it is told."""

    def run(self, limit: float) -> dict[str, Outcome]:
        """By setting."""
        command = [*self.command, str(limit), *self.more]
        outcome = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        results: dict[str, Outcome] = {}
        for line in outcome.stdout.splitlines():
            kind, setting, *fields = line.split("\t")
            result = results.setdefault(setting, Outcome())
            if kind == "state":
                result.states.append(list(map(float, fields[1].split())))
            elif kind == "same":
                result.same = result.same and fields == ["yes"]
            else:
                times, counts, rest = fields[:2], fields[2:4], fields[4:7]
                error = None if fields[7] == "-" else fields[7]
                numbers = (*map(float, times), *map(int, counts), *map(float, rest))
                result.runs.append(Run(*numbers, error))
        return results

    def values(self, state: list[float]) -> Values:
        """A state by names."""
        values = {}
        for name, (first, count) in self.places.items():
            of = np.array(state[first : first + count])
            # MuJoCo has the scalar of a quaternion first.
            values[name] = of[[0, 1, 2, 4, 5, 6, 3]] if count == 7 and self.name == MUJOCO else of
        return values


def project(kinds: list[Kind]) -> Project:
    """The crate that derives all robots and simulates every scene."""
    items = "\n".join(map(_item, kinds))
    arms = "".join(
        f'        "{kind.name}" => filled.add({kind.name}, name, lines),\n' for kind in kinds
    )
    main = (
        "//! Worlds, simulated.\n\nmod simulation;\n\nuse jourdain::Robot;\n"
        f"use simulation::{{Failure, Filled, Words}};\n\n{items}\n"
        "fn add(\n    filled: &mut Filled,\n    kind: &str,\n    name: String,\n"
        "    lines: &mut dyn Iterator<Item = Words<'_>>,\n) -> Result<(), Failure> {\n"
        f'    match kind {{\n{arms}        _ => Err("no such robot".into()),\n    }}\n}}\n\n'
        "fn main() -> Result<(), Failure> {\n    simulation::run(add)\n}\n"
    )
    for kind in kinds:
        describe(kind)
    files = tuple(FOLDER / kind.urdf.name for kind in kinds)
    return Project("worlds-simulation", JOURDAIN, main, (HERE / "simulation.rs", *files))


def _item(kind: Kind) -> str:
    surface = f"friction = {kind.friction}"
    entries = [f'urdf = "{kind.urdf.name}"', f"base = {'floating' if kind.floating else 'fixed'}"]
    entries += [f"shape(part_{k}, {_solid(part)}, {surface})" for k, part in enumerate(kind.parts)]
    entries += [f"contact(foot_{k}, {_solid(part)}, {surface})" for k, part in enumerate(kind.feet)]
    lines = "".join(f"    {entry},\n" for entry in entries)
    return f"#[derive(Robot, Clone, Copy, Debug)]\n#[robot(\n{lines})]\npub struct {kind.name};\n"


def _solid(part: Part) -> str:
    sizes = part.solid.sizes
    solid = f"{part.solid.kind} = {sizes[0] if len(sizes) == 1 else list(sizes)}"
    return f"on = {part.link}, {solid}, at = {list(part.at)}, rpy = {list(part.rpy)}"


def own_program(scene: Scene, crate: Project) -> Program:
    """Ours, which is built."""
    looks = " ".join(str(round(time / STEP)) for time in _looks(scene))
    lines = [f"{STEP} {round(scene.duration / STEP)} {scene.friction} {looks}"]
    places, first = {}, 0
    for robot in scene.robots:
        lines += _robot(robot)
        names = ["base"] if robot.kind.floating else []
        for name in names + [servo.joint for servo in robot.servos]:
            count = 7 if name == "base" else 1
            places[f"{robot.name} {name}"] = (first, count)
            first += count
    for thing in scene.things:
        lines.append(_thing(thing))
    for thing in scene.free:
        places[thing.name] = (first, 7)
        first += 7
    path = FOLDER / f"{scene.name}.ours.scene"
    path.write_text("\n".join(lines) + "\n")
    return Program(OURS, (str(crate.executable(RELEASE)), str(path)), places)


def _looks(scene: Scene) -> tuple[float, ...]:
    return (0.0, *scene.looks)


def _robot(robot: Robot) -> list[str]:
    lines = [f"robot {_word(robot.name)} {robot.kind.name}"]
    if robot.kind.floating:
        lines.append(_text(*robot.place, 0.0, 0.0, 0.0, 1.0, *robot.velocity))
    for servo in robot.servos:
        law = (servo.stiffness, servo.damping, servo.effort)
        way = (number for pair in servo.way for number in pair)
        start = robot.posture.get(servo.joint, 0.0)
        lines.append(f"{servo.joint} {_text(start, *law, *way)}")
    return lines


def _thing(thing: Thing) -> str:
    numbers = _text(0.0 if thing.fixed else thing.density, *thing.place, *thing.turn)
    return f"body {_word(thing.name)} {numbers} {thing.solid.kind} {_text(*thing.solid.sizes)}"


def mujoco_program(scene: Scene, build: Build, tolerance: float) -> Program:
    """MuJoCo's, with a tolerance of its solver."""
    whole = model(scene)
    binary = FOLDER / f"{scene.name}.mjb"
    mujoco.mj_saveModel(whole, str(binary))
    q, v, places, servos = whole.qpos0.copy(), np.zeros(whole.nv), {}, []
    for robot in scene.robots:
        if robot.kind.floating:
            base = whole.joint(f"{robot.name} base")
            at, along = base.qposadr[0], base.dofadr[0]
            q[at : at + 7] = [*robot.place, 1.0, 0.0, 0.0, 0.0]
            v[along : along + 3] = robot.velocity
            places[f"{robot.name} base"] = (int(at), 7)
        for servo in robot.servos:
            joint = whole.joint(f"{robot.name} {servo.joint}")
            at = int(joint.qposadr[0])
            q[at] = robot.posture.get(servo.joint, 0.0)
            places[f"{robot.name} {servo.joint}"] = (at, 1)
            law = _text(servo.stiffness, servo.damping, servo.effort)
            way = _text(*(number for pair in servo.way for number in pair))
            servos.append(f"{at} {joint.dofadr[0]} {law} {len(servo.way)} {way}")
    for thing in scene.free:
        places[thing.name] = (int(whole.joint(thing.name).qposadr[0]), 7)
    looks = [round(time / STEP) for time in _looks(scene)]
    steps = round(scene.duration / STEP)
    lines = [f"{steps} {whole.nq} {whole.nv} {len(servos)} {len(looks)}"]
    lines += [_text(*looks), _text(*map(float, q)), _text(*map(float, v)), *servos]
    path = FOLDER / f"{scene.name}.mujoco.scene"
    path.write_text("\n".join(lines) + "\n")
    command = (str(build.executable), str(binary), str(path))
    return Program(MUJOCO, command, places, (str(tolerance),))


def _word(name: str) -> str:
    return name.replace(" ", "_")


def _text(*numbers: float) -> str:
    return " ".join(map(repr, numbers))
