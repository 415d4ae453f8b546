//! The nearest of the configurations that satisfy the rows, from one that does.
//!
//! > minimise ½ dᵀ W d,  d = q ⊖ q₀,  on h(q, t) = 0
//!
//! A configuration is stationary where no motion that the rows leave free changes the distance to first order:
//!
//! > p = −P Dᵀ W d = 0,  P = 1 − H⁺ H,  Dᵀ W d − Hᵀ λ = −p
//!
//! D being ∂d by the motion of q. Where the rows curve little on the way from q₀, steps are those of Gauss and
//! Newton, from W = RᵀR as it is, with weights of any size and of zero,
//!
//! > minimise ½ ‖R (d + D δ)‖²,  H δ = 0,
//!
//! else those of Newton's method,
//!
//! > L δ − Hᵀ μ = p,  H δ = 0,  L = ∂(Dᵀ W d − Hᵀ λ) by central differences, λ constant,
//!
//! with multiples of 1 added to L where it is not positive on what the rows leave free. Each step is brought
//! back onto the rows by the shortest way, and shortened until the distance becomes less. A stationary place
//! where L is not positive so is left again, along a direction of negative curvature.
//!
//! # Source
//!
//! Nocedal, Wright: Numerical Optimization (2nd edition), section 18.1; Absil, Mahony, Sepulchre:
//! Optimization Algorithms on Matrix Manifolds (2008), chapter 6.

use alloc::vec;
use alloc::vec::Vec;

use crate::kkt::{LeastSquares, Method, Solver};
use crate::manifold;
use crate::model::Robot;
use crate::slices::{dot, largest};

use super::Core;
use super::newton::{Found, Linearised, Metric, STEPS, STRIDE, accepted, newton, slope};
use super::place::{ARMIJO, Balance, HALVES, Place, ROUNDING, solve};
use super::root::Root;
use super::saddle::Around;

/// Steps that bring a configuration back onto the rows.
const RETURNS: usize = 10;

/// By how much the simple step must come nearer to a stationary place.
const QUICK: f64 = 0.1;

/// What is added to L, one after the other, by the largest weight.
const SHIFTS: [f64; 14] =
    [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0];

/// How far coordinates are moved to see how slopes change, rad or m.
const DIFFERENCE: f64 = 1e-6;

impl Core {
    /// The nearest that can be reached from there. Its optimality is infinite where the rows are too nearly
    /// dependent to tell, and at a place that is stationary, not nearest, and not to be left.
    pub(super) fn approach(
        &mut self,
        robot: Robot<'_>,
        (guess, start): (&[f64], Found),
        metric: &Metric,
        t: f64,
    ) -> Place {
        let root = Root::new(&metric.weights, robot.nv);
        let mut here = place(robot, guess, start, &root);
        for _ in 0..STEPS {
            if !here.optimality.is_finite() {
                return here;
            }
            let next = if here.optimality > accepted(&here.found.q) {
                self.nearer(robot, (guess, &here), (metric, &root), t)
            } else {
                match self.around(robot, (guess, &here), (metric, &root), t) {
                    Around::Farther => return here,
                    Around::Nearer(next) => Some(next),
                    Around::Unknown => None,
                }
            };
            let Some(next) = next else { break };
            here = next;
        }
        here.optimality = match self.around(robot, (guess, &here), (metric, &root), t) {
            Around::Farther => {
                here.optimality.min(self.curved_away(robot, (guess, &here), metric, t))
            }
            Around::Nearer(_) | Around::Unknown => f64::INFINITY,
        };
        here
    }

    /// A place nearer to the guess, or nearer to a stationary one.
    fn nearer(
        &mut self,
        robot: Robot<'_>,
        (guess, here): (&[f64], &Place),
        (metric, root): (&Metric, &Root),
        t: f64,
    ) -> Option<Place> {
        let by = (metric, root);
        if let Some(next) = self.moved(robot, (guess, here), (&here.step, 1.0), by, t)
            && next.settles(here, QUICK)
        {
            return Some(next);
        }
        let balance = here.balance(robot.joints, guess, metric)?;
        let curved = self.curved(robot, (guess, here, &balance), (metric, &SHIFTS), t);
        let step = curved.unwrap_or_else(|| here.step.clone());
        let promise = dot(&balance.p, &step);
        let mut length = f64::min(1.0, STRIDE / largest(&step));
        for _ in 0..HALVES {
            if let Some(next) = self.moved(robot, (guess, here), (&step, length), by, t) {
                let tells = length * promise > ROUNDING * here.cost;
                let wins = next.cost <= here.cost - ARMIJO * length * promise;
                if tells && wins || next.settles(here, 0.5) {
                    return Some(next);
                }
            }
            length *= 0.5;
        }
        None
    }

    /// The largest entry of Newton's step, infinite where L has to be shifted for one.
    fn curved_away(
        &mut self,
        robot: Robot<'_>,
        (guess, here): (&[f64], &Place),
        metric: &Metric,
        t: f64,
    ) -> f64 {
        let balance = here.balance(robot.joints, guess, metric);
        let step = balance.and_then(|balance| {
            self.curved(robot, (guess, here, &balance), (metric, &SHIFTS[..1]), t)
        });
        step.map_or(f64::INFINITY, |step| largest(&step))
    }

    /// Newton's step. Where the distance is not convex along the rows, L is made so, if one of the shifts does.
    fn curved(
        &mut self,
        robot: Robot<'_>,
        (guess, here, balance): (&[f64], &Place, &Balance),
        (metric, shifts): (&Metric, &[f64]),
        t: f64,
    ) -> Option<Vec<f64>> {
        let mut curvature = self.curvature(robot, (guess, &here.found.q, balance), metric, t);
        let Linearised { values, jacobian, .. } = &here.found.rows;
        shifts.iter().find_map(|shift| {
            curvature.iter_mut().step_by(robot.nv + 1).for_each(|x| *x += shift * metric.scale);
            Some(solve(&curvature, &balance.p, jacobian, values.len())?.0)
        })
    }

    /// The place that a step leads to, back on the rows.
    pub(super) fn moved(
        &mut self,
        robot: Robot<'_>,
        (guess, here): (&[f64], &Place),
        (step, length): (&[f64], f64),
        (metric, root): (&Metric, &Root),
        t: f64,
    ) -> Option<Place> {
        let mut q = here.found.q.clone();
        manifold::integrate(robot.joints, step, length, &mut q);
        let (rows, steps) = (self.position_rows(robot, &q, t), here.found.steps + 1);
        let mut found = Found { q, rows, steps };
        let still = vec![0.0; robot.nv];
        let mut solver = Solver::new(Method::NullSpace);
        for _ in 0..RETURNS {
            if found.is_polished() {
                break;
            }
            let (jacobian, target) = (&found.rows.jacobian, found.rows.target());
            let (change, ..) =
                newton(&mut solver, &metric.drawn, &still, jacobian, &target).ok()?;
            let mut q = found.q.clone();
            manifold::integrate(robot.joints, &change, 1.0, &mut q);
            let rows = self.position_rows(robot, &q, t);
            if found.is_satisfied() && rows.residual() >= found.residual() {
                break;
            }
            found = Found { q, rows, steps };
        }
        found.is_satisfied().then(|| place(robot, guess, found, root))
    }

    /// L, (nv, nv).
    pub(super) fn curvature(
        &mut self,
        robot: Robot<'_>,
        (guess, here, balance): (&[f64], &[f64], &Balance),
        metric: &Metric,
        t: f64,
    ) -> Vec<f64> {
        let n = robot.nv;
        let mut curvature = vec![0.0; n * n];
        for j in 0..n {
            let [ahead, behind] = [DIFFERENCE, -DIFFERENCE].map(|step| {
                let (mut q, mut unit) = (here.to_vec(), vec![0.0; n]);
                unit[j] = step;
                manifold::integrate(robot.joints, &unit, 1.0, &mut q);
                let rows = self.position_rows(robot, &q, t);
                let held = rows.jacobian.chunks_exact(rows.values.len().max(1));
                let mut left = slope(robot.joints, (guess, &q), metric);
                left.iter_mut().zip(held).for_each(|(x, h)| *x -= dot(h, &balance.multipliers));
                left
            });
            for i in 0..n {
                let change = (ahead[i] - behind[i]) / (4.0 * DIFFERENCE);
                curvature[j * n + i] += change;
                curvature[i * n + j] += change;
            }
        }
        curvature
    }
}

/// What a configuration on the rows is like.
fn place(robot: Robot<'_>, guess: &[f64], found: Found, root: &Root) -> Place {
    let mut away = vec![0.0; robot.nv];
    manifold::difference(robot.joints, guess, &found.q, &mut away);
    let distance = root.weigh(&away);
    let cost = 0.5 * dot(&distance, &distance);
    let (jacobian, still) = (&found.rows.jacobian, vec![0.0; found.rows.values.len()]);
    let (mut solver, mut step) = (LeastSquares::default(), vec![0.0; robot.nv]);
    let distance = (&*root.slopes(robot.joints, guess, &found.q), &*distance);
    let (rank, optimality) = match solver.solve(distance, (jacobian, &still), 0.0, &mut step) {
        Ok(rank) => (rank, largest(&step)),
        Err(_) => (0, f64::INFINITY),
    };
    Place { found, rank, optimality, step, cost }
}
