//! Gauss' principle and its dual, the projected equations, and the energy of impacts.

use jourdain::kkt::{Method, Problem, Solver, constraint_force, impact_loss, projected_force};
use nalgebra::{DMatrix, DVector};

use crate::meaning::solved;
use crate::problems::{Case, Numbers};

/// Well-conditioned cases whose M has an inverse, with that.
fn cases(contradictory: bool) -> impl Iterator<Item = (Case, DMatrix<f64>, Numbers)> {
    (0..200).filter_map(move |seed| {
        let case = if contradictory { Case::contradictory(seed) } else { Case::random(seed) };
        let inverse = case.mass.clone().try_inverse()?;
        let condition = case.reference()?.condition;
        (case.massless.is_empty() && condition < 1e6).then(|| (case, inverse, Numbers(seed + 1)))
    })
}

/// Λ_c and N.
fn projections(case: &Case, method: Method) -> (DMatrix<f64>, DMatrix<f64>) {
    let (n, m) = (case.force.len(), case.target.len());
    let (mut inertia, mut projector) = (DMatrix::zeros(m, m), DMatrix::zeros(n, n));
    let mut solver = Solver::new(method);
    solver.project(&case.problem(), inertia.as_mut_slice(), projector.as_mut_slice()).unwrap();
    (inertia, projector)
}

/// x minimises ½ ‖x − M⁻¹ f‖²_M among all that meet the rows as well: along every direction that the
/// constraint leaves free, it is stationary and grows.
#[test]
fn gauss_principle() {
    let mut directions = 0;
    for (case, inverse, mut numbers) in cases(true) {
        let (x, _) = solved(&mut Solver::default(), &case.problem());
        let (_, projector) = projections(&case, Method::Adaptive);
        let unconstrained = &inverse * &case.force;
        let compulsion = |x: &DVector<f64>| {
            let deviation = x - &unconstrained;
            0.5 * deviation.dot(&(&case.mass * &deviation))
        };
        for _ in 0..4 {
            let direction = &projector * numbers.vector(x.len());
            let stiffness = direction.dot(&(&case.mass * &direction));
            if stiffness < 1e-6 {
                continue;
            }
            directions += 1;
            assert!((&case.jacobian * &direction).norm() < 1e-8 * (1.0 + direction.norm()));
            for step in [-1.0, 1.0] {
                let rise = compulsion(&(&x + step * &direction)) - compulsion(&x);
                let scale = compulsion(&x) + stiffness;
                assert!((rise - 0.5 * stiffness).abs() < 1e-8 * scale, "{rise} {stiffness}");
            }
        }
    }
    assert!(directions > 100);
}

/// λ minimises ½ λᵀ A λ + λᵀ (J M⁻¹ f − g): with a plus, since J M⁻¹ f is how the rows would accelerate
/// without it. The least is −½ of the first term, and the minimum of Gauss' principle with its sign turned.
#[test]
fn dual_of_gauss_principle() {
    for (case, inverse, mut numbers) in cases(false) {
        let (x, lambda) = solved(&mut Solver::default(), &case.problem());
        let delassus = &case.jacobian * &inverse * case.jacobian.transpose();
        let excess = &case.jacobian * &inverse * &case.force - &case.target;
        let dual =
            |lambda: &DVector<f64>| 0.5 * lambda.dot(&(&delassus * lambda)) + lambda.dot(&excess);
        let least = dual(&lambda);
        let scale = 1.0 + lambda.dot(&(&delassus * &lambda));
        for _ in 0..4 {
            let other = &lambda + numbers.vector(lambda.len());
            let step = &other - &lambda;
            let rise = 0.5 * step.dot(&(&delassus * &step));
            let wrong = dual(&other) - least - rise;
            assert!(wrong.abs() < 1e-9 * (scale + rise), "{wrong} {scale} {rise}");
        }
        let deviation = x - &inverse * &case.force;
        let compulsion = 0.5 * deviation.dot(&(&case.mass * &deviation));
        assert!((least + compulsion).abs() < 1e-9 * scale, "{least} {compulsion}");
    }
}

/// M x = Nᵀ f + Jᵀ Λ_c g, J N = 0, N N = N, J M⁻¹ Nᵀ = 0.
#[test]
fn projected_equations() {
    for (case, inverse, _) in cases(false) {
        let (x, _) = solved(&mut Solver::default(), &case.problem());
        let (inertia, projector) = projections(&case, Method::Adaptive);
        let mut force = DVector::zeros(x.len());
        projected_force(projector.as_slice(), case.force.as_slice(), force.as_mut_slice());
        assert!(
            (&force - projector.transpose() * &case.force).norm() < 1e-12 * (1.0 + force.norm())
        );
        constraint_force(
            case.jacobian.as_slice(),
            inertia.as_slice(),
            case.target.as_slice(),
            force.as_mut_slice(),
        );
        let scale = 1.0 + force.norm() + inertia.norm() + projector.norm();
        assert!((&case.mass * &x - force).norm() < 1e-9 * scale);
        assert!((&case.jacobian * &projector).norm() < 1e-9 * scale);
        assert!((&case.jacobian * &inverse * projector.transpose()).norm() < 1e-8 * scale);
        assert!((&projector * &projector - &projector).norm() < 1e-9 * scale * scale);
    }
}

/// The projector and the inertia where M has no inverse: those of the null-space and proximal methods agree,
/// and still J N = 0.
#[test]
fn projections_without_mass() {
    let mut met = 0;
    for seed in 0..150 {
        let case = Case::random(seed);
        let count = case.massless.len();
        if count == 0 || count == case.force.len() || case.rank().is_none() {
            continue;
        }
        met += 1;
        let (inertia, projector) = projections(&case, Method::NullSpace);
        let (other, another) = projections(&case, Method::Proximal);
        let scale = 1.0 + inertia.norm() + projector.norm();
        assert!((inertia - other).norm() < 1e-6 * scale);
        assert!((&projector - another).norm() < 1e-6 * scale);
        assert!((&case.jacobian * &projector).norm() < 1e-9 * scale);
    }
    assert!(met > 20);
}

/// M (v⁺ − v⁻) = Jᵀ Λ with J v⁺ = 0 loses ½ (J v⁻)ᵀ Λ_c (J v⁻); with J v⁺ = −e J v⁻, 1 − e² times that.
#[test]
fn energy_of_impacts() {
    for (case, _, mut numbers) in cases(false) {
        let before = numbers.vector(case.force.len());
        let velocity = &case.jacobian * &before;
        let momentum = &case.mass * &before;
        let (inertia, _) = projections(&case, Method::Adaptive);
        let loss = impact_loss(inertia.as_slice(), velocity.as_slice());
        let energy = |v: &DVector<f64>| 0.5 * v.dot(&(&case.mass * v));
        assert!(loss >= -1e-12 && loss <= energy(&before) * (1.0 + 1e-9));
        for restitution in [0.0, 0.5, 1.0] {
            let target = -restitution * &velocity;
            let problem =
                Problem { force: momentum.as_slice(), target: target.as_slice(), ..case.problem() };
            let (after, _) = solved(&mut Solver::default(), &problem);
            let lost = energy(&before) - energy(&after);
            let expected = (1.0 - restitution * restitution) * loss;
            assert!((lost - expected).abs() < 1e-9 * (1.0 + energy(&before)), "{lost} {expected}");
        }
    }
}
