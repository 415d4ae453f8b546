//! Frames with an axis along a direction.
//!
//! R = R_z(yaw) R_y(pitch) R_x(roll), multiplied by the turn that brings a coordinate axis onto the
//! direction, has the angles
//!
//! > pitch = atan2(−r₃₁, √(r₁₁² + r₂₁²)), yaw = atan2(r₂₁, r₁₁), roll = atan2(r₃₂, r₃₃),
//!
//! and yaw = 0, roll = atan2(−r₂₃, r₂₂) where the pitch is a quarter turn, at which only the sum or the
//! difference of both is determined.

type Matrix = [[f64; 3]; 3];

/// Roll, pitch and yaw of the frame of these `angles` after it was turned within itself such that its
/// axis `k` is along `direction`.
pub(super) fn turned(angles: [f64; 3], direction: [f64; 3], k: usize) -> [f64; 3] {
    self::angles(product(&rotation(angles), &basis(direction, k)))
}

/// Roll, pitch and yaw of the frame that a quaternion (x, y, z, w) turns, of any length but zero.
pub(super) fn angles_of(quaternion: [f64; 4]) -> [f64; 3] {
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z, w] = quaternion.map(|part| part / length);
    angles([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ])
}

/// A rotation whose column `k` is along `direction`, and which is none if that is so already.
fn basis(direction: [f64; 3], k: usize) -> Matrix {
    let length = dot(direction, direction).sqrt();
    let axis = direction.map(|x| x / length);
    let others = [1, 2, 3].map(|i| (k + i) % 3).into_iter();
    let flattest = others.min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(k);
    let mut first = axis.map(|x| -x * axis[flattest]);
    first[flattest] += 1.0;
    let length = dot(first, first).sqrt();
    let first = first.map(|x| x / length);
    let second = [1, 2, 0].map(|i| axis[i] * first[(i + 1) % 3] - axis[(i + 1) % 3] * first[i]);
    let mut columns = [[0.0; 3]; 3];
    (columns[k], columns[(k + 1) % 3], columns[(k + 2) % 3]) = (axis, first, second);
    [0, 1, 2].map(|i| columns.map(|column| column[i]))
}

fn rotation([roll, pitch, yaw]: [f64; 3]) -> Matrix {
    let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(f64::sin_cos);
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

fn angles(r: Matrix) -> [f64; 3] {
    let level = r[0][0].hypot(r[1][0]);
    let pitch = f64::atan2(-r[2][0], level);
    if level < 1e-9 {
        return [f64::atan2(-r[1][2], r[1][1]), pitch, 0.0];
    }
    [f64::atan2(r[2][1], r[2][2]), pitch, f64::atan2(r[1][0], r[0][0])]
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let column = |j: usize| [b[0][j], b[1][j], b[2][j]];
    a.map(|row| [0, 1, 2].map(|j| dot(row, column(j))))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::{Matrix, angles, angles_of, product, rotation, turned};

    fn column(r: &Matrix, k: usize) -> [f64; 3] {
        [r[0][k], r[1][k], r[2][k]]
    }

    #[test]
    fn the_axis_is_along_the_direction() {
        let quarter = std::f64::consts::FRAC_PI_2;
        for of in [[0.0; 3], [0.3, -0.4, 2.0], [1.0, quarter, 0.2], [0.5, -quarter, 0.0]] {
            for direction in [[1.0, 0.0, 0.0], [0.0, 0.0, -2.0], [0.0, 1.0, 0.0], [1.0, -2.0, 0.5]]
            {
                for k in 0..3 {
                    let r = rotation(turned(of, direction, k));
                    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
                    let unit = direction.map(|x| [x / length; 3]);
                    let expected = column(&product(&rotation(of), &unit), 0);
                    let found = column(&r, k);
                    let error = (0..3).map(|i| (found[i] - expected[i]).abs()).sum::<f64>();
                    assert!(error < 1e-12, "{of:?} {direction:?} {k}: {found:?} {expected:?}");
                }
            }
        }
        assert_eq!(turned([0.1, 0.2, 0.3], [0.0, 0.0, 5.0], 2), angles(rotation([0.1, 0.2, 0.3])));
    }

    #[test]
    fn a_quaternion_is_a_product_of_turns() {
        let half = |axis: usize, angle: f64| {
            let mut parts = [0.0; 4];
            (parts[axis], parts[3]) = f64::sin_cos(angle / 2.0);
            parts
        };
        for k in 0..3 {
            let mut expected = [0.0; 3];
            expected[k] = 0.7;
            let found = angles_of(half(k, 0.7).map(|part| 3.0 * part));
            let error = (0..3).map(|i| (found[i] - expected[i]).abs()).sum::<f64>();
            assert!(error < 1e-15, "{found:?} {expected:?}");
        }
    }
}
