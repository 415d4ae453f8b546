//! Whole steps by themselves, since a step of a robot that they do not solve is left to other solvers.

use alloc::vec;
use alloc::vec::Vec;

use super::super::slip::Modes;
use super::*;
use crate::arithmetic::Baseline;
use crate::cone::{self, Block, LANES, Matrix, Problem};
use crate::kernel::compute;
use crate::numbers::Numbers;

const CASES: usize = 50;

/// X of the corners of a foot that are about one metre from its middle, whose normals are along z.
fn corners(numbers: &mut Numbers) -> [Rows; WIDEST] {
    arms(|x, y| [x + 0.1 * numbers.next(), y + 0.1 * numbers.next(), 0.2 * numbers.next() - 0.3])
}

/// X of the corners of a square, each moved so.
fn arms(mut corner: impl FnMut(f64, f64) -> [f64; 3]) -> [Rows; WIDEST] {
    let mut arms = [[[0.0; LANES]; 3]; WIDEST];
    for (lane, [x, y]) in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].iter().enumerate() {
        let r = corner(*x, *y);
        for (axis, e) in [2, 0, 1].into_iter().enumerate() {
            let (next, last) = ((e + 1) % 3, (e + 2) % 3);
            arms[e][axis][lane] = 1.0;
            // r × e.
            arms[3 + next][axis][lane] = r[last];
            arms[3 + last][axis][lane] = -r[next];
        }
    }
    arms
}

/// What moves the bodies of a problem to where contacts undo it.
#[derive(Clone, Copy)]
enum Motion {
    /// Impulses in all directions.
    Any,
    /// Impulses that press each body down, with friction enough to hold it.
    Down,
}

/// Solves contacts, four of each body, by whole steps; how many it took, unless they are not solved, by the matrix.
fn solve(
    (bodies, rank): (usize, usize),
    law: Law,
    motion: Motion,
    numbers: &mut Numbers,
) -> Option<usize> {
    let n = WIDEST * bodies;
    let mut root: Vec<f64> = (0..n * rank).map(|_| 0.2 * numbers.next()).collect();
    root.iter_mut().step_by(n + 1).for_each(|entry| *entry += 1.0);
    let entry = |i: usize, j: usize| (0..rank).map(|k| root[n * k + i] * root[n * k + j]).sum();
    let compliance: Vec<f64> = (0..n * n).map(|k| entry(k % n, k / n)).collect();
    let arms: Vec<_> = (0..bodies).map(|_| corners(numbers)).collect();
    let rows = 3 * LANES * bodies;
    // X, row by row.
    let mut x = vec![0.0; rows * n];
    for (row, x) in x.chunks_exact_mut(n).enumerate() {
        let (contact, axis) = (row / 3, row % 3);
        let (body, lane) = (contact / LANES, contact % LANES);
        for k in 0..WIDEST {
            x[WIDEST * body + k] = arms[body][k][axis][lane];
        }
    }
    let times = |f: &[f64]| -> Vec<f64> {
        compliance.chunks_exact(n).map(|row| row.iter().zip(f).map(|(a, f)| a * f).sum()).collect()
    };
    let along = |row: usize, v: &[f64]| -> f64 {
        x[n * row..][..n].iter().zip(v).map(|(x, v)| x * v).sum()
    };
    let (motion, friction): (Vec<f64>, f64) = match motion {
        Motion::Any => ((0..n).map(|_| numbers.next()).collect(), 0.5),
        Motion::Down => ((0..n).map(|k| if k % WIDEST == 2 { -1.0 } else { 0.0 }).collect(), 5.0),
    };
    let motion = times(&motion);
    let b: Vec<f64> = (0..rows).map(|row| along(row, &motion)).collect();
    let mut contacts =
        vec![Contacts { friction: [friction; LANES], ..Contacts::default() }; bodies];
    for (row, b) in b.iter().enumerate() {
        contacts[row / 3 / LANES].b[row % 3][row / 3 % LANES] = *b;
    }
    let mut columns = vec![[0.0; LANES]; n * n.div_ceil(LANES)];
    let width = n.next_multiple_of(LANES);
    let to = columns.as_flattened_mut().chunks_exact_mut(width);
    to.zip(compliance.chunks_exact(n)).for_each(|(to, from)| to[..n].copy_from_slice(from));
    let (own, of) = (vec![[[0.0; LANES]; 6]; bodies], (0..bodies).collect::<Vec<_>>());
    let hubs = Hubs { arms: &arms, own: &own, of: &of, compliance: &columns, bodies };
    let size = b.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
    let (contacts, room) = (&mut contacts[..], &mut Room::default());
    let (of_law, accepted) = (Friction::round(law), 1e-10 * size);
    let iterations =
        compute(OnHubs { hubs, friction: of_law, accepted, contacts: &mut *contacts, room })?;
    let impulse = |row: usize| contacts[row / 3 / LANES].lambda[row % 3][row / 3 % LANES];
    let z: Vec<f64> = (0..rows).map(impulse).collect();
    let mut a = vec![0.0; rows * rows];
    for (j, column) in a.chunks_exact_mut(rows).enumerate() {
        let response = times(&x[n * j..][..n]);
        column.iter_mut().enumerate().for_each(|(i, a)| *a = along(i, &response));
    }
    let blocks = vec![Block::Contact { friction, torsion: None }; LANES * bodies];
    let problem = Problem { matrix: Matrix::Delassus(&a), b: &b, blocks: &blocks, law };
    let residual = cone::residual(&problem, &z);
    assert!(residual <= 1e-9 * size, "{bodies} bodies: {residual:e} of {size:e}");
    Some(iterations)
}

#[test]
fn whole_steps_solve() {
    for law in [Law::Coulomb, Law::Convex] {
        for bodies in 1..=4 {
            // As many motions as there are, and fewer, as with legs that are straight. Of slip in all directions whole
            // steps solve about half for one body, and what they solve for all of several is that share to their number.
            for rank in [WIDEST * bodies, WIDEST * bodies - 1] {
                let numbers = &mut Numbers(bodies as u64);
                let mut is_solved = || solve((bodies, rank), law, Motion::Any, numbers).is_some();
                let solved = (0..CASES).filter(|_| is_solved()).count();
                let least = CASES >> (bodies + 1);
                assert!(solved > least, "{law:?}, {bodies} bodies: {solved} of {CASES}");
            }
        }
    }
}

/// Where contacts hold their bodies, also if some do not press at first, one step is mostly enough.
#[test]
fn bodies_are_brought_to_rest() {
    for bodies in 1..=4 {
        let numbers = &mut Numbers(bodies as u64);
        let mut iterations =
            || solve((bodies, WIDEST * bodies), Law::Coulomb, Motion::Down, numbers);
        let taken: Vec<_> = (0..CASES).map(|_| iterations()).collect();
        let at_once = taken.iter().filter(|taken| **taken == Some(1)).count();
        assert!(2 * at_once > CASES, "{bodies} bodies: {at_once} of {CASES}");
    }
}

/// Four contacts of one body at the corners of a square, with Ω = 1.
struct Square {
    arms: [[Rows; WIDEST]; 1],
    own: [[Each; 6]; 1],
    compliance: [Each; 2 * WIDEST],
}

impl Square {
    /// With so much that gives way in each contact.
    fn new(soft: f64) -> Self {
        let mut compliance = [[0.0; LANES]; 2 * WIDEST];
        (0..WIDEST).for_each(|k| compliance.as_flattened_mut()[9 * k] = 1.0);
        let [soft, none] = [[soft; LANES], [0.0; LANES]];
        let own = [[soft, none, none, soft, none, soft]];
        Self { arms: [arms(|x, y| [x, y, 0.0])], own, compliance }
    }

    fn hubs(&self) -> Hubs<'_> {
        let Self { arms, own, compliance } = self;
        Hubs { arms, own, of: &[0], compliance, bodies: 1 }
    }

    /// How many iterations contacts take in a room, which may have seen other problems.
    fn solve(&self, contacts: Contacts, room: &mut Room) -> Option<usize> {
        let (hubs, contacts) = (self.hubs(), &mut [contacts]);
        compute(OnHubs {
            hubs,
            friction: Friction::round(Law::Coulomb),
            accepted: 1e-10,
            contacts,
            room,
        })
    }
}

/// After a rest that ends beyond the cones no problem is known, whatever the room has kept.
#[test]
fn what_slides_after_a_rest_is_set_up() {
    let mut room = Room::default();
    let b = |along: f64| [[-1.0; LANES], [along; LANES], [0.0; LANES]];
    let sticks = Contacts { b: b(0.0), friction: [0.5; LANES], ..Contacts::default() };
    assert!(Square::new(1e-3).solve(sticks, &mut room).is_some());
    let slides = Contacts { b: b(-0.5 * (1.0 + 1e-6)), ..sticks };
    assert_eq!(Square::new(0.0).solve(slides, &mut room), Some(2));
}

/// A contact that opens hands its impulse over to those that stick.
#[test]
fn what_opens_loses_its_impulse() {
    let (square, mut room) = (Square::new(0.0), Room::default());
    let mut b = [[-4.1; LANES], [0.1; LANES], [0.0; LANES]];
    b[0][0] = 5.0;
    let lambda = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
    let contacts = Contacts { b, friction: [0.5; LANES], lambda, ..Contacts::default() };
    let hubs = square.hubs();
    room.begin::<Baseline, 1, 2>(&hubs, &[contacts]);
    let friction = Friction::round(Law::Coulomb);
    let mut problem = OfSeveral::<1, 2> { room: &mut room, hubs: &hubs, friction };
    problem.measure::<Baseline>();
    whole::find_modes::<Baseline>(&mut problem.room.fours, friction);
    let Modes { open, stick, .. } = problem.room.fours[0].modes;
    assert_eq!((open, stick), ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0]));
    assert!(problem.rest::<Baseline>());
    problem.measure::<Baseline>();
    let Four { lambda, w, .. } = &problem.room.fours[0];
    for axis in 0..3 {
        assert_eq!(lambda[axis][0], 0.0);
        assert!(w[axis][1..].iter().all(|w| w.abs() < 1e-14), "{w:?}");
    }
}

/// A linear problem that serves again leaves no more than it is expected to.
#[test]
fn known_problems_of_what_slides_serve_again() {
    let square = Square::new(0.3);
    let b = [[-1.0, -1.1, -0.9, -1.0], [2.0, 1.8, 2.1, 1.7], [0.5, -0.4, 0.2, 0.9]];
    let contacts = Contacts { b, friction: [0.5; LANES], ..Contacts::default() };
    for law in [Law::Coulomb, Law::Convex] {
        let (hubs, mut room) = (square.hubs(), Room::default());
        room.begin::<Baseline, 1, 2>(&hubs, &[contacts]);
        let friction = Friction::round(law);
        let mut problem = OfSeveral::<1, 2> { room: &mut room, hubs: &hubs, friction };
        let (mut before, mut error) = (0.0, problem.measure::<Baseline>().largest);
        while error > 1e-4 || !problem.room.fours[0].slides() {
            assert!(problem.step::<Baseline>(false));
            (before, error) = (error, problem.measure::<Baseline>().largest);
        }
        let reached = problem.room.fours.clone();
        let errors = [true, false].map(|is_near| {
            problem.room.fours.clone_from(&reached);
            assert!(problem.step::<Baseline>(is_near));
            problem.measure::<Baseline>().largest
        });
        let [known, fresh] = errors;
        assert!(error > 1e-12 && known < whole::SLACK * error * error / before);
        // It is not the fresh one.
        assert!(fresh < known);
    }
}
