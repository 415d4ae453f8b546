//! The problem of the bodies' velocities.

use super::rows::{add, load, store};
use super::sums_over_lanes;
use crate::arithmetic::Lanes;
use crate::cone::star::{Each, Shared, WIDEST};
use crate::kernel::Real;

/// The six numbers of a body.
#[inline(always)]
pub(super) fn of_body(all: &[f64], body: usize) -> Shared {
    let (bodies, _) = all.as_chunks::<WIDEST>();
    bodies.get(body).copied().unwrap_or_default()
}

/// Ω of one body, column by column.
#[inline(always)]
pub(super) fn block<const R: usize>(compliance: &[[Each; R]], body: usize) -> [Shared; WIDEST] {
    let mut block = [[0.0; WIDEST]; WIDEST];
    for (to, column) in block.iter_mut().zip(&compliance[WIDEST * body..]) {
        *to = of_body(column.as_flattened(), body);
    }
    block
}

/// The impulses of bodies from the sums over the contacts of each.
#[inline(always)]
pub(super) fn impulses<A: Real, const H: usize>(sums: &[[A::Quad; WIDEST]; H]) -> [Shared; H] {
    let mut impulses = [[0.0; WIDEST]; H];
    for (to, sums) in impulses.iter_mut().zip(sums) {
        let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(sums);
        *to = [a, b, c, d, e, f];
    }
    impulses
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
        let mut column = [A::Quad::splat(0.0); R];
        for (of_body, &by) in of_body.iter().zip(by) {
            add::<A, R>(&mut column, by, &load::<A, R>(of_body));
        }
        store::<A, R>(to, &column);
        to.as_flattened_mut()[first + k] += 1.0;
    }
}
