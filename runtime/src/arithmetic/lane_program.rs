//! What a kernel does alike in all lanes.
//!
//! Between the places where limbs meet, a kernel does the same in every lane, with numbers that all
//! lanes share, *uniform* ones, and numbers of which each lane has its own, *varying* ones (M. Pharr,
//! W. R. Mark, *ispc: A SPMD Compiler for High-Performance CPU Programming*, 2012). An arithmetic with
//! registers for all lanes of one state runs such a program once. Where every lane fills registers by
//! itself, running it for one lane after the other keeps more values in registers: inverse dynamics of
//! a quadruped at eight states then has half of its loads and stores, and takes 13 % less time.

use core::marker::PhantomData;

use super::{Arithmetic, Array, Lanes, Scalar};

/// A stretch of a kernel that is alike in all K lanes: it reads `S` uniform and `I` varying numbers,
/// results in `R` varying ones, and writes outputs of a kernel that has `N`. Generated code implements
/// it.
pub trait LaneProgram<
    A: Arithmetic,
    const K: usize,
    const S: usize,
    const I: usize,
    const R: usize,
    const N: usize,
>
{
    /// Runs it for one lane, or for all of them at once.
    fn run<V: Varying<A, K>>(
        lane: V::Lane,
        uniform: &[A::Scalar; S],
        varying: &[V::All; I],
        results: &mut [V::All; R],
        output: &mut [A::Scalar; N],
    );
}

/// A way to compute with varying numbers: lane by lane, or all lanes at once.
pub trait Varying<A: Arithmetic, const K: usize> {
    /// A number of one lane, or of all.
    type Value: Scalar;
    /// Which lane it is.
    type Lane: Copy;
    /// A number in all lanes.
    type All;

    /// The numbers nearest to `x`.
    fn literal(lane: Self::Lane, x: &'static [f64; K]) -> Self::Value;

    /// A uniform number.
    fn splat(x: A::Scalar) -> Self::Value;

    /// Reads a varying number.
    fn load(lane: Self::Lane, all: &Self::All) -> Self::Value;

    /// Makes it a result.
    fn keep(lane: Self::Lane, x: Self::Value, all: &mut Self::All);

    /// Writes the outputs of all lanes one after the other, from a place on.
    fn put<const N: usize>(
        lane: Self::Lane,
        x: Self::Value,
        output: &mut [A::Scalar; N],
        first: usize,
    );

    /// Writes the output of each lane into its place.
    fn write<const N: usize>(
        lane: Self::Lane,
        x: Self::Value,
        output: &mut [A::Scalar; N],
        places: &'static [usize; K],
    );

    /// a·b + c, rounded once or twice as the arithmetic says.
    fn mul_add(a: Self::Value, b: Self::Value, c: Self::Value) -> Self::Value;

    /// The square root; NaN for a negative number.
    fn sqrt(x: Self::Value) -> Self::Value;
}

/// Results with which a program still runs lane by lane. They wait in memory for the last lane, and
/// more of them, with what a kernel reads and writes, than the nearest cache holds: M⁻¹ of a quadruped,
/// whose first program has 64, would take a quarter longer.
const MOST_RESULTS: usize = 40;

/// All lanes at once. Inlined as registers are, so that LLVM simplifies what it copies.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtOnce<L>(PhantomData<L>);

impl<A: Arithmetic, const K: usize, L: Lanes<K, Scalar = A::Scalar>> Varying<A, K> for AtOnce<L> {
    type Value = L;
    type Lane = ();
    type All = L;

    #[inline]
    fn literal((): (), x: &'static [f64; K]) -> L {
        L::literal(*x)
    }

    #[inline]
    fn splat(x: A::Scalar) -> L {
        L::splat(x)
    }

    #[inline]
    fn load((): (), all: &L) -> L {
        *all
    }

    #[inline]
    fn keep((): (), x: L, all: &mut L) {
        *all = x;
    }

    #[inline]
    fn put<const N: usize>((): (), x: L, output: &mut [A::Scalar; N], first: usize) {
        x.put(output, first);
    }

    #[inline]
    fn write<const N: usize>(
        (): (),
        x: L,
        output: &mut [A::Scalar; N],
        places: &'static [usize; K],
    ) {
        let x = x.unpack();
        // A loop would have to be unrolled first, which takes LLVM long.
        put(output, places[0], x[0]);
        put(output, places[1], x[1]);
        if K == 4 {
            put(output, places[2], x[2]);
            put(output, places[3], x[3]);
        }
    }

    #[inline]
    fn mul_add(a: L, b: L, c: L) -> L {
        a.mul_add(b, c)
    }

    #[inline]
    fn sqrt(x: L) -> L {
        x.sqrt()
    }
}

/// Writes to a place that exists.
#[inline(always)]
fn put<S, const N: usize>(output: &mut [S; N], place: usize, x: S) {
    if place < N {
        output[place] = x;
    }
}

/// One lane, which is below K.
#[derive(Clone, Copy, Debug)]
enum OneLane {}

impl<A: Arithmetic, const K: usize> Varying<A, K> for OneLane {
    type Value = A::Scalar;
    type Lane = usize;
    type All = Array<A, K>;

    #[inline(always)]
    fn literal(lane: usize, x: &'static [f64; K]) -> A::Scalar {
        A::literal(x[lane])
    }

    #[inline(always)]
    fn splat(x: A::Scalar) -> A::Scalar {
        x
    }

    #[inline(always)]
    fn load(lane: usize, all: &Array<A, K>) -> A::Scalar {
        all.0[lane]
    }

    #[inline(always)]
    fn keep(lane: usize, x: A::Scalar, all: &mut Array<A, K>) {
        all.0[lane] = x;
    }

    #[inline(always)]
    fn put<const N: usize>(lane: usize, x: A::Scalar, output: &mut [A::Scalar; N], first: usize) {
        put(output, first + lane, x);
    }

    #[inline(always)]
    fn write<const N: usize>(
        lane: usize,
        x: A::Scalar,
        output: &mut [A::Scalar; N],
        places: &'static [usize; K],
    ) {
        put(output, places[lane], x);
    }

    #[inline(always)]
    fn mul_add(a: A::Scalar, b: A::Scalar, c: A::Scalar) -> A::Scalar {
        A::mul_add(a, b, c)
    }

    #[inline(always)]
    fn sqrt(x: A::Scalar) -> A::Scalar {
        A::sqrt(x)
    }
}

/// Runs a program for all lanes at once.
#[inline(always)]
pub(super) fn at_once<
    A: Arithmetic,
    L: Lanes<K, Scalar = A::Scalar>,
    P: LaneProgram<A, K, S, I, R, N>,
    const K: usize,
    const S: usize,
    const I: usize,
    const R: usize,
    const N: usize,
>(
    uniform: &[A::Scalar; S],
    varying: &[L; I],
    output: &mut [A::Scalar; N],
) -> [L; R] {
    let mut results = [L::splat(A::literal(0.0)); R];
    P::run::<AtOnce<L>>((), uniform, varying, &mut results, output);
    results
}

/// Runs a program for one lane after the other, unless it has too many results.
#[inline(always)]
pub(super) fn lane_by_lane<
    A: Arithmetic,
    P: LaneProgram<A, K, S, I, R, N>,
    const K: usize,
    const S: usize,
    const I: usize,
    const R: usize,
    const N: usize,
>(
    uniform: &[A::Scalar; S],
    varying: &[Array<A, K>; I],
    output: &mut [A::Scalar; N],
) -> [Array<A, K>; R]
where
    Array<A, K>: Lanes<K, Scalar = A::Scalar>,
{
    if R > MOST_RESULTS {
        return at_once::<A, _, P, K, S, I, R, N>(uniform, varying, output);
    }
    let mut results = [Array([A::literal(0.0); K]); R];
    // A loop would keep what it reads and its results in memory.
    P::run::<OneLane>(0, uniform, varying, &mut results, output);
    P::run::<OneLane>(1, uniform, varying, &mut results, output);
    if K == 4 {
        P::run::<OneLane>(2, uniform, varying, &mut results, output);
        P::run::<OneLane>(3, uniform, varying, &mut results, output);
    }
    results
}

#[cfg(test)]
mod tests;
