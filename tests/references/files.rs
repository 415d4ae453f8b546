//! Robots whose files say what version 1.1 of URDF allows.
//!
//! Source of the values: MuJoCo 3 with the angles that the quaternions stand for.

use jourdain::prelude::*;
use nalgebra::vector;

use super::close;

/// Its first joint's frame is turned by a quaternion.
#[derive(Robot)]
#[robot(urdf = "urdf/turned_joint.urdf")]
struct TurnedJoint;

/// The axes of its first inertia are turned by a quaternion.
#[derive(Robot)]
#[robot(urdf = "urdf/turned_inertia.urdf")]
struct TurnedInertia;

#[test]
fn quaternions_turn_frames_and_inertias() {
    let bent = vector![0.7, 0.1];
    let gravity = |q| TurnedJoint.gravity_force(&q);
    close("τ_g", gravity(bent).as_slice(), &[-5.82595, -2.32575], 2e-6);
    close("τ_g", gravity(vector![0.0, 0.0]).as_slice(), &[-0.671174, -4.112286], 2e-6);
    let inertia = |q| TurnedInertia.mass_matrix(&q)[(0, 0)];
    close("M", &[inertia(bent), inertia(vector![0.0, 0.0])], &[0.366280, 0.411234], 2e-6);
}

/// A warning of a file is one of the lint that warns of deprecated items, and ends no build.
mod warned {
    #![allow(deprecated, reason = "the file is made to be warned of")]

    use jourdain::Robot;

    #[derive(Robot)]
    #[robot(urdf = "ui/urdf/warnings.urdf")]
    pub(super) struct Arm;
}

/// An entry silences them.
mod silent {
    #![deny(deprecated)]

    use jourdain::Robot;

    #[derive(Robot)]
    #[robot(urdf = "ui/urdf/warnings.urdf", warnings = ignore)]
    pub(super) struct Arm;
}

#[test]
fn what_is_warned_of_is_a_robot() {
    let q = vector![0.1, 0.2];
    assert_eq!(warned::Arm.mass_matrix(&q), silent::Arm.mass_matrix(&q));
}
