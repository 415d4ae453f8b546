//! Descent to the solution of a convex law, from anywhere.
//!
//! About a centre C, with γ = σ + 1/(κ ρ) of each row, an impulse is a function of the velocity,
//!
//! > Λ(w) = argmin ½ Λᵀ Γ Λ − yᵀ Λ over the cone,  y = C/(κ ρ) − w
//!
//! and velocities are the minimum of a convex function φ, whose gradient is M Δv − Jᵀ Λ(w). Newton's steps with a search along each
//! go there from any velocity; then C becomes Λ. So the iterates are those of the method of multipliers. As they satisfy the balance
//! of momentum with impulses of their own, the slope of φ along a step is a sum over what acts,
//!
//! > φ' = Σ ΔwᵀΛ' (Λ − Λ(w))
//!
//! Under a law that gives way by itself, as Todorov's does, κ is so large from the beginning that centres hardly matter.
//!
//! Where more contacts hold than can, if only by rounding of their gaps, bodies creep while Λ moves on by the same amount with each
//! centre, until one of them slides or opens. A centre that moves as the one before goes further: any centre is a beginning.
//!
//! # Source
//!
//! Rockafellar: Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex Programming (1976); Castro, Permenter,
//! Han: An Unconstrained Convex Formulation of Compliant Contact (2022) for the search.

use alloc::vec::Vec;

use super::law::Friction;
use super::{Contact, Newton, System};
use crate::kernel::Real;
use crate::slices::{sqrt, worse};

/// κ far from the solution and near it, and by how much it grows where the centre gains little.
const HOLDING: f64 = 1e3;
const NEAR_HOLDING: f64 = 1e5;
const GROWTH: f64 = 10.0;

/// σ ρ from which on a contact gives way more than one does that is held.
const SOFT: f64 = 1e-5;

/// The natural residual that is near.
const CLOSE: f64 = 1e-4;

/// The cosine from which on two moves of the centre have the same direction, and how many times further than Λ it goes at most.
const ALIKE: f64 = 0.8;
const FURTHEST: f64 = 64.0;

/// Most steps, and most trials of a search.
const MOST: usize = 300;
const TRIALS: usize = 20;

/// The slope that ends a search, by that at its beginning.
const FLAT: f64 = 0.1;

/// The centre moves when the error about it is this share of the law's.
const NEAR: f64 = 0.3;

/// Steps after which the centre moves at any rate, and κ is smaller.
const SLOW: usize = 12;

/// The slope that is rounding, by the sizes of its terms.
const ROUNDING: f64 = 1e-14;

/// Steps that do not halve the least error: so many end the search, and after so few a residual that is allowed is taken.
const STALLED: usize = 120;
const PATIENT: usize = 2;

/// An impulse by a velocity, and minus its derivative, column by column.
struct Response {
    value: [f64; 3],
    stiffness: [[f64; 3]; 3],
}

impl Response {
    const NONE: Self = Self { value: [0.0; 3], stiffness: [[0.0; 3]; 3] };
}

/// The minimum of ½ Λᵀ Γ Λ − yᵀ Λ over the round cone with the coefficient μ.
///
/// Inside, Λ = Γ⁻¹ y. On the boundary (Γ + ν S) Λ = y with S = diag(−μ², 1, 1) and ν ≥ 0 such that Λᵀ S Λ = 0.
fn onto_cone(y: [f64; 3], gamma: [f64; 3], friction: f64) -> Response {
    let [n, a, b] = y;
    let length = sqrt(a * a + b * b);
    if n + friction * length <= 0.0 {
        return Response::NONE;
    }
    let free = [0, 1, 2].map(|k| y[k] / gamma[k]);
    let of_free = sqrt(free[1] * free[1] + free[2] * free[2]);
    if n >= 0.0 && of_free <= friction * free[0] {
        let mut stiffness = [[0.0; 3]; 3];
        (0..3).for_each(|k| stiffness[k][k] = 1.0 / gamma[k]);
        return Response { value: free, stiffness };
    }
    let nu = multiplier(y, gamma, friction);
    let (p, q) = (a / (gamma[1] + nu), b / (gamma[2] + nu));
    let radius = sqrt(p * p + q * q);
    let (cosine, sine) = if radius > 0.0 { (p / radius, q / radius) } else { (1.0, 0.0) };
    let (ray, across) = ([1.0, friction * cosine, friction * sine], [0.0, -sine, cosine]);
    // The Hessian along the cone: along its ray and around it.
    let product = |x: [f64; 3], y: [f64; 3]| (0..3).map(|k| x[k] * gamma[k] * y[k]).sum::<f64>();
    let [along, mixed, around] =
        [product(ray, ray), product(ray, across), product(across, across) + nu];
    let by = 1.0 / (along * around - mixed * mixed);
    let column = |k: usize| {
        let [x, y] = [ray[k], across[k]];
        let (s, t) = (by * (around * x - mixed * y), by * (along * y - mixed * x));
        core::array::from_fn(|i| s * ray[i] + t * across[i])
    };
    Response { value: [radius / friction, p, q], stiffness: [column(0), column(1), column(2)] }
}

/// ν ≥ 0 of a point on the boundary: the zero of |Λ_t| (γ₀ − μ² ν) − μ y₀, which is linear in 1/(γ + ν) if tangents are alike.
fn multiplier([n, a, b]: [f64; 3], gamma: [f64; 3], friction: f64) -> f64 {
    let least = gamma[1].min(gamma[2]);
    let square = friction * friction;
    let error = |t: f64| {
        // (γ₀ − μ² ν) t = 1 − … by ν = 1/t − γ.
        let [x, y] = [a / (1.0 + (gamma[1] - least) * t), b / (1.0 + (gamma[2] - least) * t)];
        sqrt(x * x + y * y) * ((gamma[0] + square * least) * t - square) - friction * n
    };
    // At ν = 0 it is not negative, and as ν grows it becomes so.
    let (mut low, mut high) = (0.0, 1.0 / least);
    let (mut below, mut above) = (error(low), error(high));
    let (mut t, mut last) = (high, 0.0);
    let none = f64::EPSILON * (square * sqrt(a * a + b * b) + friction * n.abs());
    for _ in 0..60 {
        t = if above > below {
            low - below * (high - low) / (above - below)
        } else {
            0.5 * (low + high)
        };
        let here = error(t);
        if here.abs() <= none || high - low <= f64::EPSILON * high {
            break;
        }
        // An end that stays is halved, so that both move: Illinois' rule.
        if here < 0.0 {
            above *= if last < 0.0 { 0.5 } else { 1.0 };
            (low, below) = (t, here);
        } else {
            below *= if last > 0.0 { 0.5 } else { 1.0 };
            (high, above) = (t, here);
        }
        last = here;
    }
    (1.0 / t - least).max(0.0)
}

impl Contact {
    /// Λ(w) and minus its derivative about a centre.
    fn respond(&self, center: [f64; 3], holding: f64) -> Response {
        let given = 1.0 / (holding * self.rho);
        let gamma = self.softness.map(|softness| softness + given);
        let y = [0, 1, 2].map(|k| given * center[k] - self.w[k] - self.shift[k]);
        if self.rubs {
            return onto_cone(y, gamma, self.friction);
        }
        let mut response = Response::NONE;
        if y[0] > 0.0 {
            response.value[0] = y[0] / gamma[0];
            response.stiffness[0][0] = 1.0 / gamma[0];
        }
        response
    }

    /// The natural residual of the law, by the largest velocity if that is above one.
    fn error(&self) -> f64 {
        let slack =
            [0, 1, 2].map(|k| self.w[k] + self.shift[k] + self.softness[k] * self.lambda[k]);
        let x = [0, 1, 2].map(|k| self.lambda[k] - self.rho * slack[k]);
        let value = match self.rubs {
            true => Friction::Convex.project(x, self.friction).value,
            false => [x[0].max(0.0), 0.0, 0.0],
        };
        let (mut error, mut size) = (0.0_f64, 1.0_f64);
        for (value, (lambda, w)) in value.iter().zip(self.lambda.iter().zip(&self.w)) {
            error = worse(error, (value - lambda).abs());
            size = size.max(w.abs());
        }
        error / (self.rho * size)
    }
}

/// The last two moves of the centres.
#[derive(Default)]
struct Way {
    now: Vec<f64>,
    before: Vec<f64>,
    further: f64,
}

impl Way {
    fn begin(&mut self) {
        core::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
    }

    /// How many times further than Λ the centres go: about twice as many as before if the direction is the same, and else none.
    fn further(&mut self) -> f64 {
        let is_first = self.before.len() != self.now.len();
        let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let sizes = product(&self.now, &self.now) * product(&self.before, &self.before);
        let is_same = !is_first && product(&self.now, &self.before) > ALIKE * sqrt(sizes);
        self.further = if is_same { (2.0 * self.further + 1.0).min(FURTHEST) } else { 0.0 };
        self.further
    }
}

impl<S: System> Newton<S> {
    /// Whether all contacts have the round convex law.
    fn is_round(&self) -> bool {
        self.contacts.iter().all(|of| !of.rubs || matches!(of.law, Friction::Convex))
    }

    /// Whether all that acts are contacts that obey the round convex law and give way themselves, so that φ needs no centre.
    pub(super) fn gives_way(&self) -> bool {
        let is_soft =
            |of: &Contact| of.softness[..of.rows()].iter().all(|softness| softness * of.rho > SOFT);
        let are_contacts = !self.contacts.is_empty() && self.singles.count() == 0;
        are_contacts && self.is_round() && self.contacts.iter().all(is_soft)
    }

    /// Finds Λ and w under the round convex law, to a natural residual, or to one that is `allowed` where it becomes no smaller; how many
    /// steps it took, or `None` if the law is another, or the search does not end.
    pub(super) fn descend<A: Real>(&mut self, [target, allowed]: [f64; 2]) -> Option<usize> {
        if !self.is_round() || self.has_pending() {
            return None;
        }
        let allowed = allowed.max(target);
        let mut centers: Vec<[f64; 3]> = self.contacts.iter().map(|of| of.lambda).collect();
        self.singles.center(0.0);
        let (mut least, mut stalled, mut way) = (f64::INFINITY, 0, Way::default());
        let (mut before, mut inner_before, mut moved) = (f64::INFINITY, f64::INFINITY, 0);
        let is_close = self.error_of_cones() < CLOSE;
        let is_soft = self.gives_way();
        let mut holding = match (is_soft, is_close) {
            (true, _) => self.stiffest,
            (_, true) => NEAR_HOLDING,
            _ => HOLDING,
        };
        for step in 0..MOST {
            let error = self.error_of_cones();
            stalled = if error < 0.5 * least { 0 } else { stalled + 1 };
            if error < least {
                least = error;
                self.keep_best();
            }
            let is_enough = stalled > PATIENT && least <= self.accepted[2].min(allowed);
            if error <= target || is_enough || error.is_nan() || stalled > STALLED {
                return self.recall(least, allowed).then_some(step);
            }
            let inner = self.respond_about(&centers, holding);
            let stagnates = inner > 0.5 * inner_before && inner <= error;
            let is_slow = !is_soft && step > moved + SLOW;
            inner_before = inner;
            if inner <= NEAR * error || stagnates || is_slow {
                (inner_before, moved) = (f64::INFINITY, step);
                if is_slow {
                    holding = (holding / GROWTH).max(HOLDING);
                    way.now.clear();
                } else if error > 0.5 * before && holding < self.stiffest {
                    holding = (GROWTH * holding).min(self.stiffest);
                }
                before = error;
                self.move_centers(&mut centers, &mut way);
                self.respond_about(&centers, holding);
            }
            self.keep();
            self.is_factored = false;
            if !S::advance::<A>(self) {
                break;
            }
            self.search_along(&centers, holding);
        }
        self.recall(least, allowed).then_some(MOST)
    }

    /// Moves the centres to Λ, or further on the same way.
    fn move_centers(&mut self, centers: &mut [[f64; 3]], way: &mut Way) {
        way.begin();
        for (of, center) in self.contacts.iter().zip(&*centers) {
            way.now.extend((0..3).map(|k| (of.lambda[k] - center[k]) / sqrt(of.rho)));
        }
        self.singles.add_way(&mut way.now);
        let further = way.further();
        for (of, center) in self.contacts.iter().zip(centers) {
            *center = [0, 1, 2].map(|k| of.lambda[k] + further * (of.lambda[k] - center[k]));
        }
        self.singles.center(further);
    }

    /// The largest natural residual.
    fn error_of_cones(&self) -> f64 {
        self.contacts.iter().fold(self.singles.error(), |error, of| worse(error, of.error()))
    }

    /// Computes δΛ and K about centres. Returns the largest change, by ρ.
    fn respond_about(&mut self, centers: &[[f64; 3]], holding: f64) -> f64 {
        let mut largest = self.singles.respond(holding);
        for (of, center) in self.contacts.iter_mut().zip(centers) {
            let Response { value, stiffness } = of.respond(*center, holding);
            (of.change, of.stiffness) = ([0, 1, 2].map(|k| value[k] - of.lambda[k]), stiffness);
            largest = of.change.iter().fold(largest, |most, x| worse(most, x.abs() / of.rho));
        }
        largest
    }

    /// Goes back along the last step to where φ is least.
    fn search_along(&mut self, centers: &[[f64; 3]], holding: f64) {
        let (first, size) = self.slope_at_kept();
        let above = self.slope(centers, holding);
        // What is rounding tells of no direction.
        if first >= -ROUNDING * size || above <= -FLAT * first {
            return;
        }
        let ([mut low, mut high], [mut below, mut above]) = ([0.0, 1.0], [first, above]);
        let mut at = 1.0;
        for _ in 0..TRIALS {
            let next = low - below * (high - low) / (above - below);
            let next = next.clamp(low + 0.1 * (high - low), high - 0.1 * (high - low));
            self.go_to(next / at);
            at = next;
            let here = self.slope(centers, holding) / at;
            if here.abs() <= -FLAT * first {
                return;
            }
            if here < 0.0 {
                (low, below) = (at, here);
            } else {
                (high, above) = (at, here);
            }
        }
    }

    /// φ' along the step that was taken, at its end, times the share of it that was gone.
    fn slope(&self, centers: &[[f64; 3]], holding: f64) -> f64 {
        let (of_contacts, of_singles) = self.kept.split_at(6 * self.contacts.len());
        let mut slope = self.singles.slope(of_singles, holding);
        let all = self.contacts.iter().zip(centers).zip(of_contacts.as_chunks::<6>().0);
        for ((of, center), kept) in all {
            let Response { value, .. } = of.respond(*center, holding);
            for k in 0..3 {
                slope += (of.w[k] - kept[3 + k]) * (of.lambda[k] - value[k]);
            }
        }
        slope
    }

    /// φ' at the beginning of the step, and the sum of the sizes of its terms.
    fn slope_at_kept(&self) -> (f64, f64) {
        let (of_contacts, of_singles) = self.kept.split_at(6 * self.contacts.len());
        let (mut slope, mut size) = self.singles.slope_at(of_singles);
        for (of, kept) in self.contacts.iter().zip(of_contacts.as_chunks::<6>().0) {
            for k in 0..3 {
                let moved = of.w[k] - kept[3 + k];
                slope -= moved * of.change[k];
                size += moved.abs() * kept[k].abs().max(of.lambda[k].abs());
            }
        }
        (slope, size)
    }

    /// Goes from the iterate that was kept as far as a share of the way to this one.
    fn go_to(&mut self, share: f64) {
        let (of_contacts, of_singles) = self.kept.split_at(6 * self.contacts.len());
        for (of, kept) in self.contacts.iter_mut().zip(of_contacts.as_chunks::<6>().0) {
            for (x, kept) in of.lambda.iter_mut().chain(&mut of.w).zip(kept) {
                *x = kept + share * (*x - kept);
            }
        }
        self.singles.go_to(of_singles, share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minima satisfy the conditions of optimality, and derivatives are those of them.
    #[test]
    fn impulses_are_minima() {
        let mut state = 3_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for _ in 0..3000 {
            let y = [(); 3].map(|()| number());
            let gamma = [(); 3].map(|()| libm::exp(3.0 * number()));
            let friction = 0.05 + 1.5 * number().abs();
            let Response { value, stiffness } = onto_cone(y, gamma, friction);
            let [n, a, b] = value;
            let left = [0, 1, 2].map(|k| gamma[k] * value[k] - y[k]);
            let across = sqrt(a * a + b * b);
            assert!(across <= friction * n + 1e-12 && n >= 0.0, "{value:?}");
            let dual = left[0] - friction * sqrt(left[1] * left[1] + left[2] * left[2]);
            assert!(dual > -1e-9, "{y:?} {gamma:?} {friction}: {dual:e}");
            let product: f64 = value.iter().zip(left).map(|(x, y)| x * y).sum();
            assert!(product.abs() < 1e-9, "{product:e}");
            for k in 0..3 {
                let at = |by: f64| {
                    let mut y = y;
                    y[k] += by;
                    onto_cone(y, gamma, friction).value
                };
                let (ahead, behind) = (at(1e-6), at(-1e-6));
                let slope = [0, 1, 2].map(|i| (ahead[i] - behind[i]) / 2e-6);
                let error = (0..3).map(|i| (slope[i] - stiffness[k][i]).abs());
                let size = 1.0 + slope.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                let error = error.fold(0.0, f64::max) / size;
                // Points next to a kink have neither derivative.
                let is_near = (across - friction * n).abs() < 1e-4 || n < 1e-4;
                assert!(error < 1e-4 || is_near, "{y:?} {gamma:?} {friction}: {error:e}");
            }
        }
    }
}
