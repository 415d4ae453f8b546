//! Small robots, written by hand as the derive macro would write them.

use jourdain::description::*;
use jourdain::kernel::{Input, Kernel};
use jourdain::model::Model;
use jourdain::nalgebra::SMatrix;

/// A kernel of zeros.
pub(crate) enum Zero {}

impl Kernel for Zero {
    fn run<A: jourdain::arithmetic::Arithmetic>(
        _: &Input<'_, A::Scalar>,
        output: &mut [A::Scalar],
    ) {
        output.fill(A::literal(0.0));
    }
}

/// `kernel!(Name, |input, out| body)`: `out` is an array of the stated length.
macro_rules! kernel {
    ($name:ident, $count:expr, |$input:ident, $number:ident, $out:ident| $body:block) => {
        pub(crate) enum $name {}
        impl Kernel for $name {
            #[allow(unused_variables, reason = "not every kernel reads its input")]
            fn run<A: jourdain::arithmetic::Arithmetic>(
                $input: &Input<'_, A::Scalar>,
                output: &mut [A::Scalar],
            ) {
                let $number = A::literal;
                let Some($out) = output.first_chunk_mut::<{ $count }>() else { return };
                $body
            }
        }
    };
}

/// `robot!(Name { fields }, (nq, nv, nu), …)`: a struct of numbers that is a model.
macro_rules! robot {
    ($name:ident { $($field:ident),* }, $($rest:tt)*) => {
        #[derive(Clone, Debug)]
        pub(crate) struct $name { $(pub(crate) $field: f64),* }
        model!($name, |robot: &$name| vec![$(robot.$field),*], $($rest)*);
    };
}

/// `model!(Name, fields, (nq, nv, nu), joints: …, contacts: …, requirements: …, Quantity = Kernel …)`.
macro_rules! model {
    (
        $name:ident, $fields:expr, ($nq:expr, $nv:expr, $nu:expr),
        joints: $joints:expr, contacts: $contacts:expr, requirements: $requirements:expr,
        $($quantity:ident = $kernel:ty),* $(,)?
    ) => {
        impl Model for $name {
            type Q = SMatrix<f64, { $nq }, 1>;
            type V = SMatrix<f64, { $nv }, 1>;
            type U = SMatrix<f64, { $nu }, 1>;
            type Mass = SMatrix<f64, { $nv }, { $nv }>;
            type Input = SMatrix<f64, { $nv }, { $nu }>;
            type Fields = Vec<f64>;
            $(type $quantity = $kernel;)*
            type CoriolisMatrix = Zero;
            type GravityForce = Zero;
            type InverseDynamics = Zero;
            type ForwardDynamics = Zero;
            type CenterOfMass = Zero;
            type Momentum = Zero;
            type LinkPoses = Zero;
            type ContactBias = Zero;
            const NAME: &'static str = stringify!($name);
            const NQ: usize = $nq;
            const NV: usize = $nv;
            const NU: usize = $nu;
            const JOINTS: &'static [Joint] = $joints;
            const LINKS: &'static [Link] = &[Link { name: "body", parent: None }];
            const FRAMES: &'static [Frame] = &[Frame { name: "hand", link: 0 }];
            const CONTACTS: &'static [Contact] = $contacts;
            const INPUTS: &'static [&'static str] = &["drive"; $nu];
            const REQUIREMENTS: &'static [Requirement] = $requirements;
            const OPERATIONS: &'static [(&'static str, Operations)] = &[];

            fn fields(&self) -> Vec<f64> {
                ($fields)(self)
            }
            fn write_frame_pose(&self, _: usize, _: &Input<'_, f64>, output: &mut [f64]) {
                let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                output.copy_from_slice(&identity);
            }
            /// The frame moves with the first three coordinates.
            fn write_frame_jacobian(&self, _: usize, _: &Input<'_, f64>, output: &mut [f64]) {
                output.fill(0.0);
                output.chunks_mut(6).take(3).enumerate().for_each(|(i, column)| column[i] = 1.0);
            }
            fn write_frame_bias(&self, _: usize, _: &Input<'_, f64>, output: &mut [f64]) {
                output.fill(0.0);
            }
        }
    };
}

const fn joint(name: &'static str, family: &'static str, n: usize) -> Joint {
    Joint { name, family, q: 0, nq: n, v: 0, nv: n, chart: Chart::Vector }
}

const fn contact(name: &'static str, directions: usize) -> Contact {
    Contact { name, link: 0, directions }
}

const MASS_IS_POSITIVE: &[Requirement] =
    &[Requirement { quantity: "the mass of link `body`", bound: Bound::Positive }];

kernel!(FirstField, 1, |input, number, out| {
    *out = [input.fields[0]];
});
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
kernel!(WallContact, 11, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [o, input.fields[1], i, o, o, o, i, o, o, o, i];
});
kernel!(WallKinetic, 1, |input, number, out| {
    *out = [number(0.5) * input.fields[0] * input.v[0] * input.v[0]];
});
kernel!(Unlimited1, 5, |input, number, out| {
    let infinite = number(f64::INFINITY);
    *out = [-infinite, infinite, infinite, infinite, number(0.0)];
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
kernel!(SliderCoordinate, 5, |input, number, out| {
    let infinite = number(f64::INFINITY);
    *out = [input.fields[1], input.fields[2], infinite, number(10.0), input.fields[3]];
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
kernel!(PointContact, 11, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [input.fields[1], input.fields[2], o, o, i, i, o, o, o, i, o];
});
kernel!(Unlimited3, 15, |input, number, out| {
    let infinite = number(f64::INFINITY);
    let one = [-infinite, infinite, infinite, infinite, number(0.0)];
    out.chunks_exact_mut(5).for_each(|c| c.copy_from_slice(&one));
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
kernel!(BallContact, 11, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    *out = [input.fields[2], input.fields[3], o, o, i, i, o, o, o, i, o];
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
kernel!(CubeContact, 88, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    let one = [input.fields[2], input.fields[3], o, o, i, i, o, o, o, i, o];
    out.chunks_exact_mut(11).for_each(|c| c.copy_from_slice(&one));
});
kernel!(CubeKinetic, 1, |input, number, out| {
    let ([m, a, ..], [u0, u1, u2, w0, w1, w2]) = (input.fields, input.v) else { return };
    let (u, w) = (*u0 * *u0 + *u1 * *u1 + *u2 * *u2, *w0 * *w0 + *w1 * *w1 + *w2 * *w2);
    *out = [number(0.5) * *m * (u + number(2.0 / 3.0) * *a * *a * w)];
});
kernel!(CubePotential, 1, |input, number, out| {
    *out = [input.fields[0] * input.fields[4] * input.q[2]];
});
kernel!(Unlimited6, 30, |input, number, out| {
    let infinite = number(f64::INFINITY);
    let one = [-infinite, infinite, infinite, infinite, number(0.0)];
    out.chunks_exact_mut(5).for_each(|c| c.copy_from_slice(&one));
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
kernel!(AnyContact, 44, |input, number, out| {
    let (o, i) = (number(0.0), number(1.0));
    let one = [input.fields[112], input.fields[113], o, o, i, i, o, o, o, i, o];
    out.chunks_exact_mut(11).for_each(|c| c.copy_from_slice(&one));
});
kernel!(AnyCoordinate, 30, |input, number, out| {
    let (infinite, range) = (number(f64::INFINITY), input.fields[114]);
    let one = [-range, range, infinite, infinite, input.fields[115]];
    out.chunks_exact_mut(5).for_each(|c| c.copy_from_slice(&one));
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
