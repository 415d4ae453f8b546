//! Ground that is laid at run time: heights at the points of a grid.
//!
//! Points of solids over it, their vertices or the centres of their round ends, have the gap
//!
//! > φ = (z − f(x, y)) n_z − ρ,  n = (−∂f/∂x, −∂f/∂y, 1) n_z,  n_z = (1 + |∇f|²)^(−½),
//!
//! as over a height that a description gives. Edges and faces of solids between their vertices are not looked at.

use nalgebra::Vector3;

use super::Error;
use super::parameter::{self, Range};
use crate::geometry::{Feature, Grid, Touch};

/// Ground by a grid of heights, for all shapes of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    grid: Grid,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    pub(super) directions: usize,
}

impl Ground {
    /// With this coefficient of friction μ and of restitution e, which hold for whatever touches it; friction by
    /// polygons has four directions. Beyond the grid there is no ground.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless μ is finite and not negative, and e is from 0 to 1.
    pub fn grid(grid: Grid, friction: f64, restitution: f64) -> Result<Self, Error> {
        parameter::check("friction", friction, Range::NotNegative)?;
        parameter::check("restitution", restitution, Range::Share)?;
        Ok(Self { grid, friction, restitution, directions: 4 })
    }

    /// Where a ball, or a point, with the number `index` touches it.
    pub(super) fn touch(&self, center: &Vector3<f64>, radius: f64, index: u16) -> Option<Touch> {
        let [height, along_x, along_y] = self.grid.height([center.x, center.y])?;
        let normal = Vector3::new(-along_x, -along_y, 1.0).normalize();
        let gap = (center.z - height) * normal.z - radius;
        let point = center - normal * (radius + 0.5 * gap);
        Some(Touch { point, normal, gap, feature: Feature::First(index) })
    }
}
