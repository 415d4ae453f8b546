//! What jams under infinite friction, in a plane, where trying all modes of the contacts is a proof.

use jourdain::contact::{Approach, Normal};
use jourdain::prelude::*;
use nalgebra::{DMatrix, DVector, Vector3, vector};

use super::Vector0;
use crate::numbers::Numbers;

const FEET: usize = 2;
/// The coefficient of the limit, and those of what jams with it.
const LIMIT: f64 = 1e2;
const LESS: [f64; 2] = [1e1, 1.0];
/// Velocities and impulses below this are none: so much is a margin, since those that matter are above 10⁻³.
const NONE: f64 = 1e-7;
const H: f64 = 1e-3;
/// Steps that are tried: unoptimised they take long.
const STEPS: usize = if cfg!(debug_assertions) { 1000 } else { 10_000 };

/// A body that moves in a plane over a valley.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    ground(height = 0.5 * sqrt(0.01 + x * x)),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(body, mass = 1, inertia = [0.1, 0.1, 0.1]),
    joint(angle, revolute(lift -> body), axis = [0, 1, 0], passive),
    contact(left, on = body, at = [-0.4, 0, -0.2], restitution = 0.9),
    contact(right, on = body, at = [0.5, 0, 0.1], restitution = 0.9),
)]
struct Sledge;

/// w = A λ + b of both feet, along the normal and the tangent in the plane of each.
struct Planar {
    a: DMatrix<f64>,
    b: DVector<f64>,
}

fn jacobian(q: &Vector3<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(3 * FEET, 3, Sledge.contact_jacobian(q).as_slice())
}

/// Which tangent of a foot lies in the plane: the other one moves nothing.
fn in_plane(jacobian: &DMatrix<f64>, foot: usize) -> usize {
    let moves = |axis: usize| jacobian.row(3 * foot + axis).norm();
    if moves(1) > moves(2) { 1 } else { 2 }
}

impl Planar {
    /// A step from (q, v).
    fn of(q: &Vector3<f64>, v: &Vector3<f64>) -> Self {
        let inverse = Sledge.mass_matrix(q).try_inverse().unwrap();
        let free = v - H * inverse * Sledge.bias_force(q, v);
        let (jacobian, gaps) = (jacobian(q), Sledge.gap(q));
        let row = |i: usize| {
            let axis = if i.is_multiple_of(2) { 0 } else { in_plane(&jacobian, i / 2) };
            jacobian.row(3 * (i / 2) + axis).into_owned()
        };
        let rows = DMatrix::from_fn(2 * FEET, 3, |i, j| row(i)[j]);
        let target = DVector::from_fn(2 * FEET, |i, _| {
            let velocity = [0, 1, 2].map(|axis| (jacobian.row(3 * (i / 2) + axis) * v)[0]);
            let approach = Approach { gap: gaps[i / 2], velocity, restitution: 0.9, step_size: H };
            let demand = Formulation::Sticking(Normal::Gap).demand(&approach).unwrap();
            if i.is_multiple_of(2) { demand.target[0] } else { 0.0 }
        });
        Self { a: &rows * inverse * rows.transpose(), b: rows * free - target }
    }

    fn velocities(&self, impulse: &DVector<f64>) -> DVector<f64> {
        &self.a * impulse + &self.b
    }

    /// The solutions under Coulomb's law: each foot opens, sticks, or slides either way.
    fn solutions(&self, friction: f64) -> Vec<DVector<f64>> {
        let all = 0..4_usize.pow(FEET as u32);
        all.filter_map(|modes| self.solution(modes, friction)).collect()
    }

    /// That of one choice of modes. Where its equations are singular, they must contradict each other.
    fn solution(&self, modes: usize, friction: f64) -> Option<DVector<f64>> {
        let n = 2 * FEET;
        let (mut matrix, mut right) = (DMatrix::identity(n, n), DVector::zeros(n));
        let mode = |foot: usize| modes >> (2 * foot) & 3;
        for (foot, normal) in (0..FEET).map(|foot| (foot, 2 * foot)).filter(|of| mode(of.0) > 0) {
            matrix.set_row(normal, &self.a.row(normal));
            right[normal] = -self.b[normal];
            match mode(foot) {
                1 => {
                    matrix.set_row(normal + 1, &self.a.row(normal + 1));
                    right[normal + 1] = -self.b[normal + 1];
                }
                2 => matrix[(normal + 1, normal)] = friction,
                _ => matrix[(normal + 1, normal)] = -friction,
            }
        }
        let decomposition = matrix.clone().svd(true, true);
        let small = 1e-12 * decomposition.singular_values.max();
        let impulse = decomposition.solve(&right, small).unwrap();
        if decomposition.rank(small) < n {
            let error = (matrix * impulse - right).amax();
            assert!(error > NONE, "modes {modes:b} are undecided: {error:e}");
            return None;
        }
        let w = self.velocities(&impulse);
        let fits = |foot: usize| {
            let (normal, tangent) = (2 * foot, 2 * foot + 1);
            let presses = impulse[normal] >= -NONE;
            match mode(foot) {
                0 => w[normal] >= -NONE,
                1 => presses && impulse[tangent].abs() <= friction * impulse[normal] + NONE,
                2 => presses && w[tangent] >= -NONE,
                _ => presses && w[tangent] <= NONE,
            }
        };
        (0..FEET).all(fits).then_some(impulse)
    }
}

/// What slides with ten times or once its normal force does so in steps that have no solution with a hundred times, by
/// trying all modes; and what was taken is one with the smaller coefficient.
#[test]
fn what_slides_with_less_could_not_with_more() -> Result<(), SimulationError> {
    let mut numbers = Numbers(5);
    let mut number = || numbers.next();
    let (mut limits, mut less) = (0, [0; 2]);
    for _ in 0..STEPS {
        let mut q = vector![0.2 * number(), 0.0, 0.3 * number()];
        // As low as it may be; then so much above the ground that both feet may arrive within a step.
        q[1] -= (0..20).fold(0.0, |lower, _| {
            let gaps = Sledge.gap(&(q - vector![0.0, lower, 0.0]));
            lower + gaps[0].min(gaps[1])
        });
        q[1] += 1e-6;
        let v = vector![2.0 * number(), -2.0 + number(), 4.0 * number()];
        let start = (q, v);
        let mut simulation = Simulation::new(Sledge)?.formulation(Formulation::sticking());
        simulation.reset(start.0, start.1)?;
        simulation.step(&Vector0::zeros())?;
        let jacobian = jacobian(&q);
        let impulse = DVector::from_fn(2 * FEET, |i, _| {
            let local = simulation.impulse().local(i / 2);
            local[if i.is_multiple_of(2) { 0 } else { in_plane(&jacobian, i / 2) }]
        });
        let planar = Planar::of(&q, &v);
        let w = planar.velocities(&impulse);
        let slides = |foot: &usize| impulse[2 * foot] > NONE && w[2 * foot + 1].abs() > NONE;
        let by_normal = |foot: usize| impulse[2 * foot + 1].abs() / impulse[2 * foot];
        let Some(ratio) = (0..FEET).find(slides).map(by_normal) else { continue };
        if (ratio / LIMIT - 1.0).abs() < 1e-6 {
            limits += 1;
            continue;
        }
        let k = LESS.iter().position(|less| (ratio / less - 1.0).abs() < 1e-6).unwrap();
        less[k] += 1;
        for more in [LIMIT, LESS[0]].into_iter().take(1 + k) {
            let found = planar.solutions(more);
            assert!(found.is_empty(), "{more}: {start:?} {impulse} {found:?}");
        }
        let found = planar.solutions(LESS[k]);
        assert!(found.iter().any(|of| (of - &impulse).amax() < NONE), "{start:?} {impulse}");
    }
    assert!(limits > 10 && less[0] + less[1] >= 5, "{limits} {less:?}");
    Ok(())
}
