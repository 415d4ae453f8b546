//! Theo Jansen's walking linkage: three pairs of legs on one crankshaft, moving in the plane.
//!
//! A leg has eight bars and one degree of freedom. In centimetres, by Jansen's letters: the crank m = 15
//! stands a = 38 from the leg's hinge and l = 7.8 above it; j = 50 and k = 61.9 hang on the crankpin; the
//! hinge carries the triangle b = 41.5, d = 40.1, e = 55.8 and the arm c = 39.3, on which the foot turns,
//! the triangle g = 36.7, h = 65.7, i = 49; and f = 39.4 ties both triangles.
//!
//! Triangles and arm are links that weigh 0.6 kg for a metre of bar; j, k and f are rods without mass.
//! A leg's own axes have x towards the crank, so that the legs behind it are those in front turned by π.
//! All angles are zero where the arm hangs down, b stands up and g points outwards, which is near to where
//! they are; 3 + 1 + 6 · 3 coordinates less 6 · 3 rows.
//!
//! # Source
//!
//! Jansen, The Great Pretender (2007), for the lengths.

use jourdain::Robot;

/// A body that moves in the plane y = 0; q = (x, z, θ about −y, …), and the crank turns about −y too.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 6, com = [0, 0, -0.078], inertia = [0.2, 0.5, 0.5]),
    joint(plane, planar(world -> body), axis = [0, -1, 0]),
    link(crank, mass = 1, inertia = [0.02, 0.02, 0.02]),
    joint(motor, revolute(body -> crank), axis = [0, -1, 0], actuated),
    link(rocker_rear_1, mass = 0.8244, com = [-0.139645, 0, 0.156049], inertia = [0.014779, 0.029414, 0.014635, 0, -0.006696, 0]),
    joint(rocker_rear_1, revolute(body -> rocker_rear_1), at = [-0.38, -0.2, -0.078], axis = [0, -1, 0]),
    link(arm_rear_1, mass = 0.2358, com = [0, 0, -0.1965], inertia = [0.003035, 0.003035, 0.00001]),
    joint(arm_rear_1, revolute(body -> arm_rear_1), at = [-0.38, -0.2, -0.078], axis = [0, -1, 0]),
    link(foot_rear_1, mass = 0.9084, com = [-0.094767, 0, -0.183277], inertia = [0.023189, 0.040256, 0.017067, 0, 0.01271, 0]),
    joint(foot_rear_1, revolute(arm_rear_1 -> foot_rear_1), at = [0, 0, -0.393], axis = [0, -1, 0]),
    rod(j_rear_1, a = crank @ [0.15, -0.2, 0], b = rocker_rear_1 @ [0, 0, 0.415], length = 0.5),
    rod(k_rear_1, a = crank @ [0.15, -0.2, 0], b = foot_rear_1, length = 0.619),
    rod(f_rear_1, a = rocker_rear_1 @ [-0.40015, 0, 0.026099], b = foot_rear_1 @ [-0.367, 0, 0], length = 0.394),
    contact(toe_rear_1, on = foot_rear_1, at = [0.077466, 0, -0.483838], friction = 0.8),
    link(rocker_front_1, mass = 0.8244, com = [-0.139645, 0, 0.156049], inertia = [0.014779, 0.029414, 0.014635, 0, -0.006696, 0]),
    joint(rocker_front_1, revolute(body -> rocker_front_1), at = [0.38, -0.2, -0.078], rpy = [0, 0, PI], axis = [0, -1, 0]),
    link(arm_front_1, mass = 0.2358, com = [0, 0, -0.1965], inertia = [0.003035, 0.003035, 0.00001]),
    joint(arm_front_1, revolute(body -> arm_front_1), at = [0.38, -0.2, -0.078], rpy = [0, 0, PI], axis = [0, -1, 0]),
    link(foot_front_1, mass = 0.9084, com = [-0.094767, 0, -0.183277], inertia = [0.023189, 0.040256, 0.017067, 0, 0.01271, 0]),
    joint(foot_front_1, revolute(arm_front_1 -> foot_front_1), at = [0, 0, -0.393], axis = [0, -1, 0]),
    rod(j_front_1, a = crank @ [0.15, -0.2, 0], b = rocker_front_1 @ [0, 0, 0.415], length = 0.5),
    rod(k_front_1, a = crank @ [0.15, -0.2, 0], b = foot_front_1, length = 0.619),
    rod(f_front_1, a = rocker_front_1 @ [-0.40015, 0, 0.026099], b = foot_front_1 @ [-0.367, 0, 0], length = 0.394),
    contact(toe_front_1, on = foot_front_1, at = [0.077466, 0, -0.483838], friction = 0.8),
    link(rocker_rear_2, mass = 0.8244, com = [-0.139645, 0, 0.156049], inertia = [0.014779, 0.029414, 0.014635, 0, -0.006696, 0]),
    joint(rocker_rear_2, revolute(body -> rocker_rear_2), at = [-0.38, 0, -0.078], axis = [0, -1, 0]),
    link(arm_rear_2, mass = 0.2358, com = [0, 0, -0.1965], inertia = [0.003035, 0.003035, 0.00001]),
    joint(arm_rear_2, revolute(body -> arm_rear_2), at = [-0.38, 0, -0.078], axis = [0, -1, 0]),
    link(foot_rear_2, mass = 0.9084, com = [-0.094767, 0, -0.183277], inertia = [0.023189, 0.040256, 0.017067, 0, 0.01271, 0]),
    joint(foot_rear_2, revolute(arm_rear_2 -> foot_rear_2), at = [0, 0, -0.393], axis = [0, -1, 0]),
    rod(j_rear_2, a = crank @ [-0.075, 0, 0.129904], b = rocker_rear_2 @ [0, 0, 0.415], length = 0.5),
    rod(k_rear_2, a = crank @ [-0.075, 0, 0.129904], b = foot_rear_2, length = 0.619),
    rod(f_rear_2, a = rocker_rear_2 @ [-0.40015, 0, 0.026099], b = foot_rear_2 @ [-0.367, 0, 0], length = 0.394),
    contact(toe_rear_2, on = foot_rear_2, at = [0.077466, 0, -0.483838], friction = 0.8),
    link(rocker_front_2, mass = 0.8244, com = [-0.139645, 0, 0.156049], inertia = [0.014779, 0.029414, 0.014635, 0, -0.006696, 0]),
    joint(rocker_front_2, revolute(body -> rocker_front_2), at = [0.38, 0, -0.078], rpy = [0, 0, PI], axis = [0, -1, 0]),
    link(arm_front_2, mass = 0.2358, com = [0, 0, -0.1965], inertia = [0.003035, 0.003035, 0.00001]),
    joint(arm_front_2, revolute(body -> arm_front_2), at = [0.38, 0, -0.078], rpy = [0, 0, PI], axis = [0, -1, 0]),
    link(foot_front_2, mass = 0.9084, com = [-0.094767, 0, -0.183277], inertia = [0.023189, 0.040256, 0.017067, 0, 0.01271, 0]),
    joint(foot_front_2, revolute(arm_front_2 -> foot_front_2), at = [0, 0, -0.393], axis = [0, -1, 0]),
    rod(j_front_2, a = crank @ [-0.075, 0, 0.129904], b = rocker_front_2 @ [0, 0, 0.415], length = 0.5),
    rod(k_front_2, a = crank @ [-0.075, 0, 0.129904], b = foot_front_2, length = 0.619),
    rod(f_front_2, a = rocker_front_2 @ [-0.40015, 0, 0.026099], b = foot_front_2 @ [-0.367, 0, 0], length = 0.394),
    contact(toe_front_2, on = foot_front_2, at = [0.077466, 0, -0.483838], friction = 0.8),
    link(rocker_rear_3, mass = 0.8244, com = [-0.139645, 0, 0.156049], inertia = [0.014779, 0.029414, 0.014635, 0, -0.006696, 0]),
    joint(rocker_rear_3, revolute(body -> rocker_rear_3), at = [-0.38, 0.2, -0.078], axis = [0, -1, 0]),
    link(arm_rear_3, mass = 0.2358, com = [0, 0, -0.1965], inertia = [0.003035, 0.003035, 0.00001]),
    joint(arm_rear_3, revolute(body -> arm_rear_3), at = [-0.38, 0.2, -0.078], axis = [0, -1, 0]),
    link(foot_rear_3, mass = 0.9084, com = [-0.094767, 0, -0.183277], inertia = [0.023189, 0.040256, 0.017067, 0, 0.01271, 0]),
    joint(foot_rear_3, revolute(arm_rear_3 -> foot_rear_3), at = [0, 0, -0.393], axis = [0, -1, 0]),
    rod(j_rear_3, a = crank @ [-0.075, 0.2, -0.129904], b = rocker_rear_3 @ [0, 0, 0.415], length = 0.5),
    rod(k_rear_3, a = crank @ [-0.075, 0.2, -0.129904], b = foot_rear_3, length = 0.619),
    rod(f_rear_3, a = rocker_rear_3 @ [-0.40015, 0, 0.026099], b = foot_rear_3 @ [-0.367, 0, 0], length = 0.394),
    contact(toe_rear_3, on = foot_rear_3, at = [0.077466, 0, -0.483838], friction = 0.8),
    link(rocker_front_3, mass = 0.8244, com = [-0.139645, 0, 0.156049], inertia = [0.014779, 0.029414, 0.014635, 0, -0.006696, 0]),
    joint(rocker_front_3, revolute(body -> rocker_front_3), at = [0.38, 0.2, -0.078], rpy = [0, 0, PI], axis = [0, -1, 0]),
    link(arm_front_3, mass = 0.2358, com = [0, 0, -0.1965], inertia = [0.003035, 0.003035, 0.00001]),
    joint(arm_front_3, revolute(body -> arm_front_3), at = [0.38, 0.2, -0.078], rpy = [0, 0, PI], axis = [0, -1, 0]),
    link(foot_front_3, mass = 0.9084, com = [-0.094767, 0, -0.183277], inertia = [0.023189, 0.040256, 0.017067, 0, 0.01271, 0]),
    joint(foot_front_3, revolute(arm_front_3 -> foot_front_3), at = [0, 0, -0.393], axis = [0, -1, 0]),
    rod(j_front_3, a = crank @ [-0.075, 0.2, -0.129904], b = rocker_front_3 @ [0, 0, 0.415], length = 0.5),
    rod(k_front_3, a = crank @ [-0.075, 0.2, -0.129904], b = foot_front_3, length = 0.619),
    rod(f_front_3, a = rocker_front_3 @ [-0.40015, 0, 0.026099], b = foot_front_3 @ [-0.367, 0, 0], length = 0.394),
    contact(toe_front_3, on = foot_front_3, at = [0.077466, 0, -0.483838], friction = 0.8),
)]
pub struct JansenWalker;
