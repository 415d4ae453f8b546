//! Accelerations and impacts under constraints, at random states that satisfy them, and projections onto
//! them: `cargo bench --package jourdain-tests --bench constrained`, and `-- 'Solo12/impact'` for one.

mod common;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fastrand::Rng;
use jourdain::constrained::{Assembly, Constrained, Hold};
use jourdain::prelude::*;
use jourdain_models::{Solo12, StewartPlatform};
use jourdain_tests::FreeFourBar;

use common::{quick, random};

include!(concat!(env!("OUT_DIR"), "/chain1.rs"));
include!(concat!(env!("OUT_DIR"), "/chain2.rs"));
include!(concat!(env!("OUT_DIR"), "/chain10.rs"));
include!(concat!(env!("OUT_DIR"), "/chain40.rs"));

/// States of each robot.
const STATES: usize = 32;

struct State<M: Model> {
    q: M::Q,
    /// As far from there as a step of an integrator leads.
    beside: M::Q,
    v: M::V,
    tau: M::V,
}

/// States near `q`, moved onto the constraints.
fn states<M: Model>(held: &mut Constrained<M>, q: &M::Q) -> Vec<State<M>> {
    let mut numbers = Rng::with_seed(5);
    let mut vector = |bound| random::<M::V>(&mut numbers, bound);
    let mut state = || {
        let guess = held.robot().integrate(q, &vector(0.2));
        let q = held.assemble(&guess, Assembly::Mass, 0.0).expect("near the constraints").value;
        let beside = held.robot().integrate(&q, &vector(1e-8));
        State { q, beside, v: vector(1.0), tau: vector(1.0) }
    };
    (0..STATES).map(|_| state()).collect()
}

fn bench<M: Model>(criterion: &mut Criterion, mut held: Constrained<M>, near: &M::Q) {
    let states = states(&mut held, near);
    let mut group = criterion.benchmark_group(M::NAME);
    let mut next = states.iter().cycle();
    group.bench_function("forward_dynamics", |bencher| {
        bencher.iter(|| {
            let state = next.next()?;
            black_box(held.forward_dynamics(&state.q, &state.v, &state.tau, 0.0).ok())
        });
    });
    group.bench_function("impact", |bencher| {
        bencher.iter(|| {
            let state = next.next()?;
            black_box(held.impact(&state.q, &state.v, 0.0).ok())
        });
    });
    group.bench_function("project", |bencher| {
        bencher.iter(|| {
            let state = next.next()?;
            black_box(held.project(&state.beside, &state.v, 0.0).ok())
        });
    });
    group.finish();
}

fn mechanisms(criterion: &mut Criterion) {
    let mut solo = Constrained::new(Solo12);
    for contact in Solo12::CONTACTS {
        solo.hold_contact(contact.name, Some(Hold::Point)).expect("a declared contact");
    }
    bench(criterion, solo, &Solo12::standing(0.25));
    let mut bar = FreeFourBar.neutral();
    bar.copy_from_slice(&[0.3, 0.1, 0.2]);
    bench(criterion, Constrained::new(FreeFourBar), &bar);
    let mut plate = StewartPlatform.neutral();
    plate[2] = 1.2;
    bench(criterion, Constrained::new(StewartPlatform), &plate);
    bench(criterion, Constrained::new(Chain1), &Chain1.neutral());
    bench(criterion, Constrained::new(Chain2), &Chain2.neutral());
    bench(criterion, Constrained::new(Chain10), &Chain10.neutral());
    bench(criterion, Constrained::new(Chain40), &Chain40.neutral());
}

criterion_group! {
    name = benches;
    config = quick();
    targets = mechanisms
}
criterion_main!(benches);
