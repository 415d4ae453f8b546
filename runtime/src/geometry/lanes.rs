//! Many functions that are linear in a place: how far points are along a direction, or how far one is above planes.

use alloc::vec::Vec;

use nalgebra::Vector3;

/// How many values are computed at a time.
const LANES: usize = 4;
/// A function that is below all others.
const NONE: [f64; 4] = [0.0, 0.0, 0.0, f64::INFINITY];

/// Functions n · x − c by their numbers, four side by side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lanes(Vec<[[f64; LANES]; 4]>);

impl Lanes {
    pub(super) fn new(functions: impl Iterator<Item = (Vector3<f64>, f64)>) -> Self {
        let all: Vec<_> = functions.map(|(n, c)| [n.x, n.y, n.z, c]).collect();
        let block = |four: &[[f64; 4]]| {
            let row = |k: usize| core::array::from_fn(|i| four.get(i).unwrap_or(&NONE)[k]);
            [0, 1, 2, 3].map(row)
        };
        Self(all.chunks(LANES).map(block).collect())
    }

    /// The values of all, four at a time.
    fn values(&self, x: &Vector3<f64>) -> impl Iterator<Item = [f64; LANES]> + use<'_> {
        let [x, y, z] = [x.x, x.y, x.z];
        let value = move |[a, b, c, offset]: &[[f64; LANES]; 4]| {
            core::array::from_fn(|i| a[i] * x + b[i] * y + c[i] * z - offset[i])
        };
        self.0.iter().map(value)
    }

    /// Calls `found` for the functions that are above `floor`.
    pub(super) fn for_above(&self, x: &Vector3<f64>, floor: f64, mut found: impl FnMut(u32)) {
        for (values, first) in self.values(x).zip((0..).step_by(LANES)) {
            let above = values.map(|value| value > floor);
            if above.contains(&true) {
                let here = (first..).zip(above).filter(|(_, is_above)| *is_above);
                here.for_each(|(k, _)| found(k));
            }
        }
    }

    /// Which function is the largest, among several the first.
    pub(super) fn largest(&self, x: &Vector3<f64>) -> usize {
        let (mut most, mut at) = ([f64::NEG_INFINITY; LANES], [0; LANES]);
        for (k, values) in self.values(x).enumerate() {
            for i in 0..LANES {
                let is_more = values[i] > most[i];
                most[i] = if is_more { values[i] } else { most[i] };
                at[i] = if is_more { LANES * k + i } else { at[i] };
            }
        }
        let mut best = (most[0], at[0]);
        for (value, at) in most.into_iter().zip(at).skip(1) {
            let is_before = value == best.0 && at < best.1;
            best = if value > best.0 || is_before { (value, at) } else { best };
        }
        best.1
    }
}
