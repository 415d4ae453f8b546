//! Numeric loops of the runtime, run as kernels are: at the process's level.
//!
//! A computation is written once over its arithmetic. What it calls must be inlined into it, or be a
//! computation that it runs with [`compute_with`]: else that has not the features of the processor.

use core::marker::PhantomData;

use super::level::HasFused;
#[cfg(target_arch = "x86_64")]
use crate::arithmetic::Avx2 as Best;
#[cfg(not(target_arch = "x86_64"))]
use crate::arithmetic::Fused as Best;
use crate::arithmetic::{Arithmetic, Baseline, Call, Ordered};

/// A way of computing with `f64`.
pub(crate) trait Real: Arithmetic<Scalar = f64, Quad: Ordered<4>> {}

impl<A: Arithmetic<Scalar = f64, Quad: Ordered<4>>> Real for A {}

/// A function with its arguments, over its arithmetic.
pub(crate) trait Computation {
    /// What it returns.
    type Output: Default;

    /// Computes it. Always to be inlined.
    fn run<A: Real>(self) -> Self::Output;
}

/// Runs a computation at the process's [`level`](fn@super::level).
#[inline]
pub(crate) fn compute<C: Computation>(computation: C) -> C::Output {
    if !cfg!(debug_assertions) && HasFused::at_this_level().is_some() {
        compute_with::<Best, C>(computation)
    } else {
        compute_with::<Baseline, C>(computation)
    }
}

/// Runs a computation as a function of its own, within one that computes so.
#[inline(always)]
pub(crate) fn compute_with<A: Real, C: Computation>(computation: C) -> C::Output {
    let mut output = C::Output::default();
    A::call((computation, To::<A, C>(&mut output, PhantomData)));
    output
}

/// Where the output goes, and the arithmetic.
struct To<'a, A, C: Computation>(&'a mut C::Output, PhantomData<A>);

/// For a tuple that begins with the computation, so that the function is in the codegen unit of the computation's type.
impl<A: Real, C: Computation> Call for (C, To<'_, A, C>) {
    #[inline(always)]
    fn call(self) {
        let (computation, To(output, _)) = self;
        *output = computation.run::<A>();
    }
}
