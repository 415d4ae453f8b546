//! Assemblies are the nearest, by the condition that says so: Dᵀ W d = Hᵀ λ, d = q ⊖ q₀.

use jourdain::constrained::{Assembled, Assembly, Constrained};
use jourdain::description::Chart;
use jourdain::manifold::{difference, integrate};
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::{DMatrix, DVector, SVector, vector};

pub(crate) use crate::numbers::Numbers;

impl Numbers {
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + 0.5 * (high - low) * (1.0 + self.next())
    }
}

/// A point on a sphere of one metre.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, massless),
    joint(x, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, massless),
    joint(y, prismatic(a -> b), axis = [0, 1, 0]),
    link(c, mass = 1),
    joint(z, prismatic(b -> c), axis = [0, 0, 1]),
    rod(radius, a = world, b = c, length = 1),
)]
pub(crate) struct Sphere;

/// From inside and from outside, from near the centre and from far away, where Gauss and Newton's step alone
/// would go to and fro.
#[test]
fn the_nearest_point_of_a_sphere_is_in_the_direction_of_the_guess() {
    let (mut robot, numbers) = (Constrained::new(Sphere), &mut Numbers(1));
    for distance in [1e-3, 0.01, 0.3, 0.9, 1.0, 1.5, 2.0, 3.0, 10.0, 30.0] {
        for _ in 0..20 {
            let direction = SVector::<f64, 3>::from_fn(|_, _| numbers.next()).normalize();
            let guess = direction * distance;
            let found = robot.assemble(&guess, Assembly::Weights(&[2.0; 3]), 0.0).unwrap();
            let wrong = (found.value - direction).amax();
            assert!(found.is_nearest() && wrong < 1e-9, "{distance}: {found:?} {wrong:e}");
        }
    }
    // From the centre every point is as near.
    let found = robot.assemble(&SVector::zeros(), Assembly::Mass, 0.0);
    assert!(found.is_ok_and(|found| (found.value.norm() - 1.0).abs() < 1e-12));
}

/// A stationary place on an axis, where the search begins, is a saddle or the farthest: by light weights
/// other places are nearer. Their distance is known from Lagrange: xₖ = wₖ gₖ / (wₖ + μ), or μ = −wₖ where gₖ = 0.
#[test]
fn a_saddle_is_no_nearest_point() {
    let mut robot = Constrained::new(Sphere);
    for light in [1e-2, 1e-3, 1e-5] {
        for axis in 0..3 {
            for side in [0.5, -0.5, 0.9, -0.2] {
                let (mut weights, mut guess) = ([light; 3], SVector::<f64, 3>::zeros());
                (weights[axis], guess[axis]) = (1.0, side);
                let found = robot.assemble(&guess, Assembly::Weights(&weights), 0.0).unwrap();
                let along = side / (1.0 - light);
                let expected = (along - side).powi(2) + light * (1.0 - along * along);
                let away = found.value - guess;
                let squared: f64 = away.iter().zip(&weights).map(|(d, w)| w * d * d).sum();
                assert!((found.value[axis] - along).abs() < 1e-7, "{light:e} {side}: {found:?}");
                assert!((squared - expected).abs() < 1e-9 * expected, "{squared:e} {expected:e}");
                assert!(found.is_nearest(), "{light:e} {side}: {found:?}");
            }
        }
    }
    // From outside, the place on the axis is the nearest.
    let found = robot.assemble(&vector![1.5, 0.0, 0.0], Assembly::Weights(&[1.0, 0.6, 0.6]), 0.0);
    assert!(found.is_ok_and(|found| found.is_nearest() && found.value == vector![1.0, 0.0, 0.0]));
}

/// A planar linkage of five bars with two degrees of freedom.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(one, revolute(world -> a), axis = [0, 0, 1]),
    link(b, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(two, revolute(a -> b), at = [first, 0, 0], axis = [0, 0, 1]),
    link(c, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(three, revolute(world -> c), at = [1, 0, 0], axis = [0, 0, 1]),
    link(d, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(four, revolute(c -> d), at = [second, 0, 0], axis = [0, 0, 1]),
    closure(tip, a = b @ [third, 0, 0], b = d @ [fourth, 0, 0], axes = [x, y]),
)]
pub(crate) struct FiveBars {
    pub(crate) first: f64,
    pub(crate) second: f64,
    pub(crate) third: f64,
    pub(crate) fourth: f64,
}

/// A floating body on three rods, a ball joint on it whose link is tied to the world, and a slide.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 2, com = [0.1, 0, 0], inertia = [0.1, 0.2, 0.3]),
    joint(base, floating(world -> body)),
    link(arm, mass = 1, com = [0, 0, -0.3], inertia = [0.1, 0.05, 0.1]),
    joint(ball, spherical(body -> arm), at = [0.2, 0.1, 0]),
    link(hand, mass = 1, inertia = [0.01, 0.01, 0.02]),
    joint(slide, prismatic(arm -> hand), at = [0, 0, -0.5], axis = [0, side, 1]),
    rod(left, a = world @ [1, side, 2], b = body @ [0.3, 0, 0], length = long),
    rod(right, a = world @ [-1, 0.5, 2], b = body @ [-0.3, side, 0], length = long),
    point_on_plane(floor, a = world, b = hand, normal = [side, 0, 1]),
    closure(axis, a = world, b = arm, axes = [rz]),
)]
pub(crate) struct Hanging {
    pub(crate) side: f64,
    pub(crate) long: f64,
}

/// The largest entry of what Hᵀ leaves of the slope of ½ dᵀ W d, which is found by differences.
fn imbalance<M: Model>(
    robot: &M,
    guess: &M::Q,
    found: &Assembled<M::Q>,
    weights: &DMatrix<f64>,
) -> f64 {
    let q = &found.value;
    let cost = |k: usize, step: f64| {
        let (mut moved, mut unit) = (q.clone(), vec![0.0; M::NV]);
        unit[k] = step;
        integrate(M::JOINTS, &unit, 1.0, moved.as_mut_slice());
        let mut d = DVector::zeros(M::NV);
        difference(M::JOINTS, guess.as_slice(), moved.as_slice(), d.as_mut_slice());
        0.5 * d.dot(&(weights * &d))
    };
    let slope = DVector::from_fn(M::NV, |k, _| (cost(k, 1e-4) - cost(k, -1e-4)) / 2e-4);
    let mut jacobian = DMatrix::zeros(M::NC, M::NV);
    robot.constraint_jacobian_into(q, &M::V::zeros(), 0.0, jacobian.as_mut_slice());
    let columns = jacobian.transpose();
    let balanced = columns.clone().svd(true, true).solve(&slope, 1e-9).unwrap();
    (slope - columns * balanced).amax() / weights.amax()
}

/// Assembles from there by weights and by the mass matrix, and checks the condition. Whether it could be.
fn check<M: Model + Clone>(robot: &M, guess: &M::Q, numbers: &mut Numbers) -> bool {
    let mut held = Constrained::new(robot.clone());
    let mut weights: Vec<f64> = (0..M::NV)
        .map(|_| if numbers.next() > 0.5 { 0.0 } else { numbers.between(0.1, 5.0) })
        .collect();
    // A slide without weight may lead to infinity, where the least distance is not attained.
    weights[M::NV - 1] += 0.1;
    let mass = robot.mass_matrix(guess);
    let diagonal = DMatrix::from_diagonal(&DVector::from_column_slice(&weights));
    let mass = DMatrix::from_column_slice(M::NV, M::NV, mass.as_slice());
    let ways = [(Assembly::Weights(&weights), diagonal), (Assembly::Mass, mass)];
    ways.into_iter().all(|(by, matrix)| {
        let Ok(found) = held.assemble(guess, by, 0.0) else { return false };
        let mut errors = vec![f64::NAN; M::NC];
        robot.constraint_into(&found.value, 0.0, &mut errors);
        assert!(errors.iter().all(|error| error.abs() < 1e-11), "{found:?}");
        let mut away = vec![0.0; M::NV];
        difference(M::JOINTS, guess.as_slice(), found.value.as_slice(), &mut away);
        let turned = M::JOINTS.iter().filter(|joint| joint.chart != Chart::Vector).any(|joint| {
            let angle = &away[joint.v + joint.nv - 3..joint.v + joint.nv];
            angle.iter().map(|x| x * x).sum::<f64>().sqrt() > 0.9999 * core::f64::consts::PI
        });
        if turned && !found.is_nearest() {
            // Half a turn away the difference of rotations jumps, and with it the distance by M.
            return false;
        }
        assert!(found.is_nearest(), "{found:?} from {guess:?}: {away:?}");
        let left = imbalance(robot, guess, &found, &matrix);
        assert!(left < 1e-6, "{left:e} {found:?}");
        true
    })
}

#[test]
fn random_linkages_are_assembled_at_the_nearest() {
    let (numbers, mut assembled) = (&mut Numbers(7), 0);
    for _ in 0..150 {
        let mut length = || numbers.between(0.6, 1.4);
        let robot =
            FiveBars { first: length(), second: length(), third: length(), fourth: length() };
        let guess = SVector::from_fn(|_, _| numbers.between(-2.0, 2.0));
        assembled += usize::from(check(&robot, &guess, numbers));
    }
    assert!(assembled > 140, "{assembled}");
}

#[test]
fn random_spatial_mechanisms_are_assembled_at_the_nearest() {
    let (numbers, mut assembled) = (&mut Numbers(3), 0);
    for _ in 0..60 {
        let robot = Hanging { side: numbers.next(), long: numbers.between(1.0, 2.0) };
        let mut guess = robot.neutral();
        let moved: Vec<f64> = (0..Hanging::NV).map(|_| numbers.next()).collect();
        integrate(Hanging::JOINTS, &moved, 1.0, guess.as_mut_slice());
        assembled += usize::from(check(&robot, &guess, numbers));
    }
    assert!(assembled > 55, "{assembled}");
}

#[test]
fn velocities_are_the_nearest_too() {
    let numbers = &mut Numbers(11);
    for _ in 0..50 {
        let robot = FiveBars { first: 1.0, second: 0.8, third: 1.1, fourth: 0.9 };
        let mut held = Constrained::new(robot);
        let guess = vector![1.5, -0.8, 1.9, 0.6].map(|x| x + 0.3 * numbers.next());
        let q = held.assemble(&guess, Assembly::Mass, 0.0).unwrap().value;
        let wanted = SVector::<f64, 4>::from_fn(|_, _| numbers.next());
        let found = held.assemble_velocity(&q, &wanted, Assembly::Mass, 0.0).unwrap();
        assert!(found.is_nearest() && found.residual < 1e-12, "{found:?}");
        let momentum = robot.mass_matrix(&q) * (found.value - wanted);
        let columns = robot.constraint_jacobian(&q, &found.value, 0.0).transpose();
        let balanced = columns.svd(true, true).solve(&momentum, 1e-12).unwrap();
        assert!((momentum - columns * balanced).amax() < 1e-10);
    }
}
