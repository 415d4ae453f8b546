//! The faces of the cones that v⁺ leaves to contacts.

use alloc::vec;
use alloc::vec::Vec;

use super::place::Place;
use crate::cone::BLOCK_ROWS;
use crate::contact::friction::FrictionLaw;
use crate::contact::residual::{Given, Motion};
use crate::contact::slip::norm;
use crate::contact::touching::known;
use crate::contact::{Approach, Cone, Demand, Formulation, PairImpulse, direction};
use crate::model::Robot;
use crate::slices::dot;

/// What a contact must press, by the strongest one, for its friction to tell the direction of its slip.
const PRESSED: f64 = 1e-3;

/// A contact at the end of a step.
pub(super) struct End {
    pub(super) place: Place,
    /// Normal, tangents, and about these, (nv) each.
    pub(super) rows: [Vec<f64>; BLOCK_ROWS],
    /// J v⁺ − target, and ω.
    pub(super) w: [f64; BLOCK_ROWS],
    impulse: [f64; 3],
    pub(super) friction: f64,
    pub(super) torsion: f64,
    pub(super) rolling: f64,
    directions: usize,
}

/// What friction v⁺ leaves to a contact that presses.
pub(super) enum Face {
    /// The round cone.
    Cone,
    /// Any.
    Stuck,
    /// The cone that these impulses span.
    Rays(Vec<[f64; 3]>),
}

/// The contacts whose impulses v⁺ does not tell.
pub(super) fn contacts<'a>(
    robot: Robot<'a>,
    step: &'a Motion<'_>,
    given: &'a Given,
    end: &'a [f64],
) -> impl Iterator<Item = End> + 'a {
    let mut gaps = vec![f64::NAN; robot.contacts.len()];
    robot.gap_into(step.q, &mut gaps);
    let of = (robot.contact_parameters().into_iter().zip(gaps)).enumerate();
    let law = step.conditions.formulation.friction();
    of.filter_map(move |(i, (parameters, gap))| {
        let count = 3 * robot.contacts.len();
        let row = |k: usize| (0..robot.nv).map(|j| given.jacobian[count * j + 3 * i + k]).collect();
        let mut rows: [Vec<f64>; BLOCK_ROWS] = Default::default();
        (0..3).for_each(|k| rows[k] = row(k));
        rows[3..].iter_mut().for_each(|row| row.resize(robot.nv, 0.0));
        let turning = rows[3..].iter_mut().zip(given.turning.rows(i));
        turning.for_each(|(to, row)| to.copy_from_slice(row));
        let restitution = parameters.restitution;
        let velocity = core::array::from_fn(|k| dot(&rows[k], step.v));
        let approach = Approach { gap, velocity, restitution, step_size: step.step_size };
        let (demand, softness) = step.conditions.demand_of_contact(i, &approach)?;
        let before = step.impulse.compression.as_ref().map_or(0.0, |before| before.normal[i]);
        let is_told = demand.regularization > 0.0 || softness > 0.0 || restitution * before > 0.0;
        (!is_told).then(|| End {
            place: Place::Contact(i),
            w: end_of(&rows, end, &demand),
            rows,
            impulse: step.impulse.local(i).into(),
            friction: demand.friction(law.coefficient(parameters.friction)),
            torsion: law.lever(parameters.torsion),
            rolling: law.lever(parameters.rolling),
            directions: robot.contacts[i].directions,
        })
    })
}

/// The same of points of pairs and of ground.
pub(super) fn points<'a>(
    step: &'a Motion<'_>,
    given: &'a Given,
    end: &'a [f64],
) -> impl Iterator<Item = End> + 'a {
    let law = step.conditions.formulation.friction();
    given.pairs.points.iter().enumerate().filter_map(move |(i, point)| {
        let identity = point.touch.identity();
        let listed = &step.impulse.pairs;
        let at = listed.binary_search_by_key(&identity, PairImpulse::identity).ok()?;
        let mut rows: [Vec<f64>; BLOCK_ROWS] = Default::default();
        rows.iter_mut().zip(given.pairs.rows(i)).for_each(|(to, row)| *to = row.to_vec());
        rows.iter_mut().for_each(|row| row.resize(step.v.len(), 0.0));
        let approach = Approach {
            gap: point.touch.gap,
            velocity: given.pairs.velocity(i, step.v),
            restitution: point.restitution,
            step_size: step.step_size,
        };
        let (demand, softness) = step.conditions.demand_of_rigid(&approach)?;
        let before = step.impulse.compression.as_ref();
        let before = before.map_or(0.0, |before| known(&before.pairs, &point.touch)[0]);
        let is_told =
            demand.regularization > 0.0 || softness > 0.0 || point.restitution * before > 0.0;
        (!is_told).then(|| End {
            place: Place::Point(at),
            w: end_of(&rows, end, &demand),
            rows,
            impulse: listed[at].impulse,
            friction: demand.friction(law.coefficient(point.friction)),
            torsion: law.lever(point.torsion),
            rolling: law.lever(point.rolling),
            directions: point.directions,
        })
    })
}

/// J v⁺ − target, and ω.
fn end_of(rows: &[Vec<f64>; BLOCK_ROWS], end: &[f64], demand: &Demand) -> [f64; BLOCK_ROWS] {
    let target = |k: usize| demand.target.get(k).copied().unwrap_or(0.0);
    core::array::from_fn(|k| dot(&rows[k], end) - target(k))
}

impl End {
    /// What may act; `None` where v⁺ tells all.
    pub(super) fn face(
        &self,
        formulation: &Formulation,
        near: f64,
        strongest: f64,
    ) -> Option<Face> {
        let [n, x, y, ..] = self.w;
        let slip = norm([x, y]);
        let holds = n <= near && slip <= near;
        let polygon = || (0..self.directions).map(|k| direction(k, self.directions));
        let ray = |[x, y]: [f64; 2]| [1.0, self.friction * x, self.friction * y];
        match formulation.friction() {
            FrictionLaw::Frictionless => (n <= near).then(|| Face::Rays(vec![[1.0, 0.0, 0.0]])),
            FrictionLaw::Infinite => holds.then_some(Face::Stuck),
            law @ (FrictionLaw::Dissipating(Cone::Round) | FrictionLaw::Convex(Cone::Round)) => {
                if holds {
                    return Some(Face::Cone);
                }
                let lift = if law.is_convex() { self.friction * slip } else { 0.0 };
                let against = || match self.impulse {
                    [pressed, x, y] if pressed > PRESSED * strongest => {
                        [1.0, x / pressed, y / pressed]
                    }
                    _ => ray([-x / slip, -y / slip]),
                };
                (n - lift <= near).then(|| Face::Rays(vec![against()]))
            }
            FrictionLaw::Dissipating(Cone::Pyramid) => {
                let rate = |[p, q]: [f64; 2]| p * x + q * y;
                let least = polygon().map(rate).fold(f64::INFINITY, f64::min);
                let dissipates = |direction: &[f64; 2]| rate(*direction) <= least + near;
                (n <= near).then(|| Face::Rays(polygon().filter(dissipates).map(ray).collect()))
            }
            FrictionLaw::Convex(Cone::Pyramid) => {
                let presses = |[p, q]: &[f64; 2]| n + self.friction * (p * x + q * y) <= near;
                Some(Face::Rays(polygon().filter(presses).map(ray).collect()))
            }
        }
    }
}
