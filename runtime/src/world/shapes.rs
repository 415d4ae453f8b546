//! Solids of all that is in a world, where they are and how they move.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use super::body::Body;
use super::member::Member;
use super::surface::Surface;
use crate::clock::Clock;
use crate::contact::{self, Part, SolidMotion};
use crate::description::ShapeKind;
use crate::frame::Pose;
use crate::geometry::{self, Solid};
use crate::model::contact_axes::ContactAxes;
use crate::model::{Robot, Table};
use crate::simulate::{Start, StepReport};

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
    pub(super) surface: Surface,
    /// The link that carries it; zero of a body.
    pub(super) link: usize,
    /// In the link's frame.
    pub(super) place: Pose,
    /// In the world.
    pub(super) motion: SolidMotion,
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
            motion: SolidMotion::new(place, solid.extent()),
            solid,
            surface,
            link,
            place,
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
            let mut shape = Self::new(name, kind, part.surface, (0, part.pose))?;
            shape.motion.pose = super::product(pose, &part.pose);
            Ok(Self { is_of_body: true, ..shape })
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
            let surface = Surface::of_shape(&of);
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
            let surface = Surface::of_contact(&of, contact.directions);
            let foot = Self::new(contact.name.into(), kind, surface, (contact.link, place));
            let refused = |error| contact::Error::Shape { shape: contact.name, error };
            shapes.push(Self { touches_ground: false, ..foot.map_err(refused)? });
        }
        Ok(shapes)
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
        for Shape { link, place, motion, .. } in shapes {
            motion.pose = super::product(&self.link(*link), place);
            motion.begin(table.point_velocity(&self.columns, *link, v, &motion.pose.position));
            motion.gain = 0.0;
        }
    }
}

/// Something in a world, with its solids.
pub(super) struct Thing {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) shapes: Vec<Shape>,
    /// The name of what resists turning on one of its shapes; `None` if nothing does.
    pub(super) resistance: Option<&'static str>,
}

/// A robot or a body that moves.
pub(super) struct Mover {
    pub(super) thing: Thing,
    pub(super) member: Box<dyn Member>,
    pub(super) kinematics: Kinematics,
    /// Those that its shapes were made with.
    pub(super) numbers: Vec<f64>,
    /// What the step began with, if it has, and whether it has moved in it.
    pub(super) began: Option<(Start, bool)>,
    /// What it reported in this step, if it has moved alone.
    pub(super) alone: Option<StepReport>,
}

impl Mover {
    /// Begins a step: moves its shapes to where they are now.
    pub(super) fn place(&mut self) {
        (self.began, self.alone) = (None, None);
        let Self { thing, member, kinematics, .. } = self;
        let (core, robot, _) = member.parts();
        core.begin_points();
        let (_, q, v) = core.at();
        kinematics.evaluate(robot, q);
        kinematics.place(&robot, v, &mut thing.shapes);
    }

    /// Knows how fast its shapes are at the end of a step; whether one has gained more than was known and `slack`, m/s.
    pub(super) fn has_gained(&mut self, slack: f64) -> bool {
        let Self { thing, member, kinematics: Kinematics { columns, .. }, .. } = self;
        let (table, v) = (member.core().table(), member.core().end_velocity());
        let mut has_gained = false;
        for Shape { link, motion, .. } in &mut thing.shapes {
            let end = table.point_velocity(columns, *link, v, &motion.pose.position);
            has_gained |= motion.end(end, slack);
        }
        has_gained
    }

    /// Whether the last step leads one of its own pairs into each other that was too far apart to be listed.
    pub(super) fn has_missed(&mut self) -> bool {
        let (core, robot, _) = self.member.parts();
        core.has_missed(robot)
    }

    /// Goes back to the beginning of the step.
    pub(super) fn undo(&mut self, clock: Clock) {
        self.alone = None;
        match self.began.take() {
            Some((start, true)) => self.member.undo(start),
            Some((start, false)) => self.member.parts().0.begin_again(start),
            None => {}
        }
        self.member.parts().0.set_clock(clock);
    }

    /// Knows how the step begins.
    pub(super) fn begin(&mut self) {
        self.began = Some((self.member.core().start(), false));
    }

    /// Knows that it has moved.
    pub(super) fn arrive(&mut self) {
        if let Some((_, has_moved)) = &mut self.began {
            *has_moved = true;
        }
    }

    /// What it brings to the problem of all, in which it has a number.
    pub(super) fn part(&mut self, number: usize) -> Part<'_> {
        let (core, robot, _) = self.member.parts();
        core.part(robot, number)
    }

    /// Adds so many rows of a point of one of its links: how fast that moves along each axis, and how fast the link turns about them.
    pub(super) fn write_rows(
        &self,
        (link, point): (usize, &Vector3<f64>),
        axes: &[Vector3<f64>; 3],
        lines: usize,
        rows: &mut Vec<f64>,
    ) {
        let (table, first) = (self.member.core().table(), rows.len());
        let columns = &self.kinematics.columns;
        rows.resize(first + lines * table.nv, 0.0);
        let (along, about) = rows[first..].split_at_mut(axes.len() * table.nv);
        table.add_point_rows(columns, link, point, axes, along);
        for (axis, row) in axes.iter().zip(about.chunks_exact_mut(table.nv.max(1))) {
            table.add_turning_row(columns, link, axis, row);
        }
    }
}
