//! The rows of contacts, along the paths of what carries them.
//!
//! A contact has three rows of its own, or is an arm of a body whose velocity has six: J = X J_body. So many contacts of one body
//! are six rows of the problem.

use alloc::vec;
use alloc::vec::Vec;

use super::law::times;
use super::matrix::{Matrix, Paths, add_scaled, as_rows, as_rows_mut, load, store};
use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES, WIDEST};
use crate::contact::dynamics::Tree;
use crate::kernel::Real;

/// What carries contacts: one of them, or a body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The last coordinate of its path.
    pub(super) leaf: usize,
    /// How many rows it has, 3 or 6.
    pub(super) rows: usize,
    /// J, row by row.
    pub(super) jacobian: Vec<Each>,
    /// K, of whose entries the first rows and columns count.
    pub(super) stiffness: [[f64; WIDEST]; WIDEST],
    /// Along its rows: an impulse, and then a change of velocity.
    pub(super) along: [f64; WIDEST],
    /// One of its contacts that act, if any does.
    pub(super) contact: Option<usize>,
}

/// All of them.
#[derive(Clone, Debug)]
pub(super) struct Bodies {
    pub(super) all: Vec<Body>,
    /// Of each contact, its body.
    pub(super) of: Vec<usize>,
    /// Rows of L.
    lower: Vec<Each>,
    product: Vec<Each>,
}

impl Bodies {
    /// Those of a tree, unless a contact moves what is on no single path.
    pub(super) fn new(tree: &Tree, matrix: &Matrix) -> Option<Self> {
        let Matrix { paths, width, .. } = matrix;
        let contacts = tree.coordinates_of_contacts();
        let (mut all, mut of): (Vec<Body>, Vec<usize>) = (Vec::new(), Vec::new());
        // Of each body, what the tree has it as.
        let mut known = Vec::new();
        for (contact, coordinates) in contacts.enumerate() {
            let leaf = *coordinates.last()?;
            if paths.of(leaf) != coordinates {
                return None;
            }
            let hub = tree.hub(contact);
            let carries = |body: &Option<usize>| hub.is_some() && *body == hub;
            let body = known.iter().position(carries).unwrap_or(all.len());
            if body == all.len() {
                let rows = if hub.is_some() { WIDEST } else { 3 };
                all.push(Body::new(leaf, rows, *width));
                known.push(hub);
            }
            of.push(body);
        }
        let mut lower = vec![[0.0; LANES]; width * tree.nv()];
        for (k, row) in lower.chunks_exact_mut(*width).enumerate() {
            row.as_flattened_mut()[paths.of(k).len() - 1] = 1.0;
        }
        Some(Self { all, of, lower, product: vec![[0.0; LANES]; width * WIDEST] })
    }

    /// Nothing acts.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.all.iter_mut().for_each(|body| body.contact = None);
    }

    /// A contact acts.
    #[inline(always)]
    pub(super) fn add(&mut self, contact: usize) {
        self.all[self.of[contact]].contact = Some(contact);
    }

    /// The last coordinate of the path of a contact.
    #[inline(always)]
    pub(super) fn leaf(&self, contact: usize) -> usize {
        self.all[self.of[contact]].leaf
    }

    /// Reads L of a step, and J = Y L of what acts.
    #[inline(always)]
    pub(super) fn read<A: Real, const W: usize>(&mut self, tree: &Tree, paths: &Paths) {
        let Self { all, lower, .. } = self;
        let lower = as_rows_mut::<W>(lower);
        for (k, row) in lower.iter_mut().enumerate() {
            let depth = paths.of(k).len() - 1;
            tree.write_lower(k, &mut row.as_flattened_mut()[..depth]);
        }
        for body in all {
            let Body { contact: Some(contact), leaf, jacobian, .. } = body else { continue };
            for (row, to) in as_rows_mut::<W>(jacobian).iter_mut().enumerate() {
                let mut sum = [A::Quad::splat(0.0); W];
                for (p, &k) in paths.of(*leaf).iter().enumerate() {
                    add_scaled::<A, W>(&mut sum, tree.column_entry(*contact, p, row), &lower[k]);
                }
                store::<A, W>(to, &sum);
            }
        }
    }

    /// Adds Jᵀ K J of all to a matrix.
    #[inline(always)]
    pub(super) fn add_to<A: Real, const W: usize, const SYMMETRIC: bool>(
        &mut self,
        matrix: &mut Matrix,
    ) {
        let product = as_rows_mut::<W>(&mut self.product);
        for body in self.all.iter().filter(|body| body.acts()) {
            let Body { leaf, rows, jacobian, stiffness, .. } = body;
            let jacobian = as_rows::<W>(jacobian);
            let product = &mut product[..*rows];
            for (i, to) in product.iter_mut().enumerate() {
                let mut sum = [A::Quad::splat(0.0); W];
                for (column, of) in stiffness.iter().zip(jacobian) {
                    add_scaled::<A, W>(&mut sum, column[i], of);
                }
                store::<A, W>(to, &sum);
            }
            matrix.add::<A, W, SYMMETRIC>(*leaf, jacobian, product);
        }
    }

    /// p += Jᵀ times what is along the rows.
    #[inline(always)]
    pub(super) fn add_force<A: Real, const W: usize>(&self, paths: &Paths, p: &mut [f64]) {
        for body in self.all.iter().filter(|body| body.acts()) {
            let mut sum = [A::Quad::splat(0.0); W];
            for (row, along) in as_rows::<W>(&body.jacobian).iter().zip(body.along) {
                add_scaled::<A, W>(&mut sum, along, row);
            }
            let mut along_path = [[0.0; LANES]; W];
            store::<A, W>(&mut along_path, &sum);
            for (&k, sum) in paths.of(body.leaf).iter().zip(along_path.as_flattened()) {
                p[k] += sum;
            }
        }
    }

    /// J times a velocity becomes what is along the rows.
    #[inline(always)]
    pub(super) fn multiply<A: Real, const W: usize>(&mut self, paths: &Paths, v: &[f64]) {
        for body in self.all.iter_mut().filter(|body| body.acts()) {
            let mut along_path = [[0.0; LANES]; W];
            for (to, &k) in along_path.as_flattened_mut().iter_mut().zip(paths.of(body.leaf)) {
                *to = v[k];
            }
            let velocity = load::<A, W>(&along_path);
            for (row, along) in as_rows::<W>(&body.jacobian).iter().zip(&mut body.along) {
                let mut sum = A::Quad::splat(0.0);
                for (x, y) in load::<A, W>(row).into_iter().zip(velocity) {
                    sum = x.mul_add(y, sum);
                }
                *along = sum.sum();
            }
        }
    }
}

impl Body {
    fn new(leaf: usize, rows: usize, width: usize) -> Self {
        Self {
            leaf,
            rows,
            jacobian: vec![[0.0; LANES]; rows * width],
            stiffness: [[0.0; WIDEST]; WIDEST],
            along: [0.0; WIDEST],
            contact: None,
        }
    }

    /// Whether any of its contacts acts.
    #[inline(always)]
    fn acts(&self) -> bool {
        self.contact.is_some()
    }

    /// Nothing acts on it.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.stiffness = [[0.0; WIDEST]; WIDEST];
        self.along = [0.0; WIDEST];
    }

    /// Adds Xᵀ Λ, or Λ where there is no arm.
    #[inline(always)]
    pub(super) fn push(&mut self, arm: Option<&Arm>, impulse: [f64; 3]) {
        match arm {
            None => self.along[..3].iter_mut().zip(impulse).for_each(|(to, x)| *to += x),
            Some(arm) => self.along.iter_mut().zip(arm).for_each(|(to, column)| {
                *to += column[0] * impulse[0] + column[1] * impulse[1] + column[2] * impulse[2];
            }),
        }
    }

    /// Adds Xᵀ K X.
    #[inline(always)]
    pub(super) fn stiffen(&mut self, arm: Option<&Arm>, stiffness: &[[f64; 3]; 3]) {
        let Some(arm) = arm else {
            for (to, column) in self.stiffness.iter_mut().zip(stiffness) {
                to[..3].iter_mut().zip(column).for_each(|(to, x)| *to += x);
            }
            return;
        };
        for (to, of) in self.stiffness.iter_mut().zip(arm) {
            let [x, y, z] = times(stiffness, of);
            for (to, of) in to.iter_mut().zip(arm) {
                *to += of[0] * x + of[1] * y + of[2] * z;
            }
        }
    }

    /// X times what is along the rows.
    #[inline(always)]
    pub(super) fn of_contact(&self, arm: Option<&Arm>) -> [f64; 3] {
        let [x, y, z, ..] = self.along;
        match arm {
            None => [x, y, z],
            Some(arm) => {
                let mut moved = [0.0; 3];
                for (column, x) in arm.iter().zip(self.along) {
                    for (to, entry) in moved.iter_mut().zip(column) {
                        *to += entry * x;
                    }
                }
                moved
            }
        }
    }
}

/// X, column by column.
pub(super) type Arm = [[f64; 3]; WIDEST];
