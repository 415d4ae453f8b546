//! Nodes, their arena, and the handle that arithmetic is written with.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasherDefault;

use super::hash::Mix;

/// A place in the arena; operands come before the nodes that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Its place as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable, known by its set and its place in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// Which set of variables.
    pub set: u8,
    /// Which of them.
    pub index: u32,
}

/// An operation on earlier nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The bits of an `f64`; never −0.
    Constant(u64),
    /// A variable.
    Symbol(Symbol),
    /// a + b, a made before b.
    Add(NodeId, NodeId),
    /// a − b.
    Sub(NodeId, NodeId),
    /// a · b, a made before b; a constant factor is positive.
    Mul(NodeId, NodeId),
    /// a / b.
    Div(NodeId, NodeId),
    /// −a.
    Neg(NodeId),
    /// sin a.
    Sin(NodeId),
    /// cos a.
    Cos(NodeId),
    /// √a.
    Sqrt(NodeId),
    /// Two numbers as the lanes of one value.
    Pair([NodeId; 2]),
    /// Four numbers as the lanes of one value.
    Quad([NodeId; 4]),
    /// One lane of a.
    Lane(NodeId, u8),
    /// The sum of the lanes of a.
    Sum(NodeId),
}

impl Node {
    /// The nodes that this one uses.
    pub fn operands(self) -> impl Iterator<Item = NodeId> {
        let mut list = [None; 4];
        match self {
            Node::Constant(_) | Node::Symbol(_) => {}
            Node::Neg(a) | Node::Sin(a) | Node::Cos(a) | Node::Sqrt(a) => list[0] = Some(a),
            Node::Lane(a, _) | Node::Sum(a) => list[0] = Some(a),
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) | Node::Div(a, b) => {
                list[..2].copy_from_slice(&[Some(a), Some(b)]);
            }
            Node::Pair(lanes) => list[..2].copy_from_slice(&lanes.map(Some)),
            Node::Quad(lanes) => list = lanes.map(Some),
        }
        list.into_iter().flatten()
    }

    /// The nodes that are its lanes, if it is made of lanes.
    pub fn packed(&self) -> Option<&[NodeId]> {
        match self {
            Node::Pair(lanes) => Some(lanes),
            Node::Quad(lanes) => Some(lanes),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Arena {
    nodes: Vec<Node>,
    /// How many lanes each node has.
    widths: Vec<u8>,
    index: HashMap<Node, NodeId, BuildHasherDefault<Mix>>,
}

/// An arena of nodes. It only grows; dropping it frees all.
#[derive(Default)]
pub struct Graph {
    arena: RefCell<Arena>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// The variable of this set and index.
    pub fn symbol(&self, set: u8, index: usize) -> Expr<'_> {
        self.intern(Node::Symbol(Symbol { set, index: index as u32 }))
    }

    /// The constant `x`.
    pub fn constant(&self, x: f64) -> Expr<'_> {
        let positive_zero = if x == 0.0 { 0.0 } else { x };
        self.intern(Node::Constant(positive_zero.to_bits()))
    }

    /// Zero.
    pub fn zero(&self) -> Expr<'_> {
        self.constant(0.0)
    }

    /// One.
    pub fn one(&self) -> Expr<'_> {
        self.constant(1.0)
    }

    /// Number of nodes made so far.
    pub fn len(&self) -> usize {
        self.arena.borrow().nodes.len()
    }

    /// Whether nothing was made yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node at `id`.
    pub fn node(&self, id: NodeId) -> Node {
        self.arena.borrow().nodes[id.index()]
    }

    /// How many lanes the node at `id` has: 1, 2 or 4.
    pub fn width(&self, id: NodeId) -> usize {
        usize::from(self.arena.borrow().widths[id.index()])
    }

    /// The handle of `id`.
    pub fn expr(&self, id: NodeId) -> Expr<'_> {
        Expr { graph: self, id }
    }

    /// Every node that `outputs` need, operands first.
    pub fn reachable(&self, outputs: &[Expr<'_>]) -> Vec<NodeId> {
        let arena = self.arena.borrow();
        let mut seen = vec![false; arena.nodes.len()];
        let mut found = Vec::new();
        let mut open: Vec<NodeId> = outputs.iter().map(|output| output.id).collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
                open.extend(arena.nodes[id.index()].operands());
            }
        }
        found.sort_unstable();
        found
    }

    pub(super) fn intern(&self, node: Node) -> Expr<'_> {
        let mut arena = self.arena.borrow_mut();
        if let Some(&id) = arena.index.get(&node) {
            return Expr { graph: self, id };
        }
        let id = NodeId(arena.nodes.len() as u32);
        let width = match node {
            Node::Pair(_) => 2,
            Node::Quad(_) => 4,
            Node::Lane(..) | Node::Sum(_) => 1,
            _ => node.operands().map(|id| arena.widths[id.index()]).max().unwrap_or(1),
        };
        arena.nodes.push(node);
        arena.widths.push(width);
        arena.index.insert(node, id);
        Expr { graph: self, id }
    }

    pub(super) fn find(&self, node: Node) -> Option<Expr<'_>> {
        self.arena.borrow().index.get(&node).map(|&id| Expr { graph: self, id })
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} nodes)", self.len())
    }
}

/// A node of a graph, with the arithmetic of a number. Two handles of one graph are equal exactly
/// when they are the same node.
#[derive(Clone, Copy)]
pub struct Expr<'g> {
    pub(super) graph: &'g Graph,
    pub(super) id: NodeId,
}

impl<'g> Expr<'g> {
    /// The graph that it belongs to.
    pub fn graph(self) -> &'g Graph {
        self.graph
    }

    /// Its place in the graph.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// How many lanes it has: 1, 2 or 4.
    pub fn width(self) -> usize {
        self.graph.width(self.id)
    }

    /// Its node.
    pub fn node(self) -> Node {
        self.graph.node(self.id)
    }

    /// Its value, if it is a constant.
    pub fn value(self) -> Option<f64> {
        match self.node() {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The variable, if it is one.
    pub fn as_symbol(self) -> Option<Symbol> {
        match self.node() {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Whether it is the constant zero.
    pub fn is_zero(self) -> bool {
        self.value() == Some(0.0)
    }
}

impl PartialEq for Expr<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.graph, other.graph)
    }
}

impl Eq for Expr<'_> {}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |id| self.graph.expr(id);
        match self.node() {
            Node::Constant(bits) => write!(f, "{:?}", f64::from_bits(bits)),
            Node::Symbol(s) => write!(f, "x{}_{}", s.set, s.index),
            Node::Add(a, b) => write!(f, "({:?} + {:?})", name(a), name(b)),
            Node::Sub(a, b) => write!(f, "({:?} - {:?})", name(a), name(b)),
            Node::Mul(a, b) => write!(f, "{:?}*{:?}", name(a), name(b)),
            Node::Div(a, b) => write!(f, "{:?}/{:?}", name(a), name(b)),
            Node::Neg(a) => write!(f, "-{:?}", name(a)),
            Node::Sin(a) => write!(f, "sin({:?})", name(a)),
            Node::Cos(a) => write!(f, "cos({:?})", name(a)),
            Node::Sqrt(a) => write!(f, "sqrt({:?})", name(a)),
            Node::Pair(lanes) => f.debug_list().entries(lanes.map(name)).finish(),
            Node::Quad(lanes) => f.debug_list().entries(lanes.map(name)).finish(),
            Node::Lane(a, k) => write!(f, "{:?}[{k}]", name(a)),
            Node::Sum(a) => write!(f, "sum({:?})", name(a)),
        }
    }
}
