//! Every kernel of every robot of the models, at random states: `cargo bench`, or
//! `cargo bench --package jourdain-tests -- 'Solo12/mass_matrix'` for some. The whole takes some two minutes.

mod common;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use fastrand::Rng;
use jourdain::Model;
use jourdain::kernel::{Input, evaluate};
use jourdain::model::FrameQuantity;
use jourdain::space::Storage;
use jourdain_models::{
    Acrobot, CartPole, DoublePendulum, G1, Go2, HollowBall, Panda, SlidingBrick, Solo12, Ur5,
    WheeledBrick,
};

use common::{quick, random};

/// States of each robot; more than a branch predictor remembers.
const STATES: usize = 128;

type Evaluate = fn(&Input<'_, f64>, &mut [f64]);

/// Every kernel that depends on a state.
fn kernels<M: Model>() -> [(&'static str, Evaluate); 16] {
    [
        ("mass_matrix", evaluate::<M::MassMatrix>),
        ("coriolis_matrix", evaluate::<M::CoriolisMatrix>),
        ("gravity_force", evaluate::<M::GravityForce>),
        ("bias_force", evaluate::<M::BiasForce>),
        ("inverse_dynamics", evaluate::<M::InverseDynamics>),
        ("forward_dynamics", evaluate::<M::ForwardDynamics>),
        ("kinetic_energy", evaluate::<M::KineticEnergy>),
        ("potential_energy", evaluate::<M::PotentialEnergy>),
        ("center_of_mass", evaluate::<M::CenterOfMass>),
        ("momentum", evaluate::<M::Momentum>),
        ("passive_force", evaluate::<M::PassiveForce>),
        ("link_poses", evaluate::<M::LinkPoses>),
        ("gap", evaluate::<M::Gap>),
        ("contact_jacobian", evaluate::<M::ContactJacobian>),
        ("contact_bias", evaluate::<M::ContactBias>),
        ("contact_points", evaluate::<M::ContactPoints>),
    ]
}

/// The kernels of a declared frame.
const FRAME_KERNELS: [(&str, FrameQuantity); 3] = [
    ("frame_pose", FrameQuantity::Pose),
    ("frame_jacobian", FrameQuantity::Jacobian),
    ("frame_bias", FrameQuantity::Bias),
];

/// Room for the results of any kernel.
fn room<M: Model>() -> Vec<f64> {
    let lengths = [M::NV * M::NV, 3 * M::CONTACTS.len() * M::NV, 12 * M::LINKS.len(), 6 * M::NV];
    vec![0.0; lengths.into_iter().max().unwrap_or(0).max(6)]
}

struct State<M: Model> {
    q: M::Q,
    v: M::V,
    a: M::V,
}

fn random_states<M: Model>(robot: &M) -> Vec<State<M>> {
    let mut numbers = Rng::with_seed(3);
    let mut vector = |bound| random::<M::V>(&mut numbers, bound);
    let mut state = || State {
        q: robot.integrate(&robot.neutral(), &vector(3.0)),
        v: vector(1.0),
        a: vector(1.0),
    };
    (0..STATES).map(|_| state()).collect()
}

fn robot<M: Model>(criterion: &mut Criterion, robot: &M) {
    let states = random_states(robot);
    let fields = robot.fields();
    let inputs = states.iter().map(|State { q, v, a }| Input {
        fields: fields.as_ref(),
        q: q.as_slice(),
        v: v.as_slice(),
        a: a.as_slice(),
        ..Input::default()
    });
    let inputs: Vec<_> = inputs.collect();
    let mut group = criterion.benchmark_group(M::NAME);
    for (name, evaluate) in kernels::<M>() {
        bench::<M>(&mut group, name, &inputs, evaluate);
    }
    for (index, frame) in M::FRAMES.iter().enumerate() {
        for (name, quantity) in FRAME_KERNELS {
            let evaluate = |input: &Input<'_, f64>, out: &mut [f64]| {
                M::write_frame(index, quantity, input, out);
            };
            bench::<M>(&mut group, &format!("{name}/{}", frame.name), &inputs, evaluate);
        }
    }
}

fn bench<M: Model>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    inputs: &[Input<'_, f64>],
    evaluate: impl Fn(&Input<'_, f64>, &mut [f64]),
) {
    let mut out = room::<M>();
    let mut inputs = inputs.iter().cycle();
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            if let Some(input) = inputs.next() {
                evaluate(input, black_box(&mut out));
            }
        });
    });
}

fn robots(criterion: &mut Criterion) {
    robot(criterion, &DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 });
    let acrobot = Acrobot { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5, height: 1.2, mu: 0.8, e: 0.3 };
    robot(criterion, &acrobot);
    robot(criterion, &CartPole { mc: 1.0, mp: 0.2, l: 0.5 });
    robot(criterion, &HollowBall { m: 1.0, r: 0.1, mu: 0.5, e: 0.5 });
    robot(criterion, &WheeledBrick { m: 1.0, e: 0.5 });
    robot(criterion, &SlidingBrick { m: 1.0, mu: 0.5 });
    robot(criterion, &Ur5);
    robot(criterion, &Panda);
    robot(criterion, &Solo12);
    robot(criterion, &Go2);
    robot(criterion, &G1);
}

criterion_group! {
    name = benches;
    config = quick();
    targets = robots
}
criterion_main!(benches);
