//! Contact problems on the round friction cone: `cargo bench --package jourdain-tests --bench cone`.
//!
//! Random regular problems, from no impulse (cold) and from the solution of a problem that differs by a hundredth
//! (warm), or of the same problem (same); and points on one free body, given by factors.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fastrand::Rng;
use jourdain::cone::{self, Block, Law, Matrix, Problem, Settings, Workspace};

/// Problems of each size.
const PROBLEMS: usize = 16;
const FRICTION: f64 = 0.8;

/// Rows of a factor Y, and b and another b near it, both velocities of a motion.
struct Case {
    rows: Vec<f64>,
    matrix: Vec<f64>,
    damping: Vec<f64>,
    b: [Vec<f64>; 2],
}

impl Case {
    fn random(contacts: usize, width: usize, numbers: &mut Rng) -> Self {
        let n = 3 * contacts;
        let mut number = || numbers.f64() + numbers.f64() + numbers.f64() - 1.5;
        let rows: Vec<f64> = (0..n * width).map(|_| number()).collect();
        let row = |i: usize| &rows[i * width..(i + 1) * width];
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let velocity: Vec<f64> = (0..width).map(|_| number()).collect();
        let near: Vec<f64> = velocity.iter().map(|v| v * (1.0 + 0.01 * number())).collect();
        let b = [&velocity, &near].map(|v| (0..n).map(|i| dot(row(i), v)).collect());
        let matrix = match width < n {
            true => Vec::new(),
            false => (0..n * n).map(|k| dot(row(k % n), row(k / n))).collect(),
        };
        Self { damping: vec![0.0; n], b, matrix, rows }
    }

    fn problem<'a>(&'a self, b: usize, blocks: &'a [Block], law: Law) -> Problem<'a> {
        let matrix = match self.matrix.is_empty() {
            true => Matrix::Factor { rows: &self.rows, damping: &self.damping },
            false => Matrix::Delassus(&self.matrix),
        };
        Problem { matrix, b: &self.b[b], blocks, law }
    }
}

fn bench(criterion: &mut Criterion, name: &str, (contacts, width): (usize, usize), law: Law) {
    let numbers = &mut Rng::with_seed(7);
    let blocks = vec![Block::Contact { friction: FRICTION, torsion: None }; contacts];
    let (mut workspace, settings) = (Workspace::default(), Settings::default());
    let mut group = criterion.benchmark_group(name);
    let mut solved = Vec::new();
    while solved.len() < PROBLEMS {
        let case = Case::random(contacts, width, numbers);
        let problem = case.problem(0, &blocks, law);
        if let Ok(solution) = cone::solve(&problem, &settings, &mut workspace) {
            let z = solution.z.to_vec();
            solved.push((case, z));
        }
    }
    for (way, b, warm) in [("cold", 0, false), ("warm", 1, true), ("same", 0, true)] {
        let mut next = solved.iter().cycle();
        group.bench_function(BenchmarkId::new(way, contacts), |bencher| {
            bencher.iter(|| {
                let (case, z) = next.next()?;
                if warm {
                    workspace.start(z);
                }
                let problem = case.problem(b, &blocks, law);
                Some(black_box(cone::solve(&problem, &settings, &mut workspace).is_ok()))
            });
        });
    }
    group.finish();
}

fn contacts(criterion: &mut Criterion) {
    for contacts in [4, 8, 16, 32, 64] {
        let size = (contacts, 3 * contacts + 6);
        bench(criterion, "coulomb", size, Law::Coulomb);
        bench(criterion, "convex", size, Law::Convex);
    }
    for contacts in [4, 10, 40, 100, 400] {
        bench(criterion, "one body", (contacts, 6), Law::Coulomb);
    }
}

/// Half a second a measurement.
fn quick() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
}

criterion_group! {
    name = benches;
    config = quick();
    targets = contacts
}
criterion_main!(benches);
