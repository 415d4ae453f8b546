//! Parts of a kernel that is too long for one function.
//!
//! The time that LLVM takes for a function grows faster than its length. A long kernel is therefore a
//! sequence of functions, which hand on what later ones read in a [`Workspace`]. Each is entered as its
//! kernel is: inlined into a function that has the features of the processor.

use core::marker::PhantomData;

use super::Input;
use crate::arithmetic::{Arithmetic, Call};

/// A part of a kernel.
pub trait Part {
    /// Reads what earlier parts have kept, keeps what later ones read, and writes some of the outputs.
    fn run<A: Arithmetic>(
        input: &Input<'_, A::Scalar>,
        kept: &mut Workspace<'_, A>,
        output: &mut [A::Scalar],
    );
}

/// Values that the parts of a kernel hand on.
#[derive(Debug)]
pub struct Workspace<'a, A: Arithmetic> {
    /// Single numbers.
    pub scalars: &'a mut [A::Scalar],
    /// Numbers by two.
    pub pairs: &'a mut [A::Pair],
    /// Numbers by four.
    pub quads: &'a mut [A::Quad],
}

/// Runs a part as a function of its own.
#[inline(always)]
pub fn run_part<P: Part, A: Arithmetic>(
    input: &Input<'_, A::Scalar>,
    kept: &mut Workspace<'_, A>,
    output: &mut [A::Scalar],
) {
    A::call(PartCall { input, kept, output, part: PhantomData::<P> });
}

struct PartCall<'a, 'k, P, A: Arithmetic> {
    input: &'a Input<'a, A::Scalar>,
    kept: &'a mut Workspace<'k, A>,
    output: &'a mut [A::Scalar],
    part: PhantomData<P>,
}

impl<P: Part, A: Arithmetic> Call for PartCall<'_, '_, P, A> {
    #[inline(always)]
    fn call(self) {
        P::run::<A>(self.input, self.kept, self.output);
    }
}
