//! Solids of all that is in a world, where they are and how they move.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use super::body::Body;
use super::member::Member;
use super::surface::Surface;
use crate::contact::{self, Part, ROWS};
use crate::description::ShapeKind;
use crate::frame::Pose;
use crate::geometry::{self, Solid};
use crate::model::one_sided::ContactAxes;
use crate::model::{Robot, Table};

/// A solid of something in the world.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) name: String,
    /// What it has for as long as it is in the world, and no other shape.
    pub(super) number: u32,
    /// Whether a joint moves it.
    pub(super) moves: bool,
    /// Whether it touches the ground of the world: contacts touch that of their description.
    pub(super) touches_ground: bool,
    pub(super) kind: ShapeKind,
    pub(super) sizes: Vec<f64>,
    /// Whether it is a solid of a body, which has nothing else to be drawn by.
    pub(super) is_of_body: bool,
    pub(super) solid: Solid,
    pub(super) extent: f64,
    pub(super) surface: Surface,
    /// The link that carries it; zero of a body.
    pub(super) link: usize,
    /// In the link's frame.
    pub(super) place: Pose,
    /// In the world.
    pub(super) pose: Pose,
    /// Of the origin of its frame, m/s, and rad/s, at the beginning of a step and, when that is solved, at its end.
    pub(super) velocity: [Vector3<f64>; 2],
    pub(super) end: [Vector3<f64>; 2],
    /// By how much its points become faster within the step as far as that is known, m/s.
    pub(super) gain: f64,
}

impl Shape {
    /// Of a kind with these sizes, on a link.
    fn new(
        name: String,
        (kind, sizes): (ShapeKind, Vec<f64>),
        surface: Surface,
        (link, place): (usize, Pose),
    ) -> Result<Self, geometry::Error> {
        let solid = Solid::new(kind, &sizes)?;
        Ok(Self {
            name,
            number: u32::MAX,
            moves: false,
            touches_ground: true,
            kind,
            sizes,
            is_of_body: false,
            extent: solid.extent(),
            solid,
            surface,
            link,
            place,
            pose: place,
            velocity: [Vector3::zeros(); 2],
            end: [Vector3::zeros(); 2],
            gain: 0.0,
        })
    }

    /// Those of a body whose frame has this pose.
    ///
    /// # Errors
    ///
    /// Those of its solids, of which there are none in what was checked.
    pub(super) fn of_body(body: &Body, pose: &Pose) -> Result<Vec<Self>, geometry::Error> {
        let parts = body.parts.iter().enumerate();
        let shapes = parts.map(|(k, part)| {
            let (name, kind) = (alloc::format!("solid {k}"), (part.kind, part.sizes.clone()));
            let shape = Self::new(name, kind, part.surface, (0, part.pose))?;
            Ok(Self { pose: super::product(pose, &part.pose), is_of_body: true, ..shape })
        });
        shapes.collect()
    }

    /// Those of a robot: its shapes, and the points and spheres of its contacts with the ground.
    ///
    /// # Errors
    ///
    /// [`contact::Error::Shape`] of one that is no solid.
    pub(super) fn of_robot(robot: Robot<'_>, q: &[f64]) -> Result<Vec<Self>, contact::Error> {
        let mut shapes = Vec::new();
        for (shape, of) in robot.shapes.iter().zip(robot.shape_parameters()) {
            let surface = Surface::of(of.friction, of.restitution, 0.0, 4);
            let (kind, place) = ((shape.kind, of.sizes), (shape.link, of.pose));
            let known = Self::new(shape.name.into(), kind, surface, place);
            let refused = |error| contact::Error::Shape { shape: shape.name, error };
            shapes.push(known.map_err(refused)?);
        }
        for (contact, of, place) in feet(robot, q) {
            if robot.shapes.iter().any(|shape| shape.name == contact.name) {
                continue;
            }
            let kind = match of.radius > 0.0 {
                true => (ShapeKind::Sphere, vec![of.radius]),
                false => (ShapeKind::Point, Vec::new()),
            };
            let surface = Surface::of(of.friction, of.restitution, of.torsion, contact.directions);
            let foot = Self::new(contact.name.into(), kind, surface, (contact.link, place));
            let refused = |error| contact::Error::Shape { shape: contact.name, error };
            shapes.push(Self { touches_ground: false, ..foot.map_err(refused)? });
        }
        Ok(shapes)
    }

    /// How fast its points are at most in the step, m/s.
    pub(super) fn speed(&self) -> f64 {
        self.velocity[0].norm() + self.turning() + self.gain
    }

    /// How fast points of two shapes come nearer to each other at most, m/s.
    pub(super) fn approach(&self, other: &Self) -> f64 {
        let between = (self.velocity[0] - other.velocity[0]).norm();
        between + self.turning() + other.turning() + self.gain + other.gain
    }

    fn turning(&self) -> f64 {
        self.velocity[1].norm() * self.extent
    }

    /// Whether its points have become faster than was known by more than `slack`, m/s, which is known then.
    pub(super) fn has_gained(&mut self, slack: f64) -> bool {
        let [linear, angular] = [0, 1].map(|k| (self.end[k] - self.velocity[k]).norm());
        let gain = linear + angular * self.extent;
        let has_gained = gain > self.gain + slack;
        if has_gained {
            self.gain = gain;
        }
        has_gained
    }

    /// How fast a point of it moves along a direction at the end, m/s.
    pub(super) fn end_along(&self, direction: &Vector3<f64>, point: &Vector3<f64>) -> f64 {
        let [linear, angular] = self.end;
        direction.dot(&(linear + angular.cross(&(point - self.pose.position))))
    }
}

/// The contacts of a robot with its ground, with their parameters, and the places of their centres on their links.
fn feet(
    robot: Robot<'_>,
    q: &[f64],
) -> Vec<(&'static crate::description::Contact, crate::description::ContactParameters, Pose)> {
    let mut axes = ContactAxes::new(robot);
    axes.turn(robot, q);
    let mut points = vec![f64::NAN; 3 * robot.contacts.len()];
    robot.contact_points_into(q, &mut points);
    let mut links = vec![f64::NAN; 12 * robot.links.len()];
    robot.link_poses_into(q, &mut links);
    let contacts = robot.table().contacts.iter().zip(axes.iter()).zip(points.chunks_exact(3));
    let own = contacts.filter(|((contact, _), _)| contact.other.is_none());
    own.map(|((contact, of), point)| {
        let center = Vector3::from_column_slice(point) + of.normal * of.radius;
        let link = Pose::from_slice(&links[12 * contact.link..]);
        let position = link.rotation.tr_mul(&(center - link.position));
        (contact, *of, Pose { rotation: Matrix3::identity(), position })
    })
    .collect()
}

/// Where the links of a robot are in the world, and how its coordinates move them.
#[derive(Clone, Debug)]
pub(super) struct Kinematics {
    /// Of the robot's own world.
    pub(super) place: Pose,
    links: Vec<f64>,
    /// As those of joints, in axes of the world.
    pub(super) columns: Vec<f64>,
}

impl Kinematics {
    pub(super) fn new(table: &Table, place: Pose) -> Self {
        let (links, columns) = (12 * table.links.len(), 6 * table.columns.len());
        Self { place, links: vec![f64::NAN; links], columns: vec![f64::NAN; columns] }
    }

    /// Where a link is.
    pub(super) fn link(&self, link: usize) -> Pose {
        super::product(&self.place, &Pose::from_slice(&self.links[12 * link..]))
    }

    /// Computes it at a configuration.
    pub(super) fn evaluate(&mut self, robot: Robot<'_>, q: &[f64]) {
        robot.link_poses_into(q, &mut self.links);
        robot.joint_columns_into(q, &mut self.columns);
        let Pose { rotation, position } = self.place;
        for column in self.columns.chunks_exact_mut(6) {
            let (linear, angular) = column.split_at_mut(3);
            let turned = rotation * Vector3::from_column_slice(angular);
            // Of the point that is at the origin of the world.
            let moved = rotation * Vector3::from_column_slice(linear) - turned.cross(&position);
            linear.copy_from_slice(moved.as_slice());
            angular.copy_from_slice(turned.as_slice());
        }
    }

    /// Moves shapes to where their links are.
    pub(super) fn place(&self, table: &Table, v: &[f64], shapes: &mut [Shape]) {
        for shape in shapes {
            shape.pose = super::product(&self.link(shape.link), &shape.place);
            shape.velocity = self.velocity(table, v, shape);
            (shape.end, shape.gain) = (shape.velocity, 0.0);
        }
    }

    /// The velocity of a shape where it is, under v.
    fn velocity(&self, table: &Table, v: &[f64], shape: &Shape) -> [Vector3<f64>; 2] {
        let [mut linear, mut angular] = [Vector3::zeros(); 2];
        for &k in table.supports.get(shape.link).copied().unwrap_or_default() {
            let column = &self.columns[6 * k..6 * (k + 1)];
            linear += Vector3::from_column_slice(&column[..3]) * v[table.columns[k]];
            angular += Vector3::from_column_slice(&column[3..]) * v[table.columns[k]];
        }
        [linear + angular.cross(&shape.pose.position), angular]
    }
}

/// Something in a world, with its solids.
pub(super) struct Thing {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) shapes: Vec<Shape>,
    /// Whether one of its shapes has torsional friction.
    pub(super) has_torsion: bool,
}

/// A robot or a body that moves.
pub(super) struct Mover {
    pub(super) thing: Thing,
    pub(super) member: Box<dyn Member>,
    pub(super) kinematics: Kinematics,
    /// Those that its shapes were made with.
    pub(super) numbers: Vec<f64>,
}

impl Mover {
    /// Moves its shapes to where they are now.
    pub(super) fn place(&mut self) {
        let Self { thing, member, kinematics, .. } = self;
        let (core, robot, _) = member.parts();
        let (_, q, v) = core.at();
        kinematics.evaluate(robot, q);
        kinematics.place(&robot, v, &mut thing.shapes);
    }

    /// Knows how fast its shapes are at the end of a step; whether one has become faster than was known by more than `slack`, m/s.
    pub(super) fn has_gained(&mut self, slack: f64) -> bool {
        let Self { thing, member, kinematics, .. } = self;
        let (core, robot, _) = member.parts();
        let (_, _, v) = core.at();
        let mut has_gained = false;
        for shape in &mut thing.shapes {
            shape.end = kinematics.velocity(&robot, v, shape);
            has_gained |= shape.has_gained(slack);
        }
        has_gained
    }

    /// What it brings to the problem of an island.
    pub(super) fn part(&mut self) -> Part<'_> {
        let (core, robot, _) = self.member.parts();
        core.part(robot)
    }

    /// Adds the rows of a point of one of its links: how fast that moves along each axis, and turns about the first one.
    pub(super) fn write_rows(
        &self,
        link: usize,
        point: &Vector3<f64>,
        axes: &[Vector3<f64>; 3],
        rows: &mut Vec<f64>,
    ) {
        let (table, first) = (self.member.core().table(), rows.len());
        rows.resize(first + ROWS * table.nv, 0.0);
        let mut each = rows[first..].chunks_exact_mut(table.nv);
        for (axis, row) in axes.iter().zip(&mut each) {
            table.add_point_row(&self.kinematics.columns, link, point, axis, row);
        }
        for row in each {
            table.add_turning_row(&self.kinematics.columns, link, &axes[0], row);
        }
    }
}
