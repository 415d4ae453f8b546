//! Robots on many contacts, whose kernels compute in rounds.

use std::fmt::Write;

const BODY: &str = "mass = 1, inertia = [1, 1, 1]";

/// The structs `Lift`, `Cart`, `Arm` and `Crowd` with their attributes.
pub(crate) fn robots() -> Result<String, std::fmt::Error> {
    // Nothing but the contacts is in lanes.
    let lift = format!(
        "link(table, {BODY}), joint(up, prismatic(world -> table), axis = [0, 0, 1]),{}",
        points("table", 16, |k| format!("[0.1 * {}, 0.1 * {}, -0.1]", k % 4, k / 4), "")?
    );
    // About the axis that they lie on, no contact is moved.
    let cart = format!(
        "link(cart, {BODY}), joint(along, prismatic(world -> cart), axis = [1, 0, 0]),
        link(post, {BODY}), joint(about, revolute(cart -> post), axis = [0, 0, 1]),{}",
        points("post", 16, |k| format!("[0, 0, 0.1 * {k}]"), "")?
    );
    // A round is more than one block of statements, ends in changes of sign, and is followed by other contacts.
    let mut arm = format!("link(l0, {BODY}), joint(j0, floating(world -> l0)),");
    for k in 1..14 {
        let (from, axis) = (k - 1, if k % 2 == 0 { "[0, -1, 0]" } else { "[1, 0, 0]" });
        write!(arm, "link(l{k}, {BODY}), joint(j{k}, revolute(l{from} -> l{k}), ")?;
        write!(arm, "at = [0.1, 0.2, 0.3], axis = {axis}),")?;
    }
    let down = "plane(normal = [0, 0, -1])";
    arm += &points("l13", 18, |k| format!("[0.1 * {k}, 0.2, 0.01 * {k} * {k}]"), down)?;
    arm += &points("l6", 2, |k| format!("[0.1, 0.2 * {k}, 0.3]"), down)?;
    // Several bodies, one of spheres, and contacts of none of them.
    let mut crowd = String::new();
    for (k, more) in
        ["", "sphere = 0.1", "plane(normal = [1, 0, 3], offset = 0.1)"].iter().enumerate()
    {
        write!(crowd, "link(b{k}, {BODY}), joint(f{k}, floating(world -> b{k})),")?;
        let body = format!("b{k}");
        crowd +=
            &points(&body, 20 + k, |n| format!("[0.1 * {n}, 0.3 - 0.2 * {}, 0.1]", n % 3), more)?;
    }
    let robots = [("Lift", lift), ("Cart", cart), ("Arm", arm), ("Crowd", crowd)];
    let robots = robots.map(|(name, entries)| {
        format!("#[derive(Robot, Clone, Copy, Debug)]\n#[robot({entries})]\nstruct {name};\n")
    });
    Ok(robots.concat())
}

fn points(
    link: &str,
    count: usize,
    at: impl Fn(usize) -> String,
    more: &str,
) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for k in 0..count {
        write!(text, "contact({link}_{k}, on = {link}, at = {}, friction = 0.5, {more}),", at(k))?;
    }
    Ok(text)
}
