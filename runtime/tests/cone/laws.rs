//! What holds for every solution: symmetry, units, the frictionless limit, physics, repetition.

use jourdain::cone::{self, Block, Law, Matrix, Problem, Settings, Workspace};
use jourdain::lcp;

use crate::problems::{Case, Gaps};

const LAWS: [Law; 2] = [Law::Coulomb, Law::Convex];
const SEEDS: u64 = if cfg!(debug_assertions) { 10 } else { 200 };

fn solved(problem: &Problem<'_>) -> Vec<f64> {
    let mut workspace = Workspace::default();
    cone::solve(problem, &Settings::default(), &mut workspace).unwrap().z.to_vec()
}

/// w = A λ + b.
fn velocities(case: &Case, lambda: &[f64]) -> Vec<f64> {
    let n = case.b.len();
    let w = |i: usize| case.b[i] + (0..n).map(|j| case.matrix[j * n + i] * lambda[j]).sum::<f64>();
    (0..n).map(w).collect()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

/// Rows and columns multiplied by `factors`, b by those and by `speed`.
fn scaled(case: &Case, factors: &[f64], (mass, speed): (f64, f64)) -> Case {
    let (mut other, n) = (case.clone(), case.b.len());
    for (k, entry) in other.matrix.iter_mut().enumerate() {
        *entry *= factors[k % n] * factors[k / n] / mass;
    }
    other.b.iter_mut().zip(factors).for_each(|(b, factor)| *b *= factor * speed);
    other
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let mut workspace = Workspace::default();
    for (seed, law) in (0..SEEDS).flat_map(|seed| LAWS.map(|law| (seed, law))) {
        let case = Case::random(seed, 1.0, Gaps::Open);
        for factored in [false, true] {
            let problem = case.problem(law, factored);
            let bits = |z: &[f64]| z.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let used = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
            let same = bits(used.z) == bits(&solved(&problem));
            assert!(same, "{seed} {law:?} {factored} {used:?}");
        }
    }
}

/// A mirror turns the second tangent and the spin around, and what turns about the first; λ mirrored solves the mirrored problem. Under the
/// convex law w is unique, and what is found for the image is the image.
#[test]
fn a_mirror_image_is_solved_by_the_image() {
    for (seed, law) in (0..SEEDS).flat_map(|seed| LAWS.map(|law| (seed, law))) {
        let case = Case::rolling(seed, 1.0, Gaps::Open);
        let mut signs = Vec::new();
        for block in &case.blocks {
            signs.extend_from_slice(&[1.0, 1.0, -1.0, -1.0, -1.0, 1.0][..block.rows()]);
        }
        let image = scaled(&case, &signs, (1.0, 1.0));
        let z: Vec<f64> = solved(&case.problem(law, false));
        let mirrored: Vec<f64> = z.iter().zip(&signs).map(|(z, sign)| z * sign).collect();
        let residual = cone::residual(&image.problem(law, false), &mirrored);
        assert!((residual - cone::residual(&case.problem(law, false), &z)).abs() < 1e-9);
        if law == Law::Convex {
            let found = velocities(&image, &solved(&image.problem(law, false)));
            let w = velocities(&case, &z).into_iter().zip(&signs).map(|(w, sign)| w * sign);
            let worst = w.zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst <= 1e-4 * largest(&case.b), "{seed}: {worst:e}");
        }
    }
}

/// Grams for kilograms and millimetres for metres; powers of two, so that nothing is rounded differently.
#[test]
fn units_change_nothing() {
    for (seed, law) in (0..SEEDS).flat_map(|seed| LAWS.map(|law| (seed, law))) {
        let case = Case::random(seed, 1.0, Gaps::Open);
        if case.blocks.iter().any(|block| block.rows() != 3) {
            continue;
        }
        let (mass, length) = (1024.0, 1024.0);
        let other = scaled(&case, &vec![1.0; case.b.len()], (mass, length));
        let z = solved(&case.problem(law, false));
        let found = solved(&other.problem(law, false));
        for (z, found) in z.iter().zip(found) {
            assert_eq!((z * mass * length).to_bits(), found.to_bits(), "{seed} {law:?}");
        }
    }
}

/// Without friction and with lower bounds only, the problem is the linear complementarity problem of its
/// normals.
#[test]
fn frictionless_contacts_are_an_lcp() {
    for (seed, law) in (0..SEEDS).flat_map(|seed| LAWS.map(|law| (seed, law))) {
        let mut case = Case::random(seed, 1.0, Gaps::Open);
        let mut normals = Vec::new();
        let mut first = 0;
        for block in &mut case.blocks {
            normals.push(first);
            first += block.rows();
            match block {
                Block::Row { lower, upper } => (*lower, *upper) = (0.0, f64::INFINITY),
                Block::Contact { friction, torsion } => {
                    (*friction, *torsion) = (0.0, torsion.map(|_| 0.0));
                }
                Block::Rolling { friction, torsion, rolling } => {
                    (*friction, *torsion, *rolling) = (0.0, 0.0, 0.0);
                }
                Block::Planar { friction } => *friction = 0.0,
                Block::Ball { radius } => *radius = 0.0,
            }
        }
        case.b.iter_mut().for_each(|b| *b = b.max(-1.0));
        let n = case.b.len();
        let mut workspace = Workspace::default();
        let problem = case.problem(law, false);
        // Rows that were bilateral may contradict others now.
        let Ok(solution) = cone::solve(&problem, &Settings::default(), &mut workspace) else {
            continue;
        };
        let matrix: Vec<f64> = normals
            .iter()
            .flat_map(|&j| normals.iter().map(move |&i| (i, j)))
            .map(|(i, j)| case.matrix[j * n + i])
            .collect();
        let b: Vec<f64> = normals.iter().map(|&i| case.b[i]).collect();
        let z: Vec<f64> = normals.iter().map(|&i| solution.z[i]).collect();
        let scale = largest(&matrix).max(1.0);
        assert!(lcp::residual(&matrix, &b, &z) <= 1e-8 * scale, "{seed}");
        let along = solution.z.iter().enumerate().filter(|(i, _)| !normals.contains(i));
        assert!(along.into_iter().all(|(_, x)| *x == 0.0));
    }
}

/// Impulses lie in their cones, w does not approach, and contacts do no work: ½ λᵀ (w + w₀) ≤ 0 with b = w₀ the
/// velocity before, and gaps of zero.
#[test]
fn impacts_lose_energy() {
    for (seed, law) in (0..SEEDS).flat_map(|seed| LAWS.map(|law| (seed, law))) {
        let case = Case::rolling(seed, 1.0, Gaps::Open).touching();
        let z = solved(&case.problem(law, false));
        let w = velocities(&case, &z);
        let work: f64 =
            z.iter().zip(w.iter().zip(&case.b)).map(|(z, (w, b))| 0.5 * z * (w + b)).sum();
        assert!(work <= 1e-9, "{seed} {law:?}: {work:e}");
        let mut first = 0;
        for block in &case.blocks {
            if let Block::Rolling { rolling, .. } = *block {
                let turning = z[first + 4].hypot(z[first + 5]) - rolling * z[first];
                assert!(turning <= 1e-7 * largest(&z), "{seed} {law:?}: {turning:e}");
            }
            if let Block::Contact { friction, torsion } = *block {
                let normal = z[first];
                assert!(z[first + 1].hypot(z[first + 2]) <= friction * normal + 1e-7 * largest(&z));
                let spin = torsion.map_or(0.0, |lever| z[first + 3].abs() - lever * normal);
                assert!(normal >= -1e-7 && w[first] >= -1e-7 && spin <= 1e-7 * largest(&z));
            }
            first += block.rows();
        }
    }
}

/// A problem by its factors has the solution of the same by its entries.
#[test]
fn factors_are_the_matrix() {
    for (seed, law) in (0..SEEDS).flat_map(|seed| LAWS.map(|law| (seed, law))) {
        let case = Case::random(seed, 0.5, Gaps::Open).damped();
        let z = solved(&case.problem(law, true));
        let residual = cone::residual(&case.problem(law, false), &z);
        assert!(residual <= 1e-8 * largest(&case.b), "{seed} {law:?}: {residual:e}");
    }
}

/// A light ball between two heavy ones of 10⁶ times its mass, falling on each other.
#[test]
fn a_mass_ratio_of_a_million() {
    let masses = [1e3, 1e-3, 1e3];
    let mut matrix = vec![0.0; 81];
    // Three contacts: ground – heavy, heavy – light, light – heavy, each the lower body and the upper one.
    let pairs = [(None, 0), (Some(0), 1), (Some(1), 2)];
    let sign = |contact: usize, body: usize| match pairs[contact] {
        (_, upper) if upper == body => 1.0,
        (Some(lower), _) if lower == body => -1.0,
        _ => 0.0,
    };
    for (k, entry) in matrix.iter_mut().enumerate() {
        let (i, j) = (k % 9, k / 9);
        if i % 3 == j % 3 {
            let shared = |body: usize| sign(i / 3, body) * sign(j / 3, body) / masses[body];
            *entry = (0..3).map(shared).sum();
        }
    }
    let fall = 0.0981;
    let b = [-fall, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let blocks = [Block::Contact { friction: 0.5, torsion: None }; 3];
    for law in LAWS {
        let problem = Problem { matrix: Matrix::Delassus(&matrix), b: &b, blocks: &blocks, law };
        let z = solved(&problem);
        let weights = [masses[0] + masses[1] + masses[2], masses[1] + masses[2], masses[2]];
        for (k, weight) in weights.iter().enumerate() {
            assert!((z[3 * k] / (fall * weight) - 1.0).abs() < 1e-6, "{z:?}");
        }
    }
}
