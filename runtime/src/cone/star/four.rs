//! Four contacts, one in each lane.

use super::contacts::Contacts;
use super::lanes::{LANES, Shared, WIDEST};
use super::matrix::Given;
use super::quads::{
    Each, Quads, Rows, Sums, add_products, both, cross, dot, load, products, store, sum, times,
};
use super::slip::Facing;
use super::slip::Modes;
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::Real;

/// ε.
const PROXIMAL: f64 = 1e-7;
/// det B by the product of its diagonal entries, above which a contact needs no proximal term: an inverse by cofactors does
/// not notice how axes are scaled. And these entries by s, below which only theirs needs one, as long as the others are
/// regular.
const REGULAR: f64 = 1e-4;
const WEAK: f64 = 1e-6;

/// What of four contacts is found; lanes without one have no b and no impulse.
#[derive(Clone, Debug, Default)]
pub(super) struct Four {
    b: Rows,
    pub(super) friction: Each,
    /// The place of their polygons, if friction is by polygons.
    pub(super) polygons: usize,
    /// s, by which errors of impulses are ones of velocities.
    pub(super) mobility: Each,
    /// ε s, or zero, along each axis.
    pub(super) proximal: Rows,
    pub(super) lambda: Rows,
    /// How they slip before the impulses act.
    pub(super) slip: [Each; 2],
    pub(super) w: Rows,
    /// 1 / s.
    pub(super) inertia: Each,
    /// s λ − w, the square of its tangential part, and ℓₙ of its projection.
    pub(super) z: Rows,
    pub(super) squares: Each,
    pub(super) normal: Each,
    /// Whether no z is beyond the disc of radius μ ℓₙ, or the polygon: where that solves the problem, nothing slips.
    pub(super) are_held: bool,
    /// 1 of lanes without a contact, else 0.
    absent: Each,
    /// Whether none has anything of its own.
    pub(super) are_alone: bool,
    /// Whether a contact is [asked of](super::asked).
    pub(super) asked: [bool; LANES],
    /// Of the linear problem that was set up last.
    pub(super) modes: Modes,
    /// Where they slide on their polygons.
    pub(super) facing: Option<Facing>,
    /// E, row by row, E T Y and E ρ.
    inverse: [Rows; 3],
    coupling: [Rows; WIDEST],
    change: Rows,
}

/// A third of the trace of matrices; 1 of those that are zero.
#[inline(always)]
fn mobility<A: Real>(trace: A::Quad) -> A::Quad {
    let mean = trace * A::Quad::splat(1.0 / 3.0);
    mean.select_at_most(A::Quad::splat(0.0), A::Quad::splat(1.0), mean)
}

impl Four {
    /// Takes what is given, and forgets the linear problem that was set up last.
    #[inline(always)]
    pub(super) fn take(&mut self, &Contacts { b, friction, lambda, slip, polygons }: &Contacts) {
        (self.b, self.friction, self.lambda, self.slip) = (b, friction, lambda, slip);
        (self.polygons, self.facing) = (polygons, None);
        self.modes = Modes::default();
    }

    /// Whether there is an impulse.
    #[inline(always)]
    pub(super) fn is_pressed(&self) -> bool {
        self.lambda != Rows::default()
    }

    /// Whether all of them stick.
    #[inline(always)]
    pub(super) fn all_stick<A: Real>(&self) -> bool {
        let held = A::Quad::pack(self.modes.stick) + A::Quad::pack(self.absent);
        A::Quad::splat(1.0).are_at_most(held)
    }

    /// Whether one of them slides.
    #[inline(always)]
    pub(super) fn slides(&self) -> bool {
        self.modes.slide != [0.0; LANES]
    }

    /// Takes all impulses away.
    #[inline(always)]
    pub(super) fn release(&mut self) {
        self.lambda = Rows::default();
        self.modes = Modes::default();
    }

    /// Finds the mobilities from the traces of what is shared, which so many contacts carry `together`, and who needs a
    /// proximal term.
    #[inline(always)]
    pub(super) fn weigh<A: Real>(&mut self, given: Given<'_>, shared: A::Quad, together: f64) {
        let own = given.own_trace::<A>();
        let all = mobility::<A>(A::Quad::splat(together).mul_add(shared, own));
        self.mobility = all.unpack();
        self.inertia = (A::Quad::splat(1.0) / all).unpack();
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        let [n, x, y] = load::<A>(&self.b);
        let present = (own + shared).maximum(n.abs()).maximum(x.abs()).maximum(y.abs());
        self.absent = present.select_at_most(none, one, none).unpack();
        self.are_alone = given.are_alone::<A>();
        self.find_proximal::<A>(given, mobility::<A>(own + shared));
    }

    /// Finds ε s, or zero, along each axis.
    #[inline(always)]
    fn find_proximal<A: Real>(&mut self, given: Given<'_>, s: A::Quad) {
        let proximal = A::Quad::splat(PROXIMAL);
        // The way below leads there too, in more time.
        if self.are_alone {
            self.proximal = [(proximal * s).unpack(); 3];
            return;
        }
        let (mut own, mut weak) = (given.own::<A>(), [A::Quad::splat(0.0); 3]);
        for (i, weak) in weak.iter_mut().enumerate() {
            *weak = own[i][i].select_at_most(A::Quad::splat(WEAK) * s, s, *weak);
            own[i][i] = own[i][i] + *weak;
        }
        let normal = cross::<A>(&own[1], &own[2]);
        let determinant = dot::<A>(&own[0], &normal);
        let least = A::Quad::splat(REGULAR) * own[0][0] * own[1][1] * own[2][2];
        for (to, weak) in self.proximal.iter_mut().zip(weak) {
            let of_weak = determinant.select_at_most(least, s, weak);
            *to = (proximal * of_weak).unpack();
        }
    }

    /// Adds Yᵀ λ.
    #[inline(always)]
    pub(super) fn add_impulse<A: Real>(&self, given: Given<'_>, sums: &mut [A::Quad; WIDEST]) {
        given.add_through::<A>(&load::<A>(&self.lambda), sums);
    }

    /// w under impulses that the shared coordinates respond to so.
    #[inline(always)]
    pub(super) fn respond<A: Real>(&mut self, given: Given<'_>, response: &Shared) {
        let b = load::<A>(&self.b);
        // Two sums take half of the time of one.
        let mut parts = [b, [A::Quad::splat(0.0); 3]];
        if !self.are_alone {
            let (own, lambda) = (given.own::<A>(), load::<A>(&self.lambda));
            for i in 0..3 {
                parts[0][i] = products::<A>(&own[i], &lambda, b[i]);
            }
        }
        for (k, (shared, &by)) in given.shared.iter().zip(response).enumerate() {
            let part = &mut parts[k / 3];
            *part = sum::<A>(*part, A::Quad::splat(by), &load::<A>(shared));
        }
        store::<A>(&mut self.w, both::<A>(&parts));
    }

    /// Keeps E.
    #[inline(always)]
    pub(super) fn keep<A: Real>(&mut self, inverse: &[Quads<A>; 3]) {
        for (to, row) in self.inverse.iter_mut().zip(inverse) {
            store::<A>(to, *row);
        }
    }

    /// Sets E T Y up by E T, and adds Yᵀ E T Y, of a `SYMMETRIC` one the entries from the diagonal on.
    #[inline(always)]
    pub(super) fn couple<A: Real, const SYMMETRIC: bool>(
        &mut self,
        given: Given<'_>,
        through: &[Quads<A>; 3],
        matrix: &mut Sums<A>,
    ) {
        self.couple_column::<A, SYMMETRIC>(given, through, matrix, 0);
        self.couple_column::<A, SYMMETRIC>(given, through, matrix, 1);
        self.couple_column::<A, SYMMETRIC>(given, through, matrix, 2);
        self.couple_column::<A, SYMMETRIC>(given, through, matrix, 3);
        self.couple_column::<A, SYMMETRIC>(given, through, matrix, 4);
        self.couple_column::<A, SYMMETRIC>(given, through, matrix, 5);
    }

    /// The same of one column.
    #[inline(always)]
    fn couple_column<A: Real, const SYMMETRIC: bool>(
        &mut self,
        given: Given<'_>,
        through: &[Quads<A>; 3],
        matrix: &mut Sums<A>,
        k: usize,
    ) {
        let coupling = times::<A>(through, &load::<A>(&given.shared[k]));
        store::<A>(&mut self.coupling[k], coupling);
        let first = if SYMMETRIC { k } else { 0 };
        add_products::<A>(&mut matrix[k], given.shared, &coupling, first);
    }

    /// Adds Yᵀ E ρ.
    #[inline(always)]
    pub(super) fn add_right<A: Real>(
        &mut self,
        given: Given<'_>,
        pull: &Quads<A>,
        right: &mut [A::Quad; WIDEST],
    ) {
        let [x, y, z] = &self.inverse;
        let inverse = [load::<A>(x), load::<A>(y), load::<A>(z)];
        let change = times::<A>(&inverse, pull);
        store::<A>(&mut self.change, change);
        given.add_through::<A>(&change, right);
    }

    /// λ + δ, where the shared coordinates change by γ.
    #[inline(always)]
    pub(super) fn step<A: Real>(&mut self, gamma: &Shared) {
        let mut parts = [load::<A>(&self.change), load::<A>(&self.lambda)];
        for (k, (coupling, &by)) in self.coupling.iter().zip(gamma).enumerate() {
            let part = &mut parts[k / 3];
            *part = sum::<A>(*part, A::Quad::splat(-by), &load::<A>(coupling));
        }
        store::<A>(&mut self.lambda, both::<A>(&parts));
    }

    /// Writes w of so many contacts.
    pub(super) fn write_velocity(&self, contacts: &mut [[f64; 3]]) {
        for (lane, to) in contacts.iter_mut().enumerate() {
            *to = self.w.map(|row| row[lane]);
        }
    }

    /// Writes λ of so many contacts.
    #[inline(always)]
    pub(super) fn write(&self, contacts: &mut [[f64; 3]]) {
        for (lane, to) in contacts.iter_mut().enumerate() {
            *to = self.lambda.map(|row| row[lane]);
        }
    }
}
