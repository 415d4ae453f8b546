//! What a quantity of the steps before leads one to expect in the next one, and how fast iterations come to it.

use alloc::vec::Vec;

use crate::slices::add;

/// By how much of the last values the next one is expected to be on the cubic, or the quintic, through them.
const CUBIC: [f64; 4] = [4.0, -6.0, 4.0, -1.0];
const QUINTIC: [f64; 6] = [6.0, -15.0, 20.0, -15.0, 6.0, -1.0];
/// How many steps in a row end without a look at how fast their iterations converge.
const UNSEEN: usize = 8;

/// Values of successive steps, the last one first.
#[derive(Clone, Debug)]
pub(super) struct Trend {
    values: [Vec<f64>; QUINTIC.len()],
    weights: &'static [f64],
    count: usize,
    /// The square by which a change was smaller than the one before, and how many steps ago.
    gain: f64,
    age: usize,
}

impl Trend {
    /// The quintic is nearer; what rounding leaves of a motion that constraints do not tell grows less along the cubic.
    pub(super) fn new(is_constrained: bool) -> Self {
        let weights: &[f64] = if is_constrained { &CUBIC } else { &QUINTIC };
        Self { values: Default::default(), weights, count: 0, gain: 0.0, age: UNSEEN }
    }

    pub(super) fn forget(&mut self) {
        self.count = 0;
        self.age = UNSEEN;
    }

    pub(super) fn is_known(&self) -> bool {
        self.count == self.weights.len()
    }

    /// Writes the next value.
    pub(super) fn expect(&self, to: &mut [f64]) {
        to.fill(0.0);
        self.weights.iter().zip(&self.values).for_each(|(weight, value)| add(to, *weight, value));
    }

    /// Notes the value of a step, x − y.
    pub(super) fn note(&mut self, x: &[f64], y: &[f64]) {
        self.values[..self.weights.len()].rotate_right(1);
        let [first, ..] = &mut self.values;
        first.clear();
        first.extend(x.iter().zip(y).map(|(x, y)| x - y));
        self.count = self.weights.len().min(self.count + 1);
    }

    /// The square by which the second change is to be smaller than the first, if that is known.
    pub(super) fn gain(&mut self) -> Option<f64> {
        self.age += 1;
        (self.is_known() && self.age < UNSEEN).then_some(self.gain)
    }

    pub(super) fn note_gain(&mut self, gain: f64) {
        (self.gain, self.age) = (gain, 0);
    }
}
