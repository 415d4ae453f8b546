//! Gauss' principle, its dual and the projected equations, of whole robots.

use jourdain::constrained::{Assembly, Constrained, Hold};
use jourdain::manifold::integrate;
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use crate::four_bar::MassiveFourBar;
use crate::mobility::Bricard;
use crate::nearest::{FiveBars, Hanging, Numbers};

/// A floating body that stands with two points, and swings a leg.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 5, com = [0.1, 0, 0.05], inertia = [0.1, 0.2, 0.3]),
    joint(base, floating(world -> body)),
    link(leg, mass = 1, com = [0, 0, -0.3], inertia = [0.1, 0.1, 0.02]),
    joint(hip, universal(body -> leg), at = [0, 0.2, -0.1], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(left, on = body, at = [0.3, 0.1, -0.4], friction = 1),
    contact(right, on = body, at = [-0.3, 0.1, -0.4], friction = 1),
    contact(toe, on = leg, at = [0, 0, -0.6], friction = 1),
)]
struct Stander;

/// A state on the constraints, near a random one, and the robot there.
fn state<M: Model>(
    held: &mut Constrained<M>,
    numbers: &mut Numbers,
) -> Option<(M::Q, M::V, DVector<f64>)> {
    let mut guess = held.robot().neutral();
    let moved: Vec<f64> = (0..M::NV).map(|_| numbers.next()).collect();
    integrate(M::JOINTS, &moved, 1.0, guess.as_mut_slice());
    let (mut v, mut tau) = (M::V::zeros(), DVector::zeros(M::NV));
    v.as_mut_slice().iter_mut().for_each(|v| *v = numbers.next());
    tau.iter_mut().for_each(|tau| *tau = 5.0 * numbers.next());
    let q = held.assemble(&guess, Assembly::Mass, 0.0).ok()?.value;
    let v = held.assemble_velocity(&q, &v, Assembly::Mass, 0.0).ok()?.value;
    Some((q, v, tau))
}

fn generalised<M: Model>(x: &DVector<f64>) -> M::V {
    let mut out = M::V::zeros();
    out.as_mut_slice().copy_from_slice(x.as_slice());
    out
}

/// What must hold of the motion at random states; how many there were.
fn check<M: Model>(mut held: Constrained<M>, numbers: &mut Numbers) -> usize {
    let states = (0..20).filter_map(|_| {
        let (q, v, tau) = state(&mut held, numbers)?;
        let force = generalised::<M>(&tau);
        let v_dot = held.forward_dynamics(&q, &v, &force, 0.0).unwrap();
        let (multipliers, report) = (held.multipliers().to_vec(), held.report().unwrap());
        let reaction = held.constraint_force();
        let projection = held.projection(&q, &v, 0.0).unwrap();
        // The last solution stays.
        assert_eq!(held.constraint_force().as_slice(), reaction.as_slice());
        assert_eq!(held.report(), Some(report));
        assert_eq!(held.multipliers(), multipliers);
        assert_eq!(projection.report.rank, report.rank);

        let robot = held.robot();
        let dense = |m: &[f64]| DMatrix::from_column_slice(M::NV, m.len() / M::NV, m);
        let vector = |x: &M::V| DVector::from_column_slice(x.as_slice());
        let mass = dense(robot.mass_matrix(&q).as_slice());
        let bias = vector(&robot.bias_force(&q, &v));
        let (free, v_dot) = (vector(&robot.forward_dynamics(&q, &v, &force)), vector(&v_dot));
        let (h, g) = (&projection.jacobian, DVector::from_column_slice(&projection.target));
        let scale = 1.0 + free.norm() * mass.norm() * report.condition.sqrt();

        // Gauss: of all accelerations that the rows allow, the nearest to the free one in the metric of M.
        let compulsion = |x: &DVector<f64>| 0.5 * (x - &free).dot(&(&mass * (x - &free)));
        let projector = dense(projection.projector.as_slice());
        let least = compulsion(&v_dot);
        assert!((h * &v_dot - &g).amax() < 1e-9 * scale);
        for _ in 0..4 {
            let way = &projector * DVector::from_fn(M::NV, |_, _| numbers.next());
            assert!((h * &way).amax() < 1e-9 * (1.0 + projector.norm() * h.norm()));
            let rise = compulsion(&(&v_dot + &way)) - least;
            let expected = 0.5 * way.dot(&(&mass * &way));
            assert!((rise - expected).abs() < 1e-9 * scale * scale, "{rise} {expected}");
        }

        // Its dual: ½ λᵀ A λ + λᵀ (H v̇_free − g), with a plus; the least is the compulsion, negative.
        let delassus = h * mass.clone().cholesky().unwrap().inverse() * h.transpose();
        let dual = |x: &DVector<f64>| 0.5 * x.dot(&(&delassus * x)) + x.dot(&(h * &free - &g));
        let lambda = DVector::from_column_slice(&multipliers);
        assert!((dual(&lambda) + least).abs() < 1e-9 * scale * scale, "{least}");
        for _ in 0..4 {
            let other = &lambda + DVector::from_fn(lambda.len(), |_, _| numbers.next());
            assert!(dual(&other) >= dual(&lambda) - 1e-9 * scale * scale);
        }

        // M v̇ = Nᵀ (τ − b) + Hᵀ Λ_c g.
        let borne = vector(&projection.force(&generalised::<M>(&(&tau - &bias))));
        let right = borne + vector(&projection.needed_force());
        assert!((&mass * &v_dot - right).amax() < 1e-9 * scale);

        // What an impact takes.
        let after = held.impact(&q, &generalised::<M>(&free), 0.0).unwrap();
        let energy = |x: &DVector<f64>| 0.5 * x.dot(&(&mass * x));
        let loss = energy(&free) - energy(&vector(&after));
        let told = projection.impact_loss(&generalised::<M>(&free));
        assert!((loss - told).abs() < 1e-8 * scale * scale, "{loss} {told}");
        Some(())
    });
    states.count()
}

#[test]
fn of_linkages() {
    let numbers = &mut Numbers(1);
    let bars = FiveBars { first: 1.0, second: 0.8, third: 1.1, fourth: 0.9 };
    assert!(check(Constrained::new(bars), numbers) > 15);
    assert!(check(Constrained::new(MassiveFourBar), numbers) > 15);
    assert!(check(Constrained::new(Hanging { side: 0.3, long: 1.7 }), numbers) > 15);
}

#[test]
fn of_a_linkage_with_a_redundant_row() {
    assert!(check(Constrained::new(Bricard), &mut Numbers(2)) > 10);
}

#[test]
fn of_robots_that_stand() {
    let firmly = [("left", Hold::Point), ("right", Hold::Point), ("toe", Hold::Point)];
    let sliding = [("left", Hold::Point), ("right", Hold::Normal), ("toe", Hold::Normal)];
    for holds in [firmly, sliding] {
        let mut held = Constrained::new(Stander);
        for (contact, hold) in holds {
            held.hold_contact(contact, Some(hold)).unwrap();
        }
        assert!(check(held, &mut Numbers(3)) > 15);
    }
}

/// Nothing holds: N = 1, nothing is borne.
#[test]
fn without_rows() {
    let mut held = Constrained::new(MassiveFourBar);
    held.set_active("tip", false).unwrap();
    let (q, v) = (SVector::zeros(), SVector::zeros());
    let projection = held.projection(&q, &v, 0.0).unwrap();
    assert!(projection.inertia.is_empty() && projection.report.rank == 0);
    assert_eq!(projection.projector, SMatrix::<f64, 5, 5>::identity());
    assert!(projection.needed_force().amax() == 0.0 && projection.impact_loss(&v) == 0.0);
}
