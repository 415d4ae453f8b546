//! Newton's method for the velocities of all robots of a step, which takes a time that grows with what acts and how robots are
//! coupled, where a matrix of all rows takes one with its cube.

use alloc::vec::Vec;

use super::super::Formulation;
use super::super::candidate::{BILATERAL, Candidate, Source, UNILATERAL};
use super::super::newton::{Acting, Ends, Graph, Mobility, Newton, REFINEMENTS};
use super::super::rest::is_at_rest;
use super::super::solver::{Solved, Solver};
use super::super::solvers::no_motion;
use super::super::stepper::Core;
use super::between::Between;
use super::{Contacts, Coupled, Part};
use crate::cone::{Block, Sums};
use crate::kernel::{Computation, Real, compute};
use crate::slices::largest;

/// The method for robots that touch each other, with its room.
#[derive(Clone, Debug)]
pub(super) struct OnGraph {
    newton: Newton<Graph>,
    /// Of each robot.
    mobilities: Vec<Mobility>,
    /// M + δ of a robot, and its contacts' Jacobian.
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    /// Rows of something, one after the other.
    rows: Vec<f64>,
}

impl Default for OnGraph {
    fn default() -> Self {
        let [mass, jacobian, rows] = [(); 3].map(|()| Vec::new());
        Self { newton: Newton::on_graph(), mobilities: Vec::new(), mass, jacobian, rows }
    }
}

struct Searched<'a, 'p> {
    coupled: &'a mut Coupled,
    parts: &'a mut [Part<'p>],
    contacts: &'a mut Contacts,
    formulation: &'a Formulation,
    asks: bool,
}

impl Computation for Searched<'_, '_> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Solved> {
        let Self { coupled, parts, contacts, formulation, asks } = self;
        coupled.search::<A>(parts, contacts, formulation, asks)
    }
}

impl Coupled {
    /// Finds impulses and velocities with what is included, if it is such a problem and the method finds them.
    pub(super) fn solve_by_newton(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        formulation: &Formulation,
    ) -> Option<Solved> {
        let suits = |of: &Candidate| {
            !of.included || !(of.torsion > 0.0 || matches!(of.source, Source::Ball { .. }))
        };
        let all_suit =
            parts.iter().all(|part| part.robot.nc == 0 && part.core.candidates.iter().all(suits));
        if !all_suit || contacts.points.iter().any(|point| point.torsion > 0.0) {
            return None;
        }
        let asks = formulation.asks_for_rest(|| self.solvers.all_slide());
        compute(Searched { coupled: self, parts, contacts, formulation, asks })
    }

    fn search<A: Real>(
        &mut self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        formulation: &Formulation,
        asks: bool,
    ) -> Option<Solved> {
        self.impulses.clear();
        self.impulses.resize(self.problem.rows(), 0.0);
        self.start(parts, contacts);
        let most = largest(&self.problem.b);
        self.on_graph.newton.begin_graph(self.tolerance, most);
        if !self.list_graph(parts, contacts, formulation) {
            return None;
        }
        self.move_by_rows(parts, contacts);
        self.refresh::<A>(parts);
        let near = asks.then(|| no_motion(&self.problem.settings.insisted(most), most));
        let mut iterations = self.on_graph.newton.find::<A>(near)?;
        for refinement in 0..=REFINEMENTS {
            let are_moderate = self.take_impulses();
            self.move_by_rows(parts, contacts);
            self.refresh::<A>(parts);
            let is_last = refinement == REFINEMENTS;
            if self.on_graph.newton.is_solved::<A>(is_last) {
                if !are_moderate {
                    return None;
                }
                break;
            }
            if is_last {
                return None;
            }
            iterations += self.on_graph.newton.iterate::<A>()?;
        }
        self.problem.write_softness(self.on_graph.newton.softness());
        Some(Solved { pivots: iterations, solver: Solver::Newton })
    }

    /// Takes the impulses that were found; whether they are moderate.
    fn take_impulses(&mut self) -> bool {
        let Self { on_graph: OnGraph { newton, .. }, problem, impulses, .. } = self;
        newton.keep_within_bounds();
        let mut sums = Sums::default();
        for ((first, block, _), place) in problem.each().zip(newton.order()) {
            let rows = first..first + block.rows();
            let (lambda, rho) = (newton.lambda(place), newton.rho(place));
            impulses[rows.clone()].copy_from_slice(&lambda[..rows.len()]);
            sums.add(block, &lambda[..rows.len()], &problem.b[rows], |_| 1.0 / rho);
        }
        sums.are_moderate()
    }

    /// Knows w of all that acts by the velocities of the robots.
    fn refresh<A: Real>(&mut self, parts: &[Part<'_>]) {
        let newton = &mut self.on_graph.newton;
        for (k, part) in parts.iter().enumerate() {
            let ends = part.core.velocity.iter().zip(part.core.free());
            newton.graph().set_change(k, ends.map(|(end, free)| end - free));
        }
        newton.refresh_on_graph::<A>(&self.problem.b);
    }

    /// Lists robots and what acts on them, in the order of the problem; whether it can be solved so.
    fn list_graph(
        &mut self,
        parts: &[Part<'_>],
        contacts: &Contacts,
        formulation: &Formulation,
    ) -> bool {
        let Self { on_graph, impulses, .. } = self;
        let OnGraph { newton, mobilities, mass, jacobian, rows } = on_graph;
        mobilities.resize_with(mobilities.len().max(parts.len()), Mobility::default);
        for (part, mobility) in parts.iter().zip(&mut *mobilities) {
            let nv = part.robot.nv;
            mass.resize(nv * nv, 0.0);
            part.robot.mass_matrix_into(part.state.0, mass);
            let added = mass.iter_mut().step_by(nv + 1).zip(&part.core.added);
            added.for_each(|(entry, added)| *entry += added);
            newton.graph().push_node(nv, mass);
            if !mobility.begin(nv, mass) {
                return false;
            }
        }
        for (k, part) in parts.iter().enumerate() {
            part.core.write_jacobian(part, jacobian);
            let included = part.core.candidates.iter().filter(|candidate| candidate.included);
            for (candidate, &first) in included.zip(&part.core.problem.firsts) {
                let nv = part.robot.nv;
                candidate.write_rows(part.core, jacobian, rows);
                let each = || rows.chunks_exact(nv);
                let end = newton.graph().push_rows(k, each());
                let mut mobility = ([0.0; 3], 0.0);
                mobilities[k].add(each(), (&mut mobility.0, &mut mobility.1));
                let impulses = &impulses[part.first + first..];
                let acting = candidate.acting(impulses, part, formulation);
                if !newton.push_acting(&acting, [Some(end), None], mobility, formulation) {
                    return false;
                }
            }
        }
        for point in contacts.points.iter().filter(|point| point.is_included()) {
            let (mut ends, mut mobility): (Ends, _) = ([None; 2], ([0.0; 3], 0.0));
            for (end, side) in ends.iter_mut().zip(&point.sides) {
                let Some(side) = side else { continue };
                let all = contacts.rows[side.first..].chunks_exact(parts[side.part].robot.nv);
                let each = all.take(point.rows());
                *end = Some(newton.graph().push_rows(side.part, each.clone()));
                mobilities[side.part].add(each, (&mut mobility.0, &mut mobility.1));
            }
            let [n, x, y, _] = contacts.velocity(point, |k| parts[k].state.1);
            let may_rest = formulation.asks_for_rest(|| !is_at_rest([n, x, y]));
            let acting = Acting { may_rest, ..point.acting(impulses) };
            if !newton.push_acting(&acting, ends, mobility, formulation) {
                return false;
            }
        }
        newton.graph().close();
        true
    }
}

impl Core {
    /// Writes J of the contacts, (3 contacts, nv) column by column.
    fn write_jacobian(&self, part: &Part<'_>, jacobian: &mut Vec<f64>) {
        jacobian.resize(3 * part.robot.contacts.len() * part.robot.nv, 0.0);
        part.robot.contact_jacobian_into(part.state.0, jacobian);
    }
}

impl Candidate {
    /// Writes its rows, (nv) each, one after the other; J is that of the contacts.
    fn write_rows(&self, core: &Core, jacobian: &[f64], rows: &mut Vec<f64>) {
        let (nv, explicit) = (core.table.nv, &core.explicit);
        rows.clear();
        match self.source {
            Source::Contact(i) => {
                let count = 3 * core.table.contacts.len();
                for row in 3 * i..3 * i + self.rows() {
                    rows.extend((0..nv).map(|k| jacobian[count * k + row]));
                }
            }
            Source::Pair(i) => {
                explicit.pairs.rows(i).take(self.rows()).for_each(|row| rows.extend(row));
            }
            Source::Declared(i) => rows.extend(explicit.declared.row(i)),
            Source::Constraint(k) => rows.extend(explicit.yielding.row(k)),
            Source::Spring { line, .. } => rows.extend(explicit.springs.row(line)),
            Source::Limit(limit) => {
                rows.resize(nv, 0.0);
                rows[limit.v] = limit.sign();
            }
            Source::Motor { v, .. } | Source::DryFriction { v, .. } | Source::Ball { v, .. } => {
                rows.resize(nv, 0.0);
                rows[v] = 1.0;
            }
        }
    }

    /// As what acts with these impulses.
    fn acting(&self, impulses: &[f64], part: &Part<'_>, formulation: &Formulation) -> Acting {
        let Core { explicit, dynamics, .. } = &*part.core;
        let rests = |velocity| formulation.asks_for_rest(|| !is_at_rest(velocity));
        let (is_contact, directions, may_rest) = match self.source {
            Source::Contact(i) => {
                (true, part.robot.contacts[i].directions, rests(dynamics.contact_velocity(i)))
            }
            Source::Pair(i) => {
                let velocity = explicit.pairs.velocity(i, part.state.1);
                (true, explicit.pairs.points[i].directions, rests(velocity))
            }
            _ => (false, 4, false),
        };
        let bounds = match (self.source, self.on_coordinate()) {
            (_, Some((_, _, bounds))) => bounds,
            (Source::Constraint(_) | Source::Spring { .. }, _) => bounds_of(BILATERAL),
            _ => bounds_of(UNILATERAL),
        };
        let mut lambda = [0.0; 3];
        lambda.iter_mut().zip(&impulses[..self.rows()]).for_each(|(to, of)| *to = *of);
        let softness = [self.softness, self.demand.regularization];
        let friction = self.friction;
        Acting { friction, directions, is_contact, may_rest, bounds, lambda, softness }
    }
}

impl Between {
    /// The same of a point between robots, with the impulses of all.
    fn acting(&self, impulses: &[f64]) -> Acting {
        let of = self.demand().map_or([0.0; 2], |(demand, own)| [own, demand.regularization]);
        let mut lambda = [0.0; 3];
        let own = &impulses[self.row()..][..self.rows()];
        lambda.iter_mut().zip(own).for_each(|(to, of)| *to = *of);
        Acting {
            friction: self.friction,
            directions: self.directions,
            is_contact: true,
            may_rest: true,
            bounds: bounds_of(UNILATERAL),
            lambda,
            softness: of,
        }
    }
}

/// The bounds of a single row.
fn bounds_of(block: Block) -> [f64; 2] {
    match block {
        Block::Row { lower, upper } => [lower, upper],
        _ => [0.0, f64::INFINITY],
    }
}
