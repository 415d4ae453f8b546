//! What is wrong, told once each and without consequences.

use super::{ARM, messages};

/// Each attribute, behind [`ARM`], has exactly the errors that start as given.
fn assert_errors(cases: &[(&str, &[&str])]) {
    for (attribute, expected) in cases {
        assert_messages(&format!("{ARM} {attribute}"), expected);
    }
}

fn assert_messages(attribute: &str, expected: &[&str]) {
    let found = messages(attribute, "l: f64");
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected));
    assert!(same, "{attribute}\nfound    {found:#?}\nexpected {expected:#?}");
}

#[test]
fn of_syntax() {
    assert_errors(&[
        ("links(a, mass = 1)", &["`links` is no key of a robot; did you mean `link`?"]),
        ("link = 3", &["expected `link(…)`"]),
        ("gravity", &["expected `gravity = …`"]),
        ("gravity = [1, 2, 3], gravity = [1, 2, 3]", &["`gravity` is given twice"]),
        ("gravity = [1, , 3]", &["unexpected token, expected `]`"]),
        ("3", &["expected a name or a key"]),
        ("frame()", &["expected a name first"]),
        ("frame(on = arm)", &["expected a name first"]),
        ("frame(a b, on = arm)", &["expected `,`"]),
        ("frame(a, on = 3)", &["expected a name"]),
        ("frame(a, on -> arm)", &["expected `on = …`"]),
        ("frame(a, on = arm, at = here)", &["expected a list of 3 numbers"]),
        ("crate = 1", &["expected the path"]),
        ("mimic = ignore", &["`mimic` says how a file is read"]),
        ("urdf = 3", &["expected a name"]),
    ]);
}

#[test]
fn of_numbers() {
    assert_errors(&[
        ("gravity = [m, 0, 0]", &["there is no field `m`, the struct has `l`"]),
        ("gravity = [1 / 2, 3 / 0, 0]", &["1 / 2 is 0 in Rust", "division by zero"]),
        ("gravity = [-7 / 2, 0, 0]", &["-7 / 2 is -3 in Rust; write -7.0 / 2.0"]),
        ("gravity = [l ^ 2, 0, 0]", &["`^` is exclusive or"]),
        ("gravity = [l ** 2, 0, 0]", &["expected a number"]),
        ("gravity = [l << 2, 0, 0]", &["expected one of the operators"]),
        (
            "gravity = [cosh(l), sin(), l.sinn()]",
            &[
                "there is no function `cosh`, only `sin`, `cos` and `sqrt`; did you mean `cos`?",
                "`sin` takes one argument",
                "there is no function `sinn`",
            ],
        ),
        (
            "gravity = [1u8, 1.0f32, 1e999]",
            &[
                "expected a number of type f64, found one of type u8",
                "expected a number of type f64, found one of type f32",
                "this number is too large",
            ],
        ),
        (
            "gravity = [true, [1], \"1\"]",
            &["expected a number", "expected one number, found a list", "expected a number"],
        ),
        (
            "gravity = [self.q, other.l, self.0]",
            &[
                "there is no field `q`",
                "expected a field of the struct",
                "expected a field of the struct",
            ],
        ),
        ("gravity = [std::f64::MAX, a::b, 0]", &["expected a field or", "expected a field or"]),
        ("gravity = [x + y, 0, 0]", &["there is no field `x`", "there is no field `y`"]),
        (
            "gravity = [1.0 / 0.0, INFINITY, sqrt(-1)]",
            &[
                "gravity is inf, expected a finite number",
                "gravity is inf, expected a finite number",
                "gravity is NaN, expected a finite number",
            ],
        ),
        ("gravity = [0, 0]", &["expected a list of 3 numbers, found 2"]),
    ]);
}

#[test]
fn of_links() {
    let on = |link: &str| format!("link(a, {link}), joint(j, fixed(world -> a))");
    for (link, expected) in [
        ("", &["link `a` has no mass"][..]),
        ("com = [0, 0, 1]", &["link `a` has no mass"]),
        ("mass = -1", &["the mass of link `a` is -1, expected a number greater than 0"]),
        ("mass = 0", &["the mass of link `a` is 0"]),
        ("mas = 1", &["`mas` is no key of a link; did you mean `mass`?"]),
        ("mass 1", &["expected `,`"]),
        ("mass = q", &["there is no field `q`"]),
        ("mass = 1, density = 1, sphere(radius = 1)", &["expected one of `mass` and `density`"]),
        ("massless, mass = 1", &["link `a` is `massless` and has no `mass`"]),
        ("density = 1", &["`density` needs a solid"]),
        ("density = 1, inertia = [1, 1, 1]", &["`density` needs a solid"]),
        ("mass = 1, sphere(radius = 1), inertia = [1, 1, 1]", &["expected one of `inertia` and"]),
        ("mass = 1, cylinder(radius = 1)", &["expected `cylinder(radius = …, length = …)`"]),
        ("mass = 1, sphere(radius = -1)", &["the radius of link `a` is -1"]),
        ("mass = 1, box(size = [1, 0, 1])", &["an edge of link `a` is 0"]),
        ("mass = 1, box(size = 1)", &["expected a list of 3 numbers"]),
        ("mass = 1, inertia = [1, 2, 4]", &["the inertia of link `a` has the principal moments 1"]),
        ("mass = 1, inertia = [1, 1, 1, 2, 0, 0]", &["the inertia of link `a` has the principal"]),
        ("mass = 1, inertia = [0, 0, 1]", &["the inertia of link `a` has the principal moments 0"]),
        ("mass = 1, inertia = 3", &["expected `[ixx, iyy, izz]`"]),
        ("mass = 1, at_origin", &["`at_origin` says what `inertia` is about"]),
        ("mass = 1, inertia = [1, 1, 1], at_origin, rpy = [0, 0, 1]", &["an inertia `at_origin`"]),
        ("mass = 1, rpy = [0, 0, 1]", &["a rotation turns"]),
        ("mass = 1, com = [0, 0, 1.0 / 0.0]", &["the centre of mass of link `a` is inf"]),
        (
            "mass = 1, com = [0, 0, 2], inertia = [1, 1, 1], at_origin",
            &["the inertia of link `a` has the principal moments -3, -3 and 1"],
        ),
    ] {
        assert_messages(&on(link), expected);
    }
}

#[test]
fn of_joints() {
    let on = |joint: &str| format!("link(a, mass = 1), joint(j, {joint})");
    for (joint, expected) in [
        ("axis = [0, 0, 1]", &["joint `j` does not say what it joins"][..]),
        ("revolut(world -> a)", &["`revolut` is no key of a joint; did you mean `revolute`?"]),
        ("revolute(a), axis = [0, 0, 1]", &["expected `revolute(parent -> child)`"]),
        ("revolute(world => a), axis = [0, 0, 1]", &["expected `->`"]),
        (
            "prismatic(world -> a), axis = [0, 0, 1], limits = 2.0",
            &["expected limits, `[lower, upper]`"],
        ),
        ("fixed(a -> world)", &["the world cannot be carried"]),
        ("fixed(world -> a), fixed(world -> a)", &["`fixed` is given twice"]),
        ("fixed(world -> a), floating(world -> a)", &["the joint is `fixed` already"]),
        ("revolute(world -> a)", &["joint `j` is revolute and needs one axis"]),
        ("revolute(world -> a), axis = [0, 0, 0]", &["the axis of joint `j` is [0, 0, 0]"]),
        ("fixed(world -> a), axis = [0, 0, 1]", &["joint `j` is fixed and takes no axis"]),
        ("universal(world -> a), axis = [0, 0, 1]", &["joint `j` is universal and takes two axes"]),
        ("universal(world -> a), axes = 1", &["expected a list of axes"]),
        (
            "universal(world -> a), axes = [[1, 1, 0], [2, 2, 0]]",
            &["the cross product of the axes of joint `j` is [0, 0, 0]"],
        ),
        ("planar(world -> a), axis = [0, 0, 1], axes = [[0, 0, 1]]", &["expected one of `axis`"]),
        ("helical(world -> a), axis = [0, 0, 1]", &["joint `j` is helical and needs `pitch"]),
        ("fixed(world -> a), pitch = 1", &["joint `j` is fixed and has no pitch"]),
        (
            "planar(world -> a), limits = [1, 1]",
            &["the lower limit of joint `j` is 1 and the upper"],
        ),
        ("planar(world -> a), limits = [[0, 1], [0, 1]]", &["joint `j` has 3 coordinates"]),
        ("planar(world -> a), limits = [0, 1, 2]", &["expected a list of 2 numbers, found 3"]),
        ("floating(world -> a), limits = [0, 1]", &["joint `j` is floating and has no limits"]),
        ("floating(world -> a), stiffness = 1", &["joint `j` is floating and has no `stiffness`"]),
        ("fixed(world -> a), damping = 1", &["joint `j` is fixed and has no `damping`"]),
        ("planar(world -> a), damping = [1, 2]", &["joint `j` has 3 coordinates"]),
        ("planar(world -> a), damping = -1", &["the damping of joint `j` is -1"]),
        ("planar(world -> a), friction = -1", &["the friction of joint `j` is -1"]),
        ("planar(world -> a), armature = -1", &["the armature of joint `j` is -1"]),
        ("planar(world -> a), rotor_inertia = -1", &["the rotor inertia of joint `j` is -1"]),
        ("planar(world -> a), velocity = 0, effort = 0", &["the velocity of", "the effort of"]),
        ("planar(world -> a), rest = 1", &["`rest` is where a spring is relaxed"]),
        ("planar(world -> a), gear = 1", &["`gear` has no effect"]),
        ("fixed(world -> a), actuated", &["joint `j` is fixed and has nothing to drive"]),
        ("planar(world -> a), actuated, passive", &["expected one of `actuated` and `passive`"]),
        (
            "planar(world -> a), rpy = [0, 0, 0], quaternion = [0, 0, 0, 1]",
            &["expected one of `rpy`"],
        ),
        (
            "planar(world -> a), quaternion = [0, 0, 0, 0]",
            &["the squared length of the quaternion"],
        ),
        ("planar(world -> a), mimic(j)", &["only joints with one coordinate"]),
        ("planar(world -> a), mimic()", &["expected `mimic(joint"]),
        ("planar(world -> a), mimic(k)", &["there is no joint `k`", "only joints with one"]),
    ] {
        assert_messages(&on(joint), expected);
    }
}

#[test]
fn of_followers() {
    assert_errors(&[
        (
            "link(b, mass = 1), joint(j, prismatic(arm -> b), axis = [1, 0, 0], mimic(pivot), actuated)",
            &["joint `j` follows `pivot`; actuate that one"],
        ),
        (
            "link(b, mass = 1), joint(j, prismatic(arm -> b), axis = [1, 0, 0], mimic(pivot)),
             actuator(m, joint = j)",
            &["joint `j` follows `pivot`; drive that one"],
        ),
        (
            "link(b, mass = 1), joint(j, prismatic(arm -> b), axis = [1, 0, 0], mimic(j))",
            &["joint `j` follows itself by way of `j`"],
        ),
        (
            "link(b, mass = 1), joint(j, prismatic(arm -> b), axis = [1, 0, 0], mimic(k)),
             link(c, mass = 1), joint(k, prismatic(b -> c), axis = [1, 0, 0], mimic(j)),
             link(d, mass = 1), joint(l, prismatic(c -> d), axis = [1, 0, 0], mimic(k))",
            &["joint `j` follows itself by way of `k`"],
        ),
    ]);
}

#[test]
fn of_the_tree() {
    assert_errors(&[
        ("link(arm, mass = 1)", &["link `arm` is described twice, first on line 1"]),
        ("joint(pivot, fixed(world -> arm))", &["joint `pivot` is described twice"]),
        ("joint(weld, fixed(world -> arm))", &["link `arm` is carried by joint `pivot` already"]),
        ("joint(weld, fixed(world -> amr))", &["there is no link `amr`; did you mean `arm`?"]),
        (
            "link(b, mass = 1), joint(weld, fixed(wrold -> b))",
            &["there is no link `wrold`; did you mean `world`?"],
        ),
        ("link(b, mass = 1)", &["no joint carries link `b`"]),
        (
            "link(b, mass = 1), link(c, mass = 1), joint(k, fixed(b -> c)), joint(i, fixed(c -> b))",
            &["joint `k` closes a cycle: `b` -> `c` -> `b`"],
        ),
        ("link(b, mass = 1), joint(k, fixed(b -> b))", &["joint `k` closes a cycle: `b` -> `b`"]),
        (
            "link(b, mass = 1), link(c, mass = 1), link(d, mass = 1), link(e, mass = 1),
             joint(cd, fixed(c -> d)), joint(db, fixed(d -> b)), joint(bc, fixed(b -> c)),
             joint(de, fixed(d -> e))",
            &["joint `cd` closes a cycle: `c` -> `d` -> `b` -> `c`"],
        ),
        ("link(world, mass = 1)", &["`world` is the inertial frame"]),
        ("root = amr", &["there is no link `amr`"]),
    ]);
}

#[test]
fn of_what_is_attached() {
    assert_errors(&[
        ("contact(c)", &["contact `c` needs a link, `on = …`"]),
        ("contact(c, on = world)", &["contact `c` needs a link, and `world` is none"]),
        ("contact(c, on = arm, sphere = -1)", &["the radius of contact `c` is -1"]),
        ("contact(c, on = arm, friction = -1)", &["the friction of contact `c` is -1"]),
        ("contact(c, on = arm, restitution = 2)", &["the restitution of contact `c` is 2"]),
        ("contact(c, on = arm, directions = 5)", &["expected an even number of directions"]),
        ("contact(c, on = arm, directions = 2)", &["expected an even number of directions"]),
        ("contact(c, on = arm, directions = 1002)", &["expected an even number of directions"]),
        ("contact(c, on = arm, directions = l)", &["expected an even number of directions"]),
        ("contact(c, on = arm, plane(normal = [0, 0, 0]))", &["the normal of contact `c`"]),
        ("contact(c, on = arm, plane(normal = 3))", &["expected a list of 3 numbers"]),
        ("contact(c, on = arm), contact(c, on = arm)", &["contact `c` is described twice"]),
        ("frame(f, on = arm), frame(f, on = arm)", &["frame `f` is described twice"]),
        ("frame(a_b, on = arm), frame(\"a b\", on = arm)", &["frames `a_b` and `a b` both become"]),
        ("frame(nv, on = arm)", &["frame `nv` becomes the constant `NV`"]),
        ("actuator(a)", &["actuator `a` needs `joint = …`"]),
        ("actuator(a, joint = pivto)", &["there is no joint `pivto`; did you mean `pivot`?"]),
        ("actuator(a, joint = pivot, coordinate = 1)", &["expected a whole number below 1"]),
        ("actuator(a, joint = pivot), actuator(a, joint = pivot)", &["actuator `a` is described"]),
        (
            "link(b, mass = 1), joint(f, floating(world -> b)), actuator(a, joint = f)",
            &["joint `f` has 6 coordinates: say which"],
        ),
        (
            "link(b, mass = 1), joint(f, fixed(world -> b)), actuator(a, joint = f)",
            &["joint `f` is fixed and has nothing to drive"],
        ),
        ("spring(s, a = arm)", &["spring `s` joins two points"]),
        ("spring(s, a = arm, b = 3)", &["expected a link or"]),
        ("spring(s, a = arm, b = amr)", &["there is no link `amr`"]),
        ("spring(s, a = arm, b = world, rest = -1)", &["the rest of spring `s` is -1"]),
    ]);
}

#[test]
fn nothing_follows_from_what_could_not_be_read() {
    for (attribute, expected) in [
        ("link(mass = 1), joint(j, fixed(world -> a)), frame(f, on = a)", &["expected a name"][..]),
        ("3, joint(j, fixed(world -> a)), actuator(m, joint = k)", &["expected a name or a key"]),
        ("urdf = \"nowhere\", joint(j, damping = 1), frame(f, on = a)", &["there is no file"]),
        (
            "link(a, mass = 1), joint(j, planar(world -> b)), actuator(m, joint = j, coordinate = 1)",
            &["there is no link `b`"],
        ),
    ] {
        assert_messages(attribute, expected);
    }
    assert_errors(&[(
        "joint(j, revolute(arm -> b), axis = [1, 0, 0]), limit(c, c = j), coupling(g, joint = pivot, to = j),
        limit(d, c = 1 - 2 * (j - pivot)), constraint(e, h = j[0] - pivt), constraint(f, h_v = rate(\"j\")),
        limit(told, c = pivt - 1)",
        &["there is no link `b`", "there is neither a field nor a joint `pivt`, joints are `pivot` and `j`"],
    )]);
}
