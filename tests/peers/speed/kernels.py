"""What is timed, and the ratios to reach.

A kernel of the library is one line of ``KERNELS``, which says what a generated robot computes it from; the
peers' programs have lines of the same names. A kernel without inputs is one that the library does
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
    inputs: tuple[str, ...] | None = None
    """What it is computed from: q, v, and then v_dot or tau."""
    family: str | None = None
    """What a description asks for to have it, if it has to."""
    held: bool = False
    """Whether it is the motion of a robot whose feet are held still, which not every robot has."""

    @property
    def type(self) -> str:
        """The end of the name of its type in a generated crate."""
        return _camel(self.name)

    @property
    def path(self) -> str:
        """Its type."""
        if self.family:
            return f"<Subject as kernels::{_camel(self.family)}>::{self.type}Kernel"
        return f"<Subject as Quantities>::{self.type}"

    @property
    def one(self) -> str:
        """Rust that writes it into ``out`` from a state ``s``."""
        if self.form is Form.POSES:
            return "poses::<Subject, Poses>(s, out)"
        if self.held:
            return f"held::{self.name}(&mut held, s, out)"
        inputs = "".join(f"&s.{name}, " for name in self.inputs or ())
        return f"Subject.{self.name}_into({inputs}out)"

    @property
    def batch(self) -> str:
        """Rust that writes it into ``out`` from eight states ``s``."""
        if self.held:
            return f"eights.evaluate::<{self.path}>(s, out)"
        given = dict(zip("qva", self.inputs or (), strict=False))
        inputs = [f"{name}: {f'&s.{given[name]}' if name in given else '&[]'}" for name in "qva"]
        return f"F64x8::evaluate::<{self.path}>(&Input {{ {', '.join(inputs)}, ..Input::default() }}, out)"


def _camel(name: str) -> str:
    return name.title().replace("_", "")


STATE = ("q", "v", "v_dot")
FORCED = ("q", "v", "tau")

KERNELS = (
    Kernel("inverse_dynamics", Form.FORCE, STATE),
    Kernel("bias_force", Form.FORCE, STATE[:2]),
    Kernel("mass_matrix", Form.MATRICES, STATE[:1]),
    Kernel("gravity_force", Form.FORCE, STATE[:1]),
    Kernel("coriolis_matrix", Form.CORIOLIS, STATE[:2]),
    Kernel("forward_dynamics", Form.FORCE, FORCED),
    Kernel("link_poses", Form.POSES, STATE[:1]),
    Kernel("joint_jacobians", Form.JACOBIANS, STATE[:1], "joint_jacobians"),
    Kernel(
        "inverse_dynamics_derivatives", Form.MATRICES, STATE, "inverse_dynamics_derivatives"
    ),
    Kernel(
        "forward_dynamics_derivatives", Form.MATRICES, FORCED, "forward_dynamics_derivatives"
    ),
    Kernel("inverse_mass_matrix", Form.MATRICES, STATE[:1], "inverse_mass_matrix"),
    Kernel("torque_regressor", Form.REGRESSOR, STATE, "regressor"),
    Kernel("constrained_dynamics", Form.FORCE, FORCED, held=True),
    Kernel("constrained_impact", Form.FORCE, STATE[:2], held=True),
)

SMALL = ("ur5", "panda", "solo12", "anymal_b")
LARGE = ("talos_38", "talos_50")
FORCES = ("inverse_dynamics", "bias_force", "gravity_force")
OTHERS = ("mass_matrix", "coriolis_matrix", "forward_dynamics", "joint_jacobians")
DERIVED = tuple(kernel.name for kernel in KERNELS[8:] if not kernel.held)
HELD = tuple(kernel.name for kernel in KERNELS if kernel.held)


@dataclass(frozen=True)
class Goal:
    """A row of ratios: ours against the fastest peer, for every robot and kernel of the row."""

    robots: tuple[str, ...]
    kernels: tuple[str, ...]
    one: float
    """For one state."""
    batch: float | None = None
    """For eight states at once, if there is a goal for that."""


GOALS = {
    "arms and quadrupeds": Goal(SMALL, FORCES + OTHERS, 6.0, 30.0),
    "inverse and forward dynamics of quadrupeds": Goal(
        SMALL[2:], ("inverse_dynamics", "forward_dynamics"), 10.0, 30.0
    ),
    "forces of humanoids": Goal(LARGE, FORCES, 6.0, 25.0),
    "the rest of humanoids": Goal(LARGE, OTHERS, 4.0, 20.0),
    "derivatives of arms and quadrupeds": Goal(SMALL, DERIVED, 6.0, 25.0),
    "derivatives of the humanoid": Goal(LARGE[:1], DERIVED, 3.0, 12.0),
    "held feet of quadrupeds": Goal(SMALL[2:], HELD, 8.0),
    "held feet of the humanoid": Goal(LARGE[:1], HELD[:1], 4.0),
}
