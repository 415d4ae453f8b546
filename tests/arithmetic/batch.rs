//! Many states at once against one state at a time.

use fastrand::Rng;
use jourdain::batch::{Batch, F32x16, F64x8, LengthError, Number};
use jourdain::description::Chart;
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_models::{Acrobot, Go2, HollowBall, Ur5};

pub(crate) const ACROBOT: Acrobot =
    Acrobot { m1: 1.0, m2: 0.8, l1: 0.5, l2: 0.7, height: 1.5, mu: 0.5, e: 0.1 };

/// Random states one after the other, and what one state at a time gives for them.
struct States {
    count: usize,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    results: Vec<Vec<f64>>,
}

/// The quantities that are compared, of models of any size.
const QUANTITIES: usize = 4;

impl States {
    fn random<M: Model>(model: &M, count: usize) -> Self {
        let rng = &mut Rng::with_seed(count as u64);
        let mut states =
            Self { count, q: vec![], v: vec![], a: vec![], results: vec![vec![]; QUANTITIES] };
        for _ in 0..count {
            let (q, v, a) = random_state::<M>(rng);
            states.q.extend(q.as_slice());
            states.v.extend(v.as_slice());
            states.a.extend(a.as_slice());
            let [first, second, third, fourth] = &mut states.results[..] else { return states };
            first.extend(model.inverse_dynamics(&q, &v, &a).as_slice());
            second.extend(model.forward_dynamics(&q, &v, &a).as_slice());
            third.extend(model.mass_matrix(&q).as_slice());
            fourth.push(model.kinetic_energy(&q, &v));
        }
        states
    }

    /// What a batch of one layout gives for the same states, to a relative error of `tolerance`.
    fn compare<M: Model, N: Number>(
        &self,
        batch: &Batch<'_, M, N>,
        layout: impl Layout<N>,
        tolerance: f64,
    ) {
        let lay = |x: &[f64], width| layout.lay_out(x, self.count, width);
        let (q, v, a) = (lay(&self.q, M::NQ), lay(&self.v, M::NV), lay(&self.a, M::NV));
        for (k, expected) in self.results.iter().enumerate() {
            let width = expected.len() / self.count;
            let mut output = lay(&vec![f64::NAN; expected.len()], width);
            let done = match k {
                0 => batch.inverse_dynamics(&q, &v, &a, &mut output),
                1 => batch.forward_dynamics(&q, &v, &a, &mut output),
                2 => batch.mass_matrix(&q, &mut output),
                _ => batch.kinetic_energy(&q, &v, &mut output),
            };
            done.expect("all slices hold as many states");
            let found = layout.read(&output, self.count, width);
            let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
            for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
                let same = (found - expected).abs() <= tolerance * scale;
                assert!(same, "{} {k}[{place}]: {found} instead of {expected}", M::NAME);
            }
        }
    }
}

pub(crate) fn random_state<M: Model>(rng: &mut Rng) -> (M::Q, M::V, M::V) {
    let (mut q, mut v, mut a) = (M::Q::zeros(), M::V::zeros(), M::V::zeros());
    for x in [q.as_mut_slice(), v.as_mut_slice(), a.as_mut_slice()] {
        x.iter_mut().for_each(|x| *x = 2.0 * rng.f64() - 1.0);
    }
    for joint in M::JOINTS.iter().filter(|joint| joint.chart != Chart::Vector) {
        let last = joint.q + joint.nq;
        let quaternion = &mut q.as_mut_slice()[last - 4..last];
        let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        quaternion.iter_mut().for_each(|x| *x /= norm);
    }
    (q, v, a)
}

/// How numbers of one type hold rows of `width` numbers.
trait Layout<N> {
    fn lay_out(&self, rows: &[f64], count: usize, width: usize) -> Vec<N>;
    fn read(&self, numbers: &[N], count: usize, width: usize) -> Vec<f64>;
}

/// One state after the other.
struct Rows;

impl Layout<f64> for Rows {
    fn lay_out(&self, rows: &[f64], _: usize, _: usize) -> Vec<f64> {
        rows.to_vec()
    }

    fn read(&self, numbers: &[f64], _: usize, _: usize) -> Vec<f64> {
        numbers.to_vec()
    }
}

impl Layout<f32> for Rows {
    fn lay_out(&self, rows: &[f64], _: usize, _: usize) -> Vec<f32> {
        rows.iter().map(|&x| x as f32).collect()
    }

    fn read(&self, numbers: &[f32], _: usize, _: usize) -> Vec<f64> {
        numbers.iter().map(|&x| f64::from(x)).collect()
    }
}

/// Several states side by side; the last states fill up the rest.
struct Columns;

macro_rules! columns {
    ($Lanes:ident: $real:ident, $K:literal) => {
        impl Layout<$Lanes> for Columns {
            fn lay_out(&self, rows: &[f64], count: usize, width: usize) -> Vec<$Lanes> {
                let number = |block: usize, k: usize| {
                    let state = |lane: usize| (block * $K + lane).min(count - 1);
                    $Lanes::from(std::array::from_fn(|lane| rows[state(lane) * width + k] as $real))
                };
                let blocks = 0..count.div_ceil($K);
                blocks.flat_map(|block| (0..width).map(move |k| number(block, k))).collect()
            }

            fn read(&self, numbers: &[$Lanes], count: usize, width: usize) -> Vec<f64> {
                let number =
                    |state: usize, k: usize| f64::from(numbers[state / $K * width + k][state % $K]);
                (0..count).flat_map(|state| (0..width).map(move |k| number(state, k))).collect()
            }
        }
    };
}

columns!(F64x8: f64, 8);
columns!(F32x16: f32, 16);

fn agrees<M: Model>(model: &M) {
    for count in [1, 7, 8, 37] {
        let states = States::random(model, count);
        states.compare(&model.batch::<f64>(), Rows, 1e-12);
        states.compare(&model.batch::<F64x8>(), Columns, 1e-12);
        states.compare(&model.batch::<f32>(), Rows, 2e-4);
        states.compare(&model.batch::<F32x16>(), Columns, 2e-4);
    }
    let states = States::random(model, 999);
    states.compare(&model.batch::<f64>().parallel(), Rows, 1e-12);
    states.compare(&model.batch::<F32x16>().parallel(), Columns, 2e-4);
}

#[test]
fn batches_agree_with_single_states() {
    agrees(&ACROBOT);
    agrees(&HollowBall { m: 0.5, r: 0.2, mu: 0.4, e: 0.5 });
    agrees(&Ur5);
    agrees(&Go2);
}

/// A lane does not know what stands beside it: not a number there changes nothing here.
#[test]
fn lanes_are_independent() {
    let states = States::random(&Ur5, 8);
    let (q, v, a) = (&mut states.q.clone(), &states.v, &states.a);
    let mut expected = vec![0.0; 48];
    Ur5.batch().inverse_dynamics(q, v, a, &mut expected).expect("eight states");
    q[7] = f64::NAN;
    q[13] = 1e200;
    let mut found = vec![0.0; 48];
    Ur5.batch().inverse_dynamics(q, v, a, &mut found).expect("eight states");
    assert!(found[7].is_nan());
    assert_eq!((&found[..6], &found[18..]), (&expected[..6], &expected[18..]));
}

#[test]
fn slices_of_different_lengths_are_refused() {
    let batch = ACROBOT.batch::<f64>();
    let result = batch.forward_dynamics(&[0.0; 6], &[0.0; 6], &[0.0; 4], &mut [0.0; 6]);
    assert_eq!(result, Err(LengthError { slice: "tau", length: 4, width: 2, states: 3 }));
    let result = batch.mass_matrix(&[0.0; 6], &mut [0.0; 13]);
    let error = result.expect_err("13 is no multiple of 4");
    assert_eq!(error.to_string(), "`output` has 13 numbers, expected 4 for each of 3 states");
    assert_eq!(batch.gap(&[], &mut []), Ok(()));
    assert_eq!(Ur5.batch::<f64>().gap(&[], &mut []), Ok(()));
}
