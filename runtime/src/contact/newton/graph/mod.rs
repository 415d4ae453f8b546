//! Several robots that touch each other, as a graph: a node is a robot, and what acts has rows on one or two of them.
//!
//! > (M + δ + Jᵀ K J) Δv = Jᵀ δΛ
//!
//! has a block of M + δ for each robot, and one for every two that have rows in common. It is factored by blocks, in an order of
//! minimum degree, which is kept while the same robots touch each other.

mod blocks;
mod list;
mod order;

use alloc::vec::Vec;

use self::blocks::Blocks;
pub(in crate::contact) use self::list::{Acting, Mobility};
use super::law::times;
use super::{Contact, Newton, System};
use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::kernel::{Computation, Real, compute_with};

/// A robot at which something has rows, and the first register of these.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct End {
    pub(in crate::contact) node: usize,
    first: usize,
}

/// What it acts on: one robot or two.
pub(in crate::contact) type Ends = [Option<End>; 2];

/// A robot.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    nv: usize,
    /// Registers of a vector, and the first one.
    width: usize,
    first: usize,
    /// The first register of M + δ, row by row.
    mass: usize,
}

/// The robots of a step, and the rows of what acts.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Graph {
    nodes: Vec<Node>,
    masses: Vec<Each>,
    jacobian: Vec<Each>,
    of_contacts: Vec<Ends>,
    of_singles: Vec<Ends>,
    /// Pairs of robots that have rows in common, and those of the last matrix.
    edges: Vec<(usize, usize)>,
    known: (Vec<usize>, Vec<(usize, usize)>),
    blocks: Blocks,
    /// p, and then Δv.
    step: Vec<Each>,
    /// Along the rows of what acts on one row each: an impulse, and then a change of velocity.
    along: Vec<f64>,
    product: Vec<Each>,
}

impl Graph {
    /// No robots.
    pub(in crate::contact) fn clear(&mut self) {
        self.nodes.clear();
        self.masses.clear();
        self.jacobian.clear();
        self.of_contacts.clear();
        self.of_singles.clear();
        self.edges.clear();
    }

    /// Adds a robot with its M + δ, (nv, nv).
    pub(in crate::contact) fn push_node(&mut self, nv: usize, mass: &[f64]) {
        let width = nv.div_ceil(LANES);
        let first = self.nodes.last().map_or(0, |node| node.first + node.width);
        self.nodes.push(Node { nv, width, first, mass: self.masses.len() });
        for row in mass.chunks_exact(nv.max(1)) {
            push_row(row, &mut self.masses);
        }
    }

    /// Adds rows, (nv) each, at a robot.
    pub(in crate::contact) fn push_rows<'r>(
        &mut self,
        node: usize,
        rows: impl Iterator<Item = &'r [f64]>,
    ) -> End {
        let first = self.jacobian.len();
        rows.for_each(|row| push_row(row, &mut self.jacobian));
        End { node, first }
    }

    /// What has three rows at these robots acts.
    pub(in crate::contact) fn push_contact(&mut self, ends: Ends) {
        self.of_contacts.push(ends);
        self.couple(ends);
    }

    /// What has one row at these robots acts.
    pub(in crate::contact) fn push_single(&mut self, ends: Ends) {
        self.of_singles.push(ends);
        self.couple(ends);
    }

    fn couple(&mut self, ends: Ends) {
        if let [Some(End { node: a, .. }), Some(End { node: b, .. })] = ends {
            self.edges.push((a.min(b), a.max(b)));
        }
    }

    /// Finds the pattern of the matrix, when all is listed.
    pub(in crate::contact) fn close(&mut self) {
        let Self { nodes, edges, known, blocks, step, along, of_singles, .. } = self;
        edges.sort_unstable();
        edges.dedup();
        let sizes = nodes.iter().map(|node| node.nv);
        if !sizes.clone().eq(known.0.iter().copied()) || *edges != known.1 {
            known.0.clear();
            known.0.extend(sizes);
            known.1.clone_from(edges);
            let firsts: Vec<usize> = nodes.iter().map(|node| node.first).collect();
            *blocks = Blocks::new(&known.0, &firsts, edges);
        }
        let length = nodes.last().map_or(0, |node| node.first + node.width);
        step.clear();
        step.resize(length, [0.0; LANES]);
        along.clear();
        along.resize(of_singles.len(), 0.0);
    }

    /// J x of a contact, for x of all robots in registers.
    #[inline(always)]
    fn times<A: Real>(&self, ends: &Ends, rows: usize) -> [f64; 3] {
        let mut product = [0.0; 3];
        for End { node, first } in ends.iter().flatten() {
            let Node { width, first: at, .. } = self.nodes[*node];
            let x = &self.step[at..at + width];
            let rows = self.jacobian[*first..].chunks_exact(width).take(rows);
            for (to, row) in product.iter_mut().zip(rows) {
                let mut sum = A::Quad::splat(0.0);
                for (a, b) in row.iter().zip(x) {
                    sum = A::Quad::pack(*a).mul_add(A::Quad::pack(*b), sum);
                }
                *to += sum.sum();
            }
        }
        product
    }

    /// p += Jᵀ Λ.
    #[inline(always)]
    fn push<A: Real>(&mut self, ends: &Ends, impulses: &[f64]) {
        for End { node, first } in ends.iter().flatten() {
            let Node { width, first: at, .. } = self.nodes[*node];
            for (row, impulse) in self.jacobian[*first..].chunks_exact(width).zip(impulses) {
                let impulse = A::Quad::splat(*impulse);
                for (to, of) in self.step[at..at + width].iter_mut().zip(row) {
                    *to = impulse.mul_add(A::Quad::pack(*of), A::Quad::pack(*to)).unpack();
                }
            }
        }
    }

    /// Adds Jᵀ K J of so many rows to the matrix.
    #[inline(always)]
    fn stiffen<A: Real>(&mut self, ends: &Ends, stiffness: &[[f64; 3]], is_symmetric: bool) {
        let Self { nodes, jacobian, blocks, product, .. } = self;
        let count = stiffness.len();
        for right in ends.iter().flatten() {
            let width = nodes[right.node].width;
            product.clear();
            product.resize(count * width, [0.0; LANES]);
            let of = jacobian[right.first..].chunks_exact(width);
            for (column, row) in stiffness.iter().zip(of) {
                for (to, entry) in product.chunks_exact_mut(width).zip(column) {
                    add_scaled::<A>(to, *entry, row);
                }
            }
            for left in ends.iter().flatten() {
                if is_symmetric && blocks.is_later(right.node, left.node) {
                    continue;
                }
                let Node { width: left_width, .. } = nodes[left.node];
                let Some((shape, block)) = blocks.block(left.node, right.node) else { continue };
                let rows = jacobian[left.first..].chunks_exact(left_width);
                for (row, product) in rows.zip(product.chunks_exact(width)) {
                    let to = block.chunks_exact_mut(shape.width);
                    for (to, entry) in to.zip(row.as_flattened()) {
                        add_scaled::<A>(to, *entry, product);
                    }
                }
            }
        }
    }

    /// Begins the matrix with M + δ.
    fn begin(&mut self) {
        let Self { nodes, masses, blocks, .. } = self;
        blocks.clear();
        for (k, node) in nodes.iter().enumerate() {
            let Some((_, block)) = blocks.block(k, k) else { continue };
            block.copy_from_slice(&masses[node.mass..][..node.nv * node.width]);
        }
    }
}

/// Adds a row to registers, filled up with zeros.
fn push_row(row: &[f64], to: &mut Vec<Each>) {
    let (whole, rest) = row.as_chunks::<LANES>();
    to.extend_from_slice(whole);
    if !rest.is_empty() {
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        to.push(last);
    }
}

/// y += a x.
#[inline(always)]
fn add_scaled<A: Real>(y: &mut [Each], a: f64, x: &[Each]) {
    let a = A::Quad::splat(a);
    for (y, x) in y.iter_mut().zip(x) {
        *y = a.mul_add(A::Quad::pack(*x), A::Quad::pack(*y)).unpack();
    }
}

impl System for Graph {
    const DESCENDS: bool = true;

    #[inline(always)]
    fn advance<A: Real>(newton: &mut Newton<Self>) -> bool {
        compute_with::<A, _>(Step { newton })
    }
}

struct Step<'a> {
    newton: &'a mut Newton<Graph>,
}

impl Computation for Step<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { newton } = self;
        if !newton.is_factored {
            newton.is_symmetric = newton.contacts.iter().all(Contact::is_symmetric);
            newton.assemble_graph::<A>();
            newton.is_factored = newton.system.blocks.factor::<A>(newton.is_symmetric);
            if !newton.is_factored {
                return false;
            }
        }
        newton.take_on_graph::<A>();
        true
    }
}

impl Newton<Graph> {
    /// Writes the matrix.
    #[inline(always)]
    fn assemble_graph<A: Real>(&mut self) {
        let Self { system, contacts, singles, is_symmetric, .. } = self;
        system.begin();
        for (k, of) in contacts.iter().enumerate() {
            let (ends, rows) = (system.of_contacts[k], of.rows());
            let mut stiffness = [[0.0; 3]; 3];
            stiffness[..rows].copy_from_slice(&of.stiffness[..rows]);
            system.stiffen::<A>(&ends, &stiffness[..rows], *is_symmetric);
        }
        for (k, stiffness) in singles.stiffness() {
            let ends = system.of_singles[k];
            system.stiffen::<A>(&ends, &[[stiffness, 0.0, 0.0]], *is_symmetric);
        }
    }

    /// Solves for Δv and updates Λ and w.
    #[inline(always)]
    fn take_on_graph<A: Real>(&mut self) {
        let Self { system, contacts, singles, is_symmetric, .. } = self;
        system.step.fill([0.0; LANES]);
        for (k, of) in contacts.iter_mut().enumerate() {
            let mut change = core::mem::take(&mut of.pending);
            for (to, change) in change.iter_mut().zip(of.change) {
                *to += change;
            }
            let ends = system.of_contacts[k];
            system.push::<A>(&ends, &change[..of.rows()]);
        }
        let mut along = core::mem::take(&mut system.along);
        along.fill(0.0);
        singles.add_force(&mut along);
        for (k, impulse) in along.iter().enumerate() {
            let ends = system.of_singles[k];
            system.push::<A>(&ends, &[*impulse]);
        }
        system.blocks.solve::<A>(&mut system.step, *is_symmetric);
        for (of, ends) in contacts.iter_mut().zip(&system.of_contacts) {
            let moved = system.times::<A>(ends, of.rows());
            let held = times(&of.stiffness, &moved);
            for i in 0..3 {
                of.lambda[i] += of.change[i] - held[i];
                of.w[i] += moved[i];
            }
        }
        for (to, ends) in along.iter_mut().zip(&system.of_singles) {
            [*to, ..] = system.times::<A>(ends, 1);
        }
        singles.advance(&along);
        system.along = along;
    }
}

impl Contact {
    /// How many rows it has.
    #[inline(always)]
    fn rows(&self) -> usize {
        if self.rubs { 3 } else { 1 }
    }
}
