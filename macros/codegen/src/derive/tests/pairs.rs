//! Pairs of shapes: which there are, and forces that balance.

use super::{Numbers, describe, with};
use crate::description::Description;

/// A cart with an arm of two links, and a ball that flies.
const LINKS: &str = "
    link(table, massless), joint(stand, fixed(world -> table), at = [0, 0, -1]),
    link(cart, mass = 1), joint(rail, prismatic(world -> cart), axis = [1, 0, 0]),
    link(upper, mass = 1, inertia = [1, 1, 1]),
    joint(shoulder, revolute(cart -> upper), axis = [0, 1, 0], at = [0, 0, 1]),
    link(lower, mass = 1, inertia = [1, 1, 1]),
    joint(elbow, revolute(upper -> lower), axis = [1, 0, 0], at = [0, 0, 1]),
    link(hand, mass = 1), joint(wrist, fixed(lower -> hand), at = [0, 0, 1]),
    link(ball, mass = 1, inertia = [1, 1, 1]), joint(free, floating(world -> ball)),";

const SHAPES: &str = "
    shape(top, on = table, box = [1, 1, 0.1], friction = 0.4),
    shape(bumper, on = cart, sphere = 0.2, friction = 0.9),
    shape(bone, on = upper, capsule = [0.1, 1]),
    shape(palm, on = hand, sphere = 0.1, friction = 0.4, restitution = 0.3),
    contact(skin, on = ball, sphere = 0.3, friction = 0.9),";

fn describe_pairs(entries: &str) -> Description {
    describe(&format!("{LINKS} {SHAPES} {entries}"))
}

fn names(description: &Description) -> (Vec<String>, Vec<String>) {
    let contacts = description.contacts.iter().map(|c| c.name.text.clone());
    (contacts.collect(), description.pairs.iter().map(|p| p.name.text.clone()).collect())
}

#[test]
fn all_that_are_no_neighbors_collide() {
    let (contacts, pairs) = names(&describe_pairs("collide(all)"));
    // The cart rides on the world, as the table stands there; the ball flies.
    assert_eq!(contacts, ["skin", "bumper_palm", "bumper_skin", "palm_skin"]);
    assert_eq!(pairs, ["top_bone", "top_palm", "top_skin", "bone_skin"]);
}

#[test]
fn pairs_are_what_is_said_of_them() {
    let pairs = "pair(palm, skin), pair(top, bumper, friction = 0.1, directions = 8), collide(all)";
    let robot = describe_pairs(pairs);
    let (contacts, pairs) = names(&robot);
    assert_eq!(contacts, ["skin", "palm_skin", "bumper_palm", "bumper_skin"]);
    assert_eq!(pairs, ["top_bumper", "top_bone", "top_palm", "top_skin", "bone_skin"]);
    let first = &robot.pairs[0];
    assert_eq!((first.friction.constant(), first.directions), (Some(0.1), 8));
    assert_eq!(first.shapes.map(|k| robot.shapes[k].name.text.as_str()), ["top", "bumper"]);
    let friction = robot.contacts[1].friction.constant().expect("a constant");
    assert!((friction - 0.6).abs() < 1e-15, "the geometric mean: {friction}");
    assert_eq!(robot.contacts[1].restitution.constant(), Some(0.0));
    let own = robot.shapes.iter().map(|shape| shape.name.text.as_str());
    assert_eq!(own.collect::<Vec<_>>(), ["top", "bumper", "bone", "palm", "skin"]);
}

/// A unit force of each row and its reverse, at one point, have neither force nor moment together: a
/// common motion of both links changes nothing.
#[test]
fn rows_of_a_pair_are_of_relative_motion() {
    let robot = describe(
        "link(trunk, mass = 1, inertia = [1, 1, 1]), joint(free, floating(world -> trunk)),
         link(left, mass = 1), joint(a, revolute(trunk -> left), axis = [0, 1, 0], at = [1, 0, 0]),
         link(right, mass = 1), joint(b, revolute(trunk -> right), axis = [1, 0, 0], at = [0, 1, 0]),
         shape(one, on = left, at = [0.1, 0.2, 0.3], sphere = 0.1),
         shape(two, on = right, at = [0.3, 0.2, -0.7], sphere = 0.2),
         pair(one, two)",
    );
    let q = vec![0.3, -0.2, 0.7, 0.1, -0.5, 0.7, 0.5, 0.4, -0.9];
    let state = Numbers { q, ..Numbers::default() };
    with(&robot, |m| {
        let rows = m.contact_jacobian();
        assert!(rows.iter().all(|row| row[..6].iter().all(|x| x.is_zero())));
        let axes = state.of(&m.contact_frames(), m.graph);
        let dot = |i: usize, j: usize| (0..3).map(|k| axes[3 * i + k] * axes[3 * j + k]).sum();
        for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            let product: f64 = dot(i, j);
            assert!((product - f64::from(u8::from(i == j))).abs() < 1e-14);
        }
    });
}

/// The columns that support a link make the Jacobian of its points, also where joints are coupled.
#[test]
fn columns_make_the_jacobian_of_a_point() {
    let robot = describe(
        "link(one, mass = 1), joint(a, revolute(world -> one), axis = [0, 1, 0]),
         link(two, mass = 1), joint(b, prismatic(one -> two), axis = [1, 1, 0], at = [1, 0, 0]),
         link(three, mass = 1),
         joint(c, revolute(two -> three), axis = [1, 0, 0], at = [0, 1, 0], mimic(a, multiplier = 2)),
         contact(tip, on = three, at = [0.1, 0.2, 0.3]),
         shape(top, on = one, box = [1, 1, 1]), pair(top, tip)",
    );
    let state = Numbers { q: vec![0.3, -0.2], ..Numbers::default() };
    with(&robot, |m| {
        let columns = state.of(&m.joint_columns(), m.graph);
        let point = state.of(&m.contact_points(), m.graph);
        let expected = state.of(&m.contact_jacobian().concat(), m.graph);
        let (coordinates, support) = (m.column_coordinates(), &m.supports()[2]);
        assert_eq!((&coordinates[..], &support[..]), (&[0, 1, 0][..], &[0, 1, 2][..]));
        let mut jacobian = [[0.0; 2]; 3];
        for &k in support {
            let [x, y, z, a, b, c] = [0, 1, 2, 3, 4, 5].map(|i| columns[6 * k + i]);
            let turned = [
                b * point[2] - c * point[1],
                c * point[0] - a * point[2],
                a * point[1] - b * point[0],
            ];
            let velocity = [x + turned[0], y + turned[1], z + turned[2]];
            (0..3).for_each(|i| jacobian[i][coordinates[k]] += velocity[i]);
        }
        // The rows of contact with the level ground are along z, x and y.
        let found = [jacobian[2], jacobian[0], jacobian[1]].concat();
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
    });
}
