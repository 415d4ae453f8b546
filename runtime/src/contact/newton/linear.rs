//! The linear problem of an iteration, with rows of so many registers as the longest path fills.

use super::law::times;
use super::{Along, Contact, Newton, System};
use crate::contact::dynamics::Tree;
use crate::kernel::{Computation, Real, compute_with};

/// What is computed with rows.
trait OnRows {
    type Output: Default;

    /// Computes it. Always to be inlined.
    fn run<A: Real, const W: usize>(self) -> Self::Output;
}

struct WithWidth<C, const W: usize>(C);

impl<C: OnRows, const W: usize> Computation for WithWidth<C, W> {
    type Output = C::Output;

    #[inline(always)]
    fn run<A: Real>(self) -> C::Output {
        self.0.run::<A, W>()
    }
}

/// With one of the [widths](super::matrix::WIDTHS).
#[inline(always)]
fn on_rows<A: Real, C: OnRows>(width: usize, computation: C) -> C::Output {
    match width {
        2 => compute_with::<A, _>(WithWidth::<C, 2>(computation)),
        3 => compute_with::<A, _>(WithWidth::<C, 3>(computation)),
        4 => compute_with::<A, _>(WithWidth::<C, 4>(computation)),
        8 => compute_with::<A, _>(WithWidth::<C, 8>(computation)),
        _ => compute_with::<A, _>(WithWidth::<C, 16>(computation)),
    }
}

impl Newton {
    /// Reads M + δ of a step, and computes J of the contacts that act.
    #[inline(always)]
    pub(super) fn read<A: Real>(&mut self, tree: &Tree) {
        on_rows::<A, _>(self.system.matrix.width, Read { system: &mut self.system, tree });
    }
}

impl System for Along {
    const DESCENDS: bool = false;

    #[inline(always)]
    fn advance<A: Real>(newton: &mut Newton) -> bool {
        on_rows::<A, _>(newton.system.matrix.width, Step { newton })
    }
}

struct Read<'a> {
    system: &'a mut Along,
    tree: &'a Tree,
}

impl OnRows for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real, const W: usize>(self) {
        let Along { matrix, bodies, .. } = self.system;
        matrix.read_mass::<W>(self.tree);
        bodies.read::<A, W>(self.tree, &matrix.paths);
    }
}

struct Step<'a> {
    newton: &'a mut Newton,
}

impl OnRows for Step<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real, const W: usize>(self) -> bool {
        let Self { newton } = self;
        if !newton.is_factored {
            newton.is_symmetric = newton.contacts.iter().all(Contact::is_symmetric);
        }
        match newton.is_symmetric {
            true => newton.take::<A, W, true>(),
            false => newton.take::<A, W, false>(),
        }
    }
}

impl Contact {
    /// Whether its K is, but for rounding.
    #[inline(always)]
    pub(super) fn is_symmetric(&self) -> bool {
        let [[_, a, b], [c, _, d], [e, f, _]] = self.stiffness;
        !self.rubs || self.law.is_symmetric() || (a == c && b == e && d == f)
    }
}

impl Newton {
    /// Writes the matrix.
    #[inline(always)]
    fn assemble<A: Real, const W: usize, const SYMMETRIC: bool>(&mut self) {
        let Self { system: Along { matrix, bodies, .. }, contacts, singles, .. } = self;
        matrix.begin::<SYMMETRIC>();
        bodies.all.iter_mut().for_each(|body| body.clear());
        for of in &*contacts {
            bodies.all[bodies.of[of.contact]].stiffen(of.arm.as_ref(), &of.stiffness);
        }
        bodies.add_to::<A, W, SYMMETRIC>(matrix);
        for (v, stiffness) in singles.stiffness() {
            matrix.add_at::<W>(v, stiffness);
        }
    }

    /// Solves for Δv and updates Λ and w. Returns false if the matrix cannot be factored.
    #[inline(always)]
    fn take<A: Real, const W: usize, const SYMMETRIC: bool>(&mut self) -> bool {
        if !self.is_factored {
            self.assemble::<A, W, SYMMETRIC>();
            self.is_factored = self.system.matrix.factor::<A, W, SYMMETRIC>();
            if !self.is_factored {
                return false;
            }
        }
        let Self { system, contacts, singles, .. } = self;
        let Along { matrix, bodies, step, .. } = system;
        step.fill(0.0);
        bodies.all.iter_mut().for_each(|body| body.along.fill(0.0));
        for of in &mut *contacts {
            let mut change = core::mem::take(&mut of.pending);
            for (to, change) in change.iter_mut().zip(of.change) {
                *to += change;
            }
            bodies.all[bodies.of[of.contact]].push(of.arm.as_ref(), change);
        }
        bodies.add_force::<A, W>(&matrix.paths, step);
        singles.add_force(step);
        matrix.solve::<W, SYMMETRIC>(step);
        bodies.multiply::<A, W>(&matrix.paths, step);
        for of in contacts {
            let moved = bodies.all[bodies.of[of.contact]].of_contact(of.arm.as_ref());
            let held = times(&of.stiffness, &moved);
            for i in 0..3 {
                of.lambda[i] += of.change[i] - held[i];
                of.w[i] += moved[i];
            }
        }
        singles.advance(step);
        true
    }
}
