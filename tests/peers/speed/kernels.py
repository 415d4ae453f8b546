"""What is timed, and the ratios to reach.

A kernel of the library is one line of ``KERNELS``, which says how a generated robot computes it; the
peers' programs have lines of the same names. A kernel without a call is one that the library does
not have yet: the peers' times are shown, and the output names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Form(Enum):
    """What the numbers of a kernel are, so that those of two programs can be compared."""

    FORCE = "nv numbers"
    MATRICES = "matrices (nv, nv) side by side"
    CORIOLIS = "a matrix C (nv, nv), of which C v and C + Cᵀ are determined"
    POSES = "rotation (9, column by column) and position (3) of links"
    JACOBIANS = "columns of six numbers for each coordinate, then the poses of moving bodies"
    REGRESSOR = "a matrix (nv, 10) for each moving body"


@dataclass(frozen=True)
class Kernel:
    """One quantity."""

    name: str
    form: Form
    call: str | None = None
    """Rust that writes it into ``out`` from a state ``s``."""
    family: str | None = None
    """What the description asks for to have it, if it has to."""

    @property
    def type(self) -> str:
        """The end of the name of its type in a generated crate."""
        return self.name.title().replace("_", "")


KERNELS = (
    Kernel("inverse_dynamics", Form.FORCE, "Subject.inverse_dynamics_into(&s.q, &s.v, &s.v_dot, out)"),
    Kernel("bias_force", Form.FORCE, "Subject.bias_force_into(&s.q, &s.v, out)"),
    Kernel("mass_matrix", Form.MATRICES, "Subject.mass_matrix_into(&s.q, out)"),
    Kernel("gravity_force", Form.FORCE, "Subject.gravity_force_into(&s.q, out)"),
    Kernel("coriolis_matrix", Form.CORIOLIS, "Subject.coriolis_matrix_into(&s.q, &s.v, out)"),
    Kernel("forward_dynamics", Form.FORCE, "Subject.forward_dynamics_into(&s.q, &s.v, &s.tau, out)"),
    Kernel("link_poses", Form.POSES, "link_poses::<Subject, Poses>(s, out)"),
    Kernel(
        "joint_jacobians",
        Form.JACOBIANS,
        "Subject.joint_jacobians_into(&s.q, out)",
        "joint_jacobians",
    ),
    Kernel(
        "inverse_dynamics_derivatives",
        Form.MATRICES,
        "Subject.inverse_dynamics_derivatives_into(&s.q, &s.v, &s.v_dot, out)",
        "inverse_dynamics_derivatives",
    ),
    Kernel(
        "forward_dynamics_derivatives",
        Form.MATRICES,
        "Subject.forward_dynamics_derivatives_into(&s.q, &s.v, &s.tau, out)",
        "forward_dynamics_derivatives",
    ),
    Kernel(
        "inverse_mass_matrix",
        Form.MATRICES,
        "Subject.inverse_mass_matrix_into(&s.q, out)",
        "inverse_mass_matrix",
    ),
    Kernel(
        "torque_regressor",
        Form.REGRESSOR,
        "Subject.torque_regressor_into(&s.q, &s.v, &s.v_dot, out)",
        "regressor",
    ),
)

SMALL = ("ur5", "panda", "solo12", "anymal_b")
LARGE = ("talos_38", "talos_50")
FORCES = ("inverse_dynamics", "bias_force", "gravity_force")
OTHERS = ("mass_matrix", "coriolis_matrix", "forward_dynamics", "joint_jacobians")
DERIVED = tuple(kernel.name for kernel in KERNELS[8:])


@dataclass(frozen=True)
class Goal:
    """A row of ratios: ours against the fastest peer, for every robot and kernel of the row."""

    robots: tuple[str, ...]
    kernels: tuple[str, ...]
    one: float
    """For one state."""
    batch: float
    """For eight states at once."""


GOALS = {
    "arms and quadrupeds": Goal(SMALL, FORCES + OTHERS, 6.0, 30.0),
    "inverse and forward dynamics of quadrupeds": Goal(
        SMALL[2:], ("inverse_dynamics", "forward_dynamics"), 10.0, 30.0
    ),
    "forces of humanoids": Goal(LARGE, FORCES, 6.0, 25.0),
    "the rest of humanoids": Goal(LARGE, OTHERS, 4.0, 20.0),
    "derivatives of arms and quadrupeds": Goal(SMALL, DERIVED, 6.0, 25.0),
    "derivatives of the humanoid": Goal(LARGE[:1], DERIVED, 3.0, 12.0),
}
