//! Steps of trees by Newton's method for velocities, under any law.
//!
//! Where all that acts is on contacts, each of which hangs on one path from the root, or on single coordinates, the iterates
//! (v, Λ) satisfy the balance of momentum, and each law is made linear about them ([`law`]):
//!
//! > (M + δ + Jᵀ K J) Δv = Jᵀ δΛ,  Λ ← Λ + δΛ − K J Δv
//!
//! This matrix has the pattern of M ([`matrix`]), so that an iteration takes a time that grows as the number of what acts. What
//! holds has a stiffness of κ times its inertia and carries its impulse: redundant contacts need nothing else, and of several
//! impulses the nearest are found.
//!
//! What it finds satisfies its law to 10⁻¹² of the largest velocity without impulses, or to 10⁻¹⁰ where no stiffness of what holds
//! leads further, of several robots within the tolerance of the step; or it finds nothing, and the step is solved with rows. Laws may
//! have several solutions: where something slides that friction might hold, the convex law is asked, as `rest` has it.
//!
//! # Source
//!
//! Alart, Curnier (1991); Rockafellar: Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex
//! Programming (1976); Castro, Permenter, Han: An Unconstrained Convex Formulation of Compliant Contact (2022) for problems of
//! velocities.

mod bodies;
mod by_rows;
mod descent;
#[cfg(feature = "std")]
mod graph;
mod holding;
mod iterate;
mod law;
mod linear;
mod linearise;
mod matrix;
mod polish;
mod polygon;
mod projection;
mod refine;
mod rest;
mod shifted;
mod singles;
#[cfg(test)]
mod tests;

use alloc::vec;
use alloc::vec::Vec;

use self::bodies::{Arm, Bodies};
pub(super) use self::by_rows::ByRows;
#[cfg(feature = "std")]
pub(super) use self::graph::{Acting, Ends, Graph};
use self::holding::{HOLDING, STIFFEST};
#[cfg(feature = "std")]
pub(super) use self::iterate::REFINEMENTS;
use self::law::Friction;
use self::matrix::Matrix;
use self::matrix::WIDTHS;
use self::polygon::Sides;
use self::singles::{Single, Singles};
use super::candidate::{Candidate, Source};
use super::dynamics::Tree;
use super::formulation::Formulation;
use super::impulse::Impulse;
use super::undetermined;
use crate::kernel::Real;

/// A contact in the problem.
#[derive(Clone, Debug)]
struct Contact {
    contact: usize,
    /// The first coordinate of its path.
    root: usize,
    law: Friction,
    friction: f64,
    arm: Option<Arm>,
    /// Λ, w without σ Λ, its target, and σ, along its rows.
    lambda: [f64; 3],
    w: [f64; 3],
    target: [f64; 3],
    softness: [f64; 3],
    rho: f64,
    /// The part of Λ whose effect is not in w yet.
    pending: [f64; 3],
    /// δΛ and K of the last linearisation.
    change: [f64; 3],
    stiffness: [[f64; 3]; 3],
    /// Whether it has tangents.
    rubs: bool,
    /// Whether it shall rest if it can.
    may_rest: bool,
    /// The direction in its tangents along which nothing moves, if there is one.
    still: Option<[f64; 2]>,
    /// What is added to w, where a law is another one with a velocity that is known.
    shift: [f64; 3],
    /// ρ of the projection, and its last tangential part.
    reach: f64,
    aim: [f64; 2],
}

/// Contacts and coordinates with their impulses.
#[derive(Clone, Debug, Default)]
struct Answer {
    contacts: Vec<Contact>,
    singles: Singles,
}

/// How what acts is coupled, and the linear problem of an iteration.
pub(super) trait System: Sized {
    /// Whether searches that do not end go on by [`descent`], for want of another method.
    const DESCENDS: bool;

    /// Takes a step of the iteration, with the last factors if these are of the same K. Returns false if a pivot is not positive.
    fn advance<A: Real>(newton: &mut Newton<Self>) -> bool;
}

/// A tree whose contacts are each on one path.
#[derive(Clone, Debug)]
pub(super) struct Along {
    matrix: Matrix,
    bodies: Bodies,
    /// Of each contact, the corners of its polygon.
    sides: Vec<Sides>,
    /// Δv, (nv).
    step: Vec<f64>,
}

/// Room for the method.
#[derive(Clone, Debug)]
pub(super) struct Newton<S = Along> {
    system: S,
    contacts: Vec<Contact>,
    singles: Singles,
    /// Which of both each block of the problem is: a contact or a coordinate.
    order: Vec<(bool, usize)>,
    /// The solution of the step's law while the convex problem is solved, and the last solution of that.
    found: Answer,
    answer: Answer,
    /// Of each root coordinate, whether the convex law holds all contacts on it at rest; `false` of other coordinates.
    held: Vec<bool>,
    /// Λ and w of the iterate before, and of the best one.
    kept: Vec<f64>,
    best: Vec<f64>,
    /// Whether the matrix that was factored last is symmetric, and whether it is that of the last linearisation.
    is_symmetric: bool,
    is_factored: bool,
    /// κ of the iteration, and whether K stayed what it was while the last step was found.
    holding: f64,
    is_steady: bool,
    /// Up to which κ may grow.
    stiffest: f64,
    /// Whether laws are made linear as if friction did not depend on normal impulses.
    is_frozen: bool,
    /// Natural residuals that end the search: any, one that becomes no smaller, and that where no κ helps.
    accepted: [f64; 3],
}

impl<S> Newton<S> {
    /// With room for so many contacts, and `roots` of what is held at rest or not.
    fn of(system: S, contacts: usize, roots: usize) -> Self {
        Self {
            system,
            contacts: Vec::new(),
            singles: Singles::default(),
            order: Vec::new(),
            found: Answer::default(),
            answer: Answer::default(),
            held: vec![false; roots],
            kept: Vec::with_capacity(6 * contacts + 8 * roots),
            best: Vec::new(),
            is_symmetric: false,
            is_factored: false,
            holding: HOLDING,
            is_steady: false,
            stiffest: STIFFEST,
            is_frozen: false,
            accepted: [0.0; 3],
        }
    }

    /// Forgets the last step.
    pub(super) fn forget(&mut self) {
        self.answer.clear();
        self.is_steady = false;
    }
}

impl<S> Newton<S> {
    /// Adds a contact; whether it can be solved so.
    #[inline(always)]
    fn push_contact(&mut self, contact: Contact) -> bool {
        let Contact { rho, friction, law, .. } = contact;
        self.order.push((true, self.contacts.len()));
        self.contacts.push(contact);
        rho.is_finite() && (friction.is_finite() || matches!(law, Friction::Sticking))
    }
}

/// What a contact begins with.
struct Begin {
    /// Λ.
    lambda: [f64; 3],
    target: [f64; 3],
    /// σ of each row, and by which share of its mobility it is increased.
    softness: [f64; 2],
}

impl Contact {
    /// With the mobility of each row, and that of one tangent by the other; alone on its path.
    #[inline(always)]
    fn new(
        law: Friction,
        friction: f64,
        (mobility, across): ([f64; 3], f64),
        Begin { lambda, target, softness: [own, share] }: Begin,
    ) -> Self {
        let softness = mobility.map(|mobility| own + share * mobility);
        let [n, x, y] = core::array::from_fn(|k| mobility[k] + softness[k]);
        let rubs = friction > 0.0;
        let rho = if rubs { 3.0 / (n + x + y) } else { 1.0 / n };
        Self {
            contact: 0,
            root: 0,
            law,
            friction,
            arm: None,
            lambda,
            w: [0.0; 3],
            target,
            softness,
            rho,
            pending: [0.0; 3],
            change: [0.0; 3],
            stiffness: [[0.0; 3]; 3],
            rubs,
            may_rest: true,
            still: undetermined::immobile(mobility[0], [mobility[1], across, mobility[2]]),
            shift: [0.0; 3],
            reach: rho,
            aim: [0.0; 2],
        }
    }

    /// How many rows it has.
    #[inline(always)]
    fn rows(&self) -> usize {
        if self.rubs { 3 } else { 1 }
    }
}

impl Newton {
    /// For trees whose contacts are each on one path.
    pub(super) fn new(tree: Option<&Tree>) -> Option<Self> {
        let tree = tree?;
        let table = tree.table();
        let matrix = Matrix::new(table, &WIDTHS)?;
        let system = Along {
            bodies: Bodies::new(tree, &matrix)?,
            matrix,
            sides: table.contacts.iter().map(|of| Sides::new(of.directions)).collect(),
            step: vec![0.0; table.nv],
        };
        Some(Self::of(system, table.contacts.len(), table.nv))
    }

    /// Lists what is included, from these impulses on; whether it can be solved so.
    #[inline(always)]
    fn list(
        &mut self,
        (candidates, tree): (&[Candidate], &mut Tree),
        formulation: &Formulation,
        impulse: &Impulse,
    ) -> bool {
        self.contacts.clear();
        self.singles.clear();
        self.order.clear();
        self.system.bodies.begin();
        self.is_factored = false;
        for candidate in candidates.iter().filter(|candidate| candidate.included) {
            let is_listed = match candidate.source {
                Source::Contact(i) => {
                    self.system.bodies.add(i);
                    self.list_contact(candidate, i, tree, formulation, impulse)
                }
                _ => self.list_single(candidate, tree, impulse),
            };
            if !is_listed {
                return false;
            }
        }
        self.refresh(tree);
        true
    }

    #[inline(always)]
    fn list_contact(
        &mut self,
        candidate: &Candidate,
        contact: usize,
        tree: &Tree,
        formulation: &Formulation,
        impulse: &Impulse,
    ) -> bool {
        let law = Friction::of(formulation, self.system.sides[contact]);
        let mut lambda = [0.0; 3];
        candidate.read(impulse, &[], &mut lambda[..candidate.rows()]);
        let root = self.system.matrix.paths.of(self.system.bodies.leaf(contact))[0];
        let softness = [candidate.softness, candidate.demand.regularization];
        let begin = Begin { lambda, target: candidate.demand.target, softness };
        let of = Contact::new(law, candidate.friction, tree.mobility(contact), begin);
        self.push_contact(Contact { contact, root, arm: tree.arm(contact), ..of })
    }

    #[inline(always)]
    fn list_single(&mut self, candidate: &Candidate, tree: &mut Tree, impulse: &Impulse) -> bool {
        let Some((v, sign, bounds)) = candidate.on_coordinate() else { return false };
        let regularization = candidate.demand.regularization;
        let relative = if regularization > 0.0 { regularization * tree.compliance(v) } else { 0.0 };
        let mut lambda = [0.0];
        candidate.read(impulse, &[], &mut lambda);
        let (softness, inertia) = (candidate.softness + relative, tree.inertia(v));
        let rho = inertia / (1.0 + inertia * softness);
        self.order.push((false, self.singles.count()));
        self.singles.push(&Single {
            v,
            root: self.system.matrix.paths.of(v)[0],
            sign,
            bounds,
            lambda: lambda[0],
            target: candidate.demand.target[0],
            softness,
            rho,
        });
        true
    }
}
