//! Generated accelerations and impacts against the elimination of the whole system
//!
//! > [M Hᵀ; H 0] (x, −λ) = (f, g)
//!
//! with the rows that hold, some of all, in every form.

use fastrand::Rng;
use jourdain_codegen::derive::{Forms, Solver, symbols};
use jourdain_codegen::description::{Contact, Description, Frame, Level, Placement, Triple};
use jourdain_codegen::diagnostic::{Location, Name};
use jourdain_codegen::expr::Expr;
use jourdain_codegen::scalar::Scalar;
use nalgebra::{DMatrix, DVector};

use super::equations::bordered;
use super::rows::{independent, scaled};
use crate::law::{Case, with_cases};
use crate::{random, robots};

/// Random mechanisms.
const MECHANISMS: u64 = 200;

/// Largest error, relative to the largest entry and the condition of the system.
const TOLERANCE: f64 = 1e-13;

/// What each row that may hold asks for: H, of accelerations and of impacts.
struct Asked {
    jacobian: DMatrix<f64>,
    acceleration: DVector<f64>,
    rebound: DVector<f64>,
}

fn asked<'g>(case: &Case<'g>) -> Asked {
    let m = case.mechanism;
    let constraints = m.constraints();
    let mut rows = [constraints.jacobian(), m.contact_jacobian()].concat();
    let mut bias = [constraints.bias(), m.contact_bias()].concat();
    for frame in m.description.frames.iter().filter(|frame| frame.held) {
        let pose = m.frame_pose(frame);
        let turned =
            |x: &[Expr<'g>], i: usize| pose[i] * x[0] + pose[3 + i] * x[1] + pose[6 + i] * x[2];
        let (local, still) = (m.frame_jacobian(frame), m.frame_bias(frame));
        for (first, i) in [0, 3].into_iter().flat_map(|first| [0, 1, 2].map(|i| (first, i))) {
            let column = |dof: usize| [0, 1, 2].map(|k| local[first + k][dof]);
            rows.push((0..m.nv()).map(|dof| turned(&column(dof), i)).collect());
            bias.push(turned(&still[first..], i));
        }
    }
    let jacobian = case.square(rows);
    let mut acceleration = -case.vector(&bias);
    let mut rebound = -(&jacobian * case.v());
    let (errors, rates) = (case.values(&constraints.errors()), case.values(&constraints.rates()));
    let parameters = case.values(&m.constraint_parameters());
    let levels = m.description.constraints.iter().flat_map(|c| c.law.levels());
    for (k, level) in levels.enumerate() {
        let [alpha, prescribed, after, restitution] =
            [0, 1, 2, 3].map(|number| parameters[4 * k + number]);
        acceleration[k] += prescribed;
        acceleration[k] -= match level {
            Level::Position => 2.0 * alpha * rates[k] + alpha * alpha * errors[k],
            Level::Velocity => alpha * rates[k],
        };
        rebound[k] = after - (1.0 + restitution) * rates[k];
    }
    Asked { jacobian, acceleration, rebound }
}

/// The largest error of x and Hᵀ λ, of both quantities, if the rows that hold are independent.
fn error(case: &Case<'_>, rng: &mut Rng) -> Option<f64> {
    let (m, asked) = (case.mechanism, asked(case));
    let (rows, n) = (asked.jacobian.nrows(), m.nv());
    let chosen: Vec<usize> = (0..rows).filter(|_| rng.bool()).collect();
    let held = asked.jacobian.select_rows(&chosen);
    let (of_length_one, _) = scaled(&held, &DVector::zeros(chosen.len()))?;
    independent(&of_length_one)
        .filter(|found| found.len() == chosen.len() && !chosen.is_empty())?;
    let holds = (0..rows).map(|k| f64::from(u8::from(chosen.contains(&k)))).collect();
    let case = case.with(symbols::HOLDS, holds);
    let force = case.a() - case.vector(&case.form.bias_force());
    let matrix = bordered(&case.square(case.form.mass_matrix()), &held);
    let sizes = matrix.symmetric_eigenvalues().abs();
    let condition = sizes.max() / sizes.min();
    let constraints = m.constraints();
    let error =
        |outputs: &[_], force: &DVector<f64>, targets: &DVector<f64>, start: DVector<f64>| {
            let found = case.values(outputs);
            if found[n + rows..].iter().any(|doubt| !(0.0..=1.0).contains(doubt)) {
                return None;
            }
            let mut side = force.clone().resize_vertically(n + chosen.len(), 0.0);
            side.rows_mut(n, chosen.len()).copy_from(&targets.select_rows(&chosen));
            let expected = matrix.clone().lu().solve(&side)?;
            let x = start + expected.rows(0, n);
            let forces = -held.tr_mul(&expected.rows(n, chosen.len()));
            let lambda = DVector::from_column_slice(&found[n..n + rows]);
            let scale = 1.0 + x.amax().max(side.amax());
            let apart = (DVector::from_column_slice(&found[..n]) - &x).amax() / scale;
            let scale = 1.0 + forces.amax().max(force.amax());
            let beside = (asked.jacobian.tr_mul(&lambda) - forces).amax() / scale;
            Some(apart.max(beside) / condition)
        };
    let still = DVector::zeros(n);
    let dynamics = case.form.constrained_dynamics(&constraints);
    let impact = case.form.constrained_impact(&constraints);
    let first = error(&dynamics, &force, &asked.acceleration, still.clone())?;
    Some(first.max(error(&impact, &still, &asked.rebound, case.v())?))
}

/// With points and frames on the links that nothing hangs on.
fn with_feet(mut description: Description, rng: &mut Rng) -> Description {
    let outermost = |link: &usize| {
        let parent = jourdain_codegen::description::Parent::Link(*link);
        description.joints.iter().all(|joint| joint.parent != parent)
    };
    let ends: Vec<usize> = (0..description.links.len()).filter(outermost).take(8).collect();
    let at = || Location::token(proc_macro2::Span::call_site());
    let mut triple = || -> Triple { [0; 3].map(|_| Scalar::Number(rng.f64() - 0.5)) };
    for (k, &link) in ends.iter().enumerate() {
        let name = Name { text: format!("end {k}"), at: at() };
        if k < 4 {
            description.contacts.push(Contact {
                name,
                link,
                position: triple(),
                ..random::contact(&mut Rng::with_seed(k as u64), k, 1)
            });
        } else {
            let placement = Placement { position: triple(), ..Placement::identity() };
            description.frames.push(Frame { name, link, placement, held: true });
        }
    }
    description
}

#[test]
fn generated_motion_is_that_of_the_whole_system() {
    let all: Vec<Forms> =
        Forms::each().filter(|forms| forms.solver == Some(Solver::Factorization)).collect();
    let (mut compared, mut worst) = (0, (0.0_f64, String::new()));
    let mut check = |seed: u64, description: &Description, forms: &[Forms]| {
        with_cases(seed, description, forms, |form, case| {
            for draw in 0..4 {
                if let Some(error) = error(case, &mut Rng::with_seed(seed + draw)) {
                    compared += 1;
                    if error.is_nan() || error > worst.0 {
                        worst = (error, format!("{} {form}", description.name));
                    }
                }
            }
        });
    };
    for seed in 0..MECHANISMS {
        check(seed, &random::mechanism(seed), &[all[seed as usize % all.len()]]);
    }
    for robot in robots::descriptions() {
        check(0, &with_feet(robot, &mut Rng::with_seed(1)), &all);
    }
    println!("{compared} problems: {:.1e} of {}", worst.0, worst.1);
    assert!(worst.0 <= TOLERANCE, "{}: {:.1e}", worst.1, worst.0);
    assert!(compared > 300, "{compared}");
}
