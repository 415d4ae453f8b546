//! What is recorded of a step.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use super::State;
use crate::contact::{Impulse, Residual};
use crate::description::ContactParameters;
use crate::model::{Model, Prepared, Robot};
use crate::record::{PairForce, Sample};
use crate::space::Storage;

/// The contacts with their axes, and the impulses that acted.
pub(crate) type Acting<'a> = (&'a [ContactParameters], &'a Impulse);

/// The end of a step of `h` seconds with the input `u`, by the impulses at contacts with these axes.
pub(crate) fn sample<M: Model>(
    model: &Prepared<M>,
    (state, u): (State<M>, M::U),
    acting: Acting<'_>,
    h: f64,
    residual: Residual,
) -> Sample<M> {
    let robot = model.as_data();
    let Taken {
        gaps,
        points,
        forces,
        torsions,
        rollings,
        pairs,
        multipliers,
        declared_limits,
        along,
    } = Taken::new(robot, state.q.as_slice(), acting, h);
    let [limits, motors, dry_friction] = along.map(|numbers| {
        let mut all = M::V::zeros();
        all.as_mut_slice().iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        all
    });
    Sample {
        u,
        gaps,
        forces,
        torsions,
        rollings,
        points,
        pairs,
        multipliers,
        declared_limits,
        limits,
        motors,
        dry_friction,
        kinetic_energy: robot.kinetic_energy(state.q.as_slice(), state.v.as_slice()),
        potential_energy: model.potential_energy(&state.q),
        residual,
        state,
    }
}

/// What a sample has of the end of a step, but for what has the robot's types.
struct Taken {
    gaps: Vec<f64>,
    points: Vec<Vector3<f64>>,
    forces: Vec<Vector3<f64>>,
    torsions: Vec<f64>,
    rollings: Vec<Vector3<f64>>,
    pairs: Vec<PairForce>,
    multipliers: Vec<f64>,
    declared_limits: Vec<f64>,
    /// Forces of limits, of motors and of dry friction along the velocity coordinates, (nv) each.
    along: [Vec<f64>; 3],
}

impl Taken {
    /// That of a step of `h` seconds that ends at `q`.
    fn new(robot: Robot<'_>, q: &[f64], (contacts, impulse): Acting<'_>, h: f64) -> Self {
        let forces = |impulses: &[f64]| impulses.iter().map(|x| x / h).collect();
        let each = |world: &dyn Fn(usize, &ContactParameters) -> Vector3<f64>| {
            contacts.iter().enumerate().map(|(i, of)| world(i, of) / h).collect()
        };
        let limits = impulse.limits.iter().map(|[lower, upper]| (lower - upper) / h).collect();
        let mut gaps = vec![f64::NAN; robot.contacts.len()];
        robot.gap_into(q, &mut gaps);
        Self {
            gaps,
            points: contact_points(robot, q),
            forces: each(&|i, of| impulse.world(i, of)),
            torsions: forces(&impulse.torsion),
            rollings: each(&|i, of| impulse.rolling_moment(i, of)),
            pairs: impulse.pairs.iter().map(|of| PairForce::new(of, h)).collect(),
            multipliers: forces(&impulse.constraints),
            declared_limits: forces(&impulse.declared),
            along: [limits, forces(&impulse.motors), forces(&impulse.dry_friction)],
        }
    }
}

/// The points of the contacts in the world, m.
pub(crate) fn contact_points(robot: Robot<'_>, q: &[f64]) -> Vec<Vector3<f64>> {
    let mut points = vec![f64::NAN; 3 * robot.contacts.len()];
    robot.contact_points_into(q, &mut points);
    points.chunks_exact(3).map(Vector3::from_column_slice).collect()
}
