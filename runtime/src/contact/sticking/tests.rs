//! What sticks, against all sets of contacts that could.

use super::*;
use crate::lu::Lu;
use crate::numbers::Numbers;

/// So many contacts, and A = Y Yᵀ + a little.
fn problem(contacts: usize, numbers: &mut Numbers) -> Problem {
    let n = 3 * contacts;
    let y: Vec<f64> = (0..n * n).map(|_| numbers.next()).collect();
    let mut problem = Problem::default();
    for _ in 0..contacts {
        let block = Block::Contact { friction: f64::INFINITY, torsion: None };
        problem.push(block, 4, [(); 3].map(|()| numbers.next()), [0.0; 2]);
    }
    let entry = |i: usize, j: usize| (0..n).map(|k| y[i * n + k] * y[j * n + k]).sum::<f64>();
    let damping = |k: usize| if k.is_multiple_of(n + 1) { 0.05 } else { 0.0 };
    problem.a = (0..n * n).map(|k| entry(k % n, k / n) + damping(k)).collect();
    problem
}

/// Λ where the contacts of a set of bits stick, and w.
fn stuck(problem: &Problem, set: usize) -> (Vec<f64>, Vec<f64>) {
    let n = problem.rows();
    let rows: Vec<usize> = (0..n).filter(|i| set >> (i / 3) & 1 == 1).collect();
    let mut lu = Lu::default();
    let block = rows.iter().flat_map(|&j| rows.iter().map(move |&i| problem.a[j * n + i]));
    assert!(lu.factor(rows.len(), block) > 0.0);
    let mut x: Vec<f64> = rows.iter().map(|&i| -problem.b[i]).collect();
    lu.solve(&mut x);
    let mut impulses = vec![0.0; n];
    rows.iter().zip(x).for_each(|(&i, x)| impulses[i] = x);
    let w = velocities(problem, &impulses);
    (impulses, w)
}

/// w.
fn velocities(problem: &Problem, impulses: &[f64]) -> Vec<f64> {
    (0..problem.rows()).map(|row| velocity(problem, row, impulses)).collect()
}

/// Whether each contact sticks or is open.
fn solves(impulses: &[f64], w: &[f64], tolerance: f64) -> bool {
    let contacts = impulses.chunks_exact(3).zip(w.chunks_exact(3));
    contacts.into_iter().all(|(f, w)| is_stuck_or_open(f, w, tolerance))
}

fn is_stuck_or_open(f: &[f64], w: &[f64], tolerance: f64) -> bool {
    match f[0] > 0.0 {
        true => w.iter().all(|w| w.abs() <= tolerance),
        false => f.iter().all(|f| *f == 0.0) && w[0] >= -tolerance,
    }
}

/// Whether each contact does, or slides in the limit or with less friction.
fn is_limit(impulses: &[f64], w: &[f64], tolerance: f64) -> bool {
    let slides = |f: &[f64], w: &[f64]| {
        let (friction, speed) = (f[1].hypot(f[2]), w[1].hypot(w[2]));
        let against = [1, 2].map(|k| w[k] + speed * f[k] / friction);
        let [less, least] = JAMMED;
        let is_of = |coefficient: f64| (f[0] - friction / coefficient).abs() <= tolerance;
        w[0].abs() <= tolerance
            && [LIMIT, less, least].into_iter().any(is_of)
            && against.iter().all(|x| x.abs() <= tolerance)
    };
    let mut contacts = impulses.chunks_exact(3).zip(w.chunks_exact(3));
    contacts.all(|(f, w)| is_stuck_or_open(f, w, tolerance) || slides(f, w))
}

/// What is found is a solution without slip wherever trying all sets of contacts finds one, and elsewhere one in
/// the limit.
#[test]
fn what_can_stick_is_found_to() {
    let (mut solver, mut room) = (ConeSolver::default(), Room::default());
    let (mut found, mut sliding, mut jammed, mut missed) = (0, 0, 0, Vec::new());
    for seed in 0..300 {
        let numbers = &mut Numbers(seed + 1);
        let contacts = 1 + seed as usize % 4;
        let problem = problem(contacts, numbers);
        let mut impulses = vec![0.0; problem.rows()];
        let result = solve(&mut solver, &problem, &mut room, &mut impulses);
        let exists = (0..1 << contacts).any(|set| {
            let (impulses, w) = stuck(&problem, set);
            solves(&impulses, &w, 1e-12)
        });
        match result {
            Ok(_) => {
                let w = velocities(&problem, &impulses);
                let is_right = if exists { solves } else { is_limit };
                assert!(is_right(&impulses, &w, 1e-9), "{seed}: {impulses:?} {w:?}");
                *if exists { &mut found } else { &mut sliding } += 1;
            }
            // Where motion without slip opens no contacts, Coulomb's law need not have a solution either.
            Err(Error::Jammed { .. }) if !exists => jammed += 1,
            Err(_) => missed.push(seed),
        }
    }
    assert!(found > 100 && sliding > 10 && jammed < 5, "{found} {sliding} {jammed}");
    assert!(missed.is_empty(), "{missed:?}");
}

/// Two contacts whose tangents move almost alike could be held by huge impulses alone, whose rounding is a slip.
#[test]
fn what_can_hardly_stick_is_solved_to_rounding() {
    let (mut solver, mut room, mut solved) = (ConeSolver::default(), Room::default(), 0);
    for seed in 0..20 {
        let numbers = &mut Numbers(seed + 1);
        let mut problem = problem(2, numbers);
        let mut y: Vec<f64> = (0..36).map(|_| numbers.next()).collect();
        for k in [1, 2] {
            // What is different between them moves no normal.
            let row: [f64; 4] = core::array::from_fn(|j| y[6 * k + j]);
            let little = [(); 2].map(|()| 1e-5 * numbers.next());
            y[6 * k + 4..][..2].fill(0.0);
            y[6 * (3 + k)..][..4].copy_from_slice(&row);
            y[6 * (3 + k) + 4..][..2].copy_from_slice(&little);
            problem.b[3 + k] = problem.b[k] + 1e-3 * numbers.next();
        }
        [4, 5, 22, 23].into_iter().for_each(|k| y[k] = 0.0);
        [0, 3].into_iter().for_each(|k| problem.b[k] = -1.0 - problem.b[k].abs());
        let entry = |i: usize, j: usize| (0..6).map(|k| y[6 * i + k] * y[6 * j + k]).sum();
        problem.a = (0..36).map(|k| entry(k % 6, k / 6)).collect();
        let mut impulses = vec![0.0; 6];
        if solve(&mut solver, &problem, &mut room, &mut impulses).is_ok() {
            let w = velocities(&problem, &impulses);
            let is_one = solves(&impulses, &w, 1e-9) || is_limit(&impulses, &w, 1e-9);
            assert!(is_one, "{seed}: {impulses:?} {w:?}");
            solved += 1;
        }
    }
    assert!(solved > 15, "{solved}");
}

/// A contact that is there twice moves as if it were there once. Where several solutions exist, another may be found.
#[test]
fn what_is_there_twice_moves_as_if_once() {
    let (mut solver, mut room, mut alike) = (ConeSolver::default(), Room::default(), 0);
    for seed in 0..100 {
        let numbers = &mut Numbers(seed + 1);
        let single = problem(1 + seed as usize % 3, numbers);
        let doubled = doubled(&single, numbers);
        let [mut once, mut twice] = [&single, &doubled].map(|of| vec![0.0; of.rows()]);
        solve(&mut solver, &single, &mut room, &mut once).unwrap();
        solve(&mut solver, &doubled, &mut room, &mut twice).unwrap();
        let (w, of_both) = (velocities(&single, &once), velocities(&doubled, &twice));
        alike += usize::from(w.iter().zip(&of_both).all(|(x, y)| (x - y).abs() <= 1e-9));
    }
    assert!(alike >= 98, "{alike}");
}

/// The problem with its first contact again, whose rows differ by rounding.
fn doubled(single: &Problem, numbers: &mut Numbers) -> Problem {
    let (n, mut problem) = (single.rows(), Problem::default());
    let m = n + 3;
    for first in (0..m).step_by(3) {
        let block = Block::Contact { friction: f64::INFINITY, torsion: None };
        problem.push(block, 4, [0, 1, 2].map(|axis| single.b[(first + axis) % n]), [0.0; 2]);
    }
    let entry = |i: usize, j: usize| single.a[(j % n) * n + i % n];
    let mut rounded = |a: f64| a * (1.0 + f64::EPSILON * numbers.next());
    problem.a = (0..m * m).map(|k| rounded(entry(k % m, k / m))).collect();
    problem
}
