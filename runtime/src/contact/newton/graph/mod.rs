//! Several robots that touch each other, as a graph: a node is a robot, and what acts has rows on one or two of them.
//!
//! > (M + δ + Jᵀ K J) Δv = Jᵀ δΛ
//!
//! has a block of M + δ for each robot, and one for every two that have rows in common. It is factored by blocks, in an order of
//! minimum degree, which each group of robots keeps while the same ones touch each other.

mod blocks;
mod list;
mod order;
mod product;

use alloc::vec::Vec;

use self::blocks::Blocks;
pub(in crate::contact) use self::list::Acting;
use self::list::Mobility;
use self::product::{Rows, add_product, add_rows, dot_rows};
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

/// The pattern of a group's matrix, with room for its factors.
#[derive(Clone, Debug, Default)]
struct Pattern {
    /// The sizes of its nodes, and those that are coupled.
    sizes: Vec<usize>,
    edges: Vec<(usize, usize)>,
    blocks: Blocks,
    /// Whether the modes of its contacts were at once those of the step before.
    is_steady: bool,
}

/// The robots of a step, and the rows of what acts.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Graph {
    nodes: Vec<Node>,
    masses: Vec<Each>,
    /// Of each node, for mobilities of its rows.
    mobilities: Vec<Mobility>,
    jacobian: Vec<Each>,
    of_contacts: Vec<Ends>,
    of_singles: Vec<Ends>,
    /// Pairs of robots that have rows in common.
    edges: Vec<(usize, usize)>,
    /// Of each group, and which group there is now.
    patterns: Vec<Pattern>,
    group: usize,
    blocks: Blocks,
    /// p, and then Δv.
    step: Vec<Each>,
    /// Along the rows of what acts on one row each: an impulse, and then a change of velocity.
    along: Vec<f64>,
    /// K J of three rows.
    product: Vec<Each>,
}

impl Graph {
    /// No robots, of a group that has this number in every step. `is_steady` is kept of the group before; returns that of this one.
    fn begin_group(&mut self, group: usize, is_steady: bool) -> bool {
        self.clear_acting();
        self.nodes.clear();
        self.masses.clear();
        if self.patterns.len() <= group {
            self.patterns.resize_with(group + 1, Pattern::default);
        }
        let before = &mut self.patterns[self.group];
        before.is_steady = is_steady;
        core::mem::swap(&mut self.blocks, &mut before.blocks);
        let now = &mut self.patterns[group];
        core::mem::swap(&mut self.blocks, &mut now.blocks);
        self.group = group;
        now.is_steady
    }

    /// Nothing acts.
    fn clear_acting(&mut self) {
        self.jacobian.clear();
        self.of_contacts.clear();
        self.of_singles.clear();
        self.edges.clear();
    }

    /// Adds a robot with its M + δ, (nv, nv); whether that is positive definite.
    pub(in crate::contact) fn push_node(&mut self, nv: usize, mass: &[f64]) -> bool {
        let width = nv.div_ceil(LANES);
        let first = self.nodes.last().map_or(0, |node| node.first + node.width);
        self.nodes.push(Node { nv, width, first, mass: self.masses.len() });
        for row in mass.chunks_exact(nv.max(1)) {
            push_row(row, &mut self.masses);
        }
        let count = self.nodes.len();
        if self.mobilities.len() < count {
            self.mobilities.resize_with(count, Mobility::default);
        }
        self.mobilities[count - 1].begin(nv, mass)
    }

    /// J M⁻¹ Jᵀ of up to three rows at their ends: its diagonal, and what one tangent has of the other.
    #[inline(always)]
    fn mobility<A: Real>(&mut self, ends: &Ends, count: usize) -> ([f64; 3], f64) {
        let Self { nodes, mobilities, jacobian, .. } = self;
        let mut sum = ([0.0; 3], 0.0);
        for End { node, first } in ends.iter().flatten() {
            let width = nodes[*node].width;
            let rows = Rows { data: &jacobian[*first..][..count * width], width };
            let (own, across) = mobilities[*node].of::<A>(rows, count);
            sum.0.iter_mut().zip(own).for_each(|(to, own)| *to += own);
            sum.1 += across;
        }
        sum
    }

    /// Adds so many rows, (nv) each, at a robot.
    pub(in crate::contact) fn push_rows(&mut self, node: usize, rows: &[f64], count: usize) -> End {
        let (Node { nv, width, .. }, first) = (self.nodes[node], self.jacobian.len());
        self.jacobian.resize(first + width * count, [0.0; LANES]);
        let to = self.jacobian[first..].as_flattened_mut();
        for k in 0..count {
            to[LANES * width * k..][..nv].copy_from_slice(&rows[nv * k..][..nv]);
        }
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
        let Self {
            nodes, edges, patterns, group, blocks, step, along, of_singles, product, ..
        } = self;
        edges.sort_unstable();
        edges.dedup();
        let (known, sizes) = (&mut patterns[*group], nodes.iter().map(|node| node.nv));
        if !sizes.clone().eq(known.sizes.iter().copied()) || *edges != known.edges {
            known.sizes.clear();
            known.sizes.extend(sizes);
            known.edges.clone_from(edges);
            let firsts: Vec<usize> = nodes.iter().map(|node| node.first).collect();
            *blocks = Blocks::new(&known.sizes, &firsts, edges);
        }
        let length = nodes.last().map_or(0, |node| node.first + node.width);
        let widest = nodes.iter().map(|node| node.width).max().unwrap_or(0);
        step.clear();
        step.resize(length, [0.0; LANES]);
        product.resize(3 * widest, [0.0; LANES]);
        along.clear();
        along.resize(of_singles.len(), 0.0);
    }

    /// What acts has no impulses.
    pub(in crate::contact) fn rest(&mut self) {
        self.step.fill([0.0; LANES]);
    }

    /// The generalised impulse of a robot, of what was pushed.
    pub(in crate::contact) fn pushed(&self, node: usize) -> &[f64] {
        let Node { nv, width, first, .. } = self.nodes[node];
        &self.step[first..first + width].as_flattened()[..nv]
    }

    /// (M + δ)⁻¹ x in the place of x, (nv), of a robot.
    pub(in crate::contact) fn divide_by_mass(&self, node: usize, x: &mut [f64]) {
        self.mobilities[node].divide(x);
    }

    /// J x of so many rows, for x of all robots in registers.
    #[inline(always)]
    fn times<A: Real, const N: usize>(&self, ends: &Ends) -> [f64; N] {
        let mut product = [0.0; N];
        for End { node, first } in ends.iter().flatten() {
            let Node { width, first: at, .. } = self.nodes[*node];
            let of_end = dot_rows::<A, N>(&self.jacobian[*first..], &self.step[at..at + width]);
            product.iter_mut().zip(of_end).for_each(|(to, of)| *to += of);
        }
        product
    }

    /// The same of a contact, with zeros where it has no tangents.
    #[inline(always)]
    fn times_contact<A: Real>(&self, ends: &Ends, rows: usize) -> [f64; 3] {
        if rows == 3 {
            return self.times::<A, 3>(ends);
        }
        let [normal] = self.times::<A, 1>(ends);
        [normal, 0.0, 0.0]
    }

    /// p += Jᵀ Λ.
    #[inline(always)]
    fn push<A: Real>(&mut self, ends: &Ends, impulses: &[f64]) {
        let Self { nodes, jacobian, step, .. } = self;
        for End { node, first } in ends.iter().flatten() {
            let Node { width, first: at, .. } = nodes[*node];
            let (to, rows) = (&mut step[at..at + width], &jacobian[*first..]);
            match *impulses {
                [a, b, c] => add_rows::<A>(to, 1.0, rows, 3, |k| [a, b, c][k]),
                _ => add_rows::<A>(to, 1.0, rows, impulses.len(), |k| impulses[k]),
            }
        }
    }

    /// Adds Jᵀ K J of N rows to the matrix, for K column by column.
    #[inline(always)]
    fn stiffen<A: Real, const N: usize>(
        &mut self,
        ends: &Ends,
        stiffness: &[[f64; N]; N],
        is_symmetric: bool,
    ) {
        if stiffness.as_flattened().iter().all(|entry| *entry == 0.0) {
            return;
        }
        let Self { nodes, jacobian, blocks, product, .. } = self;
        let rows = |end: &End| {
            let width = nodes[end.node].width;
            Rows { data: &jacobian[end.first..][..N * width], width }
        };
        let along = |i: usize, j: usize| stiffness[j][i];
        for end in ends.iter().flatten() {
            let of = rows(end);
            let product = multiply::<A, N>(of, along, product);
            let to = (blocks.own(end.node), nodes[end.node].nv);
            add_product::<A>(to, 1.0, (of, product), N);
        }
        let [Some(first), Some(second)] = ends else { return };
        let is_swapped = blocks.is_later(first.node, second.node);
        let (early, late) = if is_swapped { (second, first) } else { (first, second) };
        let Some([upper, lower]) = blocks.between(early.node, late.node) else { return };
        let (count, of_early) = (nodes[early.node].nv, rows(early));
        let of_late = multiply::<A, N>(rows(late), along, product);
        add_product::<A>((upper, count), 1.0, (of_early, of_late), N);
        if !is_symmetric {
            let of_late = multiply::<A, N>(rows(late), |i, j| stiffness[i][j], product);
            add_product::<A>((lower, count), 1.0, (of_early, of_late), N);
        }
    }

    /// Begins the matrix, which will be symmetric or not, with M + δ.
    fn begin(&mut self, is_symmetric: bool) {
        let Self { nodes, masses, blocks, .. } = self;
        blocks.clear(is_symmetric);
        for (k, node) in nodes.iter().enumerate() {
            blocks.own(k).copy_from_slice(&masses[node.mass..][..node.nv * node.width]);
        }
    }
}

/// K J of N rows, for the entries of K.
#[inline(always)]
fn multiply<'p, A: Real, const N: usize>(
    of: Rows<'_>,
    stiffness: impl Fn(usize, usize) -> f64,
    product: &'p mut [Each],
) -> Rows<'p> {
    let product = &mut product[..of.data.len()];
    for k in 0..of.width {
        let mut entries = [A::Quad::splat(0.0); N];
        for (j, entry) in entries.iter_mut().enumerate() {
            *entry = A::Quad::pack(of.data[of.width * j + k]);
        }
        for i in 0..N {
            let mut sum = A::Quad::splat(0.0);
            for (j, entry) in entries.iter().enumerate() {
                sum = A::Quad::splat(stiffness(i, j)).mul_add(*entry, sum);
            }
            product[of.width * i + k] = sum.unpack();
        }
    }
    Rows { data: product, width: of.width }
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
        system.begin(*is_symmetric);
        for (k, of) in contacts.iter().enumerate() {
            let ends = system.of_contacts[k];
            if of.rubs {
                system.stiffen::<A, 3>(&ends, &of.stiffness, *is_symmetric);
            } else {
                system.stiffen::<A, 1>(&ends, &[[of.stiffness[0][0]]], *is_symmetric);
            }
        }
        for (k, stiffness) in singles.stiffness() {
            let ends = system.of_singles[k];
            system.stiffen::<A, 1>(&ends, &[[stiffness]], *is_symmetric);
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
            let moved = system.times_contact::<A>(ends, of.rows());
            let held = times(&of.stiffness, &moved);
            for i in 0..3 {
                of.lambda[i] += of.change[i] - held[i];
                of.w[i] += moved[i];
            }
        }
        for (to, ends) in along.iter_mut().zip(&system.of_singles) {
            [*to] = system.times::<A, 1>(ends);
        }
        singles.advance(&along);
        system.along = along;
    }
}
