//! Why a robot in contact has no motion.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::mode::Mode;
use crate::cone;
use crate::contact::Hidden;
use crate::digits::{figure, moment};
use crate::error::ModelError;
use crate::failure::SimulationError;
use crate::hybrid;
use crate::impact;
use crate::integrate::{self, Phase};
use crate::model::Table;

/// Why a run of a robot in contact cannot be set up as stated, or does not go on. What was done before stays.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// A field or the state is no possible value.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A law of impact that is not possible, or not for this robot.
    #[error(transparent)]
    Law(#[from] impact::Error),
    /// Something is declared that event-driven contact has no law for.
    #[error("event-driven contact has no {what}, as `{name}` has; a `Simulation` has")]
    NotOffered {
        /// What it is.
        what: &'static str,
        /// What is declared.
        name: &'static str,
    },
    /// Nothing of this name is declared.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A mode is one of another robot.
    #[error("a mode of {found:?} contacts and limits, expected one of {expected:?}")]
    Mode {
        /// How many contacts and limits the robot has.
        expected: [usize; 2],
        /// Those that the mode is of.
        found: [usize; 2],
    },
    /// A contact penetrates, or a limit is passed, where a run is to begin.
    #[error(
        "at {} s: `{part}` is beyond its end by {} m or rad: a contact overlaps what it touches, or a limit is passed; start apart",
        moment(phase.time), figure(*depth)
    )]
    Overlap {
        /// The contact, joint or limit that is worst.
        part: String,
        /// How deep, in metres or radians, or whatever a declared limit is in.
        depth: f64,
        /// Where.
        phase: Box<Phase>,
    },
    /// A contact or limit that a mode has closed is apart, moves along its normal, or slips although it sticks, where a run
    /// is to begin in the mode.
    #[error(
        "at {} s: `{part}` is to be closed, and is apart by {} m or rad, or moves by as much a second",
        moment(phase.time), figure(*error)
    )]
    NotClosed {
        /// The contact, joint or limit that is worst.
        part: String,
        /// The largest of its gap, the rate of that, and its slip, in size.
        error: f64,
        /// Where.
        phase: Box<Phase>,
    },
    /// A declared constraint does not hold where a run is to begin.
    #[error(
        "at {} s: constraint `{constraint}` is violated by {} m or rad, or by that in a second; start from a \
         state that `Constrained::assemble` finds", moment(phase.time), figure(*error)
    )]
    Violated {
        /// Its name.
        constraint: &'static str,
        /// The largest |h| or |ḣ| of its rows by the length of the longest one: how far coordinates have to move at
        /// least, in m or rad, or by how much their velocities have to change, in m/s or rad/s.
        error: f64,
        /// Where.
        phase: Box<Phase>,
    },
    /// The closure of a mechanism is, or nearly is, in a singular position, where several motions branch off, and which of them
    /// follows is not determined by its velocity: it rests there, or is along none of them, or the motion comes so near that the
    /// tolerance does not tell.
    #[error(
        "at {} s: constraint `{constraint}` is in a singular position, to {:.1e} m or rad, where which way the motion goes \
         on is not determined; start elsewhere, or with a velocity along one of the branches that meet there, or set a smaller tolerance",
        moment(phase.time), distance
    )]
    SingularPosition {
        /// The constraint whose rows lose rank.
        constraint: &'static str,
        /// How far that is away, about, in m or rad of the coordinates.
        distance: f64,
        /// Where.
        phase: Box<Phase>,
    },
    /// What acts is so large that rounding hides what closed contacts, limits and constraints leave of it: they would drift apart.
    #[error(
        "at {} s: what acts alone would give joint `{joint}` {} m/s² or rad/s², expected at most {} where something is closed: \
         of more than that, rounding leaves nothing of what holds it; let smaller forces, inputs or stiffnesses act",
        moment(phase.time), figure(*acceleration), figure(*most)
    )]
    Drowned {
        /// The joint.
        joint: &'static str,
        /// The acceleration that a coordinate of it would have if nothing were closed, in m/s² or rad/s².
        acceleration: f64,
        /// What that may be beside how the robot is accelerated, in m/s² or rad/s².
        most: f64,
        /// Where.
        phase: Box<Phase>,
    },
    /// A joint moves no inertia.
    #[error("at {} s: the mass matrix is not positive definite", moment(phase.time))]
    MassMatrix {
        /// Where.
        phase: Box<Phase>,
    },
    /// What touches contradicts itself: nothing that moves could go on without passing one of these parts.
    #[error("at {} s: no acceleration keeps all of {parts:?}", moment(phase.time))]
    Inconsistent {
        /// The contacts, joints and limits that show it.
        parts: Vec<String>,
        /// Where.
        phase: Box<Phase>,
    },
    /// No accelerations and forces were found that obey the laws of what touches. There may be none.
    #[error("at {} s: the accelerations of what touches: {error}", moment(phase.time))]
    Unsolved {
        /// What the solver says of the complementarity problem of accelerations.
        error: cone::Error,
        /// Where.
        phase: Box<Phase>,
    },
    /// An impact has no velocity after it, or none was found.
    #[error("at {} s: the impact: {error}", moment(phase.time))]
    Impact {
        /// Why.
        error: impact::Error,
        /// Where.
        phase: Box<Phase>,
    },
    /// Friction presses a sliding contact into what it slides on, the harder the larger its force is: rigid bodies with
    /// Coulomb's law then have no acceleration, or several (Painlevé's paradox).
    #[error("at {} s: Painlevé's paradox at contact `{contact}`", moment(phase.time))]
    Painleve {
        /// Its name.
        contact: &'static str,
        /// Where.
        phase: Box<Phase>,
    },
    /// The motion between events could not be integrated.
    #[error(transparent)]
    Motion(#[from] integrate::Error),
    /// Events do not lead on.
    #[error(transparent)]
    Events(Box<hybrid::Error<Mode, ContactError>>),
}

/// Why accelerations could not be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Failure {
    /// Rounding hides what is held.
    Drowned(Hidden),
    /// M is not positive definite.
    MassMatrix,
    /// At this contact.
    Painleve {
        /// Its place among the contacts.
        contact: usize,
    },
}

impl Failure {
    pub(super) fn at(self, table: &Table, phase: &Phase) -> ContactError {
        let phase = Box::new(phase.clone());
        match self {
            Failure::Drowned(Hidden { v, velocity: acceleration, most }) => {
                let joint = table.joint_of(v);
                ContactError::Drowned { joint, acceleration, most, phase }
            }
            Failure::MassMatrix => ContactError::MassMatrix { phase },
            Failure::Painleve { contact } => {
                let contact = table.contacts.get(contact).map_or("", |contact| contact.name);
                ContactError::Painleve { contact, phase }
            }
        }
    }
}

impl From<hybrid::Error<Mode, ContactError>> for ContactError {
    fn from(error: hybrid::Error<Mode, ContactError>) -> Self {
        match error {
            hybrid::Error::Motion(error) => Self::Motion(error),
            hybrid::Error::Impossible { reason, .. }
            | hybrid::Error::Declaration { reason, .. } => reason,
            error => Self::Events(Box::new(error)),
        }
    }
}
