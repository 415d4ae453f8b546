//! What attributes mean.

use std::f64::consts::PI;

use super::{ARM, read, sound, values};
use crate::description::{About, Bound, Parent, Rotation, Surface};
use crate::scalar::Scalar;

fn field(index: usize) -> Scalar {
    Scalar::Field(index)
}

#[test]
fn acrobot() {
    let parsed = sound(
        "gravity = [0, 0, -1.62],
         joint(shoulder, revolute(world -> upper), axis = [0, 1, 0]),
         joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, 1, 0], actuated,
               limits = [-2.5, 2.5], gear = 3, rotor_inertia = 0.5, armature = 0.25),
         contact(tip, on = lower, at = [0, 0, -l2], friction = mu, restitution = e),
         frame(tool, on = lower, at = [0, 0, -self.l2], rpy = [0, PI / 2, 0]),
         link(upper, mass = m1, com = [0, 0, -l1]),
         link(lower, mass = m2, com = [0, 0, -l2], inertia = [1, 1, 1]),
         root = lower, crate = my::dynamics",
        "m1: f64, m2: f64, l1: f64, l2: f64, mu: f32, e: f64",
    );
    let robot = &parsed.description;
    assert_eq!(robot.name, "R");
    assert_eq!(robot.fields, ["m1", "m2", "l1", "l2", "mu", "e"]);
    assert_eq!(values(&robot.gravity), [0.0, 0.0, -1.62]);
    assert_eq!(robot.root, Some(1));
    let names: Vec<_> = robot.joints.iter().map(|joint| joint.name.text.as_str()).collect();
    assert_eq!(names, ["shoulder", "elbow"], "in the order of declaration");
    let elbow = &robot.joints[1];
    assert_eq!((elbow.parent, elbow.child), (Parent::Link(0), 1));
    assert_eq!(elbow.origin.position[2], -field(2));
    assert_eq!(values(elbow.coordinates[0].limits.as_ref().unwrap()), [-2.5, 2.5]);
    assert_eq!(elbow.coordinates[0].armature.constant(), Some(0.25 + 9.0 * 0.5));
    assert_eq!(robot.joints[0].parent, Parent::World);
    assert_eq!(robot.links[0].inertial.mass, field(0));
    assert_eq!(robot.actuators.len(), 1);
    assert_eq!(robot.actuators[0].gear.constant(), Some(3.0));
    let contact = &robot.contacts[0];
    assert_eq!((contact.link, contact.directions), (1, 4));
    assert_eq!((&contact.friction, &contact.restitution), (&field(4), &field(5)));
    let Surface::Plane { normal, .. } = &contact.surface else { panic!() };
    assert_eq!(values(normal), [0.0, 0.0, 1.0]);
    let Rotation::Rpy(rpy) = &robot.frames[0].placement.rotation else { panic!() };
    assert_eq!(values(rpy), [0.0, PI / 2.0, 0.0]);
    assert_eq!(parsed.runtime, syn::parse_quote!(my::dynamics));
}

#[test]
fn defaults() {
    let parsed = sound(&format!("{ARM} contact(tip, on = arm)"), "");
    assert_eq!(values(&parsed.description.gravity), [0.0, 0.0, -9.81]);
    assert_eq!(parsed.runtime, syn::parse_quote!(::jourdain));
    let contact = &parsed.description.contacts[0];
    let Surface::Plane { offset, .. } = &contact.surface else { panic!() };
    let zero = [&contact.radius, &contact.friction, &contact.restitution, offset];
    assert!(zero.iter().all(|x| x.constant() == Some(0.0)));
    assert!(parsed.description.joints[0].coordinates[0].limits.is_none());
    assert!(parsed.description.actuators.is_empty());
}

#[test]
fn attributes_are_concatenated_and_nothing_is_an_empty_robot() {
    let text = "#[robot(link(a, mass = 1))] #[robot(joint(j, fixed(world -> a)),)] struct R {}";
    let mut errors = crate::diagnostic::Errors::default();
    let parsed = super::parse(&syn::parse_str(text).unwrap(), &mut errors);
    assert!(errors.is_empty(), "{:?}", errors.messages());
    assert_eq!((parsed.description.links.len(), parsed.description.joints.len()), (1, 1));
    assert!(sound("", "").description.links.is_empty());
}

#[test]
fn numbers_mean_what_they_mean_in_rust() {
    for (text, expected) in [
        ("2 * 3 - 4 / 2", 4.0),
        ("-(1 + 2) * 1e-1", -(3.0 * 1e-1)),
        ("1_000.5f64", 1000.5),
        ("7 / 2.0", 3.5),
        ("sqrt(2) * sin(PI / 6) + cos(TAU)", 2f64.sqrt() * (PI / 6.0).sin() + 1.0),
        ("std::f64::consts::FRAC_PI_2 + 2.0.sqrt()", PI / 2.0 + 2f64.sqrt()),
        ("0x10", 16.0),
        ("170141183460469231731687303715884105727", 2f64.powi(127)),
    ] {
        let parsed = sound(&format!("gravity = [{text}, 0, 0]"), "");
        assert_eq!(parsed.description.gravity[0].constant(), Some(expected), "{text}");
    }
    let parsed = sound("gravity = [PI, r#type, 2 / self.r#type]", "PI: f64, r#type: f64");
    let gravity = &parsed.description.gravity;
    assert_eq!(gravity[..2], [field(0), field(1)], "a field hides a constant");
    assert_eq!(gravity[2], Scalar::Number(2.0) / field(1));
}

#[test]
fn names_are_words_or_strings() {
    let parsed = sound(
        "link(\"base link\", mass = 1), link(box, mass = 1), link(\"world\", mass = 1),
         joint(box, fixed(world -> \"base link\")),
         joint(\"3-rd\", fixed(\"base link\" -> box)),
         joint(fixed, fixed(box -> \"world\")),
         frame(top, on = box), frame(far, on = world),
         spring(s, a = \"base link\" @ [1, 0, 0], b = world @ [0, 1, 0]), spring(t, a = box, b = world)",
        "",
    );
    let robot = &parsed.description;
    assert_eq!(robot.joints[1].name.text, "3-rd");
    assert_eq!(robot.frames[1].link, 2, "on the link of that name");
    assert_eq!(robot.springs[0].ends[1].0, Parent::World, "in the world itself");
    assert_eq!(values(&robot.springs[0].ends[0].1), [1.0, 0.0, 0.0]);
    assert_eq!(robot.springs[1].ends[0].0, Parent::Link(1));
}

#[test]
fn masses_of_all_kinds() {
    let parsed = sound(
        "link(ball, mass = 10, sphere(radius = 0.5)), link(cube, density = 2, box(size = [1, 2, 3])),
         link(ghost, massless), link(rod, mass = 2, com = [0, 0, 1], inertia = [3, 3, 1], at_origin),
         joint(a, fixed(world -> ball)), joint(b, fixed(world -> cube)),
         joint(c, fixed(world -> ghost)), joint(d, fixed(world -> rod))",
        "",
    );
    let inertial = |k: usize| &parsed.description.links[k].inertial;
    assert_eq!(values(&inertial(0).inertia), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(inertial(1).mass.constant(), Some(12.0));
    assert_eq!(values(&inertial(1).inertia), [13.0, 10.0, 5.0, 0.0, 0.0, 0.0]);
    assert_eq!(inertial(2).mass.constant(), Some(0.0));
    assert_eq!(inertial(3).about, About::Origin);
}

#[test]
fn coordinates_share_or_list_their_quantities() {
    let parsed = sound(
        "link(a, mass = 1), link(b, mass = 1), link(c, mass = 1),
         joint(base, floating(world -> a), actuated),
         joint(slide, planar(a -> b), damping = 2, friction = [1, 2, 3],
               limits = [[-1, 1], [-2, 2], [NEG_INFINITY, INFINITY]], actuated, gear = [1, 2, 3]),
         joint(cross, universal(b -> c), axes = [[1, 0, 0], [0, 1, 0]], stiffness = 4, rest = 1,
               limits = [-1, 1]),
         actuator(extra, joint = cross, coordinate = 1, gear = 5)",
        "",
    );
    let robot = &parsed.description;
    let slide = &robot.joints[1];
    assert_eq!(values(&slide.axes[0]), [0.0, 0.0, 1.0], "the default of a planar joint");
    let damping = slide.coordinates.iter().map(|c| c.damping.constant());
    assert!(damping.eq([Some(2.0); 3]));
    assert_eq!(slide.coordinates[2].friction.constant(), Some(3.0));
    assert_eq!(values(slide.coordinates[1].limits.as_ref().unwrap()), [-2.0, 2.0]);
    let cross = &robot.joints[2];
    assert_eq!(values(cross.coordinates[1].limits.as_ref().unwrap()), [-1.0, 1.0]);
    let actuators: Vec<_> =
        robot.actuators.iter().map(|a| (a.name.text.as_str(), a.joint, a.coordinate)).collect();
    assert_eq!(actuators.len(), 10);
    assert_eq!(actuators[5], ("base_5", 0, 5));
    assert_eq!(actuators[8], ("slide_2", 1, 2));
    assert_eq!(actuators[9], ("extra", 2, 1));
    assert_eq!(robot.actuators[8].gear.constant(), Some(3.0));
}

#[test]
fn followers_of_followers() {
    let parsed = sound(
        "link(a, mass = 1), link(b, mass = 1), link(c, mass = 1),
         joint(third, revolute(b -> c), axis = [1, 0, 0], mimic(second, multiplier = 2, offset = 1)),
         joint(second, prismatic(a -> b), axis = [1, 0, 0], mimic(first, multiplier = -3, offset = 5)),
         joint(first, continuous(world -> a), axis = [1, 0, 0])",
        "",
    );
    let mimic = parsed.description.joints[0].mimic.as_ref().unwrap();
    let numbers = (mimic.joint, mimic.multiplier.constant(), mimic.offset.constant());
    assert_eq!(numbers, (2, Some(-6.0), Some(11.0)));
}

#[test]
fn bounds_on_fields_are_left_for_run_time() {
    let (_, open, messages) = read(
        "link(arm, mass = m, com = [0, 0, -l], inertia = [m, m, m]),
         joint(pivot, revolute(world -> arm), axis = [x, 0, 0], limits = [-l, l], damping = 1),
         frame(tool, on = arm, quaternion = [0, 0, 0, x]), frame(tip, on = arm, at = [0, 0, -l])",
        "m: f64, l: f64, x: f64",
    );
    assert!(messages.is_empty(), "{messages:?}");
    let stated: Vec<_> = open.iter().map(|r| (r.quantity.as_str(), r.bound)).collect();
    assert_eq!(
        stated,
        [
            ("the centre of mass of link `arm`", Bound::Finite),
            ("the mass of link `arm`", Bound::NonNegative),
            ("the inertia of link `arm`", Bound::Inertia),
            ("the axis of joint `pivot`", Bound::Direction),
            ("the lower limit of joint `pivot`", Bound::Interval),
            ("the squared length of the quaternion of frame `tool`", Bound::Positive),
        ]
    );
}
