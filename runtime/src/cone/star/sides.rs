//! Regular polygons, one of each of K contacts in lanes.

use alloc::vec::Vec;
use core::f64::consts::PI;

use super::lanes::LANES;
use crate::arithmetic::Ordered;

/// Polygons with corners at a distance of one, in the tangents of K contacts.
#[derive(Clone, Debug)]
pub(crate) struct Sides<const K: usize = LANES> {
    /// Of each edge, the outward normals; a polygon of fewer edges than another repeats its own.
    normals: Vec<[[f64; K]; 2]>,
    /// Cosine and sine of half the angle between corners.
    half: [[f64; K]; 2],
}

/// The edge that lies towards a point.
pub(crate) struct Edge<L> {
    /// Its outward normal.
    pub(crate) normal: [L; 2],
    /// The coordinates of the point along that, and along the edge, counter-clockwise.
    pub(crate) out: L,
    pub(crate) along: L,
}

impl<L: Copy> Edge<L> {
    /// x n + y t, with t along the edge.
    #[inline(always)]
    pub(crate) fn point<const K: usize>(&self, x: L, y: L) -> [L; 2]
    where
        L: Ordered<K>,
    {
        let [n, m] = self.normal;
        [x * n - y * m, y.mul_add(n, x * m)]
    }
}

impl<const K: usize> Sides<K> {
    /// Of so many corners each, K at most, where `corner(k, count)` is the k-th one.
    pub(crate) fn new(counts: &[usize], corner: impl Fn(usize, usize) -> [f64; 2]) -> Self {
        let count = |lane: usize| counts.get(lane).or(counts.last()).copied().unwrap_or(1);
        let half: [[f64; 2]; K] = core::array::from_fn(|lane| {
            let (sine, cosine) = libm::sincos(PI / count(lane) as f64);
            [cosine, sine]
        });
        let mut normals = Vec::new();
        for k in 0..counts.iter().copied().max().unwrap_or(1) {
            let mut edge = [[0.0; K]; 2];
            for (lane, [cosine, sine]) in half.into_iter().enumerate() {
                let [x, y] = corner(k % count(lane), count(lane));
                (edge[0][lane], edge[1][lane]) = (cosine * x - sine * y, sine * x + cosine * y);
            }
            normals.push(edge);
        }
        Self { normals, half: [0, 1].map(|k| half.map(|of_lane| of_lane[k])) }
    }

    /// Cosine and sine of half the angle between corners.
    #[inline(always)]
    pub(crate) fn half<L: Ordered<K>>(&self) -> [L; 2] {
        self.half.map(L::pack)
    }

    /// The edge that lies towards a point, any of two that are as near.
    #[inline(always)]
    pub(crate) fn edge<L: Ordered<K>>(&self, [x, y]: [L; 2]) -> Edge<L> {
        let [mut n, mut m] = [L::splat(0.0); 2];
        let mut out = L::splat(f64::NEG_INFINITY);
        for normal in &self.normals {
            let [next, beside] = normal.map(L::pack);
            let next_out = next.mul_add(x, beside * y);
            n = next_out.select_at_most(out, n, next);
            m = next_out.select_at_most(out, m, beside);
            out = next_out.select_at_most(out, out, next_out);
        }
        Edge { normal: [n, m], out, along: n * y - m * x }
    }

    /// The largest product of a point with a corner.
    #[inline(always)]
    pub(crate) fn support<L: Ordered<K>>(&self, p: [L; 2]) -> L {
        let (Edge { out, along, .. }, [cosine, sine]) = (self.edge(p), self.half::<L>());
        cosine.mul_add(out, sine * along.abs())
    }

    /// By how much polygons are larger that have a point on their rims.
    #[inline(always)]
    pub(crate) fn gauge<L: Ordered<K>>(&self, p: [L; 2]) -> L {
        let [cosine, _] = self.half::<L>();
        self.edge(p).out / cosine
    }

    /// The nearest point of the polygons with corners at a distance.
    #[inline(always)]
    pub(crate) fn nearest<L: Ordered<K>>(&self, [x, y]: [L; 2], radius: L) -> [L; 2] {
        let (edge, [cosine, sine]) = (self.edge([x, y]), self.half::<L>());
        let (inner, most) = (radius * cosine, radius * sine);
        let along = most.select_at_most(edge.along, most, edge.along);
        let along = along.select_at_most(-most, -most, along);
        let [on_x, on_y] = edge.point(inner, along);
        [edge.out.select_at_most(inner, x, on_x), edge.out.select_at_most(inner, y, on_y)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Array, Lanes, Plain};
    use crate::contact::direction;
    use crate::numbers::Numbers;

    type Four = Array<Plain, LANES>;

    const COUNTS: [usize; LANES] = [4, 6, 10, 4];

    /// Nothing of a polygon is nearer to a point, and no corner further along it, than what is found, in any lane.
    #[test]
    fn the_nearest_point_and_the_support_are_those_of_each_polygon() {
        let (sides, numbers) = (Sides::<LANES>::new(&COUNTS, direction), &mut Numbers(3));
        for _ in 0..500 {
            let [x, y, radius] = [(); 3].map(|()| [(); LANES].map(|()| 2.0 * numbers.next()));
            let radius = radius.map(f64::abs);
            let pack = <Four as Lanes<LANES>>::pack;
            let p = sides.nearest([x, y].map(pack), pack(radius)).map(Lanes::unpack);
            let support = sides.support([x, y].map(pack)).unpack();
            for (lane, &count) in COUNTS.iter().enumerate() {
                let corner = |k: usize| direction(k % count, count).map(|d| radius[lane] * d);
                let by = |d: [f64; 2]| d[0] * x[lane] + d[1] * y[lane];
                let most = (0..count).map(|k| by(direction(k, count))).fold(0.0, f64::max);
                assert!((support[lane] - most).abs() < 1e-15);
                let distance = |p: [f64; 2]| (p[0] - x[lane]).hypot(p[1] - y[lane]);
                let found = [p[0][lane], p[1][lane]];
                let inner = radius[lane] * (PI / count as f64).cos();
                let is_within = (0..count).all(|k| {
                    let [a, b] = [corner(k), corner(k + 1)];
                    let middle = [0, 1].map(|i| 0.5 * (a[i] + b[i]));
                    let out = middle[0] * found[0] + middle[1] * found[1];
                    out <= inner * inner + 1e-15
                });
                assert!(is_within, "{found:?}");
                let mut rim = (0..count).flat_map(|k| {
                    let [a, b] = [corner(k), corner(k + 1)];
                    (0..=16)
                        .map(move |j| [0, 1].map(|i| a[i] + f64::from(j) / 16.0 * (b[i] - a[i])))
                });
                let nearest = distance(found);
                assert!(rim.all(|of_rim| nearest <= distance(of_rim) + 1e-15));
            }
        }
    }
}
