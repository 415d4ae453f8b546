//! What is no solid and no ground.

use jourdain::description::{Bound, ShapeKind};
use jourdain::geometry::{Error, Grid, Solid};

#[test]
fn sizes_that_are_not_possible_are_named() {
    for value in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        let error = Solid::new(ShapeKind::Box, &[1.0, value, 1.0]).unwrap_err();
        let Error::Size { solid: "box", index: 1, expected: Bound::Positive, .. } = error else {
            panic!("{error}");
        };
    }
    let error = Solid::new(ShapeKind::Capsule, &[0.1]).unwrap_err();
    assert_eq!(error, Error::Count { solid: "capsule", expected: 2, found: 1 });
    let hull = |points: &[f64]| Solid::new(ShapeKind::Hull { points: points.len() / 3 }, points);
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    assert_eq!(hull(&square).unwrap_err(), Error::Flat { points: 4 });
    assert_eq!(hull(&[0.0; 12]).unwrap_err(), Error::Flat { points: 4 });
    assert_eq!(hull(&[]).unwrap_err(), Error::Flat { points: 0 });
    assert!(matches!(hull(&[f64::NAN; 12]), Err(Error::Size { index: 0, .. })));
}

#[test]
fn a_grid_names_the_cell_that_is_no_number() {
    let mut heights = vec![0.0; 12];
    heights[4 + 2] = f64::NAN;
    let error = Grid::new([0.0; 2], [1.0; 2], 4, heights).unwrap_err();
    assert!(matches!(error, Error::Height { column: 2, row: 1, .. }), "{error}");
    let wrong = Grid::new([0.0; 2], [1.0; 2], 4, vec![0.0; 11]).unwrap_err();
    assert_eq!(wrong, Error::GridSize { columns: 4, rows: 2, found: 11 });
    assert!(Grid::new([0.0; 2], [0.0, 1.0], 2, vec![0.0; 4]).is_err());
    assert!(Grid::new([0.0; 2], [1.0; 2], 0, Vec::new()).is_err());
}

/// f = 1 + 2x − 3y + xy has bilinear interpolants that are itself.
#[test]
fn a_grid_is_bilinear() {
    let f = |x: f64, y: f64| 1.0 + 2.0 * x - 3.0 * y + x * y;
    let points = (0..12).map(|k| (f64::from(k % 4) * 0.5 - 1.0, f64::from(k / 4) * 0.25));
    let grid = Grid::new([-1.0, 0.0], [0.5, 0.25], 4, points.map(|(x, y)| f(x, y)).collect());
    let grid = grid.unwrap();
    for (x, y) in [(-1.0, 0.0), (-0.3, 0.2), (0.5, 0.5), (0.1, 0.5), (0.5, 0.1)] {
        let [height, along_x, along_y] = grid.height([x, y]).unwrap();
        assert!((height - f(x, y)).abs() < 1e-12);
        assert!((along_x - 2.0 - y).abs() < 1e-12 && (along_y + 3.0 - x).abs() < 1e-12);
    }
    assert_eq!(grid.height([-1.1, 0.0]), None);
    assert_eq!(grid.height([0.0, f64::NAN]), None);
}
