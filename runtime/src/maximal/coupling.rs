//! Joints that move together, such as gears and fingers.
//!
//! > Φ = θ_a − r θ_b − c = 0
//!
//! of the coordinates of two hinges, sliders or screws, with the row J_a − r J_b on the bodies of both.

use super::Error;
use super::body::Body;
use super::joint::Joint;
use super::joint::entries;
use super::limit::Gap;
use super::parameter::{self, Range};
use super::row::merged;

/// One joint follows another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// The one that follows, and the one that it follows.
    pub joints: [usize; 2],
    /// r, in rad or m of the first for each rad or m of the second.
    pub ratio: f64,
    /// c, rad or m.
    pub offset: f64,
}

impl Coupling {
    /// Φ and its row on each body; `None` if a joint has not one coordinate.
    pub fn row(&self, joints: &[Joint], bodies: &[Body]) -> Option<Gap> {
        let of = |joint: usize| {
            let joint = joints.get(joint)?;
            Some((joint, joint.coordinate(bodies)?))
        };
        let [(a, first), (b, second)] = [of(self.joints[0])?, of(self.joints[1])?];
        let parts = entries(a, &first, 1.0).chain(entries(b, &second, -self.ratio));
        let value = first.value - self.ratio * second.value - self.offset;
        Some(Gap { value, entries: merged(parts) })
    }

    /// # Errors
    ///
    /// [`Error::Coordinate`] and [`Error::Parameter`].
    pub(super) fn check(&self, joints: &[Joint], bodies: &[Body]) -> Result<(), Error> {
        for joint in self.joints {
            if joints.get(joint).and_then(|joint| joint.coordinate(bodies)).is_none() {
                return Err(Error::Coordinate { joint, coordinate: 0 });
            }
        }
        parameter::check("the ratio of a coupling", self.ratio, Range::Finite)?;
        parameter::check("the offset of a coupling", self.offset, Range::Finite)
    }
}
