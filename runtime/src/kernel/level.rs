//! How kernels are computed in this process: chosen once, by what the processor has.

use core::sync::atomic::{AtomicU8, Ordering};

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

/// Proof that the processor has fused multiply-add (and AVX2 on x86-64).
#[derive(Clone, Copy, Debug)]
pub(super) struct HasFused(());

impl HasFused {
    /// The proof, if kernels are to be run so.
    #[inline]
    pub(super) fn at_this_level() -> Option<Self> {
        // The level is stored only after the processor was asked.
        (level() == Level::Fused).then_some(Self(()))
    }

    /// The proof, whatever the level is.
    #[cfg(all(test, target_arch = "x86_64"))]
    pub(super) fn of_this_processor() -> Option<Self> {
        has_fused().then_some(Self(()))
    }
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

/// Whether registers of 512 bits can be used, and thirty-two of 256. They give the same bits as two of 256, and as sixteen.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn has_avx512() -> bool {
    #[cfg(feature = "std")]
    return std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512vl");
    #[cfg(not(feature = "std"))]
    false
}
