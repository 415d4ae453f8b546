//! The mass matrix in numbers, where all joints are at zero.
//!
//! M = Lᵀ D L from leaves to the root, as the runtime factors it; a coordinate's mobility is (M⁻¹)ₖₖ, by
//! which a force changes its rate.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5.

use super::mechanism::Mechanism;
use super::symbols;

/// Pivots below this part of their diagonal entry are rounding.
const LEAST: f64 = 1e-12;

/// How M is at rest.
#[derive(Clone, Debug, PartialEq)]
pub enum Rest {
    /// The mobility of each velocity coordinate.
    Regular(Vec<f64>),
    /// The coordinate with which nothing moves that the coordinates behind it do not move as well.
    Singular(usize),
    /// Fields decide.
    Open,
}

impl Mechanism<'_> {
    /// M at rest. To be asked once all else is derived: what it adds to the graph is for nobody else.
    pub fn at_rest(&self) -> Rest {
        let quaternions = self.quaternions();
        let entries: Vec<_> = self.mass_matrix().into_iter().flatten().collect();
        let values = self.graph.evaluate(&entries, |symbol| match symbol.set {
            symbols::FIELD => f64::NAN,
            symbols::Q if quaternions.iter().any(|first| first + 3 == symbol.index as usize) => 1.0,
            _ => 0.0,
        });
        if values.iter().all(|x| x.is_finite()) { factored(values, self.nv()) } else { Rest::Open }
    }
}

fn factored(mut m: Vec<f64>, n: usize) -> Rest {
    let diagonal: Vec<f64> = (0..n).map(|k| m[k * n + k]).collect();
    for k in (0..n).rev() {
        let pivot = m[k * n + k];
        if pivot <= LEAST * diagonal[k] {
            return Rest::Singular(k);
        }
        for i in 0..k {
            let factor = m[k * n + i] / pivot;
            for j in 0..=i {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
        m[k * n..k * n + k].iter_mut().for_each(|entry| *entry /= pivot);
    }
    // eᵀ M⁻¹ e = yᵀ D⁻¹ y with Lᵀ y = e.
    let mobility = |k: usize| {
        let mut y = vec![0.0; n];
        y[k] = 1.0;
        let mut sum = 0.0;
        for i in (0..=k).rev() {
            for j in 0..i {
                y[j] -= m[i * n + j] * y[i];
            }
            sum += y[i] * y[i] / m[i * n + i];
        }
        sum
    };
    Rest::Regular((0..n).map(mobility).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mobilities_are_entries_of_the_inverse() {
        let inverse = |matrix: Vec<f64>, expected: &[f64]| {
            let Rest::Regular(found) = factored(matrix, expected.len()) else { panic!("regular") };
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-14, "{found} {expected}");
            }
        };
        inverse(vec![2.0, 1.0, 1.0, 3.0], &[3.0 / 5.0, 2.0 / 5.0]);
        let matrix = vec![4.0, 1.0, 2.0, 1.0, 3.0, -1.0, 2.0, -1.0, 5.0];
        // Minors of the diagonal by the determinant 35.
        inverse(matrix, &[14.0 / 35.0, 16.0 / 35.0, 11.0 / 35.0]);
        assert_eq!(factored(vec![1.0, 1.0, 1.0, 1.0], 2), Rest::Singular(0));
        assert_eq!(factored(vec![1.0, 0.0, 0.0, 0.0], 2), Rest::Singular(1));
    }
}
