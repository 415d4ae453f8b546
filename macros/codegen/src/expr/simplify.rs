//! Arithmetic on expressions, simplified as it is written.
//!
//! Local rules only, each an identity of real arithmetic:
//!
//! - constants fold; a sum of constants that cancels to below 4 ulp of its larger operand is 0,
//!   and the sine and cosine of a constant within 1e-10 rad of kπ/2 are those of kπ/2 (files write
//!   π/2 as 1.57079632679); nothing else is snapped;
//! - a + b and a · b are ordered, so that b + a is the same node;
//! - signs float out: a constant factor is positive, −x · y is −(x · y), a + −b is a − b;
//! - like terms meet: x + x is 2·x, 3·x − 2·x is x, x − x is 0, (x − y) + y is x;
//! - a difference whose opposite exists already is that one's negative;
//! - lanes follow the rules of `lanes`.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use super::fold::{fold_sin_cos, fold_sum};
use super::graph::{Expr, Node};

impl<'g> Expr<'g> {
    /// The sine.
    pub fn sin(self) -> Self {
        match self.node() {
            Node::Constant(bits) => self.constant(fold_sin_cos(f64::from_bits(bits)).0),
            Node::Neg(a) => -self.graph.expr(a).sin(),
            _ if self.width() > 1 => self.each(Self::sin),
            _ => self.graph.intern(Node::Sin(self.id)),
        }
    }

    /// The cosine.
    pub fn cos(self) -> Self {
        match self.node() {
            Node::Constant(bits) => self.constant(fold_sin_cos(f64::from_bits(bits)).1),
            Node::Neg(a) => self.graph.expr(a).cos(),
            _ if self.width() > 1 => self.each(Self::cos),
            _ => self.graph.intern(Node::Cos(self.id)),
        }
    }

    /// The square root.
    pub fn sqrt(self) -> Self {
        match self.value() {
            Some(x) if x >= 0.0 => self.constant(x.sqrt()),
            _ => self.graph.intern(Node::Sqrt(self.id)),
        }
    }

    /// x².
    pub fn squared(self) -> Self {
        self * self
    }

    fn constant(self, x: f64) -> Self {
        self.graph.constant(x)
    }

    /// The factors c and t of c · t, where c is a constant.
    fn coefficient(self) -> (f64, Self) {
        match self.node() {
            Node::Neg(a) => {
                let (c, t) = self.graph.expr(a).coefficient();
                (-c, t)
            }
            Node::Mul(a, b) => {
                let (a, b) = (self.graph.expr(a), self.graph.expr(b));
                match (a.value(), b.value()) {
                    (Some(c), _) => (c, b),
                    (_, Some(c)) => (c, a),
                    _ => (1.0, self),
                }
            }
            _ => (1.0, self),
        }
    }

    /// x for −x.
    pub(super) fn negated(self) -> Option<Self> {
        match self.node() {
            Node::Neg(a) => Some(self.graph.expr(a)),
            Node::Constant(bits) if f64::from_bits(bits) < 0.0 => {
                Some(self.constant(-f64::from_bits(bits)))
            }
            _ => None,
        }
    }

    /// a and b of a − b.
    fn difference(self) -> Option<(Self, Self)> {
        match self.node() {
            Node::Sub(a, b) => Some((self.graph.expr(a), self.graph.expr(b))),
            _ => None,
        }
    }

    /// a and b of a + b.
    fn sum(self) -> Option<(Self, Self)> {
        match self.node() {
            Node::Add(a, b) => Some((self.graph.expr(a), self.graph.expr(b))),
            _ => None,
        }
    }

    /// c · self for a constant c, which is not folded into self yet.
    pub(super) fn scaled(self, c: f64) -> Self {
        if c == 0.0 {
            return self.constant(0.0);
        }
        if c < 0.0 {
            return -self.scaled(-c);
        }
        if let Some(x) = self.negated() {
            return -x.scaled(c);
        }
        if let Some(x) = self.value() {
            return self.constant(c * x);
        }
        if self.width() > 1 && self.constants().is_some() {
            return self.each(|x| x.scaled(c));
        }
        let (inner, term) = self.coefficient();
        let (c, term) = match c * inner {
            product if product.is_normal() => (product, term),
            _ => (c, self),
        };
        if c == 1.0 {
            return term;
        }
        let factor = self.constant(c);
        self.graph.intern(Node::Mul(factor.id.min(term.id), factor.id.max(term.id)))
    }
}

impl<'g> Neg for Expr<'g> {
    type Output = Self;

    fn neg(self) -> Self {
        match self.node() {
            Node::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Node::Neg(a) => self.graph.expr(a),
            Node::Sub(a, b) => {
                let opposite = self.graph.find(Node::Sub(b, a));
                opposite.unwrap_or_else(|| self.graph.intern(Node::Neg(self.id)))
            }
            _ => self.graph.intern(Node::Neg(self.id)),
        }
    }
}

impl<'g> Add for Expr<'g> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (a, b) = if self.id <= other.id { (self, other) } else { (other, self) };
        match (a.value(), b.value()) {
            (Some(x), Some(y)) => return a.constant(fold_sum(x, y)),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        let ((x, s), (y, t)) = (a.coefficient(), b.coefficient());
        if s == t {
            return s.scaled(fold_sum(x, y));
        }
        match (a.negated(), b.negated()) {
            (Some(x), Some(y)) => return -(x + y),
            (Some(x), None) => return b - x,
            (None, Some(y)) => return a - y,
            (None, None) => {}
        }
        match (a.difference(), b.difference()) {
            (Some((x, y)), _) if y == b => x,
            (_, Some((x, y))) if y == a => x,
            _ => (a.lanewise(b, Add::add).or_else(|| a.add_gathered(b)))
                .unwrap_or_else(|| a.graph.intern(Node::Add(a.id, b.id))),
        }
    }
}

impl<'g> Sub for Expr<'g> {
    type Output = Self;

    fn sub(self, b: Self) -> Self {
        let a = self;
        match (a.value(), b.value()) {
            (Some(x), Some(y)) => return a.constant(fold_sum(x, -y)),
            (Some(0.0), _) => return -b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        let ((x, s), (y, t)) = (a.coefficient(), b.coefficient());
        if s == t {
            return s.scaled(fold_sum(x, -y));
        }
        match (a.negated(), b.negated()) {
            (Some(x), Some(y)) => return y - x,
            (Some(x), None) => return -(x + b),
            (None, Some(y)) => return a + y,
            (None, None) => {}
        }
        if let Some((x, y)) = a.sum()
            && (x == b || y == b)
        {
            return if x == b { y } else { x };
        }
        if let Some((x, y)) = b.sum()
            && (x == a || y == a)
        {
            return if x == a { -y } else { -x };
        }
        match (a.difference(), b.difference()) {
            (Some((x, y)), _) if x == b => return -y,
            (_, Some((x, y))) if x == a => return y,
            _ => {}
        }
        if let Some(lanes) = a.lanewise(b, Sub::sub).or_else(|| a.sub_gathered(b)) {
            return lanes;
        }
        match a.graph.find(Node::Sub(b.id, a.id)) {
            Some(opposite) => a.graph.intern(Node::Neg(opposite.id)),
            None => a.graph.intern(Node::Sub(a.id, b.id)),
        }
    }
}

impl<'g> Mul for Expr<'g> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (a, b) = if self.id <= other.id { (self, other) } else { (other, self) };
        match (a.value(), b.value()) {
            (Some(x), Some(y)) => return a.constant(x * y),
            (Some(x), None) => return b.scaled(x),
            (None, Some(y)) => return a.scaled(y),
            (None, None) => {}
        }
        match (a.negated(), b.negated()) {
            (Some(x), Some(y)) => x * y,
            (Some(x), None) => -(x * b),
            (None, Some(y)) => -(a * y),
            (None, None) => a
                .lanewise(b, Mul::mul)
                .or_else(|| a.signed(b))
                .unwrap_or_else(|| a.graph.intern(Node::Mul(a.id, b.id))),
        }
    }
}

impl<'g> Div for Expr<'g> {
    type Output = Self;

    fn div(self, b: Self) -> Self {
        let a = self;
        match (a.value(), b.value()) {
            (Some(x), Some(y)) => return a.constant(x / y),
            (Some(0.0), _) => return a,
            (_, Some(y)) if y.recip().is_normal() => return a.scaled(y.recip()),
            _ => {}
        }
        if a == b {
            return a.graph.one();
        }
        match (a.negated(), b.negated()) {
            (Some(x), Some(y)) => x / y,
            (Some(x), None) => -(x / b),
            (None, Some(y)) => -(a / y),
            (None, None) => {
                a.lanewise(b, Div::div).unwrap_or_else(|| a.graph.intern(Node::Div(a.id, b.id)))
            }
        }
    }
}

impl AddAssign for Expr<'_> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Expr<'_> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<'g> Mul<Expr<'g>> for f64 {
    type Output = Expr<'g>;

    fn mul(self, x: Expr<'g>) -> Expr<'g> {
        x * x.graph.constant(self)
    }
}
