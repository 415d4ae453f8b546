//! Every typed error.

use jourdain::cone::{self, Block, Error, Law, Matrix, Problem, Settings, Workspace};

const UNIT: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
const CONTACT: [Block; 1] = [Block::Contact { friction: 0.5, torsion: None }];

fn problem<'a>(matrix: Matrix<'a>, b: &'a [f64], blocks: &'a [Block]) -> Problem<'a> {
    Problem { matrix, b, blocks, law: Law::Coulomb }
}

fn refused(problem: &Problem<'_>) -> Error {
    for law in [Law::Convex, Law::Coulomb] {
        let problem = Problem { law, ..*problem };
        assert!(cone::residual(&problem, &vec![0.0; problem.b.len()]).is_nan());
    }
    cone::solve(problem, &Settings::default(), &mut Workspace::default()).unwrap_err()
}

#[test]
fn shapes() {
    let shape = |matrix, b: &[f64], blocks: &[Block]| match refused(&problem(matrix, b, blocks)) {
        Error::Shape { what, length, expected } => (what, length, expected),
        other => panic!("{other}"),
    };
    let dense = Matrix::Delassus(&UNIT);
    assert_eq!(shape(dense, &[0.0; 4], &CONTACT), ("blocks", 3, 4));
    assert_eq!(shape(dense, &[0.0; 3], &[]), ("blocks", 0, 3));
    assert_eq!(shape(Matrix::Delassus(&UNIT[1..]), &[0.0; 3], &CONTACT), ("matrix", 8, 9));
    let factor = Matrix::Factor { rows: &UNIT[1..], damping: &[0.0; 3] };
    assert_eq!(shape(factor, &[0.0; 3], &CONTACT), ("matrix", 8, 6));
    let factor = Matrix::Factor { rows: &UNIT, damping: &[0.0; 2] };
    assert_eq!(shape(factor, &[0.0; 3], &CONTACT), ("damping", 2, 3));
    let problem = problem(dense, &[0.0; 3], &CONTACT);
    assert!(cone::residual(&problem, &[0.0; 2]).is_nan() && cone::gap(&problem, &[]).is_nan());
}

#[test]
fn a_start_for_another_problem() {
    let mut workspace = Workspace::default();
    workspace.start(&[1.0, 0.0]);
    let problem = problem(Matrix::Delassus(&UNIT), &[-1.0, 0.5, 0.25], &CONTACT);
    let error = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap_err();
    assert_eq!(error, Error::Shape { what: "start", length: 2, expected: 3 });
    assert!(cone::solve(&problem, &Settings::default(), &mut workspace).is_ok());
}

#[test]
fn settings_that_no_solution_satisfies() {
    let problem = problem(Matrix::Delassus(&UNIT), &[-1.0, 0.5, 0.25], &CONTACT);
    let mut workspace = Workspace::default();
    for (value, [tolerance, negligible]) in [
        (0.0, [true, false]),
        (-1.0, [true, true]),
        (f64::NAN, [true, true]),
        (f64::INFINITY, [true, true]),
    ] {
        let settings = Settings::default();
        for (settings, what, is_bad) in [
            (Settings { tolerance: value, ..settings }, "tolerance", tolerance),
            (Settings { negligible: value, ..settings }, "negligible", negligible),
        ] {
            match cone::solve(&problem, &settings, &mut workspace) {
                Err(Error::Setting { what: named, value: found }) if is_bad => {
                    assert_eq!((named, found.to_bits()), (what, value.to_bits()));
                }
                other => assert!(other.is_ok() && !is_bad, "{what} {value}: {other:?}"),
            }
        }
    }
}

#[test]
fn numbers_that_are_none() {
    let mut workspace = Workspace::with_capacity(3);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for index in 0..12 {
            let (mut a, mut b) = (UNIT, [-1.0, 0.5, 0.25]);
            let (what, at) = if index < 9 { ("matrix", index) } else { ("b", index - 9) };
            *a.iter_mut().chain(&mut b).nth(index).unwrap() = bad;
            let matrix = Matrix::Delassus(&a);
            for start in [&[][..], &[1.0, 0.0, 0.0]] {
                workspace.start(start);
                let problem = problem(matrix, &b, &CONTACT);
                match cone::solve(&problem, &Settings::default(), &mut workspace).unwrap_err() {
                    Error::NotFinite { what: found, index, .. } => {
                        assert_eq!((found, index), (what, at));
                    }
                    other => panic!("{other}"),
                }
                let residual = cone::residual(&problem, &[1.0, 0.0, 0.0]);
                assert!(!bad.is_nan() || residual.is_nan(), "{residual}");
            }
        }
    }
    // A start that is none is no start.
    workspace.start(&[f64::NAN; 3]);
    let good = problem(Matrix::Delassus(&UNIT), &[-1.0, 0.5, 0.25], &CONTACT);
    assert!(cone::solve(&good, &Settings::default(), &mut workspace).is_ok());
}

#[test]
fn parameters() {
    let parameter = |block| match refused(&problem(Matrix::Delassus(&[1.0]), &[0.0], &[block])) {
        Error::Parameter { what, block: 0, .. } => what,
        other => panic!("{other}"),
    };
    let infinity = f64::INFINITY;
    for (lower, upper, what) in [
        (1.0, 0.0, "lower"),
        (f64::NAN, 0.0, "lower"),
        (infinity, infinity, "lower"),
        (0.0, f64::NAN, "upper"),
        (-infinity, -infinity, "upper"),
    ] {
        assert_eq!(parameter(Block::Row { lower, upper }), what);
    }
    for value in [-0.1, f64::NAN, infinity] {
        for (friction, torsion, what) in [(value, None, "friction"), (0.5, Some(value), "torsion")]
        {
            assert_eq!(parameter(Block::Contact { friction, torsion }), what);
        }
        let [friction, torsion] = [0.5, 0.1];
        assert_eq!(parameter(Block::Rolling { friction, torsion, rolling: value }), "rolling");
    }
    let damped = Matrix::Factor { rows: &[1.0], damping: &[-1.0] };
    let row = [Block::Row { lower: 0.0, upper: infinity }];
    let error = refused(&problem(damped, &[0.0], &row));
    assert!(matches!(error, Error::Damping { row: 0, value: -1.0 }), "{error}");
}

#[test]
fn nothing_is_solved_by_nothing() {
    let mut workspace = Workspace::default();
    for matrix in [Matrix::Delassus(&[]), Matrix::Factor { rows: &[], damping: &[] }] {
        let empty = problem(matrix, &[], &[]);
        let solution = cone::solve(&empty, &Settings::default(), &mut workspace).unwrap();
        assert!(solution.z.is_empty() && solution.residual == 0.0);
    }
}

/// w₁ = λ₁ − λ₂ − 1 and w₂ = λ₂ − λ₁ − 1 are not both at least zero.
#[test]
fn a_contradiction_is_unsolved() {
    let matrix = Matrix::Delassus(&[1.0, -1.0, -1.0, 1.0]);
    let blocks = [Block::Row { lower: 0.0, upper: f64::INFINITY }; 2];
    for law in [Law::Coulomb, Law::Convex] {
        let problem = Problem { law, ..problem(matrix, &[-1.0, -1.0], &blocks) };
        let error =
            cone::solve(&problem, &Settings::default(), &mut Workspace::default()).unwrap_err();
        match error {
            Error::Unsolved { z, residual } => {
                assert!(residual >= 1.0 - 1e-9);
                assert_eq!(residual.to_bits(), cone::residual(&problem, &z).to_bits());
            }
            other => panic!("{other}"),
        }
    }
}
