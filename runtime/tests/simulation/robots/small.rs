//! Robots of up to three coordinates.

use jourdain::description::*;
use jourdain::kernel::{Input, Kernel};
use jourdain::model::{FrameQuantity, Model};
use jourdain::nalgebra::SMatrix;

use super::{FirstField, MASS_IS_POSITIVE, Zero, contact, joint};

kernel!(One, 1, |input, number, out| {
    *out = [number(1.0)];
});

// A brick on wheels, x ≥ 0 behind a wall, pushed by u.
kernel!(WallMass, 1, |input, number, out| {
    *out = [input.fields[0]];
});
kernel!(WallGap, 1, |input, number, out| {
    *out = [input.q[0]];
});
kernel!(WallJacobian, 3, |input, number, out| {
    *out = [number(1.0), number(0.0), number(0.0)];
});
kernel!(WallContact, 14, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [o, input.fields[1], i, o, o, o, i, o, o, o, i, o, o, o];
});
kernel!(WallKinetic, 1, |input, number, out| {
    *out = [number(0.5) * input.fields[0] * input.v[0] * input.v[0]];
});
kernel!(Unlimited1, 7, |input, number, out| {
    let infinite = number(f64::INFINITY);
    *out = [-infinite, infinite, infinite, infinite, number(0.0), number(0.0), number(0.0)];
});
robot!(
    Wall { mass, restitution }, (1, 1, 1),
    joints: &[joint("slide", "prismatic", 1)], contacts: &[contact("wall", 4)],
    requirements: MASS_IS_POSITIVE,
    MassMatrix = WallMass, BiasForce = Zero, KineticEnergy = WallKinetic, PotentialEnergy = Zero,
    PassiveForce = Zero, InputMatrix = One, Gap = WallGap, ContactJacobian = WallJacobian,
    ContactPoints = Zero, ContactParameters = WallContact, CoordinateParameters = Unlimited1,
    Requirements = FirstField,
);

// A link that is fixed to the world.
robot!(
    Rock { mass }, (0, 0, 0), joints: &[], contacts: &[], requirements: MASS_IS_POSITIVE,
    MassMatrix = Zero, BiasForce = Zero, KineticEnergy = Zero, PotentialEnergy = Zero,
    PassiveForce = Zero, InputMatrix = Zero, Gap = Zero, ContactJacobian = Zero,
    ContactPoints = Zero, ContactParameters = Zero, CoordinateParameters = Zero,
    Requirements = FirstField,
);

// A slider with range, effort limit, dry friction and damping, without contacts.
kernel!(SliderDamper, 1, |input, number, out| {
    *out = [-input.fields[4] * input.v[0]];
});
kernel!(SliderCoordinate, 7, |input, number, out| {
    let infinite = number(f64::INFINITY);
    *out = [
        input.fields[1],
        input.fields[2],
        infinite,
        number(10.0),
        input.fields[3],
        input.fields[4],
        number(0.0),
    ];
});
kernel!(Gear, 1, |input, number, out| {
    *out = [number(2.0)];
});
robot!(
    Slider { mass, lower, upper, friction, damping }, (1, 1, 1),
    joints: &[joint("slide", "prismatic", 1)], contacts: &[], requirements: MASS_IS_POSITIVE,
    MassMatrix = WallMass, BiasForce = Zero, KineticEnergy = WallKinetic, PotentialEnergy = Zero,
    PassiveForce = SliderDamper, InputMatrix = Gear, Gap = Zero, ContactJacobian = Zero,
    ContactPoints = Zero, ContactParameters = Zero, CoordinateParameters = SliderCoordinate,
    Requirements = FirstField,
);

// A point above the plane z = 0 under gravity (gx, gy, gz), pushed by u along x.
kernel!(PointMass, 9, |input, number, out| {
    let (o, m) = (number(0.0), input.fields[0]);
    *out = [m, o, o, o, m, o, o, o, m];
});
kernel!(PointBias, 3, |input, number, out| {
    let [m, _, _, x, y, z] = *input.fields else { return };
    *out = [-m * x, -m * y, -m * z];
});
kernel!(PointKinetic, 1, |input, number, out| {
    let [x, y, z] = *input.v else { return };
    *out = [number(0.5) * input.fields[0] * (x * x + y * y + z * z)];
});
kernel!(PointPotential, 1, |input, number, out| {
    let ([m, _, _, gx, gy, gz], [x, y, z]) = (input.fields, input.q) else { return };
    *out = [-*m * (*gx * *x + *gy * *y + *gz * *z)];
});
kernel!(PointInput, 3, |input, number, out| {
    *out = [number(1.0), number(0.0), number(0.0)];
});
kernel!(PointGap, 1, |input, number, out| {
    *out = [input.q[2]];
});
kernel!(PointJacobian, 9, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [o, i, o, o, o, i, i, o, o];
});
kernel!(PointPlace, 3, |input, number, out| {
    *out = [input.q[0], input.q[1], input.q[2]];
});
kernel!(PointContact, 14, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [input.fields[1], input.fields[2], o, o, i, i, o, o, o, i, o, o, o, o];
});
kernel!(Unlimited3, 21, |input, number, out| {
    let infinite = number(f64::INFINITY);
    let one = [-infinite, infinite, infinite, infinite, number(0.0), number(0.0), number(0.0)];
    out.chunks_exact_mut(7).for_each(|c| c.copy_from_slice(&one));
});
robot!(
    Point { mass, friction, restitution, gx, gy, gz }, (3, 3, 1),
    joints: &[joint("free", "planar", 3)], contacts: &[contact("foot", 8)],
    requirements: MASS_IS_POSITIVE,
    MassMatrix = PointMass, BiasForce = PointBias, KineticEnergy = PointKinetic,
    PotentialEnergy = PointPotential, PassiveForce = Zero, InputMatrix = PointInput,
    Gap = PointGap, ContactJacobian = PointJacobian, ContactPoints = PointPlace,
    ContactParameters = PointContact, CoordinateParameters = Unlimited3, Requirements = FirstField,
);

// A hollow ball in the plane, (x, z, θ), rolling over z = r.
kernel!(BallMass, 9, |input, number, out| {
    let (o, m, r) = (number(0.0), input.fields[0], input.fields[1]);
    *out = [m, o, o, o, m, o, o, o, number(2.0 / 3.0) * m * r * r];
});
kernel!(BallGap, 1, |input, number, out| {
    *out = [input.q[1] - input.fields[1]];
});
kernel!(BallJacobian, 9, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [o, i, o, i, o, o, o, input.fields[1], o];
});
kernel!(BallContact, 14, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [input.fields[2], input.fields[3], o, o, i, i, o, o, o, i, o, input.fields[1], o, o];
});
robot!(
    Ball { mass, radius, friction, restitution }, (3, 3, 1),
    joints: &[joint("plane", "planar", 3)], contacts: &[contact("ground", 4)],
    requirements: MASS_IS_POSITIVE,
    MassMatrix = BallMass, BiasForce = Zero, KineticEnergy = Zero, PotentialEnergy = Zero,
    PassiveForce = Zero, InputMatrix = PointInput, Gap = BallGap, ContactJacobian = BallJacobian,
    ContactPoints = Zero, ContactParameters = BallContact, CoordinateParameters = Unlimited3,
    Requirements = FirstField,
);
