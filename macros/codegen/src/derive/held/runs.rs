//! Contacts of one body, so many that they are computed in rounds.

use crate::derive::contact_layout::LANES;
use crate::derive::mechanism::Mechanism;
use crate::derive::rounds::Source;
use crate::derive::symbols;
use crate::description::Contact;
use crate::expr::{Expr, Vector3};

use super::spot::Spot;

/// So many spots follow on each other at least: what few take is hardly more code than a loop.
const ROUNDS: usize = 4;

/// Spots of contacts side by side that follow on each other and differ in where they lie alone.
pub(in crate::derive) struct Run<'g> {
    /// The first of them, among all [`LANES`] contacts side by side.
    pub(in crate::derive) first: usize,
    /// How many there are.
    pub(in crate::derive) count: usize,
    /// Where they lie, where that differs: in terms of symbols, and what these stand for.
    pub(in crate::derive) columns: Vec<(Expr<'g>, Source)>,
    /// Where they lie, in these terms.
    position: Vector3<'g>,
}

impl<'g> Mechanism<'g> {
    /// The spots of contacts, of bodies alone side by side, where those of a run lie where its symbols say.
    pub(super) fn spots_in_rounds(&self, contacts: &[&Contact]) -> (Vec<Spot<'g>>, Vec<Run<'g>>) {
        let mut spots = self.spots_side_by_side(contacts, |body| self.originals[body].len() == 1);
        let mut runs = Vec::new();
        for spots in spots.chunk_by_mut(|a, b| follows(contacts, a, b)) {
            if let Some(run) = self.run(runs.len(), spots) {
                spots.iter_mut().for_each(|spot| spot.position = run.position);
                runs.push(run);
            }
        }
        (spots, runs)
    }

    fn run(&self, index: usize, spots: &[Spot<'g>]) -> Option<Run<'g>> {
        if spots.len() < ROUNDS {
            return None;
        }
        let first = spots[0].each[0]? / LANES;
        let places: Vec<_> = spots.iter().map(numbers).collect::<Option<_>>()?;
        let mut position = spots[0].position;
        let mut columns = Vec::new();
        for axis in 0..3 {
            let numbers: Vec<_> = places.iter().map(|place| place[axis]).collect();
            if numbers.iter().any(|x| *x != numbers[0]) {
                position.0[axis] = symbols::of_rounds(self.graph, index, columns.len());
                columns.push((position.0[axis], Source::Table(numbers)));
            }
        }
        (!columns.is_empty()).then_some(Run { first, count: spots.len(), columns, position })
    }
}

/// Whether contacts side by side are those after others, on the same body, and touch the same with the same radius, at places
/// that are known.
fn follows(contacts: &[&Contact], before: &Spot<'_>, spot: &Spot<'_>) -> bool {
    let all = |spot: &Spot<'_>| spot.each.iter().copied().collect::<Option<Vec<usize>>>();
    let (Some(last), Some(these)) = (all(before), all(spot)) else { return false };
    let alike = |&k: &usize| {
        let (contact, first) = (contacts[k], contacts[last[0]]);
        contact.radius == first.radius && contact.surface == first.surface
    };
    let all_alike = last.iter().chain(&these).all(alike);
    let are_known = numbers(before).is_some() && numbers(spot).is_some();
    let side_by_side = last.len() == LANES && before.only.is_some() && spot.only.is_some();
    side_by_side
        && before.body == spot.body
        && last[0] + LANES == these[0]
        && all_alike
        && are_known
}

/// Where contacts side by side lie, if that is known.
fn numbers(spot: &Spot<'_>) -> Option<Vec<[f64; LANES]>> {
    spot.position.0.iter().map(|x| x.numbers()).collect()
}
