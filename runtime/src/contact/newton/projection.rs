//! A projection with its derivative.

/// P and P', column by column.
#[derive(Default)]
pub(super) struct Projection {
    pub(super) value: [f64; 3],
    pub(super) derivative: [[f64; 3]; 3],
}

impl Projection {
    /// P = 0.
    pub(super) const NOTHING: Self = Self { value: [0.0; 3], derivative: [[0.0; 3]; 3] };

    /// P = x.
    #[inline(always)]
    pub(super) fn identity(x: [f64; 3]) -> Self {
        let derivative = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Self { value: x, derivative }
    }

    /// Of a normal impulse x₀ > 0 and a tangential one p with its derivatives by x₀ and by both tangents.
    #[inline(always)]
    pub(super) fn pressing(normal: f64, p: [f64; 2], by: [[f64; 2]; 3]) -> Self {
        let [of_normal, of_first, of_second] = by;
        let derivative = [
            [1.0, of_normal[0], of_normal[1]],
            [0.0, of_first[0], of_first[1]],
            [0.0, of_second[0], of_second[1]],
        ];
        Self { value: [normal, p[0], p[1]], derivative }
    }

    /// On the ray along a unit vector.
    #[inline(always)]
    pub(super) fn on_ray(ray: [f64; 3], length: f64) -> Self {
        let [x, y, z] = ray;
        let by = |by: f64| [by * x, by * y, by * z];
        Self { value: by(length), derivative: [by(x), by(y), by(z)] }
    }
}
