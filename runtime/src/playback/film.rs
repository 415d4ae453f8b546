//! From a recorded run to a scene.
//!
//! Links become the bones of a [skeleton](Scene::skeleton) that extends to their contacts and frames, and to where
//! constraints tie them, with the solids by which they touch, until they are [dressed](Scene::dress) with shapes; a rod
//! becomes a body of its own, and every sample a snapshot.
//! The ground of a contact with gap φ at the point x is the plane n · y = n · x − φ.

use nalgebra::{Matrix3, Vector3};

use super::rods;
use super::skeleton::thickness;
use super::solids::{self, relative};
use super::{Body, Bone, ForceArrow, Plane, Plot, Scene, Series, Shape, Snapshot};
use crate::contact::Touching;
use crate::description::FrameId;
use crate::frame::Pose;
use crate::model::Model;
use crate::nearest::nearest;
use crate::pressing;
use crate::record::{PairForce, Recording, Sample};

/// How far lengths may differ that are equal but for rounding, in metres.
const ROUNDING: f64 = 1e-9;
/// So many names are listed where none is near.
const FEW: usize = 8;

/// A scene has no body of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scene has no body `{name}`{}", hint(nearest, known))]
pub struct UnknownBody {
    /// The name that was asked for.
    pub name: String,
    /// A name that there is, if one is near.
    pub nearest: Option<String>,
    /// The names that there are.
    pub known: Vec<String>,
}

/// The near name, or all if these are few.
fn hint(nearest: &Option<String>, known: &[String]) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None if known.is_empty() => "; it has none".into(),
        None if known.len() <= FEW => format!("; it has `{}`", known.join("`, `")),
        None => format!("; it has {} others", known.len()),
    }
}

impl Scene {
    /// What was recorded: the links as a stick figure and the solids by which they touch, the planes that the contacts touch, and at
    /// every sample the poses and the forces of contact; with curves of the height of the centre of
    /// mass, of the energy, and of the normal force of each contact, and of each pair and shape that pressed.
    ///
    /// Bodies stand in the order of [`Model::LINKS`] and have their names, and those of rods follow with
    /// the names of these constraints. Title, subtitle and
    /// facts are left empty but for the robot's name.
    pub fn film<M: Model>(model: &M, recording: &Recording<M>) -> Self {
        let samples = recording.samples();
        let poses: Vec<_> =
            samples.iter().map(|sample| model.link_poses(&sample.state.q)).collect();
        let frames = samples.iter().zip(&poses);
        let bones = bones(model, samples, &poses);
        let mut scene = Self {
            title: M::NAME.into(),
            ground: ground(model, samples),
            frames: frames.map(|(sample, poses)| snapshot(model, sample, poses)).collect(),
            plots: plots(model, samples),
            ..Self::skeleton(&bones)
        };
        let q = first(model, samples);
        solids::dress(model, (&q, &model.link_poses(&q)), &mut scene.bodies);
        let ends = rods::ends(model, &q);
        scene.bodies.extend(rods::bodies::<M>(&ends, 0.6 * thickness(&bones)));
        scene
    }

    /// Gives the body `name` these shapes in place of those that it has.
    ///
    /// # Errors
    ///
    /// [`UnknownBody`] if the scene has no body of this name; nothing is then changed.
    pub fn dress(
        &mut self,
        name: &str,
        shapes: impl IntoIterator<Item = Shape>,
    ) -> Result<(), UnknownBody> {
        match self.bodies.iter_mut().find(|body| body.name == name) {
            Some(body) => {
                body.shapes = shapes.into_iter().collect();
                Ok(())
            }
            None => {
                let known: Vec<String> = self.bodies.iter().map(|body| body.name.clone()).collect();
                let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                Err(UnknownBody { name: name.into(), nearest, known })
            }
        }
    }

    /// Adds a body of these shapes, in world coordinates, that stands still in all snapshots that there
    /// are.
    pub fn stand(&mut self, name: &str, shapes: impl IntoIterator<Item = Shape>) {
        let still = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
        let missing = Pose { position: Vector3::repeat(f64::NAN), ..still };
        for frame in &mut self.frames {
            frame.poses.resize(self.bodies.len(), missing);
            frame.poses.push(still);
        }
        self.bodies.push(Body { name: name.into(), shapes: shapes.into_iter().collect() });
    }
}

/// The configuration of the first sample, the neutral one if there is none.
fn first<M: Model>(model: &M, samples: &[Sample<M>]) -> M::Q {
    samples.first().map_or_else(|| model.neutral(), |sample| sample.state.q.clone())
}

/// The links as they stand in the first sample, or in the neutral configuration if there is none.
/// A link that moves along its parent is tied to nothing, since the stick between them would keep
/// its length.
fn bones<M: Model>(model: &M, samples: &[Sample<M>], poses: &[Vec<Pose>]) -> Vec<Bone> {
    let q = first(model, samples);
    let first = model.link_poses(&q);
    let tips = tips(model, &q, &first);
    let ties = |k: usize, parent: usize| {
        let reach = |poses: &[Pose]| relative(&poses[parent], &poses[k].position);
        let there = reach(&first);
        poses.iter().all(|poses| (reach(poses) - there).norm() <= 1e3 * ROUNDING)
    };
    let links = M::LINKS.iter().zip(&first).zip(tips).enumerate();
    links
        .map(|(k, ((link, pose), tips))| Bone {
            name: link.name.into(),
            parent: link.parent.filter(|&parent| ties(k, parent)),
            moves: M::BODIES.contains(&k),
            pose: *pose,
            tips,
        })
        .collect()
}

/// For each link, where it touches, or the centre of the ball by which it does, where its frames are and where constraints tie it, in its own
/// coordinates.
fn tips<M: Model>(model: &M, q: &M::Q, poses: &[Pose]) -> Vec<Vec<Vector3<f64>>> {
    let mut tips = vec![Vec::new(); M::LINKS.len()];
    for (contact, point) in M::CONTACTS.iter().zip(solids::centers(model, q)) {
        tips[contact.link].push(relative(&poses[contact.link], &point));
    }
    let ties = M::CONSTRAINTS.iter().filter_map(|constraint| constraint.links);
    for (links, points) in ties.zip(rods::ends(model, q)) {
        for (link, point) in links.into_iter().zip(points) {
            let Some(link) = link else { continue };
            tips[link].push(relative(&poses[link], &point));
        }
    }
    for (k, frame) in M::FRAMES.iter().enumerate() {
        let point = model.frame_pose(FrameId::new(k), q).position;
        tips[frame.link].push(relative(&poses[frame.link], &point));
    }
    tips
}

/// The planes of the contacts, each once; ground of varying height is none.
fn ground<M: Model>(model: &M, samples: &[Sample<M>]) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    let Some(sample) = samples.first() else {
        return planes;
    };
    let planes_of = model.contact_parameters().into_iter().zip(M::CONTACTS);
    let touching = planes_of.zip(&sample.points).zip(&sample.gaps);
    for (((parameters, _), point), gap) in touching.filter(|(((_, contact), _), _)| !contact.turns)
    {
        let normal = parameters.normal;
        let offset = normal.dot(point) - gap;
        let same = |plane: &Plane| {
            (plane.normal - normal).norm() <= ROUNDING && (plane.offset - offset).abs() <= ROUNDING
        };
        if !planes.iter().any(same) {
            planes.push(Plane { normal, offset });
        }
    }
    planes
}

fn snapshot<M: Model>(model: &M, sample: &Sample<M>, poses: &[Pose]) -> Snapshot {
    let arrow = |(&point, &force)| ForceArrow { point, force };
    let of_pairs = sample.pairs.iter().map(|of| (&of.point, &of.force));
    let arrows = sample.points.iter().zip(&sample.forces).chain(of_pairs);
    let ends = rods::ends(model, &sample.state.q);
    Snapshot {
        time: sample.state.time,
        poses: poses.iter().copied().chain(rods::poses::<M>(&ends)).collect(),
        forces: arrows.map(arrow).collect(),
    }
}

fn plots<M: Model>(model: &M, samples: &[Sample<M>]) -> Vec<Plot> {
    let series = |name: &str, value: &dyn Fn(&Sample<M>) -> f64| Series {
        name: name.into(),
        values: samples.iter().map(value).collect(),
    };
    let plot =
        |title: &str, unit: &str, series| Plot { title: title.into(), unit: unit.into(), series };
    let height = |sample: &Sample<M>| model.center_of_mass(&sample.state.q).z;
    let total = |sample: &Sample<M>| sample.kinetic_energy + sample.potential_energy;
    let energy = vec![
        series("kinetic", &|sample| sample.kinetic_energy),
        series("potential", &|sample| sample.potential_energy),
        series("total", &total),
    ];
    let contacts = samples.iter().map(|sample| model.contact_parameters_at(&sample.state.q));
    let contacts: Vec<_> = contacts.collect();
    let normal = |k: usize| Series {
        name: M::CONTACTS[k].name.into(),
        values: samples.iter().zip(&contacts).map(|(s, c)| c[k].normal.dot(&s.forces[k])).collect(),
    };
    let of_points = |of: Touching| Series {
        name: pressing::name::<M>(of),
        values: samples
            .iter()
            .map(|sample| pressing::points(sample, of).map(PairForce::normal_force).sum())
            .collect(),
    };
    let points = pressing::all(samples).into_iter().map(of_points);
    let forces: Vec<_> = (0..M::CONTACTS.len()).map(normal).chain(points).collect();
    let mut plots = vec![
        plot("Height of the centre of mass", "m", vec![series("z", &height)]),
        plot("Energy", "J", energy),
    ];
    if !forces.is_empty() {
        plots.push(plot("Normal force of contact", "N", forces));
    }
    plots
}
