//! A row that may hold.

use crate::expr::Expr;

/// One row, or one of each lane.
#[derive(Clone, Debug)]
pub(super) struct Row<'g> {
    /// Which rows of the robot it is, one a lane; none in a lane that has no such row.
    pub(super) rows: Vec<Option<usize>>,
    /// Its Jacobian, (nv) of this mechanism.
    pub(super) jacobian: Vec<Expr<'g>>,
    /// 1 where it holds, 0 where it does not.
    pub(super) holds: Expr<'g>,
    /// Whether it may be zero, or close to that, somewhere.
    pub(super) may_vanish: bool,
    /// h of a constraint.
    pub(super) error: Expr<'g>,
    /// What J v̇ is to be.
    pub(super) acceleration: Expr<'g>,
    /// What J (v⁺ − v⁻) is to be in an impact.
    pub(super) rebound: Expr<'g>,
    /// What is added to either.
    pub(super) asked: Expr<'g>,
}

impl<'g> Row<'g> {
    /// How many lanes it has.
    pub(super) fn width(&self) -> usize {
        self.rows.len()
    }

    /// Whether each lane is a row.
    pub(super) fn is_full(&self) -> bool {
        self.rows.iter().all(Option::is_some)
    }

    /// What J v̇ is to be where it holds, and zero where it does not.
    pub(super) fn acceleration(&self) -> Expr<'g> {
        self.holds * (self.acceleration + self.asked)
    }

    /// What J (v⁺ − v⁻) is to be, likewise.
    pub(super) fn rebound(&self) -> Expr<'g> {
        self.holds * (self.rebound + self.asked)
    }

    /// Lanes and the rows that they are.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        self.rows.iter().enumerate().filter_map(|(lane, row)| Some((lane, (*row)?)))
    }

    /// A row for each lane, where coordinates are of these lanes.
    pub(super) fn one_by_one(&self, lanes: &[Vec<usize>]) -> Vec<Self> {
        let zero = self.holds.graph().zero();
        let alone = |(lane, row): (usize, usize)| {
            let entry = |(x, dofs): (&Expr<'g>, &Vec<usize>)| match dofs.len() {
                1 => x.lane(lane),
                width => {
                    let only = |k: usize| if k == lane { x.lane(k) } else { zero };
                    zero.graph().pack(&(0..width).map(only).collect::<Vec<_>>())
                }
            };
            Self {
                rows: vec![Some(row)],
                jacobian: self.jacobian.iter().zip(lanes).map(entry).collect(),
                holds: self.holds.lane(lane),
                may_vanish: self.may_vanish,
                error: self.error.lane(lane),
                acceleration: self.acceleration.lane(lane),
                rebound: self.rebound.lane(lane),
                asked: self.asked.lane(lane),
            }
        };
        self.each().map(alone).collect()
    }
}
