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

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::rule::{Node, Rule};
use crate::manifold::chord::{self, Place};
use crate::model::Model;
use crate::slices;
use crate::space::Storage;

/// A chord from q₀ and what the Lagrangian is along it.
#[derive(Clone, Debug)]
pub(super) struct Chord<M: Model> {
    /// d, (nv).
    pub(super) d: M::V,
    /// q₁.
    pub(super) end: M::Q,
    /// q(½) and ξ(½).
    pub(super) middle: (M::Q, M::V),
    /// −D₁L_d, (nv), in the axes of q₀: the momentum that it departs with.
    pub(super) departure: M::V,
    nodes: Vec<Values<M>>,
}

/// What is at a node.
#[derive(Clone, Debug)]
struct Values<M: Model> {
    node: Node,
    q: M::Q,
    v: M::V,
    mass: Box<M::Mass>,
    coriolis: Box<M::Mass>,
    momentum: M::V,
    /// h f.
    impulse: M::V,
}

impl<M: Model> Chord<M> {
    pub(super) fn new(rule: Rule) -> Self {
        let values = |node: &Node| Values {
            node: *node,
            q: M::Q::zeros(),
            v: M::V::zeros(),
            mass: Box::new(M::Mass::zeros()),
            coriolis: Box::new(M::Mass::zeros()),
            momentum: M::V::zeros(),
            impulse: M::V::zeros(),
        };
        Self {
            d: M::V::zeros(),
            end: M::Q::zeros(),
            middle: (M::Q::zeros(), M::V::zeros()),
            departure: M::V::zeros(),
            nodes: rule.nodes().iter().map(values).collect(),
        }
    }

    /// Evaluates the chord d from `q0` in h seconds, where the input exerts the generalised force `input`.
    pub(super) fn evaluate(&mut self, model: &M, q0: &M::Q, input: &M::V, h: f64) {
        let Self { d, end, middle, departure, nodes } = self;
        let from = (q0.as_slice(), d.as_slice());
        chord::along(M::JOINTS, from, 1.0, end.as_mut_slice());
        chord::along(M::JOINTS, from, 0.5, middle.0.as_mut_slice());
        let at = (middle.0.as_slice(), d.as_slice());
        chord::velocity(M::JOINTS, at, h, middle.1.as_mut_slice());
        departure.as_mut_slice().fill(0.0);
        for values in nodes {
            values.evaluate(model, from, input, h);
            let place = values.place();
            chord::add_departure(
                M::JOINTS,
                from,
                &place,
                values.node.weight,
                departure.as_mut_slice(),
            );
        }
    }

    /// Turns a momentum at q₀ into that at q₁, D₂L_d where the chord departs with it.
    ///
    /// Nothing that was solved for is in it but the chord: where the Lagrangian has a symmetry, its momentum map is
    /// kept to rounding.
    pub(super) fn carry(&self, q0: &M::Q, p: &mut M::V) {
        let Self { end, nodes, .. } = self;
        chord::turn(M::JOINTS, q0.as_slice(), end.as_slice(), p.as_mut_slice());
        for Values { node, q, impulse, .. } in nodes {
            let mut impulse = impulse.clone();
            chord::turn(M::JOINTS, q.as_slice(), end.as_slice(), impulse.as_mut_slice());
            slices::add(p.as_mut_slice(), node.weight, impulse.as_slice());
        }
    }

    /// M and C of the chord, (nv, nv), the means of its nodes.
    pub(super) fn means(&self, mass: &mut [f64], coriolis: &mut [f64]) {
        mass.fill(0.0);
        coriolis.fill(0.0);
        for Values { node, mass: m, coriolis: c, .. } in &self.nodes {
            slices::add(mass, node.weight, m.as_slice());
            slices::add(coriolis, node.weight, c.as_slice());
        }
    }
}

impl<M: Model> Values<M> {
    fn evaluate(&mut self, model: &M, from: (&[f64], &[f64]), input: &M::V, h: f64) {
        let Self { node, q, v, mass, coriolis, momentum, impulse } = self;
        chord::along(M::JOINTS, from, node.share, q.as_mut_slice());
        chord::velocity(M::JOINTS, (q.as_slice(), from.1), h, v.as_mut_slice());
        model.mass_matrix_into(q, mass);
        model.coriolis_matrix_into(q, v, coriolis);
        momentum.as_mut_slice().fill(0.0);
        slices::multiply(momentum.as_mut_slice(), mass.as_slice(), v.as_slice());
        model.gravity_force_into(q, impulse);
        let force = impulse.as_mut_slice();
        slices::add(force, 1.0, model.passive_force(q, v).as_slice());
        slices::add(force, 1.0, input.as_slice());
        slices::multiply_transposed(force, coriolis.as_slice(), v.as_slice());
        chord::add_turning(M::JOINTS, v.as_slice(), momentum.as_slice(), force);
        slices::scale(force, h);
    }

    fn place(&self) -> Place<'_> {
        Place {
            q: self.q.as_slice(),
            share: self.node.share,
            momentum: self.momentum.as_slice(),
            impulse: self.impulse.as_slice(),
        }
    }
}
