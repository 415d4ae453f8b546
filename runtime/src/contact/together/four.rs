//! Four contacts side by side: what they demand, what violates them, and where they end.

use super::super::candidate::VIOLATION;
use super::super::conditions::Conditions;
use super::super::dynamics::Beginning;
use super::super::formulation::{Approach, Formulation, norm};
use super::super::impulse::Impulse;
use super::super::residual::Ends;
use super::super::stewart_trinkle;
use crate::cone::{Contacts, Each, LANES, Rows};
use crate::description::ContactParameters;
use crate::slices::larger;

/// Four contacts; lanes without one have zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Four {
    /// μ, b and Λ.
    pub(super) contacts: Contacts,
    /// J v_free.
    free: Rows,
    target: Rows,
    /// σ of each contact, and its part by the diagonal of A; and of both, what each row has.
    pub(super) softness: [[f64; 2]; LANES],
    pub(super) sigma: Rows,
    /// Whether nothing springs back.
    is_plain: bool,
    /// Whether a contact demands anything.
    pub(super) is_active: [bool; LANES],
    /// Whether the four are in the problem.
    pub(super) is_included: bool,
}

/// Whether one of four must have an impulse, with this slack.
#[inline(always)]
pub(super) fn is_violated(slack: &Each) -> bool {
    let [a, b, c, d] = *slack;
    let are_open = (a >= 0.0) & (b >= 0.0) & (c >= 0.0) & (d >= 0.0);
    !are_open
}

impl Four {
    pub(super) fn new(contacts: &[ContactParameters]) -> Self {
        let is_plain = contacts.iter().all(|contact| contact.restitution == 0.0);
        let mut four = Self { is_plain, is_active: [true; LANES], ..Self::default() };
        let frictions = four.contacts.friction.iter_mut().zip(contacts);
        frictions.for_each(|(to, contact)| *to = contact.friction);
        four
    }

    /// Takes the impulses of another step to start from.
    pub(super) fn start(&mut self, k: usize, impulse: &Impulse) {
        let normals = impulse.normal.iter().zip(&impulse.friction).skip(LANES * k).take(LANES);
        for (lane, (&normal, &[x, y])) in normals.enumerate() {
            let [to, first, second] = &mut self.contacts.lambda;
            (to[lane], first[lane], second[lane]) = (normal, x, y);
        }
    }

    /// Writes the impulses of so many contacts.
    #[inline(always)]
    pub(super) fn write(&self, normals: &mut [f64], frictions: &mut [[f64; 2]]) {
        let [n, x, y] = &self.contacts.lambda;
        let to = normals.iter_mut().zip(frictions);
        for (lane, (normal, friction)) in to.enumerate().take(LANES) {
            (*normal, *friction) = (n[lane], [x[lane], y[lane]]);
        }
    }

    /// Takes what the contacts start with, and what they demand.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        start: &Beginning,
        k: usize,
        contacts: &[ContactParameters],
        (h, conditions): (f64, &Conditions),
    ) {
        self.free = start.free;
        self.sigma = Rows::default();
        if self.is_plain && conditions.demands_gaps() {
            (self.softness, self.is_active) = ([[0.0; 2]; LANES], [true; LANES]);
            self.target = Rows::default();
            for lane in 0..LANES {
                self.target[0][lane] = stewart_trinkle::least_velocity(start.gap[lane], h);
            }
        } else {
            let of = LANES * k..contacts.len().min(LANES * (k + 1));
            let contacts = contacts[of.clone()].iter().zip(of);
            contacts.enumerate().for_each(|(lane, (contact, i))| {
                self.demand(lane, (contact, i), start, (h, conditions));
            });
        }
        for axis in 0..3 {
            for lane in 0..LANES {
                self.contacts.b[axis][lane] = self.free[axis][lane] - self.target[axis][lane];
            }
        }
    }

    /// What one contact demands.
    fn demand(
        &mut self,
        lane: usize,
        (contact, i): (&ContactParameters, usize),
        start: &Beginning,
        (h, conditions): (f64, &Conditions),
    ) {
        let velocity = start.velocity.map(|row| row[lane]);
        let (gap, restitution) = (start.gap[lane], contact.restitution);
        let approach = Approach { gap, velocity, restitution, step_size: h };
        let demand = conditions.demand_of_contact(i, &approach);
        self.is_active[lane] = demand.is_some();
        let (demand, sigma) = demand.unwrap_or_default();
        self.softness[lane] = [sigma, demand.regularization];
        for axis in 0..3 {
            // What demands nothing is where it may be, and is pressed by nothing.
            let active = self.is_active[lane];
            let free = &mut self.free[axis][lane];
            (self.target[axis][lane], *free) =
                if active { (demand.target[axis], *free) } else { (0.0, 0.0) };
            let lambda = &mut self.contacts.lambda[axis][lane];
            *lambda = if active { *lambda } else { 0.0 };
        }
    }

    /// Whether a contact gives way, or demands nothing.
    pub(super) fn is_special(&self) -> bool {
        self.softness != [[0.0; 2]; LANES] || self.is_active.contains(&false)
    }

    /// How much w is within what needs no impulse; of what needs one it is not above zero, or NaN.
    #[inline(always)]
    pub(super) fn slack(&self, w: &Rows, formulation: &Formulation) -> Each {
        let mut scale = [1.0; LANES];
        for (target, w) in self.target.iter().zip(w) {
            for lane in 0..LANES {
                scale[lane] = larger(larger(target[lane].abs(), w[lane].abs()), scale[lane]);
            }
        }
        let (mut slack, mut lift) = (w[0], Each::default());
        if formulation.is_convex() {
            for lane in 0..LANES {
                lift[lane] = self.contacts.friction[lane] * norm([w[1][lane], w[2][lane]]);
            }
        }
        for lane in 0..LANES {
            slack[lane] += VIOLATION * scale[lane] - lift[lane];
        }
        slack
    }

    /// Whether what is not in the problem must be, when velocities change so. Rarely called, and so not inlined.
    #[inline(never)]
    pub(super) fn is_moved_into(&self, change: &Rows, formulation: &Formulation) -> bool {
        is_violated(&self.slack(&self.end(change, 0.0).w, formulation))
    }

    /// What demands nothing has no impulse, and moves as it likes.
    #[cold]
    fn let_go(&self, w: &mut Rows) {
        for lane in (0..LANES).filter(|&lane| !self.is_active[lane]) {
            w.iter_mut().for_each(|row| row[lane] = 0.0);
        }
    }

    /// The contacts at the end of the step, by J Δv.
    #[inline(always)]
    pub(super) fn end(&self, change: &Rows, strongest: f64) -> Ends<LANES> {
        let Self { contacts, free, target, sigma, .. } = self;
        let (mut w, mut scale) = (Rows::default(), Rows::default());
        for axis in 0..3 {
            for lane in 0..LANES {
                let soft = sigma[axis][lane] * contacts.lambda[axis][lane];
                let (free, change) = (free[axis][lane], change[axis][lane]);
                let target = target[axis][lane];
                w[axis][lane] = free + change - target + soft;
                let moving = larger(free.abs(), change.abs());
                scale[axis][lane] = larger(moving, larger(target.abs(), soft.abs()));
            }
        }
        if self.is_active.contains(&false) {
            self.let_go(&mut w);
        }
        let (impulse, friction, floor) = (contacts.lambda, contacts.friction, Each::default());
        Ends { impulse, floor, w, scale, friction, strongest }
    }
}
