//! The robot's state in an expression: coordinates by the names of their joints, and time.
//!
//! A joint's name stands for its coordinate, `joint[k]` for one of several, `rate(joint)` and
//! `rate(joint[k])` for velocity coordinates, `t` for time. In the height of the ground, `x` and `y` stand
//! for the place on it.

use crate::description::{Joint, coordinates};
use crate::scalar::Scalar;

/// The word for time.
pub(super) const TIME: &str = "t";

/// The words for the horizontal coordinates of the world, in the height of the ground.
pub(super) const GROUND: [&str; 2] = ["x", "y"];

/// The state that an expression may depend on.
pub(super) struct State<'a> {
    joints: &'a [Joint],
    first: Vec<(usize, usize)>,
    of: Of,
}

/// What of the state may stand in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The two horizontal coordinates of the world, and no joint.
    Ground,
    Positions,
    PositionsAndTime,
    All,
}

/// Numbers of the configuration or of the velocity.
#[derive(Clone, Copy)]
enum Level {
    Configuration,
    Velocity,
}

impl<'a> State<'a> {
    /// Where on the ground.
    pub(super) fn ground() -> Self {
        Self { joints: &[], first: Vec::new(), of: Of::Ground }
    }

    /// Configuration alone.
    pub(super) fn positions(joints: &'a [Joint]) -> Self {
        Self { joints, first: coordinates(joints).0, of: Of::Positions }
    }

    /// Configuration and time.
    pub(super) fn configuration(joints: &'a [Joint]) -> Self {
        Self { of: Of::PositionsAndTime, ..Self::positions(joints) }
    }

    /// Configuration, velocity and time.
    pub(super) fn velocity(joints: &'a [Joint]) -> Self {
        Self { of: Of::All, ..Self::positions(joints) }
    }

    /// Whether time may stand in it.
    pub(super) fn has_time(&self) -> bool {
        matches!(self.of, Of::PositionsAndTime | Of::All)
    }

    /// Whether joints may stand in it.
    pub(super) fn has_joints(&self) -> bool {
        self.of != Of::Ground
    }

    /// The names of all joints that move.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        let moving = self.joints.iter().filter(|joint| joint.family.nv() > 0);
        moving.map(|joint| joint.name.text.as_str())
    }

    /// Configuration coordinate `index` of a joint, or time; `None` if there is nothing of that name.
    pub(super) fn coordinate(
        &self,
        name: &str,
        index: Option<usize>,
    ) -> Option<Result<Scalar, String>> {
        let on_ground = GROUND.iter().position(|word| *word == name && !self.has_joints());
        match self.find(name) {
            None if on_ground.is_some() && index.is_none() => {
                on_ground.map(|k| Ok(Scalar::Ground(k)))
            }
            None if name == TIME && index.is_none() && self.has_time() => Some(Ok(Scalar::Time)),
            joint => joint.map(|joint| self.number(joint, index, Level::Configuration)),
        }
    }

    /// Velocity coordinate `index` of a joint; `None` if there is no such joint.
    pub(super) fn rate(&self, name: &str, index: Option<usize>) -> Option<Result<Scalar, String>> {
        let elsewhere = match self.of {
            Of::Ground => Some("a height is of `x` and `y`"),
            Of::Positions => Some("a limit is of positions alone"),
            Of::PositionsAndTime => Some("`h = …` is of positions and time"),
            Of::All => None,
        };
        if let Some(elsewhere) = elsewhere {
            return Some(Err(format!("the rate of a joint stands in `h_v = …`; {elsewhere}")));
        }
        self.find(name).map(|joint| self.number(joint, index, Level::Velocity))
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name.text == name)
    }

    fn number(&self, joint: usize, index: Option<usize>, level: Level) -> Result<Scalar, String> {
        let Joint { name, family, mimic, .. } = &self.joints[joint];
        let count = match level {
            Level::Configuration => family.nq(),
            Level::Velocity => family.nv(),
        };
        let index = match (index, count) {
            (_, 0) => return Err(format!("joint `{name}` is fixed and has no coordinate")),
            (None, 1) => 0,
            (None, _) => {
                return Err(format!(
                    "joint `{name}` has {count} coordinates: say which, `{name}[0]`"
                ));
            }
            (Some(k), _) if k < count => k,
            (Some(_), _) => {
                return Err(format!("expected a number below {count}, a coordinate of `{name}`"));
            }
        };
        let (q, v) = self.first[mimic.as_ref().map_or(joint, |mimic| mimic.joint)];
        let own = match level {
            Level::Configuration => Scalar::Configuration(q + index),
            Level::Velocity => Scalar::Velocity(v + index),
        };
        Ok(match (mimic, level) {
            (None, _) => own,
            (Some(mimic), Level::Configuration) => {
                mimic.multiplier.clone() * own + mimic.offset.clone()
            }
            (Some(mimic), Level::Velocity) => mimic.multiplier.clone() * own,
        })
    }
}
