//! Steps in which contacts act alone, four of them at once.
//!
//! Where nothing but contacts can act, and these share few coordinates, a step needs no candidates and no rows, under any law:
//! numbers of contacts go from the kernel to the solver and on to the check side by side. Four contacts of which one must act
//! are in the problem, open ones among them; what then violates others, or a limit, or what is not solved so, is left
//! to the way of all other steps. The laws are the same. Of one limb one contact may act. So where limbs have several, open
//! contacts are left out.

mod four;
mod rooms;
mod step;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::slice;

use self::four::Four;
use self::rooms::{Problem, Rooms};
use super::conditions::Conditions;
use super::dynamics::Tree;
use super::formulation::Formulation;
use super::impulse::{Impulse, direction};
use super::restitution::Restitution;
use super::star::{self, Star};
use super::undetermined;
use crate::arithmetic::{Lanes, Ordered};
use crate::cone::{self, Contacts, Friction, LANES, Rows, Sides, WIDEST};
use crate::description::ContactParameters;
use crate::fours;
use crate::kernel::Real;
use crate::model::Table;

/// Whether steps are of this kind, and room for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Together {
    /// Whether the last step was one of these, and the impulses are its.
    pub(super) is_used: bool,
    /// The same of the step before the one that is being solved.
    was_used: bool,
    /// Whether that step had impulses beside those of contacts.
    has_others: bool,
    /// Whether another solution than the one found last may stay at rest, where the step began.
    pub(super) may_rest: bool,
    /// Whether the last solution is by the convex law instead of Coulomb's. A step does not end with one.
    pub(super) is_relaxed: bool,
    /// Whether no contact resists turning, whether all have other friction, and whether that is finite.
    is_plain: bool,
    all_rub: bool,
    are_finite: bool,
    /// The polygons of four contacts each.
    sides: Vec<Sides>,
    /// Contacts that may be unable to move along some direction.
    may_be_still: Vec<usize>,
    fours: Vec<Four>,
    /// The strongest normal impulse of the last step.
    strongest: f64,
    /// What is in the problem.
    contacts: Vec<Contacts>,
    star: Star,
    rooms: Rooms,
    /// The largest error of the last solution.
    accepted: f64,
}

impl Together {
    pub(super) fn new(table: &Table, contacts: &[ContactParameters]) -> Self {
        let counts: Vec<usize> = table.contacts.iter().map(|contact| contact.directions).collect();
        Self {
            is_plain: contacts.iter().all(|of| of.torsion == 0.0 && of.rolling == 0.0),
            are_finite: contacts.iter().all(|contact| contact.friction.is_finite()),
            all_rub: contacts.iter().all(|contact| contact.friction > 0.0),
            sides: counts.chunks(LANES).map(|of| Sides::new(of, direction)).collect(),
            may_be_still: (0..counts.len()).filter(|&i| !table.is_on_free_base(i)).collect(),
            fours: contacts.chunks(LANES).map(Four::new).collect(),
            ..Self::default()
        }
    }

    pub(super) fn forget(&mut self) {
        (self.is_used, self.has_others) = (false, false);
        self.forget_answers();
    }

    fn forget_answers(&mut self) {
        self.rooms.forget();
    }

    /// Whether these conditions leave contacts nothing but a law side by side.
    #[inline(always)]
    fn suits(&self, conditions: &Conditions) -> bool {
        let formulation = &conditions.formulation;
        let (_, by_polygons) = formulation.friction().side_by_side();
        let has_own = formulation.friction().coefficient(1.0) != 1.0;
        (self.is_plain || formulation.friction().lever(1.0) == 0.0)
            && (self.are_finite || has_own)
            && (self.all_rub || has_own || by_polygons)
            && conditions.restitution == Restitution::Newton
    }
}

impl Together {
    /// Writes the impulses of contacts; the strongest one along a normal.
    #[inline(always)]
    pub(super) fn write<A: Real>(&self, impulse: &mut Impulse) -> f64 {
        let mut strongest = A::Quad::splat(0.0);
        let (normals, last_normals) = impulse.normal.as_chunks_mut();
        let (frictions, last_frictions) = impulse.friction.as_chunks_mut();
        let (full, last) = self.fours.split_at(normals.len().min(self.fours.len()));
        for (four, to) in full.iter().zip(normals.iter_mut().zip(frictions)) {
            strongest = A::Quad::pack(four.contacts.lambda[0]).abs().maximum(strongest);
            four.write(to);
        }
        for four in last {
            strongest = A::Quad::pack(four.contacts.lambda[0]).abs().maximum(strongest);
            four.write_some(last_normals, last_frictions);
        }
        fours::largest::<A>(strongest)
    }

    /// The largest velocity that is none, by the largest error of the last solution.
    pub(super) fn no_motion(&self) -> f64 {
        cone::NO_MOTION * self.accepted
    }

    /// Whether no two contacts with impulses are on one limb.
    #[inline(never)]
    pub(super) fn are_apart(&mut self, tree: &Tree, normal: &[f64]) -> bool {
        let pressed = (0..normal.len()).filter(|&i| normal[i] > 0.0);
        tree.are_apart(pressed, &mut self.star.taken)
    }

    /// Whether each limb has one contact of the problem at most. If not, contacts that need no impulse are left out first.
    #[inline(never)]
    fn spread(&mut self, tree: &Tree) -> bool {
        let Self { fours, star, .. } = self;
        let is_apart = |fours: &[Four], taken: &mut Vec<bool>| {
            let contacts = 0..tree.table().contacts.len();
            let present = contacts.filter(|&i| fours[i / LANES].has(i % LANES));
            tree.are_apart(present, taken)
        };
        if is_apart(fours, &mut star.taken) {
            return true;
        }
        fours.iter_mut().filter(|four| four.is_included).for_each(Four::leave_out);
        is_apart(fours, &mut star.taken)
    }

    /// The only four contacts of the problem, if all of them demand something, with Y of what they share where the kernel
    /// wrote it.
    #[inline(always)]
    fn only_four<'m>(&self, tree: &'m Tree) -> Option<(usize, &'m [[Rows; WIDEST]; 1])> {
        let mut included = self.fours.iter().enumerate().filter(|(_, four)| four.is_included);
        let (k, four) = included.next()?;
        if included.next().is_some() || !four.are_all_active() || four.leaves_out() {
            return None;
        }
        tree.shared_in_place(k).map(|shared| (k, shared))
    }

    /// Finds Λ of these four contacts; how many iterations it took, unless it is not found.
    #[inline(always)]
    fn solve_in_place<A: Real>(
        &mut self,
        tree: &Tree,
        (k, shared): (usize, &[[Rows; WIDEST]; 1]),
        (formulation, alone, accepted): (&Formulation, bool, f64),
    ) -> Option<usize> {
        let Self { fours, sides, rooms, .. } = self;
        let (four, friction) = (fours.get_mut(k)?, friction(formulation, sides));
        let (weights, mut own) = (tree.shared_weights(), [tree.own_of_four::<A>(k)]);
        four.soften::<A>(star::through::<A>(&shared[0], &weights), &mut own[0]);
        let contacts = slice::from_mut(&mut four.contacts);
        let star = cone::Star { contacts: LANES, shared, weights: &weights, own: &own };
        let (of, law) = (Problem::Star(star), (friction, accepted));
        let found = rooms.find::<A>(tree, of, law, (formulation, alone), contacts)?;
        (self.may_rest, self.is_relaxed) = (found.may_rest, found.is_relaxed);
        (!found.may_rest || !alone).then_some(found.iterations)
    }

    /// Finds Λ; how many iterations it took, unless it is not found.
    #[inline(always)]
    fn solve<A: Real>(
        &mut self,
        tree: &Tree,
        (formulation, alone, accepted): (&Formulation, bool, f64),
    ) -> Option<usize> {
        self.gather::<A>(tree);
        let Self { fours, sides, contacts, star, rooms, .. } = self;
        let (of, law) = (problem(star, contacts.len()), (friction(formulation, sides), accepted));
        let found = rooms.find::<A>(tree, of, law, (formulation, alone), contacts)?;
        (self.may_rest, self.is_relaxed) = (found.may_rest, found.is_relaxed);
        if alone && found.may_rest {
            return None;
        }
        let included = fours.iter_mut().filter(|four| four.is_included);
        included.zip(contacts).for_each(|(four, solved)| four.contacts.lambda = solved.lambda);
        Some(found.iterations)
    }

    /// Gathers the contacts of the problem, and what couples them.
    #[inline(always)]
    fn gather<A: Real>(&mut self, tree: &Tree) {
        let Self { fours, contacts, star, .. } = self;
        tree.begin_star(star);
        contacts.clear();
        for (k, four) in fours.iter().enumerate() {
            if four.is_included {
                tree.add_four::<A>(k, star);
                contacts.push(four.contacts);
            }
        }
        for (place, four) in fours.iter_mut().filter(|four| four.is_included).enumerate() {
            four.specialize::<A>(place, star);
            four.silence(place, star);
        }
    }

    /// The same of the contacts alone. λ of the convex law is then the [answer](Self::answer).
    #[inline(always)]
    pub(super) fn stays<A: Real>(&mut self, tree: &Tree, formulation: &Formulation) -> bool {
        if !formulation.friction().has_convex() || !tree.shares() {
            return false;
        }
        self.gather::<A>(tree);
        let Self { sides, contacts, star, rooms, accepted, .. } = self;
        let of = problem(star, contacts.len());
        rooms.stays::<A>(of, (friction(formulation, sides), *accepted))
    }

    /// λ of the convex law of all fours, where a solution [stayed](Self::stays) last.
    fn answer(&mut self) -> impl Iterator<Item = &Rows> {
        let Self { star, rooms, contacts, fours, .. } = self;
        let of = problem(star, contacts.len());
        let included = fours.iter().filter(|four| four.is_included);
        for ((contacts, answer), four) in contacts.iter_mut().zip(rooms.answer(of)).zip(included) {
            contacts.lambda = four.without_left_out(*answer);
        }
        let mut found = contacts.iter();
        fours.iter().map(move |four| {
            let of_four = four.is_included.then(|| found.next()).flatten();
            of_four.map_or(&four.contacts.lambda, |contacts| &contacts.lambda)
        })
    }

    /// Makes friction as small as it may be that is [undetermined].
    #[inline(always)]
    fn shorten(&mut self, tree: &Tree, formulation: &Formulation) {
        let (_, by_polygons) = formulation.friction().side_by_side();
        if by_polygons && !self.may_be_still.is_empty() {
            self.shorten_still(tree);
        }
    }

    #[inline(never)]
    fn shorten_still(&mut self, tree: &Tree) {
        for &i in &self.may_be_still {
            let (mobility, across) = tree.mobility(i);
            let still = undetermined::immobile(mobility[0], [mobility[1], across, mobility[2]]);
            let (Some(still), lane) = (still, i % LANES) else { continue };
            let contacts = &mut self.fours[i / LANES].contacts;
            let [normal, x, y] = contacts.lambda.map(|row| row[lane]);
            let size = (contacts.friction[lane] * normal, tree.table().contacts[i].directions);
            let [x, y] = undetermined::shortest([x, y], still, size);
            (contacts.lambda[1][lane], contacts.lambda[2][lane]) = (x, y);
        }
    }
}

/// The problem of so many fours on a star, or on the bodies that carry them.
#[inline(always)]
fn problem(star: &Star, fours: usize) -> Problem<'_> {
    match star.of_hubs() {
        Some(hubs) => Problem::Hubs(hubs),
        None => Problem::Star(star.parts(LANES * fours)),
    }
}

/// The law of contacts of a formulation, with their polygons.
#[inline(always)]
fn friction<'p>(formulation: &Formulation, sides: &'p [Sides]) -> Friction<'p> {
    let (law, by_polygons) = formulation.friction().side_by_side();
    Friction { law, polygons: by_polygons.then_some(sides) }
}
