//! Contacts of several bodies, four of one body at once.
//!
//! > A = X Ω Xᵀ + diag(B₁, B₂, …)
//!
//! X leads from the six velocities of each body to those of its contacts. Ω is what impulses on bodies change of their
//! velocities, and couples all of them. A step of Newton's method is as for one body, with the velocities γ of
//!
//! > (1 + Ω N) γ = Ω Xᵀ E ρ,  N = Xᵀ E T X
//!
//! N has a block for each body. Ω may be singular, as it is where legs are straight. Work grows as the number of contacts,
//! and the matrix as that of bodies. The problem is not symmetric, even where Ω and N are: factors of Ω, which would make it
//! so, take as long as the solution, and pivots are as large. Where a body has less than three contacts that press, they
//! lose one digit more.
//!
//! Source: as for one body. Featherstone: Rigid Body Dynamics Algorithms (2008), section 8.5, for Ω.

mod body;
mod rest;
mod rows;
mod system;

use alloc::vec::Vec;
use core::marker::PhantomData;

use self::body::{assemble, block, of_body, respond};
use self::system::System;
use super::asked::{self, Asked};
use super::contacts::{Contacts, Friction};
use super::four::Four;
use super::lanes::{Shared, WIDEST};
use super::matrix::Given;
use super::modes::Errors;
use super::projected::Projected;
use super::quads::{Each, Rows, Sums};
use super::ways::{Held, Sliding, Way};
use super::whole::{self, Whole, gathered, sums_of_triangle};
use crate::arithmetic::Lanes;
use crate::cone::Law;
use crate::cone::view::Measure;
use crate::kernel::{Computation, Real, compute_with};

/// What is given of contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hubs<'a> {
    /// X of each contact, four side by side, column by column.
    pub(crate) arms: &'a [[Rows; WIDEST]],
    /// The triangle of B of each.
    pub(crate) own: &'a [[Each; 6]],
    /// Of each four, the body.
    pub(crate) of: &'a [usize],
    /// Ω, column by column, in so many registers as the velocities of all bodies fill.
    pub(crate) compliance: &'a [Each],
    pub(crate) bodies: usize,
}

/// Room for the contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    fours: Vec<Four>,
    answer: Vec<Rows>,
    system: System,
    /// Whether the bodies may be [brought to rest](rest), once.
    may_rest: bool,
}

impl<'a> Hubs<'a> {
    /// What is given of four contacts each, and their body.
    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = (usize, Given<'a>)> {
        let given = self.arms.iter().zip(self.own).map(|(shared, own)| Given { shared, own });
        self.of.iter().copied().zip(given)
    }

    /// Ω, column by column.
    #[inline(always)]
    fn columns<const R: usize>(&self) -> &'a [[Each; R]] {
        self.compliance.as_chunks().0
    }
}

impl Room {
    /// Forgets what was found last.
    pub(crate) fn forget(&mut self) {
        self.answer.clear();
    }

    /// λ of the convex law, where it was [asked](StaysOnHubs) last.
    pub(crate) fn answer(&self) -> &[Rows] {
        &self.answer
    }

    /// Whether w of what was found last is in the dual cones, so that it stays.
    #[inline(always)]
    pub(crate) fn are_dual<A: Real>(&self, friction: Friction<'_>, accepted: f64) -> bool {
        asked::are_dual::<A>(&self.fours, friction, accepted)
    }

    /// Takes what contacts start with.
    #[inline(always)]
    fn begin<A: Real, const H: usize, const R: usize>(
        &mut self,
        hubs: &Hubs<'_>,
        contacts: &[Contacts],
    ) {
        self.fours.resize_with(contacts.len(), Four::default);
        self.system.resize::<R>();
        self.may_rest = true;
        let mut together = [0.0; H];
        hubs.of.iter().for_each(|&hub| together[hub] += 1.0);
        let fours = self.fours.iter_mut().zip(contacts);
        for ((four, contacts), (hub, given)) in fours.zip(hubs.each()) {
            four.take(contacts);
            let shared = given.through_block::<A>(&block(hubs.columns::<R>(), hub));
            four.weigh::<A>(given, shared, together[hub]);
            self.may_rest &= four.are_alone;
        }
    }
}

/// Contacts of several bodies, and room for them.
struct OfSeveral<'a, 'm, const H: usize, const R: usize> {
    room: &'a mut Room,
    hubs: &'a Hubs<'m>,
    friction: Friction<'a>,
}

impl<const H: usize, const R: usize> Whole for OfSeveral<'_, '_, H, R> {
    #[inline(always)]
    fn fours(&mut self) -> &mut [Four] {
        &mut self.room.fours
    }

    const IS_ONE: bool = false;

    #[inline(always)]
    fn measure<A: Real>(&mut self) -> Measure {
        let mut sums = [[A::Quad::splat(0.0); WIDEST]; H];
        for (four, (hub, given)) in self.room.fours.iter().zip(self.hubs.each()) {
            four.add_impulse::<A>(given, &mut sums[hub]);
        }
        let Self { room, hubs, friction } = self;
        let mut impulses = [[0.0; WIDEST]; H];
        for (to, of_body) in impulses.iter_mut().zip(&sums) {
            *to = gathered::<A>(of_body);
        }
        let velocities = respond::<A, R>(hubs.columns(), &impulses);
        let velocities = velocities.map(Lanes::unpack);
        let mut errors = Errors::<A>::none();
        for (four, (hub, given)) in room.fours.iter_mut().zip(hubs.each()) {
            four.respond::<A>(given, of_body(velocities.as_flattened(), hub));
            four.measure::<A>(*friction, &mut errors);
        }
        errors.measure()
    }

    #[inline(always)]
    fn hold<A: Real>(&mut self) {
        self.room.fours.iter_mut().for_each(Four::hold::<A>);
    }

    #[inline(always)]
    fn step<A: Real>(&mut self, is_near: bool) -> bool {
        let are_same = whole::find_modes::<A>(&mut self.room.fours, self.friction);
        let slides = self.room.fours.iter().any(Four::slides);
        let tries_rest = !slides && core::mem::take(&mut self.room.may_rest);
        if tries_rest && self.rest::<A>() {
            return true;
        }
        if !slides {
            return self.step_by::<A, Held>(are_same && !tries_rest);
        }
        let is_known = are_same && is_near;
        match self.friction.law {
            Law::Coulomb => {
                let way = PhantomData::<Sliding>;
                compute_with::<A, _>(Step { problem: self, way, is_known })
            }
            Law::Convex => {
                let way = PhantomData::<Projected>;
                compute_with::<A, _>(Step { problem: self, way, is_known })
            }
        }
    }
}

impl<const H: usize, const R: usize> OfSeveral<'_, '_, H, R> {
    /// As of one body.
    #[inline(always)]
    fn step_by<A: Real, W: Way>(&mut self, is_known: bool) -> bool {
        let mut impulses = [[0.0; WIDEST]; H];
        for (body, impulse) in impulses.iter_mut().enumerate() {
            *impulse = self.set_up::<A, W>(body, is_known);
        }
        let Self { room, hubs, .. } = self;
        let right = respond::<A, R>(hubs.columns(), &impulses);
        let Some(velocities) = room.system.solve::<A, R>(WIDEST * H, &right, is_known) else {
            return false;
        };
        let velocities = velocities.map(Lanes::unpack);
        for (four, (hub, _)) in room.fours.iter_mut().zip(hubs.each()) {
            four.step::<A>(of_body(velocities.as_flattened(), hub));
        }
        true
    }

    /// Sets up what is of a body, and returns its part of Xᵀ E ρ.
    #[inline(always)]
    fn set_up<A: Real, W: Way>(&mut self, body: usize, is_known: bool) -> Shared {
        let Self { room, hubs, .. } = self;
        let none = A::Quad::splat(0.0);
        let (mut sum, mut matrix) = ([none; WIDEST], [[none; WIDEST]; WIDEST]);
        for (four, (hub, given)) in room.fours.iter_mut().zip(hubs.each()) {
            if hub == body {
                let pull = W::set_up::<A>((&mut *four, given), is_known, &mut matrix);
                four.add_right::<A>(given, &pull, &mut sum);
            }
        }
        if !is_known {
            let block = match W::IS_SYMMETRIC {
                true => sums_of_triangle::<A>(&matrix),
                false => whole_block::<A>(&matrix),
            };
            assemble::<A, R>(hubs.columns(), &block, body, room.system.matrix());
        }
        gathered::<A>(&sum)
    }
}

/// A step by a way, of a linear problem that may be known, as a computation of its own.
struct Step<'s, 'a, 'm, W, const H: usize, const R: usize> {
    problem: &'s mut OfSeveral<'a, 'm, H, R>,
    way: PhantomData<W>,
    is_known: bool,
}

impl<W: Way, const H: usize, const R: usize> Computation for Step<'_, '_, '_, W, H, R> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { problem, is_known, .. } = self;
        problem.step_by::<A, W>(is_known)
    }
}

/// The sums over lanes of a matrix that is not symmetric, column by column.
#[inline(always)]
fn whole_block<A: Real>(columns: &Sums<A>) -> [Shared; WIDEST] {
    let mut block = [[0.0; WIDEST]; WIDEST];
    for (to, column) in block.iter_mut().zip(columns) {
        *to = gathered::<A>(column);
    }
    block
}

/// Contacts of several bodies that are to be solved side by side.
pub(crate) struct OnHubs<'a> {
    pub(crate) hubs: Hubs<'a>,
    pub(crate) friction: Friction<'a>,
    /// The largest error of a solution.
    pub(crate) accepted: f64,
    pub(crate) contacts: &'a mut [Contacts],
    pub(crate) room: &'a mut Room,
}

impl Computation for OnHubs<'_> {
    type Output = Option<usize>;

    /// As [`SideBySide`](super::SideBySide).
    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        // The second number is that of registers for the velocities of so many bodies.
        match self.hubs.bodies {
            1 => compute_with::<A, _>(Bodies::<1, 2>(self)),
            2 => compute_with::<A, _>(Bodies::<2, 3>(self)),
            3 => compute_with::<A, _>(Bodies::<3, 5>(self)),
            4 => compute_with::<A, _>(Bodies::<4, 6>(self)),
            _ => None,
        }
    }
}

/// As [`Stays`](super::Stays), of contacts of several bodies.
pub(crate) struct StaysOnHubs<'a> {
    pub(crate) hubs: Hubs<'a>,
    pub(crate) friction: Friction<'a>,
    pub(crate) accepted: f64,
    pub(crate) room: &'a mut Room,
}

impl Computation for StaysOnHubs<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        if asked::are_dual::<A>(&self.room.fours, self.friction, self.accepted) {
            return true;
        }
        match self.hubs.bodies {
            1 => self.ask::<A, 1, 2>(),
            2 => self.ask::<A, 2, 3>(),
            3 => self.ask::<A, 3, 5>(),
            4 => self.ask::<A, 4, 6>(),
            _ => true,
        }
    }
}

impl StaysOnHubs<'_> {
    #[inline(always)]
    fn ask<A: Real, const H: usize, const R: usize>(self) -> bool {
        let Self { hubs, friction, accepted, room } = self;
        let friction = friction.convex();
        let mut answer = core::mem::take(&mut room.answer);
        let whole = &mut OfSeveral::<H, R> { room: &mut *room, hubs: &hubs, friction };
        let stays = compute_with::<A, _>(Asked { whole, friction, accepted, answer: &mut answer });
        room.answer = answer;
        stays
    }
}

/// A number of bodies, as a computation of its own: without optimisation, all in one would need more than the stack of a
/// thread.
struct Bodies<'a, const H: usize, const R: usize>(OnHubs<'a>);

impl<const H: usize, const R: usize> Computation for Bodies<'_, H, R> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        let OnHubs { hubs, friction, accepted, contacts, room } = self.0;
        room.begin::<A, H, R>(&hubs, contacts);
        let mut problem = OfSeveral::<H, R> { room, hubs: &hubs, friction };
        let end = whole::solve::<A, _>(&mut problem, friction, accepted);
        end.hand_on(contacts, &room.fours)
    }
}

#[cfg(test)]
mod tests;
