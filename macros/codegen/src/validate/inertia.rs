//! Whether a symmetric matrix is the central inertia of a body: no principal moment is negative, that
//! of a thin rod about itself being zero, and none is above the sum of the two others, since each is
//! ∫ (b² + c²) dm.
//!
//! Method: cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5).

/// Relative slack of both, for flat bodies and thin rods whose numbers are rounded.
const SLACK: f64 = 1e-9;

/// The principal moments, in words, if no body has this inertia.
pub(super) fn implausible(inertia: [[f64; 3]; 3]) -> Option<String> {
    if inertia.iter().flatten().any(|x| !x.is_finite()) {
        return Some(format!("is {inertia:?}"));
    }
    let [least, middle, greatest] = principal_moments(inertia);
    let sum = least + middle + greatest;
    let positive = least >= -SLACK * greatest.abs();
    let triangle = least + middle - greatest >= -2.0 * SLACK * sum.abs();
    let [a, b, c] = [least, middle, greatest].map(rounded);
    let moments = || format!("has the principal moments {a}, {b} and {c}");
    (!(positive && triangle)).then(moments)
}

/// To six digits, to be shown.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// The eigenvalues in ascending order.
fn principal_moments(mut a: [[f64; 3]; 3]) -> [f64; 3] {
    // Convergence is quadratic; six sweeps leave nothing of any off-diagonal entry.
    for _ in 0..6 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, p, q);
        }
    }
    let mut moments = [a[0][0], a[1][1], a[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

/// Makes the entries (p, q) and (q, p) zero by a rotation.
fn rotate(a: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (first, second) = (a[p], a[q]);
    a[p] = [0, 1, 2].map(|k| c * first[k] - s * second[k]);
    a[q] = [0, 1, 2].map(|k| s * first[k] + c * second[k]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> [[f64; 3]; 3] {
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    }

    #[test]
    fn principal_moments_of_known_matrices() {
        assert_eq!(principal_moments(full([3.0, 1.0, 2.0, 0.0, 0.0, 0.0])), [1.0, 2.0, 3.0]);
        // 2 1 − (ones − 1) has the eigenvalues 0, 3 and 3.
        let moments = principal_moments(full([2.0, 2.0, 2.0, -1.0, -1.0, -1.0]));
        for (moment, expected) in moments.into_iter().zip([0.0, 3.0, 3.0]) {
            assert!((moment - expected).abs() < 1e-14, "{moments:?}");
        }
    }

    #[test]
    fn invariants_survive_at_every_scale() {
        for scale in [1e-150, 1e-9, 1.0, 1e9, 1e150] {
            let a = full([3.0, 2.5, 2.0, 0.3, -0.4, 0.1].map(|x| x * scale));
            let sum: f64 = principal_moments(a).iter().sum();
            assert!((sum / (7.5 * scale) - 1.0).abs() < 1e-14, "{scale}");
            assert_eq!(implausible(a), None, "{scale}");
        }
    }

    #[test]
    fn what_no_body_has() {
        assert!(implausible(full([1.0, 1.0, 2.0, 0.0, 0.0, 0.0])).is_none(), "a flat disc");
        assert!(implausible(full([1.0, 1.0, 2.1, 0.0, 0.0, 0.0])).is_some(), "triangle");
        assert!(implausible(full([1.0, 1.0, 1.0, 2.0, 0.0, 0.0])).is_some(), "indefinite");
        assert!(implausible(full([1.0, 1.0, 0.0, 0.0, 0.0, 0.0])).is_none(), "a thin rod");
        assert!(implausible(full([0.0; 6])).is_none(), "a point");
        assert!(implausible(full([-1.0, -1.0, -2.0, 0.0, 0.0, 0.0])).is_some(), "negative");
        assert!(implausible(full([-1e-30, 0.0, 0.0, 0.0, 0.0, 0.0])).is_some(), "negative alone");
        assert!(implausible(full([f64::NAN; 6])).is_some(), "nothing");
        assert!(implausible(full([f64::INFINITY; 6])).is_some(), "too much");
    }
}
