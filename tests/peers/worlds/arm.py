"""An arm with a gripper that reaches for a cube from above, closes, and lifts.

Its posture at each place of the way is found by Newton's method on the pose of the tool; servos aim
beyond it by what gravity takes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mujoco
import numpy as np

from model import robot_spec
from things import Kind, Part, Robot, Servo, Solid, Triple, Values

TOOL = 0.1034
"""From the hand to the point between the finger tips, m."""

FINGER = Solid("box", (0.02, 0.01, 0.05))
OPEN, CLOSED = 0.035, 0.0
GRIP = 12.0
"""The force of a finger, N."""

ABOVE, LIFT = 0.05, 0.12
"""Over the cube, at the beginning and at the end, m."""

WAY = ((0.1, ABOVE), (0.5, 0.0), (0.7, 0.0), (1.2, LIFT), (1.6, LIFT))
"""Times and heights over the cube."""
REACHED, GRASPED = 0.5, 0.7
END = WAY[-1][0]

JOINTS = tuple(f"panda_joint{k}" for k in range(1, 8))
GAINS = (*[(600.0, 30.0)] * 4, *[(150.0, 5.0)] * 2, (50.0, 1.0))
EFFORTS = (*[87.0] * 4, *[12.0] * 3)
GUESS = (0.0, 0.1, 0.0, -2.0, 0.0, 2.1, 0.8)
WAYPOINTS = 12
"""On each straight part of the way."""


def reaching(cube: Triple, urdf: Path) -> tuple[Robot, tuple[float, ...]]:
    """The robot above a cube, with its way, and the time at which it has closed."""
    parts = (
        Part("panda_hand", Solid("box", (0.05, 0.2, 0.06)), (0.0, 0.0, 0.03)),
        Part("panda_leftfinger", FINGER, (0.0, 0.005, 0.03)),
        Part("panda_rightfinger", FINGER, (0.0, -0.005, 0.03)),
    )
    kind = Kind("Panda", urdf, False, 0.6, parts, tool=("panda_hand", (0.0, 0.0, TOOL)))
    times, targets, posture = [0.0], [], np.array(GUESS)
    heights = [ABOVE]
    for (start, before), (end, after) in zip(WAY, WAY[1:], strict=False):
        shares = np.linspace(0.0, 1.0, WAYPOINTS + 1)
        times += list(map(float, start + shares * (end - start)))
        # Without a jump of the velocity.
        smooth = shares * shares * (3.0 - 2.0 * shares)
        heights += list(map(float, before + smooth * (after - before)))
    first = None
    for height in heights:
        posture = _posture(kind, np.array(cube) + [0.0, 0.0, height], posture)
        first = posture if first is None else first
        sag = _gravity(kind, posture) / [stiffness for stiffness, _ in GAINS]
        targets.append(posture + sag)
    servos = [
        Servo(joint, *GAINS[k], EFFORTS[k], tuple(_way(times, [of[k] for of in targets])))
        for k, joint in enumerate(JOINTS)
    ]
    closing = ((0.0, OPEN), (REACHED, OPEN), (GRASPED - 0.05, CLOSED))
    fingers = [f"panda_finger_joint{k}" for k in (1, 2)]
    servos += [Servo(finger, 2000.0, 10.0, GRIP, closing) for finger in fingers]
    start = dict(zip(JOINTS, map(float, first), strict=True)) | dict.fromkeys(fingers, OPEN)
    return Robot("arm", kind, start, tuple(servos)), (GRASPED,)


def tool_pose(kind: Kind, values: Values) -> tuple[np.ndarray, np.ndarray]:
    """Where the tool of the arm is, and its rotation, by the values of a run."""
    model, data = _alone(kind)
    for name, value in values.items():
        if name.startswith("arm "):
            data.qpos[model.joint(name.removeprefix("arm ")).qposadr[0]] = value[0]
    mujoco.mj_kinematics(model, data)
    return data.site("tool").xpos.copy(), data.site("tool").xmat.reshape(3, 3).copy()


def _way(times: list[float], values: list[float]) -> list[tuple[float, float]]:
    """Each time once."""
    way: dict[float, float] = {}
    for time, value in zip(times, values, strict=True):
        way[time] = float(value)
    return sorted(way.items())


@cache
def _alone(kind: Kind) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = robot_spec(kind).compile()
    return model, mujoco.MjData(model)


def _set(kind: Kind, posture: np.ndarray) -> tuple[mujoco.MjModel, mujoco.MjData, list[int]]:
    model, data = _alone(kind)
    data.qpos[:], data.qvel[:] = 0.0, 0.0
    for joint, angle in zip(JOINTS, posture, strict=True):
        data.qpos[model.joint(joint).qposadr[0]] = angle
    mujoco.mj_forward(model, data)
    return model, data, [int(model.joint(joint).dofadr[0]) for joint in JOINTS]


def _posture(kind: Kind, place: np.ndarray, posture: np.ndarray) -> np.ndarray:
    """The one near another in which the tool is at a place and points down."""
    down = np.diag([1.0, -1.0, -1.0])
    for _ in range(100):
        model, data, dofs = _set(kind, posture)
        site = data.site("tool")
        error = np.zeros(6)
        error[:3] = place - site.xpos
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, (down @ site.xmat.reshape(3, 3).T).ravel())
        mujoco.mju_quat2Vel(error[3:], turn, 1.0)
        if np.abs(error).max() < 1e-10:
            return posture
        rows = np.zeros((6, model.nv))
        mujoco.mj_jacSite(model, data, rows[:3], rows[3:], model.site("tool").id)
        change = np.linalg.lstsq(rows[:, dofs], error, rcond=None)[0]
        posture = posture + change * min(1.0, 0.3 / float(np.abs(change).max()))
    raise ValueError(f"the arm does not reach {place}")


def _gravity(kind: Kind, posture: np.ndarray) -> np.ndarray:
    """The torque that holds the posture."""
    _, data, dofs = _set(kind, posture)
    return data.qfrc_bias[dofs].copy()
