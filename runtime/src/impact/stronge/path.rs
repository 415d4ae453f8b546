//! The path of an impact, stretch by stretch.

use super::single::{Failure, Single};
use crate::slices::sqrt;

/// A direction that turns by less than this while it slips as far as it is fast keeps to itself.
const STRAIGHT: f64 = 1e-12;

/// Where an impact is.
#[derive(Clone, Copy, Debug)]
pub(in crate::impact) struct Path<'a> {
    pub(super) of: &'a Single,
    /// The velocity along normal and tangents.
    pub(super) w: [f64; 3],
    /// Λ so far.
    pub(in crate::impact) impulse: [f64; 3],
    /// What the normal force has taken, and what it has returned.
    pub(super) taken: f64,
    pub(super) returned: f64,
}

/// What ends a straight stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Slip,
    Normal,
    Impact,
}

impl<'a> Path<'a> {
    pub(super) fn new(of: &'a Single) -> Self {
        Self { of, w: of.w, impulse: [0.0; 3], taken: 0.0, returned: 0.0 }
    }

    /// e² of what was taken, less what has been returned.
    pub(super) fn owed(&self) -> f64 {
        self.of.restitution * self.of.restitution * self.taken - self.returned
    }

    /// Whether as much has been returned as must be.
    pub(super) fn is_over(&self) -> bool {
        self.w[0] >= 0.0 && self.owed() <= 0.0
    }

    /// Whether slip along a unit vector keeps to it.
    pub(super) fn is_straight(&self, along: [f64; 2]) -> bool {
        let rate = product(&self.of.a, self.sliding(along));
        let turning = along[0] * rate[2] - along[1] * rate[1];
        turning.abs() <= STRAIGHT * self.of.a[0][0].max(libm::hypot(rate[1], rate[2]))
    }

    /// (1, −μ ŝ).
    pub(super) fn sliding(&self, along: [f64; 2]) -> [f64; 3] {
        [1.0, -self.of.friction * along[0], -self.of.friction * along[1]]
    }

    /// Moves on with impulses in this ratio; slip keeps its direction, or there is none to keep.
    pub(super) fn go_straight(
        &mut self,
        ratio: [f64; 3],
        along: Option<[f64; 2]>,
    ) -> Result<(), Failure> {
        let rate = product(&self.of.a, ratio);
        let mut end = (f64::INFINITY, End::Impact);
        let mut consider = |p: f64, what: End| {
            if p < end.0 {
                end = (p, what);
            }
        };
        if let Some(along) = along.filter(|along| *along != [0.0; 2]) {
            let [speed, change] = [self.w, rate].map(|of| along[0] * of[1] + along[1] * of[2]);
            if speed > 0.0 && change < 0.0 {
                consider(-speed / change, End::Slip);
            }
        }
        if self.w[0] * rate[0] < 0.0 {
            consider(-self.w[0] / rate[0], End::Normal);
        }
        let returns = self.w[0] > 0.0 || self.w[0] == 0.0 && rate[0] > 0.0;
        if returns {
            consider(until(self.owed(), self.w[0], rate[0]), End::Impact);
        }
        let (p, what) = end;
        if !p.is_finite() {
            return Err(Failure::Unending);
        }
        let work = p * (self.w[0] + 0.5 * p * rate[0]);
        self.settle(work);
        for (k, (share, rate)) in ratio.iter().zip(rate).enumerate() {
            self.impulse[k] += p * share;
            self.w[k] += p * rate;
        }
        match what {
            End::Slip => (self.w[1], self.w[2]) = (0.0, 0.0),
            End::Normal => self.w[0] = 0.0,
            End::Impact => self.returned += self.owed(),
        }
        if along == Some([0.0; 2]) {
            (self.w[1], self.w[2]) = (0.0, 0.0);
        }
        Ok(())
    }

    /// Counts the work of the normal force on a stretch in which w_n keeps its sign.
    pub(super) fn settle(&mut self, work: f64) {
        if work < 0.0 { self.taken -= work } else { self.returned += work }
    }
}

/// The first p ≥ 0 at which w p + ½ ẇ p² is `work`, with w ≥ 0; infinite if there is none.
fn until(work: f64, w: f64, rate: f64) -> f64 {
    if work <= 0.0 {
        return 0.0;
    }
    let root = w * w + 2.0 * rate * work;
    if root < 0.0 { f64::INFINITY } else { 2.0 * work / (w + sqrt(root)) }
}

/// A x.
pub(super) fn product(a: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2])
}
