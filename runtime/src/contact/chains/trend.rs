//! What a quantity of the steps before leads one to expect in the next one, and how fast iterations come to it.

use alloc::vec::Vec;

/// How many steps are looked back on.
const STEPS: usize = 6;
/// How many steps in a row end without a look at how fast their iterations converge.
const UNSEEN: usize = 8;

/// Values of successive steps, the last one first.
#[derive(Clone, Debug, Default)]
pub(super) struct Trend {
    values: [Vec<f64>; STEPS],
    count: usize,
    /// The square by which a change was smaller than the one before, and how many steps ago.
    gain: f64,
    age: usize,
}

impl Trend {
    pub(super) fn forget(&mut self) {
        self.count = 0;
        self.age = UNSEEN;
    }

    pub(super) fn is_known(&self) -> bool {
        self.count == STEPS
    }

    /// Writes the next value, on the cubic through the last ones.
    pub(super) fn expect(&self, to: &mut [f64]) {
        let [a, b, c, d, e, f] = &self.values;
        for (i, to) in to.iter_mut().enumerate() {
            *to = 6.0 * (a[i] + e[i]) - 15.0 * (b[i] + d[i]) + 20.0 * c[i] - f[i];
        }
    }

    /// Notes the value of a step, x − y.
    pub(super) fn note(&mut self, x: &[f64], y: &[f64]) {
        self.values.rotate_right(1);
        let [first, ..] = &mut self.values;
        first.clear();
        first.extend(x.iter().zip(y).map(|(x, y)| x - y));
        self.count = STEPS.min(self.count + 1);
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
