//! Answers in closed form.

use jourdain::impact::{Ending, Error, Friction, Law, Part, Restitution};
use jourdain::prelude::*;
use nalgebra::{Matrix3, SMatrix, Vector2, Vector3};

use crate::robots::{Bead, HollowBall, Rod};
use crate::{contacts, near, strike};

const TIP: &[Part] = &[Part::Contact(0)];

fn sticking() -> Law {
    Law { friction: Friction::Sticking, ..Law::default() }
}

/// v⁺ = v⁻ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ diag(1 + e, 1, 1) J v⁻.
fn infinite<M>(robot: &M, e: f64, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64>
where
    M: Model<Q = Vector3<f64>, V = Vector3<f64>, Mass = Matrix3<f64>>,
{
    let mut jacobian = vec![0.0; 9 * M::CONTACTS.len()];
    robot.contact_jacobian_into(q, &mut jacobian);
    let j = SMatrix::<f64, 3, 3>::from_fn(|i, k| jacobian[3 * M::CONTACTS.len() * k + i]);
    let inverse = robot.mass_matrix(q).try_inverse().unwrap();
    let a = (j * inverse * j.transpose()).pseudo_inverse(1e-12).unwrap();
    v - inverse
        * j.transpose()
        * a
        * Matrix3::from_diagonal(&Vector3::new(1.0 + e, 1.0, 1.0))
        * j
        * v
}

/// Source: Tedrake, Underactuated Robotics, a spinning ball bouncing on the ground.
#[test]
fn a_hollow_ball_sticks_and_bounces() -> Result<(), Error> {
    let (m, r, e) = (0.3, 0.2, 0.7);
    let ball = HollowBall { m, r, e };
    let v = Vector3::new(1.3, -2.0, 4.0);
    let (v_plus, outcome) = strike(&ball, sticking(), (&Vector3::new(0.0, r, 0.0), &v), TIP)?;
    let [x, z, turn] = [v.x, v.y, v.z];
    let expected = [0.6 * x - 0.4 * r * turn, -e * z, -0.6 / r * x + 0.4 * turn];
    near(v_plus.as_slice(), &expected, 1e-12);
    assert_eq!(outcome.parts[0].ending, Ending::Stuck);
    assert!(outcome.parts[0].separates);
    near(&outcome.parts[0].after, &[e * 2.0, 0.0, 0.0], 1e-12);
    Ok(())
}

fn at_45() -> Vector3<f64> {
    Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_4)
}

/// The sense of slip in which friction presses a rod at 45° less, and v⁻ of this speed in it.
fn slipping(rod: &Rod, speed: f64) -> Vector3<f64> {
    let rows = rod.contact_jacobian(&at_45());
    let inverse = rod.mass_matrix(&at_45()).try_inverse().unwrap();
    let k = if rows.row(1).norm() > rows.row(2).norm() { 1 } else { 2 };
    let a = (rows.row(0) * inverse * rows.row(k).transpose())[0];
    near(&[a.abs()], &[1.5], 1e-12);
    Vector3::new(-speed * (a * rows[(k, 0)]).signum(), -1.0, 0.0)
}

/// The order of factors is told apart by a rod that has more of one row in the other.
#[test]
fn infinite_friction_has_the_right_order() -> Result<(), Error> {
    let rod = Rod { mu: 0.0, e: 0.5 };
    let v = slipping(&rod, 0.4);
    let (v_plus, _) = strike(&rod, sticking(), (&at_45(), &v), TIP)?;
    near(v_plus.as_slice(), infinite(&rod, 0.5, &at_45(), &v).as_slice(), 1e-10);
    let after = rod.contact_jacobian(&at_45()) * v_plus;
    near(&after.as_slice()[..3], &[0.5, 0.0, 0.0], 1e-10);
    Ok(())
}

/// The gain of energy by what it was.
fn gain(rod: Rod, law: Law, speed: f64) -> Result<f64, Error> {
    let v = slipping(&rod, speed);
    let (_, outcome) = strike(&rod, law, (&at_45(), &v), TIP)?;
    Ok(outcome.work / outcome.kinetic_energy[0])
}

/// The gains are the laws', and reported: f(u) = −u (3 + 5u/2)/(4 (1 + u²)) with infinite friction and e = 1.
#[test]
fn newton_gives_energy_to_a_rod() -> Result<(), Error> {
    near(&[gain(Rod { mu: 0.5, e: 0.9 }, Law::default(), 0.53)?], &[0.0806], 5e-5);
    let infinite = |speed: f64| gain(Rod { mu: 0.0, e: 1.0 }, sticking(), speed);
    for u in [-0.2_f64, -0.4687, -0.53] {
        near(&[infinite(-u)?], &[-u * (3.0 + 2.5 * u) / (4.0 * (1.0 + u * u))], 1e-10);
    }
    near(&[infinite(0.4687)?], &[0.176], 5e-4);
    for restitution in [Restitution::Poisson, Restitution::Stronge, Restitution::Inelastic] {
        let law = Law { restitution, ..Law::default() };
        assert!(gain(Rod { mu: 0.5, e: 0.9 }, law, 0.53)? < 0.0);
    }
    Ok(())
}

/// By Poisson's law it sticks in the compression, and slides apart with the share e of Λ_n: see the same of steps.
#[test]
fn poisson_lets_a_rod_slide_apart() -> Result<(), Error> {
    let (rod, speed) = (Rod { mu: 0.5, e: 0.9 }, 0.53);
    let v = slipping(&rod, speed);
    let law = Law { restitution: Restitution::Poisson, ..Law::default() };
    let (_, outcome) = strike(&rod, law, (&at_45(), &v), TIP)?;
    let after = outcome.parts[0].after;
    let part = rod.e * (2.5 - 1.5 * speed) / 4.0;
    let expected = [part * (2.5 - rod.mu * 1.5), part * (1.5 - rod.mu * 2.5)];
    near(&[after[0], after[1].hypot(after[2])], &expected, 1e-10);
    assert_eq!(outcome.parts[0].ending, Ending::Slid);
    Ok(())
}

/// On a ring at 45° only the way along it is left: w_n⁺ = −e w_n⁻ with the rod's impulse, which is given once to
/// either of both.
#[test]
fn constraints_hold_during_an_impact() -> Result<(), Error> {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let (q, v) = (Vector2::new(s, -s), Vector2::new(-2.0, -2.0));
    for restitution in [Restitution::Newton, Restitution::Poisson, Restitution::Stronge] {
        let law = Law { restitution, ..Law::default() };
        let (v_plus, outcome) = strike(&Bead { mu: 0.0, e: 0.5 }, law, (&q, &v), TIP)?;
        near(v_plus.as_slice(), &[1.0, 1.0], 1e-12);
        // m Δv = (6, 6) = Λ_n (0, 1) + λ (s, −s) by the two rods.
        near(&outcome.impulse.normal, &[12.0], 1e-10);
        let along_ring: f64 = outcome.impulse.constraints.iter().sum();
        assert!((outcome.impulse.constraints[0] - outcome.impulse.constraints[1]).abs() < 1e-9);
        assert!(along_ring.abs() > 1.0);
        near(&[outcome.work], &[-6.0], 1e-10);
    }
    Ok(())
}

/// What rests is not thrown up, and does not hinder what slides.
#[test]
fn what_rests_stays() -> Result<(), Error> {
    let flat = Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    for restitution in [Restitution::Newton, Restitution::Poisson] {
        let law = Law { restitution, ..Law::default() };
        let slide = Vector3::new(1.0, 0.0, 0.0);
        let (v_plus, outcome) =
            strike(&Rod { mu: 0.5, e: 0.9 }, law, (&flat, &slide), &contacts(2))?;
        assert_eq!(v_plus, slide);
        assert!(outcome.parts.iter().all(|part| part.ending == Ending::Apart && !part.separates));
        assert_eq!(outcome.impacts, 0);
    }
    Ok(())
}
