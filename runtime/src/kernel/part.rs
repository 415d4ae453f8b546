//! Parts of a kernel that is too long for one function.
//!
//! The time that LLVM takes for a function grows faster than its length. A long kernel is therefore a
//! sequence of functions, which hand on what later ones read in a [`Workspace`]. Each is entered as its
//! kernel is: inlined into a function that has the features of the processor. The workspace is what the caller leaves
//! behind the outputs: one that is made for a call has to be filled with zeros that nothing reads.

use core::marker::PhantomData;

use super::Input;
use crate::arithmetic::{Arithmetic, Call};

/// A part of a kernel.
pub trait Part {
    /// Reads what earlier parts have kept, keeps what later ones read, and writes some of the outputs.
    fn run<A: Arithmetic>(
        input: &Input<'_, A::Scalar>,
        kept: &mut Workspace<'_, A::Scalar>,
        output: &mut [A::Scalar],
    );
}

/// Values that the parts of a kernel hand on.
#[derive(Debug)]
pub struct Workspace<'a, S> {
    /// Single numbers.
    pub scalars: &'a mut [S],
    /// Numbers by two.
    pub pairs: &'a mut [[S; 2]],
    /// Numbers by four.
    pub quads: &'a mut [[S; 4]],
}

impl<'a, S> Workspace<'a, S> {
    /// So many numbers by four and by two, and then single ones.
    #[inline(always)]
    fn new(room: &'a mut [S], quads: usize, pairs: usize) -> Self {
        let (quads, rest) = room.split_at_mut(4 * quads);
        let (pairs, scalars) = rest.split_at_mut(2 * pairs);
        Self { scalars, pairs: pairs.as_chunks_mut().0, quads: quads.as_chunks_mut().0 }
    }
}

/// Runs the parts of a kernel of so many outputs, which hand on `ROOM` numbers: so many by four, so many by two, and single
/// ones. Only an output with just this room behind it is written beyond its end.
#[inline(always)]
pub fn run_parts<A: Arithmetic, const OUTPUTS: usize, const ROOM: usize>(
    output: &mut [A::Scalar],
    [quads, pairs]: [usize; 2],
    run: impl FnOnce(&mut Workspace<'_, A::Scalar>, &mut [A::Scalar]),
) {
    let mut own;
    let (output, room) = if output.len() == OUTPUTS + ROOM {
        output.split_at_mut(OUTPUTS)
    } else {
        own = [A::literal(0.0); ROOM];
        (output, &mut own[..])
    };
    run(&mut Workspace::new(room, quads, pairs), output);
}

/// Runs a part as a function of its own.
#[inline(always)]
pub fn run_part<P: Part, A: Arithmetic>(
    input: &Input<'_, A::Scalar>,
    kept: &mut Workspace<'_, A::Scalar>,
    output: &mut [A::Scalar],
) {
    A::call(PartCall::<P, A> { input, kept, output, part: PhantomData::<P> });
}

struct PartCall<'a, 'k, P, A: Arithmetic> {
    input: &'a Input<'a, A::Scalar>,
    kept: &'a mut Workspace<'k, A::Scalar>,
    output: &'a mut [A::Scalar],
    part: PhantomData<P>,
}

impl<P: Part, A: Arithmetic> Call for PartCall<'_, '_, P, A> {
    #[inline(always)]
    fn call(self) {
        P::run::<A>(self.input, self.kept, self.output);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;

    /// Parts that hand on a four, a pair and a number, and write two outputs.
    fn run(output: &mut [f64]) {
        run_parts::<Baseline, 2, 7>(output, [1, 1], |kept, output| {
            (kept.quads[0], kept.pairs[0], kept.scalars[0]) =
                ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0], 7.0);
            let [a, b, ..] = output else { return };
            *a = kept.quads[0].iter().chain(&kept.pairs[0]).sum();
            *b = kept.scalars[0];
        });
    }

    #[test]
    fn parts_write_beyond_their_outputs_where_there_is_just_the_room() {
        for length in [2, 3, 8, 9, 10, 20] {
            let mut output = [f64::NAN; 20];
            run(&mut output[..length]);
            assert_eq!(output[..2], [21.0, 7.0], "{length}");
            let beyond = output[2..].iter().filter(|x| !x.is_nan()).count();
            assert_eq!(beyond, if length == 9 { 7 } else { 0 }, "{length}");
        }
    }
}
