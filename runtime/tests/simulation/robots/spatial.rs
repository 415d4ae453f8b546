//! Robots of six coordinates.

use jourdain::description::*;
use jourdain::kernel::{Input, Kernel};
use jourdain::model::{FrameQuantity, Model};
use jourdain::nalgebra::SMatrix;

use super::{FirstField, MASS_IS_POSITIVE, Zero, contact, joint};

// A cube of edge 2a with a floating base and its eight corners over the plane z = 0.
kernel!(CubeMass, 36, |input, number, out| {
    out.fill(number(0.0));
    let (m, a) = (input.fields[0], input.fields[1]);
    for k in 0..3 {
        out[7 * k] = m;
        out[7 * (k + 3)] = number(2.0 / 3.0) * m * a * a;
    }
});
kernel!(CubeBias, 6, |input, number, out| {
    let [m, _, _, _, g] = *input.fields else { return };
    let [u0, u1, u2, w0, w1, w2] = *input.v else { return };
    let up = row_of_rotation(input.q, number, 2);
    let o = number(0.0);
    *out = [
        m * (w1 * u2 - w2 * u1 + g * up[0]),
        m * (w2 * u0 - w0 * u2 + g * up[1]),
        m * (w0 * u1 - w1 * u0 + g * up[2]),
        o,
        o,
        o,
    ];
});
kernel!(CubeGap, 8, |input, number, out| {
    let up = row_of_rotation(input.q, number, 2);
    for (k, gap) in out.iter_mut().enumerate() {
        let r = corner(k, input.fields[1]);
        *gap = input.q[2] + up[0] * r[0] + up[1] * r[1] + up[2] * r[2];
    }
});
kernel!(CubeJacobian, 144, |input, number, out| {
    for contact in 0..8 {
        let r = corner(contact, input.fields[1]);
        for (k, axis) in [2, 0, 1].into_iter().enumerate() {
            let n = row_of_rotation(input.q, number, axis);
            let row = [
                n[0],
                n[1],
                n[2],
                r[1] * n[2] - r[2] * n[1],
                r[2] * n[0] - r[0] * n[2],
                r[0] * n[1] - r[1] * n[0],
            ];
            row.into_iter().enumerate().for_each(|(j, x)| out[24 * j + 3 * contact + k] = x);
        }
    }
});
kernel!(CubeContact, 112, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    let one = [input.fields[2], input.fields[3], o, o, i, i, o, o, o, i, o, o, o, o];
    out.chunks_exact_mut(14).for_each(|c| c.copy_from_slice(&one));
});
kernel!(CubeKinetic, 1, |input, number, out| {
    let ([m, a, ..], [u0, u1, u2, w0, w1, w2]) = (input.fields, input.v) else { return };
    let (u, w) = (*u0 * *u0 + *u1 * *u1 + *u2 * *u2, *w0 * *w0 + *w1 * *w1 + *w2 * *w2);
    *out = [number(0.5) * *m * (u + number(2.0 / 3.0) * *a * *a * w)];
});
kernel!(CubePotential, 1, |input, number, out| {
    *out = [input.fields[0] * input.fields[4] * input.q[2]];
});
kernel!(Unlimited6, 42, |input, number, out| {
    let infinite = number(f64::INFINITY);
    let one = [-infinite, infinite, infinite, infinite, number(0.0), number(0.0), number(0.0)];
    out.chunks_exact_mut(7).for_each(|c| c.copy_from_slice(&one));
});

/// A row of R(q).
fn row_of_rotation<S: jourdain::arithmetic::Scalar>(
    q: &[S],
    number: impl Fn(f64) -> S,
    row: usize,
) -> [S; 3] {
    let (x, y, z, w) = (q[3], q[4], q[5], q[6]);
    let (one, two) = (number(1.0), number(2.0));
    match row {
        0 => [one - two * (y * y + z * z), two * (x * y - z * w), two * (x * z + y * w)],
        1 => [two * (x * y + z * w), one - two * (x * x + z * z), two * (y * z - x * w)],
        _ => [two * (x * z - y * w), two * (y * z + x * w), one - two * (x * x + y * y)],
    }
}

fn corner<S: jourdain::arithmetic::Scalar>(k: usize, a: S) -> [S; 3] {
    [0, 1, 2].map(|bit| if k >> bit & 1 == 0 { -a } else { a })
}

robot!(
    Cube { mass, half_edge, friction, restitution, gravity }, (7, 6, 0),
    joints: &[Joint {
        name: "base", family: "floating", q: 0, nq: 7, v: 0, nv: 6, chart: Chart::Pose,
    }],
    contacts: &[contact("corner", 4); 8], requirements: MASS_IS_POSITIVE,
    MassMatrix = CubeMass, BiasForce = CubeBias, KineticEnergy = CubeKinetic,
    PotentialEnergy = CubePotential, PassiveForce = Zero, InputMatrix = Zero, Gap = CubeGap,
    ContactJacobian = CubeJacobian, ContactPoints = Zero, ContactParameters = CubeContact,
    CoordinateParameters = Unlimited6, Requirements = FirstField,
);

/// Anything: six coordinates with ranges and dry friction, and four contacts, all by number.
#[derive(Clone, Debug)]
pub(crate) struct Anything {
    /// A square root of M, (6, 6).
    pub(crate) root: [f64; 36],
    /// Rows of the contacts, (12, 6).
    pub(crate) jacobian: [f64; 72],
    pub(crate) gap: [f64; 4],
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    /// Half the range of each coordinate.
    pub(crate) range: f64,
    pub(crate) dry_friction: f64,
}

kernel!(AnyMass, 36, |input, number, out| {
    for (k, entry) in out.iter_mut().enumerate() {
        *entry = number(if k % 7 == 0 { 0.1 } else { 0.0 });
        for l in 0..6 {
            *entry = *entry + input.fields[6 * (k % 6) + l] * input.fields[6 * (k / 6) + l];
        }
    }
});
kernel!(AnyJacobian, 72, |input, number, out| {
    out.copy_from_slice(&input.fields[36..108]);
});
kernel!(AnyGap, 4, |input, number, out| {
    out.copy_from_slice(&input.fields[108..112]);
});
kernel!(AnyContact, 56, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    let one = [input.fields[112], input.fields[113], o, o, i, i, o, o, o, i, o, o, o, o];
    out.chunks_exact_mut(14).for_each(|c| c.copy_from_slice(&one));
});
kernel!(AnyCoordinate, 42, |input, number, out| {
    let (infinite, range) = (number(f64::INFINITY), input.fields[114]);
    let one = [-range, range, infinite, infinite, input.fields[115], number(0.0), number(0.0)];
    out.chunks_exact_mut(7).for_each(|c| c.copy_from_slice(&one));
});
model!(
    Anything,
    |any: &Anything| {
        let rest = [any.friction, any.restitution, any.range, any.dry_friction];
        [&any.root[..], &any.jacobian, &any.gap, &rest].concat()
    },
    (6, 6, 0), joints: &[joint("any", "any", 6)], contacts: &[contact("any", 6); 4],
    requirements: &[],
    MassMatrix = AnyMass, BiasForce = Zero, KineticEnergy = Zero, PotentialEnergy = Zero,
    PassiveForce = Zero, InputMatrix = Zero, Gap = AnyGap, ContactJacobian = AnyJacobian,
    ContactPoints = Zero, ContactParameters = AnyContact, CoordinateParameters = AnyCoordinate,
    Requirements = Zero,
);
