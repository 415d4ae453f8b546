//! What the coordinates of each family mean: no law of mechanics knows a left-hand screw from a
//! right-hand one.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

use super::{Numbers, close, describe, with};
use crate::derive::Mechanism;

const ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A joint with its place, coordinates, and where it puts the points 0, x and y of its child.
struct Meaning {
    joint: &'static str,
    q: &'static [f64],
    puts: [[f64; 3]; 3],
}

const MEANINGS: &[Meaning] = &[
    Meaning {
        joint: "revolute(world -> link), axis = [0, 0, 3]",
        q: &[FRAC_PI_2],
        puts: [[0.0; 3], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
    },
    Meaning {
        joint: "continuous(world -> link), at = [1, 2, 3], axis = [0, -1, 0]",
        q: &[FRAC_PI_2],
        puts: [[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [1.0, 3.0, 3.0]],
    },
    Meaning {
        joint: "revolute(world -> link), axis = [1, 1, 1]",
        q: &[2.0 * FRAC_PI_3],
        puts: [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    },
    Meaning {
        joint: "prismatic(world -> link), axis = [0, 3, 4], rpy = [0, 0, FRAC_PI_2]",
        q: &[5.0],
        puts: [[-3.0, 0.0, 4.0], [-3.0, 1.0, 4.0], [-4.0, 0.0, 4.0]],
    },
    Meaning {
        joint: "helical(world -> link), axis = [0, 0, 2], pitch = 0.5",
        q: &[FRAC_PI_2],
        puts: [
            [0.0, 0.0, 0.5 * FRAC_PI_2],
            [0.0, 1.0, 0.5 * FRAC_PI_2],
            [-1.0, 0.0, 0.5 * FRAC_PI_2],
        ],
    },
    Meaning {
        joint: "cylindrical(world -> link), axis = [0, 0, 1]",
        q: &[FRAC_PI_2, 3.0],
        puts: [[0.0, 0.0, 3.0], [0.0, 1.0, 3.0], [-1.0, 0.0, 3.0]],
    },
    Meaning {
        joint: "universal(world -> link), axes = [[0, 0, 1], [1, 0, 0]]",
        q: &[FRAC_PI_2, FRAC_PI_2],
        puts: [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    },
    Meaning {
        joint: "planar(world -> link), axis = [0, 0, 1]",
        q: &[3.0, 4.0, FRAC_PI_2],
        puts: [[3.0, 4.0, 0.0], [3.0, 5.0, 0.0], [2.0, 4.0, 0.0]],
    },
    Meaning {
        joint: "spherical(world -> link), at = [1, 0, 0]",
        q: &[0.0, 0.0, ROOT, ROOT],
        puts: [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
    },
    Meaning {
        joint: "floating(world -> link)",
        q: &[1.0, 2.0, 3.0, ROOT, 0.0, 0.0, ROOT],
        puts: [[1.0, 2.0, 3.0], [2.0, 2.0, 3.0], [1.0, 2.0, 4.0]],
    },
    Meaning {
        joint: "fixed(world -> link), at = [1, 2, 3], rpy = [FRAC_PI_2, 0, FRAC_PI_2]",
        q: &[],
        puts: [[1.0, 2.0, 3.0], [1.0, 3.0, 3.0], [1.0, 2.0, 4.0]],
    },
    Meaning {
        joint: "fixed(world -> link), quaternion = [0, 0, 2, 2]",
        q: &[],
        puts: [[0.0; 3], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
    },
];

#[test]
fn coordinates_mean_what_is_documented() {
    for Meaning { joint, q, puts } in MEANINGS {
        let text = format!("link(link, mass = 1, inertia = [1, 1, 1]), joint(joint, {joint})");
        let numbers = Numbers { q: q.to_vec(), ..Numbers::default() };
        let pose = with(&describe(&text), |m| numbers.of(&m.link_poses(), m.graph));
        let [origin, x, y] = puts;
        let column = |k: usize| [0, 1, 2].map(|i| pose[3 * k + i] + pose[9 + i]);
        close(joint, &pose[9..], origin, 1e-15);
        close(joint, &column(0), x, 1e-15);
        close(joint, &column(1), y, 1e-15);
    }
}

/// Velocities of floating and spherical joints are in the child's axes, linear before angular.
#[test]
fn velocities_are_in_the_axes_of_the_child() {
    let text = "link(link, mass = 2, inertia = [1, 2, 2.5]), joint(joint, floating(world -> link))";
    let numbers = Numbers {
        q: vec![0.0, 0.0, 0.0, 0.0, 0.0, ROOT, ROOT],
        v: vec![1.0, 0.0, 0.0, 0.0, 3.0, 0.0],
        a: Vec::new(),
    };
    let momentum = |m: &Mechanism<'_>| numbers.of(&m.momentum(), m.graph);
    let found = with(&describe(text), momentum);
    close("p, L", &found, &[0.0, 2.0, 0.0, -6.0, 0.0, 0.0], 1e-15);
    let text =
        "link(link, mass = 2, inertia = [1, 2, 2.5]), joint(joint, spherical(world -> link))";
    let numbers = Numbers { q: vec![0.0, 0.0, ROOT, ROOT], v: vec![0.0, 3.0, 0.0], a: Vec::new() };
    let found = with(&describe(text), |m| numbers.of(&m.momentum(), m.graph));
    close("p, L", &found, &[0.0, 0.0, 0.0, -6.0, 0.0, 0.0], 1e-15);
}
