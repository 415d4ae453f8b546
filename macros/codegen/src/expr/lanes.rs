//! Values of several lanes.
//!
//! What repeats with other numbers is computed once for all repetitions: a value may have two or
//! four lanes, an operation acts on each lane alike, and a value without lanes is the same in all.
//! Numbers enter a value by [`Graph::pack`] and leave it by [`Expr::lane`] or, summed, by
//! [`Expr::gathered`]. Lanes fold as numbers do:
//!
//! - equal lanes are one number, and lanes taken out and put back in order are what they were;
//! - constants fold lane by lane, and signs of all lanes float out;
//! - sums of lanes meet: Σa + Σb is Σ(a + b), which is gathered once.

use super::graph::{Expr, Graph, Node, NodeId};

impl Graph {
    /// The value whose lanes these numbers are. Two or four lanes make one; any other number of them
    /// is the user's error, and the first stands for all.
    pub fn pack<'g>(&'g self, lanes: &[Expr<'g>]) -> Expr<'g> {
        let first = lanes[0];
        if lanes.iter().all(|&x| x == first) {
            return first;
        }
        if lanes.iter().all(|x| x.is_zero() || x.negated().is_some()) {
            let positive = lanes.iter().map(|x| x.negated().unwrap_or(*x));
            return -self.pack(&positive.collect::<Vec<_>>());
        }
        if let Some(whole) = self.repacked(lanes) {
            return whole;
        }
        match *lanes {
            [a, b] => self.intern(Node::Pair([a.id, b.id])),
            [a, b, c, d] => self.intern(Node::Quad([a.id, b.id, c.id, d.id])),
            _ => first,
        }
    }

    /// The value that these are the lanes of, in their order.
    fn repacked<'g>(&'g self, lanes: &[Expr<'g>]) -> Option<Expr<'g>> {
        let Node::Lane(whole, 0) = lanes[0].node() else {
            return None;
        };
        let in_order = |(k, x): (usize, &Expr<'g>)| x.node() == Node::Lane(whole, k as u8);
        let same = self.width(whole) == lanes.len() && lanes.iter().enumerate().all(in_order);
        same.then(|| self.expr(whole))
    }

    /// Each lane's share of the weight of a packed value.
    pub(super) fn unpacked<'g>(
        &'g self,
        packed: NodeId,
        weight: Expr<'g>,
    ) -> Vec<(NodeId, Expr<'g>)> {
        let node = self.node(packed);
        let lanes = node.packed().unwrap_or_default().iter().enumerate();
        lanes.map(|(k, &id)| (id, weight.lane(k))).collect()
    }
}

impl<'g> Expr<'g> {
    /// One of its lanes. It has that many, or none.
    pub fn lane(self, k: usize) -> Self {
        let node = self.node();
        match node.packed() {
            Some(lanes) => self.graph.expr(lanes[k]),
            None if self.width() == 1 => self,
            None => self.graph.intern(Node::Lane(self.id, k as u8)),
        }
    }

    /// One of its lanes, if one is told.
    pub fn only(self, lane: Option<usize>) -> Self {
        lane.map_or(self, |k| self.lane(k))
    }

    /// The sum over `lanes` lanes, in each of which a value without lanes counts.
    pub fn gathered(self, lanes: usize) -> Self {
        if lanes == 1 {
            return self;
        }
        if self.width() == 1 {
            return self.scaled(lanes as f64);
        }
        match self.node() {
            Node::Neg(a) => -self.graph.expr(a).gathered(lanes),
            node => match node.packed() {
                Some(packed) => packed
                    .iter()
                    .map(|&id| self.graph.expr(id))
                    .fold(self.graph.zero(), |sum, x| sum + x),
                None => self.graph.intern(Node::Sum(self.id)),
            },
        }
    }

    /// The value of `f` on each lane.
    pub(super) fn each(self, f: impl Fn(Self) -> Self) -> Self {
        let lanes: Vec<_> = (0..self.width()).map(|k| f(self.lane(k))).collect();
        self.graph.pack(&lanes)
    }

    /// The result of `f` lane by lane, where both have constants in their lanes.
    pub(super) fn lanewise(self, other: Self, f: impl Fn(Self, Self) -> Self) -> Option<Self> {
        let width = self.width().max(other.width());
        if width == 1 {
            return None;
        }
        self.constants().zip(other.constants())?;
        let lanes: Vec<_> = (0..width).map(|k| f(self.lane(k), other.lane(k))).collect();
        Some(self.graph.pack(&lanes))
    }

    /// self · other, where one is packed of ±1 and the other packed of anything.
    pub(super) fn signed(self, other: Self) -> Option<Self> {
        let packed = |x: Self| x.node().packed().is_some();
        let signs = |x: Self| x.constants().is_some_and(|x| x.iter().all(|x| x.abs() == 1.0));
        if !packed(self) || !packed(other) || !(signs(self) || signs(other)) {
            return None;
        }
        let lanes: Vec<_> = (0..self.width()).map(|k| self.lane(k) * other.lane(k)).collect();
        Some(self.graph.pack(&lanes))
    }

    /// The numbers in K lanes, in each of which a constant without lanes is, if they are constants.
    pub fn numbers<const K: usize>(self) -> Option<[f64; K]> {
        if let Node::Neg(a) = self.node() {
            return self.graph.expr(a).numbers().map(|x: [f64; K]| x.map(|x| -x));
        }
        let numbers = self.constants()?;
        match *numbers {
            [x] => Some([x; K]),
            _ => numbers.try_into().ok(),
        }
    }

    /// The numbers in its lanes, if they are constants.
    pub(super) fn constants(self) -> Option<Vec<f64>> {
        match self.node().packed() {
            Some(lanes) => lanes.iter().map(|&id| self.graph.expr(id).value()).collect(),
            None => self.value().map(|x| vec![x]),
        }
    }

    /// x of Σx, the sum of its lanes.
    fn summed(self) -> Option<Self> {
        match self.node() {
            Node::Sum(a) => Some(self.graph.expr(a)),
            _ => None,
        }
    }

    /// self ± Σ of `lanes`, where self has a sum of as many lanes already.
    fn joined(self, lanes: Self, plus: bool) -> Option<Self> {
        let alike = |x: Self| x.summed().filter(|x| x.width() == lanes.width());
        let gathered = |x: Self| x.gathered(lanes.width());
        let with = |x: Self, plus: bool| if plus { x + lanes } else { x - lanes };
        if let Some(own) = alike(self) {
            return Some(gathered(with(own, plus)));
        }
        let (a, b, added) = match self.node() {
            Node::Add(a, b) => (self.graph.expr(a), self.graph.expr(b), true),
            Node::Sub(a, b) => (self.graph.expr(a), self.graph.expr(b), false),
            _ => return None,
        };
        match (alike(b), alike(a)) {
            (Some(own), _) if added => Some(a + gathered(with(own, plus))),
            (Some(own), _) => Some(a - gathered(with(own, !plus))),
            (None, Some(own)) if added => Some(b + gathered(with(own, plus))),
            (None, Some(own)) => Some(gathered(with(own, plus)) - b),
            (None, None) => None,
        }
    }

    /// self + other, where both have sums of lanes.
    pub(super) fn add_gathered(self, other: Self) -> Option<Self> {
        match (self.summed(), other.summed()) {
            (_, Some(lanes)) => self.joined(lanes, true),
            (Some(lanes), None) => other.joined(lanes, true),
            (None, None) => None,
        }
    }

    /// self − other, where both have sums of lanes.
    pub(super) fn sub_gathered(self, other: Self) -> Option<Self> {
        other.summed().and_then(|lanes| self.joined(lanes, false))
    }
}
