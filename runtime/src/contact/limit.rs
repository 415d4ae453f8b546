//! The ranges of joint coordinates and the dry friction of a model, listed once.

use alloc::vec::Vec;

use crate::arithmetic::{Lanes, Ordered};
use crate::description::{Chart, CoordinateParameters, Joint};
use crate::fours::{load, starts};
use crate::kernel::Real;

/// Where a joint coordinate may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    /// Index of the configuration coordinate.
    pub(super) q: usize,
    /// Index of the velocity coordinate.
    pub(crate) v: usize,
    /// From where to where; infinite where there is no end.
    ends: [f64; 2],
}

/// One end of a span: φ = sign · (q − position) with the row sign · e_v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit {
    /// Index of the velocity coordinate.
    pub(crate) v: usize,
    /// Whether it is the upper end.
    pub(crate) upper: bool,
    /// φ at the beginning of the step, in metres or radians.
    pub(crate) gap: f64,
}

impl Span {
    /// The coordinate.
    pub(crate) fn value(&self, q: &[f64]) -> f64 {
        q[self.q]
    }

    /// The ends that are there, of a coordinate at `q`.
    #[inline(always)]
    pub(crate) fn limits(self, q: &[f64]) -> impl Iterator<Item = Limit> {
        let Self { v, ends: [lower, upper], .. } = self;
        let limit = move |upper, gap| Limit { v, upper, gap };
        let from = lower.is_finite().then(|| limit(false, q[self.q] - lower));
        from.into_iter().chain(upper.is_finite().then(|| limit(true, upper - q[self.q])))
    }
}

impl Limit {
    /// 1 for a lower end, −1 for an upper one.
    #[inline(always)]
    pub(crate) fn sign(&self) -> f64 {
        if self.upper { -1.0 } else { 1.0 }
    }

    /// Whether it is the same end.
    pub(super) fn is(&self, other: &Self) -> bool {
        (self.v, self.upper) == (other.v, other.upper)
    }
}

/// The spans of all coordinates that q̇ = v moves and that have an end.
#[derive(Clone, Debug)]
pub(crate) struct Spans {
    all: Vec<Span>,
    /// The same for loops over many at once: coordinates that follow each other in q and in v: the first of both, and how many.
    runs: Vec<(usize, usize, usize)>,
    /// From where, and to where.
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Spans {
    pub(crate) fn new(joints: &[Joint], coordinates: &[CoordinateParameters]) -> Self {
        let linear = joints.iter().filter(|joint| joint.chart == Chart::Vector);
        let all = linear.flat_map(|joint| (0..joint.nv).map(|k| (joint.q + k, joint.v + k)));
        let span = |(q, v): (usize, usize)| {
            let [lower, upper] = coordinates.get(v)?.position;
            let lower = if lower.is_finite() { lower } else { f64::NEG_INFINITY };
            let upper = if upper.is_finite() { upper } else { f64::INFINITY };
            let bounded = lower.is_finite() || upper.is_finite();
            bounded.then_some(Span { q, v, ends: [lower, upper] })
        };
        let all = all.filter_map(span).collect();
        let mut spans = Self { all, runs: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        for span in &spans.all {
            spans.lower.push(span.ends[0]);
            spans.upper.push(span.ends[1]);
            match spans.runs.last_mut() {
                Some((q, v, count)) if (*q + *count, *v + *count) == (span.q, span.v) => {
                    *count += 1;
                }
                _ => spans.runs.push((span.q, span.v, 1)),
            }
        }
        spans
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Span> {
        self.all.iter().copied()
    }

    /// The limits within a margin of `q`, and those that `h` seconds with the velocity `v` lead to.
    #[inline(always)]
    pub(super) fn near<'a>(
        &'a self,
        (q, v): (&'a [f64], &'a [f64]),
        (h, margin): (f64, f64),
    ) -> impl Iterator<Item = Limit> + 'a {
        let is_near = move |gap: f64, way: f64| (gap <= margin) | (gap + way <= 0.0);
        // Most spans have none, which one look at both ends tells.
        let may_have = move |span: &&Span| {
            let (at, way, [lower, upper]) = (q[span.q], h * v[span.v], span.ends);
            is_near(at - lower, way) | is_near(upper - at, -way)
        };
        let limits = self.all.iter().filter(may_have).flat_map(|span| span.limits(q));
        limits.filter(move |limit| is_near(limit.gap, h * limit.sign() * v[limit.v]))
    }

    /// Whether some coordinate is beyond its end by more than `by`.
    #[inline(always)]
    pub(super) fn are_passed(&self, q: &[f64], by: f64) -> bool {
        let (mut lower, mut upper, mut passed) = (&self.lower[..], &self.upper[..], false);
        for &(first, _, count) in &self.runs {
            for (q, (from, to)) in q[first..][..count].iter().zip(lower.iter().zip(upper)) {
                passed |= (q - from < -by) | (to - q < -by);
            }
            (lower, upper) = (&lower[count..], &upper[count..]);
        }
        passed
    }

    /// Whether some end is passed by h times what the second velocity has beside the first.
    #[inline(always)]
    pub(super) fn are_crossed(&self, q: &[f64], [v, w]: [&[f64]; 2], h: f64) -> bool {
        let (mut lower, mut upper, mut crossed) = (&self.lower[..], &self.upper[..], false);
        for &(first, velocity, count) in &self.runs {
            let change = v[velocity..][..count].iter().zip(&w[velocity..][..count]);
            let moving = q[first..][..count].iter().zip(change);
            for ((q, (v, w)), (from, to)) in moving.zip(lower.iter().zip(upper)) {
                let end = q + h * (w - v);
                crossed |= (end < *from) | (end > *to);
            }
            (lower, upper) = (&lower[count..], &upper[count..]);
        }
        crossed
    }

    /// Whether all ends are further than a margin from `q`, and stay apart in `h` seconds with the velocity `v`.
    #[inline(always)]
    pub(super) fn are_free<A: Real>(&self, (q, v): (&[f64], &[f64]), h: f64, margin: f64) -> bool {
        let (mut lower, mut upper, mut free) = (&self.lower[..], &self.upper[..], true);
        // x > margin is x ≥ the next larger number.
        let (margin, none) = (A::Quad::splat(margin.next_up()), A::Quad::splat(0.0_f64.next_up()));
        let h = A::Quad::splat(h);
        for &(first, velocity, count) in &self.runs {
            let (q, v) = (&q[first..][..count], &v[velocity..][..count]);
            let (from, to) = (&lower[..count], &upper[..count]);
            for i in starts(count) {
                let (q, way) = (load::<A>(q, i), h * load::<A>(v, i));
                let (below, above) = (q - load::<A>(from, i), load::<A>(to, i) - q);
                free &= margin.are_at_most(below) & margin.are_at_most(above);
                free &= none.are_at_most(below + way) & none.are_at_most(above - way);
            }
            (lower, upper) = (&lower[count..], &upper[count..]);
        }
        free
    }
}

/// Dry friction with a bound, in N or N m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dry {
    /// Index of the first velocity coordinate.
    pub(crate) v: usize,
    pub(crate) bound: f64,
    /// Whether it is one of three components, ‖τ‖ ≤ bound, whatever axes they are along; else of one coordinate.
    pub(crate) is_ball: bool,
}

impl Dry {
    /// How many coordinates it acts on.
    pub(crate) fn count(&self) -> usize {
        if self.is_ball { 3 } else { 1 }
    }
}

/// The dry friction of all coordinates. The three components of an angular velocity, or of a linear one in the axes of a
/// floating body, have one bound for their norm.
pub(crate) fn dry_friction(joints: &[Joint], coordinates: &[CoordinateParameters]) -> Vec<Dry> {
    let mut all = Vec::new();
    let mut v = 0;
    while let Some(&CoordinateParameters { friction: bound, .. }) = coordinates.get(v) {
        let alike = coordinates[v..].iter().take(3).filter(|of| of.friction == bound);
        let is_ball = begins_vector(joints, v) && alike.count() == 3 && bound.is_finite();
        let dry = Dry { v, bound, is_ball };
        v += dry.count();
        all.extend((bound > 0.0).then_some(dry));
    }
    all
}

/// Whether a velocity coordinate is the first component of an angular velocity, or of a linear one, in turning axes.
fn begins_vector(joints: &[Joint], v: usize) -> bool {
    let own = joints.iter().find(|joint| (joint.v..joint.v + joint.nv).contains(&v));
    own.is_some_and(|joint| joint.chart != Chart::Vector && (v - joint.v).is_multiple_of(3))
}

/// The configuration coordinate that a velocity coordinate moves with q̇ = v; `None` where there is none.
pub(super) fn configuration_index(joints: &[Joint], v: usize) -> Option<usize> {
    let joint = joints.iter().find(|joint| (joint.v..joint.v + joint.nv).contains(&v))?;
    (joint.chart == Chart::Vector).then(|| joint.q + v - joint.v)
}

/// Where a motor of a velocity coordinate is: the coordinate that this moves with q̇ = v; of others, which are turns and ways
/// from where a step begins, zero. `None` of a coordinate that there is not.
pub(crate) fn motor_place(joints: &[Joint], q: &[f64], v: usize) -> Option<f64> {
    let joint = joints.iter().find(|joint| (joint.v..joint.v + joint.nv).contains(&v))?;
    Some(if joint.chart == Chart::Vector { q[joint.q + v - joint.v] } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::kernel::{Computation, compute};

    /// Whether these spans are free in 0.1 s with a margin of 0.25.
    struct Free<'a>(&'a Spans, &'a [f64], &'a [f64]);

    impl Computation for Free<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<A: Real>(self) -> bool {
            self.0.are_free::<A>((self.1, self.2), 0.1, 0.25)
        }
    }

    /// So many spans from −1 to 1, in two runs with one coordinate between them.
    fn spans(first: usize, others: usize) -> Spans {
        let count = first + others;
        let runs = vec![(0, 0, first), (first + 1, first + 1, others)];
        Spans { all: Vec::new(), runs, lower: vec![-1.0; count], upper: vec![1.0; count] }
    }

    #[test]
    fn ends_are_free_beyond_the_margin_and_where_none_is_reached() {
        let next = 0.75_f64.next_down();
        let cases = [
            (0.0, 0.0, true),
            (0.75, 0.0, false),
            (-0.75, 0.0, false),
            (next, 0.0, true),
            (-next, 0.0, true),
            (0.5, 5.0, false),
            (0.5, 4.99, true),
            (-0.5, -5.0, false),
            (-0.5, -4.99, true),
            (f64::NAN, 0.0, false),
            (0.0, f64::NAN, false),
        ];
        for (first, others) in [(1, 1), (3, 5), (4, 2), (7, 9)] {
            let (spans, count) = (spans(first, others), first + others + 1);
            // The coordinate between both runs has no ends.
            for k in (0..count).filter(|k| *k != first) {
                for (at, rate, free) in cases {
                    let (mut q, mut v) = (vec![0.0; count], vec![0.0; count]);
                    (q[first], v[first]) = (9.0, 9.0);
                    (q[k], v[k]) = (at, rate);
                    let found = compute(Free(&spans, &q, &v));
                    assert_eq!(found, free, "{first}, {others}, {k}: {at}, {rate}");
                }
            }
        }
    }

    #[test]
    fn ends_that_are_not_there_are_free() {
        let mut spans = spans(2, 3);
        (spans.lower, spans.upper) = (vec![f64::NEG_INFINITY; 5], vec![f64::INFINITY; 5]);
        assert!(compute(Free(&spans, &[1e300; 6], &[-1e300; 6])));
    }
}
