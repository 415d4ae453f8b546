//! Vectors and matrices of three.

use crate::kernel::Real;

/// Row by row.
pub(super) type Block = [[f64; 3]; 3];
pub(super) type Vector = [f64; 3];
/// The entries xx, xy, xz, yy, yz and zz of a symmetric one.
pub(super) type Symmetric = [f64; 6];

/// x · y.
#[inline(always)]
pub(super) fn dot<A: Real>(x: &Vector, y: &Vector) -> f64 {
    A::mul_add(x[0], y[0], A::mul_add(x[1], y[1], x[2] * y[2]))
}

/// a − x · y.
#[inline(always)]
pub(super) fn subtract<A: Real>(a: f64, x: &Vector, y: &Vector) -> f64 {
    A::mul_add(-x[0], y[0], A::mul_add(-x[1], y[1], A::mul_add(-x[2], y[2], a)))
}

/// M x.
#[inline(always)]
pub(super) fn times<A: Real>(m: &Block, x: &Vector) -> Vector {
    [dot::<A>(&m[0], x), dot::<A>(&m[1], x), dot::<A>(&m[2], x)]
}

/// a − M x.
#[inline(always)]
pub(super) fn less<A: Real>(a: &Vector, m: &Block, x: &Vector) -> Vector {
    [subtract::<A>(a[0], &m[0], x), subtract::<A>(a[1], &m[1], x), subtract::<A>(a[2], &m[2], x)]
}

/// X Y.
#[inline(always)]
pub(super) fn product<A: Real>(x: &Block, y: &Block) -> Block {
    let mut product = *x;
    for i in 0..3 {
        for k in 0..3 {
            product[i][k] = dot::<A>(&x[i], &[y[0][k], y[1][k], y[2][k]]);
        }
    }
    product
}

/// The inverse by cofactors, and the determinant.
#[inline(always)]
pub(super) fn invert<A: Real>(m: &Block) -> (Block, f64) {
    let [x, y, z] = m;
    let (yz, zx, xy) = (cross::<A>(y, z), cross::<A>(z, x), cross::<A>(x, y));
    let determinant = dot::<A>(x, &yz);
    let scale = 1.0 / determinant;
    let row = |i: usize| [yz[i] * scale, zx[i] * scale, xy[i] * scale];
    ([row(0), row(1), row(2)], determinant)
}

/// The same of a symmetric one.
#[inline(always)]
pub(super) fn invert_symmetric<A: Real>(&[xx, xy, xz, yy, yz, zz]: &Symmetric) -> (Symmetric, f64) {
    let minor = |a: f64, b: f64, c: f64, d: f64| A::mul_add(a, b, -(c * d));
    let of_x = [minor(yy, zz, yz, yz), minor(xz, yz, xy, zz), minor(xy, yz, xz, yy)];
    let determinant = dot::<A>(&[xx, xy, xz], &of_x);
    let of_y = [minor(xx, zz, xz, xz), minor(xy, xz, xx, yz), minor(xx, yy, xy, xy)];
    let scale = 1.0 / determinant;
    ([of_x[0], of_x[1], of_x[2], of_y[0], of_y[1], of_y[2]].map(|of| of * scale), determinant)
}

/// All rows of a symmetric one.
#[inline(always)]
pub(super) fn full(&[xx, xy, xz, yy, yz, zz]: &Symmetric) -> Block {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

#[inline(always)]
pub(super) fn transposed([x, y, z]: &Block) -> Block {
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
}

/// x × y.
#[inline(always)]
pub(super) fn cross<A: Real>(x: &Vector, y: &Vector) -> Vector {
    let minor = |i: usize, j: usize| A::mul_add(x[i], y[j], -(x[j] * y[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
