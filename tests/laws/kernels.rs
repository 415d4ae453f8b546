//! Regressors, joint Jacobians and centroidal momentum against what they are made for.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

use crate::check;
use crate::law::{self, Case};

#[test]
fn regressor_times_parameters_is_inverse_dynamics() {
    check("Y π = τ, rows of T and U", 1e-9, |case| {
        let mechanism = case.mechanism;
        let parameters = case.vector(&mechanism.inertial_parameters());
        let torque = case.square(mechanism.torque_regressor()) * &parameters;
        let expected = case.vector(&case.inverse_dynamics());
        let armature = armature(case);
        let expected = expected - armature.component_mul(&case.a());
        let energies = case.square(mechanism.energy_regressor()) * &parameters;
        let kinetic = case.values(&[mechanism.kinetic_energy()])[0];
        let stored = 0.5 * armature.component_mul(&case.v()).dot(&case.v());
        let potential = case.values(&[mechanism.potential_energy()])[0];
        let mut pairs = law::pairs(&torque, &expected);
        pairs.extend([(energies[0], kinetic - stored), (energies[1], potential)]);
        pairs
    });
}

/// What M has beside the inertia of the bodies: its part that stays when all links are massless.
fn armature(case: &Case<'_>) -> DVector<f64> {
    let mut sum = DVector::zeros(case.v().len());
    for (k, joint) in case.mechanism.description.joints.iter().enumerate() {
        let leader = joint.mimic.as_ref().map_or(k, |mimic| mimic.joint);
        let ratio = joint.mimic.as_ref().map_or(1.0, |m| law::number(&m.multiplier));
        let first = case.mechanism.coordinates[leader].1;
        for (i, coordinate) in joint.coordinates.iter().enumerate() {
            sum[first + i] += ratio * ratio * law::number(&coordinate.armature);
        }
    }
    sum
}

#[test]
fn centroidal_momentum_is_momentum_about_the_center_of_mass() {
    check("A_G v, Ȧ_G v, I_G", 1e-9, |case| {
        let mechanism = case.mechanism;
        let matrix = mechanism.centroidal_matrix();
        let momentum = case.times(&matrix, &mechanism.state.v);
        let center = Vector3::from_vec(case.values(&mechanism.center_of_mass().0));
        let about_origin = case.vector(&mechanism.momentum());
        let linear = Vector3::new(about_origin[0], about_origin[1], about_origin[2]);
        let angular = Vector3::new(about_origin[3], about_origin[4], about_origin[5]);
        let about_center = angular - center.cross(&linear);
        let expected = [linear.as_slice(), about_center.as_slice()].concat();
        let mut pairs: Vec<_> = case.values(&momentum).into_iter().zip(expected).collect();
        let driven = case.vector(&case.times(&matrix, &mechanism.state.a));
        let bias = case.vector(&mechanism.centroidal_bias());
        pairs.extend(law::pairs(&DVector::from_vec(case.rates(&momentum)), &(driven + bias)));
        let inertia = case.square(mechanism.centroidal_inertia());
        pairs.extend(inertia.iter().copied().zip(inertia_of_links(case, center).iter().copied()));
        pairs
    });
}

/// The sum over all moving bodies of their inertia, by their poses and parameters.
fn inertia_of_links(case: &Case<'_>, center: Vector3<f64>) -> Matrix3<f64> {
    let parameters = case.values(&case.mechanism.inertial_parameters());
    let places = case.values(&case.mechanism.joint_jacobians());
    let places = &places[6 * case.mechanism.nv()..];
    let mut sum = Matrix3::zeros();
    for (p, place) in parameters.chunks_exact(10).zip(places.chunks_exact(12)) {
        let rotation = Matrix3::from_column_slice(&place[..9]);
        let position = Vector3::from_column_slice(&place[9..]);
        let (mass, first) = (p[0], rotation * Vector3::new(p[1], p[2], p[3]));
        let local = Matrix3::new(p[4], p[5], p[7], p[5], p[6], p[8], p[7], p[8], p[9]);
        // About the centre: −m [r]×² − [h]× [r]× − [r]× [h]× + R I Rᵀ with r from the centre.
        let (r, h) = ((position - center).cross_matrix(), first.cross_matrix());
        sum += rotation * local * rotation.transpose() - r * r * mass - h * r - r * h;
    }
    sum
}

/// Where no joint follows another, so that a column belongs to one joint.
#[test]
fn joint_jacobians_give_the_rates_of_the_poses() {
    check("J and poses of all bodies", 1e-9, |case| {
        let mechanism = case.mechanism;
        if mechanism.description.joints.iter().any(|joint| joint.mimic.is_some()) {
            return Vec::new();
        }
        let all = mechanism.joint_jacobians();
        let (columns, places) = all.split_at(6 * mechanism.nv());
        let columns = DMatrix::from_column_slice(6, mechanism.nv(), &case.values(columns));
        let mut pairs = Vec::new();
        for (k, place) in places.chunks_exact(12).enumerate() {
            let (value, rate) = (case.values(place), case.rates(place));
            let mut twist = DVector::zeros(6);
            for dof in mechanism.path(Some(k)).flat_map(|k| &mechanism.bodies[k].columns) {
                twist += columns.column(dof.dof) * case.v()[dof.dof];
            }
            let spin = Vector3::new(twist[3], twist[4], twist[5]);
            let position = Vector3::from_column_slice(&value[9..]);
            let velocity = Vector3::new(twist[0], twist[1], twist[2]) + spin.cross(&position);
            let turning = spin.cross_matrix() * Matrix3::from_column_slice(&value[..9]);
            pairs.extend(turning.iter().chain(velocity.iter()).copied().zip(rate));
        }
        pairs
    });
}
