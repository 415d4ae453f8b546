//! Growing the tree of bodies from a description.
//!
//! From the world outwards, every joint puts the link on its far side somewhere: in the same body,
//! if it is fixed, or in a new one. Where the description asks for another root, the joints between
//! that link and the base are met from their children's side and run backwards.

use crate::description::{Description, Joint, Parent, coordinates};
use crate::expr::{Graph, Matrix3, Rotation, Vector3};
use crate::joint::Geometry;

use super::inertia::Moments;
use super::mechanism::{Body, Column, Mechanism, NotReversible, Placed, State};
use super::{lower, root, symbols};

impl<'g> Mechanism<'g> {
    /// Lowers a valid description.
    ///
    /// # Errors
    ///
    /// A joint that the description's root makes run backwards, but whose family cannot.
    pub fn new(graph: &'g Graph, description: &'g Description) -> Result<Self, NotReversible> {
        let (coordinates, nq, nv) = coordinates(&description.joints);
        let symbol = |set, count| (0..count).map(|k| graph.symbol(set, k)).collect();
        let state = State {
            q: symbol(symbols::Q, nq),
            v: symbol(symbols::V, nv),
            a: symbol(symbols::A, nv),
        };
        let world =
            Placed { body: None, rotation: Rotation::identity(), position: Vector3::zero(graph) };
        let mut mechanism = Self {
            graph,
            description,
            gravity: lower::vector(graph, &description.gravity),
            bodies: Vec::new(),
            links: vec![world.clone(); description.links.len()],
            coordinates,
            state,
            armature: vec![graph.zero(); nv],
            lanes: (0..nv).map(|dof| vec![dof]).collect(),
            originals: Vec::new(),
            named: Vec::new(),
        };
        mechanism.armature = mechanism.armatures();
        let mut used = vec![false; description.joints.len()];
        mechanism.grow(Parent::World, &world, &mut used)?;
        mechanism.originals = (0..mechanism.bodies.len()).map(|body| vec![body]).collect();
        let named = mechanism.moving_links().into_iter();
        mechanism.named = named.map(|link| mechanism.links[link].clone()).collect();
        Ok(mechanism)
    }

    /// Hangs on `parent`, which is at `place`, all that the unused joints connect to it.
    fn grow(
        &mut self,
        parent: Parent,
        place: &Placed<'g>,
        used: &mut [bool],
    ) -> Result<(), NotReversible> {
        let joints = &self.description.joints;
        for k in 0..joints.len() {
            let joint = &joints[k];
            let child = match (parent, joint.parent) {
                _ if used[k] => continue,
                (Parent::World, Parent::World) => root::carried(self.description, k),
                (above, below) if above == below => joint.child,
                (Parent::Link(link), Parent::Link(other)) if link == joint.child => other,
                _ => continue,
            };
            used[k] = true;
            let forward = parent == joint.parent;
            let place = self.attach(k, place, forward)?;
            self.add_link(child, place.clone());
            self.grow(Parent::Link(child), &place, used)?;
        }
        Ok(())
    }

    /// Puts a link in its body.
    fn add_link(&mut self, link: usize, place: Placed<'g>) {
        if let Some(body) = place.body {
            let moments = lower::moments(self.graph, &self.description.links[link].inertial);
            let moved = moments.placed(&place.rotation, place.position);
            let body = &mut self.bodies[body];
            body.moments = body.moments + moved;
        }
        self.links[link] = place;
    }

    /// Where joint `k`, whose near side is at `place`, puts the frame of the link on its far side;
    /// makes a body of it unless the joint is fixed.
    ///
    /// Backwards, the far link is the joint's parent: the motion is that of the negated axes, and
    /// the joint's origin comes after it, inverted.
    fn attach(
        &mut self,
        k: usize,
        place: &Placed<'g>,
        forward: bool,
    ) -> Result<Placed<'g>, NotReversible> {
        let joint = &self.description.joints[k];
        if !forward && !joint.family.facts().reversible {
            return Err(NotReversible {
                joint: joint.name.text.clone(),
                family: joint.family.keyword(),
                at: joint.name.at.clone(),
            });
        }
        let origin = lower::placement(self.graph, &joint.origin);
        let still = (Rotation::identity(), Vector3::zero(self.graph));
        let (before, after) = if forward { (origin, still) } else { (still, self.inverse(origin)) };
        let rotation = place.rotation.clone().then(before.0).folded(self.graph);
        let position = place.position + place.rotation.times(before.1);
        if joint.family.nv() == 0 {
            return Ok(Placed {
                body: place.body,
                position: position + rotation.times(after.1),
                rotation: rotation.then(after.0).folded(self.graph),
            });
        }
        let turn = self.add_body(k, place.body, rotation, position, forward);
        Ok(Placed {
            body: Some(self.bodies.len() - 1),
            position: turn.transposed_times(after.1),
            rotation: Rotation::matrix(turn.to_matrix(self.graph).transpose())
                .then(after.0)
                .folded(self.graph),
        })
    }

    fn inverse(
        &self,
        (rotation, position): (Rotation<'g>, Vector3<'g>),
    ) -> (Rotation<'g>, Vector3<'g>) {
        let matrix = rotation.to_matrix(self.graph).transpose();
        (Rotation::matrix(matrix), -rotation.transposed_times(position))
    }

    /// Adds the body that joint `k` carries, where the joint's frame has the given pose in the
    /// parent; returns the rotation from the body's axes to those of the link.
    fn add_body(
        &mut self,
        k: usize,
        parent: Option<usize>,
        rotation: Rotation<'g>,
        position: Vector3<'g>,
        forward: bool,
    ) -> Rotation<'g> {
        let joint = &self.description.joints[k];
        let mut geometry = self.geometry(joint, forward);
        let turn = self.align(joint, &mut geometry);
        let (ratio, coordinates) = self.coordinates_of(k);
        let joint_velocity: Vec<_> = coordinates.v.iter().map(|&x| ratio * x).collect();
        let motion = joint.family.motion(&geometry, &coordinates.q, &joint_velocity);
        let rotation = rotation.then(turn.clone()).folded(self.graph);
        let first = self.leader(k).1;
        let columns = motion.subspace.iter().zip(&motion.subspace_rate).enumerate();
        self.bodies.push(Body {
            joint: k,
            parent,
            position: position + rotation.times(motion.translation),
            rotation: rotation.clone().then(motion.rotation),
            seat: (rotation, position),
            still: joint.family.still(&geometry),
            columns: columns
                .map(|(i, (&twist, &rate))| Column {
                    dof: first + i,
                    twist: twist * ratio,
                    rate: rate * ratio,
                })
                .collect(),
            moments: Moments::zero(self.graph),
            lanes: 1,
            repeats: 1,
        });
        turn
    }

    fn geometry(&self, joint: &Joint, forward: bool) -> Geometry<'g> {
        let axis = |x| {
            let axis = lower::direction(self.graph, x);
            if forward { axis } else { -axis }
        };
        Geometry {
            graph: self.graph,
            axes: joint.axes.iter().map(axis).collect(),
            pitch: lower::scalar(self.graph, &joint.pitch),
        }
    }

    /// A rotation that brings z to the joint's axis, if that is a constant askew to all coordinate
    /// axes; the geometry is then seen from the turned frame.
    fn align(&self, joint: &Joint, geometry: &mut Geometry<'g>) -> Rotation<'g> {
        let none = Rotation::identity();
        let [axis] = geometry.axes[..] else {
            return none;
        };
        let values = axis.0.map(|x| x.value());
        let [Some(x), Some(y), Some(z)] = values else {
            return none;
        };
        let straight = [x, y, z].iter().any(|x| x.abs() == 1.0);
        if straight || !joint.family.facts().turns_freely {
            return none;
        }
        geometry.axes[0] = Vector3::unit(self.graph, 2);
        let constant = |x| Vector3::constant(self.graph, x);
        let [first, second, third] = basis([x, y, z]).map(constant);
        Rotation::matrix(Matrix3::from_columns([first, second, third]))
    }
}

/// A right-handed frame whose third axis is the given unit vector, with a zero where possible.
fn basis([x, y, z]: [f64; 3]) -> [[f64; 3]; 3] {
    let length = x.hypot(y);
    let first = [y / length, -x / length, 0.0];
    let second = [-z * first[1], z * first[0], x * first[1] - y * first[0]];
    [first, second, [x, y, z]]
}
