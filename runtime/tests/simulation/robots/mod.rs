//! Small robots, written by hand as the derive macro would write them.

use jourdain::description::*;
use jourdain::kernel::{Input, Kernel};

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
        impl jourdain::quantities::Quantities for $name {
            $(type $quantity = $kernel;)*
            type Preparation = Zero;
            type CoriolisMatrix = Zero;
            type GravityForce = Zero;
            type InverseDynamics = Zero;
            type ForwardDynamics = Zero;
            type TotalMass = Zero;
            type Gravity = Zero;
            type CenterOfMass = Zero;
            type Momentum = Zero;
            type GeneralizedMomentum = Zero;
            type LinkPoses = Zero;
            type ContactBias = Zero;
            type Constraint = Zero;
            type ConstraintRate = Zero;
            type ConstraintJacobian = Zero;
            type ConstraintBias = Zero;
            type ConstraintPoints = Zero;
            type ConstraintParameters = Zero;
            type ConstrainedDynamics = Zero;
            type ConstrainedImpact = Zero;
            type ContactDynamics = Zero;
            type ContactResponse = Zero;
            type ContactMomentum = Zero;
            type Limit = Zero;
            type LimitJacobian = Zero;
            type LimitBias = Zero;
            type SpringParameters = Zero;
            type SpringSpans = Zero;
            type ContactFrames = Zero;
            type ShapeParameters = Zero;
            type PairParameters = Zero;
            type JointColumns = Zero;
        }

        impl Model for $name {
            type Q = SMatrix<f64, { $nq }, 1>;
            type V = SMatrix<f64, { $nv }, 1>;
            type U = SMatrix<f64, { $nu }, 1>;
            type Mass = SMatrix<f64, { $nv }, { $nv }>;
            type Input = SMatrix<f64, { $nv }, { $nu }>;
            type Fields = Vec<f64>;
            const NAME: &'static str = stringify!($name);
            const NQ: usize = $nq;
            const NV: usize = $nv;
            const NU: usize = $nu;
            const NC: usize = 0;
            const JOINTS: &'static [Joint] = $joints;
            const LINKS: &'static [Link] = &[Link { name: "body", parent: None }];
            const BODIES: &'static [usize] = &[0];
            const HELD_ROWS: usize = 0;
            const FRAMES: &'static [Frame] = &[Frame { name: "hand", link: 0, held: false }];
            const CONTACTS: &'static [Contact] = $contacts;
            const MOBILITY: Option<usize> = None;
            const PARENTS: &'static [Option<usize>] = &[];
            const ALIKE: &'static [&'static [usize]] = &[];
            const CONSTRAINTS: &'static [Constraint] = &[];
            const LIMITS: &'static [Limit] = &[];
            const SHAPES: &'static [Shape] = &[];
            const PAIRS: &'static [Pair] = &[];
            const COLUMNS: &'static [usize] = &[];
            const SUPPORTS: &'static [&'static [usize]] = &[];
            const INPUTS: &'static [&'static str] = &["drive"; $nu];
            const REQUIREMENTS: &'static [Requirement] = $requirements;
            const OPERATIONS: &'static [(&'static str, Operations)] = &[];

            fn fields(&self) -> Vec<f64> {
                ($fields)(self)
            }
            fn with_prepared<T>(&self, read: impl FnOnce(&[f64]) -> T) -> T {
                read(&self.fields())
            }
            /// The frame moves with the first three coordinates.
            fn write_frame(
                _: usize,
                quantity: FrameQuantity,
                _: &Input<'_, f64>,
                output: &mut [f64],
            ) {
                output.fill(0.0);
                let ones: &[usize] = match quantity {
                    FrameQuantity::Pose => &[0, 4, 8],
                    FrameQuantity::Jacobian => &[0, 7, 14],
                    FrameQuantity::Bias => &[],
                };
                for &k in ones {
                    // A robot may have fewer than three coordinates.
                    if let Some(number) = output.get_mut(k) {
                        *number = 1.0;
                    }
                }
            }
        }
    };
}

const fn joint(name: &'static str, family: &'static str, n: usize) -> Joint {
    Joint { name, family, q: 0, nq: n, v: 0, nv: n, chart: Chart::Vector }
}

const fn contact(name: &'static str, directions: usize) -> Contact {
    Contact { name, link: 0, other: None, directions, turns: false, coordinates: &[] }
}

const MASS_IS_POSITIVE: &[Requirement] =
    &[Requirement { quantity: "the mass of link `body`", bound: Bound::Positive }];

kernel!(FirstField, 1, |input, number, out| {
    *out = [input.fields[0]];
});

mod small;
mod spatial;

pub(crate) use small::{Ball, Point, Rock, Slider, Wall};
pub(crate) use spatial::{Anything, Cube};
