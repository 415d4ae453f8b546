//! How the numbers of [contact dynamics](super::contact_dynamics) are arranged, and what is made of them.
//!
//! > α, D⁻¹, b; of each coordinate its row of L beside the diagonal; its row of M + δ up to the diagonal; contacts
//!
//! Rows of L and M of coordinates that correspond in alike limbs lie side by side, as numbers of four contacts do: what is
//! made of them takes one operation for two or four. The arrangement is that of the description, whatever form the numbers
//! are derived in.

use std::iter::successors;

use crate::expr::{Expr, Graph};

use super::contact_layout::{COLUMNS, LANES, WIDTH};
use super::contact_patches::Patch;
use super::held::Hub;
use super::mechanism::Mechanism;
use super::rounds::Rounds;
use super::symbols;

/// What the arrangement depends on.
#[derive(Clone, Debug)]
pub struct Arrangement {
    /// For each coordinate the one before it on the way to the root.
    pub parents: Vec<Option<usize>>,
    /// The coordinates that lie side by side, those of limbs that are folded together, or one alone; each after those that
    /// it hangs on, which are single ones, or lie side by side in the same order.
    pub alike: Vec<Vec<usize>>,
    /// Of each contact the coordinates that move it, from the root to the outermost.
    pub coordinates: Vec<Vec<usize>>,
    /// The bodies that are solved for.
    pub hubs: Vec<Hub>,
}

impl Mechanism<'_> {
    /// None for a robot without contacts, or whose coordinates form no tree.
    pub fn arrangement(&self) -> Option<Arrangement> {
        let (parents, coordinates) = (self.coordinate_parents(), self.contact_coordinates());
        if parents.is_empty() || coordinates.is_empty() {
            return None;
        }
        let hubs = self.contact_hubs(&coordinates);
        let mut alike = self.folded().map_or_else(|| self.lanes.clone(), |folded| folded.lanes);
        alike.sort_unstable();
        Some(Arrangement { parents, alike, coordinates, hubs })
    }
}

impl Arrangement {
    /// The coordinates that `k` hangs on, from the root on.
    pub fn ancestors(&self, k: usize) -> Vec<usize> {
        let mut ancestors: Vec<_> = successors(self.parents[k], |&i| self.parents[i]).collect();
        ancestors.reverse();
        ancestors
    }

    /// Visits the entries of rows of L, and of the diagonal if `with_diagonal`, as they are arranged: coordinates of row and
    /// column.
    pub(super) fn each_entry(&self, with_diagonal: bool, mut visit: impl FnMut(usize, usize)) {
        for of in &self.alike {
            let columns = |&k: &usize| [self.ancestors(k), vec![k]].concat();
            let rows: Vec<_> = of.iter().map(columns).collect();
            for column in 0..rows[0].len() - usize::from(!with_diagonal) {
                of.iter().zip(&rows).for_each(|(&k, row)| visit(k, row[column]));
            }
        }
    }

    /// Of a vector of coordinates, the values of those that lie side by side.
    pub(super) fn vector<'g>(&self, entry: impl Fn(usize) -> Expr<'g>) -> Vector<'g> {
        let beside = |of: &Vec<usize>| {
            let lanes: Vec<_> = of.iter().map(|&i| entry(i)).collect();
            lanes[0].graph().pack(&lanes)
        };
        self.alike.iter().map(beside).collect()
    }

    /// The entry of such a vector at a coordinate.
    pub(super) fn entry<'g>(&self, vector: &Vector<'g>, i: usize) -> Expr<'g> {
        let (group, lane) = self.place(i);
        vector[group].lane(lane)
    }

    /// Of four contacts side by side, the coordinates of a column; `None` where one has no such column.
    pub(super) fn of_column(&self, four: usize, column: usize) -> Vec<Option<usize>> {
        let contacts = self.coordinates[LANES * four..].iter().take(LANES);
        contacts.map(|of| of.get(column).copied()).collect()
    }

    /// Where a coordinate is: among those that lie side by side, and in which lane.
    fn place(&self, i: usize) -> (usize, usize) {
        let found = self.alike.iter().enumerate().find_map(|(group, of)| {
            of.iter().position(|&other| other == i).map(|lane| (group, lane))
        });
        found.unwrap_or_default()
    }

    /// Those that lie side by side and are these, in this order.
    fn position(&self, coordinates: &[usize]) -> Option<usize> {
        self.alike.iter().position(|of| of == coordinates)
    }

    /// The body that carries four contacts.
    pub(super) fn hub(&self, four: usize) -> Option<usize> {
        self.hubs.iter().position(|hub| hub.contacts.contains(&(LANES * four)))
    }

    /// The coordinates that move a body.
    pub(super) fn of_hub(&self, hub: &Hub) -> &[usize] {
        &self.coordinates[hub.contacts[0]]
    }
}

/// A vector of coordinates, an entry for those that lie side by side.
pub(super) type Vector<'g> = Vec<Expr<'g>>;

/// A sum of such vectors.
pub(super) struct Sum<'a, 'g> {
    arrangement: &'a Arrangement,
    /// What is added to all that lie side by side.
    whole: Vector<'g>,
    /// What is added to single coordinates.
    single: Vec<Expr<'g>>,
}

impl<'a, 'g> Sum<'a, 'g> {
    /// From this vector, coordinate by coordinate.
    pub(super) fn new(arrangement: &'a Arrangement, start: Vec<Expr<'g>>) -> Self {
        let whole = arrangement.vector(|i| start[i].graph().zero());
        Self { arrangement, whole, single: start }
    }

    /// Adds what a coordinate gets.
    pub(super) fn add_one(&mut self, i: usize, x: Expr<'g>) {
        self.single[i] += x;
    }

    /// Adds what coordinates get, each in its lane of `x`; one that is in all lanes gets their sum.
    pub(super) fn add(&mut self, coordinates: &[Option<usize>], x: Expr<'g>) {
        let all: Option<Vec<_>> = coordinates.iter().copied().collect();
        let all = all.unwrap_or_default();
        if all.len() == LANES && all.iter().all(|i| *i == all[0]) {
            self.single[all[0]] += x.gathered(LANES);
        } else if let Some(group) = self.arrangement.position(&all) {
            let lanes: Vec<_> = (0..coordinates.len()).map(|lane| x.lane(lane)).collect();
            self.whole[group] += x.graph().pack(&lanes);
        } else {
            let lanes = coordinates.iter().enumerate();
            for (lane, i) in lanes.filter_map(|(lane, &i)| Some((lane, i?))) {
                self.single[i] += x.lane(lane);
            }
        }
    }

    /// What they are together.
    pub(super) fn finish(self) -> Vector<'g> {
        let single = self.arrangement.vector(|i| self.single[i]);
        single.into_iter().zip(self.whole).map(|(single, whole)| single + whole).collect()
    }
}

/// The numbers, as symbols.
pub(super) struct Numbers<'a, 'g> {
    pub(super) graph: &'g Graph,
    pub(super) arrangement: &'a Arrangement,
    /// D⁻¹.
    pub(super) inverse: Vector<'g>,
    /// Of each row of L the entries beside its diagonal.
    pub(super) rows: Vec<Vec<(usize, Expr<'g>)>>,
    /// Of each row of M + δ the entries up to its diagonal.
    pub(super) mass: Vec<Vec<(usize, Expr<'g>)>>,
    /// Of each four contacts the columns of Y, or of X where bodies carry them; none of those that are read in rounds.
    pub(super) fours: Vec<Vec<[Expr<'g>; 3]>>,
    /// Those.
    pub(super) patches: Vec<Patch<'g>>,
    /// Of each body the columns of Y.
    pub(super) hubs: Vec<Vec<[Expr<'g>; WIDTH]>>,
}

impl<'a, 'g> Numbers<'a, 'g> {
    /// Of those that the kernel writes, constants need not be read.
    pub(super) fn new(
        graph: &'g Graph,
        arrangement: &'a Arrangement,
        (written, rounds): (&'a [Expr<'g>], &[Rounds<'g>]),
    ) -> Self {
        let Arrangement { parents, alike, coordinates, hubs } = arrangement;
        let nv = parents.len();
        let mut reader = Reader { graph, written, next: 3 * nv };
        let inverse = arrangement.vector(|i| reader.number(nv + i));
        let mut row = |group: &Vec<usize>, last: &[usize]| -> Vec<_> {
            let columns = [&arrangement.ancestors(group[0]), last].concat();
            columns.iter().map(|&i| (arrangement.place(i).0, reader.beside(group.len()))).collect()
        };
        let rows = alike.iter().map(|group| row(group, &[])).collect();
        let mass = alike.iter().map(|group| row(group, &group[..1])).collect();
        let (mut fours, mut patches) = (Vec::new(), Vec::new());
        for four in coordinates.chunks(LANES) {
            let first = reader.next;
            reader.next += LANES * COLUMNS;
            if !hubs.is_empty() {
                continue;
            }
            let columns = reader.columns(four.iter().map(Vec::len).max().unwrap_or(0));
            match rounds.iter().find(|of| of.all_outputs().contains(&first)) {
                None => fours.push(columns),
                Some(of) => {
                    if of.outputs.contains(&first) {
                        patches.push(Patch::new(fours.len(), columns, of));
                    }
                    fours.push(Vec::new());
                }
            }
        }
        let mut of_hub = |hub: &Hub| -> Vec<_> {
            let columns = arrangement.of_hub(hub).iter();
            columns.map(|_| [0; WIDTH].map(|_| reader.beside(1))).collect()
        };
        let hubs: Vec<_> = hubs.iter().map(&mut of_hub).collect();
        if !hubs.is_empty() {
            fours.extend(coordinates.chunks(LANES).map(|_| reader.columns(WIDTH)));
        }
        Self { graph, arrangement, inverse, rows, mass, fours, patches, hubs }
    }
}

/// Reads one number after the other.
struct Reader<'a, 'g> {
    graph: &'g Graph,
    written: &'a [Expr<'g>],
    next: usize,
}

impl<'g> Reader<'_, 'g> {
    /// One of them.
    fn number(&self, k: usize) -> Expr<'g> {
        match self.written[k].value() {
            Some(value) => self.graph.constant(value),
            None => self.graph.symbol(symbols::HOLDS, k),
        }
    }

    /// So many, side by side.
    fn beside(&mut self, lanes: usize) -> Expr<'g> {
        let numbers = self.next..self.next + lanes;
        self.next = numbers.end;
        let numbers: Vec<_> = numbers.map(|k| self.number(k)).collect();
        self.graph.pack(&numbers)
    }

    /// So many columns of three rows, for four contacts.
    fn columns(&mut self, count: usize) -> Vec<[Expr<'g>; 3]> {
        (0..count).map(|_| [0; 3].map(|_| self.beside(LANES))).collect()
    }
}
