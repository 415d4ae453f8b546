//! Constraints: what they say, and what is wrong with them.

use super::{ARM, messages, sound};
use crate::description::{Law, Level};
use crate::scalar::Scalar;

/// A second joint and link beyond [`ARM`].
const HAND: &str = "link(hand, mass = 1), joint(wrist, revolute(arm -> hand), axis = [0, 1, 0], \
                    at = [l, 0, 0]), frame(grip, on = hand, at = [0, 0, 1]),";

#[test]
fn of_all_kinds() {
    let description = sound(
        &format!(
            "{ARM} {HAND} \
             closure(weld, a = hand @ grip, b = world), \
             closure(pin, a = hand @ [1, 2, 3, 0, 0, l], b = world, axes = [x, [0, 0, l, 0, 0, 1]]), \
             coupling(gear, joint = wrist, to = pivot, multiplier = 2), \
             rod(bar, a = hand, b = world @ [1, 0, 0], length = l), \
             point_on_line(slot, a = world, b = hand, direction = [1, 0, 0]), \
             point_on_plane(table, a = world, b = hand, normal = [0, 0, 1], time_constant = 0.1), \
             rolling(wheel, on = hand, radius = 0.1, axis = [0, 1, 0]), \
             rolling(caster, on = hand, radius = 0.1, tangential), \
             drive(motor, joint = wrist, rate = sin(t)), \
             constraint(law, h = sin(wrist) * pivot - self.l), \
             constraint(knife, h_v = rate(wrist) * cos(\"pivot\") - rate(pivot[0]), alpha = 3)"
        ),
        "l: f64",
    )
    .description;
    let laws: Vec<_> = description.constraints.iter().map(|c| &c.law).collect();
    let rows: Vec<_> = laws.iter().map(|law| law.levels().len()).collect();
    assert_eq!(rows, [6, 2, 1, 1, 2, 1, 3, 2, 1, 1, 1]);
    assert_eq!(laws[8].levels(), [Level::Velocity]);
    let Law::Velocity(Scalar::Sub(rate, sine)) = laws[8] else { panic!("a drive") };
    assert_eq!(**rate, Scalar::Velocity(1));
    assert_eq!(**sine, Scalar::Sin(Box::new(Scalar::Time)));
    let Law::Position(Scalar::Sub(_, length)) = laws[9] else { panic!("an equation") };
    assert_eq!(**length, Scalar::Field(0));
    assert_eq!(description.constraints[10].response.stabilization, Scalar::Number(3.0));
}

#[test]
fn errors() {
    for (attribute, expected) in [
        ("closure(c, a = hand)", "closure `c` joins two places"),
        ("closure(c, a = hand, b = hand @ [1, 0, 0])", "both ends of closure `c` are on the same"),
        ("closure(c, a = hand, b = world @ grip)", "frame `grip` is on link `hand`"),
        ("closure(c, a = hand @ gripp, b = world)", "there is no frame `gripp`"),
        ("closure(c, a = hand, b = world, axes = [x, q])", "expected `x`, `y`"),
        ("closure(c, a = hand, b = world, axes = [x, x])", "axis `x` is given twice"),
        ("closure(c, a = hand, b = world, axes = [])", "expected at least one axis"),
        ("coupling(c, joint = wrist, to = wrist)", "coupling `c` couples a joint to itself"),
        ("rod(c, a = hand, b = world)", "rod `c` needs a length"),
        ("constraint(c, h = t)", "constraint `c` must depend on a joint"),
        ("constraint(c, h_v = wrist)", "constraint `c` must depend on the `rate(…)`"),
        ("constraint(c, h = rate(wrist))", "the rate of a joint stands in `h_v = …`"),
        ("constraint(c, h = wrists)", "there is neither a field nor a joint `wrists`, joints are"),
        ("constraint(c, h = wrist[1])", "expected a number below 1"),
        ("constraint(c)", "constraint `c` is either `h = …`"),
        ("drive(c, joint = base, rate = t)", "joint `base` is fixed and has nothing to drive"),
        ("drive(c, joint = wrist)", "drive `c` needs `rate = …`"),
        (
            "rod(c, a = hand, b = world, length = 1, alpha = 1, time_constant = 1)",
            "expected one of",
        ),
        ("gravity = [wrist, 0, 0]", "there is no field `wrist`"),
    ] {
        let base = "link(foot, mass = 1), joint(base, fixed(world -> foot)),";
        let found = messages(&format!("{ARM} {HAND} {base} {attribute}"), "l: f64");
        assert!(found.len() == 1 && found[0].starts_with(expected), "{attribute}: {found:#?}");
    }
}
