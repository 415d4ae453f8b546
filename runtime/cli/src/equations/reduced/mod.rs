//! Expanded and collected formulas, by Symbolica.
//!
//! Symbolica has a process of its own, since a second one of the same user, unlicensed, ends its process. It is asked by a
//! file and answers by one, because it says things on standard output; a lock makes whoever comes second wait.

mod angles;
mod evaluate;
mod harmonics;
mod number;
mod process;
mod reduce;
mod request;
mod shorten;
mod term;

pub(crate) use evaluate::MOST_TERMS;
pub(crate) use process::{KEY, Reduce, reduce, reduced};
