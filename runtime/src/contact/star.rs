//! Contacts that share few coordinates, as the cone solver takes them.
//!
//! > A = Y W Yᵀ + diag(B₁, B₂, …)
//!
//! Y leads to the coordinates that all contacts hang on, W is D⁻¹ there, and Bᵢ = Yᵢ D⁻¹ Yᵢᵀ over the coordinates
//! that only contact i hangs on, those of its limb. All are numbers of the step's dynamics; nothing is multiplied
//! but within a limb. Of bodies that carry several contacts, Y is what leads from their velocities to the contacts, and
//! W is dense.

use alloc::vec::Vec;

use crate::arithmetic::{Baseline, Lanes};
use crate::cone::{self, Each, Hubs, LANES, Matrix, Rows as Contact, WIDEST};
use crate::fours::load_rows;
use crate::kernel::Real;

/// The places of the diagonal in a triangle.
const DIAGONAL: [usize; 3] = [0, 3, 5];

#[derive(Clone, Debug, Default)]
pub(super) struct Star {
    shared: Vec<[Contact; WIDEST]>,
    weights: [f64; WIDEST],
    own: Vec<[Each; 6]>,
    /// Of each four contacts the body that carries them; empty if they share coordinates.
    hubs: Vec<usize>,
    /// W of these bodies, column by column, in so many registers as their velocities fill.
    compliance: Vec<Each>,
    bodies: usize,
    /// Room for the columns of contacts that do not lie side by side, and for which limbs have one.
    pub(super) gathered: Vec<Contact>,
    pub(super) taken: Vec<bool>,
}

impl Star {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.shared.clear();
        self.own.clear();
        self.hubs.clear();
    }

    /// W of so many bodies, to be written.
    #[inline(always)]
    pub(super) fn compliance_of(&mut self, bodies: usize) -> &mut [Each] {
        if self.bodies != bodies {
            self.bodies = bodies;
            let columns = WIDEST * bodies;
            self.compliance.resize(columns * columns.div_ceil(LANES), [0.0; LANES]);
        }
        &mut self.compliance
    }

    /// Adds contacts, each in its lane, of one of the bodies.
    #[inline(always)]
    pub(super) fn push_on(&mut self, hub: usize, arms: &[Contact]) {
        self.push(arms, &[[0.0; LANES]; 6]);
        self.hubs.push(hub);
    }

    /// With W of the shared coordinates.
    #[inline(always)]
    pub(super) fn begin(&mut self, weights: &[f64; WIDEST]) {
        self.clear();
        self.weights = *weights;
    }

    /// Adds contacts, each in its lane, with their columns of Y and the triangle of B.
    #[inline(always)]
    pub(super) fn push(&mut self, shared: &[Contact], own: &[Each; 6]) {
        let (all, _) = shared.as_chunks();
        if all.is_empty() {
            let mut columns = [[[0.0; LANES]; 3]; WIDEST];
            columns.iter_mut().zip(shared).for_each(|(to, column)| *to = *column);
            self.shared.push(columns);
        } else {
            self.shared.extend_from_slice(all);
        }
        self.own.push(*own);
    }

    /// Adds σ, of which and of whose part by the diagonal entry of A is told for each row, the same for those of a contact, and
    /// writes it.
    pub(super) fn soften(&mut self, softness: &[[f64; 2]], sigma: &mut Vec<f64>) {
        let (contacts, rest) = softness.as_chunks::<3>();
        debug_assert!(rest.is_empty() && contacts.iter().all(|[n, x, y]| n == x && n == y));
        for (four, contacts) in contacts.chunks(LANES).enumerate() {
            let mut of_four = [[0.0; LANES]; 2];
            for (lane, [[of_row, relative], ..]) in contacts.iter().enumerate() {
                (of_four[0][lane], of_four[1][lane]) = (*of_row, *relative);
            }
            let diagonal = self.diagonal::<Baseline>(four);
            let [n, x, y] = soften::<Baseline>(diagonal, &of_four, &mut self.own[four]);
            sigma.extend((0..contacts.len()).flat_map(|lane| [n[lane], x[lane], y[lane]]));
        }
    }

    /// The triangle of B of four contacts, to be changed.
    #[inline(always)]
    pub(super) fn own_of(&mut self, four: usize) -> &mut [Each; 6] {
        &mut self.own[four]
    }

    /// The diagonal entries of A of four contacts.
    #[inline(always)]
    pub(super) fn diagonal<A: Real>(&self, four: usize) -> [A::Quad; 3] {
        let through = match self.hubs.get(four) {
            None => through::<A>(&self.shared[four], &self.weights),
            Some(&hub) => self.through_hub::<A>(four, hub),
        };
        with_own::<A>(through, &self.own[four])
    }

    /// The diagonal entries of Y W Yᵀ of four contacts of a body.
    #[inline(always)]
    fn through_hub<A: Real>(&self, four: usize, hub: usize) -> [A::Quad; 3] {
        let columns = &self.shared[four];
        let (width, first) = ((WIDEST * self.bodies).next_multiple_of(LANES), WIDEST * hub);
        let compliance = self.compliance.as_flattened();
        let mut through = [A::Quad::splat(0.0); 3];
        for (k, column) in columns.iter().enumerate() {
            let by = &compliance[(first + k) * width + first..][..WIDEST];
            for axis in 0..3 {
                let mut moved = A::Quad::splat(0.0);
                for (other, &by) in columns.iter().zip(by) {
                    moved = A::Quad::splat(by).mul_add(A::Quad::pack(other[axis]), moved);
                }
                through[axis] = A::Quad::pack(column[axis]).mul_add(moved, through[axis]);
            }
        }
        through
    }

    /// Takes the numbers of a contact away, which then moves and holds nothing.
    #[cold]
    pub(super) fn silence(&mut self, four: usize, lane: usize) {
        self.shared[four].as_flattened_mut().iter_mut().for_each(|each| each[lane] = 0.0);
        self.own[four].iter_mut().for_each(|each| each[lane] = 0.0);
    }

    /// A of so many contacts.
    #[inline(always)]
    pub(super) fn parts(&self, contacts: usize) -> cone::Star<'_> {
        let Self { shared, weights, own, .. } = self;
        cone::Star { contacts, shared, weights, own }
    }

    /// A of contacts that bodies carry, if they do.
    #[inline(always)]
    pub(super) fn of_hubs(&self) -> Option<Hubs<'_>> {
        let Self { shared: arms, own, hubs: of, compliance, bodies, .. } = self;
        (!of.is_empty()).then_some(Hubs { arms, own, of, compliance, bodies: *bodies })
    }

    /// A of so many contacts, if it was given.
    #[inline(always)]
    pub(super) fn matrix(&self, contacts: usize) -> Option<Matrix<'_>> {
        (!self.own.is_empty()).then(|| Matrix::Star(self.parts(contacts)))
    }
}

/// The diagonal entries of Y W Yᵀ of four contacts, with W diagonal.
#[inline(always)]
pub(super) fn through<A: Real>(
    columns: &[Contact; WIDEST],
    weights: &[f64; WIDEST],
) -> [A::Quad; 3] {
    let mut through = [A::Quad::splat(0.0); 3];
    for (column, weight) in columns.iter().zip(weights) {
        let (weight, y) = (A::Quad::splat(*weight), load_rows::<A>(column));
        for axis in 0..3 {
            through[axis] = (weight * y[axis]).mul_add(y[axis], through[axis]);
        }
    }
    through
}

/// Adds the diagonal entries of B of four contacts.
#[inline(always)]
pub(super) fn with_own<A: Real>(through: [A::Quad; 3], own: &[Each; 6]) -> [A::Quad; 3] {
    let [x, y, z] = through;
    let [xx, _, _, yy, _, zz] = own;
    [A::Quad::pack(*xx) + x, A::Quad::pack(*yy) + y, A::Quad::pack(*zz) + z]
}

/// Adds σ, of which and of whose part by the diagonal of A is told for each of four contacts, and returns it.
#[inline(always)]
pub(super) fn soften<A: Real>(
    diagonal: [A::Quad; 3],
    [of_row, relative]: &[Each; 2],
    own: &mut [Each; 6],
) -> Contact {
    let (of_row, relative) = (A::Quad::pack(*of_row), A::Quad::pack(*relative));
    let mut sigma = Contact::default();
    for axis in 0..3 {
        let entry = &mut own[DIAGONAL[axis]];
        let of_axis = relative.mul_add(diagonal[axis], of_row);
        *entry = (A::Quad::pack(*entry) + of_axis).unpack();
        sigma[axis] = of_axis.unpack();
    }
    sigma
}
