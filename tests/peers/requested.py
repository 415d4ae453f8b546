"""What Pinocchio computes of the kernels that a description asks for by `kernels(all)`.

Derivatives are along the tangent space in both; Pinocchio's regressors have ten parameters a joint in
the order of its joints, which are moved to that of the generated robot's bodies.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from coordinates import Matrix, State, Vector
from reference import Quantities, Reference

PARAMETERS = 10
"""Inertial parameters of one body."""


def requested(reference: Reference, state: State, bodies: list[str]) -> Quantities:
    """All of them by name; ``bodies`` are the links that moving bodies are named after."""
    model, gain = reference.model, reference.coordinates.gain
    data = model.createData()
    q = reference.coordinates.configuration(state.q)
    v, v_dot = gain @ state.v, gain @ state.v_dot
    by_q, by_v, _ = pin.computeRNEADerivatives(model, data, q, v, v_dot)
    out = {
        "inverse_dynamics_derivatives": _reduced(gain, by_q, by_v),
        "inverse_mass_matrix": np.linalg.inv(gain.T @ pin.crba(model, data, q) @ gain),
        "joint_jacobians": pin.computeJointJacobians(model, data, q) @ gain,
    }
    if gain.shape[0] == gain.shape[1]:
        # Pinocchio's forward dynamics lets coupled joints move on their own.
        forces = np.linalg.solve(gain.T, state.tau)
        parts = pin.computeABADerivatives(model, data, q, v, forces)
        out["forward_dynamics_derivatives"] = np.hstack(
            [np.linalg.solve(gain, part) @ right for part, right in zip(parts, _rights(gain))]
        )
    return out | _centroidal(reference, q, v) | _regressors(reference, q, v, v_dot, bodies)


def _rights(gain: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """By which q, v and τ of the generated robot move Pinocchio's."""
    return gain, gain, np.linalg.inv(gain.T)


def _reduced(gain: Matrix, *blocks: Matrix) -> Matrix:
    return np.hstack([gain.T @ block @ gain for block in blocks])


def _centroidal(reference: Reference, q: Vector, v: Vector) -> Quantities:
    model, gain = reference.model, reference.coordinates.gain
    data = model.createData()
    rate = pin.dccrba(model, data, q, v).copy()
    return {
        "centroidal_matrix": pin.ccrba(model, data, q, v) @ gain,
        "centroidal_bias": rate @ v,
        "centroidal_inertia": np.array(data.Ig.inertia),
    }


def _regressors(
    reference: Reference, q: Vector, v: Vector, v_dot: Vector, bodies: list[str]
) -> Quantities:
    model, gain = reference.model, reference.coordinates.gain
    data = model.createData()
    order = [model.frames[reference.frame(link)].parentJoint - 1 for link in bodies]
    columns = np.concatenate([PARAMETERS * k + np.arange(PARAMETERS) for k in order])
    torque = pin.computeJointTorqueRegressor(model, data, q, v, v_dot)
    kinetic = np.ravel(pin.computeKineticEnergyRegressor(model, data, q, v))
    potential = np.ravel(pin.computePotentialEnergyRegressor(model, data, q))
    parameters = [model.inertias[k + 1].toDynamicParameters() for k in order]
    return {
        "torque_regressor": gain.T @ torque[:, columns],
        "energy_regressor": np.vstack([kinetic[columns], potential[columns]]),
        "inertial_parameters": np.concatenate(parameters),
    }
