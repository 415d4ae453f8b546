//! What solids are like where they touch.

use super::WorldError;
use crate::bound::Bound;
use crate::contact::{Between, Ground};
use crate::description::{ContactParameters, ShapeParameters, resistance};

/// Friction and restitution of a solid. Where two touch, each coefficient is √(ab) of both, as that of a declared pair is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    friction: f64,
    restitution: f64,
    torsion: f64,
    rolling: f64,
    directions: usize,
}

impl Default for Surface {
    /// Without friction and restitution, and polygons of friction with four directions.
    fn default() -> Self {
        Self { friction: 0.0, restitution: 0.0, torsion: 0.0, rolling: 0.0, directions: 4 }
    }
}

impl Surface {
    /// With a coefficient of friction μ.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub(super) fn friction(self, friction: f64) -> Result<Self, WorldError> {
        let friction = check("friction", friction, Bound::NonNegative)?;
        Ok(Self { friction, ..self })
    }

    /// With a coefficient of restitution e.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is from 0 to 1.
    pub(super) fn restitution(self, restitution: f64) -> Result<Self, WorldError> {
        let restitution = check("restitution", restitution, Bound::Fraction)?;
        Ok(Self { restitution, ..self })
    }

    /// With a coefficient of torsional friction ν in m, by which a moment about the normal is at most ν times the normal force.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub(super) fn torsion(self, torsion: f64) -> Result<Self, WorldError> {
        let torsion = check("torsion", torsion, Bound::NonNegative)?;
        Ok(Self { torsion, ..self })
    }

    /// With a coefficient of rolling resistance ϱ in m, by which a moment about the tangents is at most ϱ times the normal force.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub(super) fn rolling(self, rolling: f64) -> Result<Self, WorldError> {
        let rolling = check("rolling", rolling, Bound::NonNegative)?;
        Ok(Self { rolling, ..self })
    }

    /// With the coefficients of a description, which were checked.
    pub(super) fn of_shape(of: &ShapeParameters) -> Self {
        Self { friction: of.friction, restitution: of.restitution, ..Self::default() }
    }

    /// The same of a contact, whose polygon has so many directions.
    pub(super) fn of_contact(of: &ContactParameters, directions: usize) -> Self {
        let ContactParameters { friction, restitution, torsion, rolling, .. } = *of;
        Self { friction, restitution, torsion, rolling, directions }
    }

    /// That of whatever touches a ground.
    pub(super) fn of_ground(ground: &Ground) -> Self {
        let Ground { friction, restitution, torsion, rolling, directions, .. } = *ground;
        Self { friction, restitution, torsion, rolling, directions }
    }

    /// What holds where both touch; of directions of polygons the larger number.
    pub(super) fn with(&self, other: &Self) -> Self {
        let mean = |a: f64, b: f64| libm::sqrt(a * b);
        Self {
            friction: mean(self.friction, other.friction),
            restitution: mean(self.restitution, other.restitution),
            torsion: mean(self.torsion, other.torsion),
            rolling: mean(self.rolling, other.rolling),
            directions: self.directions.max(other.directions),
        }
    }

    /// Gives a point these coefficients.
    pub(super) fn describe(&self, point: &mut Between) {
        let Self { friction, restitution, torsion, rolling, directions } = *self;
        (point.friction, point.restitution, point.directions) = (friction, restitution, directions);
        (point.torsion, point.rolling) = (torsion, rolling);
    }

    /// The name of what resists turning on it; `None` if nothing does.
    pub(super) fn resistance(&self) -> Option<&'static str> {
        resistance([self.torsion, self.rolling])
    }
}

/// # Errors
///
/// [`WorldError::Number`] if it is out of bounds.
pub(super) fn check(
    quantity: &'static str,
    value: f64,
    expected: Bound,
) -> Result<f64, WorldError> {
    match expected.violation(&[value]) {
        None => Ok(value),
        Some(_) => Err(WorldError::Number { quantity, value, expected }),
    }
}
