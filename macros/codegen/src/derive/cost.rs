//! A model of the machine, which decides between forms of the same quantity.

use crate::expr::Operations;

/// What a division or square root costs, in additions.
const DIVISION: f64 = 6.0;
/// What a sine or cosine costs, all being computed at once in vectors, in additions.
const TURN: f64 = 5.0;
/// What the contraction of a product and a sum to one operation saves, in additions. It is one
/// operation, but in long sums each waits for the one before: the forward dynamics of a Solo12 by
/// articulated bodies, with 2 % more operations after contraction and 8 % fewer before, takes 10 %
/// less time than by factorisation.
const CONTRACTION: f64 = 0.5;
/// Bytes of code of one operation.
const BYTES: f64 = 8.5;
/// Bytes of code that the processor keeps at hand.
const CACHE: f64 = 30e3;
/// What it takes to fetch one more byte, in additions: 16 ns a kilobyte, at 10 additions a
/// nanosecond.
const FETCH: f64 = 0.16;

/// What it takes to compute `outputs` numbers, in additions: operations, of which contraction to
/// multiply-adds saves a part, numbers to move and to store, and code beyond what the processor keeps
/// at hand.
pub(super) fn cost(count: &Operations, outputs: usize) -> f64 {
    let simple = count.additions + count.multiplications + count.moves + outputs;
    let slow = count.divisions + count.roots;
    let [simple, slow, turns, contracted] =
        [simple, slow, count.trigonometric, count.contractions].map(|n| n as f64);
    let excess = BYTES * (simple - contracted + slow) - CACHE;
    simple - CONTRACTION * contracted + DIVISION * slow + TURN * turns + FETCH * excess.max(0.0)
}
