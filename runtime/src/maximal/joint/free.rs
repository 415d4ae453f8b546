//! The motions that a joint leaves: its coordinates and their rows.

use alloc::vec::Vec;

use nalgebra::Vector6;

use super::{Joint, Kind, cylindrical, hinge, planar, slider, wheel};
use crate::frame::Pose;
use crate::maximal::body::Body;
use crate::maximal::row::Row;

impl Joint {
    /// The coordinates that the joint leaves, of b relative to a, and their rows, written to `rows`: the angle of a hinge
    /// or a screw, the displacement of a slider, angle and displacement of a cylindrical joint, x, y and angle of a
    /// planar one, the turns about z of a and z of b of a wheel or universal joint; none of others, or if a body is not
    /// among `all`.
    pub fn coordinates_into(&self, all: &[Body], rows: &mut Vec<Row>) {
        let Some([a, b]) = self.seats(all) else { return };
        let [first, second, third] = self.near;
        match self.kind {
            Kind::Hinge | Kind::Helical { .. } => rows.push(hinge::coordinate(&a, &b, first)),
            Kind::Slider => rows.push(slider::coordinate(&a, &b)),
            Kind::Cylindrical => rows.extend(cylindrical::coordinates(&a, &b, first)),
            Kind::Planar => rows.extend(planar::coordinates(&a, &b, third)),
            Kind::Wheel { .. } | Kind::Universal => {
                rows.extend(wheel::coordinates(&a, &b, [first, second]));
            }
            Kind::Ball | Kind::Fixed => {}
        }
    }

    /// The only coordinate of a hinge, a slider or a screw, and its row; `None` for others.
    pub fn coordinate(&self, all: &[Body]) -> Option<Row> {
        match self.kind {
            Kind::Hinge | Kind::Slider | Kind::Helical { .. } => self.rate(0, all),
            _ => None,
        }
    }

    /// The row of one of the motions that the joint leaves: of a ball, the turn about an axis of b, which is the rate
    /// of nothing.
    pub(in crate::maximal) fn rate(&self, axis: usize, all: &[Body]) -> Option<Row> {
        if self.kind == Kind::Ball {
            return self.turns(all)?.get(axis).copied();
        }
        let mut rows = Vec::new();
        self.coordinates_into(all, &mut rows);
        rows.get(axis).copied()
    }

    /// How many coordinates it has; none where `only` one is asked for, and it has others.
    pub(in crate::maximal) fn count(&self, only: bool, all: &[Body]) -> usize {
        let mut rows = Vec::new();
        self.coordinates_into(all, &mut rows);
        if only && rows.len() > 1 { 0 } else { rows.len() }
    }

    /// Σ ½ a θ̇², in J.
    pub(in crate::maximal) fn rotor_energy(&self, all: &[Body]) -> f64 {
        let energy = |(axis, &inertia): (usize, &f64)| {
            let row = self.rate(axis, all).filter(|_| inertia > 0.0)?;
            let parts = entries(self, &row, 1.0);
            let rate: f64 = parts.map(|(body, part)| part.dot(&all[body].velocity())).sum();
            Some(0.5 * inertia * rate * rate)
        };
        self.armature.iter().enumerate().filter_map(energy).sum()
    }

    /// The rows of ω of b relative to a, in the axes of b's frame.
    pub(in crate::maximal) fn turns(&self, all: &[Body]) -> Option<[Row; 3]> {
        let [_, b] = self.seats(all)?;
        Some([0, 1, 2].map(|k| Row::about(0.0, &b.axis(k))))
    }

    /// The rows of the velocity of b's anchor relative to a, in the axes of b's frame.
    pub(in crate::maximal) fn slides(&self, all: &[Body]) -> Option<[Row; 3]> {
        let [a, b] = self.seats(all)?;
        let row = |k| Row::along(0.0, &b.axis(k), &b.anchor, [&a.center, &b.center]);
        Some([0, 1, 2].map(row))
    }

    /// The frame of b as it is seen from that of a.
    pub(in crate::maximal) fn relative(&self, all: &[Body]) -> Option<Pose> {
        let [a, b] = self.seats(all)?;
        let turn = a.axes.transpose();
        Some(Pose { rotation: turn * b.axes, position: turn * (b.anchor - a.anchor) })
    }

    /// Takes the coordinates of now for those that later ones are near to.
    pub(in crate::maximal) fn follow(&mut self, all: &[Body]) {
        let mut rows = Vec::new();
        self.coordinates_into(all, &mut rows);
        self.near.iter_mut().zip(&rows).for_each(|(near, row)| *near = row.value);
    }
}

/// So many times a row, on the bodies of its joint.
pub(in crate::maximal) fn entries(
    joint: &Joint,
    row: &Row,
    weight: f64,
) -> impl Iterator<Item = (usize, Vector6<f64>)> {
    let parts = joint.bodies.into_iter().zip(row.jacobian);
    parts.filter_map(move |(body, part)| Some((body?, weight * part)))
}
