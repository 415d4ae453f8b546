//! The direction along which slip begins at a contact that cannot stick.

/// The friction f* of sticking by the normal impulse, −A_tt⁺ a, and where it is not enough the unit vector along
/// which slip begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Onset {
    /// It sticks with this friction.
    Stick([f64; 2]),
    /// It slips along this direction.
    Slip([f64; 2]),
}

/// A tangential mobility below this share of the largest is none.
const NONE: f64 = 1e-13;

impl Onset {
    /// Of a contact with the coefficient of friction `friction`.
    pub(super) fn of(a: &[[f64; 3]; 3], friction: f64) -> Self {
        let (axes, mobilities) = principal([[a[1][1], a[1][2]], [a[2][1], a[2][2]]]);
        let along = axes.map(|axis| axis[0] * a[1][0] + axis[1] * a[2][0]);
        let least = NONE * mobilities[0].max(mobilities[1]);
        // Where nothing moves along a tangent, nothing pushes along it either.
        let divided = |k: f64| -> [f64; 2] {
            core::array::from_fn(|i| {
                let by = friction_by(friction, mobilities[i], k);
                if mobilities[i] > least { along[i] / by } else { 0.0 }
            })
        };
        let back = |x: [f64; 2]| [0, 1].map(|i| axes[0][i] * x[0] + axes[1][i] * x[1]);
        let sticking: [f64; 2] = core::array::from_fn(|i| {
            if mobilities[i] > least { -along[i] / mobilities[i] } else { 0.0 }
        });
        if libm::hypot(sticking[0], sticking[1]) <= friction {
            return Self::Stick(back(sticking));
        }
        let size = |k: f64| {
            let [x, y] = divided(k);
            libm::hypot(x, y)
        };
        // At k = ‖a‖ the length is at most one.
        let (mut low, mut high) = (0.0, libm::hypot(along[0], along[1]));
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if size(middle) > 1.0 { low = middle } else { high = middle }
        }
        let [x, y] = back(divided(high));
        let length = libm::hypot(x, y);
        Self::Slip([x / length, y / length])
    }
}

/// μ m + k.
fn friction_by(friction: f64, mobility: f64, k: f64) -> f64 {
    friction * mobility + k
}

/// Orthonormal eigenvectors of a symmetric matrix, and its eigenvalues.
fn principal([[a, b], [_, d]]: [[f64; 2]; 2]) -> ([[f64; 2]; 2], [f64; 2]) {
    let angle = 0.5 * libm::atan2(2.0 * b, a - d);
    let (s, c) = libm::sincos(angle);
    let value = |x: f64, y: f64| a * x * x + 2.0 * b * x * y + d * y * y;
    ([[c, s], [-s, c]], [value(c, s), value(-s, c)])
}
