//! Newton's method for the velocities of all robots of a step, which takes a time that grows with what acts and how robots are
//! coupled, where a matrix of all rows takes one with its cube.

use alloc::vec::Vec;

use super::super::Formulation;
use super::super::candidate::{BILATERAL, Candidate, Source, UNILATERAL};
use super::super::cone_solver::no_motion;
use super::super::newton::{Acting, Ends, Graph, Newton, REFINEMENTS};
use super::super::slip::is_at_rest;
use super::super::solver::{Solved, Solver};
use super::super::stepper::Core;
use super::between::Between;
use super::{Coupled, Island, Part};
use crate::cone::{Block, Sums};
use crate::kernel::{Computation, Real, compute};
use crate::slices::largest;

/// The method for robots that touch each other, with its room.
#[derive(Clone, Debug)]
pub(super) struct OnGraph {
    newton: Newton<Graph>,
    /// Whether the robots of the step are listed, and whether the mass of each is positive definite.
    is_begun: bool,
    is_regular: bool,
    /// Whether the last solution is further from the law than was asked for, as it became no better.
    is_rough: bool,
    /// Jacobians of the robots' contacts, one after the other.
    jacobians: Vec<f64>,
    /// M + δ of a robot, and rows of something, one after the other.
    mass: Vec<f64>,
    rows: Vec<f64>,
}

impl Default for OnGraph {
    fn default() -> Self {
        let (newton, [jacobians, mass, rows]) = (Newton::on_graph(), [(); 3].map(|()| Vec::new()));
        let [is_begun, is_regular, is_rough] = [false; 3];
        Self { newton, is_begun, is_regular, is_rough, jacobians, mass, rows }
    }
}

impl OnGraph {
    /// No robots of a step are known.
    pub(super) fn begin(&mut self) {
        self.is_begun = false;
    }

    /// Whether the last solution is further from the law than was asked for, as it became no better.
    pub(super) fn is_rough(&self) -> bool {
        self.is_rough
    }

    /// Lists the robots; whether the mass of each is positive definite.
    fn list_robots(&mut self, island: &Island<'_, '_>) -> bool {
        if self.is_begun {
            return self.is_regular;
        }
        let Self { newton, jacobians, mass, .. } = self;
        newton.begin_group(island.members().next().map_or(0, |part| part.number));
        let graph = newton.graph();
        jacobians.clear();
        let mut are_regular = true;
        for part in island.members() {
            let nv = part.robot.nv;
            let mass = part.core.dynamics.mass().unwrap_or_else(|| {
                mass.resize(nv * nv, 0.0);
                part.robot.mass_matrix_into(part.state.0, mass);
                let added = mass.iter_mut().step_by(nv + 1).zip(&part.core.added);
                added.for_each(|(entry, added)| *entry += added);
                mass
            });
            are_regular &= graph.push_node(nv, mass);
            let (first, count) = (jacobians.len(), 3 * part.robot.contacts.len());
            if count > 0 {
                jacobians.resize(first + count * nv, 0.0);
                part.robot.contact_jacobian_into(part.state.0, &mut jacobians[first..]);
            }
        }
        (self.is_begun, self.is_regular) = (true, are_regular);
        are_regular
    }
}

struct Searched<'a, 'i, 'p> {
    coupled: &'a mut Coupled,
    island: &'a mut Island<'i, 'p>,
    formulation: &'a Formulation,
    asks: bool,
}

impl Computation for Searched<'_, '_, '_> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Solved> {
        let Self { coupled, island, formulation, asks } = self;
        coupled.search::<A>(island, formulation, asks)
    }
}

impl Coupled {
    /// Finds impulses and velocities with what is included, if it is such a problem and the method finds them.
    pub(super) fn solve_by_newton(
        &mut self,
        island: &mut Island<'_, '_>,
        formulation: &Formulation,
    ) -> Option<Solved> {
        let suits = |of: &Candidate| {
            !of.included || !(of.resists_turning() || matches!(of.source, Source::Ball { .. }))
        };
        let all_suit = island
            .members()
            .all(|part| part.robot.nc == 0 && part.core.candidates.iter().all(suits));
        if !all_suit || island.included().any(Between::resists_turning) {
            return None;
        }
        let asks = formulation.friction().asks_for_rest(|| self.solvers.all_slide());
        let found = compute(Searched { coupled: self, island, formulation, asks });
        if found.is_none() {
            self.on_graph.newton.is_not_steady();
        }
        found
    }

    #[inline(always)]
    fn search<A: Real>(
        &mut self,
        island: &mut Island<'_, '_>,
        formulation: &Formulation,
        asks: bool,
    ) -> Option<Solved> {
        self.impulses.clear();
        self.impulses.resize(self.problem.rows(), 0.0);
        island.write_start(&mut self.impulses);
        if !self.on_graph.list_robots(island) {
            return None;
        }
        let most = largest(&self.problem.b);
        self.on_graph.newton.begin_acting(self.tolerance, most);
        if !self.list_acting::<A>(island, formulation) {
            return None;
        }
        self.move_on_graph::<A>(island);
        let near = asks.then(|| no_motion(&self.problem.settings.insisted(most), most));
        let mut iterations = self.on_graph.newton.find::<A>(near)?;
        let mut have_changed = iterations > 0;
        for refinement in 0..=REFINEMENTS {
            let are_moderate = self.take_impulses(&mut have_changed);
            if have_changed {
                self.move_on_graph::<A>(island);
            }
            let is_last = refinement == REFINEMENTS;
            if self.on_graph.newton.is_solved::<A>(is_last) {
                if !are_moderate {
                    return None;
                }
                self.on_graph.is_rough = is_last;
                break;
            }
            if is_last {
                return None;
            }
            iterations += self.on_graph.newton.iterate::<A>()?;
        }
        self.problem.sigma.clear();
        self.problem.write_softness(self.on_graph.newton.softness());
        Some(Solved { pivots: iterations, solver: Solver::Newton })
    }

    /// Takes the impulses that were found, and knows whether they are others than before; whether they are moderate.
    fn take_impulses(&mut self, have_changed: &mut bool) -> bool {
        let Self { on_graph: OnGraph { newton, .. }, problem, impulses, .. } = self;
        newton.keep_within_bounds();
        let mut sums = Sums::default();
        for ((first, block, _), place) in problem.each().zip(newton.order()) {
            let rows = first..first + block.rows();
            let (lambda, rho) = (newton.lambda(place), newton.rho(place));
            *have_changed |= impulses[rows.clone()] != lambda[..rows.len()];
            impulses[rows.clone()].copy_from_slice(&lambda[..rows.len()]);
            sums.add(block, &lambda[..rows.len()], &problem.b[rows], |_| 1.0 / rho);
        }
        sums.are_moderate()
    }

    /// Finds velocities by the impulses, and w of all that acts by the velocities.
    #[inline(always)]
    fn move_on_graph<A: Real>(&mut self, island: &mut Island<'_, '_>) {
        let Self { on_graph: OnGraph { newton, .. }, problem, impulses, .. } = self;
        island.read(impulses);
        newton.graph().rest();
        let mut next = 0;
        for &k in island.members {
            let Core { candidates, impulse, dynamics, .. } = &mut *island.parts[k].core;
            let has_contacts = dynamics.tree().is_some();
            for candidate in candidates.iter().filter(|candidate| candidate.included) {
                let impulses = &impulses[problem.firsts[next]..][..candidate.rows()];
                candidate.write(impulses, impulse);
                // Those of a tree are part of its response.
                if !(has_contacts && matches!(candidate.source, Source::Contact(_))) {
                    newton.push::<A>(newton.place(next), impulses);
                }
                next += 1;
            }
        }
        for point in island.included() {
            newton.push::<A>(newton.place(next), &impulses[point.row()..][..point.rows()]);
            next += 1;
        }
        for (node, &k) in island.members.iter().enumerate() {
            let (graph, core) = (newton.graph(), &mut *island.parts[k].core);
            core.move_by_push::<A>(graph.pushed(node), |p| graph.divide_by_mass(node, p));
            let ends = core.velocity.iter().zip(core.free());
            newton.graph().set_change(node, ends.map(|(end, free)| end - free));
        }
        newton.refresh_on_graph::<A>(&problem.b);
    }

    /// Lists what acts, in the order of the problem; whether it can be solved so.
    #[inline(always)]
    fn list_acting<A: Real>(&mut self, island: &Island<'_, '_>, formulation: &Formulation) -> bool {
        let Self { on_graph: OnGraph { newton, jacobians, rows, .. }, impulses, .. } = self;
        let mut jacobian = &jacobians[..];
        for part in island.members() {
            let nv = part.robot.nv;
            let included = part.core.candidates.iter().filter(|candidate| candidate.included);
            for (candidate, &first) in included.zip(&part.core.problem.firsts) {
                candidate.write_rows(part.core, jacobian, rows);
                let end = newton.graph().push_rows(part.node, rows, candidate.rows());
                let acting = candidate.acting(&impulses[part.first + first..], part, formulation);
                let at = ([Some(end), None], candidate.rows());
                if !newton.push_acting::<A>(&acting, at, formulation) {
                    return false;
                }
            }
            jacobian = &jacobian[3 * part.robot.contacts.len() * nv..];
        }
        for point in island.included() {
            let mut ends: Ends = [None; 2];
            for (end, side) in ends.iter_mut().zip(&point.sides) {
                let Some(side) = side else { continue };
                let (node, rows) =
                    (island.parts[side.part].node, &island.contacts.rows[side.first..]);
                *end = Some(newton.graph().push_rows(node, rows, point.rows()));
            }
            let may_rest = formulation.friction().asks_for_rest(|| !point.is_at_rest());
            let acting = Acting { may_rest, ..point.acting(impulses) };
            if !newton.push_acting::<A>(&acting, (ends, point.rows()), formulation) {
                return false;
            }
        }
        newton.graph().close();
        true
    }
}

impl Core {
    /// Finds v⁺ by the generalised impulse of all that acts, but for contacts of a tree; `divide` divides by M + δ.
    #[inline(always)]
    fn move_by_push<A: Real>(&mut self, pushed: &[f64], divide: impl FnOnce(&mut [f64])) {
        self.impulses.clear();
        self.pushed.clear();
        self.pushed.extend_from_slice(pushed);
        let Self { dynamics, impulse, velocity, room, .. } = self;
        if let Some(tree) = dynamics.tree() {
            tree.respond_beside::<A>(pushed, impulse);
            velocity.copy_from_slice(tree.change());
        } else {
            room.copy_from_slice(pushed);
            divide(room);
            velocity.copy_from_slice(room);
        }
        velocity.iter_mut().zip(dynamics.free()).for_each(|(v, free)| *v += free);
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
        let rests = |velocity| formulation.friction().asks_for_rest(|| !is_at_rest(velocity));
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
