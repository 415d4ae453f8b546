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
    own, *peers = programs
    expected = {kernel: values for (kernel, _), values in own.values().items()}
    forms = {kernel.name: kernel.form for kernel in KERNELS}
    lines = []
    for peer in peers:
        for (kernel, function), values in peer.values().items():
            if kernel not in expected or forms[kernel] is Form.OTHER:
                continue
            given = _comparable(forms[kernel], values, peer, own)
            error = scaled_error(_comparable(forms[kernel], expected[kernel], own, own), given)
            if not error <= BOUND:
                where = f"{own.robot.name}: {kernel} and {peer.peer}'s {function}"
                lines.append(f"{where} differ by {error:.1e}")
    return lines


def _comparable(form: Form, values: Vector, program: Program, own: Program) -> np.ndarray:
    """The numbers in the generated robot's coordinates, as far as they are determined."""
    gain = program.gain
    if form is Form.FORCE:
        return gain.T @ values
    if form is Form.POSES:
        poses = dict(zip(program.links, values.reshape(-1, 12), strict=True))
        return np.array([poses[link] for link in _shared(own)])
    nv = len(gain)
    blocks = values.reshape(-1, nv, nv).transpose(0, 2, 1)
    blocks = np.array([gain.T @ block @ gain for block in blocks])
    return blocks + blocks.transpose(0, 2, 1) if form is Form.CORIOLIS else blocks


def _shared(own: Program) -> list[str]:
    """The links that a joint with coordinates carries: every program has them."""
    return list(own.robot.moving_links())
