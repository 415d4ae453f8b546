//! Projection onto the constraints: what generated code does from nearby is what assemblies are.

use jourdain::constrained::{Actuation, Assembly, Constrained, Error, Hold};
use jourdain::prelude::*;
use nalgebra::{SVector, UnitQuaternion, Vector3, vector};

use crate::nearest::Numbers;

/// A body that stands on a foot, with a linkage, a guide that moves and a wheel that is driven; rows ask for
/// other velocities after an impact.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 3, com = [0.02, -0.05, 0.1], inertia = [0.1, 0.2, 0.15, 0.01, 0, -0.02]),
    joint(free, floating(world -> body)),
    link(crank, mass = 1, com = [0.15, 0, 0], inertia = [0.01, 0.01, 0.01]),
    joint(motor, revolute(body -> crank), axis = [0, 1, 0]),
    link(rod, mass = 1, com = [0.4, 0, 0], inertia = [0.05, 0.05, 0.05]),
    joint(pin, revolute(crank -> rod), at = [0.3, 0, 0], axis = [0, 1, 0]),
    link(piston, mass = 2),
    joint(slide, prismatic(body -> piston), axis = [1, 0, 0]),
    link(wheel, mass = 0.5, inertia = [0.01, 0.02, 0.01]),
    joint(axle, revolute(piston -> wheel), axis = [0, 1, 0]),
    closure(wrist, a = rod @ [0.8, 0, 0], b = piston, axes = [x, z], restitution = 0.4),
    constraint(guide, h = slide - 0.9 - 0.1 * sin(3 * t), velocity_after = 0.7, restitution = 0.3),
    drive(speed, joint = axle, rate = 2 * t, velocity_after = 0.2),
    contact(foot, on = body, at = [0, 0.1, -0.5]),
)]
struct Machine;

type Q = SVector<f64, 11>;
type V = SVector<f64, 10>;

const TIME: f64 = 0.4;

fn closed() -> Q {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.3, 0.8));
    let mut guess = vector![0.3, -0.2, 0.6, 0.0, 0.0, 0.0, 0.0, 0.9, -1.2, 0.9, 0.0];
    guess.fixed_rows_mut::<4>(3).copy_from(&turn.coords);
    Constrained::new(Machine).assemble(&guess, Assembly::Mass, TIME).unwrap().value
}

/// What of M d, d = q ⊖ q₀, is no Hᵀ λ: nothing at the nearest configuration.
fn unexplained(guess: &Q, q: &Q) -> f64 {
    let pull = Machine.mass_matrix(guess) * Machine.difference(guess, q);
    let positions =
        Machine.constraint_jacobian(q, &V::zeros(), TIME).fixed_rows::<3>(0).transpose();
    let basis = positions.qr().q();
    (pull - basis * (basis.transpose() * pull)).norm()
}

/// Far away, too, where no step leads there at once.
#[test]
fn a_projection_is_an_assembly() {
    const { assert!(Machine::HELD_ROWS > 0) };
    let (mut held, numbers) = (Constrained::new(Machine), &mut Numbers(5));
    held.hold_contact("foot", Some(Hold::Point)).unwrap();
    for distance in [0.0, 1e-14, 1e-9, 1e-7, 1e-6, 1e-4, 1e-2, 0.1] {
        let away = V::from_fn(|_, _| distance * numbers.next());
        let (q, v) = (Machine.integrate(&closed(), &away), V::from_fn(|_, _| 3.0 * numbers.next()));
        let (near, keeping) = held.project(&q, &v, TIME).unwrap();
        let place = held.assemble(&q, Assembly::Mass, TIME).unwrap().value;
        let apart = Machine.difference(&near, &place).amax();
        assert!(apart <= 1e-12 + 1e-4 * distance, "{distance:e}: {apart:e}");
        let unexplained = unexplained(&q, &near);
        assert!(unexplained <= 1e-13 + 1e-10 * distance, "{distance:e}: {unexplained:e}");
        let velocity = held.assemble_velocity(&near, &v, Assembly::Mass, TIME).unwrap().value;
        let apart = (keeping - velocity).amax();
        assert!(apart <= 1e-11, "{distance:e}: {apart:e}");
        assert!(Machine.constraint(&near, TIME).amax() <= 1e-13);
        assert!(Machine.constraint_rate(&near, &keeping, TIME).amax() <= 1e-12);
        let slip = Machine.contact_jacobian(&near) * keeping;
        assert!(slip.amax() <= 1e-12, "{slip}");
    }
}

/// Runs it after a solution, which must stay as it was.
fn leaves_the_last_solution(run: impl FnOnce(&mut Constrained<Machine>, &Q, &V)) {
    let mut held = Constrained::new(Machine);
    let (q, v) = (closed(), V::repeat(0.3));
    held.forward_dynamics(&q, &v, &V::repeat(1.0), TIME).unwrap();
    let (multipliers, force) = (held.multipliers().to_vec(), held.constraint_force());
    let report = held.report();
    run(&mut held, &q, &v);
    assert_eq!(held.multipliers(), multipliers);
    assert_eq!(held.constraint_force(), force);
    assert_eq!(held.report(), report);
}

#[test]
fn a_projection_leaves_the_last_solution() {
    leaves_the_last_solution(|held, q, v| {
        held.project(&Machine.integrate(q, &V::repeat(1e-8)), v, TIME).unwrap();
    });
}

/// What fails, too.
#[test]
fn inverse_dynamics_leave_the_last_solution() {
    let full = Actuation::full::<Machine>();
    leaves_the_last_solution(|held, q, v| {
        held.inverse_dynamics(q, v, &V::repeat(0.5), TIME, &full).unwrap();
    });
    leaves_the_last_solution(|held, q, v| {
        let beyond = held.inverse_dynamics(q, v, &V::repeat(f64::MAX), TIME, &full);
        assert!(matches!(beyond, Err(Error::Unsolved(_))), "{beyond:?}");
    });
}

#[test]
fn an_energy_is_finite_and_above_the_potential() {
    let mut held = Constrained::new(Machine);
    held.set_active("speed", false).unwrap();
    held.set_active("guide", false).unwrap();
    let (q, v) = held.project(&closed(), &V::repeat(0.3), TIME).unwrap();
    let energy = |v: &V| Machine.kinetic_energy(&q, v) + Machine.potential_energy(&q);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        match held.project_with_energy(&q, &v, bad, TIME) {
            Err(Error::Model(ModelError::NotFinite { quantity: "energy", .. })) => {}
            other => panic!("{bad}: {other:?}"),
        }
    }
    let scaled = held.project_with_energy(&q, &v, energy(&v) + 10.0, TIME).unwrap().1;
    assert!((energy(&scaled) - energy(&v) - 10.0).abs() < 1e-9, "{}", energy(&scaled));
    let potential = Machine.potential_energy(&q);
    for (slow, energy) in [(v, potential - 1.0), (v, potential), (V::zeros(), potential + 1.0)] {
        let same = held.project_with_energy(&q, &slow, energy, TIME).unwrap().1;
        assert!((same - slow).amax() < 1e-12, "{energy}: {same}");
    }
    let slow = V::from_fn(|k, _| if k == 9 { 1e-160 } else { 0.0 });
    let (_, finite) = held.project_with_energy(&q, &slow, f64::MAX, TIME).unwrap();
    assert!(finite.iter().all(|v| v.is_finite()), "{finite}");
}
