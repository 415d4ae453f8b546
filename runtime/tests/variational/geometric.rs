//! What follows from a principle: steps are symplectic, can be reversed, and keep momentum maps.

use jourdain::description::Chart;
use jourdain::space::Storage;
use nalgebra::{Vector3, vector};

use super::robots::{Balls, Chain, Floater, Top};
use super::*;

/// A displacement and a change of momentum, (nv) each.
type Tangent = (Vec<f64>, Vec<f64>);

/// [x, y] of displacements in the axes of the body.
fn bracket<M: Model>(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; M::NV];
    for joint in M::JOINTS.iter().filter(|joint| joint.chart != Chart::Vector) {
        let three = |x: &[f64], at: usize| Vector3::from_column_slice(&x[at..at + 3]);
        let turn = joint.v + joint.nv - 3;
        let (a, b) = (three(x, turn), three(y, turn));
        out[turn..turn + 3].copy_from_slice(a.cross(&b).as_slice());
        if joint.chart == Chart::Pose {
            let moved = a.cross(&three(y, joint.v)) - b.cross(&three(x, joint.v));
            out[joint.v..joint.v + 3].copy_from_slice(moved.as_slice());
        }
    }
    out
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The symplectic form at the momentum p, of tangents in the axes of the body.
fn form<M: Model>(p: &[f64], a: &Tangent, b: &Tangent) -> f64 {
    dot(&b.1, &a.0) - dot(&a.1, &b.0) + dot(p, &bracket::<M>(&a.0, &b.0))
}

/// The step as a map, and its tangent map by differences of the sixth order.
fn is_symplectic<M: Model<U = Vector0> + Copy>(model: M) {
    let (h, e) = (0.05, 1e-3);
    for rule in RULES {
        let (q, v) = anywhere(&model, 3, 2.0);
        let run = Variational::new(model).unwrap().rule(rule).step_size(h).unwrap();
        let start = run.state(q.clone(), v).unwrap();
        let p = start.momentum().as_slice().to_vec();
        let after = |tangent: &Tangent, size: f64| {
            let mut delta = model.difference(&q, &q);
            (0..M::NV).for_each(|k| delta[k] = size * tangent.0[k]);
            let q = model.integrate(&q, &delta);
            let p: Vec<f64> = p.iter().zip(&tangent.1).map(|(p, x)| p + size * x).collect();
            stepped(model, rule, h, (&q, &velocity(&model, &q, &p)))
        };
        let still = (vec![0.0; M::NV], vec![0.0; M::NV]);
        let middle = after(&still, 0.0);
        let image = |tangent: &Tangent| -> Tangent {
            let mut sum = still.clone();
            for (n, weight) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
                for sign in [1.0, -1.0] {
                    let end = after(tangent, sign * n * e);
                    let moved = model.difference(&middle.current().q, &end.current().q);
                    for k in 0..M::NV {
                        let share = sign * weight / (60.0 * e);
                        sum.0[k] += share * moved[k];
                        sum.1[k] += share * end.momentum()[k];
                    }
                }
            }
            sum
        };
        let unit = |k: usize| {
            let mut tangent = still.clone();
            if k < M::NV {
                tangent.0[k] = 1.0;
            } else {
                tangent.1[k - M::NV] = 1.0;
            }
            tangent
        };
        let images: Vec<Tangent> = (0..2 * M::NV).map(|k| image(&unit(k))).collect();
        for i in 0..2 * M::NV {
            for j in 0..i {
                let before = form::<M>(&p, &unit(i), &unit(j));
                let now = form::<M>(middle.momentum().as_slice(), &images[i], &images[j]);
                assert!((now - before).abs() < 1e-8, "{rule:?} {i} {j}: {before} {now}");
            }
        }
    }
}

#[test]
fn steps_are_symplectic() {
    is_symplectic(Chain);
    is_symplectic(Balls);
    is_symplectic(Floater { g: 9.81 });
}

fn can_be_reversed<M: Model<U = Vector0> + Copy>(model: M) {
    for rule in RULES {
        let (q, v) = anywhere(&model, 7, 3.0);
        let run = Variational::new(model).unwrap().rule(rule).step_size(0.02).unwrap();
        let mut run = run.state(q.clone(), v.clone()).unwrap();
        let idle = |_: &State<M>| Vector0::zeros();
        run.run(1.0, idle).unwrap();
        let State { q: end, v: mut back, .. } = run.current().clone();
        (0..M::NV).for_each(|k| back[k] = -back[k]);
        run.reset(end, back).unwrap();
        run.run(1.0, idle).unwrap();
        let State { q: again, v: reversed, .. } = run.current();
        let missed = model.difference(&q, again);
        for k in 0..M::NV {
            assert!(missed[k].abs() < 1e-10, "{rule:?} {k}: {}", missed[k]);
            assert!((reversed[k] + v[k]).abs() < 1e-9, "{rule:?} {k}");
        }
    }
}

#[test]
fn runs_can_be_reversed() {
    can_be_reversed(Chain);
    can_be_reversed(Balls);
    can_be_reversed(Floater { g: 9.81 });
}

#[test]
fn what_floats_freely_keeps_its_momentum() {
    let robot = Floater { g: 0.0 };
    for rule in RULES {
        let (q, v) = anywhere(&robot, 11, 3.0);
        let run = Variational::new(robot).unwrap().rule(rule).step_size(0.02).unwrap();
        let mut run = run.state(q, v).unwrap();
        let start = robot.momentum(&q, &v);
        for _ in 0..300 {
            run.step(&Vector0::zeros()).unwrap();
        }
        let State { q, v, .. } = run.current();
        let change = (robot.momentum(q, v) - start).amax() / start.amax();
        assert!(change < 1e-12, "{rule:?}: {change:e}");
    }
}

#[test]
fn a_pendulum_keeps_its_momentum_about_the_vertical() {
    for rule in RULES {
        let q = vector![0.6, 0.0, 0.0, 0.8];
        let v = vector![0.3, 2.0, 4.0];
        let run = Variational::new(Top).unwrap().rule(rule).step_size(0.05).unwrap();
        let mut run = run.state(q, v).unwrap();
        let start = Top.momentum(&q, &v)[5];
        for _ in 0..1000 {
            run.step(&Vector0::zeros()).unwrap();
        }
        let State { q, v, .. } = run.current();
        let change = (Top.momentum(q, v)[5] - start).abs() / start.abs();
        assert!(change < 1e-12, "{rule:?}: {change:e}");
    }
}
