"""How far the generated quantities are from Pinocchio's.

Most quantities: the largest difference of an entry over max(1, largest entry), for each quantity
and state on its own.

Mass matrix: the largest |ΔM_ij| / (M_ii M_jj)^½, so that a finger of a gram counts as much as a
torso; 1e-12 stands for the diagonal entry of a joint that moves nothing.

Forward dynamics solves M v̇ = τ − b, and M can be badly scaled: a finger joint beside a floating
base. With D = diag(M)^½, S = D⁻¹ M D⁻¹ has a unit diagonal, whatever the units of the
coordinates, and S y = c with y = D v̇, c = D⁻¹ (τ − b). From Pinocchio's M and b, both of

    ‖S y − c‖ / (‖S‖ ‖y‖ + ‖c‖)         the backward error: the smallest relative change of S and
                                        c of which y is the exact solution
    ‖y − S⁻¹ c‖ / (κ(S) ‖S⁻¹ c‖)        the forward error over the condition number

in maximum norms have to stay within the bound; the larger is reported. A mass matrix is singular
where a relative pivot of its LᵀDL factorisation is at most 1e-12. There the generated robot has to
return the typed error that says so, and forward dynamics is not compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from coordinates import Matrix, State, Vector
from reference import Quantities, Reference, relative_pivots

BOUND = 1e-9
"""Largest error that passes."""

LEAST_PIVOT = 1e-12
"""Relative pivot at and below which a mass matrix counts as singular."""

LEAST_INERTIA = 1e-12
"""Diagonal entry of the mass matrix, in kg or kg m², below which nothing is moved."""


@dataclass(frozen=True)
class Deviation:
    """The error of one quantity; NaN if something is not a number."""

    quantity: str
    error: float

    @property
    def passes(self) -> bool:
        """Whether the error is within the bound; that of NaN is not."""
        return self.error <= BOUND


@dataclass(frozen=True)
class Verdict:
    """What the states of one robot showed."""

    worst: list[Deviation]
    """The largest error of each quantity, the largest of all first."""
    singular: bool
    """Whether the mass matrix was singular at some state."""

    @property
    def passes(self) -> bool:
        """Whether every quantity is within the bound."""
        return all(deviation.passes for deviation in self.worst)


def judge(
    reference: Reference,
    states: list[State],
    results: list[Quantities],
    parts: list[Callable[[State], Quantities]],
) -> Verdict:
    """Compares the results of the generated robot, one for each state; what ``parts`` return is
    expected beside what every robot has."""
    errors: dict[str, list[float]] = {}
    singular = False
    for state, result in zip(states, results, strict=True):
        expected = reference.quantities(state)
        for part in parts:
            expected |= part(state)
        singular |= _is_singular(expected["mass_matrix"])
        for name, error in _errors(reference, state, result, expected).items():
            errors.setdefault(name, []).append(error)
    worst = [Deviation(name, float(np.max(series))) for name, series in errors.items()]
    worst.sort(key=lambda deviation: -np.nan_to_num(deviation.error, nan=np.inf))
    return Verdict(worst, singular)


def _errors(
    reference: Reference, state: State, result: Quantities, expected: Quantities
) -> dict[str, float]:
    given = _shaped(result, expected, len(state.v))
    coriolis = result["coriolis_matrix"].reshape(2 * (len(state.v),), order="F")
    given["mass_matrix_rate"] = coriolis + coriolis.T
    given["coriolis_force"] = coriolis @ state.v
    errors = {name: scaled_error(given[name], value) for name, value in expected.items()}
    errors["mass_matrix"] = inertia_error(given["mass_matrix"], expected["mass_matrix"])
    singular = _is_singular(expected["mass_matrix"])
    errors["singular"] = abs(float(result["singular"][0]) - float(singular))
    if not singular:
        force = state.tau - expected["bias_force"]
        errors["forward_dynamics"] = solution_error(
            expected["mass_matrix"], force, result["forward_dynamics"]
        )
    errors["integrate"] = _integration_error(reference, state, result["integrate"])
    errors["difference"] = scaled_error(result["difference"], state.v)
    errors["check"] = scaled_error(result["check"], np.ones(1))
    return errors


def _shaped(result: Quantities, expected: Quantities, nv: int) -> Quantities:
    """The results as matrices where the reference has matrices of nv columns; NaN for a quantity
    that is missing or of another size."""
    out = {}
    for name, value in expected.items():
        given = result.get(name)
        if given is None or given.size != value.size:
            out[name] = np.full(value.shape, np.nan)
        else:
            out[name] = given.reshape(value.shape, order="F") if value.ndim == 2 else given
    return out


def scaled_error(given: np.ndarray, expected: np.ndarray) -> float:
    """max |a − b| / max(1, max |b|); zero for empty quantities."""
    if expected.size == 0:
        return 0.0
    return float(np.max(np.abs(given - expected)) / max(1.0, np.max(np.abs(expected))))


def inertia_error(given: Matrix, expected: Matrix) -> float:
    """max |ΔM_ij| / (M_ii M_jj)^½."""
    if expected.size == 0:
        return 0.0
    scale = np.sqrt(np.maximum(np.diag(expected), LEAST_INERTIA))
    return float(np.max(np.abs(given - expected) / np.outer(scale, scale)))


def solution_error(mass_matrix: Matrix, force: Vector, v_dot: Vector) -> float:
    """The larger of the two errors of a solution of M v̇ = force; see the head of this file."""
    if force.size == 0:
        return 0.0
    scale = np.sqrt(np.diag(mass_matrix))
    system = mass_matrix / np.outer(scale, scale)
    right, solution = force / scale, scale * v_dot
    exact = np.linalg.solve(system, right)
    residual = _size(system @ solution - right)
    backward = residual / (np.linalg.norm(system, np.inf) * _size(solution) + _size(right))
    forward = _size(solution - exact) / (np.linalg.cond(system, np.inf) * _size(exact))
    return float(np.max([backward, forward]))


def _size(vector: Vector) -> float:
    return float(np.linalg.norm(vector, np.inf))


def _is_singular(mass_matrix: Matrix) -> bool:
    return bool(np.any(relative_pivots(mass_matrix) <= LEAST_PIVOT))


def _integration_error(reference: Reference, state: State, moved: Vector) -> float:
    """Distance on the manifold, for a quaternion and its negative are the same."""
    model, coordinates = reference.model, reference.coordinates
    start = coordinates.configuration(state.q)
    target = pin.integrate(model, start, coordinates.gain @ state.v)
    gap = pin.difference(model, target, coordinates.configuration(moved))
    return scaled_error(gap, np.zeros(model.nv))
