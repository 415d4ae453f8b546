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
//! δ vanishes as points converge, it changes no solution.
//!
//! What N contacts carry together changes by N times less in each than if it were alone, so that modes are told by
//! z = s λ − w with what is shared counted N/4 times in s: the nonzero eigenvalues of Y W Yᵀ are N/2 times its diagonal
//! entries on average, and half of that takes the fewest steps. With the entries alone a cube on 256 points that stick
//! looked as if it slid wherever its load changed.
//!
//! Class: as for the others; what Newton's method does not find from its start by whole steps is left to them.
//!
//! # Source
//!
//! Woodbury's identity: Golub, Van Loan: Matrix Computations (4th edition), section 2.1.4. Alart, Curnier (1991), for
//! the modes. Carpentier, Budhiraja, Mansard: Proximal and Sparse Resolution of Constrained Dynamic Equations (2021),
//! for the proximal term.

mod arms;
mod blocks;
mod four;
mod hubs;
mod modes;
mod quads;
mod threes;
mod ways;
mod whole;

use alloc::vec::Vec;
use core::slice;

pub use self::arms::Arms;
use self::blocks::Factors;
pub(crate) use self::four::{Each, Rows};
use self::four::{Four, Given};
pub(crate) use self::hubs::{Hubs, OnHubs, Room as HubsRoom};
use self::modes::Errors;
use self::ways::{Held, Sliding, Sticking, Way};
pub(super) use self::whole::End;
use self::whole::{Whole, sums_of_triangle, sums_over_lanes};
use super::view::Measure;
use super::{Block, Law, Settings};
use crate::arithmetic::Lanes;
use crate::kernel::{Computation, Real};

/// So many contacts lie side by side.
pub(crate) const LANES: usize = 4;
/// The most coordinates that contacts share.
pub(crate) const WIDEST: usize = 6;
/// A number of each coordinate that is shared.
type Shared = [f64; WIDEST];
/// A matrix of those, column by column, each filled up to two registers.
type Columns = [[Each; 2]; WIDEST];

/// Room for the contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    fours: Vec<Four>,
    /// Those of W⁻¹ + Yᵀ E T Y.
    factors: Factors,
}

/// A view of [`Arms`], four contacts side by side.
#[derive(Clone, Copy, Debug)]
pub struct Star<'a> {
    pub(crate) contacts: usize,
    /// Y of each contact, column by column; zero where there is no coordinate, or no contact.
    pub(crate) shared: &'a [[Rows; WIDEST]],
    /// The diagonal of W > 0; 1 where there is no coordinate.
    pub(crate) weights: &'a Shared,
    /// The triangle of B of each.
    pub(crate) own: &'a [[Each; 6]],
}

/// Four contacts side by side: what is given of them, λ to start from, and λ when it is found. Lanes without a contact
/// have zeros.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) b: Rows,
    pub(crate) friction: Each,
    pub(crate) lambda: Rows,
}

impl<'a> Star<'a> {
    /// What is given of four contacts each.
    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = Given<'a>> {
        self.shared.iter().zip(self.own).map(|(shared, own)| Given { shared, own })
    }
}

/// Contacts of one body, and room for them.
struct OfOne<'a, 'm> {
    fours: &'a mut [Four],
    factors: &'a mut Factors,
    star: &'a Star<'m>,
    law: Law,
}

impl Room {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self { fours: Vec::with_capacity(n.div_ceil(3 * LANES)), ..Self::default() }
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
    pub(super) fn solve<A: Real>(&mut self, star: &Star<'_>, law: Law, accepted: f64) -> End {
        let Self { fours, factors } = self;
        // Of one four alone what is summed over all stays in registers.
        match &mut fours[..] {
            [four] => {
                OfOne { fours: slice::from_mut(four), factors, star, law }.solve::<A>(accepted)
            }
            fours => OfOne { fours, factors, star, law }.solve::<A>(accepted),
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

impl Whole for OfOne<'_, '_> {
    #[inline(always)]
    fn fours(&mut self) -> &mut [Four] {
        self.fours
    }

    #[inline(always)]
    fn measure<A: Real>(&mut self) -> Measure {
        let Self { fours, star, law, .. } = self;
        let mut sums = [A::Quad::splat(0.0); WIDEST];
        for (four, given) in fours.iter().zip(star.each()) {
            four.add_impulse::<A>(given, &mut sums);
        }
        let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(&sums);
        let mut response = *star.weights;
        for (to, sum) in response.iter_mut().zip([a, b, c, d, e, f]) {
            *to *= sum;
        }
        let mut errors = Errors::<A>::none();
        for (four, given) in fours.iter_mut().zip(star.each()) {
            four.respond::<A>(given, &response);
            four.measure::<A>(*law, &mut errors);
        }
        errors.measure()
    }

    #[inline(always)]
    fn hold<A: Real>(&mut self) {
        for (four, given) in self.fours.iter_mut().zip(self.star.each()) {
            four.hold_limbs::<A>(given);
        }
    }

    #[inline(always)]
    fn step<A: Real>(&mut self) -> bool {
        let is_known = whole::find_modes::<A>(self.fours);
        if self.fours.iter().all(Four::all_stick) {
            self.step_by::<A, Sticking>(is_known)
        } else if self.fours.iter().any(Four::slides) {
            self.step_by::<A, Sliding>(is_known)
        } else {
            self.step_by::<A, Held>(is_known)
        }
    }
}

impl OfOne<'_, '_> {
    #[inline(always)]
    fn solve<A: Real>(mut self, accepted: f64) -> End {
        let together = self.fours.len() as f64;
        for (four, given) in self.fours.iter_mut().zip(self.star.each()) {
            let shared = given.through::<A>(self.star.weights);
            four.weigh::<A>(given, shared, together);
        }
        whole::solve::<A, _>(&mut self, accepted)
    }

    /// Goes to the solution of the linear problem, which `is_known` if it was set up before.
    #[inline(always)]
    fn step_by<A: Real, W: Way>(&mut self, is_known: bool) -> bool {
        let Self { fours, factors, star, law } = self;
        let mut sums = [A::Quad::splat(0.0); WIDEST];
        let mut matrix = [[A::Quad::splat(0.0); WIDEST]; WIDEST];
        for (four, given) in fours.iter_mut().zip(star.each()) {
            let pull = W::set_up::<A>(four, given, (*law, is_known), &mut matrix);
            four.add_right::<A>(given, &pull, &mut sums);
        }
        let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(&sums);
        let right = [a, b, c, d, e, f];
        let gamma = if is_known {
            factors.solve::<A>(&right)
        } else {
            let fresh = factor::<A, W>(star.weights, &matrix);
            let gamma = fresh.solve::<A>(&right);
            **factors = fresh;
            gamma
        };
        let Some(gamma) = gamma else {
            return false;
        };
        for four in fours.iter_mut() {
            four.step::<A>(&gamma);
        }
        true
    }
}

/// Factors W⁻¹ + Yᵀ E T Y from its sums over contacts, or those from its diagonal on.
#[inline(always)]
fn factor<A: Real, W: Way>(weights: &Shared, sums: &[[A::Quad; WIDEST]; WIDEST]) -> Factors {
    let [a, b, c, d, e, f] = *weights;
    let mut inertia = [[a, b, c, d], [e, f, 1.0, 1.0]];
    for of in &mut inertia {
        *of = (A::Quad::splat(1.0) / A::Quad::pack(*of)).unpack();
    }
    if W::IS_SYMMETRIC {
        let mut triangle = sums_of_triangle::<A>(sums);
        for k in 0..WIDEST {
            triangle[k][k] += inertia[k / LANES][k % LANES];
        }
        return Factors::of_symmetric::<A>(&triangle);
    }
    let mut columns = Columns::default();
    for k in 0..WIDEST {
        columns[k] = sums_over_lanes::<A>(&sums[k]);
        columns[k][k / LANES][k % LANES] += inertia[k / LANES][k % LANES];
    }
    Factors::new::<A>(&columns)
}

impl Contacts {
    /// Those of blocks from the `first` on.
    fn read(b: &[f64], blocks: &[Block], start: &[f64], first: usize) -> Self {
        let mut contacts = Self::default();
        for lane in 0..LANES.min(blocks.len() - first) {
            let contact = first + lane;
            for axis in 0..3 {
                contacts.b[axis][lane] = b[3 * contact + axis];
                contacts.lambda[axis][lane] = start.get(3 * contact + axis).copied().unwrap_or(0.0);
            }
            if let Block::Contact { friction, .. } = blocks[contact] {
                contacts.friction[lane] = friction;
            }
        }
        contacts
    }
}

/// Contacts that are to be solved side by side.
pub(crate) struct SideBySide<'a> {
    pub(crate) star: Star<'a>,
    pub(crate) law: Law,
    /// The largest number of b of the contacts that matter.
    pub(crate) size: f64,
    pub(crate) contacts: &'a mut [Contacts],
    pub(crate) room: &'a mut Room,
}

impl Computation for SideBySide<'_> {
    type Output = Option<usize>;

    /// Finds λ to the usual tolerance by Newton's method in whole steps; how many, unless it does not find it.
    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        let Self { star, law, size, contacts, room } = self;
        room.fours.resize_with(contacts.len(), Four::default);
        room.fours.iter_mut().zip(&*contacts).for_each(|(four, contacts)| four.take(contacts));
        let end = room.solve::<A>(&star, law, Settings::default().tolerance * size);
        end.hand_on(contacts, &room.fours)
    }
}
