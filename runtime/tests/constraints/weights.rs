//! Assemblies by weights of very different size, against dense references.

use jourdain::constrained::{Assembled, Assembly, Constrained};
use jourdain::manifold::integrate;
use jourdain::prelude::*;
use nalgebra::{DMatrix, DVector, SVector, vector};

use crate::nearest::{FiveBars, Hanging, Numbers, Sphere};

/// Three slides tied by two rows that are linear in them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, massless),
    joint(x, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, massless),
    joint(y, prismatic(a -> b), axis = [0, 1, 0]),
    link(c, mass = 1),
    joint(z, prismatic(b -> c), axis = [0, 0, 1]),
    link(d, mass = 1),
    joint(w, prismatic(world -> d), axis = [1, 0, 0]),
    constraint(one, h = x + p * y - z + 0.5 * w - 1),
    constraint(two, h = 0.3 * x - y + p * z + w + t),
)]
struct Slides {
    p: f64,
}

/// The change of which ½ xᵀ W x is least with H x = g, from its equations in the units of the weights; one
/// for a weight of zero.
fn nearest_change(h: &DMatrix<f64>, weights: &[f64], g: &DVector<f64>) -> DVector<f64> {
    let (m, n) = h.shape();
    let unit =
        DVector::from_iterator(n, weights.iter().map(|w| if *w > 0.0 { w.sqrt() } else { 1.0 }));
    let scaled = DMatrix::from_fn(m, n, |i, j| h[(i, j)] / unit[j]);
    let mut system = DMatrix::zeros(n + m, n + m);
    (0..n).filter(|&k| weights[k] > 0.0).for_each(|k| system[(k, k)] = 1.0);
    system.view_mut((0, n), (n, m)).copy_from(&scaled.transpose());
    system.view_mut((n, 0), (m, n)).copy_from(&scaled);
    let mut side = DVector::zeros(n + m);
    side.rows_mut(n, m).copy_from(g);
    let solution = system.full_piv_lu().solve(&side).unwrap();
    solution.rows(0, n).component_div(&unit)
}

/// Weights from 1e-8 to 1, a few of them zero.
fn weights(count: usize, zeros: usize, numbers: &mut Numbers) -> Vec<f64> {
    weights_down_to(-8.0, (count, zeros), numbers)
}

/// Weights from that power of ten to 1.
fn weights_down_to(power: f64, (count, zeros): (usize, usize), numbers: &mut Numbers) -> Vec<f64> {
    let mut weights: Vec<f64> =
        (0..count).map(|_| 10_f64.powf(0.5 * power * (1.0 - numbers.next()))).collect();
    for _ in 0..zeros {
        let place = numbers.below(count);
        weights[place] = 0.0;
    }
    weights
}

#[test]
fn configurations_are_the_nearest_by_weights_of_any_size() {
    let numbers = &mut Numbers(5);
    for k in 0..60 {
        let robot = Slides { p: numbers.next() };
        let guess = SVector::<f64, 4>::from_fn(|_, _| numbers.next());
        let weights = weights(4, k % 2, numbers);
        let mut held = Constrained::new(robot);
        let found = held.assemble(&guess, Assembly::Weights(&weights), 0.3).unwrap();
        let h = robot.constraint_jacobian(&guess, &SVector::zeros(), 0.3);
        let (h, g) =
            (DMatrix::from_column_slice(2, 4, h.as_slice()), -robot.constraint(&guess, 0.3));
        let change = nearest_change(&h, &weights, &DVector::from_column_slice(g.as_slice()));
        let apart = DVector::from_column_slice((found.value - guess).as_slice()) - change;
        assert!(apart.amax() < 1e-9, "{weights:?}: {:e} {found:?}", apart.amax());
        assert!(found.is_nearest(), "{weights:?}: {found:?}");
    }
}

/// Down to 1e-20 beside 1, whatever the order of coordinates.
#[test]
fn the_least_weights_that_are_told_from_none() {
    let numbers = &mut Numbers(23);
    for (power, k) in [-12, -16, -20].into_iter().flat_map(|power| (0..64).map(move |k| (power, k)))
    {
        let robot = Slides { p: numbers.next() };
        let guess = SVector::<f64, 4>::from_fn(|_, _| numbers.next());
        let mut weights = weights_down_to(f64::from(power), (4, 0), numbers);
        (weights[k % 4], weights[(k / 4) % 4]) = (10_f64.powi(power), 1.0);
        let (mut held, by) = (Constrained::new(robot), Assembly::Weights(&weights));
        let h = robot.constraint_jacobian(&guess, &SVector::zeros(), 0.3);
        let h = DMatrix::from_column_slice(2, 4, h.as_slice());
        let check = |found: &Assembled<SVector<f64, 4>>, missing: SVector<f64, 2>| {
            let missing = DVector::from_column_slice(missing.as_slice());
            let change = nearest_change(&h, &weights, &missing);
            let apart = DVector::from_column_slice((found.value - guess).as_slice()) - &change;
            let wrong = apart.amax() / (1.0 + change.amax());
            assert!(wrong < 1e-11 && found.is_nearest(), "{weights:?}: {wrong:e} {found:?}");
        };
        let found = held.assemble(&guess, by, 0.3).unwrap();
        check(&found, -robot.constraint(&guess, 0.3));
        let v = held.assemble_velocity(&found.value, &guess, by, 0.3).unwrap();
        check(&v, -robot.constraint_rate(&found.value, &guess, 0.3));
    }
}

/// The nearest point of the unit sphere, by Lagrange: xₖ = wₖ gₖ / (wₖ + μ), the μ > −min w that gives |x| = 1.
fn on_the_sphere(guess: &SVector<f64, 3>, weights: &SVector<f64, 3>) -> SVector<f64, 3> {
    let at = |mu: f64| guess.zip_map(weights, |g, w| w * g / (w + mu));
    let (mut low, mut high) = (-weights.min(), 1e3);
    for _ in 0..400 {
        let middle = 0.5 * (low + high);
        if at(middle).norm() > 1.0 { low = middle } else { high = middle }
    }
    at(high)
}

#[test]
fn the_nearest_point_of_a_sphere_by_weights_of_any_size() {
    let (mut robot, numbers) = (Constrained::new(Sphere), &mut Numbers(2));
    for _ in 0..100 {
        let direction = SVector::<f64, 3>::from_fn(|_, _| numbers.next()).normalize();
        let guess = direction * (1.0 + 0.3 * numbers.next());
        let weights = SVector::<f64, 3>::from_column_slice(&weights(3, 0, numbers));
        let by = Assembly::Weights(weights.as_slice());
        let found = robot.assemble(&guess, by, 0.0).unwrap();
        assert!(found.is_nearest(), "{guess} {weights}: {found:?}");
        let expected = on_the_sphere(&guess, &weights);
        assert!((found.value - expected).amax() < 1e-7, "{guess} {weights}: {found:?}");
    }
}

#[test]
fn velocities_are_the_nearest_by_weights_of_any_size() {
    let numbers = &mut Numbers(13);
    for k in 0..40 {
        let robot = Hanging { side: numbers.next(), long: numbers.between(1.0, 2.0) };
        let mut held = Constrained::new(robot);
        let Ok(there) = held.assemble(&robot.neutral(), Assembly::Mass, 0.0) else { continue };
        let q = there.value;
        let wanted = SVector::<f64, 10>::from_fn(|_, _| numbers.next());
        let weights = weights(10, k % 3, numbers);
        let found = held.assemble_velocity(&q, &wanted, Assembly::Weights(&weights), 0.0).unwrap();
        let h = robot.constraint_jacobian(&q, &wanted, 0.0);
        let (rows, missing) = (h.nrows(), -(h * wanted));
        let h = DMatrix::from_column_slice(rows, 10, h.as_slice());
        let change = nearest_change(&h, &weights, &DVector::from_column_slice(missing.as_slice()));
        let apart = DVector::from_column_slice((found.value - wanted).as_slice()) - change;
        assert!(apart.amax() < 1e-8, "{weights:?}: {:e} {found:?}", apart.amax());
        assert!(found.is_nearest() && found.steps < 4, "{weights:?}: {found:?}");
    }
}

/// What has no weight takes all of the motion, however little all else weighs.
#[test]
fn what_has_no_weight_moves_before_what_has_little() {
    let mut held = Constrained::new(Slides { p: 0.4 });
    let (guess, weights) = (vector![0.1, 0.2, 0.3, 0.4], [1e-8, 0.0, 0.0, 1.0]);
    let found = held.assemble(&guess, Assembly::Weights(&weights), 0.0).unwrap();
    let moved = found.value - guess;
    assert!(moved[0].abs() < 1e-12 && moved[3].abs() < 1e-12 && moved[2].abs() > 0.1, "{moved}");
    let v = held.assemble_velocity(&found.value, &guess, Assembly::Weights(&weights), 0.0).unwrap();
    let moved = v.value - guess;
    assert!(moved[0].abs() < 1e-12 && moved[3].abs() < 1e-12 && moved[2].abs() > 0.1, "{moved}");
}

/// Whether an assembly there is the nearest; the weight of the last coordinate is not small.
fn is_nearest<M: Model>(robot: M, guess: &M::Q, numbers: &mut Numbers) -> bool {
    let mut weights = weights(M::NV, 2, numbers);
    weights[M::NV - 1] += 0.1;
    let found = Constrained::new(robot).assemble(guess, Assembly::Weights(&weights), 0.0).unwrap();
    found.is_nearest()
}

#[test]
fn linkages_are_assembled_at_the_nearest_by_weights_of_any_size() {
    let numbers = &mut Numbers(17);
    for _ in 0..60 {
        let mut length = || numbers.between(0.6, 1.4);
        let robot =
            FiveBars { first: length(), second: length(), third: length(), fourth: length() };
        let guess = SVector::from_fn(|_, _| numbers.between(-2.0, 2.0));
        assert!(is_nearest(robot, &guess, numbers), "{robot:?} {guess}");
    }
    let mut found = 0;
    for _ in 0..20 {
        let robot = Hanging { side: numbers.next(), long: numbers.between(1.0, 2.0) };
        let mut guess = robot.neutral();
        let moved: Vec<f64> = (0..Hanging::NV).map(|_| numbers.next()).collect();
        integrate(Hanging::JOINTS, &moved, 1.0, guess.as_mut_slice());
        found += usize::from(is_nearest(robot, &guess, numbers));
    }
    assert!(found >= 19, "{found}");
}
