//! A Stewart platform: six legs with motors carry a plate that moves in all six degrees of freedom.
//!
//! Each leg is a universal joint on the ground, a prismatic joint, and a ball joint under the plate, which
//! a closure of three rows is: 6 + 6 · 3 coordinates less 6 · 3 rows.
//!
//! # Source
//!
//! Stewart, A platform with six degrees of freedom (1965); Merlet, Parallel Robots (2006), chapter 2.

use jourdain::Robot;

/// The ground joints stand in pairs on a circle of 1 m, the ball joints on one of 0.6 m.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 20, inertia = [2.2, 2.2, 4.2]),
    joint(base, floating(world -> plate)),
    link(barrel_a, mass = 3, com = [0, 0, 0.35], inertia = [0.12, 0.12, 0.004]),
    joint(ground_a, universal(world -> barrel_a), at = [0.978147601, 0.207911691, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(piston_a, mass = 1, com = [0, 0, 0.25], inertia = [0.03, 0.03, 0.0002]),
    joint(leg_a, prismatic(barrel_a -> piston_a), at = [0, 0, 0.6], axis = [0, 0, 1], limits = [-0.4, 0.5], actuated),
    closure(ball_a, a = piston_a @ [0, 0, 0.6], b = plate @ [0.401478364, 0.445886895, 0], axes = [x, y, z]),
    link(barrel_b, mass = 3, com = [0, 0, 0.35], inertia = [0.12, 0.12, 0.004]),
    joint(ground_b, universal(world -> barrel_b), at = [0.978147601, -0.207911691, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(piston_b, mass = 1, com = [0, 0, 0.25], inertia = [0.03, 0.03, 0.0002]),
    joint(leg_b, prismatic(barrel_b -> piston_b), at = [0, 0, 0.6], axis = [0, 0, 1], limits = [-0.4, 0.5], actuated),
    closure(ball_b, a = piston_b @ [0, 0, 0.6], b = plate @ [0.401478364, -0.445886895, 0], axes = [x, y, z]),
    link(barrel_c, mass = 3, com = [0, 0, 0.35], inertia = [0.12, 0.12, 0.004]),
    joint(ground_c, universal(world -> barrel_c), at = [-0.669130606, 0.743144825, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(piston_c, mass = 1, com = [0, 0, 0.25], inertia = [0.03, 0.03, 0.0002]),
    joint(leg_c, prismatic(barrel_c -> piston_c), at = [0, 0, 0.6], axis = [0, 0, 1], limits = [-0.4, 0.5], actuated),
    closure(ball_c, a = piston_c @ [0, 0, 0.6], b = plate @ [-0.586888560, 0.124747014, 0], axes = [x, y, z]),
    link(barrel_d, mass = 3, com = [0, 0, 0.35], inertia = [0.12, 0.12, 0.004]),
    joint(ground_d, universal(world -> barrel_d), at = [-0.309016994, 0.951056516, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(piston_d, mass = 1, com = [0, 0, 0.25], inertia = [0.03, 0.03, 0.0002]),
    joint(leg_d, prismatic(barrel_d -> piston_d), at = [0, 0, 0.6], axis = [0, 0, 1], limits = [-0.4, 0.5], actuated),
    closure(ball_d, a = piston_d @ [0, 0, 0.6], b = plate @ [0.185410197, 0.570633910, 0], axes = [x, y, z]),
    link(barrel_e, mass = 3, com = [0, 0, 0.35], inertia = [0.12, 0.12, 0.004]),
    joint(ground_e, universal(world -> barrel_e), at = [-0.309016994, -0.951056516, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(piston_e, mass = 1, com = [0, 0, 0.25], inertia = [0.03, 0.03, 0.0002]),
    joint(leg_e, prismatic(barrel_e -> piston_e), at = [0, 0, 0.6], axis = [0, 0, 1], limits = [-0.4, 0.5], actuated),
    closure(ball_e, a = piston_e @ [0, 0, 0.6], b = plate @ [0.185410197, -0.570633910, 0], axes = [x, y, z]),
    link(barrel_f, mass = 3, com = [0, 0, 0.35], inertia = [0.12, 0.12, 0.004]),
    joint(ground_f, universal(world -> barrel_f), at = [-0.669130606, -0.743144825, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(piston_f, mass = 1, com = [0, 0, 0.25], inertia = [0.03, 0.03, 0.0002]),
    joint(leg_f, prismatic(barrel_f -> piston_f), at = [0, 0, 0.6], axis = [0, 0, 1], limits = [-0.4, 0.5], actuated),
    closure(ball_f, a = piston_f @ [0, 0, 0.6], b = plate @ [-0.586888560, -0.124747014, 0], axes = [x, y, z]),
)]
pub struct StewartPlatform;
