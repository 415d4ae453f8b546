//! Points where solids touch during a step, and what acts there.

use nalgebra::Vector3;

use crate::cone::BLOCK_ROWS;
use crate::geometry::Feature;
use crate::model::{Model, Table};

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touching {
    /// Of [`PAIRS`](crate::Model::PAIRS) the one at this place.
    Pair(usize),
    /// Of [`SHAPES`](crate::Model::SHAPES) the one at this place, and the ground that was laid at run time.
    Ground(usize),
}

/// A point where two solids touch, or may touch before the step is over, with the impulse on the first of them, or on
/// the one that touches the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairImpulse {
    /// What touches.
    pub of: Touching,
    /// Which of its points: the same from step to step, as long as the same features touch.
    pub feature: Feature,
    /// Halfway between both surfaces in the world, m.
    pub point: Vector3<f64>,
    /// Normal, towards what the impulse acts on, first and second tangent in the world: right-handed unit vectors.
    pub axes: [Vector3<f64>; 3],
    /// At the beginning of the step, m; negative where both overlap.
    pub gap: f64,
    /// λ ≥ 0 along the normal, and friction along the tangents, N s.
    pub impulse: [f64; 3],
    /// Torsional friction about the normal, N m s.
    pub torsion: f64,
    /// Rolling resistance about the tangents, N m s.
    pub rolling: [f64; 2],
}

impl PairImpulse {
    /// What it is a point of, and which.
    pub fn identity(&self) -> (Touching, Feature) {
        (self.of, self.feature)
    }

    /// What it is a point of, in the description of a robot: a pair, or a shape.
    pub fn name<M: Model>(&self) -> Option<&'static str> {
        self.name_in(Table::of::<M>())
    }

    /// The same, by the robot's table.
    pub(crate) fn name_in(&self, table: &Table) -> Option<&'static str> {
        match self.of {
            Touching::Pair(k) => table.pairs.get(k).map(|pair| pair.name),
            Touching::Ground(k) => table.shapes.get(k).map(|shape| shape.name),
        }
    }

    /// Normal, tangents, and about all three.
    pub(crate) fn along_rows(&self) -> [f64; BLOCK_ROWS] {
        let ([normal, first, second], [x, y]) = (self.impulse, self.rolling);
        [normal, first, second, self.torsion, x, y]
    }

    /// About the normal and the tangents.
    pub(crate) fn turning_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        core::iter::once(&mut self.torsion).chain(&mut self.rolling)
    }

    /// The moment of rolling resistance in world axes, N m s.
    pub fn rolling_moment(&self) -> Vector3<f64> {
        self.axes[1] * self.rolling[0] + self.axes[2] * self.rolling[1]
    }

    /// In world axes, N s.
    pub fn world(&self) -> Vector3<f64> {
        let [n, t, u] = &self.axes;
        n * self.impulse[0] + t * self.impulse[1] + u * self.impulse[2]
    }
}

/// The impulses along all rows that a list, in the order of identities, has of a point; zero if it has none.
pub(super) fn known(list: &[PairImpulse], point: &PairImpulse) -> [f64; BLOCK_ROWS] {
    let found = list.binary_search_by_key(&point.identity(), PairImpulse::identity);
    found.ok().and_then(|k| list.get(k)).map_or([0.0; BLOCK_ROWS], PairImpulse::along_rows)
}
