//! Counts of what became of steps, by formulation.

use std::fmt::{Display, Formatter, Result};

/// Formulations in the order of [`every_formulation`](crate::every_formulation).
const NAMES: [&str; 8] = [
    "Stewart, Trinkle",
    "Anitescu, Potra",
    "Anitescu",
    "Todorov, round",
    "Todorov, pyramid",
    "Coulomb",
    "frictionless",
    "sticking",
];

/// What became of a step.
#[derive(Debug)]
pub(super) enum Finding {
    /// Solved, with velocities that differ so from the reference's.
    Equal(f64),
    /// Solved with velocities that a residual cannot tell from the reference's.
    Near,
    /// Solved with others under a law that has several.
    Several,
    /// Solved, but not by the reference.
    Alone,
    /// Solved by neither.
    Unsolvable,
    /// Not solved where the reference has a solution, or solved in another way than the law says; with how.
    Flaw(String),
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    equal: usize,
    near: usize,
    several: usize,
    alone: usize,
    unsolvable: usize,
    flaws: usize,
    /// The largest difference of what is equal.
    most: f64,
}

/// Counts of all.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: [Counts; 8],
    flaws: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, kind: usize, finding: Finding) {
        let counts = &mut self.counts[kind];
        match finding {
            Finding::Equal(difference) => {
                counts.equal += 1;
                counts.most = counts.most.max(difference);
            }
            Finding::Near => counts.near += 1,
            Finding::Several => counts.several += 1,
            Finding::Alone => counts.alone += 1,
            Finding::Unsolvable => counts.unsolvable += 1,
            Finding::Flaw(how) => {
                counts.flaws += 1;
                self.flaws.push(format!("{}: {how}", NAMES[kind]));
            }
        }
    }

    /// Nothing is wrong but what is known to be, and the reference solves enough to say so.
    pub(super) fn check(&self) {
        let all: usize = self.counts.iter().map(Counts::all).sum();
        assert!(all >= 10_000, "{all}");
        for (k, counts) in self.counts.iter().enumerate() {
            assert!(counts.flaws == 0, "{}:\n{}", NAMES[k], self.flaws.join("\n"));
            assert!(counts.near <= 2, "{}: {}", NAMES[k], counts.near);
            // Infinite friction has several solutions by its nature.
            let least = if NAMES[k] == "sticking" { 70 } else { 85 };
            assert!(100 * counts.equal > least * counts.all(), "{}: {}", NAMES[k], counts.equal);
            assert!(100 * counts.alone <= 5 * counts.all(), "{}: {}", NAMES[k], counts.alone);
        }
    }
}

impl Counts {
    fn all(&self) -> usize {
        let Self { equal, near, several, alone, unsolvable, flaws, .. } = self;
        equal + near + several + alone + unsolvable + flaws
    }
}

impl Display for Tally {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        for (name, counts) in NAMES.iter().zip(&self.counts) {
            let Counts { equal, near, several, alone, unsolvable, flaws, most } = counts;
            writeln!(
                to,
                "{name:16}: {} steps, {equal} equal to {most:.0e}, {near} near, {several} others of several, \
                 {alone} by the step alone, {unsolvable} by neither, {flaws} flaws",
                counts.all(),
            )?;
        }
        Ok(())
    }
}
