//! Laws of mechanics, checked on the expression graph over random mechanisms and
//! over all robots of `jourdain-models`.
//!
//! Every quantity is derived by recursion; here it is compared with what differentiating the
//! energies, poses and gaps on the graph gives instead.

#[path = "../random/mod.rs"]
mod random;

mod constrained;
mod contact;
mod derivatives;
mod kernels;
mod lagrange;
mod law;
mod robots;

use jourdain_codegen::derive::{Forms, Solver};
use law::Case;
use nalgebra::DVector;

/// Mechanisms that every law is checked on.
const MECHANISMS: u64 = 1000;

/// Runs a law over all robots in every form that the generator can choose, and over random mechanisms
/// in one form each, in turn. It returns pairs of values that should agree, relative to the largest of
/// them.
fn check(law: &str, tolerance: f64, pairs: impl Fn(&Case<'_>) -> Vec<(f64, f64)>) {
    let first = Some(Solver::Factorization);
    let all: Vec<Forms> = Forms::each().filter(|forms| forms.solver == first).collect();
    let turn = |seed: u64| vec![all[seed as usize % all.len()]];
    let random = (0..MECHANISMS).map(|seed| (seed, random::mechanism(seed), turn(seed)));
    let robots = robots::descriptions().into_iter().map(|robot| (0, robot, all.clone()));
    let mut worst = (0.0, String::new());
    for (seed, description, forms) in random.chain(robots) {
        law::with_cases(seed, &description, &forms, |form, case| {
            let error = largest_error(&pairs(case));
            if error > worst.0 {
                worst = (error, format!("{}, {form}", description.name));
            }
        });
    }
    let (error, robot) = worst;
    println!("{law}: largest relative error {error:.1e} ({robot})");
    assert!(error <= tolerance, "{law}: error {error:.3e} of {robot}");
}

fn largest_error(pairs: &[(f64, f64)]) -> f64 {
    let scale = pairs.iter().fold(1.0, |scale: f64, (a, b)| scale.max(a.abs()).max(b.abs()));
    pairs.iter().fold(0.0, |worst: f64, (a, b)| {
        let error = (a - b).abs() / scale;
        if error.is_nan() { f64::INFINITY } else { worst.max(error) }
    })
}

#[test]
fn kinetic_energy_is_half_v_m_v() {
    check("T = ½ vᵀ M v", 1e-11, |case| {
        let m = case.square(case.form.mass_matrix());
        let v = case.v();
        vec![(case.values(&[case.form.kinetic_energy()])[0], 0.5 * v.dot(&(&m * &v)))]
    });
}

#[test]
fn mass_matrix_is_symmetric_and_positive_definite() {
    check("M symmetric, positive definite", 0.0, |case| {
        let m = case.square(case.form.mass_matrix());
        let definite = f64::from(u8::from(m.clone().cholesky().is_some()));
        let mut pairs: Vec<_> = m.iter().zip(m.transpose().iter()).map(|(a, b)| (*a, *b)).collect();
        pairs.push((definite, 1.0));
        pairs
    });
}

#[test]
fn mass_rate_is_the_symmetric_part_of_coriolis() {
    check("Ṁ = C + Cᵀ", 1e-9, |case| {
        let mass = case.form.mass_matrix();
        let width = mass.len();
        let rates = case.rates(&mass.concat());
        let c = case.square(case.form.coriolis_matrix());
        let sum = &c + c.transpose();
        (0..width * width).map(|k| (rates[k], sum[(k / width, k % width)])).collect()
    });
}

#[test]
fn coriolis_and_gravity_make_the_bias() {
    check("C v − τ_g = bias", 1e-9, |case| {
        let c = case.square(case.form.coriolis_matrix());
        let gravity = case.vector(&case.form.gravity_force());
        let bias = case.vector(&case.form.bias_force());
        law::pairs(&bias, &(c * case.v() - gravity))
    });
}

/// ṗ is ∂T/∂q and the force.
#[test]
fn momenta_change_by_the_slope_of_the_energy() {
    check("p = M v, ṗ = ∂T/∂q + τ + τ_g", 1e-9, |case| {
        let momenta = case.form.generalized_momentum();
        let (momentum, slope) = momenta.split_at(case.mechanism.nv());
        let mass = case.square(case.form.mass_matrix());
        let force = case.vector(&case.inverse_dynamics()) + case.vector(&case.form.gravity_force());
        let mut pairs = law::pairs(&case.vector(momentum), &(mass * case.v()));
        let rate = DVector::from_vec(case.rates(momentum));
        pairs.extend(law::pairs(&rate, &(case.vector(slope) + force)));
        pairs
    });
}

#[test]
fn gravity_is_the_slope_of_the_potential() {
    check("τ_g = −Nᵀ ∇U", 1e-9, |case| {
        let slope = lagrange::projected_gradient(case, case.mechanism.potential_energy());
        law::pairs(&case.vector(&case.form.gravity_force()), &-case.vector(&slope))
    });
}

#[test]
fn inverse_dynamics_is_mass_times_acceleration_and_bias() {
    check("τ = M v̇ + bias", 1e-9, |case| {
        let m = case.square(case.form.mass_matrix());
        let bias = case.vector(&case.form.bias_force());
        law::pairs(&case.vector(&case.inverse_dynamics()), &(m * case.a() + bias))
    });
}

#[test]
fn forward_dynamics_inverts_inverse_dynamics() {
    check("M FD(τ) + bias = τ", 1e-9, |case| {
        let m = case.square(case.form.mass_matrix());
        let bias = case.vector(&case.form.bias_force());
        let force = |solver| &m * case.vector(&case.form.forward_dynamics(solver)) + &bias;
        Solver::ALL.into_iter().flat_map(|by| law::pairs(&case.a(), &force(by))).collect()
    });
}

#[test]
fn recursion_equals_euler_lagrange() {
    check("Euler–Lagrange (Hamel)", 1e-9, |case| {
        let force = lagrange::force(case);
        law::pairs(&case.vector(&force), &case.vector(&case.inverse_dynamics()))
    });
}

#[test]
fn energy_changes_by_the_power_of_the_force() {
    check("d(T + U)/dt = vᵀ τ", 1e-9, |case| {
        let mechanism = case.mechanism;
        let energy = mechanism.kinetic_energy() + mechanism.potential_energy();
        let power = case.v().dot(&case.vector(&case.inverse_dynamics()));
        vec![(case.rates(&[energy])[0], power)]
    });
}

#[test]
fn frame_jacobian_and_bias_follow_from_the_pose() {
    check("J v and J̇ v of frames", 1e-9, |case| {
        let mechanism = case.mechanism;
        let mut pairs = Vec::new();
        for frame in &mechanism.description.frames {
            pairs.extend(law::frame(case, frame));
        }
        pairs
    });
}

#[test]
fn contact_jacobian_and_bias_follow_from_the_gap() {
    check("φ̇ = J v and d(J v)/dt = J v̇ + J̇ v", 1e-9, law::contacts);
}

#[test]
fn constraint_jacobian_and_bias_follow_from_the_error() {
    check("ḣ and ḧ = H v̇ + bias", 1e-9, law::constraints);
}

#[test]
fn limit_jacobian_and_bias_follow_from_the_limit() {
    check("Ċ = J v and C̈ = J v̇ + bias", 1e-9, law::limits);
}

#[test]
fn momentum_is_mass_times_velocity_of_the_center() {
    check("p = m ẋ", 1e-9, |case| {
        let mechanism = case.mechanism;
        let velocity = case.rates(&mechanism.center_of_mass().0);
        let mass: f64 = case.moving_mass();
        let momentum = case.values(&case.form.momentum());
        let mut pairs: Vec<_> = (0..3).map(|k| (mass * velocity[k], momentum[k])).collect();
        pairs.extend(case.values(&[mechanism.total_mass()]).into_iter().map(|all| (all, mass)));
        pairs
    });
}

#[test]
fn passive_force_takes_what_springs_give_and_dampers_burn() {
    check("vᵀ τ_p = −dV/dt − dissipation", 1e-9, |case| {
        let passive = case.vector(&case.mechanism.passive_force());
        let (elastic, dissipated) = law::springs(case);
        let stored = case.rates(&[elastic])[0];
        vec![(case.v().dot(&passive), -stored - case.values(&[dissipated])[0])]
    });
}
