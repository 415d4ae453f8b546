//! What acts in a robot beside its bodies and common joints, both ways.

use jourdain::prelude::*;

use crate::robots::agrees;

/// Families with a plane, an axis or a screw, between bodies that turn.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [1, -2, -9],
    link(a, mass = 2, com = [0.1, 0.2, -0.3], inertia = [0.2, 0.3, 0.25, 0.01, -0.02, 0.03]),
    joint(table, planar(world -> a), at = [0.1, 0.3, 0.2], rpy = [0.3, 0.2, 0.1], axis = [1, 2, 0.5]),
    link(b, mass = 1, com = [0, 0.1, -0.2], inertia = [0.1, 0.12, 0.09]),
    joint(tube, cylindrical(a -> b), at = [0, 0.1, -0.5], rpy = [0.1, 0.5, -0.2], axis = [0, 0.6, 0.8]),
    link(c, mass = 0.7, com = [0.05, -0.1, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(screw, helical(b -> c), at = [0.1, 0, 0.1], axis = [0.3, 1, 0], pitch = 0.2),
    link(d, mass = 1.2, com = [0.1, 0, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(arm, revolute(c -> d), at = [0, 0.2, -0.3], rpy = [0.5, 0, 0], axis = [0, 1, 0]),
)]
struct Families;

/// Springs, dampers, rotors and dry friction on joints of one to three coordinates, and a spring between points.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [1, -2, -9],
    link(a, mass = 2, com = [0.1, 0.2, -0.3], inertia = [0.2, 0.3, 0.25, 0.01, -0.02, 0.03]),
    joint(swivel, revolute(world -> a), at = [0.1, 0.3, 0.2], rpy = [0.3, 0.2, 0.1], axis = [1, 2, 0.5],
        stiffness = 20, rest = 0.3, damping = 0.5, armature = 0.4, friction = 0.2),
    link(b, mass = 1, com = [0, 0.1, -0.2], inertia = [0.1, 0.12, 0.09]),
    joint(rail, prismatic(a -> b), at = [0, 0.1, -0.5], rpy = [0.1, 0.5, -0.2], axis = [0, 0.6, 0.8],
        stiffness = 100, damping = 2, armature = 1.5),
    link(c, mass = 0.7, com = [0.05, -0.1, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(cross, universal(b -> c), at = [0.1, 0, 0.1], axes = [[1, 0, 0], [0.3, 1, 0]],
        stiffness = 10, damping = 0.3, armature = 0.2),
    link(d, mass = 1.2, com = [0.1, 0, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(socket, spherical(c -> d), at = [0, 0.2, -0.3], rpy = [0.5, 0, 0], damping = 0.1, armature = 0.3),
    spring(rope, a = world @ [0.5, 0, 0], b = d @ [0, 0.1, -0.4], stiffness = 40, damping = 1, rest = 0.2),
)]
struct Sprung;

/// Gears: a hinge, a slider and a screw, each on another body, follow a hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [1, -2, -9],
    link(a, mass = 2, com = [0.1, 0.2, -0.3], inertia = [0.2, 0.3, 0.25, 0.01, -0.02, 0.03]),
    joint(lead, revolute(world -> a), at = [0.1, 0.3, 0.2], axis = [1, 2, 0.5], armature = 0.1),
    link(b, mass = 1, com = [0, 0.1, -0.2], inertia = [0.1, 0.12, 0.09]),
    joint(gear, revolute(a -> b), at = [0, 0.1, -0.5], axis = [0, 0.6, 0.8], armature = 0.05,
        mimic(lead, multiplier = -4.5, offset = 0.4)),
    link(c, mass = 0.7, com = [0.05, -0.1, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(rack, prismatic(b -> c), at = [0.1, 0, 0.1], axis = [0.3, 1, 0], mimic(lead, multiplier = 0.3)),
    link(d, mass = 1.2, com = [0.1, 0, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(bolt, helical(a -> d), at = [0, 0.2, -0.3], axis = [0, 1, 0], pitch = 0.1,
        mimic(lead, multiplier = 2, offset = -0.1)),
    link(e, mass = 0.6, com = [0.1, 0, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(free, revolute(d -> e), at = [0, 0.2, -0.3], axis = [1, 0, 0]),
)]
struct Geared;

#[test]
fn planes_tubes_and_screws_move_both_ways() {
    agrees(&Families, 4);
}

#[test]
fn springs_dampers_and_rotors_act_both_ways() {
    agrees(&Sprung, 4);
}

/// Two joints of a cross table and its plate, with massless bodies between.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0], friction = 0.3),
    link(across, massless),
    joint(y, prismatic(along -> across), axis = [0, 1, 0], armature = 0.5, limits = [-2, 2]),
    link(plate, mass = 0.5, com = [0.1, 0, 0.2], inertia = [0.01, 0.02, 0.03]),
    joint(gimbal, spherical(across -> plate)),
)]
struct Table;

#[test]
fn massless_bodies_move_both_ways() {
    agrees(&Table, 3);
}

#[test]
fn followers_follow_both_ways() {
    agrees(&Geared, 5);
}
