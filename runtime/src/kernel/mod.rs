//! Generated kernels and how they are run.
//!
//! The derive macro emits one body per quantity, generic over its [`Arithmetic`] and always
//! inlined. [`evaluate`] instantiates it behind a trampoline that carries the target features, and
//! chooses the level once per process by what the processor has. Generated code therefore contains
//! neither `unsafe` nor a feature test, and a default build reaches the speed of a native one. The
//! same is done for single precision and for several states at once by [`Number::evaluate`].

mod compute;
mod lanes;
mod level;
mod number;
mod part;
#[cfg(target_arch = "x86_64")]
mod trampoline;

use crate::arithmetic::Arithmetic;

pub use lanes::{F32x16, F64x8};
pub use level::{Level, fix_level, level};
pub use number::Number;
pub use part::{Part, Workspace, run_part, run_parts};

pub(crate) use compute::{Computation, Real, compute, compute_with};
pub(crate) use lanes::LaneArray;

/// What a kernel reads; every slice has the length that the model states.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a, S> {
    /// What was prepared from the struct's fields, see [`Model::prepare`](crate::Model::prepare).
    pub fields: &'a [S],
    /// Configuration (nq).
    pub q: &'a [S],
    /// Velocity (nv).
    pub v: &'a [S],
    /// Acceleration v̇ (nv) of inverse dynamics, generalised force τ (nv) of forward dynamics; y₀ (nv) of the response to
    /// contacts, Δv (nv) of their momentum.
    pub a: &'a [S],
    /// Time (1), for quantities of constraints.
    pub t: &'a [S],
    /// Of each row that may hold, 1 if it does and 0 if not, for constrained dynamics; for response and
    /// momentum of contacts, the numbers of contact dynamics.
    pub holds: &'a [S],
    /// What each of these rows is asked for beyond what it asks for itself; for contact dynamics, the inertia
    /// that is added to each coordinate (nv); for the response to contacts, the impulse of each (3).
    pub asked: &'a [S],
}

impl<S> Default for Input<'_, S> {
    /// Nothing at all.
    fn default() -> Self {
        Self { fields: &[], q: &[], v: &[], a: &[], t: &[], holds: &[], asked: &[] }
    }
}

/// One generated quantity.
///
/// Matrices are written column by column. A slice that is too short leaves the output unchanged;
/// the safe methods of [`Model`](crate::Model) make that impossible.
pub trait Kernel {
    /// Whether it has at hand so many vectors that it is also compiled for the thirty-two registers of AVX-512, of 256 bits
    /// each: those of AVX2 are half as many.
    const IS_WIDE: bool = false;
    /// How many numbers its parts hand on, if it is in parts. With room for just so many behind the outputs it makes none.
    const ROOM: usize = 0;

    /// Computes the quantity into `output`.
    fn run<A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]);
}

/// The kernel of what a robot has not: it writes nothing.
#[derive(Debug)]
pub enum Nothing {}

impl Kernel for Nothing {
    fn run<A: Arithmetic>(_: &Input<'_, A::Scalar>, _: &mut [A::Scalar]) {}
}

/// Runs a kernel on `f64` at the process's [`level`].
#[inline]
pub fn evaluate<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
    f64::evaluate::<K>(input, output);
}

/// What the kernel `K` prepares from the struct's fields, in order, for all other kernels.
#[inline]
pub fn prepare<K: Kernel, const N: usize>(fields: &[f64]) -> [f64; N] {
    let mut numbers = [f64::NAN; N];
    evaluate::<K>(&Input { fields, ..Input::default() }, &mut numbers);
    numbers
}

/// Runs a kernel with a given arithmetic.
///
/// Any type that implements [`Arithmetic`] will do, so that one description gives derivatives,
/// intervals or other precisions as well. Here, dual numbers differentiate a robot's energy:
///
/// ```
/// use core::ops::{Add, Div, Mul, Neg, Sub};
/// use jourdain::arithmetic::{Arithmetic, Array};
/// use jourdain::kernel::{Input, evaluate_with};
/// use jourdain::prelude::*;
/// use jourdain::quantities::Quantities;
///
/// /// x + x′ε with ε² = 0.
/// #[derive(Clone, Copy, Debug)]
/// struct Dual(f64, f64);
///
/// impl Add for Dual {
///     type Output = Self;
///     fn add(self, b: Self) -> Self { Dual(self.0 + b.0, self.1 + b.1) }
/// }
/// impl Sub for Dual {
///     type Output = Self;
///     fn sub(self, b: Self) -> Self { Dual(self.0 - b.0, self.1 - b.1) }
/// }
/// impl Mul for Dual {
///     type Output = Self;
///     fn mul(self, b: Self) -> Self { Dual(self.0 * b.0, self.1 * b.0 + self.0 * b.1) }
/// }
/// impl Div for Dual {
///     type Output = Self;
///     fn div(self, b: Self) -> Self {
///         let quotient = self.0 / b.0;
///         Dual(quotient, (self.1 - quotient * b.1) / b.0)
///     }
/// }
/// impl Neg for Dual {
///     type Output = Self;
///     fn neg(self) -> Self { Dual(-self.0, -self.1) }
/// }
///
/// enum Differentiate {}
///
/// impl Arithmetic for Differentiate {
///     type Scalar = Dual;
///     type Pair = Array<Self, 2>;
///     type Quad = Array<Self, 4>;
///     fn literal(x: f64) -> Dual { Dual(x, 0.0) }
///     fn mul_add(a: Dual, b: Dual, c: Dual) -> Dual { a * b + c }
///     fn sqrt(x: Dual) -> Dual { Dual(x.0.sqrt(), 0.5 * x.1 / x.0.sqrt()) }
///     fn sin_cos<const N: usize>(angles: [Dual; N]) -> ([Dual; N], [Dual; N]) {
///         (
///             angles.map(|x| Dual(x.0.sin(), x.0.cos() * x.1)),
///             angles.map(|x| Dual(x.0.cos(), -x.0.sin() * x.1)),
///         )
///     }
/// }
///
/// /// A point on a rod of one metre.
/// #[derive(Robot)]
/// #[robot(
///     link(point, mass = 2, com = [0, 0, -1]),
///     joint(pivot, revolute(world -> point), axis = [0, 1, 0]),
/// )]
/// struct Pendulum;
///
/// type Energy = <Pendulum as Quantities>::PotentialEnergy;
/// let angle = [Dual(0.5, 1.0)];
/// let mut energy = [Dual(0.0, 0.0)];
/// let input = Input { q: &angle, ..Input::default() };
/// evaluate_with::<Energy, Differentiate>(&input, &mut energy);
/// assert!((energy[0].1 - 2.0 * 9.81 * f64::sin(0.5)).abs() < 1e-12);
/// ```
///
/// Not inlined, so that a kernel's thousands of statements exist once in a program.
#[inline(never)]
pub fn evaluate_with<K: Kernel, A: Arithmetic>(
    input: &Input<'_, A::Scalar>,
    output: &mut [A::Scalar],
) {
    K::run::<A>(input, output);
}
