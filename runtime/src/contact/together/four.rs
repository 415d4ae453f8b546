//! Four contacts side by side: what they demand, what violates them, and where they end.

use super::super::candidate::VIOLATION;
use super::super::conditions::Conditions;
use super::super::demand::Approach;
use super::super::dynamics::Beginning;
use super::super::formulation::Formulation;
use super::super::impulse::Impulse;
use super::super::residual::Ends;
use super::super::star::{self, Star};
use super::super::stewart_trinkle;
use super::super::todorov::Todorov;
use crate::arithmetic::{Baseline, Lanes, Ordered};
use crate::cone::{Contacts, Each, LANES, Rows};
use crate::description::ContactParameters;
use crate::fours::load_rows as load;
use crate::kernel::Real;
use crate::slices::larger;

/// Four contacts; lanes without one have zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Four {
    /// μ, b and Λ.
    pub(super) contacts: Contacts,
    /// The coefficients of the robot.
    friction: Each,
    /// J v_free.
    free: Rows,
    target: Rows,
    /// σ of each contact, and its part by the diagonal of A; and of both, what each row has.
    softness: [Each; 2],
    sigma: Rows,
    /// The diagonal of A without what acts on single coordinates, where that is part of A and this is asked for.
    pub(super) mobility: Option<Rows>,
    /// Whether nothing springs back.
    is_plain: bool,
    /// Whether the last demand was that of gaps alone, and nothing gives way.
    is_simple: bool,
    /// Whether a contact demands anything.
    pub(super) is_active: [bool; LANES],
    /// Whether some are apart, and the change of normal velocity below which one that is apart closes.
    has_apart: bool,
    closes: Each,
    /// Whether the four are in the problem.
    pub(super) is_included: bool,
    /// By how much w without impulses is within what needs none, and who is left out of the problem for that.
    slack: Each,
    is_left_out: [bool; LANES],
}

/// Whether one of four must have an impulse, with this slack.
#[inline(always)]
pub(super) fn is_violated<A: Real>(slack: A::Quad) -> bool {
    !A::Quad::splat(0.0).are_at_most(slack)
}

/// Rows where gaps are within the margin, else zeros.
#[inline(always)]
fn within<A: Real>(gap: A::Quad, margin: A::Quad, [n, x, y]: [A::Quad; 3]) -> Rows {
    let none = A::Quad::splat(0.0);
    let [n, x, y] = [
        gap.select_at_most(margin, n, none),
        gap.select_at_most(margin, x, none),
        gap.select_at_most(margin, y, none),
    ];
    [n.unpack(), x.unpack(), y.unpack()]
}

impl Four {
    pub(super) fn new(contacts: &[ContactParameters]) -> Self {
        let is_plain = contacts.iter().all(|contact| contact.restitution == 0.0);
        let mut four =
            Self { is_plain, is_active: [true; LANES], is_simple: true, ..Self::default() };
        let frictions = four.friction.iter_mut().zip(contacts);
        frictions.for_each(|(to, contact)| *to = contact.friction);
        four.contacts.friction = four.friction;
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

    /// Writes the impulses.
    #[inline(always)]
    pub(super) fn write(&self, (normals, frictions): (&mut Each, &mut [[f64; 2]; LANES])) {
        let [n, x, y] = &self.contacts.lambda;
        (*normals, *frictions) = (*n, [[x[0], y[0]], [x[1], y[1]], [x[2], y[2]], [x[3], y[3]]]);
    }

    /// Writes those of fewer contacts than four.
    #[inline(never)]
    pub(super) fn write_some(&self, normals: &mut [f64], frictions: &mut [[f64; 2]]) {
        let (mut of_four, mut along) = (Each::default(), [[0.0; 2]; LANES]);
        self.write((&mut of_four, &mut along));
        normals.iter_mut().zip(of_four).for_each(|(to, normal)| *to = normal);
        frictions.iter_mut().zip(along).for_each(|(to, pair)| *to = pair);
    }

    /// Takes what the contacts start with, and what they demand.
    #[inline(always)]
    pub(super) fn begin<A: Real>(
        &mut self,
        start: &Beginning,
        (k, contacts): (usize, &[ContactParameters]),
        (h, conditions): (f64, &Conditions),
    ) {
        self.contacts.polygons = k;
        self.contacts.friction =
            self.friction.map(|mu| conditions.formulation.friction().coefficient(mu));
        self.free = start.free;
        let [_, slip @ ..] = start.velocity;
        self.contacts.slip = slip;
        if self.is_plain && conditions.demands_gaps() {
            if !self.is_simple {
                self.forget_demands();
            }
            for lane in 0..LANES {
                let (gap, rate) = (start.gap[lane], start.velocity[0][lane]);
                self.target[0][lane] = stewart_trinkle::least_velocity(gap, rate, h);
            }
        } else if let Some(law) = conditions.springs().filter(|_| self.is_plain) {
            self.demand_springs::<A>(start, law, h);
        } else {
            self.demand_each(*start, k, contacts, (h, conditions));
        }
        for axis in 0..3 {
            for lane in 0..LANES {
                self.contacts.b[axis][lane] = self.free[axis][lane] - self.target[axis][lane];
            }
        }
    }

    /// Demands nothing but gaps from now on.
    #[cold]
    fn forget_demands(&mut self) {
        (self.softness, self.is_active) = ([[0.0; LANES]; 2], [true; LANES]);
        (self.target, self.sigma) = (Rows::default(), Rows::default());
        self.is_simple = true;
    }

    /// Demands what springs of this law do. What demands nothing is where it may be, and is pressed by nothing.
    #[inline(always)]
    fn demand_springs<A: Real>(&mut self, start: &Beginning, law: &Todorov, h: f64) {
        (self.is_simple, self.sigma) = (false, Rows::default());
        self.softness = [[0.0; LANES], [law.regularization; LANES]];
        (self.is_active, self.has_apart) = (start.gap.map(|gap| gap <= law.margin), false);
        let (gap, margin) = (A::Quad::pack(start.gap), A::Quad::splat(law.margin));
        let [n, x, y] = load::<A>(&start.velocity);
        let targets = law.targets::<A>([gap, n, x, y], h);
        self.target = within::<A>(gap, margin, targets);
        self.free = within::<A>(gap, margin, load::<A>(&start.free));
        self.contacts.lambda = within::<A>(gap, margin, load::<A>(&self.contacts.lambda));
    }

    /// What each contact demands. The start is a copy, so that that of other steps may stay in registers.
    #[inline(never)]
    fn demand_each(
        &mut self,
        start: Beginning,
        k: usize,
        contacts: &[ContactParameters],
        laws: (f64, &Conditions),
    ) {
        (self.is_simple, self.sigma) = (false, Rows::default());
        (self.has_apart, self.closes) = (false, [f64::NEG_INFINITY; LANES]);
        let of = LANES * k..contacts.len().min(LANES * (k + 1));
        let contacts = contacts[of.clone()].iter().zip(of);
        contacts.enumerate().for_each(|(lane, of)| self.demand(lane, of, &start, laws));
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
        let is_apart = demand.is_some_and(|(demand, _)| demand.is_apart);
        let is_active = demand.is_some() && !is_apart;
        self.is_active[lane] = is_active;
        let (demand, sigma) = demand.unwrap_or_default();
        if is_apart {
            self.has_apart = true;
            self.closes[lane] = demand.target[0] - self.free[0][lane];
        }
        (self.softness[0][lane], self.softness[1][lane]) = (sigma, demand.regularization);
        for axis in 0..3 {
            let free = &mut self.free[axis][lane];
            (self.target[axis][lane], *free) =
                if is_active { (demand.target[axis], *free) } else { (0.0, 0.0) };
            let lambda = &mut self.contacts.lambda[axis][lane];
            *lambda = if is_active { *lambda } else { 0.0 };
        }
    }

    /// Whether all contacts demand something.
    #[inline(always)]
    pub(super) fn are_all_active(&self) -> bool {
        self.is_simple || !self.is_active.contains(&false)
    }

    /// Whether some contact is apart.
    #[inline(always)]
    pub(super) fn has_apart(&self) -> bool {
        !self.is_simple && self.has_apart
    }

    /// Whether a contact that is apart closes, when velocities change so.
    pub(super) fn is_closed(&self, change: &Rows) -> bool {
        let size = |least: f64| VIOLATION * larger(least.abs(), 1.0);
        self.closes.iter().zip(&change[0]).any(|(&least, of)| *of < least - size(least))
    }

    /// Lets the contacts give way as they do, by the diagonal of A through what is shared and the triangle of what they have of
    /// their own.
    #[inline(always)]
    pub(super) fn soften<A: Real>(&mut self, through: [A::Quad; 3], own: &mut [Each; 6]) {
        if !self.is_simple {
            self.soften_by::<A>(star::with_own::<A>(through, own), own);
        }
    }

    /// The same by the diagonal of A, unless another one is [known](Self::mobility).
    #[inline(always)]
    fn soften_by<A: Real>(&mut self, diagonal: [A::Quad; 3], own: &mut [Each; 6]) {
        let diagonal = match &self.mobility {
            None => diagonal,
            Some(known) => load::<A>(known),
        };
        self.sigma = star::soften::<A>(diagonal, &self.softness, own);
    }

    /// Lets the star, in which these are the contacts of that place, give way as they do, and takes those from it that demand
    /// nothing.
    #[inline(always)]
    pub(super) fn specialize<A: Real>(&mut self, place: usize, star: &mut Star) {
        if self.is_simple {
            return;
        }
        for (lane, is_active) in self.is_active.iter().enumerate() {
            if !is_active {
                star.silence(place, lane);
            }
        }
        let diagonal = star.diagonal::<A>(place);
        self.soften_by::<A>(diagonal, star.own_of(place));
    }

    /// How much w is within what needs no impulse; of what needs one it is not above zero, or NaN.
    #[inline(always)]
    pub(super) fn slack<A: Real>(&self, w: &[A::Quad; 3], formulation: &Formulation) -> A::Quad {
        let target = load::<A>(&self.target);
        let mut scale = A::Quad::splat(1.0);
        for axis in 0..3 {
            scale = target[axis].abs().maximum(w[axis].abs()).maximum(scale);
        }
        let slack = A::Quad::splat(VIOLATION).mul_add(scale, w[0]);
        if !formulation.friction().is_convex() {
            return slack;
        }
        let slip = w[1].mul_add(w[1], w[2] * w[2]).sqrt();
        slack - A::Quad::pack(self.contacts.friction) * slip
    }

    /// Whether the motion without impulses violates something, which makes the largest number of b of what must have an
    /// impulse larger.
    #[inline(always)]
    pub(super) fn include<A: Real>(&mut self, formulation: &Formulation, size: &mut A::Quad) {
        let b = load::<A>(&self.contacts.b);
        let slack = self.slack::<A>(&b, formulation);
        let largest = b[0].abs().maximum(b[1].abs()).maximum(b[2].abs());
        let none = A::Quad::splat(0.0);
        *size = none.select_at_most(slack, none, largest).maximum(*size);
        self.is_included = is_violated::<A>(slack);
        (self.slack, self.is_left_out) = (slack.unpack(), [!self.is_included; LANES]);
        if !self.is_included {
            self.contacts.lambda = Rows::default();
        }
    }

    /// Whether a contact is in the problem.
    pub(super) fn has(&self, lane: usize) -> bool {
        self.is_active[lane] && !self.is_left_out[lane]
    }

    /// Whether some contact is not in the problem.
    #[inline(always)]
    pub(super) fn leaves_out(&self) -> bool {
        self.is_left_out != [false; LANES]
    }

    /// Leaves those out that need no impulse.
    pub(super) fn leave_out(&mut self) {
        self.is_left_out = self.slack.map(|slack| slack >= 0.0);
        for (lane, _) in self.is_left_out.iter().enumerate().filter(|(_, is)| **is) {
            let Contacts { b, lambda, .. } = &mut self.contacts;
            b.iter_mut().chain(lambda).for_each(|row| row[lane] = 0.0);
        }
    }

    /// Impulses with zeros where contacts are left out.
    pub(super) fn without_left_out(&self, impulses: Rows) -> Rows {
        let left_out = &self.is_left_out;
        impulses
            .map(|row| core::array::from_fn(|lane| if left_out[lane] { 0.0 } else { row[lane] }))
    }

    /// Takes those from the star that are left out.
    #[inline(always)]
    pub(super) fn silence(&self, place: usize, star: &mut Star) {
        if self.leaves_out() {
            let left_out = self.is_left_out.iter().enumerate().filter(|(_, is)| **is);
            left_out.for_each(|(lane, _)| star.silence(place, lane));
        }
    }

    /// Whether contacts without impulses are within their law to the last bit, when velocities change so: then there is nothing
    /// else to find out of them.
    #[inline(always)]
    pub(super) fn needs_nothing<A: Real>(&self, change: &Rows, formulation: &Formulation) -> bool {
        if !self.are_all_active() {
            return !self.is_active.contains(&true);
        }
        let mut least = A::Quad::splat(0.0);
        if formulation.friction().is_convex() {
            let (x, y) = (self.moved::<A>(change, 1), self.moved::<A>(change, 2));
            least = A::Quad::pack(self.contacts.friction) * x.mul_add(x, y * y).sqrt();
        }
        least.are_at_most(self.moved::<A>(change, 0))
    }

    /// A row of w of contacts without impulses.
    #[inline(always)]
    fn moved<A: Real>(&self, change: &Rows, axis: usize) -> A::Quad {
        let moved = A::Quad::pack(self.free[axis]) + A::Quad::pack(change[axis]);
        moved - A::Quad::pack(self.target[axis])
    }

    /// Whether what is not in the problem must be, when velocities change so. Rarely called, and so not inlined.
    #[inline(never)]
    pub(super) fn is_moved_into(&self, change: &Rows, formulation: &Formulation) -> bool {
        let end = self.end::<Baseline>(change, 0.0);
        let slack = self.slack::<Baseline>(&end.w, formulation).unpack();
        self.is_left_out.iter().zip(slack).any(|(is, slack)| *is && (slack < 0.0 || slack.is_nan()))
    }

    /// The contacts at the end of the step, by J Δv. What demands nothing has no impulse, and moves as it likes.
    #[inline(always)]
    pub(super) fn end<A: Real>(&self, change: &Rows, strongest: f64) -> Ends<A::Quad, LANES> {
        let none = A::Quad::splat(0.0);
        let (impulse, sigma) = (load::<A>(&self.contacts.lambda), load::<A>(&self.sigma));
        let (free, change) = (load::<A>(&self.free), load::<A>(change));
        let target = load::<A>(&self.target);
        let (mut w, mut scale) = ([none; 3], [none; 3]);
        for axis in 0..3 {
            let soft = sigma[axis] * impulse[axis];
            w[axis] = free[axis] + change[axis] - target[axis] + soft;
            let moving = free[axis].abs().maximum(change[axis].abs());
            scale[axis] = moving.maximum(target[axis].abs().maximum(soft.abs()));
        }
        if !self.is_simple && self.is_active.contains(&false) {
            let active = A::Quad::pack(self.is_active.map(|is| if is { 1.0 } else { 0.0 }));
            for row in &mut w {
                *row = active.select_at_most(none, none, *row);
            }
        }
        let (friction, floor) = (A::Quad::pack(self.contacts.friction), none);
        Ends { impulse, floor, w, scale, friction, strongest }
    }
}

#[cfg(test)]
mod tests;
