//! How well the points of pairs satisfy their law; they are found anew from q and v.

use super::given::Given;
use super::law::{Contact, Turn};
use super::motion::Motion;
use super::phase::Phase;
use crate::contact::touching::known;
use crate::contact::{Approach, PairImpulse};
use crate::model::Robot;
use crate::slices::{largest, worse};

/// Residuals along the normals and of friction, where impulses at points that there are not are errors too.
pub(super) fn residual(
    robot: Robot<'_>,
    step: &Motion<'_>,
    phase: &Phase,
    given: &Given,
) -> [f64; 2] {
    let (conditions, pairs) = (step.conditions, &given.pairs);
    let (strongest, law) = (phase.whole.strongest(), conditions.formulation.friction());
    let is_nowhere = |given: &&PairImpulse| {
        let same = |point: &PairImpulse| point.identity() == given.identity();
        !pairs.points.iter().any(|point| same(&point.touch))
    };
    let others = phase.impulse.pairs.iter().filter(is_nowhere);
    let size = |given: &PairImpulse| largest(&given.along_rows());
    let mut worst = [others.map(size).fold(0.0, worse), 0.0];
    for (i, point) in pairs.points.iter().enumerate() {
        let [impulse, whole] =
            [&phase.impulse, &phase.whole].map(|impulse| known(&impulse.pairs, &point.touch));
        let approach = Approach {
            gap: point.touch.gap,
            velocity: pairs.velocity(i, step.v),
            restitution: point.restitution,
            step_size: step.step_size,
        };
        let Some((demand, _)) = conditions.demand_of_rigid(&approach) else {
            worst[0] = worse(worst[0], largest(&impulse));
            continue;
        };
        let demand = phase.demand(demand, &approach);
        let end = &phase.end;
        let [n, t, u, spin, x, y] = pairs.end(i, end, end);
        let mut w = [n, t, u];
        for k in 0..3 {
            w[k].add(-demand.target[k]);
            let row = |j: usize| pairs.rows(i).nth(k).map_or(f64::NAN, |row| row[j]);
            w[k].add(given.compliance(robot, step, &demand, row) * whole[k]);
        }
        let friction = demand.friction(law.coefficient(point.friction));
        let floor = phase.floor_of_point(&point.touch, point.restitution);
        let directions = point.directions;
        let [n, t, u, turning @ ..] = impulse;
        let contact = Contact { impulse: [n, t, u], floor, w, friction, directions, strongest };
        let [normal, friction] = contact.residual(&conditions.formulation);
        let of = law.turning([point.torsion, point.rolling]);
        let turned = Turn { impulse: turning, w: [spin, x, y] }.residual(n, of);
        worst = [worse(worst[0], normal), worse(worst[1], worse(friction, turned))];
    }
    worst
}
