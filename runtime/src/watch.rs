//! Searches that can be watched, and stopped.
//!
//! A solver tells what it has done once in an iteration, and goes on or stops as it is answered. What it has found by then
//! is in the error that it returns.
//!
//! ```
//! use core::ops::ControlFlow;
//! use jourdain::lcp::{self, gauss_seidel, boxed::Problem};
//! use jourdain::watch::Progress;
//!
//! let (lo, hi) = ([0.0; 2], [f64::INFINITY; 2]);
//! let problem = Problem { a: &[1.0, 0.999, 0.999, 1.0], b: &[-1.0, -1.0], lo: &lo, hi: &hi };
//! let mut workspace = gauss_seidel::Workspace::default();
//! let mut after_three = |progress: &Progress| match progress.iterations {
//!     0..3 => ControlFlow::Continue(()),
//!     _ => ControlFlow::Break(()),
//! };
//! let stopped = gauss_seidel::resume_watched(&problem, &mut workspace, &mut after_three);
//! assert!(matches!(stopped, Err(lcp::Error::Stopped { pivots: 3, .. })));
//! ```
//!
//! A limit of time is one more such answer: [`within`], or without `std` whatever clock there is.

use core::ops::ControlFlow;

/// What a search has done so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Iterations, sweeps and pivots that are done, altogether.
    pub iterations: usize,
    /// The residual of the best point so far, in the units that the method works in; infinite if there is none.
    pub residual: f64,
}

/// Who is told of the progress, and answers whether to go on.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Stops a search so much time after this call.
///
/// ```
/// use std::time::Duration;
/// use jourdain::{lcp::lemke, watch};
///
/// let mut workspace = lemke::Workspace::default();
/// let mut in_time = watch::within(Duration::from_millis(5));
/// assert!(lemke::resume_watched(&[2.0], &[-1.0], &mut workspace, &mut in_time).is_ok());
/// ```
#[cfg(feature = "std")]
pub fn within(time: std::time::Duration) -> impl FnMut(&Progress) -> ControlFlow<()> {
    let start = std::time::Instant::now();
    move |_| match start.elapsed() < time {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

/// Why a search is over before it has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// No more iterations are allowed.
    Limit,
    /// It was told to.
    Stopped,
}

/// A search's iterations, with their limit and who watches them.
pub(crate) struct Watcher<'w> {
    iterations: usize,
    limit: usize,
    watch: Option<&'w mut Watch<'w>>,
    halt: Option<Halt>,
    /// What is told in the place of the residuals of an inner search.
    outer: Option<f64>,
}

impl<'w> Watcher<'w> {
    /// Of a search that nobody watches, with a limit of iterations.
    pub(crate) fn limited(limit: usize) -> Self {
        Self { iterations: 0, limit, watch: None, halt: None, outer: None }
    }

    pub(crate) fn new(limit: usize, watch: &'w mut Watch<'_>) -> Self {
        Self::of(limit, Some(watch))
    }

    /// Of a search that somebody may watch.
    pub(crate) fn of(limit: usize, watch: Option<&'w mut Watch<'_>>) -> Self {
        let watch = watch.map(|watch| watch as &'w mut Watch<'w>);
        Self { iterations: 0, limit, watch, halt: None, outer: None }
    }

    /// Sets the limit to so many more iterations.
    pub(crate) fn allow(&mut self, more: usize) {
        self.limit = self.iterations.saturating_add(more);
        self.halt = self.halt.filter(|halt| *halt == Halt::Stopped);
    }

    /// Whether another iteration may be done, which is counted; `residual` is that of the best point so far.
    #[inline]
    pub(crate) fn goes_on(&mut self, residual: f64) -> bool {
        if self.halt.is_some() {
            return false;
        }
        if self.iterations >= self.limit {
            self.halt = Some(Halt::Limit);
            return false;
        }
        if let Some(watch) = &mut self.watch {
            let residual = self.outer.unwrap_or(residual);
            let progress = Progress {
                iterations: self.iterations,
                residual: if residual.is_nan() { f64::INFINITY } else { residual },
            };
            if watch(&progress).is_break() {
                self.halt = Some(Halt::Stopped);
                return false;
            }
        }
        self.iterations += 1;
        true
    }

    /// Lets an inner search, with a residual in other units, tell that of the outer one's best point, until none is given.
    pub(crate) fn tell(&mut self, residual: Option<f64>) {
        self.outer = residual;
    }

    /// Counts iterations that were done without asking, a few at once.
    #[inline]
    pub(crate) fn count(&mut self, iterations: usize) {
        self.iterations = self.iterations.saturating_add(iterations);
    }

    /// Why no more iterations are done.
    #[inline]
    pub(crate) fn halt(&self) -> Option<Halt> {
        self.halt
    }

    pub(crate) fn iterations(&self) -> usize {
        self.iterations
    }
}
