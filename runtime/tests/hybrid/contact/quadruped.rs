//! A quadruped with legs of two joints, dropped onto its feet.

use jourdain::prelude::*;
use nalgebra::SVector;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(trunk, box(size = [0.4, 0.2, 0.1]), mass = 4),
    joint(base, floating(world -> trunk)),
    link(fl_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(fl_hip, revolute(trunk -> fl_thigh), at = [0.2, 0.1, 0], axis = [0, 1, 0], actuated),
    link(fl_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(fl_knee, revolute(fl_thigh -> fl_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated),
    link(fr_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(fr_hip, revolute(trunk -> fr_thigh), at = [0.2, -0.1, 0], axis = [0, 1, 0], actuated),
    link(fr_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(fr_knee, revolute(fr_thigh -> fr_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated),
    link(hl_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(hl_hip, revolute(trunk -> hl_thigh), at = [-0.2, 0.1, 0], axis = [0, 1, 0], actuated),
    link(hl_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(hl_knee, revolute(hl_thigh -> hl_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated),
    link(hr_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(hr_hip, revolute(trunk -> hr_thigh), at = [-0.2, -0.1, 0], axis = [0, 1, 0], actuated),
    link(hr_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(hr_knee, revolute(hr_thigh -> hr_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated),
    contact(fl, on = fl_shank, at = [0, 0, -0.16], friction = 0.8),
    contact(fr, on = fr_shank, at = [0, 0, -0.16], friction = 0.8),
    contact(hl, on = hl_shank, at = [0, 0, -0.16], friction = 0.8),
    contact(hr, on = hr_shank, at = [0, 0, -0.16], friction = 0.8),
)]
struct Quadruped;

fn standing(height: f64) -> SVector<f64, 15> {
    let mut q = SVector::zeros();
    (q[2], q[6]) = (height, 1.0);
    for leg in 0..4 {
        let front = if leg < 2 { 1.0 } else { -1.0 };
        (q[7 + 2 * leg], q[8 + 2 * leg]) = (0.6 * front, -1.2 * front);
    }
    q
}

#[test]
fn a_quadruped_lands_and_stands() {
    let height = 0.32 * 0.6_f64.cos();
    let controller = || Pd::new(&Quadruped, standing(0.0), 30.0, 1.0);
    let mut robot = HybridSimulation::new(Quadruped).unwrap().stiff().tolerance(1e-7).unwrap();
    robot = robot.state(standing(height + 0.05), SVector::zeros()).unwrap();
    robot.run(3.0, controller()).unwrap();
    assert_eq!(robot.mode_name(), "fl stick, fr stick, hl stick, hr stick");
    assert!(robot.current().v.norm() < 1e-3, "{}", robot.current().v.norm());

    let mut steps = Simulation::new(Quadruped).unwrap();
    steps = steps.state(standing(height + 0.05), SVector::zeros()).unwrap();
    steps.run(3.0, controller()).unwrap();
    let difference = (steps.current().q - robot.current().q).norm();
    assert!(difference < 2e-3, "{difference}");
}
