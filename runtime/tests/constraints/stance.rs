//! A biped on one foot, described twice: floating with the foot held, and from the foot, which is fixed to
//! the world.

use jourdain::constrained::Constrained;
use jourdain::prelude::*;
use nalgebra::{Rotation3, SMatrix, SVector, UnitQuaternion};
use proptest::array::{uniform6, uniform7, uniform8};
use proptest::prelude::*;

macro_rules! biped {
    ($name:ident, $($base:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            link(torso, mass = 8, com = [0.02, -0.01, 0.2], inertia = [0.3, 0.25, 0.1, 0.01, -0.02, 0.03]),
            $($base)*
            link(left_thigh, mass = 2, com = [0.01, 0.02, -0.2], inertia = [0.05, 0.05, 0.01]),
            link(left_shank, mass = 1.5, com = [0, 0.01, -0.15], inertia = [0.03, 0.03, 0.005, 0.001, 0, 0]),
            link(left_foot, mass = 0.8, com = [0.05, 0, -0.03], inertia = [0.002, 0.005, 0.005]),
            joint(left_hip, revolute(torso -> left_thigh), at = [0, 0.1, -0.1], axis = [0.5, 1, -0.2]),
            joint(left_knee, revolute(left_thigh -> left_shank), at = [0, 0, -0.4], rpy = [0, 0.1, 0.2],
                axis = [0.1, 1, 0], armature = 0.02),
            joint(left_ankle, revolute(left_shank -> left_foot), at = [0.01, 0, -0.4], axis = [0.3, 1, 0]),
            link(right_thigh, mass = 2, com = [0.01, -0.02, -0.2], inertia = [0.05, 0.05, 0.01]),
            link(right_foot, mass = 1.2, com = [0.05, 0, -0.3], inertia = [0.02, 0.02, 0.005]),
            joint(right_hip, spherical(torso -> right_thigh), at = [0, -0.1, -0.1]),
            joint(right_knee, revolute(right_thigh -> right_foot), at = [0, 0, -0.4], axis = [0, 1, 0]),
            frame(sole, on = left_foot, at = [0.03, 0, -0.08], rpy = [0.1, 0.2, 0.3]),
        )]
        struct $name;
    };
}

biped!(Floating, joint(base, floating(world -> torso)),);
biped!(
    Standing,
    joint(base, fixed(world -> torso), at = [0.3, -0.2, 0.1], rpy = [0.4, -0.3, 0.2]),
    root = left_foot,
);

/// Coordinates of the legs.
const LEGS: usize = 7;

/// The floating robot's configuration that puts its sole where the standing one has it, from the angles of
/// the legs, of which the right hip is a quaternion.
fn placed(legs: &SVector<f64, 8>) -> SVector<f64, 15> {
    let wanted = Standing.frame_pose(Standing::SOLE, legs);
    let mut q = SVector::<f64, 15>::zeros();
    q[6] = 1.0;
    q.fixed_rows_mut::<8>(7).copy_from(legs);
    let pose = Floating.frame_pose(Floating::SOLE, &q);
    let turn = wanted.rotation * pose.rotation.transpose();
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    q.fixed_rows_mut::<3>(0).copy_from(&(wanted.position - turn * pose.position));
    q.fixed_rows_mut::<4>(3).copy_from(&rotation.coords);
    let found = Floating.frame_pose(Floating::SOLE, &q);
    assert!((found.position - wanted.position).amax() < 1e-12);
    assert!((found.rotation - wanted.rotation).amax() < 1e-12);
    q
}

/// The floating robot's velocities with a sole at rest, a column for each of the legs' coordinates.
fn standing_motions(q: &SVector<f64, 15>) -> SMatrix<f64, 13, LEGS> {
    let mut jacobian = SMatrix::<f64, 6, 13>::zeros();
    let local = ReferenceFrame::Local;
    Floating.frame_jacobian_into(Floating::SOLE, local, q, jacobian.as_mut_slice());
    let base = jacobian.fixed_columns::<6>(0).into_owned();
    let mut motions = SMatrix::<f64, 13, LEGS>::zeros();
    motions.fixed_rows_mut::<LEGS>(6).fill_with_identity();
    let mut carried = jacobian.fixed_columns::<LEGS>(6).into_owned();
    assert!(base.lu().solve_mut(&mut carried), "the base moves the sole");
    motions.fixed_rows_mut::<6>(0).copy_from(&-carried);
    motions
}

fn holding() -> Constrained<Floating> {
    let mut held = Constrained::new(Floating);
    held.hold_frame(Floating::SOLE, true);
    held
}

proptest! {
    #[test]
    fn a_held_foot_is_a_root(
        angles in uniform8(-1.0..1.0),
        rates in uniform7(-2.0..2.0),
        torques in uniform7(-20.0..20.0),
        shock in uniform6(-1.0..1.0),
    ) {
        let mut legs = SVector::<f64, 8>::from(angles);
        legs[6] += 1.5;
        legs.fixed_rows_mut::<4>(3).normalize_mut();
        let (rates, torques) = (SVector::from(rates), SVector::from(torques));
        let (q, mut held) = (placed(&legs), holding());
        let motions = standing_motions(&q);
        let mut tau = SVector::<f64, 13>::zeros();
        tau.fixed_rows_mut::<LEGS>(6).copy_from(&torques);
        let found = held.forward_dynamics(&q, &(motions * rates), &tau, 0.0).unwrap();
        let expected = Standing.forward_dynamics(&legs, &rates, &torques);
        let error = (found.fixed_rows::<LEGS>(6) - expected).amax();
        prop_assert!(error <= 1e-9 * (1.0 + expected.amax()), "{}", error);

        // An impact keeps the momentum of all motions with the sole at rest.
        let mut before = motions * rates;
        before.fixed_rows_mut::<6>(0).copy_from(&SVector::from(shock));
        let after = held.impact(&q, &before, 0.0).unwrap();
        let momentum = Standing.mass_matrix(&legs) * after.fixed_rows::<LEGS>(6);
        let expected = motions.transpose() * Floating.mass_matrix(&q) * before;
        let error = (momentum - expected).amax();
        prop_assert!(error <= 1e-9 * (1.0 + expected.amax()), "{}", error);
    }
}
