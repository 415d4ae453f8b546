//! Contacts with the ground, in descriptions that must touch alike.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::{Numbers, describe, with};
use crate::description::Description;

const BODY: &str = "link(body, mass = 1, inertia = [1, 1, 1]), \
                    joint(free, floating(world -> body)),";

/// Gaps, points and rows at a configuration in general position.
fn touch(description: &Description) -> [Vec<f64>; 3] {
    let q = vec![0.3, -0.2, 0.7, 0.1, -0.5, 0.7, 0.5];
    let state = Numbers { q, v: vec![0.3, -0.1, 0.5, 0.7, -0.2, 0.4], a: Vec::new() };
    with(description, |m| {
        let rows = [m.contact_jacobian().concat(), m.contact_bias()].concat();
        [m.gap(), m.contact_points(), rows].map(|outputs| state.of(&outputs, m.graph))
    })
}

fn assert_alike(a: &str, b: &str) {
    let [a, b] = [a, b].map(|entries| describe(&format!("{BODY} {entries}")));
    for (a, b) in touch(&a).iter().zip(&touch(&b)) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
    }
}

#[test]
fn a_box_touches_with_its_vertices() {
    let half = ["-0.1", "0.1"];
    let vertex = |k: usize| {
        let (x, y, z) = (half[k & 1], half[k >> 1 & 1], half[k >> 2]);
        format!("contact(foot_{k}, on = body, at = [1 + {x}, {y} * 2, {z} * 3], friction = 0.5),")
    };
    let vertices: String = (0..8).map(vertex).collect();
    let whole = "contact(foot, on = body, at = [1, 0, 0], box = [0.2, 0.4, 0.6], friction = 0.5)";
    assert_alike(whole, &vertices);
    let names = describe(&format!("{BODY} {whole}")).contacts.into_iter().map(|c| c.name.text);
    assert_eq!(names.collect::<Vec<_>>()[..2], ["foot_0", "foot_1"]);
}

#[test]
fn solids_are_turned() {
    let ends = "contact(a, on = body, at = [1, 0, 2], sphere = 0.1), \
                contact(b, on = body, at = [1, 0, 0], sphere = 0.1)";
    let about_y = |angle: &str| {
        format!("contact(c, on = body, at = [1, 0, 1], rpy = [0, {angle}, 0], capsule = [0.1, 2])")
    };
    assert_alike(ends, &about_y(&PI.to_string()));
    let turned = "contact(c, on = body, quaternion = [0, 0, 3, 3], hull = [[1, 2, 3], [0, 0, 1]])";
    let points = "contact(a, on = body, at = [-2, 1, 3]), contact(b, on = body, at = [0, 0, 1])";
    assert_alike(turned, points);
    let rolled = "contact(c, on = body, rpy = [PI / 2, 0, PI / 2], hull = [[1, 2, 3]])";
    assert_alike(rolled, "contact(a, on = body, at = [3, 1, 2])");
}

/// An inclined plane is one by whichever entry.
#[test]
fn a_straight_slope_is_a_plane() {
    for what in ["", "sphere = 0.2,"] {
        assert_alike(
            &format!("contact(a, on = body, at = [1, 2, 3], {what} height = 0.5 + y)"),
            &format!(
                "contact(a, on = body, at = [1, 2, 3], {what} plane(normal = [0, -1, 1], \
                 offset = 0.5 * {FRAC_1_SQRT_2}))"
            ),
        );
    }
    let ground = "ground(normal = [1, 0, 2], offset = 0.3),";
    let plane = "contact(a, on = body, plane(normal = [1, 0, 2], offset = 0.3))";
    assert_alike(&format!("{ground} contact(a, on = body)"), plane);
    let wave = "contact(a, on = body, height = sin(x))";
    assert_alike("ground(height = sin(x)), contact(a, on = body)", wave);
}
