//! How the laws of what acts become linear about an iterate.

use super::Contact;
use super::law::{Friction, LESS, Linear, Scale};
use super::projection::Projection;
use crate::kernel::{Computation, Real, compute_with};
use crate::slices::worse;

/// A projection, as a function of its own: it is asked for in three places.
struct Projected {
    law: Friction,
    x: [f64; 3],
    friction: f64,
}

impl Computation for Projected {
    type Output = Projection;

    #[inline(always)]
    fn run<A: Real>(self) -> Projection {
        self.law.project(self.x, self.friction)
    }
}

impl Contact {
    /// Takes this impulse without a change of w, which the next step of the iteration makes up for.
    pub(super) fn begin(&mut self, lambda: [f64; 3]) {
        self.pending = core::array::from_fn(|k| lambda[k] - self.lambda[k]);
        self.lambda = lambda;
    }

    /// Computes δΛ and K, as if friction did not depend on the normal impulse where that `is_frozen`. Returns the largest natural
    /// residual, and whether K stays what it was.
    #[inline(always)]
    pub(super) fn linearise<A: Real>(&mut self, holding: f64, is_frozen: bool) -> (f64, bool) {
        let Self { law, friction, lambda, w, softness, rho, .. } = *self;
        let slack = [0, 1, 2].map(|k| w[k] + softness[k] * lambda[k]);
        let at = |reach: f64| -> Projection {
            let x = [0, 1, 2].map(|k| lambda[k] - reach * slack[k]);
            compute_with::<A, _>(Projected { law, x, friction })
        };
        let mut projection = at(self.reach);
        let [_, x, y] = projection.value;
        let [a, b] = self.aim;
        if a * x + b * y < 0.0 {
            self.reach *= LESS;
            projection = at(self.reach);
        }
        self.aim = [projection.value[1], projection.value[2]];
        let natural = if self.reach == rho { projection.value } else { at(rho).value };
        if is_frozen && !law.is_symmetric() {
            let [[_, x, y], ..] = &mut projection.derivative;
            (*x, *y) = (0.0, 0.0);
        }
        let linear = Linear::of_contact(
            lambda,
            &projection,
            softness,
            Scale { rho, reach: self.reach, holding },
        );
        let stays = linear.stiffness == self.stiffness;
        (self.change, self.stiffness) = (linear.change, linear.stiffness);
        let (mut error, mut size) = (0.0_f64, 1.0_f64);
        for k in 0..3 {
            error = worse(error, (natural[k] - lambda[k]).abs());
            size = size.max(w[k].abs());
        }
        (if error.is_finite() { error / (rho * size) } else { f64::NAN }, stays)
    }

    /// The same without friction: one row with the bound zero.
    #[inline(always)]
    pub(super) fn press(&mut self, holding: f64) -> (f64, bool) {
        let ([lambda, ..], [w, ..], [softness, ..], rho) =
            (self.lambda, self.w, self.softness, self.rho);
        let x = lambda - rho * (w + softness * lambda);
        let (change, stiffness) = if x <= 0.0 {
            (-lambda, 0.0)
        } else {
            let by = 1.0 / Scale { rho, reach: rho, holding }.given(softness);
            (by * (x - lambda), by * rho)
        };
        let stays = stiffness == self.stiffness[0][0];
        (self.change[0], self.stiffness[0][0]) = (change, stiffness);
        let value = if x <= 0.0 { 0.0 } else { x };
        ((value - lambda).abs() / (rho * w.abs().max(1.0)), stays)
    }
}
