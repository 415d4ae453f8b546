//! What can be chosen in the derivation of a quantity: the mechanism in other forms of the same motion,
//! and the choice among them.

mod candidates;
mod choice;
mod leaf_axes;
mod limbs;
mod origins;
mod parallel;
mod regroup;

pub use candidates::Candidate;
pub(super) use choice::Choice;
/// The forms to try; what is `None` is chosen by its cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forms {
    /// Which masses the bodies are given.
    pub masses: Option<Masses>,
    /// Which axes bodies with successive parallel axes are seen from.
    pub axes: Option<Axes>,
    /// How accelerations are solved for.
    pub solver: Option<Solver>,
    /// How alike limbs are computed.
    pub limbs: Option<Limbs>,
}

/// How alike limbs are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limbs {
    /// One after the other.
    OneByOne,
    /// At once, each in a lane; where no limb repeats, one by one nevertheless.
    InLanes,
}

/// Which masses the bodies are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masses {
    /// Those of their links.
    Described,
    /// Without what their parents can carry, about origins and in axes that leave more zeros.
    Regrouped,
}

/// How accelerations are solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// M = Lᵀ D L, factorised along the tree.
    Factorization,
    /// Articulated bodies; where joints share a coordinate, by factorisation nevertheless.
    ArticulatedBodies,
}

/// Which axes the bodies of a run of parallel axes are seen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axes {
    /// Each body from its own.
    Own,
    /// All from those outside the run.
    Outer,
    /// All from those of the innermost body.
    Inner,
}

impl Axes {
    /// All of them.
    pub const ALL: [Self; 3] = [Axes::Own, Axes::Outer, Axes::Inner];

    /// What the axes chosen for each kind of run are called, after a comma.
    pub(super) fn names(axes: &[Self]) -> &'static str {
        let any = |sought: Axes| axes.contains(&sought);
        match (any(Axes::Outer), any(Axes::Inner)) {
            (false, false) => "",
            (true, false) => ", parallel axes seen from outside",
            (false, true) => ", parallel axes seen from inside",
            (true, true) => ", parallel axes seen from outside or inside",
        }
    }
}

impl Forms {
    /// Each form by itself.
    pub fn each() -> impl Iterator<Item = Self> {
        let pairs = Masses::ALL.into_iter().flat_map(|masses| Axes::ALL.map(|axes| (masses, axes)));
        let pairs = pairs.flat_map(|pair| Limbs::ALL.map(|limbs| (pair, limbs)));
        pairs.flat_map(|((masses, axes), limbs)| {
            Solver::ALL.map(|solver| Self {
                masses: Some(masses),
                axes: Some(axes),
                solver: Some(solver),
                limbs: Some(limbs),
            })
        })
    }
}

impl Limbs {
    /// All of them.
    pub const ALL: [Self; 2] = [Limbs::OneByOne, Limbs::InLanes];

    /// What the form is called, after a comma.
    pub(super) fn name(self) -> &'static str {
        match self {
            Limbs::OneByOne => "",
            Limbs::InLanes => ", alike limbs in lanes",
        }
    }
}

impl Solver {
    /// All of them.
    pub const ALL: [Self; 2] = [Solver::Factorization, Solver::ArticulatedBodies];

    pub(super) fn name(self) -> &'static str {
        match self {
            Solver::Factorization => "sparse LᵀDL",
            Solver::ArticulatedBodies => "articulated bodies",
        }
    }
}

impl Masses {
    /// All of them.
    pub const ALL: [Self; 2] = [Masses::Regrouped, Masses::Described];

    pub(super) fn name(self) -> &'static str {
        match self {
            Masses::Described => "masses as described",
            Masses::Regrouped => "masses regrouped",
        }
    }
}
