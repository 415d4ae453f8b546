//! The next stretch of a path: straight, or of slip that turns.

use super::onset::Onset;
use super::path::Path;
use super::single::Failure;
use super::slip;

/// A slip slower than this, by the speed of the impact, is none.
const STILL: f64 = 1e-14;

impl Path<'_> {
    /// Moves on to the end of a stretch.
    pub(super) fn go_on(&mut self) -> Result<(), Failure> {
        let a = &self.of.a;
        let speed = libm::hypot(self.w[1], self.w[2]);
        if self.of.friction == 0.0 {
            return self.go_straight([1.0, 0.0, 0.0], None);
        }
        if speed <= STILL {
            (self.w[1], self.w[2]) = (0.0, 0.0);
            return match Onset::of(a, self.of.friction) {
                Onset::Stick([x, y]) => self.go_straight([1.0, x, y], Some([0.0; 2])),
                Onset::Slip(along) => self.go_straight(self.sliding(along), Some(along)),
            };
        }
        let along = [self.w[1] / speed, self.w[2] / speed];
        if self.is_straight(along) {
            return self.go_straight(self.sliding(along), Some(along));
        }
        slip::go_on(self)
    }
}
