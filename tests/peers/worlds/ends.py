"""How scenes should end: what the values of a run have to say, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from things import Values

SLIP = (5e-3, 0.05)
"""By how much what is held or carried may move in the grasp, m and rad."""


def collided(values: list[Values]) -> str | None:
    """Both quadrupeds stand in the end, and the one that stood was pushed away."""
    start, end = values[0], values[-1]
    moved = end["struck base"][0] - start["struck base"][0]
    heights = [float(end[f"{name} base"][2]) for name in ("thrown", "struck")]
    if moved < 0.01 or min(heights) < 0.15:
        return f"the one that was struck moved by {moved:.3f} m, heights are {heights}"
    return None


Pose = tuple[np.ndarray, np.ndarray]
"""Place and rotation."""


def held(
    cube: str, lift: float, tool_pose: Callable[[Values], Pose], values: list[Values]
) -> str | None:
    """The cube was lifted, and has stayed in the grasp since that closed."""
    start, grasped, end = values
    lifted = float(end[cube][2] - start[cube][2])
    moved, turned = _change([(tool_pose(of), _pose(of[cube])) for of in (grasped, end)])
    if abs(lifted - lift) > 0.01 or moved > SLIP[0] or turned > SLIP[1]:
        return (
            f"the cube was lifted by {lifted:.4f} m, and moved in the grasp by {moved:.4f} m "
            f"and {turned:.3f} rad"
        )
    return None


def carried(values: list[Values]) -> str | None:
    """The carriage has driven, and the box still lies where it lay on it."""
    start, settled, end = values
    driven = float(end["carriage base"][0] - start["carriage base"][0])
    poses = [(_pose(of["carriage base"]), _pose(of["box"])) for of in (settled, end)]
    moved, turned = _change(poses)
    if driven < 0.5 or moved > SLIP[0] or turned > SLIP[1]:
        return (
            f"the carriage drove {driven:.3f} m, the box moved on it by {moved:.4f} m and "
            f"{turned:.3f} rad"
        )
    return None


def within(radius: float, values: list[Values]) -> str | None:
    """All bodies are above the ground and within a cylinder."""
    places = np.array([value[:3] for value in values[-1].values()])
    out, low = float(np.hypot(*places.T[:2]).max()), float(places[:, 2].min())
    if out > radius or low < 0.0:
        return f"bodies are up to {out:.3f} m from the axis, and {low:.4f} m high at the lowest"
    return None


def _pose(value: np.ndarray) -> Pose:
    """That of seven numbers."""
    x, y, z, w = value[3:]
    u = np.array([x, y, z])
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return value[:3], (w * w - u @ u) * np.eye(3) + 2.0 * (np.outer(u, u) + w * cross)


def _change(pairs: list[tuple[Pose, Pose]]) -> tuple[float, float]:
    """By how much the second of two poses has changed as seen from the first, m and rad."""
    seen = [(a[1].T @ (b[0] - a[0]), a[1].T @ b[1]) for a, b in pairs]
    (place, turn), (later, turned) = seen
    cosine = 0.5 * (np.trace(turn.T @ turned) - 1.0)
    return float(np.linalg.norm(later - place)), float(np.arccos(np.clip(cosine, -1.0, 1.0)))
