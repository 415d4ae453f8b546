//! What a family says stands still is the kernel of its columns, and nothing else is: a direction or
//! point (d, e) stands still when ω × d + e u = 0 for the column (ω, u) at every q.

use fastrand::Rng;

use super::{Numbers, describe, with};
use crate::derive::Body;
use crate::expr::Expr;

const JOINTS: [&str; 12] = [
    "revolute(world -> link), axis = [0, -1, 0]",
    "revolute(world -> link), axis = [1, 2, 3]",
    "continuous(world -> link), axis = [1, 0, 0]",
    "prismatic(world -> link), axis = [1, 0, 2]",
    "helical(world -> link), axis = [0, 0, 1], pitch = 0.3",
    "cylindrical(world -> link), axis = [0, 1, 1]",
    "universal(world -> link), axes = [[0, 0, 1], [1, 0, 0]]",
    "universal(world -> link), axes = [[1, 2, 0], [0, 1, 1]]",
    "planar(world -> link), axis = [0, 0, 1]",
    "planar(world -> link), axis = [1, -2, 1]",
    "spherical(world -> link)",
    "floating(world -> link)",
];

/// [ω]× and u of all columns, three rows each.
fn rows<'g>(body: &Body<'g>) -> Vec<Expr<'g>> {
    let column = |twist: &crate::joint::Twist<'g>| {
        let (turn, slide) = (twist.angular.skew(), twist.linear);
        (0..3).flat_map(|k| turn[k].into_iter().chain([slide[k]])).collect::<Vec<_>>()
    };
    body.columns.iter().flat_map(|x| column(&x.twist)).collect()
}

/// Directions and origin that stand still, four entries each.
fn still<'g>(body: &Body<'g>) -> Vec<Expr<'g>> {
    let graph = body.moments.mass.graph();
    let mut all: Vec<_> =
        body.still.directions.iter().flat_map(|d| d.0.into_iter().chain([graph.zero()])).collect();
    if body.still.origin {
        all.extend([graph.zero(), graph.zero(), graph.zero(), graph.one()]);
    }
    all
}

#[test]
fn what_stands_still_is_the_kernel_of_all_columns() {
    let rng = &mut Rng::with_seed(11);
    let mut number = || 2.0 * rng.f64() - 1.0;
    for joint in JOINTS {
        let text = format!("link(link, mass = 1, inertia = [1, 1, 1]), joint(joint, {joint})");
        with(&describe(&text), |m| {
            let body = &m.bodies[0];
            let mut matrix: Vec<[f64; 4]> = Vec::new();
            for _ in 0..5 {
                let q = (0..m.nq()).map(|_| number()).collect();
                let numbers = Numbers { q, ..Numbers::default() };
                let values = numbers.of(&rows(body), m.graph);
                matrix.extend(values.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]]));
            }
            let still = Numbers::default().of(&still(body), m.graph);
            for x in still.chunks_exact(4) {
                for row in &matrix {
                    let moved: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
                    assert!(moved.abs() < 1e-14, "{joint}: {x:?} moves");
                }
            }
            assert_eq!(still.len() / 4, 4 - rank(matrix), "{joint}");
        });
    }
}

/// By Gaussian elimination with the largest pivot of each column.
fn rank(mut rows: Vec<[f64; 4]>) -> usize {
    let mut rank = 0;
    for column in 0..4 {
        let largest = (rank..rows.len())
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(pivot) = largest.filter(|&k| rows[k][column].abs() > 1e-9) else {
            continue;
        };
        rows.swap(rank, pivot);
        let above = rows[rank];
        for row in &mut rows[rank + 1..] {
            let factor = row[column] / above[column];
            row.iter_mut().zip(above).for_each(|(x, y)| *x -= factor * y);
        }
        rank += 1;
    }
    rank
}
