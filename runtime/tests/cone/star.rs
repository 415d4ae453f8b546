//! Contacts that share few coordinates: the same solutions as by the matrix, whatever the others are.

mod steps;

use jourdain::cone::{self, Arms, Block, Error, Law, Matrix, Problem, Settings, Stage, Workspace};

use crate::problems::Numbers;

/// Of each kind so many; without optimisation, only a part of them.
const CASES: u64 = if cfg!(debug_assertions) { 40 } else { 2_000 };
/// The places of a symmetric matrix of three rows in its triangle.
const TRIANGLE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

/// A star, and what it was made of.
struct Star {
    /// Of each contact, a column of Y for each coordinate, and the triangle of B.
    shared: Vec<Vec<[f64; 3]>>,
    weights: Vec<f64>,
    own: Vec<[f64; 6]>,
    arms: Arms,
    b: Vec<f64>,
    blocks: Vec<Block>,
}

/// What contacts have of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Own {
    Nothing,
    /// Each direction gives way by itself.
    Softness,
    Limb,
    /// A limb that cannot move along a line, as a straight leg.
    Straight,
    /// A limb that hardly moves, and least along a line.
    Stiff,
    /// A limb that moves easily in all directions.
    Bent,
    /// Every third one is of a limb.
    Some,
}

impl Star {
    /// With velocities b that some motion undoes, and gaps besides.
    fn random(seed: u64, contacts: usize, width: usize, own: Own) -> Self {
        let numbers = &mut Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed_270b);
        (0..8).for_each(|_| _ = numbers.next());
        let weights: Vec<_> = (0..width).map(|_| 10_f64.powf(numbers.next())).collect();
        let arms = Arms::new(&weights).unwrap();
        let (shared, own_of, b, blocks) = Default::default();
        let mut star = Self { shared, weights, own: own_of, arms, b, blocks };
        let motion: Vec<_> = (0..width).map(|_| numbers.next()).collect();
        for contact in 0..contacts {
            let own = match own {
                Own::Some if contact % 3 == 1 => Own::Limb,
                Own::Some => Own::Nothing,
                _ => own,
            };
            let mut columns = vec![[0.0; 3]; width];
            columns.fill_with(|| [numbers.next(), numbers.next(), numbers.next()]);
            let mut limb = [[0.0; 3]; 3];
            limb.fill_with(|| [numbers.next(), numbers.next(), numbers.next()]);
            limb[2] = if own == Own::Straight { limb[0] } else { limb[2] };
            let entry = |i: usize, j: usize| match own {
                Own::Nothing => 0.0,
                Own::Softness => {
                    if i == j {
                        1e-3 * (1.0 + i as f64)
                    } else {
                        0.0
                    }
                }
                Own::Stiff => {
                    let column = |k: usize| [1e-5, 1e-5, 1e-10][k] * limb[k][i] * limb[k][j];
                    (0..3).map(column).sum()
                }
                _ => {
                    let bent = if own == Own::Bent && i == j { 1.0 } else { 0.0 };
                    limb.iter().map(|column| column[i] * column[j]).sum::<f64>() + bent
                }
            };
            let mut matrix = [0.0; 6];
            let places = (0..3).flat_map(|i| (i..3).map(move |j| (i, j)));
            places.for_each(|(i, j)| matrix[TRIANGLE[i][j]] = entry(i, j));
            let through = |axis: usize| columns.iter().zip(&motion).map(move |(c, v)| c[axis] * v);
            let of_limb = [numbers.next(), numbers.next(), numbers.next()];
            for axis in 0..3 {
                let limb: f64 = (0..3).map(|k| entry(axis, k) * of_limb[k]).sum();
                let gap = if axis == 0 { (numbers.next() - 0.5).max(0.0) } else { 0.0 };
                star.b.push(through(axis).sum::<f64>() + limb + gap);
            }
            star.arms.push(&columns, matrix).unwrap();
            star.shared.push(columns);
            star.own.push(matrix);
            let friction = (1.5 * numbers.next()).max(0.0);
            star.blocks.push(Block::Contact { friction, torsion: None });
        }
        star
    }

    /// Adds an arm.
    fn push(&mut self, columns: [[f64; 3]; 6], own: [f64; 6]) {
        self.arms.push(&columns, own).unwrap();
    }

    fn problem(&self, law: Law) -> Problem<'_> {
        let Self { arms, b, blocks, .. } = self;
        Problem { matrix: arms.matrix(), b, blocks, law }
    }

    /// Sets b to what impulses undo that press with 1 and pull along each tangent with that share at most, and the
    /// coefficients of friction.
    fn press(&mut self, share: f64, friction: f64) {
        let (n, a) = (self.b.len(), self.matrix());
        let response =
            |i: usize| (0..n).map(|j| a[n * j + i] * Self::pressing(j, share)).sum::<f64>();
        self.b = (0..n).map(|i| -response(i)).collect();
        self.blocks.fill(Block::Contact { friction, torsion: None });
    }

    /// An impulse that presses with 1 and pulls along each tangent with that share at most.
    fn pressing(row: usize, share: f64) -> f64 {
        match row % 3 {
            0 => 1.0,
            axis => share * [(row as f64).cos(), (row as f64).sin()][axis - 1],
        }
    }

    /// A, by its definition.
    fn matrix(&self) -> Vec<f64> {
        let n = self.b.len();
        let entry = |i: usize, j: usize| {
            let row = |i: usize| self.shared[i / 3].iter().map(move |of| of[i % 3]);
            let through: f64 =
                row(i).zip(row(j)).zip(&self.weights).map(|((x, y), w)| w * x * y).sum();
            let own = self.own[i / 3][TRIANGLE[i % 3][j % 3]];
            if i / 3 == j / 3 { through + own } else { through }
        };
        (0..n * n).map(|k| entry(k % n, k / n)).collect()
    }

    /// Solves, cold and from nearby, and measures by the matrix; how often Newton's whole steps were enough.
    fn solve(&self, law: Law, workspace: &mut Workspace) -> usize {
        let matrix = self.matrix();
        let dense = Problem { matrix: Matrix::Delassus(&matrix), ..self.problem(law) };
        let largest = self.b.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut quick = 0;
        let mut start: Vec<f64> = Vec::new();
        for _ in 0..2 {
            workspace.start(&start);
            let solution =
                cone::solve(&self.problem(law), &Settings::default(), workspace).unwrap();
            let residual = cone::residual(&dense, solution.z);
            // What nearly contradicts itself has huge impulses, and their rounding.
            let impulse = solution.z.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let bound = 2e-10 * largest + 1e-13 * impulse;
            assert!(residual <= bound, "{law:?}: {residual:e} {bound:e} {:?}", solution.status);
            let same = cone::residual(&self.problem(law), solution.z);
            assert!((same - residual).abs() <= bound, "{same:e} {residual:e}");
            quick += usize::from(matches!(solution.status, Stage::Start | Stage::Newton));
            start = solution.z.iter().map(|x| 0.99 * x).collect();
        }
        quick
    }
}

#[test]
fn stars_are_solved_as_their_matrices_are() {
    let mut workspace = Workspace::with_capacity(0);
    for law in [Law::Coulomb, Law::Convex] {
        let all = [Own::Nothing, Own::Softness, Own::Limb, Own::Straight, Own::Stiff, Own::Some];
        for own in all {
            let mut quick = 0;
            for seed in 0..CASES {
                let contacts = 1 + seed as usize % 9;
                let width = if own == Own::Limb { seed as usize % 7 } else { 6 };
                quick += Star::random(seed, contacts, width, own).solve(law, &mut workspace);
            }
            // The rest takes the way of all others.
            println!("{law:?} {own:?}: {quick} of {}", 2 * CASES);
            assert!(quick as u64 >= CASES * 3 / 2, "{law:?} {own:?}: {quick}");
        }
    }
}

#[test]
fn many_contacts_of_one_body() {
    let mut workspace = Workspace::with_capacity(0);
    for law in [Law::Coulomb, Law::Convex] {
        for (seed, contacts) in [(1, 13), (2, 40), (3, 101)] {
            for own in [Own::Nothing, Own::Softness] {
                Star::random(seed, contacts, 6, own).solve(law, &mut workspace);
            }
        }
    }
}

#[test]
fn what_is_no_star_is_refused() {
    let mut workspace = Workspace::with_capacity(0);
    let mut refused = |change: &dyn Fn(&mut Star)| {
        let mut star = Star::random(0, 7, 6, Own::Limb);
        change(&mut star);
        cone::solve(&star.problem(Law::Coulomb), &Settings::default(), &mut workspace).unwrap_err()
    };
    let shape = |what, length, expected| Error::Shape { what, length, expected };
    assert_eq!(refused(&|star| star.push([[0.0; 3]; 6], [0.0; 6])), shape("arms", 8, 7));
    assert_eq!(refused(&|star| _ = star.b.pop()), shape("blocks", 21, 20));
    let row = Block::Row { lower: 0.0, upper: 1.0 };
    let spun = Block::Contact { friction: 0.5, torsion: Some(0.1) };
    let other_rows = |star: &mut Star| {
        star.blocks[5] = spun;
        star.blocks.splice(6.., [row, row]);
    };
    assert_eq!(refused(&other_rows), Error::Star { block: 5 });
    let more = |star: &mut Star| {
        star.blocks.splice(4.., [row; 9]);
    };
    assert_eq!(refused(&more), Error::Star { block: 4 });
    for bad in [f64::NAN, f64::INFINITY] {
        let what = |error| match error {
            Error::NotFinite { what, index, .. } => (what, index),
            other => panic!("{other}"),
        };
        let with = |columns: [[f64; 3]; 6], own: [f64; 6]| {
            move |star: &mut Star| {
                star.push(columns, own);
                star.blocks.push(star.blocks[0]);
                star.b.extend([0.0; 3]);
            }
        };
        let mut columns = [[0.0; 3]; 6];
        columns[2][0] = bad;
        assert_eq!(what(refused(&with(columns, [0.0; 6]))), ("arms", 7));
        assert_eq!(
            what(refused(&with([[0.0; 3]; 6], [0.0, 0.0, bad, 0.0, 0.0, 0.0]))),
            ("arms", 7)
        );
        assert_eq!(what(refused(&|star| star.b[4] = bad)), ("b", 4));
    }
}

#[test]
fn arms_are_refused_by_name() {
    let shape = |what, length, expected| Error::Shape { what, length, expected };
    assert_eq!(Arms::new(&[1.0; 7]).unwrap_err(), shape("weights", 7, 6));
    for value in [0.0, -1.0, f64::NEG_INFINITY] {
        let error = Arms::new(&[1.0, 1.0, 1.0, value]).unwrap_err();
        assert_eq!(error, Error::Weight { index: 3, value });
    }
    assert!(matches!(Arms::new(&[f64::NAN]), Err(Error::Weight { index: 0, .. })));
    let mut arms = Arms::new(&[1.0; 3]).unwrap();
    assert_eq!(arms.push(&[[0.0; 3]; 2], [0.0; 6]), Err(shape("shared", 2, 3)));
}
