//! Which laws an impact obeys.

use super::error::{Error, MOST_DIRECTIONS};
use crate::cone::Coefficients;
use crate::contact::{Formulation, Normal, Restitution};

/// What friction resists slip with during an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// Coulomb's law with the round cone and maximum dissipation, ‖Λ_t‖ ≤ μ Λ_n.
    #[default]
    Cone,
    /// Coulomb's law with a polygon of so many directions, even and from 4 to 1000, inside of the round cone: friction is up
    /// to μ Λ_n along each, and up to μ cos(π/η) Λ_n halfway between two.
    Polygon(usize),
    /// None.
    Frictionless,
    /// Infinite friction: what presses does not slip, whatever its coefficient is. Where contacts can neither all stick
    /// nor open, some slide with friction of 100 Λ_n, as those of [`Formulation::Sticking`] do.
    Sticking,
}

/// In which order several contacts are struck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sequence {
    /// All at once, as one problem.
    #[default]
    Simultaneous,
    /// One after the other, always the one that approaches fastest, until none does.
    Sequential,
}

/// The law of impacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Law {
    /// Friction.
    pub friction: Friction,
    /// What e is a ratio of.
    pub restitution: Restitution,
    /// In which order.
    pub sequence: Sequence,
    /// e of the limits of joints and of declared limits, from 0 to 1; contacts and pairs have their own.
    pub limit_restitution: f64,
}

impl Law {
    /// # Errors
    ///
    /// [`Error::Directions`] of the polygon, [`Error::Restitution`] of limits, and [`Error::NotOffered`] of Stronge's law
    /// with friction that is neither Coulomb's on the round cone nor none.
    pub(super) fn check(&self) -> Result<(), Error> {
        match (self.friction, self.restitution) {
            (Friction::Polygon(directions), _)
                if !(4..=MOST_DIRECTIONS).contains(&directions) || directions % 2 == 1 =>
            {
                return Err(Error::Directions { directions });
            }
            (Friction::Polygon(_), Restitution::Stronge) => {
                let (law, what) = ("restitution by Stronge's law", "friction by a polygon");
                return Err(Error::NotOffered { law, what, by: None });
            }
            (Friction::Sticking, Restitution::Stronge) => {
                let (law, what) = ("restitution by Stronge's law", "infinite friction");
                return Err(Error::NotOffered { law, what, by: None });
            }
            _ => {}
        }
        check_restitution("limits", self.limit_restitution)
    }

    /// # Errors
    ///
    /// [`Error::NotOffered`] of what resists turning, which is of the round cone, and not of Stronge's law.
    pub(super) fn check_turning(
        &self,
        what: &'static str,
        by: Option<&'static str>,
    ) -> Result<(), Error> {
        let law = match (self.friction, self.restitution) {
            (Friction::Cone, Restitution::Stronge) => "restitution by Stronge's law",
            (Friction::Polygon(_), _) => "friction by a polygon",
            (Friction::Sticking, _) => "infinite friction",
            (Friction::Cone | Friction::Frictionless, _) => return Ok(()),
        };
        Err(Error::NotOffered { law, what, by })
    }

    /// The formulation of a step whose law of contact it is.
    pub(super) fn formulation(&self) -> Formulation {
        match self.friction {
            Friction::Cone => Formulation::Coulomb(Normal::Gap),
            Friction::Polygon(_) => Formulation::StewartTrinkle,
            Friction::Frictionless => Formulation::Frictionless(Normal::Gap),
            Friction::Sticking => Formulation::Sticking(Normal::Gap),
        }
    }

    /// What it makes of μ, ν and ϱ.
    pub(super) fn coefficients(&self, [friction, torsion, rolling]: [f64; 3]) -> Coefficients {
        let alone = |friction| Coefficients { friction, ..Coefficients::default() };
        match self.friction {
            Friction::Cone => Coefficients { friction, torsion, rolling },
            Friction::Polygon(_) => alone(friction),
            Friction::Frictionless => Coefficients::default(),
            Friction::Sticking => alone(f64::INFINITY),
        }
    }

    /// How many directions the polygon has; none of other laws.
    pub(super) fn directions(&self) -> usize {
        match self.friction {
            Friction::Polygon(directions) => directions,
            _ => 0,
        }
    }
}

/// # Errors
///
/// [`Error::Restitution`] unless it is from 0 to 1.
fn check_restitution(of: &'static str, value: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(Error::Restitution { of, value }) }
}
