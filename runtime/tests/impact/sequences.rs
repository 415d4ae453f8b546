//! Several contacts at once, or one after the other.

use jourdain::impact::{Among, Error, Friction, Impacts, Law, Part, Restitution, Sequence};
use jourdain::prelude::*;
use nalgebra::{Vector3, vector};

use crate::robots::{Balls, Legged, Rod};
use crate::{contacts, near, strike};

const RESTITUTIONS: [Restitution; 3] =
    [Restitution::Newton, Restitution::Poisson, Restitution::Stronge];

fn hit(balls: Balls, law: Law, v: Vector3<f64>) -> Result<Vector3<f64>, Error> {
    Ok(strike(&balls, law, (&Vector3::zeros(), &v), &contacts(2))?.0)
}

/// (−⅓, ⅔, ⅔) at once, (0, 0, 1) one after the other, with each e and friction.
#[test]
fn a_row_of_balls_tells_the_sequences_apart() -> Result<(), Error> {
    let (balls, v, third) = (Balls { m: 1.0, e: 1.0 }, Vector3::new(1.0, 0.0, 0.0), 1.0 / 3.0);
    for restitution in RESTITUTIONS {
        let law = Law { restitution, ..Law::default() };
        let sequential = Law { sequence: Sequence::Sequential, ..law };
        near(hit(balls, sequential, v)?.as_slice(), &[0.0, 0.0, 1.0], 1e-12);
        if restitution != Restitution::Stronge {
            let expected = [-third, 2.0 * third, 2.0 * third];
            near(hit(balls, law, v)?.as_slice(), &expected, 1e-10);
        }
    }
    Ok(())
}

/// Of balls of the masses 1, 1, m with e, one after the other as often as it takes: elastic ones exchange velocities,
/// (m₁ v₁ + m₂ v₂ − e m₂ (v₁ − v₂))/(m₁ + m₂) and so on.
#[test]
fn balls_hit_each_other_until_they_part() -> Result<(), Error> {
    let m = [1.0, 1.0, 5.0];
    for e in [0.0, 0.3, 0.8, 1.0] {
        let mut v = [1.0, -0.2, -0.5];
        while v[0] > v[1] + 1e-9 || v[1] > v[2] + 1e-9 {
            let k = if v[1] - v[2] > v[0] - v[1] { 1 } else { 0 };
            let mean = (m[k] * v[k] + m[k + 1] * v[k + 1]) / (m[k] + m[k + 1]);
            let apart = e * (v[k] - v[k + 1]) / (m[k] + m[k + 1]);
            (v[k], v[k + 1]) = (mean - m[k + 1] * apart, mean + m[k] * apart);
        }
        let law = Law { sequence: Sequence::Sequential, ..Law::default() };
        let found = hit(Balls { m: m[2], e }, law, Vector3::new(1.0, -0.2, -0.5))?;
        near(found.as_slice(), &v, 1e-8);
    }
    Ok(())
}

/// What parted and is hit from behind does not part faster for it, and no energy is gained at any speed; the result is
/// continuous where it begins to part.
#[test]
fn what_parts_takes_part() -> Result<(), Error> {
    let balls = Balls { m: 1.0, e: 1.0 };
    for speed in [0.0, 1e-12, 1e-3, 0.1, 0.5, 0.9] {
        let v = Vector3::new(1.0, 0.0, speed);
        let found = hit(balls, Law::default(), v)?;
        near(&[found.norm_squared(), found.sum()], &[v.norm_squared(), v.sum()], 1e-9);
        if speed < 1e-9 {
            near(found.as_slice(), &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-9);
        }
    }
    Ok(())
}

/// A light ball between a heavy one and a wall bounces often; ends of joints are walls.
#[test]
fn limits_spring_back_by_their_own_coefficient() -> Result<(), Error> {
    let legged = Legged { m: 1.0, mu: 0.5, e: 0.3 };
    let mut q = legged.neutral();
    q[7] = 1.0;
    let mut v = nalgebra::SVector::<f64, 10>::zeros();
    v[6] = 2.0;
    for restitution in RESTITUTIONS {
        let law = Law { restitution, limit_restitution: 0.4, ..Law::default() };
        let end = Part::Limit { v: 6, upper: true };
        let (v_plus, outcome) = strike(&legged, law, (&q, &v), &[end])?;
        near(&[v_plus[6]], &[-0.8], 1e-10);
        assert!(outcome.impulse.limits[6][1] > 0.0);
        // Within nothing, only that end is reached, and the knee's.
        let mut impacts = Impacts::new(&legged, Law { restitution: Restitution::Newton, ..law })?;
        q[2] = 1.0;
        let mut to = v;
        let found = impacts.resolve(&legged, 0.0, &q, &v, Among::Within(1e-9), &mut to)?;
        let knee = Part::Limit { v: 7, upper: true };
        assert_eq!(found.parts.iter().map(|p| p.part).collect::<Vec<_>>(), [end, knee]);
    }
    Ok(())
}

/// A rod that lands flat: at once both ends stop or spring back alike; one after the other it begins with the first.
#[test]
fn a_rod_lands_flat() -> Result<(), Error> {
    let flat = Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let v = Vector3::new(0.3, -1.0, 0.0);
    for friction in [Friction::Cone, Friction::Polygon(4), Friction::Sticking] {
        let law = Law { friction, ..Law::default() };
        let (v_plus, _) = strike(&Rod { mu: 0.5, e: 0.6 }, law, (&flat, &v), &contacts(2))?;
        near(v_plus.as_slice(), &[0.0, 0.6, 0.0], 1e-9);
    }
    let law = Law { sequence: Sequence::Sequential, ..Law::default() };
    let (v_plus, outcome) = strike(&Rod { mu: 0.0, e: 0.0 }, law, (&flat, &v), &contacts(2))?;
    near(&[v_plus[0], v_plus[1], v_plus[2]], &[0.3, 0.0, 0.0], 1e-8);
    assert!(outcome.impacts > 2);
    Ok(())
}

/// With a mass ratio of a million inelastic balls would go on hitting each other for ever.
#[test]
fn endless_sequences_are_named() {
    let law = Law { sequence: Sequence::Sequential, ..Law::default() };
    let mut impacts = Impacts::new(&Heavy, law).unwrap();
    let v = vector![0.0, -1.0];
    let mut v_plus = v;
    let parts = contacts(2);
    let error = impacts
        .resolve(&Heavy, 0.0, &vector![0.0, 0.0], &v, Among::Listed(&parts), &mut v_plus)
        .unwrap_err();
    assert!(matches!(error, Error::Endless { impacts: 100_000, .. }), "{error}");
    assert_eq!(v_plus, v);
}

/// A light ball on the ground, and a heavy one above it that does not bounce.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1), joint(x, prismatic(world -> a), axis = [0, 0, 1]),
    link(b, mass = 1e6), joint(y, prismatic(world -> b), axis = [0, 0, 1], at = [0, 0, 0.2]),
    contact(ground, on = a),
    shape(below, on = a, sphere = 0.1),
    shape(above, on = b, sphere = 0.1),
    pair(below, above),
)]
struct Heavy;
