//! What coordinates and parameters are, and their units.

use jourdain_codegen::description::{
    Coordinate, Description, Joint, Law, Place, Placement, Rotation, Surface,
};
use jourdain_codegen::joint::Chart;
use jourdain_codegen::scalar::Scalar;

use super::document::Meaning;
use super::names::Given;

/// q and v of every joint that has coordinates of its own.
pub(crate) fn coordinates(description: &Description) -> (Vec<Meaning>, Vec<Meaning>) {
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for joint in description.joints.iter().filter(|joint| joint.mimic.is_none()) {
        let (places, rates) = coordinates_of(joint, &description.links[joint.child].name.text);
        q.extend(places);
        v.extend(rates);
    }
    (q, v)
}

/// q and v of a joint that carries the link `child`.
fn coordinates_of(joint: &Joint, child: &str) -> (Vec<Meaning>, Vec<Meaning>) {
    let name = &joint.name.text;
    let meaning = |meaning: String, unit: &str| Meaning {
        name: name.clone(),
        meaning,
        unit: unit.to_owned(),
    };
    let of = |words: &[&str], unit: &str| -> Vec<Meaning> {
        words.iter().map(|word| meaning(format!("{word} of {name}"), unit)).collect()
    };
    let within = |words: &[&str], unit: &str| -> Vec<Meaning> {
        words.iter().map(|word| meaning(format!("{word} of {child}, in its axes"), unit)).collect()
    };
    let quaternion = || {
        of(
            &["x", "y", "z", "w"]
                .map(|letter| format!("quaternion's {letter}"))
                .each_ref()
                .map(String::as_str),
            "",
        )
    };
    let turning = || {
        within(
            &["angular velocity about x", "angular velocity about y", "angular velocity about z"],
            "rad/s",
        )
    };
    match joint.family.keyword() {
        "revolute" | "continuous" | "helical" => (of(&["angle"], "rad"), of(&["rate"], "rad/s")),
        "prismatic" => (of(&["displacement"], "m"), of(&["rate"], "m/s")),
        "cylindrical" => (
            [of(&["angle"], "rad"), of(&["displacement"], "m")].concat(),
            [of(&["angular rate"], "rad/s"), of(&["rate"], "m/s")].concat(),
        ),
        "universal" => (
            of(&["first angle", "second angle"], "rad"),
            of(&["first rate", "second rate"], "rad/s"),
        ),
        "planar" => (
            [of(&["first displacement", "second displacement"], "m"), of(&["angle"], "rad")]
                .concat(),
            [of(&["first rate", "second rate"], "m/s"), of(&["angular rate"], "rad/s")].concat(),
        ),
        "spherical" => (quaternion(), turning()),
        "floating" => (
            [of(&["x", "y", "z"], "m"), quaternion()].concat(),
            [
                within(&["velocity along x", "velocity along y", "velocity along z"], "m/s"),
                turning(),
            ]
            .concat(),
        ),
        _ => (Vec::new(), Vec::new()),
    }
}

/// u.
pub(crate) fn inputs(description: &Description) -> Vec<Meaning> {
    let (_, rates) = coordinates(description);
    let firsts = jourdain_codegen::description::coordinates(&description.joints).0;
    let of = |actuator: &jourdain_codegen::description::Actuator| {
        let joint = &description.joints[actuator.joint];
        let leader = joint.mimic.as_ref().map_or(actuator.joint, |mimic| mimic.joint);
        let rate = rates.get(firsts[leader].1 + actuator.coordinate);
        let turns = rate.is_none_or(|rate| rate.unit == "rad/s");
        Meaning {
            name: actuator.name.text.clone(),
            meaning: format!("effort of {}", actuator.name.text),
            unit: if turns { "N m" } else { "N" }.to_owned(),
        }
    };
    description.actuators.iter().map(of).collect()
}

/// The equation of motion, with what acts on the robot.
pub(crate) fn motion(description: &Description) -> String {
    let is_zero = |x: &Scalar| x.constant() == Some(0.0);
    let is_passive = |c: &Coordinate| !is_zero(&c.damping) || !is_zero(&c.stiffness);
    let coordinates = || description.joints.iter().flat_map(|joint| &joint.coordinates);
    let right = [
        (!description.gravity.iter().all(is_zero), "τ_g"),
        (coordinates().any(is_passive) || !description.springs.is_empty(), "τ_p"),
        (!description.actuators.is_empty(), "B u"),
        (!description.constraints.is_empty(), "Hᵀ λ"),
        (!description.contacts.is_empty(), "Jᵀ f"),
    ];
    let right: Vec<_> = right.iter().filter(|(acts, _)| *acts).map(|(_, term)| *term).collect();
    let right = if right.is_empty() { "0".to_owned() } else { right.join(" + ") };
    format!("M v̇ + C v = {right}")
}

/// Which velocity coordinates are rates of which of q.
pub(crate) fn given(description: &Description) -> Given {
    let mut rates = Vec::new();
    let mut q = 0;
    for joint in description.joints.iter().filter(|joint| joint.mimic.is_none()) {
        let is_rate = joint.family.chart() == Chart::Vector;
        rates.extend((0..joint.family.nv()).map(|k| is_rate.then_some(q + k)));
        q += joint.family.nq();
    }
    let fields = description.fields.iter().map(|field| plain(field));
    Given { fields: fields.collect(), rates }
}

/// A field without the mark of a raw identifier.
fn plain(field: &str) -> String {
    field.trim_start_matches("r#").to_owned()
}

/// The fields; `documented` says what the struct's source says of each.
pub(crate) fn parameters(description: &Description, documented: &[Option<String>]) -> Vec<Meaning> {
    let mut uses = Uses { found: vec![Vec::new(); description.fields.len()] };
    uses.of(description);
    let fields = description.fields.iter().zip(uses.found).zip(documented);
    fields
        .map(|((name, found), documented)| {
            let alone = found.iter().find(|found| found.is_alone);
            let unit = alone.map_or(String::new(), |found| found.unit.to_owned());
            let first = alone.or(found.first());
            let used = first.map_or("not used".to_owned(), |first| match first.is_alone {
                true => first.place.clone(),
                false => format!("in the {}", first.place),
            });
            let meaning = documented.clone().unwrap_or(used);
            Meaning { name: plain(name), meaning, unit }
        })
        .collect()
}

/// A place of a description where a field stands.
#[derive(Clone, Debug)]
struct Use {
    place: String,
    unit: &'static str,
    /// Whether nothing else stands there, a sign or a number aside.
    is_alone: bool,
}

struct Uses {
    found: Vec<Vec<Use>>,
}

impl Uses {
    fn add(&mut self, scalar: &Scalar, place: &str, unit: &'static str) {
        let alone = alone(scalar);
        for k in 0..self.found.len() {
            if scalar.contains(&|part| *part == Scalar::Field(k)) {
                self.found[k].push(Use {
                    place: place.to_owned(),
                    unit,
                    is_alone: alone == Some(k),
                });
            }
        }
    }

    fn add_all<'a>(
        &mut self,
        scalars: impl IntoIterator<Item = &'a Scalar>,
        place: &str,
        unit: &'static str,
    ) {
        scalars.into_iter().for_each(|scalar| self.add(scalar, place, unit));
    }

    fn placement(&mut self, placement: &Placement, of: &str) {
        self.add_all(&placement.position, &format!("place of {of}"), "m");
        self.rotation(&placement.rotation, &format!("orientation of {of}"));
    }

    fn rotation(&mut self, rotation: &Rotation, of: &str) {
        match rotation {
            Rotation::Identity => {}
            Rotation::Rpy(angles) => self.add_all(angles, of, "rad"),
            Rotation::Quaternion(x) => self.add_all(x, of, ""),
        }
    }

    fn of(&mut self, description: &Description) {
        self.add_all(&description.gravity, "gravity", "m/s²");
        for link in &description.links {
            let (name, inertial) = (&link.name.text, &link.inertial);
            self.add(&inertial.mass, &format!("mass of {name}"), "kg");
            self.add_all(&inertial.com, &format!("centre of mass of {name}"), "m");
            self.add_all(&inertial.inertia, &format!("inertia of {name}"), "kg m²");
            self.rotation(&inertial.axes, &format!("axes of the inertia of {name}"));
        }
        for joint in &description.joints {
            let name = &joint.name.text;
            self.placement(&joint.origin, name);
            joint.axes.iter().for_each(|axis| self.add_all(axis, &format!("axis of {name}"), ""));
            self.add(&joint.pitch, &format!("pitch of {name}"), "m/rad");
            let (_, rates) = coordinates_of(joint, "");
            for (coordinate, rate) in joint.coordinates.iter().zip(rates) {
                self.coordinate(coordinate, name, rate.unit == "rad/s");
            }
            if let Some(mimic) = &joint.mimic {
                self.add(&mimic.multiplier, &format!("multiplier of {name}"), "");
                self.add(&mimic.offset, &format!("offset of {name}"), "");
            }
        }
        for actuator in &description.actuators {
            self.add(&actuator.gear, &format!("gear of {}", actuator.name), "");
        }
        for spring in &description.springs {
            self.add(&spring.stiffness, &format!("stiffness of {}", spring.name), "N/m");
            self.add(&spring.damping, &format!("damping of {}", spring.name), "N s/m");
            self.add(&spring.rest, &format!("length at rest of {}", spring.name), "m");
            spring
                .ends
                .iter()
                .for_each(|(_, x)| self.add_all(x, &format!("place of {}", spring.name), "m"));
        }
        self.contacts(description);
        self.constraints(description);
    }

    fn coordinate(&mut self, coordinate: &Coordinate, name: &str, turns: bool) {
        let unit = |turning, sliding| if turns { turning } else { sliding };
        let of = |what: &str| format!("{what} of {name}");
        self.add(&coordinate.damping, &of("damping"), unit("N m s/rad", "N s/m"));
        self.add(&coordinate.stiffness, &of("stiffness"), unit("N m/rad", "N/m"));
        self.add(&coordinate.rest, &of("rest"), unit("rad", "m"));
        self.add(&coordinate.friction, &of("dry friction"), unit("N m", "N"));
        self.add(&coordinate.armature, &of("armature"), unit("kg m²", "kg"));
        self.add_all(coordinate.limits.iter().flatten(), &of("limits"), unit("rad", "m"));
        self.add_all(&coordinate.velocity_limit, &of("largest speed"), unit("rad/s", "m/s"));
        self.add_all(&coordinate.effort_limit, &of("largest effort"), unit("N m", "N"));
    }

    fn contacts(&mut self, description: &Description) {
        for contact in &description.contacts {
            let name = &contact.name;
            self.add_all(&contact.position, &format!("place of {name}"), "m");
            self.add(&contact.radius, &format!("radius of {name}"), "m");
            self.add(&contact.friction, &format!("friction of {name}"), "1");
            self.add(&contact.restitution, &format!("restitution of {name}"), "1");
            self.add(&contact.torsion, &format!("torsional friction of {name}"), "m");
            self.add(&contact.rolling, &format!("rolling resistance of {name}"), "m");
            match &contact.surface {
                Surface::Plane { normal, offset } => {
                    self.add_all(normal, "normal of the ground", "");
                    self.add(offset, "height of the ground", "m");
                }
                Surface::Height(height) => self.add(height, "height of the ground", "m"),
                Surface::Sphere { position, radius, .. } => {
                    self.add_all(position, &format!("place of {name}"), "m");
                    self.add(radius, &format!("radius of {name}"), "m");
                }
            }
        }
        for shape in &description.shapes {
            self.placement(&shape.placement, &shape.name.text);
            self.add_all(shape.geometry.sizes(), &format!("size of {}", shape.name), "m");
        }
        for frame in &description.frames {
            self.placement(&frame.placement, &frame.name.text);
        }
    }

    fn constraints(&mut self, description: &Description) {
        for constraint in &description.constraints {
            let name = &constraint.name.text;
            let places: &[Place] = constraint.law.places().map_or(&[], |places| places);
            places.iter().for_each(|place| self.placement(&place.placement, name));
            match &constraint.law {
                Law::Rod { length, .. } => self.add(length, &format!("length of {name}"), "m"),
                Law::PointOnLine { direction: axis, .. }
                | Law::PointOnPlane { normal: axis, .. } => {
                    self.add_all(axis, &format!("direction of {name}"), "");
                }
                Law::Rolling(rolling) => {
                    self.add(&rolling.radius, &format!("radius of {name}"), "m");
                    self.add(&rolling.offset, &format!("height of {name}"), "m");
                }
                Law::Position(h) | Law::Velocity(h) => {
                    self.add(h, &format!("constraint {name}"), "");
                }
                Law::Closure { .. } => {}
            }
        }
        for limit in &description.limits {
            self.add(&limit.function, &format!("limit {}", limit.name), "");
        }
    }
}

/// The field that a number is, a sign or a constant factor aside.
fn alone(scalar: &Scalar) -> Option<usize> {
    match scalar {
        Scalar::Field(k) => Some(*k),
        Scalar::Neg(a) => alone(a),
        Scalar::Mul(a, b) if a.constant().is_some() => alone(b),
        Scalar::Mul(a, b) | Scalar::Div(a, b) if b.constant().is_some() => alone(a),
        _ => None,
    }
}
