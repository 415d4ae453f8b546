"""Whether the programs compute the same, at the first state.

This keeps the times comparable; how exact the kernels are is measured by the comparison in the folder
above, at many states and with an error that knows about conditioning.
"""

from __future__ import annotations

import numpy as np

from compare import scaled_error
from coordinates import Vector
from kernels import KERNELS, Form
from programs import Program

BOUND = 1e-9
"""Largest error of an entry, over max(1, largest entry)."""


def disagreements(programs: list[Program]) -> list[str]:
    """A line for each function whose values are not those of the first program."""
    own = programs[0]
    expected = {kernel: x for (kernel, function), x in own.values().items() if function == "one"}
    forms = {kernel.name: kernel.form for kernel in KERNELS}
    lines = []
    for program in programs:
        for (kernel, function), values in program.values().items():
            if kernel not in expected:
                continue
            given = _comparable(forms[kernel], values, program, own)
            error = scaled_error(_comparable(forms[kernel], expected[kernel], own, own), given)
            if not error <= BOUND:
                where = f"{own.generated.robot.name}: {kernel} and {program.peer}'s {function}"
                lines.append(f"{where} differ by {error:.1e}")
    return lines


def _comparable(form: Form, values: Vector, program: Program, own: Program) -> np.ndarray:
    """The numbers in the generated robot's coordinates, as far as they are determined."""
    gain = program.gain
    nv = len(gain)
    shared = own.generated.robot.moving_links()
    match form:
        case Form.FORCE:
            return gain.T @ values
        case Form.MATRICES | Form.CORIOLIS:
            blocks = values.reshape(-1, nv, nv).transpose(0, 2, 1)
            blocks = np.array([gain.T @ block @ gain for block in blocks])
            return blocks if form is Form.MATRICES else blocks + blocks.transpose(0, 2, 1)
        case Form.POSES:
            return _chosen(values.reshape(-1, 12), program.links, shared)
        case Form.JACOBIANS:
            columns, poses = np.split(values, [6 * nv])
            poses = _chosen(poses.reshape(-1, 12), program.bodies, shared)
            return np.concatenate([(gain.T @ columns.reshape(nv, 6)).ravel(), poses.ravel()])
        case Form.REGRESSOR:
            blocks = _chosen(values.reshape(-1, 10, nv), program.bodies, shared)
            return blocks @ gain


def _chosen(parts: np.ndarray, names: list[str], shared: list[str]) -> np.ndarray:
    """The parts of the links that every program has."""
    return parts[[names.index(name) for name in shared]]
