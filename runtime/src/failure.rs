//! What can go wrong in a simulation.

use alloc::format;
use alloc::string::String;

use crate::contact::{self, Residual};
use crate::digits::{figure, least, moment};
use crate::error::ModelError;

/// Why a simulation cannot be set up as stated, or a step has no result. The state is that before
/// the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A field, the state, an input or a wrench is no possible value.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A number of the simulation itself is not possible.
    #[error("{quantity} is {}, expected a finite number greater than {}", figure(*value), least(*value))]
    Setting {
        /// `step_size`, `tolerance`, `duration` or `rate`.
        quantity: &'static str,
        /// What was given.
        value: f64,
    },
    /// A run is less than half a step long, or more steps than can be counted.
    #[error("duration is {duration} s, expected from {} s, half a step, to {} s", figure(*least), figure(*most))]
    Duration {
        /// What was given, in seconds.
        duration: f64,
        /// Half a step, in seconds.
        least: f64,
        /// So many steps can be counted, in seconds.
        most: f64,
    },
    /// What contact is, or what is set beside it, is not possible.
    #[error(transparent)]
    Setup(contact::Error),
    /// A parameter of a motor is not possible.
    #[error("the motor of joint `{joint}`: {error}")]
    Motor {
        /// The joint that it was to drive.
        joint: &'static str,
        /// Which parameter.
        error: contact::Error,
    },
    /// Nothing of this name is declared.
    #[error("the robot has no {kind} `{name}`{}", did_you_mean(*suggestion))]
    NotDeclared {
        /// `contact`, `constraint`, `joint` or `link`.
        kind: &'static str,
        /// The name.
        name: String,
        /// What is declared and nearest to it.
        suggestion: Option<&'static str>,
    },
    /// A motor or softness is set at a joint that has not one coordinate with q̇ = v.
    #[error("joint `{joint}` has {count} coordinates, expected a joint of one")]
    Coordinates {
        /// The joint.
        joint: &'static str,
        /// How many velocity coordinates it has.
        count: usize,
    },
    /// A declared constraint does not hold at the beginning of a step, further than a step may be wrong.
    #[error(
        "at {} s: constraint `{constraint}` is violated by {} m or rad; start from a state that \
         `Constrained::assemble` finds, and take steps that are small enough",
        moment(*time), figure(*error)
    )]
    Violated {
        /// Beginning of the step, in seconds.
        time: f64,
        /// Its name.
        constraint: &'static str,
        /// The largest |h| of its rows by the length of the longest one, ‖Hᵢ‖: how far coordinates have to
        /// move at least, m or rad.
        error: f64,
    },
    /// The closure of a mechanism is, or nearly is, in a singular position, where several motions branch off, and which of them
    /// follows is not determined: it rests there, its velocity is along none of them, or a step ends too near.
    #[error(
        "at {} s: constraint `{constraint}` is in a singular position, to {:.1e} m or rad, where which way the motion goes \
         on is not determined; start elsewhere, or with a velocity along one of the branches that meet there",
        moment(*time), distance
    )]
    SingularPosition {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The constraint whose rows lose rank.
        constraint: &'static str,
        /// How far that is away, about, in m or rad of the coordinates.
        distance: f64,
    },
    /// A contact penetrates, or solids overlap, in the state that a simulation starts from.
    #[error(
        "at {} s: `{contact}` overlaps what it touches by {} m; start apart, or let \
         `recovery` put it right by and by",
        moment(*time), figure(*depth)
    )]
    Overlap {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The name of the contact or the pair that overlaps most, or of the shape that overlaps the ground.
        contact: &'static str,
        /// How deep, in metres.
        depth: f64,
    },
    /// A limit is passed in the state that a simulation starts from.
    #[error(
        "at {} s: the limit of `{limit}` is passed by {} m or rad; start within it, or let \
         `recovery` put it right by and by",
        moment(*time), figure(*excess)
    )]
    BeyondLimit {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The joint, or the declared limit, that is passed most.
        limit: &'static str,
        /// How far, in m or rad, or whatever the declared limit is in.
        excess: f64,
    },
    /// A motor whose force has no bound drives a joint into its stop.
    #[error(
        "at {} s: the motor of joint `{joint}`, whose force has no bound, drives it into its {stop} stop, and \
         neither gives way; bound the force, or `soften_limits`",
        moment(*time)
    )]
    Blocked {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The joint that both are of.
        joint: &'static str,
        /// `lower` or `upper`.
        stop: &'static str,
    },
    /// A motor whose force has no bound drives what is rigid into what it touches.
    #[error(
        "at {} s: the motor of joint `{joint}`, whose force has no bound, drives `{contact}` into what it touches, and \
         neither gives way; bound the force, or let the contact give way",
        moment(*time)
    )]
    Driven {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The joint whose motor it is; of several, the one that drives most.
        joint: &'static str,
        /// The contact, the pair, or the shape that touches the ground laid at run time.
        contact: &'static str,
    },
    /// A step is not solved to its tolerance, and links that move together have masses or inertias too far apart for it.
    #[error(
        "at {} s: the inertias of links `{light}` and `{heavy}`, which move together, are apart by {ratio:.1e}, and rounding \
         hides the lighter one: up to 1e6 are steps exact to their tolerance; describe what is so light as `massless` or as \
         part of another link, or set a larger `tolerance`",
        moment(*time)
    )]
    Uneven {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The lighter one.
        light: &'static str,
        /// The heavier one.
        heavy: &'static str,
        /// The inertia of the one by that of the other.
        ratio: f64,
    },
    /// The input of a controller makes the velocity of a joint alternate and grow from step to step, a thousandfold and to
    /// more than 10 mm or 0.01 rad in a step: it is too stiff for steps of this size. The step in which that is seen is undone. Where inputs
    /// keep to an effort that is stated, nothing grows so for ever, and chatter is no error.
    #[error(
        "at {} s: the velocity of joint `{joint}` alternates and grows {}-fold in each step, since the controller that \
         drives it is too stiff for steps of {} s; take steps of less than about {} s, or let its gains act at the end \
         of the step, by `Pd::implicit` or `Motor::Servo`, which are stable at any step",
        moment(*time), figure(*growth), figure(*step_size), figure(*stable)
    )]
    Unstable {
        /// Beginning of that step, in seconds.
        time: f64,
        /// The joint.
        joint: &'static str,
        /// r = |v⁺|/|v| of it.
        growth: f64,
        /// h, in seconds.
        step_size: f64,
        /// The largest step that is stable by this growth, 2 h/(1 + r), in seconds. It is that of gains of velocities; what
        /// gains of places allow is up to √r times as much.
        stable: f64,
    },
    /// The motion grew until its numbers were none, or faster than light, or too large for the tolerance: over a metre or a
    /// radian in a step; or a step in which joints turn far gave more than a tenth of its kinetic energy, and no force did.
    #[error(
        "at {} s: the motion diverged: {quantity} of joint `{joint}` is {}; take smaller steps{advice}",
        moment(*time), figure(*value)
    )]
    Diverged {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The joint that is worst.
        joint: &'static str,
        /// `q` or `v`.
        quantity: &'static str,
        /// What it is.
        value: f64,
        /// What else may help this robot, if there is anything.
        advice: &'static str,
    },
    /// What acts in a step, or its length, is so large that rounding hides what stops, contacts, springs and constraints leave
    /// of it: nothing is known of the velocity at the end, or of where that leads.
    #[error(
        "at {} s: in a step of {step_size} s what acts alone would give joint `{joint}` {} m/s or rad/s, expected at most \
         {}: of more than that, rounding leaves nothing of what holds it; let smaller forces, inputs or stiffnesses act, \
         or take smaller steps",
        moment(*time), figure(*velocity), figure(*most)
    )]
    Drowned {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The joint.
        joint: &'static str,
        /// The velocity that a coordinate of it would have at the end without impulses, of discrete mechanics the mean one of the
        /// step, in m/s or rad/s.
        velocity: f64,
        /// What that may be beside how fast the robot is, in m/s or rad/s.
        most: f64,
        /// h, in seconds.
        step_size: f64,
    },
    /// The step's equations have no solution, or none was found.
    #[error("at {} s: {error}", moment(*time))]
    Contact {
        /// Beginning of the step, in seconds.
        time: f64,
        /// Why.
        error: contact::Error,
    },
    /// What was found does not satisfy the step's equations.
    #[error(
        "at {} s: the residual of {} is {:.2e}, more than {tolerance:e}; take smaller steps, or set a larger `tolerance`",
        moment(*time),
        residual.worst().0,
        residual.worst().1
    )]
    Residual {
        /// Beginning of the step, in seconds.
        time: f64,
        /// The residual of each kind of equation.
        residual: Residual,
        /// What is allowed.
        tolerance: f64,
    },
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
