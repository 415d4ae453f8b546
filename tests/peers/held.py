"""What Pinocchio computes of a robot whose feet are held still.

The accelerations and impacts of ``constraintDynamics`` and ``impulseDynamics``, with the proximal
parameter zero and no Baumgarte correction. A point is held when its acceleration in the world is zero,
in both; with axes, Pinocchio holds the spatial acceleration by default, which is a part ω × u less than
that of the point, u being its velocity, unless that part is asked for, as it is here.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from catalogue import Feet
from coordinates import State, Vector
from reference import Quantities, Reference

METHODS = (
    *("Adaptive", "NullSpace", "Proximal"),
    *(
        f"{method}({dense})"
        for method in ("Direct", "RangeSpace", "Articulated")
        for dense in ("Lu", "Cholesky", "PivotedQr", "Svd")
    ),
)
"""All of them are for such feet."""

AXES = pin.LOCAL_WORLD_ALIGNED


def held(reference: Reference, feet: Feet, state: State) -> Quantities:
    """Accelerations, impacts and forces by name, those that each method has to find."""
    model, gain = reference.model, reference.coordinates.gain
    data = model.createData()
    q, v = reference.coordinates.configuration(state.q), gain @ state.v
    tau = np.linalg.solve(gain.T, state.tau)
    models, datas = _contacts(reference, feet)
    if feet.axes:
        _hold_points(reference, feet, (q, v), datas)
    settings = pin.ProximalSettings(1e-14, 1e-14, 0.0, 10)
    pin.initConstraintDynamics(model, data, models, datas)
    v_dot = pin.constraintDynamics(model, data, q, v, tau, models, datas, settings).copy()
    rows = pin.getConstraintsJacobian(model, data, models, datas)
    force = rows.T @ data.lambda_c
    v_after = pin.impulseDynamics(model, data, q, v, models, datas, 0.0, settings).copy()
    motion = {
        "v_dot": np.linalg.solve(gain, v_dot),
        "force": gain.T @ force,
        "v_after": np.linalg.solve(gain, v_after),
        "impulse": gain.T @ (rows.T @ data.impulse_c),
    }
    return {f"held {name} by {by}": x for name, x in motion.items() for by in METHODS}


def _contacts(
    reference: Reference, feet: Feet
) -> tuple[pin.StdVec_RigidConstraintModel, pin.StdVec_RigidConstraintData]:
    kind = pin.ContactType.CONTACT_6D if feet.axes else pin.ContactType.CONTACT_3D
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for link in feet.links:
        frame = reference.model.frames[reference.frame(link)]
        contact = pin.RigidConstraintModel(
            kind, reference.model, frame.parentJoint, frame.placement, AXES
        )
        models.append(contact)
        datas.append(contact.createData())
    return models, datas


def _hold_points(
    reference: Reference,
    feet: Feet,
    motion: tuple[Vector, Vector],
    datas: pin.StdVec_RigidConstraintData,
) -> None:
    """Asks for spatial accelerations with which the points at the origins have none."""
    model = reference.model
    data = model.createData()
    pin.forwardKinematics(model, data, *motion)
    for link, contact in zip(feet.links, datas, strict=True):
        velocity = pin.getFrameVelocity(model, data, reference.frame(link), AXES)
        turning = np.cross(velocity.angular, velocity.linear)
        contact.contact_acceleration_desired = pin.Motion(-turning, np.zeros(3))

