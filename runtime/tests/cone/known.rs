//! Problems with closed solutions.

use jourdain::cone::{self, Arms, Block, Error, Law, Matrix, Problem, Settings, Stage, Workspace};

const BALL: [f64; 9] = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];

fn contact(friction: f64) -> Block {
    Block::Contact { friction, torsion: None }
}

fn solved(matrix: &[f64], b: &[f64], blocks: &[Block], law: Law) -> Vec<f64> {
    let problem = Problem { matrix: Matrix::Delassus(matrix), b, blocks, law };
    let mut workspace = Workspace::default();
    let solution = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
    assert_eq!(solution.residual.to_bits(), cone::residual(&problem, solution.z).to_bits());
    assert!(cone::gap(&problem, solution.z).abs() < 1e-12);
    solution.z.to_vec()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && worst < 1e-12, "{found:?}, expected {expected:?}");
}

#[test]
fn a_point_sticks_slides_or_opens() {
    let one = |b: [f64; 3], friction| solved(&BALL, &b, &[contact(friction)], Law::Coulomb);
    assert_near(&one([-1.0, 0.3, -0.4], 0.6), &[2.0, -0.6, 0.8]);
    assert_near(&one([-1.0, 3.0, -4.0], 0.6), &[2.0, -0.72, 0.96]);
    assert_near(&one([0.1, 3.0, -4.0], 0.6), &[0.0; 3]);
    assert_near(&one([-1.0, 3.0, -4.0], 0.0), &[2.0, 0.0, 0.0]);
    assert_near(&one([0.0, 3.0, -4.0], 2.0), &[0.0; 3]);
}

/// The projection of −b onto the cone: w = ½ λ + b is in the dual cone.
#[test]
fn the_convex_law_projects() {
    let one = |b: [f64; 3], friction| solved(&BALL, &b, &[contact(friction)], Law::Convex);
    assert_near(&one([-1.0, 0.3, -0.4], 0.6), &[2.0, -0.6, 0.8]);
    let normal = 2.0 * (1.0 + 0.6 * 5.0) / 1.36;
    assert_near(&one([-1.0, 3.0, -4.0], 0.6), &[normal, -0.36 * normal, 0.48 * normal]);
    assert_near(&one([4.0, 3.0, -4.0], 0.6), &[0.0; 3]);
    assert_near(&one([-1.0, 3.0, -4.0], 0.0), &[2.0, 0.0, 0.0]);
}

/// Torsional friction of no size changes nothing, also where the contact sticks and spins.
#[test]
fn spin_without_friction_goes_on() {
    let mut matrix = [0.0; 16];
    (0..4).for_each(|i| matrix[5 * i] = 1.0);
    let block = Block::Contact { friction: 1.0, torsion: Some(0.0) };
    for law in [Law::Coulomb, Law::Convex] {
        let stuck = solved(&matrix, &[-1.0, -0.1, 0.0, 0.5], &[block], law);
        assert_near(&stuck, &[1.0, 0.1, 0.0, 0.0]);
        let open = solved(&matrix, &[1.0, -0.1, 0.0, 0.5], &[block], law);
        assert_near(&open, &[0.0; 4]);
    }
    let slid = solved(&matrix, &[-1.0, -3.0, 0.0, 0.5], &[block], Law::Convex);
    assert_near(&slid, &[2.0, 2.0, 0.0, 0.0]);
}

/// A block of mass m in a step h on a plane at an angle: it stays where tan θ ≤ μ, and slides with
/// g (sin θ − μ cos θ) where not.
#[test]
fn a_block_on_an_incline() {
    let (m, h, g, friction) = (3.0, 0.01, 9.81, 0.5_f64);
    let matrix = BALL.map(|x| 2.0 * x / m);
    for (angle, holds) in [(0.4_f64, true), (0.46, true), (0.47, false), (1.0, false)] {
        let b = [-h * g * angle.cos(), h * g * angle.sin(), 0.0];
        let z = solved(&matrix, &b, &[contact(friction)], Law::Coulomb);
        let speed = b[1] + z[1] / m;
        let slides = h * g * (angle.sin() - friction * angle.cos());
        assert!((speed - if holds { 0.0 } else { slides }).abs() < 1e-14, "{angle}: {speed}");
    }
}

/// Two ends of a rod on the ground, pushed along it: normal impulses are a lever's.
#[test]
fn a_rod_is_pushed_off_centre() {
    // Rows: normals at x = −1 and x = 1 with mass 1 and inertia 1, and the tangents along x and y.
    let rows = [
        [1.0, 0.0, 0.0, -1.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ];
    let entry = |k: usize| (0..4).map(|c| rows[k % 6][c] * rows[k / 6][c]).sum::<f64>();
    let matrix: Vec<f64> = (0..36).map(entry).collect();
    let b: Vec<f64> = rows.iter().map(|row| -2.0 * row[0] + 5.0 * row[1] - 0.5 * row[3]).collect();
    let z = solved(&matrix, &b, &[contact(0.25); 2], Law::Coulomb);
    assert_near(&[z[0], z[3], z[1] + z[4]], &[0.75, 1.25, -0.5]);
}

/// Under a torsional bound, a spinning ball is braked by ν λₙ; spinning slowly, it stops.
#[test]
fn torsional_friction() {
    let mut matrix = [0.0; 16];
    [0.5, 0.5, 0.5, 2.0].into_iter().enumerate().for_each(|(k, x)| matrix[5 * k] = x);
    let block = [Block::Contact { friction: 0.5, torsion: Some(0.1) }];
    for law in [Law::Coulomb, Law::Convex] {
        assert_near(&solved(&matrix, &[-1.0, 0.0, 0.0, 0.3], &block, law), &[2.0, 0.0, 0.0, -0.15]);
    }
    let z = solved(&matrix, &[-1.0, 3.0, 4.0, 3.0], &block, Law::Coulomb);
    assert_near(&z, &[2.0, -0.6, -0.8, -0.2]);
    // Both bounds at once: the least ½ λᵀ A λ + bᵀ λ along (1, −0.3, −0.4, −0.1).
    let along = (1.0 + 0.5 * 5.0 + 0.1 * 3.0) / (0.5 * 1.25 + 2.0 * 0.01);
    let z = solved(&matrix, &[-1.0, 3.0, 4.0, 3.0], &block, Law::Convex);
    assert_near(&z, &[along, -0.3 * along, -0.4 * along, -0.1 * along]);
}

/// Moments about the tangents are braked in a disc of their own, and held within it.
#[test]
fn rolling_resistance() {
    let mut matrix = [0.0; 36];
    let diagonal = [0.5, 0.5, 0.5, 2.0, 4.0, 4.0];
    diagonal.into_iter().enumerate().for_each(|(k, x)| matrix[7 * k] = x);
    let block = [Block::Rolling { friction: 0.5, torsion: 0.1, rolling: 0.05 }];
    for law in [Law::Coulomb, Law::Convex] {
        let z = solved(&matrix, &[-1.0, 0.0, 0.0, 0.3, -0.2, 0.1], &block, law);
        assert_near(&z, &[2.0, 0.0, 0.0, -0.15, 0.05, -0.025]);
        let z = solved(&matrix, &[0.1, 0.0, 0.0, 0.3, -0.2, 0.1], &block, law);
        assert_near(&z, &[0.0; 6]);
    }
    let z = solved(&matrix, &[-1.0, 3.0, 4.0, 3.0, -6.0, 8.0], &block, Law::Coulomb);
    assert_near(&z, &[2.0, -0.6, -0.8, -0.2, 0.06, -0.08]);
    // All bounds at once: the least ½ λᵀ A λ + bᵀ λ along (1, −0.3, −0.4, −0.1, 0.03, −0.04).
    let along =
        (1.0 + 0.5 * 5.0 + 0.1 * 3.0 + 0.05 * 10.0) / (0.5 * 1.25 + 2.0 * 0.01 + 4.0 * 0.0025);
    let z = solved(&matrix, &[-1.0, 3.0, 4.0, 3.0, -6.0, 8.0], &block, Law::Convex);
    let ray = [1.0, -0.3, -0.4, -0.1, 0.03, -0.04];
    assert_near(&z, &ray.map(|x| along * x));
}

#[test]
fn rows_have_the_sign_that_their_bounds_leave() {
    let infinity = f64::INFINITY;
    let one = |lower, upper, b: f64| {
        solved(&[2.0], &[b], &[Block::Row { lower, upper }], Law::Coulomb)[0]
    };
    assert_eq!(one(0.0, infinity, -1.0), 0.5);
    assert_eq!(one(0.0, infinity, 1.0), 0.0);
    assert_eq!(one(-infinity, 0.0, 1.0), -0.5);
    assert_eq!(one(-infinity, infinity, 1.0), -0.5);
    assert_eq!(one(-0.25, 0.25, 1.0), -0.25);
    assert_eq!(one(-0.25, 0.25, -0.1), 0.05);
    assert_eq!(one(0.25, 0.5, 0.0), 0.25);
    assert_eq!(one(0.25, 0.25, -7.0), 0.25);
}

/// Four points of a cube carry it: λ is not unique, what it does is.
#[test]
fn redundant_points() {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let mut rows: Vec<[f64; 6]> = Vec::new();
    for [x, y] in corners {
        rows.push([0.0, 0.0, 1.0, y, -x, 0.0]);
        rows.push([1.0, 0.0, 0.0, 0.0, -1.0, -y]);
        rows.push([0.0, 1.0, 0.0, 1.0, 0.0, x]);
    }
    let entry = |k: usize| (0..6).map(|c| rows[k % 12][c] * rows[k / 12][c]).sum::<f64>();
    let matrix: Vec<f64> = (0..144).map(entry).collect();
    let b: Vec<f64> = rows.iter().map(|row| 0.1 * row[0] - row[2]).collect();
    for law in [Law::Coulomb, Law::Convex] {
        let z = solved(&matrix, &b, &[contact(0.8); 4], law);
        assert!((z.iter().step_by(3).sum::<f64>() - 1.0).abs() < 1e-9, "{z:?}");
        assert!((z.iter().skip(1).step_by(3).sum::<f64>() + 0.1).abs() < 1e-9, "{z:?}");
    }
}

#[test]
fn a_solution_to_start_from_is_returned_as_it_is() {
    let b = [-1.0, 3.0, -4.0];
    let problem = Problem {
        matrix: Matrix::Delassus(&BALL),
        b: &b,
        blocks: &[contact(0.6)],
        law: Law::Coulomb,
    };
    let mut workspace = Workspace::with_capacity(3);
    let solve = |workspace: &mut Workspace| {
        let solution = cone::solve(&problem, &Settings::default(), workspace).unwrap();
        (solution.z.to_vec(), solution.status, solution.iterations)
    };
    let (z, status, _) = solve(&mut workspace);
    assert_eq!(status, Stage::Sweep);
    workspace.start(&z);
    assert_eq!(solve(&mut workspace), (z.clone(), Stage::Start, 0));
    workspace.start(&[2.0, 0.0, 0.0]);
    assert_eq!(solve(&mut workspace).1, Stage::Newton);
}

/// Within the ball nothing moves; outside of it λ is of its size and against w, whatever the axes are.
#[test]
fn a_ball_slips_against_its_friction() {
    let direction = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
    let a = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];
    for law in [Law::Coulomb, Law::Convex] {
        for (speed, size) in [(0.3, 0.6), (1.5, 1.0)] {
            let b = direction.map(|d| speed * d);
            let z = solved(&a, &b, &[Block::Ball { radius: 1.0 }], law);
            let expected = direction.map(|d| -size * d);
            let error = z.iter().zip(expected).map(|(z, x)| (z - x).abs()).fold(0.0, f64::max);
            assert!(error < 1e-14, "{law:?}, {speed}: {z:?}");
        }
    }
}

/// Of two joints that are geared together the one that hardly moves by itself has a friction that moves nothing, and is
/// against its motion all the same, from wherever it is looked for.
#[test]
fn what_hardly_moves_is_resisted() {
    let block = Block::Row { lower: -1e-4, upper: 1e-4 };
    let (matrix, b) = ([2.7, 7.5e-5, 7.5e-5, 2.1e-9], [-2.2, -1.6e-3]);
    let blocks = [block; 2];
    let problem =
        Problem { matrix: Matrix::Delassus(&matrix), b: &b, blocks: &blocks, law: Law::Coulomb };
    let mut workspace = Workspace::default();
    for start in [[1e-4, -1e-4], [1e-4, 0.0], [0.0; 2]] {
        workspace.start(&start);
        let solution = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
        assert_eq!(solution.z, [1e-4; 2]);
    }
}

/// In any units solutions are the same numbers, with the same residuals.
#[test]
fn any_units_are_as_good() {
    let row = |lower, upper| Block::Row { lower, upper };
    let (infinity, ball) = (f64::INFINITY, Block::Ball { radius: 1.0 });
    let torsion = Block::Contact { friction: 0.5, torsion: Some(0.1) };
    let plane = Block::Planar { friction: 0.6 };
    let rolling = Block::Rolling { friction: 0.5, torsion: 0.1, rolling: 0.05 };
    let cases: [(&[f64], &[f64], &[Block]); 12] = [
        (&[-1.0], &[2.0], &[row(0.0, infinity)]),
        (&[1.0], &[2.0], &[row(-0.25, 0.25)]),
        (&[0.0], &[2.0], &[row(0.25, 0.5)]),
        (&[-1.0, 0.3, -0.4], &[0.5; 3], &[contact(0.6)]),
        (&[-1.0, 3.0, -4.0], &[0.5; 3], &[contact(0.6)]),
        (&[1.0, 3.0, -4.0], &[0.5; 3], &[contact(0.6)]),
        (&[-1.0, 3.0, 4.0, 3.0], &[0.5, 0.5, 0.5, 2.0], &[torsion]),
        (&[-1.0, 3.0, 4.0, 3.0, -0.6, 0.8], &[0.5, 0.5, 0.5, 2.0, 4.0, 4.0], &[rolling]),
        (&[0.2, -0.1, 0.2], &[0.5; 3], &[ball]),
        (&[1.0, -0.5, 1.0], &[0.5; 3], &[ball]),
        (&[-1.0, 0.3], &[0.5; 2], &[plane]),
        (&[-1.0, 3.0], &[0.5; 2], &[plane]),
    ];
    for law in [Law::Coulomb, Law::Convex] {
        for (b, diagonal, blocks) in cases {
            let n = b.len();
            let mut matrix = vec![0.0; n * n];
            (0..n).for_each(|i| matrix[(n + 1) * i] = diagonal[i]);
            let expected = solved(&matrix, b, blocks, law);
            for of_b in (-200..=200).step_by(10) {
                for of_a in (-200..=200).step_by(20) {
                    let (by_b, by_a) = (10_f64.powi(of_b), 10_f64.powi(of_a));
                    let by = by_b / by_a;
                    if !by.is_normal() || by > 1e300 {
                        continue;
                    }
                    let blocks: Vec<_> = blocks.iter().map(|block| scaled(block, by)).collect();
                    let roots: Vec<_> = matrix.iter().map(|a| (a * by_a).sqrt()).collect();
                    let [matrix, b] = [(&matrix[..], by_a), (b, by_b)]
                        .map(|(x, by)| x.iter().map(|x| x * by).collect::<Vec<_>>());
                    let damping = vec![0.0; n];
                    for matrix in [
                        Matrix::Delassus(&matrix),
                        Matrix::Factor { rows: &roots, damping: &damping },
                    ] {
                        let problem = Problem { matrix, b: &b, blocks: &blocks, law };
                        let mut workspace = Workspace::default();
                        let found = cone::solve(&problem, &Settings::default(), &mut workspace);
                        let found = found.unwrap_or_else(|e| panic!("1e{of_a}, 1e{of_b}: {e}"));
                        let z: Vec<_> = found.z.iter().map(|x| x / by).collect();
                        let error = z.iter().zip(&expected).map(|(x, z)| (x - z).abs());
                        let error = error.fold(0.0, f64::max);
                        assert!(error < 1e-9, "1e{of_a}, 1e{of_b}, {blocks:?}: {z:?}");
                        // What is none is seen to be none.
                        let none: Vec<_> = found.z.iter().map(|x| 2.0 * x + 0.5 * by).collect();
                        let residual = cone::residual(&problem, &none) / by_b;
                        assert!(
                            (0.01..100.0).contains(&residual),
                            "1e{of_a}, 1e{of_b}: {residual}"
                        );
                    }
                }
            }
        }
    }
}

/// A block of impulses in another unit.
fn scaled(block: &Block, by: f64) -> Block {
    match *block {
        Block::Row { lower, upper } => Block::Row { lower: lower * by, upper: upper * by },
        Block::Ball { radius } => Block::Ball { radius: radius * by },
        other => other,
    }
}

/// Of four contacts that share a body, and of more.
#[test]
fn any_units_of_stars_are_as_good() {
    for contacts in [1, 4, 6] {
        let star = |by_a: f64, by_b: f64| {
            let mut arms = Arms::new(&[by_a; 3]).unwrap();
            let mut b = Vec::new();
            for _ in 0..contacts {
                let own = [0.1, 0.0, 0.0, 0.1, 0.0, 0.1].map(|x| by_a * x);
                arms.push(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], own).unwrap();
                b.extend([-1.1, 0.9, -0.3].map(|b| b * by_b));
            }
            let blocks = vec![contact(0.5); contacts];
            let problem =
                Problem { matrix: arms.matrix(), b: &b, blocks: &blocks, law: Law::Coulomb };
            let mut workspace = Workspace::default();
            let found = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
            found.z.iter().map(|z| z / (by_b / by_a)).collect::<Vec<_>>()
        };
        let expected = star(1.0, 1.0);
        for of_b in (-200..=200).step_by(10) {
            for of_a in [-100, -60, 0, 60, 100] {
                let z = star(10_f64.powi(of_a), 10_f64.powi(of_b));
                let error = z.iter().zip(&expected).map(|(x, z)| (x - z).abs()).fold(0.0, f64::max);
                assert!(error < 1e-9, "1e{of_a}, 1e{of_b}: {z:?}, {expected:?}");
            }
        }
    }
}

/// Impulses that are no numbers are no solution.
#[test]
fn impulses_beyond_all_numbers_are_named() {
    let solve = |a: f64, b: f64| {
        let problem = Problem {
            matrix: Matrix::Delassus(&[a]),
            b: &[b],
            blocks: &[Block::Row { lower: 0.0, upper: f64::INFINITY }],
            law: Law::Coulomb,
        };
        cone::solve(&problem, &Settings::default(), &mut Workspace::default()).map(drop)
    };
    let large = solve(1e-200, -1e200);
    assert!(matches!(large, Err(Error::NotFinite { what: "lambda", index: 0, .. })), "{large:?}");
    let small = solve(1e200, -1e-200);
    assert!(matches!(small, Err(Error::Unsolved { residual: 1e-200, .. })), "{small:?}");
}
