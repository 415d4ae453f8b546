//! The Lagrangian along a chord.
//!
//! > p = ∂L/∂v = M v,  f = Cᵀ v + ω × p + τ_g + τ,  K = M / h + ½ (C − Cᵀ)
//!
//! at each node of the rule. f is what changes momentum, the slope of L by the configuration and the applied force τ, in
//! axes that turn with their bodies: ṗ + ω × p = f, where ω × p is that of what turns and zero where q̇ = v. With
//! M v̇ + C v − τ_g = τ and Ṁ = C + Cᵀ it is what is stated.
//!
//! K is how the momentum that a chord departs with follows its end, but for terms of the order h: on coordinates
//! −D₂D₁L_d = M / h + ½ (∂p/∂q − (∂p/∂q)ᵀ) − ¼ h ∂²L/∂q² by the midpoint rule, and C − Cᵀ = ∂p/∂q − (∂p/∂q)ᵀ since C is that of
//! the Levi-Civita connection; with displacements in turning axes Koszul's formula says the same.

use alloc::vec;
use alloc::vec::Vec;

use super::rule::{Node, Rule};
use crate::description::Joint;
use crate::manifold::chord::{self, Place};
use crate::model::{Discrete, Robot, Table};
use crate::slices;

/// A chord from q₀ and what the Lagrangian is along it.
#[derive(Clone, Debug)]
pub(super) struct Chord {
    discrete: &'static Discrete,
    /// d, (nv).
    pub(super) d: Vec<f64>,
    /// q₁, (nq).
    pub(super) end: Vec<f64>,
    /// q(½) and ξ(½).
    pub(super) middle: (Vec<f64>, Vec<f64>),
    /// −D₁L_d, (nv), in the axes of q₀: the momentum that it departs with.
    pub(super) departure: Vec<f64>,
    nodes: Vec<Values>,
}

/// What is at a node.
#[derive(Clone, Debug)]
struct Values {
    node: Node,
    q: Vec<f64>,
    v: Vec<f64>,
    mass: Vec<f64>,
    coriolis: Vec<f64>,
    momentum: Vec<f64>,
    /// h f.
    impulse: Vec<f64>,
    /// Room for the force of springs and dampers, (nv).
    passive: Vec<f64>,
}

impl Chord {
    pub(super) fn new(table: &Table, discrete: &'static Discrete, rule: Rule) -> Self {
        let (nq, nv) = (table.nq, table.nv);
        let values = |node: &Node| Values {
            node: *node,
            q: vec![0.0; nq],
            v: vec![0.0; nv],
            mass: vec![0.0; nv * nv],
            coriolis: vec![0.0; nv * nv],
            momentum: vec![0.0; nv],
            impulse: vec![0.0; nv],
            passive: vec![0.0; nv],
        };
        Self {
            discrete,
            d: vec![0.0; nv],
            end: vec![0.0; nq],
            middle: (vec![0.0; nq], vec![0.0; nv]),
            departure: vec![0.0; nv],
            nodes: rule.nodes().iter().map(values).collect(),
        }
    }

    /// Evaluates the chord d from `q0` in h seconds, where the input exerts the generalised force `input`.
    pub(super) fn evaluate(&mut self, robot: Robot<'_>, q0: &[f64], input: &[f64], h: f64) {
        let Self { discrete, d, end, middle, departure, nodes } = self;
        let (joints, from) = (robot.joints, (q0, &d[..]));
        chord::along(joints, from, 1.0, end);
        chord::along(joints, from, 0.5, &mut middle.0);
        chord::velocity(joints, (&middle.0, d), h, &mut middle.1);
        departure.fill(0.0);
        for values in nodes {
            values.evaluate((robot, discrete), from, input, h);
            let place = values.place();
            chord::add_departure(joints, from, &place, values.node.weight, departure);
        }
    }

    /// Turns a momentum at q₀ into that at q₁, D₂L_d where the chord departs with it.
    ///
    /// Nothing that was solved for is in it but the chord: where the Lagrangian has a symmetry, its momentum map is
    /// kept to rounding. `room` holds an impulse, (nv).
    pub(super) fn carry(&self, joints: &[Joint], q0: &[f64], p: &mut [f64], room: &mut Vec<f64>) {
        let Self { end, nodes, .. } = self;
        chord::turn(joints, q0, end, p);
        for Values { node, q, impulse, .. } in nodes {
            let impulse = slices::copy(room, impulse);
            chord::turn(joints, q, end, impulse);
            slices::add(p, node.weight, impulse);
        }
    }

    /// M and C of the chord, (nv, nv), the means of its nodes.
    pub(super) fn means(&self, mass: &mut [f64], coriolis: &mut [f64]) {
        mass.fill(0.0);
        coriolis.fill(0.0);
        for Values { node, mass: m, coriolis: c, .. } in &self.nodes {
            slices::add(mass, node.weight, m);
            slices::add(coriolis, node.weight, c);
        }
    }
}

impl Values {
    fn evaluate(
        &mut self,
        (robot, discrete): (Robot<'_>, &Discrete),
        from: (&[f64], &[f64]),
        input: &[f64],
        h: f64,
    ) {
        let Self { node, q, v, mass, coriolis, momentum, impulse: force, passive } = self;
        chord::along(robot.joints, from, node.share, q);
        chord::velocity(robot.joints, (q, from.1), h, v);
        robot.mass_matrix_into(q, mass);
        discrete.coriolis_matrix_into(robot, q, v, coriolis);
        momentum.fill(0.0);
        slices::multiply(momentum, mass, v);
        robot.gravity_force_into(q, force);
        passive.fill(0.0);
        robot.passive_force_into(q, v, passive);
        slices::add(force, 1.0, passive);
        slices::add(force, 1.0, input);
        slices::multiply_transposed(force, coriolis, v);
        chord::add_turning(robot.joints, v, momentum, force);
        slices::scale(force, h);
    }

    fn place(&self) -> Place<'_> {
        let Self { node, q, momentum, impulse, .. } = self;
        Place { q, share: node.share, momentum, impulse }
    }
}
