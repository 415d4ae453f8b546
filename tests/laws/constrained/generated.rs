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
    let (touching, still) = (m.contact_jacobian(), m.contact_bias());
    let (mut rows, mut bias) = (constraints.jacobian(), constraints.bias());
    for (k, contact) in m.description.contacts.iter().enumerate() {
        if !contact.surface.turns() {
            rows.extend_from_slice(&touching[3 * k..3 * k + 3]);
            bias.extend_from_slice(&still[3 * k..3 * k + 3]);
        }
    }
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

/// Some of the rows that may hold, which are asked for something beyond what they ask for themselves.
struct Problem<'g> {
    case: Case<'g>,
    asked: Asked,
    chosen: Vec<usize>,
}

impl<'g> Problem<'g> {
    /// One in `share` of the rows holds.
    fn draw(case: &Case<'g>, share: usize, rng: &mut Rng) -> Self {
        let mut asked = asked(case);
        let rows = asked.jacobian.nrows();
        let chosen: Vec<usize> = (0..rows).filter(|_| rng.usize(..share) == 0).collect();
        let holds = (0..rows).map(|k| f64::from(u8::from(chosen.contains(&k)))).collect();
        let beyond: Vec<f64> = (0..rows).map(|_| rng.f64() - 0.5).collect();
        asked.acceleration += DVector::from_column_slice(&beyond);
        asked.rebound += DVector::from_column_slice(&beyond);
        let case = case.with(symbols::HOLDS, holds).with(symbols::ASKED, beyond);
        Self { case, asked, chosen }
    }

    fn held(&self) -> DMatrix<f64> {
        self.asked.jacobian.select_rows(&self.chosen)
    }

    /// Whether the rows that hold are independent; none if that is not clear.
    fn is_regular(&self) -> Option<bool> {
        let rows = self.chosen.len();
        let (of_length_one, _) = scaled(&self.held(), &DVector::zeros(rows))?;
        Some(independent(&of_length_one)?.len() == rows)
    }

    /// v̇ or v⁺, and λ; none where they are doubted.
    fn trusted(&self, outputs: &[Expr<'g>]) -> Option<(DVector<f64>, DVector<f64>)> {
        let (found, n) = (self.case.values(outputs), self.case.mechanism.nv());
        let (doubt, found) = found.split_last().expect("a doubt");
        let (x, lambda) = found.split_at(n);
        let given = || (DVector::from_column_slice(x), DVector::from_column_slice(lambda));
        (0.0..=1.0).contains(doubt).then(given)
    }

    /// The largest error of x and Hᵀ λ where M x − Hᵀ λ = f, H x = g, but for a start x₀.
    fn error(
        &self,
        (x, lambda): &(DVector<f64>, DVector<f64>),
        (force, targets, start): (&DVector<f64>, &DVector<f64>, DVector<f64>),
    ) -> f64 {
        let (held, n, rows) = (self.held(), start.len(), self.chosen.len());
        let matrix = bordered(&self.case.square(self.case.form.mass_matrix()), &held);
        let sizes = matrix.symmetric_eigenvalues().abs();
        let mut side = force.clone().resize_vertically(n + rows, 0.0);
        side.rows_mut(n, rows).copy_from(&targets.select_rows(&self.chosen));
        let expected = matrix.lu().solve(&side).expect("a regular system");
        let accelerated = start + expected.rows(0, n);
        let forces = -held.tr_mul(&expected.rows(n, rows));
        let scale = 1.0 + accelerated.amax().max(side.amax());
        let apart = (x - &accelerated).amax() / scale;
        let scale = 1.0 + forces.amax().max(force.amax());
        let beside = (self.asked.jacobian.tr_mul(lambda) - forces).amax() / scale;
        apart.max(beside) * sizes.min() / sizes.max()
    }
}

/// Problems, and how they were solved.
#[derive(Default)]
struct Count {
    dependent: usize,
    independent: usize,
    trusted: usize,
    worst: f64,
}

impl Count {
    fn check(&mut self, case: &Case<'_>, draw: usize, rng: &mut Rng) {
        let problem = Problem::draw(case, 2 << draw, rng);
        let (case, constraints) = (&problem.case, case.mechanism.constraints());
        let Some(is_regular) = problem.is_regular().filter(|_| !problem.chosen.is_empty()) else {
            return;
        };
        let dynamics = problem.trusted(&case.form.constrained_dynamics(&constraints));
        let impact = problem.trusted(&case.form.constrained_impact(&constraints));
        if !is_regular {
            self.dependent += 1;
            assert!(dynamics.is_none() && impact.is_none(), "dependent rows are trusted");
            return;
        }
        self.independent += 1;
        let (Some(dynamics), Some(impact)) = (dynamics, impact) else { return };
        self.trusted += 1;
        let still = DVector::zeros(case.mechanism.nv());
        let force = case.a() - case.vector(&case.form.bias_force());
        let Asked { acceleration, rebound, .. } = &problem.asked;
        let errors = [
            problem.error(&dynamics, (&force, acceleration, still.clone())),
            problem.error(&impact, (&still, rebound, case.v())),
        ];
        for error in errors {
            self.worst = if error.is_nan() { f64::INFINITY } else { self.worst.max(error) };
        }
    }
}

/// Links that carry no others.
pub(crate) fn outermost(description: &Description) -> impl Iterator<Item = usize> {
    (0..description.links.len()).filter(|link| {
        let parent = jourdain_codegen::description::Parent::Link(*link);
        description.joints.iter().all(|joint| joint.parent != parent)
    })
}

/// With points and frames on the links that nothing hangs on.
pub(crate) fn with_feet(mut description: Description, rng: &mut Rng) -> Description {
    let ends: Vec<usize> = outermost(&description).take(8).collect();
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
    let check = |seed: u64, description: &Description, forms: &[Forms]| {
        let mut count = Count::default();
        with_cases(seed, description, forms, |_, case| {
            (0..4)
                .for_each(|draw| count.check(case, draw, &mut Rng::with_seed(seed + draw as u64)));
        });
        assert!(count.worst <= TOLERANCE, "{}: {:.1e}", description.name, count.worst);
        count
    };
    let mut all_random = Count::default();
    for seed in 0..MECHANISMS {
        let count = check(seed, &random::mechanism(seed), &[all[seed as usize % all.len()]]);
        all_random.dependent += count.dependent;
        all_random.independent += count.independent;
        all_random.trusted += count.trusted;
    }
    let Count { dependent, independent, trusted, .. } = all_random;
    println!("random: {trusted} of {independent} trusted; {dependent} with dependent rows");
    assert!(trusted > 200 && 10 * trusted > 9 * independent && dependent > 20);
    for robot in robots::descriptions() {
        let robot = with_feet(robot, &mut Rng::with_seed(1));
        let Count { dependent, independent, trusted, worst } = check(0, &robot, &all);
        println!(
            "{}: {trusted} of {independent} trusted, {worst:.1e}; {dependent} with dependent rows",
            robot.name
        );
        assert!(trusted == independent, "{}: {trusted} of {independent}", robot.name);
    }
}
