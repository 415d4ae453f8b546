use crate::arithmetic::Baseline;
use crate::cone::star::contacts::{Contacts, Friction};
use crate::cone::star::four::Four;
use crate::cone::star::lanes::{Shared, WIDEST};
use crate::cone::star::matrix::Star;
use crate::cone::star::one::OfOne;
use crate::cone::star::whole::Whole;
use crate::cone::{Each, LANES, Law, Rows};
use crate::numbers::Numbers;

/// Four contacts that share six coordinates and have three of their own.
struct Problem {
    shared: [[Rows; WIDEST]; 1],
    weights: Shared,
    own: [[Each; 6]; 1],
    contacts: Contacts,
}

impl Problem {
    fn random(numbers: &mut Numbers) -> Self {
        let mut number = || numbers.next();
        let mut shared = [[[[0.0; LANES]; 3]; WIDEST]];
        shared[0].as_flattened_mut().as_flattened_mut().fill_with(&mut number);
        let weights = core::array::from_fn(|_| 0.2 + number().abs());
        let mut own = [[[0.0; LANES]; 6]];
        let mut factor = [[0.0; LANES]; 9];
        factor.as_flattened_mut().fill_with(&mut number);
        let entries = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        for (to, (i, j)) in own[0].iter_mut().zip(entries) {
            for (lane, to) in to.iter_mut().enumerate() {
                let product = |k: usize| factor[3 * i + k][lane] * factor[3 * j + k][lane];
                *to = (0..3).map(product).sum::<f64>() + if i == j { 0.1 } else { 0.0 };
            }
        }
        let mut rows = || [(); 3].map(|()| [(); LANES].map(|()| number()));
        let (b, lambda) = (rows(), rows());
        let friction = [0.0, 0.4, 0.7, 1.5];
        Self {
            shared,
            weights,
            own,
            contacts: Contacts { b, friction, lambda, ..Default::default() },
        }
    }

    fn star(&self) -> Star<'_> {
        Star { contacts: LANES, shared: &self.shared, weights: &self.weights, own: &self.own }
    }

    /// w under these impulses.
    fn velocities(&self, lambda: &Rows) -> Rows {
        let [shared] = &self.shared;
        let mut sums = [0.0; WIDEST];
        for (k, sum) in sums.iter_mut().enumerate() {
            let products = shared[k].as_flattened().iter().zip(lambda.as_flattened());
            *sum = self.weights[k] * products.map(|(y, l)| y * l).sum::<f64>();
        }
        let entry = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
        let mut w = self.contacts.b;
        for (axis, row) in w.iter_mut().enumerate() {
            for (lane, w) in row.iter_mut().enumerate() {
                let own = |k: usize| self.own[0][entry[axis][k]][lane] * lambda[k][lane];
                *w += (0..3).map(own).sum::<f64>();
                *w += (0..WIDEST).map(|k| shared[k][axis][lane] * sums[k]).sum::<f64>();
            }
        }
        w
    }

    /// s λ − P(s λ − w).
    fn errors(&self, lambda: &Rows, mobility: &Each) -> Rows {
        let w = self.velocities(lambda);
        let mut errors = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            let l = [0, 1, 2].map(|axis| mobility[lane] * lambda[axis][lane]);
            let z = [0, 1, 2].map(|axis: usize| l[axis] - w[axis][lane]);
            let projected = project(z, self.contacts.friction[lane]);
            (0..3).for_each(|axis| errors[axis][lane] = l[axis] - projected[axis]);
        }
        errors
    }
}

/// The nearest point of the cone ‖xₜ‖ ≤ μ xₙ.
fn project([n, x, y]: [f64; 3], mu: f64) -> [f64; 3] {
    let slip = x.hypot(y);
    if slip <= mu * n {
        return [n, x, y];
    }
    let nearest = ((n + mu * slip) / (1.0 + mu * mu)).max(0.0);
    [nearest, mu * nearest * x / slip, mu * nearest * y / slip]
}

/// Along a step of Newton's method errors decrease as if they were linear.
#[test]
fn steps_are_those_of_newton() {
    let numbers = &mut Numbers(5);
    let mut sliding = 0;
    for _ in 0..200 {
        let problem = Problem::random(numbers);
        let mut fours = [Four::default()];
        fours[0].take(&problem.contacts);
        let star = problem.star();
        let mut one = OfOne::new(&mut fours, &star, Friction::round(Law::Convex));
        one.weigh::<Baseline>();
        one.measure::<Baseline>();
        assert!(one.step::<Baseline>(false));
        let [four] = one.fours() else { unreachable!() };
        sliding += four.modes.slide.iter().filter(|slides| **slides > 0.0).count();
        let start = problem.contacts.lambda;
        let before = problem.errors(&start, &four.mobility);
        const PART: f64 = 1e-7;
        let mut near = start;
        let to = four.lambda.as_flattened().iter();
        let changes = near.as_flattened_mut().iter_mut().zip(to);
        changes.for_each(|(near, to)| *near += PART * (to - *near));
        let after = problem.errors(&near, &four.mobility);
        for (before, after) in before.as_flattened().iter().zip(after.as_flattened()) {
            let slope = (after - before) / PART;
            assert!((slope + before).abs() < 1e-4, "{slope} of {before}");
        }
    }
    assert!(sliding > 200, "{sliding}");
}
