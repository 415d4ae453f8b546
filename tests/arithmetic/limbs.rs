//! Kernels with limbs in lanes: many states at once against one at a time, for every quantity that has
//! forms.

use fastrand::Rng;
use jourdain::kernel::{F32x16, F64x8, Input, Kernel, Number, evaluate};
use jourdain::kernels::{
    Centroidal, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, InverseMassMatrix,
    JointJacobians, MassMatrixRate, Regressor,
};
use jourdain::prelude::*;
use jourdain::quantities::Quantities;

use crate::batch::random_state;

/// A body in a plane, with four legs and two arms.
#[derive(Robot, Clone, Debug)]
#[robot(
    link(body, mass = m, com = [0.01, 0.02, 0.03], inertia = [0.2, 0.3, 0.4, 0.01, 0, 0.02]),
    joint(base, planar(world -> body)),
    link(fl, mass = 0.3, com = [0.1, 0, -0.1]),
    joint(fl_hip, revolute(body -> fl), at = [0.3, 0.2, 0], axis = [1, 0, 0]),
    link(fr, mass = 0.3, com = [0.1, 0, -0.1]),
    joint(fr_hip, revolute(body -> fr), at = [0.3, -0.2, 0], axis = [1, 0, 0]),
    link(hl, mass = 0.4, com = [-0.1, 0, -0.1]),
    joint(hl_hip, revolute(body -> hl), at = [-0.3, 0.2, 0], axis = [1, 0, 0]),
    link(hr, mass = 0.4, com = [-0.1, 0, -0.1]),
    joint(hr_hip, revolute(body -> hr), at = [-0.3, -0.2, 0], axis = [1, 0, 0]),
    link(left, mass = 0.1, com = [0, 0, 0.1]),
    joint(left_arm, prismatic(body -> left), at = [0, 0.1, 0.2], axis = [0, 0, 1]),
    link(right, mass = 0.1, com = [0, 0, 0.2]),
    joint(right_arm, prismatic(body -> right), at = [0, -0.1, 0.2], axis = [0, 0, 1]),
    kernels(all),
)]
struct Centaur {
    m: f64,
}

type State = (<Centaur as Model>::Q, <Centaur as Model>::V, <Centaur as Model>::V);

/// Compares a kernel in eight and in sixteen lanes with itself in one.
fn compare<K: Kernel>(name: &str, length: usize) {
    let rng = &mut Rng::with_seed(5);
    let states: [State; 16] = std::array::from_fn(|_| random_state::<Centaur>(rng));
    Centaur { m: 7.0 }.with_prepared(|fields| {
        let expected = states.each_ref().map(|(q, v, a)| {
            let (q, v, a) = (q.as_slice(), v.as_slice(), a.as_slice());
            let input = Input { fields, q, v, a, ..Input::default() };
            let mut output = vec![f64::NAN; length];
            evaluate::<K>(&input, &mut output);
            output
        });
        let side_by_side = |numbers: fn(&State) -> &[f64]| -> Vec<[f64; 16]> {
            let number = |k: usize| states.each_ref().map(|state| numbers(state)[k]);
            (0..numbers(&states[0]).len()).map(number).collect()
        };
        let sets = [
            fields.iter().map(|&x| [x; 16]).collect(),
            side_by_side(|(q, _, _)| q.as_slice()),
            side_by_side(|(_, v, _)| v.as_slice()),
            side_by_side(|(_, _, a)| a.as_slice()),
        ];
        let double = |x: &[f64; 16]| F64x8(std::array::from_fn(|lane| x[lane]));
        let found = in_lanes::<K, F64x8>(&sets, double, length);
        check(name, 1e-11, &expected[..8], |lane, k| found[k][lane]);
        let single = |x: &[f64; 16]| F32x16(x.map(|x| x as f32));
        let found = in_lanes::<K, F32x16>(&sets, single, length);
        check(name, 1e-3, &expected, |lane, k| f64::from(found[k][lane]));
    });
}

fn in_lanes<K: Kernel, N: Number>(
    sets: &[Vec<[f64; 16]>; 4],
    pack: impl Fn(&[f64; 16]) -> N,
    length: usize,
) -> Vec<N> {
    let [fields, q, v, a] = sets.each_ref().map(|set| set.iter().map(&pack).collect::<Vec<_>>());
    let mut output = vec![N::nearest(f64::NAN); length];
    N::evaluate::<K>(
        &Input { fields: &fields, q: &q, v: &v, a: &a, ..Input::default() },
        &mut output,
    );
    output
}

fn check(name: &str, tolerance: f64, expected: &[Vec<f64>], found: impl Fn(usize, usize) -> f64) {
    for (lane, expected) in expected.iter().enumerate() {
        let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
        for (k, &expected) in expected.iter().enumerate() {
            let found = found(lane, k);
            let same = (found - expected).abs() <= tolerance * scale;
            assert!(same, "{name}[{k}] of state {lane}: {found} instead of {expected}");
        }
    }
}

#[test]
fn limbs_of_many_states_are_those_of_one() {
    let in_lanes = |(_, operations): &&(_, jourdain::description::Operations)| {
        operations.form.contains("in lanes")
    };
    assert!(Centaur::OPERATIONS.iter().filter(in_lanes).count() >= 15);
    let nv = Centaur::NV;
    compare::<<Centaur as Quantities>::MassMatrix>("M", nv * nv);
    compare::<<Centaur as Quantities>::CoriolisMatrix>("C", nv * nv);
    compare::<<Centaur as Quantities>::GravityForce>("gravity", nv);
    compare::<<Centaur as Quantities>::BiasForce>("bias", nv);
    compare::<<Centaur as Quantities>::InverseDynamics>("ID", nv);
    compare::<<Centaur as Quantities>::ForwardDynamics>("FD", nv);
    compare::<<Centaur as Quantities>::KineticEnergy>("T", 1);
    compare::<<Centaur as Quantities>::Momentum>("momentum", 6);
    let bodies = Centaur::BODIES.len();
    compare::<<Centaur as InverseDynamicsDerivatives>::InverseDynamicsDerivativesKernel>(
        "∂ID",
        2 * nv * nv,
    );
    compare::<<Centaur as ForwardDynamicsDerivatives>::ForwardDynamicsDerivativesKernel>(
        "∂FD",
        3 * nv * nv,
    );
    compare::<<Centaur as InverseMassMatrix>::InverseMassMatrixKernel>("M⁻¹", nv * nv);
    compare::<<Centaur as MassMatrixRate>::MassMatrixRateKernel>("Ṁ", nv * nv);
    compare::<<Centaur as Centroidal>::CentroidalMatrixKernel>("A_G", 6 * nv);
    compare::<<Centaur as Centroidal>::CentroidalBiasKernel>("Ȧ_G v", 6);
    compare::<<Centaur as Centroidal>::CentroidalInertiaKernel>("inertia", 9);
    compare::<<Centaur as JointJacobians>::JointJacobiansKernel>("J", 6 * (nv + 2 * bodies));
    compare::<<Centaur as Regressor>::TorqueRegressorKernel>("Y", 10 * nv * bodies);
}
