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
use crate::model::{Robot, Table};

/// How often each equation is evaluated.
const SWEEPS: usize = 200;
/// The largest change of a velocity that is rounding, by the largest one.
const ROUNDING: f64 = 1e-15;

/// w and ½ (w₁ − w), (nv), and q₁, (nq), of a step of `h` seconds from `q`, which is displaced to `from`, to the velocity `v_end`, with the joints
/// that belong to chains; nothing where the sweeps do not converge. What belongs to none keeps `others`.
pub(super) fn middle(
    robot: Robot<'_>,
    h: f64,
    (q, from): (&[f64], &[f64]),
    (v_end, others): (&[f64], &[f64]),
    belongs: &[bool],
) -> Option<(Vec<f64>, Vec<f64>, Vec<f64>)> {
    let half = 0.5 * h;
    let turning = turning(&robot, belongs);
    let turned = |w: &[f64]| {
        let mut w = w.to_vec();
        manifold::chord::turn(&turning, q, from, &mut w);
        w
    };
    let arms = arms(robot, &turning, (q, from));
    let (mut w, mut w_end) = (others.to_vec(), v_end.to_vec());
    for i in (0..robot.nv).filter(|i| belongs[*i]) {
        w[i] = v_end[i];
    }
    let mut last = f64::INFINITY;
    for _ in 0..SWEEPS {
        let w_from = turned(&w);
        let end = end(&robot, &turning, half, from, (&w_from, &w_end));
        let (at_end, momentum) = (evaluate(robot, &end, &w_end), evaluate(robot, &end, v_end).0);
        let mut missing = vec![0.0; robot.nv];
        let handed = hand_back(&turning, -half, &w_end, at_end.0.clone());
        for (i, missing) in missing.iter_mut().enumerate() {
            *missing = momentum[i] - half * at_end.1[i] - handed[i];
        }
        let mut change = correct(robot, &end, (missing, belongs), &mut w_end)?;
        let p_end = evaluate(robot, &end, &w_end).0;
        let target = turn(&turning, half, &w_end, hand_back(&turning, half, &w_end, p_end));
        let mut own = evaluate(robot, q, &w).0;
        manifold::chord::turn(&turning, q, from, &mut own);
        let mut own = turn(&turning, -half, &w_from, hand_back(&turning, -half, &w_from, own));
        let middle = half_way(&robot, half, from, &w_from).0;
        manifold::chord::displace(&turning, &arms, &middle, &mut own);
        let missing = target.iter().zip(&own).map(|(target, own)| target - own).collect();
        // Missing is in the axes of the middle, half a turn from those of the beginning: what it leaves is corrected next time.
        change = change.max(correct(robot, q, (missing, belongs), &mut w)?);
        let size = w.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        if change <= ROUNDING * size || change >= last && change <= 1e3 * ROUNDING * size {
            let end = self::end(&robot, &turning, half, from, (&turned(&w), &w_end));
            let offset = |i: usize| if belongs[i] { 0.5 * (w_end[i] - w[i]) } else { 0.0 };
            let offset = (0..robot.nv).map(offset).collect();
            return Some((w, offset, end));
        }
        last = change;
    }
    None
}

/// Adds M⁻¹ of what is missing; returns the largest change.
fn correct(
    robot: Robot<'_>,
    q: &[f64],
    (missing, belongs): (Vec<f64>, &[bool]),
    w: &mut [f64],
) -> Option<f64> {
    let mut mass = DMatrix::zeros(robot.nv, robot.nv);
    robot.mass_matrix_into(q, mass.as_mut_slice());
    let change = Cholesky::new(mass)?.solve(&DVector::from_vec(missing));
    let mut most: f64 = 0.0;
    for i in (0..robot.nv).filter(|i| belongs[*i]) {
        w[i] += change[i];
        most = most.max(change[i].abs());
    }
    most.is_finite().then_some(most)
}

/// The joints of chains that turn freely.
fn turning(table: &Table, belongs: &[bool]) -> Vec<Joint> {
    let turns = |joint: &&Joint| joint.chart != Chart::Vector && belongs[joint.v];
    table.joints.iter().filter(turns).copied().collect()
}

/// q ⊕ ½ h w ⊕ ½ h w₁.
fn end(
    table: &Table,
    turning: &[Joint],
    half: f64,
    q: &[f64],
    (w, w_end): (&[f64], &[f64]),
) -> Vec<f64> {
    let (mut end, _) = half_way(table, half, q, w);
    let mut turned = turn(turning, half, w_end, w_end.to_vec());
    manifold::move_on(table.joints, half, &mut end, &mut turned);
    end
}

/// q ⊕ ½ h w, and w in its axes.
fn half_way(table: &Table, half: f64, q: &[f64], w: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut middle, mut turned) = (q.to_vec(), w.to_vec());
    manifold::move_on(table.joints, half, &mut middle, &mut turned);
    (middle, turned)
}

/// p, and Γ for axes that stand still.
fn evaluate(robot: Robot<'_>, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut both = vec![0.0; 2 * robot.nv];
    robot.generalized_momentum_into(q, v, &mut both);
    let mut rate = both.split_off(robot.nv);
    for joint in robot.joints.iter().filter(|joint| joint.chart != Chart::Vector) {
        let w = three(v, joint.v + joint.nv - 3);
        for at in (joint.v..joint.v + joint.nv).step_by(3) {
            let turning = three(&rate, at) + w.cross(&three(&both, at));
            rate[at..at + 3].copy_from_slice(turning.as_slice());
        }
    }
    (both, rate)
}

/// Angular momenta l of an end of a turn by x = `time` ω, as they are in the middle of both ends:
/// l + ½ x × l + (1 − ½ θ cot ½ θ)/θ² x × (x × l).
fn hand_back(turning: &[Joint], time: f64, v: &[f64], mut p: Vec<f64>) -> Vec<f64> {
    for joint in turning {
        let at = joint.v + joint.nv - 3;
        let (x, l) = (time * three(v, at), three(&p, at));
        p[at..at + 3].copy_from_slice(manifold::retreat(&-x, &l).as_slice());
    }
    p
}

/// Linear parts of poses, turned by `time` ω.
fn turn(turning: &[Joint], time: f64, v: &[f64], mut x: Vec<f64>) -> Vec<f64> {
    for joint in turning.iter().filter(|joint| joint.chart == Chart::Pose) {
        let turned = manifold::turn(&(time * three(v, joint.v + 3)), &three(&x, joint.v));
        x[joint.v..joint.v + 3].copy_from_slice(turned.as_slice());
    }
    x
}

fn three(x: &[f64], at: usize) -> Vector3<f64> {
    Vector3::new(x[at], x[at + 1], x[at + 2])
}
