"""What Pinocchio computes, in the coordinates of the generated robot.

Pinocchio's centre of mass and energies leave out what is fixed to the world; it is added here, for
the base of an arm is a part of the arm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from catalogue import Robot
from coordinates import Coordinates, Matrix, State, Vector

REFERENCES = {
    "local": pin.LOCAL,
    "world": pin.WORLD,
    "aligned": pin.LOCAL_WORLD_ALIGNED,
}

Quantities = dict[str, np.ndarray]


class UnknownLink(ValueError):
    """A link that Pinocchio's model lacks."""


def load(robot: Robot) -> pin.Model:
    """Pinocchio's model; raises ``ValueError`` for a file that is no robot."""
    if robot.floating:
        return pin.buildModelFromUrdf(str(robot.path), pin.JointModelFreeFlyer())
    return pin.buildModelFromUrdf(str(robot.path))


@dataclass(frozen=True)
class Reference:
    """Pinocchio's model seen through the coordinates of the generated robot."""

    model: pin.Model
    coordinates: Coordinates
    frames: dict[str, str]
    """The link on which each frame sits."""
    links: list[str]

    def quantities(self, state: State) -> Quantities:
        """Everything that is compared without further ado, by name; matrices as (rows, columns)."""
        q = self.coordinates.configuration(state.q)
        v, v_dot = self.coordinates.gain @ state.v, self.coordinates.gain @ state.v_dot
        data = self.model.createData()
        out = self._dynamics(data, q, v, v_dot)
        out |= self._whole_body(data, q, v)
        pin.forwardKinematics(self.model, data, q, v, np.zeros(self.model.nv))
        pin.computeJointJacobians(self.model, data, q)
        pin.updateFramePlacements(self.model, data)
        out["link_poses"] = np.concatenate(
            [_flatten(data.oMf[self.frame(link)]) for link in self.links] or [np.empty(0)]
        )
        for name, link in self.frames.items():
            out |= self._frame_motion(data, name, self.frame(link))
        return out

    def _dynamics(self, data: pin.Data, q: Vector, v: Vector, v_dot: Vector) -> Quantities:
        gain = self.coordinates.gain
        coriolis = pin.computeCoriolisMatrix(self.model, data, q, v)
        bias = pin.nonLinearEffects(self.model, data, q, v).copy()
        gravity = pin.computeGeneralizedGravity(self.model, data, q).copy()
        return {
            "mass_matrix": gain.T @ pin.crba(self.model, data, q) @ gain,
            "mass_matrix_rate": gain.T @ (coriolis + coriolis.T) @ gain,
            "coriolis_force": gain.T @ (bias - gravity),
            "gravity_force": -gain.T @ gravity,
            "bias_force": gain.T @ bias,
            "inverse_dynamics": gain.T @ pin.rnea(self.model, data, q, v, v_dot),
        }

    def _whole_body(self, data: pin.Data, q: Vector, v: Vector) -> Quantities:
        potential = pin.computePotentialEnergy(self.model, data, q)
        pin.centerOfMass(self.model, data, q)
        center = data.com[0].copy()
        momentum = pin.computeCentroidalMomentum(self.model, data, q, v)
        linear = momentum.linear
        angular = momentum.angular + np.cross(data.com[0], linear)
        return {
            "kinetic_energy": np.array([pin.computeKineticEnergy(self.model, data, q, v)]),
            "potential_energy": np.array([potential]),
            "center_of_mass": center,
            "momentum": np.concatenate([linear, angular]),
        }

    def frame(self, link: str) -> int:
        """The frame of a link."""
        if not self.model.existFrame(link, pin.BODY):
            raise UnknownLink(f"Pinocchio has no link {link}")
        return int(self.model.getFrameId(link, pin.BODY))

    def _frame_motion(self, data: pin.Data, name: str, frame: int) -> Quantities:
        out = {f"{name} pose": _flatten(data.oMf[frame])}
        for axes, reference in REFERENCES.items():
            jacobian = pin.getFrameJacobian(self.model, data, frame, reference)
            out[f"{name} jacobian {axes}"] = jacobian @ self.coordinates.gain
            out[f"{name} bias {axes}"] = self._frame_bias(data, frame, reference)
        return out

    def _frame_bias(self, data: pin.Data, frame: int, reference: pin.ReferenceFrame) -> Vector:
        """J̇ v: at v̇ = 0, the spatial acceleration, or the classical one where the axes stay
        aligned with the world and only the point moves along."""
        aligned = reference == pin.LOCAL_WORLD_ALIGNED
        measure = pin.getFrameClassicalAcceleration if aligned else pin.getFrameAcceleration
        return np.array(measure(self.model, data, frame, reference).vector)


def _flatten(pose: pin.SE3) -> Vector:
    return np.concatenate([pose.rotation.flatten(order="F"), pose.translation])


def relative_pivots(mass_matrix: Matrix) -> Vector:
    """Pivots of LᵀDL, from the last row to the first, each relative to its diagonal entry.

    A pivot is the inertia that a joint moves while the joints before it move as they like; one
    that is zero makes the mass matrix singular.
    """
    left = mass_matrix.copy()
    pivots = np.zeros(len(left))
    for k in reversed(range(len(left))):
        if not left[k, k] > 0.0:
            return pivots
        pivots[k] = left[k, k] / mass_matrix[k, k]
        left[:k, :k] -= np.outer(left[k, :k], left[k, :k]) / left[k, k]
    return pivots
