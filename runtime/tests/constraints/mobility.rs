//! What constraints leave of the motion, found while compiling.

use jourdain::prelude::*;

use crate::four_bar::FourBar;

/// Bricard's linkage of three planes of symmetry: six bars of 1 m, each axis at right angles to the one
/// before, closed by these rows.
macro_rules! bricard {
    ($(#[$doc:meta])* $name:ident, $axes:tt) => {
        $(#[$doc])*
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            link(a, mass = 1, inertia = [0.1, 0.1, 0.1]),
            link(b, mass = 1, inertia = [0.1, 0.1, 0.1]),
            link(c, mass = 1, inertia = [0.1, 0.1, 0.1]),
            link(d, mass = 1, inertia = [0.1, 0.1, 0.1]),
            link(e, mass = 1, inertia = [0.1, 0.1, 0.1]),
            joint(one, revolute(world -> a), axis = [0, 0, 1]),
            joint(two, revolute(a -> b), at = [1, 0, 0], rpy = [FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
            joint(three, revolute(b -> c), at = [1, 0, 0], rpy = [-FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
            joint(four, revolute(c -> d), at = [1, 0, 0], rpy = [FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
            joint(five, revolute(d -> e), at = [1, 0, 0], rpy = [-FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
            closure(six, a = e @ [1, 0, 0, FRAC_PI_2, 0, 0], b = world @ [-1, 0, 0, FRAC_PI_2, 0, 0],
                axes = $axes),
        )]
        pub(crate) struct $name;
    };
}

bricard! {
    /// Closed by a hinge: counting gives no freedom; it has one.
    Bricard, [x, y, z, rx, ry]
}

bricard! {
    /// Closed by four rows, which suffice where no hinge is at ±90° alone.
    FourRows, [x, y, z, rx]
}

#[test]
fn counting_is_wrong_and_rank_is_right() {
    assert_eq!(FourBar::MOBILITY, Some(2));
    assert_eq!(Bricard::MOBILITY, Some(1));
}
