//! Contacts of several bodies, four of one body at once.
//!
//! > A = X Ω Xᵀ + diag(B₁, B₂, …),  Ω = C Cᵀ
//!
//! X leads from the six velocities of each body to those of its contacts. Ω is what impulses on bodies change of their
//! velocities, and couples all of them; C is its triangular factor. A step of Newton's method is as for one body, with
//! the velocities γ = C y of
//!
//! > (1 + Cᵀ N C) y = Cᵀ Xᵀ E ρ,  N = Xᵀ E T X
//!
//! N has a block for each body. No inverse of Ω is needed, which is singular where legs are straight. Work grows as the
//! number of contacts, and the matrix as that of bodies.
//!
//! Source: as for one body. Featherstone: Rigid Body Dynamics Algorithms (2008), section 8.5, for Ω.

use alloc::vec::Vec;

use super::four::{Each, Four, Given, Rows};
use super::whole::{self, Whole, sums_over_lanes};
use super::{Contacts, LANES, Shared, WIDEST};
use crate::arithmetic::Lanes;
use crate::cone::elimination::{self, TRUSTED};
use crate::cone::view::Measure;
use crate::cone::{Law, Settings, jordan};
use crate::kernel::{Computation, Real};
use crate::slices::{dot, sqrt, zeros};

/// The most bodies.
const MOST: usize = 4;
/// Pivots of Ω by the diagonal entries, below which nothing is left of them.
const ROUNDING: f64 = 1e-13;

/// What is given of contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hubs<'a> {
    /// X of each contact, four side by side, column by column.
    pub(crate) arms: &'a [[Rows; WIDEST]],
    /// The triangle of B of each.
    pub(crate) own: &'a [[Each; 6]],
    /// Of each four, the body.
    pub(crate) of: &'a [usize],
    /// Ω, (n, n), n = 6 times the number of bodies.
    pub(crate) compliance: &'a [f64],
    pub(crate) bodies: usize,
}

/// Room for the contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    fours: Vec<Four>,
    /// C row by row, with zeros up to a multiple of [`LANES`], as all that follows.
    factor: Vec<f64>,
    /// N C, row by row.
    product: Vec<f64>,
    /// 1 + Cᵀ N C column by column, and the room that factoring takes.
    matrix: Vec<f64>,
    factors: Vec<f64>,
    diagonal: Vec<f64>,
    /// Impulses of the bodies, their velocities, and y.
    impulse: Vec<f64>,
    velocity: Vec<f64>,
    y: Vec<f64>,
}

impl<'a> Hubs<'a> {
    /// What is given of four contacts each, and their body.
    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = (usize, Given<'a>)> {
        let given = self.arms.iter().zip(self.own).map(|(shared, own)| Given { shared, own });
        self.of.iter().copied().zip(given)
    }

    #[inline(always)]
    fn width(&self) -> usize {
        (WIDEST * self.bodies).next_multiple_of(LANES)
    }
}

impl Room {
    /// Finds C.
    fn factor(&mut self, hubs: &Hubs<'_>) {
        let (n, width) = (WIDEST * hubs.bodies, hubs.width());
        zeros(&mut self.factor, n * width);
        for i in 0..n {
            let (done, row) = self.factor.split_at_mut(i * width);
            for (j, above) in done.chunks_exact(width).enumerate() {
                let pivot = above[j];
                let entry = hubs.compliance[i * n + j] - dot(&row[..j], &above[..j]);
                row[j] = if pivot > 0.0 { entry / pivot } else { 0.0 };
            }
            let diagonal = hubs.compliance[i * (n + 1)];
            let rest = diagonal - dot(&row[..i], &row[..i]);
            row[i] = if rest > ROUNDING * diagonal { sqrt(rest) } else { 0.0 };
        }
    }

    /// Takes what contacts start with.
    #[inline(always)]
    fn begin<A: Real>(&mut self, hubs: &Hubs<'_>, contacts: &[Contacts]) {
        let width = hubs.width();
        self.fours.resize_with(contacts.len(), Four::default);
        for room in [&mut self.impulse, &mut self.velocity, &mut self.y] {
            zeros(room, width);
        }
        zeros(&mut self.product, width * WIDEST * hubs.bodies);
        self.factor(hubs);
        let mut together = [0.0; MOST];
        hubs.of.iter().for_each(|&hub| together[hub] += 1.0);
        for ((four, contacts), (hub, given)) in
            self.fours.iter_mut().zip(contacts).zip(hubs.each())
        {
            four.take(contacts);
            let shared = given.through_rows::<A>(&self.factor[WIDEST * hub * width..], width);
            four.weigh::<A>(given, shared, together[hub]);
        }
    }

    /// Sets 1 + Cᵀ N C up from the sums of N over contacts.
    #[inline(always)]
    fn assemble<A: Real>(&mut self, hubs: &Hubs<'_>, sums: &[[[A::Quad; WIDEST]; WIDEST]; MOST]) {
        let width = hubs.width();
        zeros(&mut self.matrix, width * width);
        self.matrix.iter_mut().step_by(width + 1).for_each(|entry| *entry = 1.0);
        for (hub, sums) in sums.iter().take(hubs.bodies).enumerate() {
            // Rows of C of this body are zero beyond.
            let used = (WIDEST * (hub + 1)).next_multiple_of(LANES);
            let rows = &self.factor[WIDEST * hub * width..][..WIDEST * width];
            let product = &mut self.product[WIDEST * hub * width..][..WIDEST * width];
            product.fill(0.0);
            for (sums, row) in sums.iter().zip(rows.chunks_exact(width)) {
                let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(sums);
                for (to, entry) in product.chunks_exact_mut(width).zip([a, b, c, d, e, f]) {
                    add::<A>(&mut to[..used], entry, &row[..used]);
                }
            }
            for (product, row) in product.chunks_exact(width).zip(rows.chunks_exact(width)) {
                let columns = self.matrix.chunks_exact_mut(width).zip(&product[..used]);
                for (column, &by) in columns {
                    add::<A>(&mut column[..used], by, &row[..used]);
                }
            }
        }
    }

    /// Solves for y in place, where the matrix `is_known` if it was factored before; whether that is to be trusted.
    #[inline(always)]
    fn solve<A: Real>(&mut self, width: usize, is_known: bool) -> bool {
        if width <= jordan::LARGEST {
            return jordan::solve::<A>(width, &self.matrix, &mut self.y);
        }
        if !is_known {
            self.factors.clear();
            self.factors.extend_from_slice(&self.matrix);
            let least =
                elimination::factor::<A>(width, &mut self.factors, &mut self.diagonal);
            if least <= TRUSTED {
                return false;
            }
        }
        elimination::solve::<A>(width, &self.factors, &mut self.y);
        true
    }

    /// Cᵀ times impulses of the bodies, in `y`.
    #[inline(always)]
    fn project<A: Real>(&mut self, width: usize) {
        self.y.fill(0.0);
        for (row, &impulse) in self.factor.chunks_exact(width).zip(&self.impulse) {
            add::<A>(&mut self.y, impulse, row);
        }
    }

    /// Velocities of the bodies C y.
    #[inline(always)]
    fn move_bodies(&mut self, width: usize) {
        for (velocity, row) in self.velocity.iter_mut().zip(self.factor.chunks_exact(width)) {
            *velocity = dot(row, &self.y);
        }
    }
}

/// y += a x, for whole registers.
#[inline(always)]
fn add<A: Real>(y: &mut [f64], a: f64, x: &[f64]) {
    let ((y, _), (x, _)) = (y.as_chunks_mut::<LANES>(), x.as_chunks::<LANES>());
    let a = A::Quad::splat(a);
    for (y, x) in y.iter_mut().zip(x) {
        *y = a.mul_add(A::Quad::pack(*x), A::Quad::pack(*y)).unpack();
    }
}

/// The six numbers of a body.
#[inline(always)]
fn of_body(all: &[f64], hub: usize) -> Shared {
    let (bodies, _) = all.as_chunks::<WIDEST>();
    bodies.get(hub).copied().unwrap_or_default()
}

/// Contacts of several bodies, and room for them.
struct OfSeveral<'a, 'm> {
    room: &'a mut Room,
    hubs: &'a Hubs<'m>,
    law: Law,
}

impl OfSeveral<'_, '_> {
    /// Writes the sums over the contacts of each body.
    #[inline(always)]
    fn write_impulses<A: Real>(&mut self, sums: &[[A::Quad; WIDEST]; MOST]) {
        let (bodies, _) = self.room.impulse.as_chunks_mut::<WIDEST>();
        for (to, sums) in bodies.iter_mut().zip(sums) {
            let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(sums);
            *to = [a, b, c, d, e, f];
        }
    }
}

impl Whole for OfSeveral<'_, '_> {
    #[inline(always)]
    fn fours(&mut self) -> &mut [Four] {
        &mut self.room.fours
    }

    #[inline(always)]
    fn measure<A: Real>(&mut self) -> Measure {
        let mut sums = [[A::Quad::splat(0.0); WIDEST]; MOST];
        for (four, (hub, given)) in self.room.fours.iter().zip(self.hubs.each()) {
            four.add_impulse::<A>(given, &mut sums[hub]);
        }
        self.write_impulses::<A>(&sums);
        let Self { room, hubs, law } = self;
        let width = hubs.width();
        room.project::<A>(width);
        room.move_bodies(width);
        let mut measure = Measure::default();
        for (four, (hub, given)) in room.fours.iter_mut().zip(hubs.each()) {
            four.respond::<A>(given, &of_body(&room.velocity, hub));
            whole::add(&mut measure, four.measure::<A>(*law));
        }
        measure
    }

    #[inline(always)]
    fn step<A: Real>(&mut self) -> bool {
        let Self { room, hubs, law } = self;
        let is_known = room.fours.iter().all(Four::is_set_up);
        let none = A::Quad::splat(0.0);
        let mut sums = [[none; WIDEST]; MOST];
        let mut matrices = [[[none; WIDEST]; WIDEST]; MOST];
        for (four, (hub, given)) in room.fours.iter_mut().zip(hubs.each()) {
            let linear = four.linearize::<A>(*law);
            if !is_known {
                four.set_up::<A>(given, &linear, &mut matrices[hub]);
            }
            four.add_right::<A>(given, &linear.pull, &mut sums[hub]);
        }
        if !is_known {
            room.assemble::<A>(hubs, &matrices);
        }
        self.write_impulses::<A>(&sums);
        let Self { room, hubs, .. } = self;
        let width = hubs.width();
        room.project::<A>(width);
        if !room.solve::<A>(width, is_known) {
            return false;
        }
        room.move_bodies(width);
        for (four, (hub, _)) in room.fours.iter_mut().zip(hubs.each()) {
            four.step::<A>(&of_body(&room.velocity, hub));
        }
        true
    }
}

/// Contacts of several bodies that are to be solved side by side.
pub(crate) struct OnHubs<'a> {
    pub(crate) hubs: Hubs<'a>,
    pub(crate) law: Law,
    /// The largest number of b of the contacts that matter.
    pub(crate) size: f64,
    pub(crate) contacts: &'a mut [Contacts],
    pub(crate) room: &'a mut Room,
}

impl Computation for OnHubs<'_> {
    type Output = Option<usize>;

    /// As [`SideBySide`](super::SideBySide).
    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        let Self { hubs, law, size, contacts, room } = self;
        room.begin::<A>(&hubs, contacts);
        let accepted = Settings::default().tolerance * size;
        let end = whole::solve::<A, _>(&mut OfSeveral { room, hubs: &hubs, law }, accepted);
        for (contacts, four) in contacts.iter_mut().zip(&room.fours) {
            contacts.lambda = four.lambda;
        }
        end.solved.then_some(end.iterations)
    }
}
