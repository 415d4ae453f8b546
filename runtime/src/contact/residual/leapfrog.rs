//! The velocity in the middle of a step of chains, from its end alone: the equations of the header of `chains`, backwards.
//!
//! > M(q₁) w₁ = M(q₁) v₁ − ½ h Γ(q₁, w₁),  M(q) w = M(q₁) w₁,  q₁ = q ⊕ ½ h w ⊕ ½ h w₁
//!
//! What overlaps is displaced first and keeps its momentum.
//!
//! Each is evaluated with what the others have led to, until nothing changes.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Cholesky, DMatrix, DVector, Vector3};

use crate::contact::chains::arms;
use crate::description::{Chart, Joint};
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

/// How often each equation is evaluated.
const SWEEPS: usize = 200;
/// The largest change of a velocity that is rounding, by the largest one.
const ROUNDING: f64 = 1e-15;

/// w and ½ (w₁ − w), (nv), and q₁, (nq), of a step of `h` seconds from `q`, which is displaced to `from`, to the velocity `v_end`, with the joints
/// that belong to chains; nothing where the sweeps do not converge. What belongs to none keeps `others`.
pub(super) fn middle<M: Model>(
    model: &M,
    h: f64,
    (q, from): (&M::Q, &M::Q),
    (v_end, others): (&M::V, &M::V),
    belongs: &[bool],
) -> Option<(M::V, Vec<f64>, M::Q)> {
    let half = 0.5 * h;
    let turning = turning::<M>(belongs);
    let turned = |w: &M::V| {
        let mut w = w.clone();
        manifold::chord::turn(&turning, q.as_slice(), from.as_slice(), w.as_mut_slice());
        w
    };
    let arms = arms(model, &turning, (q, from));
    let (mut w, mut w_end) = (others.clone(), v_end.clone());
    for i in (0..M::NV).filter(|i| belongs[*i]) {
        w[i] = v_end[i];
    }
    let mut last = f64::INFINITY;
    for _ in 0..SWEEPS {
        let w_from = turned(&w);
        let end = end::<M>(&turning, half, from, (&w_from, &w_end));
        let (at_end, momentum) = (evaluate(model, &end, &w_end), evaluate(model, &end, v_end).0);
        let mut missing = vec![0.0; M::NV];
        let handed = hand_back(&turning, -half, &w_end, at_end.0.clone());
        for (i, missing) in missing.iter_mut().enumerate() {
            *missing = momentum[i] - half * at_end.1[i] - handed[i];
        }
        let mut change = correct(model, &end, (missing, belongs), &mut w_end)?;
        let p_end = evaluate(model, &end, &w_end).0;
        let target = turn(&turning, half, &w_end, hand_back(&turning, half, &w_end, p_end));
        let mut own = evaluate(model, q, &w).0;
        manifold::chord::turn(&turning, q.as_slice(), from.as_slice(), &mut own);
        let mut own = turn(&turning, -half, &w_from, hand_back(&turning, -half, &w_from, own));
        let middle = half_way::<M>(half, from, &w_from).0;
        manifold::chord::displace(&turning, &arms, middle.as_slice(), &mut own);
        let missing = target.iter().zip(&own).map(|(target, own)| target - own).collect();
        // Missing is in the axes of the middle, half a turn from those of the beginning: what it leaves is corrected next time.
        change = change.max(correct(model, q, (missing, belongs), &mut w)?);
        let size = w.as_slice().iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        if change <= ROUNDING * size || change >= last && change <= 1e3 * ROUNDING * size {
            let end = self::end::<M>(&turning, half, from, (&turned(&w), &w_end));
            let offset = |i: usize| if belongs[i] { 0.5 * (w_end[i] - w[i]) } else { 0.0 };
            let offset = (0..M::NV).map(offset).collect();
            return Some((w, offset, end));
        }
        last = change;
    }
    None
}

/// Adds M⁻¹ of what is missing; returns the largest change.
fn correct<M: Model>(
    model: &M,
    q: &M::Q,
    (missing, belongs): (Vec<f64>, &[bool]),
    w: &mut M::V,
) -> Option<f64> {
    let mass = DMatrix::from_column_slice(M::NV, M::NV, model.mass_matrix(q).as_slice());
    let change = Cholesky::new(mass)?.solve(&DVector::from_vec(missing));
    let mut most: f64 = 0.0;
    for i in (0..M::NV).filter(|i| belongs[*i]) {
        w[i] += change[i];
        most = most.max(change[i].abs());
    }
    most.is_finite().then_some(most)
}

/// The joints of chains that turn freely.
fn turning<M: Model>(belongs: &[bool]) -> Vec<Joint> {
    let turns = |joint: &&Joint| joint.chart != Chart::Vector && belongs[joint.v];
    M::JOINTS.iter().filter(turns).copied().collect()
}

/// q ⊕ ½ h w ⊕ ½ h w₁.
fn end<M: Model>(turning: &[Joint], half: f64, q: &M::Q, (w, w_end): (&M::V, &M::V)) -> M::Q {
    let (mut end, mut turned) = half_way::<M>(half, q, w);
    let before = turn(turning, half, w_end, w_end.as_slice().to_vec());
    turned.as_mut_slice().copy_from_slice(&before);
    manifold::move_on(M::JOINTS, half, end.as_mut_slice(), turned.as_mut_slice());
    end
}

/// q ⊕ ½ h w, and w in its axes.
fn half_way<M: Model>(half: f64, q: &M::Q, w: &M::V) -> (M::Q, M::V) {
    let (mut middle, mut turned) = (q.clone(), w.clone());
    manifold::move_on(M::JOINTS, half, middle.as_mut_slice(), turned.as_mut_slice());
    (middle, turned)
}

/// p, and Γ for axes that stand still.
fn evaluate<M: Model>(model: &M, q: &M::Q, v: &M::V) -> (Vec<f64>, Vec<f64>) {
    let mut both = vec![0.0; 2 * M::NV];
    model.generalized_momentum_into(q, v, &mut both);
    let mut rate = both.split_off(M::NV);
    for joint in M::JOINTS.iter().filter(|joint| joint.chart != Chart::Vector) {
        let w = three(v.as_slice(), joint.v + joint.nv - 3);
        for at in (joint.v..joint.v + joint.nv).step_by(3) {
            let turning = three(&rate, at) + w.cross(&three(&both, at));
            rate[at..at + 3].copy_from_slice(turning.as_slice());
        }
    }
    (both, rate)
}

/// Angular momenta l of an end of a turn by x = `time` ω, as they are in the middle of both ends:
/// l + ½ x × l + (1 − ½ θ cot ½ θ)/θ² x × (x × l).
fn hand_back<V: Storage>(turning: &[Joint], time: f64, v: &V, mut p: Vec<f64>) -> Vec<f64> {
    for joint in turning {
        let at = joint.v + joint.nv - 3;
        let (x, l) = (time * three(v.as_slice(), at), three(&p, at));
        p[at..at + 3].copy_from_slice(manifold::retreat(&-x, &l).as_slice());
    }
    p
}

/// Linear parts of poses, turned by `time` ω.
fn turn<V: Storage>(turning: &[Joint], time: f64, v: &V, mut x: Vec<f64>) -> Vec<f64> {
    for joint in turning.iter().filter(|joint| joint.chart == Chart::Pose) {
        let turned =
            manifold::turn(&(time * three(v.as_slice(), joint.v + 3)), &three(&x, joint.v));
        x[joint.v..joint.v + 3].copy_from_slice(turned.as_slice());
    }
    x
}

fn three(x: &[f64], at: usize) -> Vector3<f64> {
    Vector3::new(x[at], x[at + 1], x[at + 2])
}
