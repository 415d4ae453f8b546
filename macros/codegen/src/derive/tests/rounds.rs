//! Which contacts are computed in rounds.

use super::{describe_struct, with};

/// A point, and what is said of it.
struct Point<'a> {
    at: &'a str,
    more: &'a str,
}

/// How many rounds, of which first contact, with these points on a free body.
fn rounds<'a>(points: impl IntoIterator<Item = Point<'a>>) -> Vec<(usize, usize)> {
    let mut entries = "link(body, mass = 1, inertia = [1, 1, 1]), \
                       joint(free, floating(world -> body)),"
        .to_owned();
    for (k, Point { at, more }) in points.into_iter().enumerate() {
        entries += &format!("contact(c{k}, on = body, at = {at}, friction = 0.5, {more}),");
    }
    let description = describe_struct(&entries, "struct Robot { x: f64 }");
    with(&description, |m| {
        let runs = m.contact_rows_in_lanes().1;
        runs.iter().map(|run| (run.count, 4 * run.first)).collect()
    })
}

/// Points on a line, said more of by their number.
fn line(count: usize, more: impl Fn(usize) -> &'static str) -> Vec<(usize, usize)> {
    let places: Vec<_> = (0..count).map(|k| format!("[0.1 * {k}, 0.2, -0.3]")).collect();
    rounds(places.iter().enumerate().map(|(k, at)| Point { at, more: more(k) }))
}

#[test]
fn contacts_of_one_body_that_differ_in_place_are() {
    assert_eq!(line(16, |_| ""), [(4, 0)]);
    assert_eq!(line(102, |_| "sphere = 0.1"), [(25, 0)]);
    assert_eq!(line(15, |_| ""), []);
}

#[test]
fn others_end_a_run() {
    // The four with the twentieth are none of a run, nor are the three before them, which are too few.
    assert_eq!(line(36, |k| if k == 13 { "sphere = 0.1" } else { "" }), [(5, 16)]);
    assert_eq!(line(32, |k| if k < 16 { "sphere = 0.1" } else { "" }), [(4, 0), (4, 16)]);
    assert_eq!(
        line(32, |k| if k < 16 { "plane(normal = [0, 1, 1])" } else { "" }),
        [(4, 0), (4, 16)]
    );
    assert_eq!(line(16, |_| "sphere = x"), [(4, 0)]);
}

#[test]
fn places_that_are_one_or_unknown_are_not() {
    let same = Point { at: "[0.1, 0.2, 0.3]", more: "" };
    assert_eq!(rounds((0..20).map(|_| Point { ..same })), []);
    assert_eq!(rounds((0..20).map(|_| Point { at: "[x, 0.2, 0.3]", more: "" })), []);
    let places: Vec<_> = (0..36)
        .map(|k| if k == 1 { "[x, 0.2, 0.3]".to_owned() } else { format!("[0.1 * {k}, 0, 0]") })
        .collect();
    assert_eq!(rounds(places.iter().map(|at| Point { at, more: "" })), [(8, 4)]);
}
