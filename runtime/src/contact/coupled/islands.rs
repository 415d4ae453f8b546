//! What pushes each other in a step.
//!
//! Things that merely are near each other are solved apart, each island to its own end. If their velocities then lead two islands
//! into each other, these are solved again, as one.

use alloc::vec::Vec;
use core::ops::Range;

use super::super::formulation::Formulation;
use super::super::problem::Problem;
use super::between::{Between, Contacts};
use super::part::Part;
use super::{Aim, Laws};
use crate::slices;

/// Robots and points, sorted by islands.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    members: Vec<usize>,
    points: Vec<usize>,
    /// The members and the points of each. Behind the points of all are those between two.
    each: Vec<[Range<usize>; 2]>,
    /// Of each robot, the first one of its island.
    roots: Vec<usize>,
    /// Of each first one, where the points of its island end.
    ends: Vec<usize>,
}

impl Islands {
    /// Takes all as one island.
    pub(super) fn unite(&mut self, parts: &[Part<'_>], contacts: &Contacts) {
        let counts = [parts.len(), contacts.points.len()];
        for (places, count) in [&mut self.members, &mut self.points].into_iter().zip(counts) {
            places.clear();
            places.extend(0..count);
        }
        self.each.clear();
        self.each.push(counts.map(|count| 0..count));
    }

    /// Finds them by the points that are included.
    pub(super) fn find(&mut self, parts: &[Part<'_>], contacts: &Contacts) {
        let Self { members, points, each, roots, ends } = self;
        roots.clear();
        roots.extend(0..parts.len());
        for point in contacts.points.iter().filter(|point| point.is_included()) {
            if let [Some(a), Some(b)] = point.sides {
                let (a, b) = (root(roots, a.part), root(roots, b.part));
                // The lower one, so that the order of islands is that of what is in them.
                roots[a.max(b)] = a.min(b);
            }
        }
        let apart = parts.len();
        (0..apart).for_each(|k| roots[k] = root(roots, k));
        sort((members, ends), (apart, apart), |k| roots[k]);
        sort((points, ends), (contacts.points.len(), apart), |k| {
            let mut of = contacts.points[k].sides.iter().flatten().map(|side| roots[side.part]);
            let first = of.next().unwrap_or(apart);
            if of.all(|other| other == first) { first } else { apart }
        });
        each.clear();
        let [mut first, mut first_point] = [0; 2];
        for island in members.chunk_by(|a, b| roots[*a] == roots[*b]) {
            let [end, end_point] = [first + island.len(), ends[island[0]]];
            each.push([first..end, first_point..end_point]);
            (first, first_point) = (end, end_point);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.each.len()
    }

    /// One of them.
    pub(super) fn get<'a, 'p>(
        &'a self,
        k: usize,
        (parts, contacts): (&'a mut [Part<'p>], &'a mut Contacts),
    ) -> Island<'a, 'p> {
        let [members, points] = self.each[k].clone();
        Island { parts, contacts, members: &self.members[members], points: &self.points[points] }
    }

    /// The points between two islands.
    fn apart(&self) -> &[usize] {
        let first = self.each.last().map_or(0, |[_, points]| points.end);
        &self.points[first..]
    }

    /// Each of the points between two islands.
    pub(super) fn each_apart<'a>(
        &'a self,
        contacts: &'a Contacts,
    ) -> impl Iterator<Item = &'a Between> {
        self.apart().iter().map(|&k| &contacts.points[k])
    }

    /// Includes the points between two islands that the velocities of their solutions violate; whether there are any. Robots at such a
    /// point count as unsolved.
    pub(super) fn include_apart(
        &self,
        parts: &mut [Part<'_>],
        contacts: &mut Contacts,
        formulation: &Formulation,
    ) -> bool {
        let mut found = false;
        for &k in self.apart() {
            let Contacts { points, rows } = &mut *contacts;
            if points[k].include_if_violated(parts, rows, formulation) {
                found = true;
                points[k].sides.iter().flatten().for_each(|side| parts[side.part].solved = false);
            }
        }
        found
    }
}

/// Robots that push each other, and the points at which they do, or may.
pub(super) struct Island<'a, 'p> {
    /// Of the whole step.
    pub(super) parts: &'a mut [Part<'p>],
    pub(super) contacts: &'a mut Contacts,
    /// Which of these, in ascending order.
    pub(super) members: &'a [usize],
    pub(super) points: &'a [usize],
}

impl<'p> Island<'_, 'p> {
    pub(super) fn members(&self) -> impl Iterator<Item = &Part<'p>> + Clone {
        self.members.iter().map(|&k| &self.parts[k])
    }

    pub(super) fn each_member(&mut self, mut of: impl FnMut(&mut Part<'p>)) {
        self.members.iter().for_each(|&k| of(&mut self.parts[k]));
    }

    /// The points that are included.
    pub(super) fn included(&self) -> impl Iterator<Item = &Between> + Clone {
        self.points.iter().map(|&k| &self.contacts.points[k]).filter(|point| point.is_included())
    }

    /// Changes these, by rows and robots of all.
    fn each_included(&mut self, mut of: impl FnMut(&mut Between, &[f64], &[Part<'p>])) {
        let Contacts { points, rows } = &mut *self.contacts;
        for &k in self.points {
            if points[k].is_included() {
                of(&mut points[k], rows, self.parts);
            }
        }
    }

    /// Whether what is in it has been solved.
    pub(super) fn is_solved(&self) -> bool {
        self.members().all(|part| part.solved)
    }

    /// Begins a solution: nothing has an impulse.
    pub(super) fn begin_solution(&mut self) {
        self.each_member(|part| part.core.begin_solution());
        self.points.iter().for_each(|&k| self.contacts.points[k].begin_solution());
    }

    /// Goes on from the impulses of the last solution.
    pub(super) fn start_again(&mut self) {
        self.each_member(|part| part.core.start_again());
        self.points.iter().for_each(|&k| self.contacts.points[k].start_again());
    }

    /// Whether something that may touch does not slide at the beginning.
    pub(super) fn has_rest(&self) -> bool {
        self.members().any(Part::has_rest)
            || self.points.iter().any(|&k| self.contacts.points[k].is_at_rest())
    }

    /// Whether anything is included.
    pub(super) fn is_acted_on(&self) -> bool {
        self.members().any(Part::is_acted_on) || self.included().next().is_some()
    }

    /// Lets every row give way by this share of its own mobility.
    pub(super) fn give_way(&mut self, by: f64) {
        self.each_member(|part| part.core.give_way(by));
        self.points.iter().for_each(|&k| self.contacts.points[k].give_way(by));
    }

    /// Includes what the velocities of the last solution violate; whether there is any.
    pub(super) fn include(&mut self, (h, formulation): Laws<'_>, aim: Aim) -> bool {
        let Self { parts, contacts, members, points } = self;
        let Contacts { points: all, rows } = &mut **contacts;
        let mut found = false;
        for &k in *points {
            found |= all[k].include_if_violated(parts, rows, formulation);
        }
        for &k in *members {
            let part = &mut parts[k];
            let laws = (h, part.conditions);
            found |= match aim {
                Aim::Step => part.core.include_violated(part.state, laws),
                Aim::Displacement => part.core.include_overlapping(part.state, laws, formulation),
            };
        }
        found
    }

    /// Lists what is included: the rows of one robot after those of the other, and then those of points between them.
    pub(super) fn list(&mut self, problem: &mut Problem) {
        for (node, &k) in self.members.iter().enumerate() {
            let part = &mut self.parts[k];
            part.core.list();
            (part.first, part.node) = (problem.rows(), node);
            problem.append(&part.core.problem);
        }
        self.each_included(|point, rows, parts| point.push(problem, rows, parts));
    }

    /// The impulses along the rows that are known from before.
    pub(super) fn write_start(&self, impulses: &mut [f64]) {
        self.members().for_each(|part| part.core.write_start(&mut impulses[part.first..]));
        for point in self.included() {
            let to = &mut impulses[point.row()..][..point.rows()];
            to.iter_mut().zip(point.start()).for_each(|(to, start)| *to = start);
        }
    }

    /// Reads the impulses of the points that are included.
    pub(super) fn read(&mut self, impulses: &[f64]) {
        self.each_included(|point, _, _| {
            let of = &impulses[point.row()..][..point.rows()];
            point.impulse.iter_mut().zip(of).for_each(|(to, of)| *to = *of);
        });
    }

    /// Hands σ of what gives way on to robots and points, whose residuals have it.
    pub(super) fn hand_on_softness(&mut self, sigma: &[f64]) {
        self.each_member(|part| {
            let own = part.first..part.first + part.core.problem.rows();
            let to = &mut part.core.problem.sigma;
            to.clear();
            to.extend_from_slice(sigma.get(own).unwrap_or_default());
        });
        self.each_included(|point, _, _| {
            let own = sigma.get(point.row()..).unwrap_or_default();
            point.sigma = core::array::from_fn(|k| own.get(k).copied().unwrap_or(0.0));
        });
    }
}

/// What is included at a robot.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) contacts: &'a Contacts,
    /// The points of its island.
    pub(super) points: &'a [usize],
    pub(super) part: usize,
}

impl<'a> Sides<'a> {
    /// Points, with where its rows begin.
    fn each(self) -> impl Iterator<Item = (&'a Between, usize)> + Clone {
        let points = self.points.iter().map(move |&k| &self.contacts.points[k]);
        let included = points.filter(|point| point.is_included());
        let sides =
            included.flat_map(|point| point.sides.iter().flatten().map(move |s| (point, s)));
        let own = sides.filter(move |(_, side)| side.part == self.part);
        own.map(|(point, side)| (point, side.first))
    }

    /// Its rows, (nv) each, one after the other.
    pub(super) fn rows(self, nv: usize) -> impl Iterator<Item = &'a [f64]> + Clone {
        self.each().flat_map(move |(point, first)| {
            self.contacts.rows[first..].chunks_exact(nv.max(1)).take(point.rows())
        })
    }

    /// Their places in the problem.
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        self.each().flat_map(|(point, _)| point.row()..point.row() + point.rows())
    }

    /// The impulses along them.
    pub(super) fn impulses(self) -> impl Iterator<Item = f64> {
        self.each().flat_map(|(point, _)| point.impulse.into_iter().take(point.rows()))
    }
}

/// Writes so many places, from zero on, in ascending order of their values, which are `most` at most, and where each value ends.
fn sort(
    (places, ends): (&mut Vec<usize>, &mut Vec<usize>),
    (count, most): (usize, usize),
    of: impl Fn(usize) -> usize,
) {
    slices::zeros(ends, most + 2);
    (0..count).for_each(|k| ends[of(k) + 1] += 1);
    (0..=most).for_each(|k| ends[k + 1] += ends[k]);
    slices::zeros(places, count);
    for k in 0..count {
        let to = &mut ends[of(k)];
        places[*to] = k;
        *to += 1;
    }
}

/// The first of what is tied to this.
fn root(roots: &mut [usize], mut of: usize) -> usize {
    while roots[of] != of {
        roots[of] = roots[roots[of]];
        of = roots[of];
    }
    of
}
