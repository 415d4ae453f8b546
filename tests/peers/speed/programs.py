"""The programs that are timed: one of each peer for all robots, and a generated one for each robot.

All have the command line of timing.hpp and read states in coordinates of their own. With q̂, v̂ for
those of a program and q, v for those of the generated robot,

    v̂ = G v,    Gᵀ = G⁻¹,

so that forces and accelerations come back by Gᵀ, and a matrix A by Gᵀ A G. For Pinocchio, G permutes
the coordinates. MuJoCo measures the velocity of a floating base in the axes of the world, and there G
holds its rotation R; v̂̇ = G v̇ then needs the base's origin to be at rest, as it is in the first
state, at which values are compared.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from compiler import Build
from coordinates import POSE, Coordinates, Joint, Matrix, State, match
from generated import Generated

@dataclass(frozen=True)
class Program:
    """A program with the states of a robot."""

    peer: str
    command: tuple[str, ...]
    """Its executable, and the model if it reads one."""
    gain: Matrix
    """G at the first state."""
    links: list[str]
    """The links whose poses it reports."""
    bodies: list[str]
    """The links that its moving bodies are named after."""
    generated: Generated
    """The robot."""

    @property
    def _states(self) -> Path:
        return self.generated.robot.path(f"{self.peer}.states")

    def write(self, states: list[State]) -> None:
        """Gives it the states, in its coordinates."""
        np.array([state.numbers() for state in states], dtype="<f8").tofile(self._states)

    def values(self) -> dict[tuple[str, str], np.ndarray]:
        """What each function computes at the first state, by kernel and function."""
        return {(kernel, name): np.array(values) for kernel, name, values in self._run(0.0)}

    def times(self, seconds: float) -> dict[tuple[str, str], float]:
        """The nanoseconds of each function for one state, timed for so long each."""
        return {(kernel, name): values[0] for kernel, name, values in self._run(seconds)}

    def _run(self, seconds: float) -> list[tuple[str, str, list[float]]]:
        kernels = [kernel.name for kernel in self.generated.timed]
        command = [*self.command, str(self._states), str(seconds), *kernels]
        outcome = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        lines = [line.split("\t") for line in outcome.stdout.splitlines()]
        return [(kernel, name, list(map(float, values))) for kernel, name, *values in lines]


def own_program(generated: Generated, states: list[State]) -> Program:
    """The generated program."""
    command = (str(generated.executable),)
    gain = np.eye(sum(joint.nv for joint in generated.joints))
    program = Program(
        "ours", command, gain, generated.links, generated.bodies, generated
    )
    program.write(states)
    return program


def peer_program(build: Build, generated: Generated, states: list[State]) -> Program:
    """A peer's program."""
    if build.peer == "pinocchio":
        return _pinocchio_program(build, generated, states)
    return _mujoco_program(build, generated, states)


def _pinocchio_program(build: Build, generated: Generated, states: list[State]) -> Program:
    robot = generated.robot
    model = robot.pinocchio()
    coordinates = match(model, generated.joints, {})
    children = robot.children()
    links = [children.get(name, "") for name in list(model.names)[1:]]
    command = (str(build.executable), str(robot.path("pinocchio")))
    program = Program(build.name, command, coordinates.gain, links, links, generated)
    program.write([_carried(state, coordinates) for state in states])
    return program


def _carried(state: State, coordinates: Coordinates) -> State:
    gain = coordinates.gain
    q = coordinates.configuration(state.q)
    return State(q, gain @ state.v, gain @ state.v_dot, gain @ state.tau)


def _mujoco_program(build: Build, generated: Generated, states: list[State]) -> Program:
    robot = generated.robot
    model = robot.mujoco()
    links = [model.body(k).name for k in range(1, model.nbody)]
    command = (str(build.executable), str(robot.path("mujoco")))
    gain = _turned(model, generated.joints, states[0])[1]
    program = Program(build.name, command, gain, links, links, generated)
    program.write([_turned(model, generated.joints, state)[0] for state in states])
    return program


def _turned(model: mujoco.MjModel, joints: list[Joint], state: State) -> tuple[State, Matrix]:
    """A state in MuJoCo's coordinates, and G there."""
    q, gain = np.zeros(model.nq), np.zeros((model.nv, model.nv))
    for joint in joints:
        own = state.q[joint.q : joint.q + joint.nq]
        floating = joint.nq == POSE
        peer = model.joint(0 if floating else joint.name)
        rows, columns = peer.dofadr[0], slice(joint.v, joint.v + joint.nv)
        block = gain[rows : rows + joint.nv, columns]
        block[:] = np.eye(joint.nv)
        if floating:
            own = own[[0, 1, 2, 6, 3, 4, 5]]
            rotation = np.empty(9)
            mujoco.mju_quat2Mat(rotation, own[3:])
            block[:3, :3] = rotation.reshape(3, 3)
        q[peer.qposadr[0] : peer.qposadr[0] + joint.nq] = own
    return State(q, gain @ state.v, gain @ state.v_dot, gain @ state.tau), gain
