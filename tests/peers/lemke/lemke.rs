//! The Rust half of `siconos.cpp`, with the same command line and the same numbers.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, fs};

use jourdain::lcp::{self, lemke};

struct Problem {
    m: Vec<f64>,
    q: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [problems, n, seconds] = &arguments[..] else {
        return Err("expected PROBLEMS N SECONDS".into());
    };
    let (n, seconds): (usize, f64) = (n.parse()?, seconds.parse()?);
    let bytes = fs::read(problems)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|&number| f64::from_le_bytes(number)).collect();
    let problem = |numbers: &[f64]| {
        let (m, q) = numbers.split_at(n * n);
        Problem { m: m.to_vec(), q: q.to_vec() }
    };
    let problems: Vec<Problem> = numbers.chunks_exact(n * n + n).map(problem).collect();
    let mut room = lemke::Workspace::with_capacity(n);
    time(&problems, &mut room, Duration::try_from_secs_f64(seconds)?);
    let empty = [Problem { m: vec![1.0], q: vec![1.0] }];
    time(&empty, &mut room, Duration::from_millis(10));
    let residual = |p: &Problem| {
        let solution = lemke::solve(&p.m, &p.q, &mut room).ok()?;
        let scale = p.q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
        Some(lcp::residual(&p.m, &p.q, solution.z) / scale)
    };
    let residuals: Vec<Option<f64>> = problems.iter().map(residual).collect();
    let unsolved = residuals.iter().filter(|residual| residual.is_none()).count();
    let worst = residuals.into_iter().flatten().fold(0.0, f64::max);
    println!("{unsolved}\t{worst:.1e}");
    Ok(())
}

/// Prints the nanoseconds of a solution, median and minimum.
fn time(problems: &[Problem], room: &mut lemke::Workspace, budget: Duration) {
    let begin = Instant::now();
    let mut samples = Vec::new();
    while samples.is_empty() || begin.elapsed() < budget {
        let start = Instant::now();
        for p in problems {
            let _ = black_box(lemke::solve(&p.m, &p.q, room));
        }
        samples.push(1e9 * start.elapsed().as_secs_f64() / problems.len() as f64);
    }
    samples.sort_by(f64::total_cmp);
    print!("{:.1}\t{:.1}\t", samples[samples.len() / 2], samples[0]);
}
