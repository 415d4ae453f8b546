//! Ground that is laid at run time: heights at the points of a grid, and what holds of all that touches it. Where that
//! is, [`Footing`](crate::geometry::Footing) tells.

use super::Error;
use super::parameter::{self, Range};
use crate::geometry::Grid;

/// Ground by a grid of heights, for all shapes of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    pub(super) grid: Grid,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    pub(super) directions: usize,
}

impl Ground {
    /// With this coefficient of friction μ and of restitution e, which hold for whatever touches it; friction by
    /// polygons has four directions, and there is no torsional friction. Beyond the grid there is no ground.
    ///
    /// Between lines of the grid edges of solids can sink in, and what has sunk is seen where it comes to a crest: a slab on
    /// cells of 10 cm sinks by 1 to 4 mm, by which it is lifted there.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless μ is finite and not negative, and e is from 0 to 1.
    pub fn grid(grid: Grid, friction: f64, restitution: f64) -> Result<Self, Error> {
        parameter::check("friction", friction, Range::NotNegative)?;
        parameter::check("restitution", restitution, Range::Share)?;
        Ok(Self { grid, friction, restitution, directions: 4 })
    }
}
