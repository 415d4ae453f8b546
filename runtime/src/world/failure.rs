//! What can go wrong in a world.

use alloc::string::String;

use crate::bound::Bound;
use crate::contact::{self, Residual};
use crate::digits::{figure, given, moment};
use crate::failure::SimulationError;
use crate::geometry;

/// Why a world cannot be set up as stated, or a step of it has no result. The world is then as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A number is not possible.
    #[error("{quantity} is {}, expected {}", given(*value), expected.of(*value))]
    Number {
        /// Which.
        quantity: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Bound,
    },
    /// A run is less than half a step long, or more steps than can be counted.
    #[error("duration is {duration} s, expected at least {} s, half a step, and no more steps than can be counted", figure(*least))]
    Duration {
        /// What was given, in seconds.
        duration: f64,
        /// Half a step, in seconds.
        least: f64,
    },
    /// Sizes or points make no solid.
    #[error(transparent)]
    Solid(geometry::Error),
    /// A body of no solids.
    #[error("a body of no solids, expected at least one")]
    Empty,
    /// A pose is not finite, or its matrix is no rotation.
    #[error("a pose that is none: expected finite numbers and a rotation matrix")]
    Pose,
    /// A name is taken.
    #[error("there is a `{name}` in this world already: expected another name")]
    Taken {
        /// The name.
        name: String,
    },
    /// What an id stood for is no longer in the world, or is in another one, or is no robot of this type.
    #[error("there is nothing with this id and type in this world")]
    Unknown,
    /// A snapshot is of another world.
    #[error("a snapshot of another world: expected one that was saved of this world")]
    Snapshot,
    /// The gravity of a robot, seen from where it is, is neither that of the world nor none.
    #[error(
        "`{name}` has the gravity {found:?} m/s² in axes of the world, whose own is {expected:?} m/s²: expected the same, or none"
    )]
    Gravity {
        /// Which robot.
        name: String,
        /// Its own gravity in axes of the world, m/s².
        found: [f64; 3],
        /// That of the world, m/s².
        expected: [f64; 3],
    },
    /// A law that steps of several robots have not.
    #[error("`{name}`: {error}")]
    Refused {
        /// Which robot.
        name: String,
        /// Why.
        error: contact::Error,
    },
    /// A robot is at another time than the world, or under another law: its own steps were taken, or its settings changed.
    #[error(
        "`{name}` differs from its world in {what}: expected steps and settings of the world alone"
    )]
    Differs {
        /// Which robot.
        name: String,
        /// What.
        what: &'static str,
    },
    /// What a robot or a body reports.
    #[error("`{name}`: {error}")]
    Robot {
        /// Which.
        name: String,
        /// What went wrong.
        error: SimulationError,
    },
    /// A solid is nowhere: where it is, or how far it may come in a step, is not finite.
    #[error("at {} s: `{shape}` of `{name}` is nowhere: its pose or its velocity is not finite", moment(*time))]
    Nowhere {
        /// Beginning of the step, in seconds.
        time: f64,
        /// Of the robot or the body.
        name: String,
        /// Of its shape.
        shape: String,
    },
    /// Solids overlap in the first step from a state that was given.
    #[error(
        "at {} s: `{first}` and `{second}` overlap by {} m; start from a state in which they are apart, or let steps put it \
         right by and by with `recovery`",
        moment(*time), figure(*depth)
    )]
    Overlap {
        /// Beginning of the step, in seconds.
        time: f64,
        /// One of both.
        first: String,
        /// The other.
        second: String,
        /// By how much, m.
        depth: f64,
    },
    /// The problem of robots and bodies that push each other was not solved.
    #[error("at {} s: `{first}` and {others} others that push each other: {error}", moment(*time))]
    Contact {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The first of those that push each other.
        first: String,
        /// How many are with it.
        others: usize,
        /// Why.
        error: contact::Error,
    },
    /// What was found of robots and bodies that push each other, or run into each other, is not good enough.
    #[error(
        "at {} s: `{first}` and {others} others that push each other: the equations of {} are satisfied to {} only, expected \
         {}", moment(*time), residual.worst().0, figure(residual.worst().1), figure(*tolerance)
    )]
    Residual {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The first of those that push each other.
        first: String,
        /// How many are with it.
        others: usize,
        /// How well.
        residual: Residual,
        /// The largest residual that is accepted.
        tolerance: f64,
    },
}
