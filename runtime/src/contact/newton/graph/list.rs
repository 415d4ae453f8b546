//! What acts on robots that touch each other, listed for the method.

use alloc::vec::Vec;

use super::product::Rows;
use super::{Ends, Graph};
use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::contact::formulation::Formulation;
use crate::contact::newton::holding::{HOLDING, RIGID, STIFFEST};
use crate::contact::newton::iterate::accepted;
use crate::contact::newton::law::Friction;
use crate::contact::newton::polygon::Sides;
use crate::contact::newton::singles::Single;
use crate::contact::newton::{Begin, Contact, Newton};
use crate::kernel::Real;
use crate::slices::cholesky;

/// The share of the tolerance that a natural residual may be where no κ helps.
const STUCK: f64 = 0.8;

/// κ may grow until rounding of velocities takes this share of that residual, and to this value at any rate.
const ROUNDED: f64 = 0.2;
const LEAST_STIFF: f64 = 1e6;

/// Something that acts, on one row or as a contact on three.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Acting {
    /// μ of a contact, and the directions of its polygon.
    pub(in crate::contact) friction: f64,
    pub(in crate::contact) directions: usize,
    /// Whether it is a contact.
    pub(in crate::contact) is_contact: bool,
    /// Whether it is one that shall rest if it can.
    pub(in crate::contact) may_rest: bool,
    /// Of one row that is no contact.
    pub(in crate::contact) bounds: [f64; 2],
    /// Λ that it begins with.
    pub(in crate::contact) lambda: [f64; 3],
    /// σ, and by which share of its mobility it is increased.
    pub(in crate::contact) softness: [f64; 2],
}

/// The mobilities of rows at a robot.
#[derive(Clone, Debug, Default)]
pub(super) struct Mobility {
    /// Cholesky's factor L of M + δ, (nv, nv) column by column, with 1/Lᵢᵢ for Lᵢᵢ.
    factor: Vec<f64>,
    nv: usize,
    /// L⁻¹ times rows, one in each lane.
    solved: Vec<Each>,
}

impl Mobility {
    /// For a robot with this M + δ; whether that is positive definite.
    pub(super) fn begin(&mut self, nv: usize, mass: &[f64]) -> bool {
        self.nv = nv;
        self.factor.clear();
        self.factor.extend_from_slice(mass);
        self.solved.resize(nv, [0.0; LANES]);
        let is_factored = cholesky(&mut self.factor, nv).is_ok();
        for k in 0..nv {
            self.factor[(nv + 1) * k] = 1.0 / self.factor[(nv + 1) * k];
        }
        is_factored
    }

    /// (M + δ)⁻¹ x in the place of x.
    pub(super) fn divide(&self, x: &mut [f64]) {
        let Self { factor, nv, .. } = self;
        let column = |k: usize| &factor[nv * k..][..*nv];
        for k in 0..*nv {
            let value = x[k] * column(k)[k];
            x[k] = value;
            x[k + 1..].iter_mut().zip(&column(k)[k + 1..]).for_each(|(x, l)| *x -= l * value);
        }
        for k in (0..*nv).rev() {
            let below = column(k)[k + 1..].iter().zip(&x[k + 1..]);
            let sum: f64 = below.map(|(l, x)| l * x).sum();
            x[k] = (x[k] - sum) * column(k)[k];
        }
    }

    /// J M⁻¹ Jᵀ of up to three rows: its diagonal, and what one tangent has of the other.
    #[inline(always)]
    pub(super) fn of<A: Real>(&mut self, rows: Rows<'_>, count: usize) -> ([f64; 3], f64) {
        let Self { factor, nv, solved } = self;
        let entries = rows.data.as_flattened();
        let entry = |row: usize, k: usize| {
            if row < count { entries[LANES * rows.width * row + k] } else { 0.0 }
        };
        for (k, to) in solved.iter_mut().enumerate() {
            *to = [entry(0, k), entry(1, k), entry(2, k), 0.0];
        }
        let (mut sum, mut across) = (A::Quad::splat(0.0), 0.0);
        for k in 0..*nv {
            let column = &factor[*nv * k..][..*nv];
            let (done, below) = solved.split_at_mut(k + 1);
            let value = A::Quad::pack(done[k]) * A::Quad::splat(column[k]);
            sum = value.mul_add(value, sum);
            let [_, x, y, _] = value.unpack();
            across += x * y;
            for (to, entry) in below.iter_mut().zip(&column[k + 1..]) {
                *to = A::Quad::splat(-entry).mul_add(value, A::Quad::pack(*to)).unpack();
            }
        }
        let [n, x, y, _] = sum.unpack();
        ([n, x, y], across)
    }
}

impl Newton<Graph> {
    /// For no robots yet.
    pub(in crate::contact) fn on_graph() -> Self {
        Self::of(Graph::default(), 0, 1)
    }

    /// No robots, of a group that has this number in every step.
    pub(in crate::contact) fn begin_group(&mut self, group: usize) {
        self.is_steady = self.system.begin_group(group, self.is_steady);
    }

    /// Begins to list what acts, to be solved to a tolerance by the largest |b|.
    pub(in crate::contact) fn begin_acting(&mut self, tolerance: f64, most: f64) {
        self.contacts.clear();
        self.singles.clear();
        self.order.clear();
        self.is_factored = false;
        let [negligible, rounded, stuck] = accepted(tolerance, most);
        // Rounding of many robots is not of the size of b, which what rests has little of.
        self.accepted = [negligible, rounded, stuck.max(STUCK * tolerance)];
        // Rounding of velocities becomes impulses of κ times that.
        let stiffest = ROUNDED * self.accepted[2] / (f64::EPSILON * most);
        self.stiffest = stiffest.clamp(LEAST_STIFF, STIFFEST);
        let was_steady = core::mem::replace(&mut self.is_steady, true);
        self.holding = if was_steady { RIGID.min(self.stiffest) } else { HOLDING };
        self.system.clear_acting();
    }

    /// Knows that nothing was found.
    pub(in crate::contact) fn is_not_steady(&mut self) {
        self.is_steady = false;
    }

    /// The robots, to which nodes and rows are added.
    pub(in crate::contact) fn graph(&mut self) -> &mut Graph {
        &mut self.system
    }

    /// Which contact or coordinate a block of the problem is.
    pub(in crate::contact) fn place(&self, block: usize) -> (bool, usize) {
        self.order[block]
    }

    /// Adds the generalised impulse of the impulses along something's rows.
    #[inline(always)]
    pub(in crate::contact) fn push<A: Real>(
        &mut self,
        (is_contact, k): (bool, usize),
        impulses: &[f64],
    ) {
        let of = if is_contact { &self.system.of_contacts } else { &self.system.of_singles };
        let ends = of[k];
        self.system.push::<A>(&ends, impulses);
    }

    /// Which contact or coordinate each block of the problem is.
    pub(in crate::contact) fn order(&self) -> impl Iterator<Item = (bool, usize)> {
        self.order.iter().copied()
    }

    /// Lists something with so many rows at these robots; whether it can be solved so.
    #[inline(always)]
    pub(in crate::contact) fn push_acting<A: Real>(
        &mut self,
        of: &Acting,
        (ends, rows): (Ends, usize),
        formulation: &Formulation,
    ) -> bool {
        let Acting { friction, directions, lambda, softness, bounds, .. } = *of;
        let mobility = self.system.mobility::<A>(&ends, rows);
        if of.is_contact {
            let law = Friction::of(formulation, Sides::new(directions));
            // Targets are part of w from the beginning.
            let begin = Begin { lambda, target: [0.0; 3], softness };
            self.system.push_contact(ends);
            let contact = Contact::new(law, friction, mobility, begin);
            return self.push_contact(Contact { may_rest: of.may_rest, ..contact });
        }
        let [own, share] = softness;
        let ([mobility, ..], _) = mobility;
        let softness = own + share * mobility;
        let rho = 1.0 / (mobility + softness);
        self.order.push((false, self.singles.count()));
        let (v, sign, root, target) = (self.singles.count(), 1.0, 0, 0.0);
        let [lambda, ..] = lambda;
        self.singles.push(&Single { v, root, sign, bounds, lambda, target, softness, rho });
        self.system.push_single(ends);
        rho.is_finite()
    }

    /// Finds Λ and w, from the impulses that were listed. Where friction may have several solutions, `near` is the largest velocity that
    /// counts as rest: if a contact slides that might rest, or nothing is found, it looks near the solution of the convex law, and takes
    /// what it finds there. Returns how many iterations it took, or `None` if nothing is found.
    pub(in crate::contact) fn find<A: Real>(&mut self, near: Option<f64>) -> Option<usize> {
        let Some(near) = near else { return self.iterate::<A>() };
        let first = self.iterate::<A>();
        let asking = self.asking(near);
        if first.is_some() && asking == 0 {
            return first;
        }
        self.keep_found();
        let second = self.iterate_from_convex::<A>(first.is_some());
        let is_better = second.is_some() && (first.is_none() || self.asking(near) <= asking);
        if !is_better {
            self.take_found();
        }
        (first.is_some() || is_better).then(|| first.unwrap_or(0) + second.unwrap_or(0))
    }

    /// Knows w under impulses that change the velocity of each robot by what [`set_change`](Graph::set_change) had, from that without
    /// impulses, b, which is in the order of what was listed.
    #[inline(always)]
    pub(in crate::contact) fn refresh_on_graph<A: Real>(&mut self, b: &[f64]) {
        let Self { system, contacts, singles, order, .. } = self;
        let (mut free, mut change) = (Vec::new(), core::mem::take(&mut system.along));
        let mut first = 0;
        change.clear();
        for &(is_contact, k) in &*order {
            if is_contact {
                let rows = contacts[k].rows();
                let moved = system.times_contact::<A>(&system.of_contacts[k], rows);
                for (i, b) in b[first..first + rows].iter().enumerate() {
                    contacts[k].w[i] = b + moved[i];
                }
                first += rows;
            } else {
                free.push(b[first]);
                let [moved] = system.times::<A, 1>(&system.of_singles[k]);
                change.push(moved);
                first += 1;
            }
        }
        singles.refresh(&free, &change);
        system.along = change;
    }
}

impl Graph {
    /// Knows by how much the velocity of a robot changes, (nv).
    pub(in crate::contact) fn set_change(
        &mut self,
        node: usize,
        change: impl Iterator<Item = f64>,
    ) {
        let super::Node { width, first, .. } = self.nodes[node];
        let to = &mut self.step[first..first + width];
        to.fill([0.0; LANES]);
        to.as_flattened_mut().iter_mut().zip(change).for_each(|(to, change)| *to = change);
    }
}
