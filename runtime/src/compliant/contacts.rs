//! The forces of all springs and of friction, at a state.

use alloc::vec;
use alloc::vec::Vec;

use super::element::{Element, GUARDS};
use super::place::Place;
use super::transport::Transport;
use super::{Friction, Spring};
use crate::contact::{Dry, Impulse, dry_friction};
use crate::model::Robot;
use crate::unilateral::Unilateral;

/// All that may press, its friction, and the dry friction of joints.
#[derive(Clone, Debug)]
pub(super) struct Contacts {
    /// Those of contacts first, in their order.
    pub(super) elements: Vec<Element>,
    /// Of each contact.
    pub(super) friction: Vec<Friction>,
    dry: Vec<Dry>,
    /// Below which dry friction is smoothed, m/s or rad/s.
    pub(super) dry_speed: f64,
    place: Place,
    transport: Transport,
    /// Normal force and friction of each contact, (3 contacts), and of limits, (limits), N.
    forces: Vec<f64>,
    of_limits: Vec<f64>,
}

/// Where forces are wanted: q, v, z.
pub(super) type Point<'a> = (&'a [f64], &'a [f64], &'a [f64]);

impl Contacts {
    pub(super) fn new(
        robot: Robot<'_>,
        (of_contacts, of_stops): (Spring, Spring),
        friction: Vec<Friction>,
        dry_speed: f64,
    ) -> Self {
        let coordinates = robot.coordinate_parameters();
        let spring = |what: &Unilateral| match what {
            Unilateral::Contact(_) => of_contacts,
            Unilateral::End(_) | Unilateral::Limit(_) => of_stops,
        };
        Self {
            elements: Unilateral::all(robot).map(|one| Element::new(one, spring(&one))).collect(),
            friction,
            dry: dry_friction(robot.joints, &coordinates),
            dry_speed,
            place: Place::new(&robot),
            transport: Transport::new(&robot),
            forces: vec![0.0; 3 * robot.contacts.len()],
            of_limits: vec![0.0; robot.limits.len()],
        }
    }

    /// Number of further states.
    pub(super) fn states(&self) -> usize {
        self.friction.iter().map(Friction::states).sum()
    }

    /// Lets each element have the mode that the state says.
    pub(super) fn enter(&mut self, robot: Robot<'_>, at: (&[f64], &[f64])) {
        self.place.evaluate(robot, at);
        for element in &mut self.elements {
            let depth = self.place.depth(&element.what, at);
            element.enter(depth);
        }
    }

    /// Writes the guards of all elements.
    pub(super) fn guards(
        &mut self,
        robot: Robot<'_>,
        at: (&[f64], &[f64]),
        to: &mut Vec<[f64; GUARDS]>,
    ) {
        self.place.evaluate(robot, at);
        let all = self.elements.iter();
        to.extend(all.map(|element| element.guards(self.place.depth(&element.what, at))));
    }

    /// Forgets the deflections of what does not press.
    pub(super) fn release(&self, z: &mut [f64]) {
        let mut z = z.iter_mut();
        for (element, friction) in self.elements.iter().zip(&self.friction) {
            let own = z.by_ref().take(friction.states());
            let keeps = element.is_pressing();
            own.filter(|_| !keeps).for_each(|z| *z = 0.0);
        }
    }

    /// Adds all forces to τ, and writes the rates of deflections.
    pub(super) fn act(
        &mut self,
        robot: Robot<'_>,
        point: Point<'_>,
        tau: &mut [f64],
        z_dot: &mut [f64],
    ) {
        let (q, v, _) = point;
        self.place.evaluate(robot, (q, v));
        if !z_dot.is_empty() {
            self.transport.evaluate(robot, (q, v));
        }
        self.press(point, tau, z_dot);
        self.place.add_force(&self.forces, &self.of_limits, tau);
        self.rub(v, |k, force| tau[k] += force);
    }

    /// Forces of contacts and limits; those of ends of joints are added to τ.
    fn press(&mut self, (q, v, z): Point<'_>, tau: &mut [f64], z_dot: &mut [f64]) {
        let (at, mut first) = ((q, v), 0);
        for element in &self.elements {
            let force = element.force(self.place.depth(&element.what, at));
            match element.what {
                Unilateral::End(end) => tau[end.v] += end.sign * force,
                Unilateral::Limit(k) => self.of_limits[k] = force,
                Unilateral::Contact(k) => {
                    let own = first..first + self.friction[k].states();
                    first = own.end;
                    let sliding = self.place.sliding(k);
                    let (traction, rate) = self.friction[k].traction(sliding, &z[own.clone()]);
                    let [x, y] = traction.map(|of| force * of);
                    self.forces[3 * k..3 * k + 3].copy_from_slice(&[force, x, y]);
                    let acts = f64::from(u8::from(element.is_pressing()));
                    let turned = self.turned(k, rate, &z[own.clone()]);
                    let rates = z_dot[own].iter_mut().zip(turned);
                    rates.for_each(|(to, rate)| *to = acts * rate);
                }
            }
        }
    }

    /// The rate of a deflection in tangents that turn.
    fn turned(&self, contact: usize, rate: [f64; 2], z: &[f64]) -> [f64; 2] {
        let turn = self.transport.rate(contact);
        match *z {
            [x, y] if turn != 0.0 => [rate[0] + turn * y, rate[1] - turn * x],
            _ => rate,
        }
    }

    /// The forces that were found last, at (q, v), as impulses in a second.
    pub(super) fn record(&self, at: (&[f64], &[f64]), to: &mut Impulse) {
        to.clear();
        for (k, force) in self.forces.chunks_exact(3).enumerate() {
            to.normal[k] = force[0];
            to.friction[k] = [force[1], force[2]];
        }
        for element in &self.elements {
            if let Unilateral::End(end) = element.what {
                let force = element.force(self.place.depth(&element.what, at));
                to.limits[end.v][end.side()] = force;
            }
        }
        to.declared.copy_from_slice(&self.of_limits);
        self.rub(at.1, |k, force| to.dry_friction[k] = force);
    }

    /// Hands on dry friction, which is smooth below a speed, coordinate by coordinate.
    fn rub(&self, v: &[f64], mut add: impl FnMut(usize, f64)) {
        for dry in &self.dry {
            let own = dry.v..dry.v + dry.count();
            let square: f64 = v[own.clone()].iter().map(|rate| rate * rate).sum();
            let by = -dry.bound / libm::sqrt(square + self.dry_speed * self.dry_speed);
            own.for_each(|k| add(k, by * v[k]));
        }
    }
}
