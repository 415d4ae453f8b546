//! Generated kernels and how they are run.
//!
//! The derive macro emits one body per quantity, generic over its [`Arithmetic`] and always
//! inlined. [`evaluate`] instantiates it behind a trampoline that carries the target features, and
//! chooses the level once per process by what the processor has. Generated code therefore contains
//! neither `unsafe` nor a feature test, and a default build reaches the speed of a native one.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::arithmetic::{Arithmetic, Fused, Plain};

/// What a kernel reads; every slice has the length that the model states.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a, S> {
    /// What was prepared from the struct's fields, see [`Model::prepare`](crate::Model::prepare).
    pub fields: &'a [S],
    /// Configuration (nq).
    pub q: &'a [S],
    /// Velocity (nv).
    pub v: &'a [S],
    /// Acceleration v̇ (nv) of inverse dynamics, generalised force τ (nv) of forward dynamics.
    pub a: &'a [S],
}

/// One generated quantity.
///
/// Matrices are written column by column. A slice that is too short leaves the output unchanged;
/// the safe methods of [`Model`](crate::Model) make that impossible.
pub trait Kernel {
    /// Computes the quantity into `output`.
    fn run<A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]);
}

/// How kernels are computed in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Level {
    /// Every operation rounded on its own.
    Plain = 1,
    /// With fused multiply-add (and AVX2 on x86-64).
    Fused = 2,
}

const UNDECIDED: u8 = 0;
static LEVEL: AtomicU8 = AtomicU8::new(UNDECIDED);

/// The level that kernels run at: the best that the processor has unless [`fix_level`] said
/// otherwise.
#[inline]
pub fn level() -> Level {
    known(LEVEL.load(Ordering::Relaxed)).unwrap_or_else(decide)
}

fn known(stored: u8) -> Option<Level> {
    match stored {
        1 => Some(Level::Plain),
        2 => Some(Level::Fused),
        _ => None,
    }
}

/// Fixes the level for the whole process, so that results are the same bits on machines of
/// different abilities; returns the level that is now in force, which is `Plain` where the
/// processor lacks what was asked for.
pub fn fix_level(wanted: Level) -> Level {
    let level = if best() == Level::Fused { wanted } else { Level::Plain };
    LEVEL.store(level as u8, Ordering::Relaxed);
    level
}

/// A level that another thread has fixed in the meantime stays.
#[cold]
fn decide() -> Level {
    let best = best();
    let decided =
        LEVEL.compare_exchange(UNDECIDED, best as u8, Ordering::Relaxed, Ordering::Relaxed);
    decided.err().and_then(known).unwrap_or(best)
}

/// Debug builds stay at one level, so that each kernel is compiled once.
fn best() -> Level {
    if !cfg!(debug_assertions) && has_fused() { Level::Fused } else { Level::Plain }
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn has_fused() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
}

#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
fn has_fused() -> bool {
    // Without `std`, a fused multiply-add would be a function of many instructions.
    cfg!(all(target_arch = "aarch64", feature = "std"))
}

/// Runs a kernel on `f64` at the process's [`level`].
#[inline]
pub fn evaluate<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
    if !cfg!(debug_assertions) && level() == Level::Fused {
        trampoline::fused::<K>(input, output);
    } else {
        plain::<K>(input, output);
    }
}

/// What the kernel `K` prepares from the struct's fields, in order, for all other kernels.
#[inline]
pub fn prepare<K: Kernel, const N: usize>(fields: &[f64]) -> [f64; N] {
    let mut numbers = [f64::NAN; N];
    evaluate::<K>(&Input { fields, q: &[], v: &[], a: &[] }, &mut numbers);
    numbers
}

/// Not inlined, so that a kernel's thousands of statements exist once in a program.
#[inline(never)]
fn plain<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
    K::run::<Plain>(input, output);
}

/// The one place of the runtime that needs `unsafe`: a call of a function whose target features
/// were detected before.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "a function with target features is entered after detecting them")]
mod trampoline {
    use super::{Fused, Input, Kernel};

    #[inline(always)]
    pub(super) fn fused<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
        // SAFETY: `Level::Fused` is stored by `fix_level` only where `best` found avx2 and fma.
        unsafe { with_features::<K>(input, output) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn with_features<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
        K::run::<Fused>(input, output);
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod trampoline {
    use super::{Fused, Input, Kernel};

    #[inline(never)]
    pub(super) fn fused<K: Kernel>(input: &Input<'_, f64>, output: &mut [f64]) {
        K::run::<Fused>(input, output);
    }
}
