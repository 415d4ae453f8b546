//! What one step of Newton's method solves.

use jourdain::cone::{self, Law, Settings, Stage, Workspace};

use super::{CASES, Own, Star};
use crate::problems::Numbers;

/// Without impulses feet would slide where limbs drive them, and yet they stick: a step of Newton's method tells, if all
/// of them would enter the ground.
#[test]
fn limbs_that_stick_take_one_step_without_a_start() {
    let mut workspace = Workspace::with_capacity(0);
    for law in [Law::Coulomb, Law::Convex] {
        let mut asked = 0;
        for seed in 0..CASES {
            let mut star = Star::random(seed, 4, 6, Own::Bent);
            star.press(0.3, 0.5);
            if star.b.iter().step_by(3).any(|normal| *normal >= 0.0) {
                continue;
            }
            asked += 1;
            let problem = star.problem(law);
            workspace.start(&[]);
            let solution = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
            let (status, iterations) = (solution.status, solution.iterations);
            assert_eq!((status, iterations), (Stage::Newton, 1), "{law:?} {seed}");
        }
        assert!(asked > CASES / 20, "{asked}");
    }
}

/// Feet that stick beside one that is lifted.
#[test]
fn limbs_that_stick_or_are_open_take_one_step() {
    let mut workspace = Workspace::with_capacity(0);
    for law in [Law::Coulomb, Law::Convex] {
        for seed in 0..CASES {
            let mut star = Star::random(seed, 4, 6, Own::Bent);
            star.press(0.3, 0.5);
            // Without the impulse of the foot that is lifted.
            let (lifted, a) = (seed as usize % 4, star.matrix());
            let solution: Vec<f64> = (0..12)
                .map(|row| if row / 3 == lifted { 0.0 } else { Star::pressing(row, 0.3) })
                .collect();
            for i in 0..12 {
                let undone: f64 = (0..12).map(|j| a[12 * j + i] * solution[j]).sum();
                star.b[i] = if i == 3 * lifted { 1.0 - undone } else { -undone };
            }
            // What the lifted one starts with is to be undone along all axes.
            let start = |row: usize| solution[row] + 1e-3 * Star::pressing(row, 0.3);
            workspace.start(&(0..12).map(start).collect::<Vec<_>>());
            let problem = star.problem(law);
            let found = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
            assert_eq!((found.status, found.iterations), (Stage::Newton, 1), "{law:?} {seed}");
            let far = |(z, expected): (&f64, &f64)| (z - expected).abs() > 1e-9;
            assert!(!found.z.iter().zip(&solution).any(far), "{law:?} {seed}: {:?}", found.z);
        }
    }
}

/// A body alone that sticks at all its contacts, as its last impulses say, is solved to rounding by one step. That is the
/// least change of these: at right angles to what leads to another solution.
#[test]
fn a_body_that_sticks_takes_one_step_to_rounding() {
    let mut workspace = Workspace::with_capacity(0);
    let cases = [
        (Law::Coulomb, 3),
        (Law::Coulomb, 4),
        (Law::Convex, 5),
        (Law::Coulomb, 8),
        (Law::Convex, 12),
    ];
    for (law, contacts) in cases {
        for seed in 0..CASES {
            let mut star = Star::random(seed, contacts, 6, Own::Nothing);
            star.press(0.3, 0.5);
            let numbers = &mut Numbers(seed);
            let solution: Vec<f64> =
                (0..star.b.len()).map(|row| Star::pressing(row, 0.3)).collect();
            let start: Vec<f64> = solution.iter().map(|x| x + 1e-3 * numbers.next()).collect();
            workspace.start(&start);
            let problem = star.problem(law);
            let found = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
            let (status, iterations) = (found.status, found.iterations);
            assert_eq!((status, iterations), (Stage::Newton, 1), "{law:?} {seed}");
            let largest = star.b.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let residual = cone::residual(&problem, found.z);
            assert!(residual <= 1e-12 * largest, "{law:?} {seed}: {residual:e}");
            let others = found.z.iter().zip(&solution).zip(&start);
            let along: f64 = others.map(|((z, other), from)| (z - from) * (z - other)).sum();
            assert!(along.abs() <= 1e-13, "{law:?} {seed}: {along:e}");
        }
    }
}

/// Modes that change from step to step lead to a solution even after a dozen steps, so that no other method has to be tried.
#[test]
fn many_steps_lead_to_a_solution() {
    let mut workspace = Workspace::with_capacity(0);
    // Few of them take so many steps, so that they are as many without optimisation, too.
    let cases = 800;
    let mut many = 0;
    for seed in 0..cases {
        let star = Star::random(seed, 8, 6, Own::Nothing);
        workspace.start(&[]);
        let problem = star.problem(Law::Coulomb);
        let found = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
        many += u64::from(found.status == Stage::Newton && found.iterations > 12);
    }
    assert!(many > cases / 40, "{many}");
}
