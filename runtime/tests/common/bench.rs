//! A robot that can start too deep, or too far.

use jourdain::Robot;

/// A block on a vertical slide above the ground, a drawer with an end, and a region that both keep to.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(block, mass = 2), joint(lift, prismatic(world -> block), axis = [0, 0, 1]),
    link(drawer, mass = 1), joint(slide, prismatic(world -> drawer), axis = [1, 0, 0], limits = [-1, 1]),
    contact(foot, on = block, friction = 0.5),
    limit(reach, c = 4 - lift - slide),
)]
pub(crate) struct Bench;

/// What is deepest, by name, and by how much.
type Deepest = Option<(&'static str, f64)>;

/// Places of lift and slide, and what is deepest there, by how much.
pub(crate) const STARTS: [(f64, f64, Deepest); 8] = [
    (-0.05, 0.0, Some(("foot", 0.05))),
    (-0.05, 1.5, Some(("foot", 0.05))),
    (0.0, 1.5, Some(("slide", 0.5))),
    (0.0, -1.25, Some(("slide", 0.25))),
    (4.0, 0.5, Some(("reach", 0.5))),
    (4.5, 1.25, Some(("reach", 1.75))),
    (-1e-7, 1.0 + 1e-7, None),
    (0.0, 1.0, None),
];

/// Places that are too deep, and where a step leads that puts right a quarter of it: the region is passed by 2, and by
/// 1.5 after the step, where each mass gives way by its inverse.
pub(crate) const QUARTERS: [([f64; 2], [f64; 2]); 2] =
    [([-0.1, 1.5], [-0.075, 1.375]), ([5.0, 1.0], [5.0 - 0.5 / 3.0, 1.0 - 1.0 / 3.0])];
