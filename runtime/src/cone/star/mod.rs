//! Contacts that share a few coordinates and have each some of its own, four at once.
//!
//! > A = Y W Yᵀ + diag(B₁, B₂, …)
//!
//! Y leads to the velocities that all contacts share, a body's or a floating base's, six at most; Bᵢ, (3, 3), is what
//! a contact moves by itself, its leg's part or what gives way in it. With g = W Yᵀ λ the velocities of contacts are
//! w = Y g + B λ + b, and one contact knows of the others by g alone. A step of Newton's method is then
//!
//! > T w⁺ + C λ⁺ = r,  w⁺ = w + B δ + Y γ
//! > δ = E (ρ − T Y γ),  E = (T B + C)⁻¹,  ρ = r − T w − C λ
//! > (W⁻¹ + Yᵀ E T Y) γ = Yᵀ E ρ
//!
//! with T, C and r of each contact's mode: its work grows as the number of contacts, and no matrix is larger than
//! 6 by 6. Contacts lie in lanes of registers.
//!
//! A contact that sticks and has nothing of its own leaves E singular. A proximal term ε s δ makes it regular; since
//! δ vanishes as points converge, it changes no solution. Where all contacts of a body alone stick, its limit is taken.
//!
//! What N contacts carry together changes by N times less in each than if it were alone, so that modes are told by
//! z = s λ − w with what is shared counted N/4 times in s: the nonzero eigenvalues of Y W Yᵀ are N/2 times its diagonal
//! entries on average, and half of that takes the fewest steps. With the entries alone a cube on 256 points that stick
//! looked as if it slid wherever its load changed.
//!
//! Under the law of polygons and pyramids contacts slide [on edges and at corners](polygons).
//!
//! Class: as for the others; what Newton's method does not find from its start by whole steps is left to them.
//!
//! # Source
//!
//! Woodbury's identity: Golub, Van Loan: Matrix Computations (4th edition), section 2.1.4. Alart, Curnier (1991), for
//! the modes. Carpentier, Budhiraja, Mansard: Proximal and Sparse Resolution of Constrained Dynamic Equations (2021),
//! for the proximal term.

mod alone;
mod arms;
mod asked;
mod blocks;
mod contacts;
mod four;
mod hubs;
mod lanes;
mod matrix;
mod modes;
mod one;
mod polygons;
mod projected;
mod quads;
mod sides;
mod slip;
mod threes;
mod ways;
mod whole;

use alloc::vec::Vec;
use core::slice;

pub use self::arms::Arms;
use self::asked::Asked;
pub(crate) use self::asked::NO_MOTION;
pub(crate) use self::contacts::{Contacts, Friction};
use self::four::Four;
pub(crate) use self::hubs::{Hubs, OnHubs, Room as HubsRoom, StaysOnHubs};
pub(crate) use self::lanes::{LANES, WIDEST};
pub use self::matrix::Star;
use self::one::OfOne;
pub(crate) use self::quads::{Each, Rows};
pub(crate) use self::sides::Sides;
pub(super) use self::whole::End;
use super::Block;
use crate::kernel::{Computation, Real, compute_with};

/// Room for the contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    fours: Vec<Four>,
    answer: Vec<Rows>,
}

impl Room {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self { fours: Vec::with_capacity(n.div_ceil(3 * LANES)), answer: Vec::new() }
    }

    /// Takes contacts in blocks, with impulses to start from, (n), if there are any.
    pub(super) fn read(&mut self, b: &[f64], blocks: &[Block], start: &[f64]) {
        self.fours.resize_with(blocks.len().div_ceil(LANES), Four::default);
        for (k, four) in self.fours.iter_mut().enumerate() {
            four.take(&Contacts::read(b, blocks, start, LANES * k));
        }
    }

    /// Newton's method in whole steps.
    #[inline(always)]
    pub(super) fn solve<A: Real>(
        &mut self,
        star: &Star<'_>,
        friction: Friction<'_>,
        accepted: f64,
    ) -> End {
        // Of one four alone what is summed over all stays in registers.
        match &mut self.fours[..] {
            [four] => OfOne::new(slice::from_mut(four), star, friction).solve::<A>(accepted),
            fours => compute_with::<A, _>(Many { fours, star, friction, accepted }),
        }
    }

    /// Forgets what was found last.
    pub(crate) fn forget(&mut self) {
        self.answer.clear();
    }

    /// Whether w of what was found last is in the dual cones, so that it stays.
    #[inline(always)]
    pub(crate) fn are_dual<A: Real>(&self, friction: Friction<'_>, accepted: f64) -> bool {
        asked::are_dual::<A>(&self.fours, friction, accepted)
    }

    /// λ of the convex law, where it was [asked](Stays) last.
    pub(crate) fn answer(&self) -> &[Rows] {
        &self.answer
    }

    /// Writes w, which is measured where a solution is found.
    pub(super) fn write_velocity(&self, w: &mut [f64]) {
        let (contacts, _) = w.as_chunks_mut::<3>();
        for (four, contacts) in self.fours.iter().zip(contacts.chunks_mut(LANES)) {
            four.write_velocity(contacts);
        }
    }

    /// Writes λ.
    #[inline(always)]
    pub(super) fn write(&self, lambda: &mut [f64]) {
        let (contacts, _) = lambda.as_chunks_mut::<3>();
        for (four, contacts) in self.fours.iter().zip(contacts.chunks_mut(LANES)) {
            four.write(contacts);
        }
    }
}

/// More than four contacts, as a computation of its own: one of all would need half of the stack of a thread where it is not
/// optimised.
struct Many<'a, 'm> {
    fours: &'a mut [Four],
    star: &'a Star<'m>,
    friction: Friction<'a>,
    accepted: f64,
}

impl Computation for Many<'_, '_> {
    type Output = End;

    #[inline(always)]
    fn run<A: Real>(self) -> End {
        OfOne::new(self.fours, self.star, self.friction).solve::<A>(self.accepted)
    }
}

/// Contacts that are to be solved side by side.
pub(crate) struct SideBySide<'a> {
    pub(crate) star: Star<'a>,
    pub(crate) friction: Friction<'a>,
    /// The largest error of a solution.
    pub(crate) accepted: f64,
    pub(crate) contacts: &'a mut [Contacts],
    pub(crate) room: &'a mut Room,
}

impl Computation for SideBySide<'_> {
    type Output = Option<usize>;

    /// Finds λ by Newton's method in whole steps; how many, unless it does not find it.
    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        let Self { star, friction, accepted, contacts, room } = self;
        room.fours.resize_with(contacts.len(), Four::default);
        room.fours.iter_mut().zip(&*contacts).for_each(|(four, contacts)| four.take(contacts));
        let end = room.solve::<A>(&star, friction, accepted);
        end.hand_on(contacts, &room.fours)
    }
}

/// Whether the solution of Coulomb's law that was found last, side by side, [stays](asked).
pub(crate) struct Stays<'a> {
    pub(crate) star: Star<'a>,
    pub(crate) friction: Friction<'a>,
    pub(crate) accepted: f64,
    pub(crate) room: &'a mut Room,
}

impl Computation for Stays<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { star, friction, accepted, room: Room { fours, answer } } = self;
        let whole = &mut OfOne::new(fours, &star, friction.convex());
        asked::are_dual::<A>(whole.fours, friction, accepted)
            || compute_with::<A, _>(Asked { whole, friction, accepted, answer })
    }
}
