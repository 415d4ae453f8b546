//! What holds of all laws and random robots.

use jourdain::impact::{Among, Error, Friction, Impacts, Law, Part, Restitution, Sequence};
use jourdain::prelude::*;
use nalgebra::SVector;

use crate::robots::{Body, Legged};
use crate::{contacts, near, strike};

const FRICTIONS: [Friction; 5] = [
    Friction::Cone,
    Friction::Polygon(4),
    Friction::Polygon(10),
    Friction::Frictionless,
    Friction::Sticking,
];

const RESTITUTIONS: [Restitution; 4] =
    [Restitution::Newton, Restitution::Poisson, Restitution::Stronge, Restitution::Inelastic];

fn body(random: &mut fastrand::Rng) -> Body {
    let mut number = |least: f64, most: f64| least + (most - least) * random.f64();
    let [a, b, c] = [(); 3].map(|()| number(0.02, 0.04));
    Body { m: number(0.5, 2.0), a, b, c, mu: number(0.0, 1.0), e: number(0.0, 1.0) }
}

/// A configuration and a velocity of a robot, (nv) numbers within ±1.
fn state<M: Model<V = SVector<f64, N>>, const N: usize>(
    robot: &M,
    random: &mut fastrand::Rng,
) -> (M::Q, M::V) {
    let mut numbers = || SVector::<f64, N>::from_fn(|_, _| 2.0 * random.f64() - 1.0);
    (robot.integrate(&robot.neutral(), &(0.4 * numbers())), numbers())
}

/// Whether a law may be had with so many parts.
fn is_offered(law: &Law, parts: usize) -> bool {
    let energetic = law.restitution == Restitution::Stronge;
    let single = parts == 1 || law.sequence == Sequence::Sequential;
    !energetic || single && matches!(law.friction, Friction::Cone | Friction::Frictionless)
}

/// Whether a law gains no energy, with one e.
fn is_passive(law: &Law) -> bool {
    match law.restitution {
        Restitution::Newton => law.friction == Friction::Frictionless,
        Restitution::Poisson => law.friction == Friction::Frictionless,
        Restitution::Stronge | Restitution::Inelastic => true,
    }
}

fn laws() -> impl Iterator<Item = Law> {
    FRICTIONS.into_iter().flat_map(|friction| {
        RESTITUTIONS.into_iter().flat_map(move |restitution| {
            [Sequence::Simultaneous, Sequence::Sequential].map(move |sequence| Law {
                friction,
                restitution,
                sequence,
                limit_restitution: 0.0,
            })
        })
    })
}

/// Where a law has an answer it is one by its residual, nothing approaches after it, the cone holds, and energy is
/// gained by no law that must not.
fn obeys<M: Model>(
    robot: &M,
    state: (&M::Q, &M::V),
    mu: f64,
    parts: &[Part],
) -> Result<usize, Error> {
    let mut solved = 0;
    for law in laws().filter(|law| is_offered(law, parts.len())) {
        let (_, outcome) = match strike(robot, law, state, parts) {
            Err(Error::Endless { .. }) if law.sequence == Sequence::Sequential => continue,
            found => found?,
        };
        solved += 1;
        let speed = state.1;
        let speed =
            jourdain::space::Storage::as_slice(speed).iter().fold(0.0, |a: f64, v| a.max(v.abs()));
        for part in &outcome.parts {
            assert!(part.after[0] > -1e-8 * speed.max(1.0), "{law:?} {part:?}");
            let [n, x, y] = part.impulse;
            let bound = match law.friction {
                Friction::Sticking => continue,
                Friction::Frictionless => 0.0,
                _ => mu * n,
            };
            assert!(n >= 0.0 && x.hypot(y) <= bound * (1.0 + 1e-8) + 1e-9, "{law:?} {part:?}");
        }
        if is_passive(&law) {
            assert!(outcome.work <= 1e-9 * outcome.kinetic_energy[0], "{law:?} {}", outcome.work);
        }
    }
    Ok(solved)
}

#[test]
fn bodies_obey() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut solved = 0;
    for k in 0..30 {
        let body = body(&mut random);
        let (q, v) = state(&body, &mut random);
        solved += obeys(&body, (&q, &v), body.mu, &contacts(1 + k % 4))?;
    }
    assert!(solved > 700, "{solved}");
    Ok(())
}

#[test]
fn legged_robots_obey() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(2);
    let mut solved = 0;
    for _ in 0..20 {
        let legged = Legged { m: 1.0 + random.f64(), mu: random.f64(), e: 0.0 };
        let (q, v) = state(&legged, &mut random);
        let mut parts = contacts(3);
        parts.extend([6, 7].map(|v| Part::Limit { v, upper: true }));
        solved += obeys(&legged, (&q, &v), legged.mu, &parts)?;
    }
    assert!(solved > 400, "{solved}");
    Ok(())
}

/// From one to a million kilograms, up to a million times as fast.
#[test]
fn masses_and_speeds_do_not_matter() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(3);
    for mass in [1e-3, 1.0, 1e3, 1e6] {
        let legged = Legged { m: mass, mu: 0.5, e: 0.0 };
        let (q, v) = state(&legged, &mut random);
        for law in [Law::default(), Law { friction: Friction::Frictionless, ..Law::default() }] {
            let (slow, _) = strike(&legged, law, (&q, &v), &contacts(3))?;
            for speed in [1e-6, 1e6] {
                let (fast, _) = strike(&legged, law, (&q, &(v * speed)), &contacts(3))?;
                near((fast / speed).as_slice(), slow.as_slice(), 1e-6);
            }
        }
    }
    Ok(())
}

/// A contact that is there twice is that contact.
#[test]
fn a_contact_counts_once() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..20 {
        let body = body(&mut random);
        let (q, v) = state(&body, &mut random);
        let twice = [Part::Contact(2), Part::Contact(0), Part::Contact(4)];
        for friction in FRICTIONS {
            for restitution in [Restitution::Newton, Restitution::Poisson, Restitution::Inelastic] {
                let law = Law { friction, restitution, ..Law::default() };
                // Where several stick, their compression is not one alone, and with it Poisson's expansion.
                let kept = if restitution == Restitution::Poisson { 1 } else { 2 };
                let (once, _) = strike(&body, law, (&q, &v), &twice[2 - kept..2])?;
                let (both, outcome) = strike(&body, law, (&q, &v), &twice[2 - kept..])?;
                assert!((both - once).amax() < 1e-7, "{law:?} {once} {both} {outcome:?}");
                let [again, first] = [2, 1].map(|k| outcome.part(twice[k]).unwrap().after);
                near(&again, &first, 1e-9);
            }
        }
    }
    Ok(())
}

/// Where all contacts press and stick, redundant ones among them,
/// v⁺ = v⁻ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ diag(1 + e, 1, 1) J v⁻.
#[test]
fn what_sticks_is_by_the_pseudo_inverse() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut pressed = 0;
    for _ in 0..20 {
        let body = body(&mut random);
        let q = body.neutral();
        let mut v = 0.05 * state(&body, &mut random).1;
        v[2] = -1.0;
        let law = Law { friction: Friction::Sticking, ..Law::default() };
        let (v_plus, _) = strike(&body, law, (&q, &v), &contacts(5))?;
        let j = body.contact_jacobian(&q);
        let inverse = body.mass_matrix(&q).try_inverse().unwrap();
        let mut asked = j * v;
        asked.iter_mut().step_by(3).for_each(|normal| *normal *= 1.0 + body.e);
        let a = (j * inverse * j.transpose()).pseudo_inverse(1e-9).unwrap();
        let impulse = -a * asked;
        if impulse.iter().step_by(3).all(|normal| *normal >= 0.0) {
            near(v_plus.as_slice(), (v + inverse * j.transpose() * impulse).as_slice(), 1e-9);
            pressed += 1;
        }
    }
    assert!(pressed > 10, "{pressed}");
    Ok(())
}

/// The finer the polygon, the nearer to the cone, as 1/η.
#[test]
fn polygons_tend_to_the_cone() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..10 {
        let body = Body { mu: 0.3, ..body(&mut random) };
        let (q, v) = state(&body, &mut random);
        let (round, _) = strike(&body, Law::default(), (&q, &v), &contacts(1))?;
        for directions in [8, 64, 512] {
            let law = Law { friction: Friction::Polygon(directions), ..Law::default() };
            let (polygon, _) = strike(&body, law, (&q, &v), &contacts(1))?;
            let error = (polygon - round).norm() * directions as f64;
            assert!(error < 2.0, "{directions}: {error}");
        }
    }
    Ok(())
}

/// The same calls give the same bits, whatever was before.
#[test]
fn nothing_is_remembered() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(6);
    let body = body(&mut random);
    for law in laws().filter(|law| is_offered(law, 4)) {
        let mut impacts = Impacts::new(&body, law)?;
        let states: Vec<_> = (0..4).map(|_| state(&body, &mut random)).collect();
        let parts = contacts(4);
        let mut run = |k: usize| {
            let (mut v_plus, (q, v)) = (SVector::<f64, 6>::zeros(), &states[k]);
            let outcome = impacts.resolve(&body, 0.0, q, v, Among::Listed(&parts), &mut v_plus);
            outcome.map(|outcome| (outcome.clone(), v_plus)).ok()
        };
        let first = run(0);
        (1..4).for_each(|k| drop(run(k)));
        assert_eq!(run(0), first);
    }
    Ok(())
}
