//! The rows that may hold: of all constraints, then three of each contact whose normal does not turn,
//! then six of each frame that is held.
//!
//! Where alike limbs are lanes, what is alike on them is one row with a lane for each.

use crate::derive::constraints::ConstraintRows;
use crate::derive::kinematics::{Acceleration, Poses};
use crate::derive::lower;
use crate::derive::mechanism::Mechanism;
use crate::derive::symbols;
use crate::description::{Contact, Frame, Level, Parent};
use crate::expr::{Expr, Vector3};
use crate::joint::{Chart, Twist};

use super::row::Row;
use super::runs::Run;
use super::sphere::Sphere;
use super::spot::Spot;

/// A row of a contact, or one of each lane.
pub(in crate::derive) struct ContactRow<'g> {
    /// Which contacts, one a lane; none in a lane without.
    pub(in crate::derive) contacts: Vec<Option<usize>>,
    /// Its Jacobian, (nv) of this mechanism.
    pub(in crate::derive) jacobian: Vec<Expr<'g>>,
    /// φ of the contact.
    pub(in crate::derive) gap: Expr<'g>,
    /// The part of its J̇ v.
    bias: Expr<'g>,
}

/// How bodies move at v̇ = 0.
pub(super) struct Motion<'g> {
    pub(super) poses: Poses<'g>,
    accelerations: Vec<Acceleration<'g>>,
}

impl<'g> Motion<'g> {
    /// Where a point is, and its acceleration with that of its body, in the world.
    fn of(&self, mechanism: &Mechanism<'g>, spot: &Spot<'g>) -> (Vector3<'g>, Twist<'g>) {
        let Some(k) = spot.body else {
            return (spot.position, Twist::zero(mechanism.graph));
        };
        let rotation = self.poses.rotation[k];
        let Acceleration { angular, linear, field } = self.accelerations[k];
        let linear = rotation * (linear + field * spot.position) + mechanism.gravity;
        (self.place(spot), Twist { angular: rotation * angular, linear })
    }

    /// Where a point is, in the world.
    pub(super) fn place(&self, spot: &Spot<'g>) -> Vector3<'g> {
        match spot.body {
            Some(k) => spot.lane_of(self.poses.position[k]) + self.turned(spot, spot.position),
            None => spot.position,
        }
    }

    /// A vector in the axes of the body of a spot, along those of the world.
    pub(super) fn turned(&self, spot: &Spot<'g>, vector: Vector3<'g>) -> Vector3<'g> {
        let turned = |k: usize| spot.rotation(&self.poses.rotation[k]) * vector;
        spot.body.map_or(vector, turned)
    }
}

impl<'g> Mechanism<'g> {
    /// All rows. `constraints` are those of the described mechanism.
    pub(super) fn rows_that_may_hold(&self, constraints: &ConstraintRows<'g>) -> Vec<Row<'g>> {
        let mut rows = self.rows_of_constraints(constraints);
        let motion = self.motion_of_bodies();
        let description = self.description;
        let contacts: Vec<_> = description.held_contacts().collect();
        let first = rows.len();
        for spot in self.contact_spots(&contacts) {
            for (i, row) in self.contact_rows(&contacts, &spot, &motion).into_iter().enumerate() {
                let places = row.contacts.into_iter();
                let places = places.map(|k| k.map(|k| first + 3 * k + i)).collect();
                rows.push(self.row(places, row.jacobian, row.bias));
            }
        }
        let first = first + 3 * contacts.len();
        let frames = description.frames.iter().filter(|frame| frame.held);
        let place =
            |frame: &Frame| (frame.link, lower::vector(self.graph, &frame.placement.position));
        for spot in self.spots(&frames.map(place).collect::<Vec<_>>()) {
            rows.extend(self.frame_rows(first, &spot, &motion));
        }
        rows
    }

    /// Three rows of each contact, one after the other; those of alike limbs together, and those of contacts that lie side by
    /// side on a body, which only a mechanism without contacts whose normals turn may have; and the runs among these.
    pub(in crate::derive) fn contact_rows_in_lanes(&self) -> (Vec<ContactRow<'g>>, Vec<Run<'g>>) {
        let contacts: Vec<_> = self.description.held_contacts().collect();
        if contacts.len() < self.description.contacts.len() {
            return (self.contact_rows_one_by_one(), Vec::new());
        }
        let motion = self.motion_of_bodies();
        let (spots, runs) = self.spots_in_rounds(&contacts);
        let rows = spots.iter().flat_map(|spot| self.contact_rows(&contacts, spot, &motion));
        (rows.collect(), runs)
    }

    fn contact_rows_one_by_one(&self) -> Vec<ContactRow<'g>> {
        let gaps = self.gap();
        let rows = self.contact_jacobian().into_iter().zip(self.contact_bias()).enumerate();
        let row = |(k, (jacobian, bias)): (usize, (Vec<Expr<'g>>, Expr<'g>))| ContactRow {
            contacts: vec![Some(k / 3)],
            jacobian,
            gap: gaps[k / 3],
            bias,
        };
        rows.map(row).collect()
    }

    pub(super) fn motion_of_bodies(&self) -> Motion<'g> {
        let still = vec![self.graph.zero(); self.nv()];
        // The bias force lets the world accelerate in the same way.
        let accelerations = self.accelerations(&self.state.v, &still, -self.gravity);
        Motion { poses: self.poses(), accelerations }
    }

    pub(super) fn contact_spots(&self, contacts: &[&Contact]) -> Vec<Spot<'g>> {
        let place = |c: &&Contact| (c.link, lower::vector(self.graph, &c.position));
        self.spots(&contacts.iter().map(place).collect::<Vec<_>>())
    }

    /// Baumgarte's stabilisation is part of what constraints ask for.
    fn rows_of_constraints(&self, constraints: &ConstraintRows<'g>) -> Vec<Row<'g>> {
        let parameters = self.constraint_parameters();
        let levels = self.description.constraints.iter().flat_map(|c| c.law.levels());
        let motion = constraints.errors().into_iter().zip(constraints.rates());
        let motion = motion.zip(constraints.bias()).zip(levels);
        let given = constraints.jacobian().into_iter().zip(motion).zip(parameters.chunks(4));
        let row = |(k, ((described, motion), parameters)): (usize, (_, &[Expr<'g>]))| {
            let (((error, rate), bias), level): (((Expr<'g>, Expr<'g>), Expr<'g>), Level) = motion;
            let described: Vec<Expr<'g>> = described;
            let alpha = parameters[0];
            let pull = match level {
                Level::Position => alpha * (rate + rate + alpha * error),
                Level::Velocity => alpha * rate,
            };
            let entry = |dofs: &Vec<usize>| {
                self.graph.pack(&dofs.iter().map(|&dof| described[dof]).collect::<Vec<_>>())
            };
            Row {
                rows: vec![Some(k)],
                jacobian: self.lanes.iter().map(entry).collect(),
                holds: self.graph.symbol(symbols::HOLDS, k),
                may_vanish: true,
                error,
                asked: self.graph.symbol(symbols::ASKED, k),
                acceleration: parameters[1] - pull - bias,
                rebound: parameters[2] - rate - parameters[3] * rate,
            }
        };
        given.enumerate().map(row).collect()
    }

    /// Points on links, those of alike limbs together.
    pub(super) fn spots(&self, points: &[(usize, Vector3<'g>)]) -> Vec<Spot<'g>> {
        let mut spots: Vec<Spot<'g>> = Vec::new();
        for (k, &(link, point)) in points.iter().enumerate() {
            let place = self.on_link(link, point);
            let found = self.originals.iter().enumerate().find_map(|(body, lanes)| {
                Some((body, lanes.iter().position(|&lane| Some(lane) == place.body)?))
            });
            let Some((body, lane)) = found else {
                let each = vec![Some(k)];
                spots.push(Spot { body: None, position: place.position, each, only: None });
                continue;
            };
            let free = |spot: &&mut Spot<'g>| spot.body == Some(body) && spot.each[lane].is_none();
            match spots.iter_mut().find(free) {
                Some(spot) => spot.place(lane, k, place.position),
                None => {
                    let each = vec![None; self.originals[body].len()];
                    let position = place.position;
                    let mut spot = Spot { body: Some(body), position, each, only: None };
                    spot.place(lane, k, place.position);
                    spots.push(spot);
                }
            }
        }
        spots
    }

    /// Normal and tangents; see `contacts`.
    fn contact_rows(
        &self,
        contacts: &[&Contact],
        spot: &Spot<'g>,
        motion: &Motion<'g>,
    ) -> Vec<ContactRow<'g>> {
        let sphere = self.sphere(contacts, spot);
        let (center, acceleration) = motion.of(self, spot);
        let arm = -(sphere.axes[0] * sphere.radius);
        let columns = self.world_columns(&motion.poses, self.path(spot.body), center + arm);
        let linear = acceleration.linear + acceleration.angular.cross(arm);
        let row = |axis: Vector3<'g>| ContactRow {
            contacts: spot.each.clone(),
            jacobian: self.entries(&columns, |twist| axis.dot(twist.linear)),
            gap: sphere.gap(center),
            bias: axis.dot(linear),
        };
        sphere.axes.into_iter().map(row).collect()
    }

    /// What the contacts of a spot touch with.
    pub(super) fn sphere(&self, contacts: &[&Contact], spot: &Spot<'g>) -> Sphere<'g> {
        // What a lane without a contact has instead is not read.
        let any = spot.each.iter().flatten().next().copied().unwrap_or(0);
        let contact = |k: &Option<usize>| contacts[k.unwrap_or(any)];
        Sphere::pack(self, &spot.each.iter().map(contact).collect::<Vec<_>>())
    }

    /// Along the axes of the world, then about them.
    fn frame_rows(&self, first: usize, spot: &Spot<'g>, motion: &Motion<'g>) -> Vec<Row<'g>> {
        let (origin, acceleration) = motion.of(self, spot);
        let columns = self.world_columns(&motion.poses, self.path(spot.body), origin);
        let row = |i: usize| {
            let of = |twist: &Twist<'g>| {
                if i < 3 { twist.linear[i] } else { twist.angular[i - 3] }
            };
            let rows = spot.each.iter().map(|k| k.map(|k| first + 6 * k + i)).collect();
            self.row(rows, self.entries(&columns, of), of(&acceleration))
        };
        (0..6).map(row).collect()
    }

    /// A row of the Jacobian, (nv).
    pub(super) fn entries(
        &self,
        columns: &[(usize, Twist<'g>)],
        entry: impl Fn(&Twist<'g>) -> Expr<'g>,
    ) -> Vec<Expr<'g>> {
        let mut jacobian = vec![self.graph.zero(); self.nv()];
        columns.iter().for_each(|(dof, twist)| jacobian[*dof] += entry(twist));
        jacobian
    }

    fn row(&self, rows: Vec<Option<usize>>, jacobian: Vec<Expr<'g>>, bias: Expr<'g>) -> Row<'g> {
        let moved = jacobian.iter().zip(&self.state.v);
        let rate = moved.fold(self.graph.zero(), |sum, (&j, &v)| sum + j * v);
        let given = |set: u8| {
            let of = |row: usize| self.graph.symbol(set, row);
            let each = rows.iter().map(|row| row.map_or(self.graph.zero(), of));
            self.graph.pack(&each.collect::<Vec<_>>())
        };
        let (holds, asked) = (given(symbols::HOLDS), given(symbols::ASKED));
        // A floating base can always move what hangs on it.
        let mut roots =
            self.description.joints.iter().filter(|joint| joint.parent == Parent::World);
        let may_vanish = !roots.all(|joint| joint.family.chart() == Chart::Pose);
        let (error, acceleration, rebound) = (self.graph.zero(), -bias, -rate);
        Row { rows, jacobian, holds, may_vanish, error, acceleration, rebound, asked }
    }
}
