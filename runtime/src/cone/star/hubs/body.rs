//! The problem of the bodies' velocities.

use super::rows::{add, load, store};
use crate::arithmetic::Lanes;
use crate::cone::star::lanes::{LANES, Shared, WIDEST};
use crate::cone::star::quads::Each;
use crate::kernel::Real;

/// The six numbers of a body, where they are: a copy would be read from several stores together, and wait for these.
#[inline(always)]
pub(super) fn of_body(all: &[f64], body: usize) -> &Shared {
    &all.as_chunks().0[body]
}

/// Ω of one body, column by column.
#[inline(always)]
pub(super) fn block<const R: usize>(compliance: &[[Each; R]], body: usize) -> [Shared; WIDEST] {
    let mut block = [[0.0; WIDEST]; WIDEST];
    for (to, column) in block.iter_mut().zip(&compliance[WIDEST * body..]) {
        *to = *of_body(column.as_flattened(), body);
    }
    block
}

/// The velocities that impulses change. Two sums take half of the time of one.
#[inline(always)]
pub(super) fn respond<A: Real, const R: usize>(
    compliance: &[[Each; R]],
    impulses: &[Shared],
) -> [A::Quad; R] {
    let mut sums = [[A::Quad::splat(0.0); R]; 2];
    let (columns, _) = compliance.as_chunks::<2>();
    let (impulses, _) = impulses.as_flattened().as_chunks::<2>();
    for ([first, second], [by, and]) in columns.iter().zip(impulses) {
        add::<A, R>(&mut sums[0], *by, &load::<A, R>(first));
        add::<A, R>(&mut sums[1], *and, &load::<A, R>(second));
    }
    let [mut velocities, others] = sums;
    for (to, other) in velocities.iter_mut().zip(others) {
        *to = *to + other;
    }
    velocities
}

/// Writes the columns of 1 + Ω N that are of a body, by its block of N, column by column.
#[inline(always)]
pub(super) fn assemble<A: Real, const R: usize>(
    compliance: &[[Each; R]],
    block: &[Shared; WIDEST],
    body: usize,
    matrix: &mut [[Each; R]],
) {
    let first = WIDEST * body;
    let of_body = &compliance[first..][..WIDEST];
    let columns = matrix[first..].iter_mut().zip(block);
    for (k, (to, by)) in columns.enumerate() {
        // One that is added to a column in memory would have to be there before the column is read again.
        let mut column = unit::<A, R>(first + k);
        for (of_body, &by) in of_body.iter().zip(by) {
            add::<A, R>(&mut column, by, &load::<A, R>(of_body));
        }
        store::<A, R>(to, &column);
    }
}

/// A column of the identity.
#[inline(always)]
pub(super) fn unit<A: Real, const R: usize>(k: usize) -> [A::Quad; R] {
    let mut column = [A::Quad::splat(0.0); R];
    for (register, to) in column.iter_mut().enumerate() {
        let mut lanes = [0.0; LANES];
        for (lane, entry) in lanes.iter_mut().enumerate() {
            *entry = if LANES * register + lane == k { 1.0 } else { 0.0 };
        }
        *to = A::Quad::pack(lanes);
    }
    column
}
