//! Bricard's linkage of threefold symmetry: six bars of one metre and six hinges, each at right angles to
//! the one before.
//!
//! Six revolute joints in a loop leave 6 − 6 = 0 degrees of freedom by counting; this loop has one. Its
//! angles are alternately θ and φ, with
//!
//! > (1 + cos θ) (1 + cos φ) = 1
//!
//! so that none turns beyond ±120°, where the others pass through zero; (θ, φ) goes round a closed curve.
//!
//! # Source
//!
//! Bricard, Leçons de cinématique II (1927); Chen, You, Tarnai, Threefold-symmetric Bricard linkages for
//! deployable structures (2005), for the relation of the angles.

use jourdain::Robot;

/// One bar stands on the world; motors turn the hinges at its ends.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 0.4, com = [0.5, 0, 0], inertia = [0.001, 0.035, 0.035]),
    link(b, mass = 0.4, com = [0.5, 0, 0], inertia = [0.001, 0.035, 0.035]),
    link(c, mass = 0.4, com = [0.5, 0, 0], inertia = [0.001, 0.035, 0.035]),
    link(d, mass = 0.4, com = [0.5, 0, 0], inertia = [0.001, 0.035, 0.035]),
    link(e, mass = 0.4, com = [0.5, 0, 0], inertia = [0.001, 0.035, 0.035]),
    joint(one, revolute(world -> a), axis = [0, 0, 1], actuated),
    joint(two, revolute(a -> b), at = [1, 0, 0], rpy = [FRAC_PI_2, 0, 0], axis = [0, 0, 1], actuated),
    joint(three, revolute(b -> c), at = [1, 0, 0], rpy = [-FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
    joint(four, revolute(c -> d), at = [1, 0, 0], rpy = [FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
    joint(five, revolute(d -> e), at = [1, 0, 0], rpy = [-FRAC_PI_2, 0, 0], axis = [0, 0, 1]),
    closure(six, a = e @ [1, 0, 0, FRAC_PI_2, 0, 0], b = world @ [-1, 0, 0, FRAC_PI_2, 0, 0],
        axes = [x, y, z, rx, ry]),
)]
pub struct Bricard;
