//! Why a step fails.

use alloc::format;
use alloc::string::String;

use super::range::Range;
use crate::cone;
use crate::digits::{figure, given};
use crate::geometry;
use crate::kkt;
use crate::lcp;

/// Why a step has no impulses to return.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mass matrix is not positive definite, or not finite.
    #[error("the mass matrix is not positive definite")]
    MassMatrix,
    /// The gap of a contact is NaN: nobody knows whether it is open.
    #[error("the gap of contact {contact} is NaN")]
    Gap {
        /// Its place among the contacts.
        contact: usize,
    },
    /// A shape is no solid.
    #[error("shape `{shape}`: {error}")]
    Shape {
        /// Its name.
        shape: &'static str,
        /// Why.
        error: geometry::Error,
    },
    /// Ground is given to a robot without shapes, whose contacts touch the ground of its description.
    #[error(
        "nothing of the robot would touch this ground: expected `shape` in its description, which touches the grounds \
         that a simulation is given; `contact` touches the `ground` of the description alone"
    )]
    NoShape,
    /// A shape is nowhere: its pose is not finite.
    #[error("the pose of shape `{shape}` is not finite")]
    Pose {
        /// Its name.
        shape: &'static str,
    },
    /// Two shapes cannot be compared.
    #[error("pair `{pair}`: {error}")]
    Pair {
        /// Its name.
        pair: &'static str,
        /// Why.
        error: geometry::Error,
    },
    /// A declared constraint does not hold at the beginning of a step, further than a step may be wrong.
    #[error("constraint `{constraint}` is violated by {} m or rad", figure(*error))]
    Violated {
        /// Its name.
        constraint: &'static str,
        /// The largest |h| of its rows by the length of the longest one, ‖Hᵢ‖: how far coordinates have to
        /// move at least, m or rad.
        error: f64,
    },
    /// The declared constraints admit no solution of theirs.
    #[error("the bilateral constraints: {0}")]
    Bilateral(kkt::Error),
    /// Impulses are given that are not those of this robot.
    #[error(
        "the impulses have other numbers of entries than the robot: expected those of a step of its own"
    )]
    Impulse,
    /// The complementarity problem has no solution, or none was found.
    #[error("the problem of contacts, limits, friction and motors: {0}")]
    Complementarity(#[from] lcp::Error),
    /// The problem of friction cones has no solution, or none was found.
    #[error("the problem of contacts, limits, friction and motors: {0}")]
    Cone(#[from] cone::Error),
    /// With infinite friction contacts jam: none of the choices that were tried lets each stick, slide in the limit of
    /// large coefficients or with less friction, or open.
    #[error(
        "contacts with infinite friction jam: they neither stick, nor slide in the limit, nor open in {tried} attempts"
    )]
    Jammed {
        /// How many choices were tried.
        tried: usize,
    },
    /// Polygons of friction have more directions, all together, than there is room for.
    #[error(
        "polygons of friction make {variables} variables, expected at most {most}: state fewer `directions`, or use \
         `Formulation::coulomb()`, which has none"
    )]
    TooLarge {
        /// How many it has.
        variables: usize,
        /// How many it may have.
        most: usize,
    },
    /// Robots that push each other have more rows than methods with a matrix of rows have room for, and Newton's method, which needs none,
    /// found no solution, or does not know what resists turning and bilateral constraints.
    #[error(
        "a problem of {rows} rows was not solved: Newton's method for velocities found nothing, or does not suit what resists turning \
         and bilateral constraints, and other methods take no more than {most} rows: take shorter steps, or a convex law"
    )]
    Unsolved {
        /// How many rows it has.
        rows: usize,
        /// How many it may have.
        most: usize,
    },
    /// A formulation has no law for what was asked of it.
    #[error("{formulation} has no {what}{}", as_of(*by))]
    NotOffered {
        /// Its name.
        formulation: &'static str,
        /// What it lacks.
        what: &'static str,
        /// The contact or pair that has it, if one has.
        by: Option<&'static str>,
    },
    /// The time constant of Todorov's form is too short for the step: what penetrates would be thrown out ever faster.
    #[error(
        "the time constant of Todorov's form is {} s, expected more than {least} s for a step so long", given(*value))]
    TimeConstant {
        /// κ, s.
        value: f64,
        /// What it must be above, s.
        least: f64,
    },
    /// In a step of this length a chain of bodies turns too far for the [leapfrog](super::Conditions::symplectic) to follow: by about
    /// half a radian, or less where bodies turn about axes of little inertia: slender rods on ball joints by 0.03 rad. Or a body alone
    /// turns too far: by some thousand radians, or by about one if it has a damper or touches something. `most` holds for the state
    /// where the step began. [`Variational`](crate::Variational) often follows chains in longer steps.
    #[error(
        "a step of {step_size} s is too long for how fast the robot turns: expected at most {} s here; `Variational` may take \
         longer ones, and `symplectic(false)` makes chains gain energy",
        figure(*most)
    )]
    TooLong {
        /// h, s.
        step_size: f64,
        /// One that would do, s.
        most: f64,
    },
    /// A parameter of a formulation, a motor or a soft row lies outside its range.
    #[error("{parameter} is {}, expected {expected}", given(*value))]
    Parameter {
        /// Which.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Range,
    },
}

impl Error {
    /// Whether solvers found nothing, and not what they were given is wrong.
    pub(crate) fn is_of_solvers(&self) -> bool {
        matches!(
            self,
            Self::Cone(cone::Error::Unsolved { .. })
                | Self::Complementarity(_)
                | Self::Jammed { .. }
        )
    }
}

/// Who has what is not offered.
pub(crate) fn as_of(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(", as `{name}` has"))
}
