//! Steps in which contacts act alone, four of them at once.
//!
//! Where nothing but contacts can act, and these share few coordinates, a step needs no candidates and no rows: all
//! contacts are in the problem, as the open ones that they may be, and their numbers go from the kernel to the solver
//! and on to the check side by side. What this does not solve, or what a limit is violated by, is left to the way of
//! all other steps. The laws are the same.

use alloc::vec::Vec;

use super::candidate::VIOLATION;
use super::conditions::Conditions;
use super::formulation::{Approach, Formulation, norm};
use super::implicit;
use super::residual::{Contact, SideBySide, Sum};
use super::restitution::{Phase, Restitution};
use super::star::Star;
use super::stepper::{Outcome, Stepper};
use super::{Cone, Residual};
use crate::cone::{self, Contacts, Each, LANES, Law, Rows};
use crate::description::ContactParameters;
use crate::kernel::{Real, compute_with};
use crate::model::Model;
use crate::slices::{larger, worse};
use crate::space::Storage;

#[derive(Clone, Debug, Default)]
pub(super) struct Together {
    /// Whether the last step was one of these.
    pub(super) is_used: bool,
    /// Whether all contacts have friction along their tangents, and no other.
    suits: bool,
    fours: Vec<Four>,
    contacts: Vec<Contacts>,
    star: Star,
    room: cone::Room,
    /// Of each row of the contacts, as the star takes it.
    softness: Vec<[f64; 2]>,
}

/// What four contacts demand.
#[derive(Clone, Copy, Debug, Default)]
struct Four {
    target: Rows,
    /// σ.
    softness: Rows,
    /// Whether a contact demands anything.
    is_active: [bool; LANES],
}

impl Together {
    pub(super) fn new(contacts: &[ContactParameters]) -> Self {
        let plain = |contact: &ContactParameters| contact.friction > 0.0 && contact.torsion == 0.0;
        let mut together = Self { suits: contacts.iter().all(plain), ..Self::default() };
        together.fours.resize_with(contacts.len().div_ceil(LANES), Four::default);
        together.contacts.resize_with(contacts.len().div_ceil(LANES), Contacts::default);
        for (i, contact) in contacts.iter().enumerate() {
            together.contacts[i / LANES].friction[i % LANES] = contact.friction;
        }
        together
    }

    /// The law that contacts have, if the conditions leave nothing else.
    #[inline(always)]
    fn law(&self, conditions: &Conditions) -> Option<Law> {
        let law = match conditions.formulation {
            Formulation::Coulomb(_) => Law::Coulomb,
            Formulation::Todorov(law) if law.cone == Cone::Round => Law::Convex,
            _ => return None,
        };
        (self.suits && conditions.restitution == Restitution::Newton).then_some(law)
    }
}

impl<M: Model> Stepper<M> {
    /// Finds v⁺ and Λ where contacts act alone; whether it has.
    #[inline(always)]
    pub(super) fn solve_together<A: Real>(
        &mut self,
        (q, v): (&M::Q, &M::V),
        (h, conditions): (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> bool {
        let was_used = core::mem::take(&mut self.together.is_used);
        let Some(law) = self.together.law(conditions) else { return false };
        let margin = conditions.formulation.margin();
        let is_free = |spans: &super::limit::Spans, v: &[f64]| spans.are_free((q.as_slice(), v), h, margin);
        if !self.dry_friction.is_empty()
            || !self.explicit.is_empty()
            || !implicit::are_all::<M>(q, h, conditions)
            || !is_free(&self.spans, v.as_slice())
        {
            return false;
        }
        let Some(violated) = self.demand_together((h, conditions), law) else { return false };
        let Self { together, dynamics, velocity, spans, .. } = self;
        let Some(tree) = dynamics.star() else { return false };
        if violated {
            let Some(iterations) = together.solve::<A>(law, |star| tree.write_star(0..M::CONTACTS.len(), star)) else { return false };
            *outcome = Outcome { pivots: iterations, problems: 1 };
            tree.accelerate_contacts(together.contacts.iter().map(|four| &four.lambda));
        } else {
            together.contacts.iter_mut().for_each(|four| four.lambda = Rows::default());
            tree.rest();
        }
        let parts = tree.free.iter().zip(tree.change());
        velocity.as_mut_slice().iter_mut().zip(parts).for_each(|(v, (free, change))| *v = free + change);
        if !is_free(spans, velocity.as_slice()) {
            return false;
        }
        self.write_together(was_used);
        true
    }

    /// Finds what the contacts demand, and b; whether the motion without impulses violates it. `None` where there is
    /// more than contacts.
    #[inline(always)]
    fn demand_together(&mut self, (h, conditions): (f64, &Conditions), law: Law) -> Option<bool> {
        let Self { together, dynamics, contacts, impulse, .. } = self;
        let tree = dynamics.star()?;
        let Together { fours, contacts: sides, softness, .. } = together;
        softness.clear();
        let mut violated = false;
        for (k, (four, side)) in fours.iter_mut().zip(sides).enumerate() {
            let start = tree.four(k);
            for (lane, contact) in contacts.iter().skip(LANES * k).take(LANES).enumerate() {
                let i = LANES * k + lane;
                let velocity = [0, 1, 2].map(|axis| start.velocity[axis][lane]);
                let restitution = contact.restitution;
                let approach = Approach { gap: start.gap[lane], velocity, restitution, step_size: h };
                let demand = conditions.demand_of_contact(i, &approach);
                four.is_active[lane] = demand.is_some();
                let (demand, sigma) = demand.unwrap_or_default();
                softness.extend([[sigma, demand.regularization]; 3]);
                (0..3).for_each(|axis| four.target[axis][lane] = demand.target[axis]);
                let [x, y] = impulse.friction[i];
                let lambda = [impulse.normal[i], x, y];
                for axis in 0..3 {
                    side.lambda[axis][lane] = if four.is_active[lane] { lambda[axis] } else { 0.0 };
                }
            }
            for axis in 0..3 {
                for lane in 0..LANES {
                    let b = start.free[axis][lane] - four.target[axis][lane];
                    side.b[axis][lane] = if four.is_active[lane] { b } else { 0.0 };
                }
            }
            violated |= four.is_violated(side, law);
        }
        Some(violated)
    }

    /// Writes the impulses; all others are zero if the last step `was` such a one.
    #[inline(always)]
    fn write_together(&mut self, was: bool) {
        let Self { together, impulse, compression, violation, .. } = self;
        if was {
            impulse.motors.fill(0.0);
        } else {
            impulse.clear();
        }
        let fours = together.contacts.iter().zip(impulse.normal.chunks_mut(LANES));
        for ((four, normal), friction) in fours.zip(impulse.friction.chunks_mut(LANES)) {
            let [n, x, y] = &four.lambda;
            normal.iter_mut().zip(n).for_each(|(to, n)| *to = *n);
            friction.iter_mut().zip(x.iter().zip(y)).for_each(|(to, (x, y))| *to = [*x, *y]);
        }
        (compression.phase, *violation) = (Phase::Whole, 0.0);
        together.is_used = true;
    }

    /// Makes the residual worse by that of the contacts of such a step.
    #[inline(always)]
    pub(super) fn add_together(&mut self, formulation: &Formulation, residual: &mut Residual) {
        let Self { together, dynamics, .. } = self;
        let Some(tree) = dynamics.star() else { return };
        let mut strongest = 0.0;
        for four in &together.contacts {
            strongest = four.lambda[0].into_iter().fold(strongest, |most, x| larger(x.abs(), most));
        }
        for (k, (four, side)) in together.fours.iter().zip(&together.contacts).enumerate() {
            let ends = four.end(&tree.four(k).free, &tree.four_changes(k), side, strongest);
            let [normal, friction] = match formulation {
                Formulation::Coulomb(_) => ends.coulomb(),
                _ => ends.each(formulation),
            };
            residual.normal = worse(residual.normal, normal);
            residual.friction = worse(residual.friction, friction);
        }
    }
}

impl Together {
    /// Finds Λ; how many iterations it took, unless it is not found. `write` writes the star of all contacts.
    #[inline(always)]
    fn solve<A: Real>(&mut self, law: Law, write: impl FnOnce(&mut Star) -> bool) -> Option<usize> {
        let Self { fours, contacts, star, room, softness, .. } = self;
        if !write(star) {
            return None;
        }
        for (k, four) in fours.iter().enumerate() {
            let active = four.is_active.iter().enumerate();
            active.filter(|(_, is)| !**is).for_each(|(lane, _)| star.silence(k, lane));
        }
        if softness.iter().any(|of| *of != [0.0; 2]) {
            for (row, sigma) in star.soften(softness).enumerate() {
                fours[row / 3 / LANES].softness[row % 3][row / 3 % LANES] = sigma;
            }
        } else {
            fours.iter_mut().for_each(|four| four.softness = Rows::default());
        }
        let star = star.parts();
        compute_with::<A, _>(cone::SideBySide { star, law, contacts, room })
    }
}

impl Four {
    /// Whether w = b asks for an impulse.
    #[inline(always)]
    fn is_violated(&self, side: &Contacts, law: Law) -> bool {
        let (mut violated, [n, x, y]) = (false, &side.b);
        for lane in 0..LANES {
            let lift = match law {
                Law::Coulomb => 0.0,
                Law::Convex => side.friction[lane] * norm([x[lane], y[lane]]),
            };
            let mut scale = 1.0;
            for axis in 0..3 {
                scale = larger(self.target[axis][lane].abs(), scale);
                scale = larger(side.b[axis][lane].abs(), scale);
            }
            // What is no number is violated.
            let is_open = n[lane] - lift >= -VIOLATION * scale;
            violated |= !is_open;
        }
        violated
    }

    /// The contacts at the end of the step, by J v_free and J Δv.
    #[inline(always)]
    fn end(&self, free: &Rows, change: &Rows, side: &Contacts, strongest: f64) -> SideBySide<LANES> {
        let (mut w, mut scale) = (Rows::default(), Rows::default());
        for axis in 0..3 {
            for lane in 0..LANES {
                let soft = self.softness[axis][lane] * side.lambda[axis][lane];
                let (free, change) = (free[axis][lane], change[axis][lane]);
                let target = self.target[axis][lane];
                w[axis][lane] = free + change - target + soft;
                let parts = larger(larger(free.abs(), change.abs()), larger(target.abs(), soft.abs()));
                scale[axis][lane] = parts;
            }
        }
        for lane in 0..LANES {
            // What demands nothing has no impulse, and moves as it likes.
            if !self.is_active[lane] {
                (0..3).for_each(|axis| w[axis][lane] = 0.0);
            }
        }
        SideBySide {
            impulse: side.lambda,
            floor: Each::default(),
            w,
            scale,
            friction: side.friction,
            strongest,
        }
    }
}

impl SideBySide<LANES> {
    /// The worst of the contacts one by one.
    fn each(&self, formulation: &Formulation) -> [f64; 2] {
        let of = |rows: &Rows, lane: usize| [rows[0][lane], rows[1][lane], rows[2][lane]];
        let one = |lane: usize| {
            let (value, scale) = (of(&self.w, lane), of(&self.scale, lane));
            let contact = Contact {
                impulse: of(&self.impulse, lane),
                floor: self.floor[lane],
                w: [0, 1, 2].map(|axis| Sum { value: value[axis], scale: scale[axis] }),
                friction: self.friction[lane],
                directions: 0,
                strongest: self.strongest,
            };
            contact.residual(formulation)
        };
        let worst = |worst: [f64; 2], one: [f64; 2]| [worse(worst[0], one[0]), worse(worst[1], one[1])];
        (0..LANES).map(one).fold([0.0; 2], worst)
    }
}
