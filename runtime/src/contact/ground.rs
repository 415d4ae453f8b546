//! Ground that is laid at run time: a plane, or heights at the points of a grid, and what holds of all that touches it. Where
//! that is, [`Footing`] tells.

use nalgebra::Vector3;

use super::Error;
use super::parameter;
use super::range::Range;
use crate::description::resistance;
use crate::frame::Pose;
use crate::geometry::{Footing, Grid, Solid, Touch};

/// Ground for all shapes of a robot, or of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    surface: Surface,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    /// ν and ϱ, m.
    pub(crate) torsion: f64,
    pub(crate) rolling: f64,
    pub(crate) directions: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Surface {
    Grid(Grid),
    /// n · x = offset, with n of unit length out of the ground.
    Plane {
        normal: Vector3<f64>,
        offset: f64,
    },
}

impl Ground {
    /// With this coefficient of friction μ and of restitution e, which hold for whatever touches it; friction by
    /// polygons has four directions, and nothing resists [spinning](Self::torsion) or [rolling](Self::rolling). Beyond the grid there
    /// is no ground.
    ///
    /// Between lines of the grid edges of solids can sink in, and what has sunk is seen where it comes to a crest: a slab on
    /// cells of 10 cm sinks by 1 to 4 mm, by which it is lifted there.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless μ is finite and not negative, and e is from 0 to 1.
    pub fn grid(grid: Grid, friction: f64, restitution: f64) -> Result<Self, Error> {
        Self::of(Surface::Grid(grid), friction, restitution)
    }

    /// The half of space below the plane `normal · x = offset`, whose normal points out of the ground and has any length but zero;
    /// otherwise as [`grid`](Self::grid).
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] of a normal without direction or an offset that is not finite, by the length of the normal, and as
    /// `grid` has it.
    pub fn plane(
        normal: Vector3<f64>,
        offset: f64,
        friction: f64,
        restitution: f64,
    ) -> Result<Self, Error> {
        let length = parameter::check("length of the normal", normal.norm(), Range::Positive)?;
        let offset = parameter::check("offset", offset / length, Range::Finite)?;
        Self::of(Surface::Plane { normal: normal / length, offset }, friction, restitution)
    }

    fn of(surface: Surface, friction: f64, restitution: f64) -> Result<Self, Error> {
        parameter::check("friction", friction, Range::NotNegative)?;
        parameter::check("restitution", restitution, Range::Share)?;
        let (torsion, rolling) = (0.0, 0.0);
        Ok(Self { surface, friction, restitution, torsion, rolling, directions: 4 })
    }

    /// With a coefficient of torsional friction ν in m, by which a moment about the normal is at most ν times the normal force.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless it is finite and not negative.
    pub fn torsion(self, torsion: f64) -> Result<Self, Error> {
        let torsion = parameter::check("torsion", torsion, Range::NotNegative)?;
        Ok(Self { torsion, ..self })
    }

    /// With a coefficient of rolling resistance ϱ in m, by which a moment about the tangents is at most ϱ times the normal force.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless it is finite and not negative.
    pub fn rolling(self, rolling: f64) -> Result<Self, Error> {
        let rolling = parameter::check("rolling", rolling, Range::NotNegative)?;
        Ok(Self { rolling, ..self })
    }

    /// The name of what resists turning on it; `None` if nothing does.
    pub(crate) fn resistance(&self) -> Option<&'static str> {
        resistance([self.torsion, self.rolling])
    }

    /// Its grid, if it is one of heights.
    #[cfg(feature = "std")]
    pub(crate) fn heights(&self) -> Option<&Grid> {
        match &self.surface {
            Surface::Grid(grid) => Some(grid),
            Surface::Plane { .. } => None,
        }
    }

    /// Its normal and offset, if it is a plane.
    #[cfg(feature = "std")]
    pub(crate) fn plane_of(&self) -> Option<(Vector3<f64>, f64)> {
        match &self.surface {
            Surface::Grid(_) => None,
            Surface::Plane { normal, offset } => Some((*normal, *offset)),
        }
    }

    /// The points at which a solid at this pose has gaps not above `margin` to it, in the order of their features.
    pub(crate) fn touches<'f>(
        &self,
        footing: &'f mut Footing,
        (solid, pose): (&Solid, &Pose),
        margin: f64,
    ) -> &'f [Touch] {
        match &self.surface {
            Surface::Grid(grid) => footing.touches(solid, pose, grid, margin),
            Surface::Plane { normal, offset } => {
                footing.touches_plane(solid, pose, (normal, *offset), margin)
            }
        }
    }
}
