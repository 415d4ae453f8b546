//! Many states in slices, and their way through the registers.

use alloc::vec;
use alloc::vec::Vec;

use crate::kernel::{Input, Kernel, Number};

/// One slice: as many rows as there are states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a, N> {
    pub(super) numbers: &'a [N],
    /// Numbers in a row.
    pub(super) width: usize,
}

impl<N> Default for Rows<'_, N> {
    fn default() -> Self {
        Self { numbers: &[], width: 0 }
    }
}

impl<'a, N: Number> Rows<'a, N> {
    fn split_at(self, row: usize) -> [Self; 2] {
        let (first, second) = self.numbers.split_at(row * self.width);
        [Self { numbers: first, ..self }, Self { numbers: second, ..self }]
    }
}

/// The states that a kernel is evaluated for.
#[derive(Debug)]
pub(super) struct States<'a, N> {
    pub(super) count: usize,
    /// q, v, the acceleration or force, and time; empty if the kernel does not read them.
    pub(super) inputs: [Rows<'a, N>; 4],
    /// Numbers in a row of the output.
    pub(super) width: usize,
    pub(super) output: &'a mut [N],
}

impl<'a, N: Number> States<'a, N> {
    /// The first `count` states, and the others.
    fn split_at(self, count: usize) -> [Self; 2] {
        let (first, second) = self.output.split_at_mut(count * self.width);
        let parts = self.inputs.map(|rows| rows.split_at(count));
        let [before, after] = [0, 1].map(|k| parts.map(|part| part[k]));
        let (rest, width) = (self.count - count, self.width);
        [
            Self { count, inputs: before, width, output: first },
            Self { count: rest, inputs: after, width, output: second },
        ]
    }
}

/// Evaluates a kernel for all states, on one core or on all.
pub(super) fn evaluate<K: Kernel, N: Number>(
    fields: &[f64],
    states: States<'_, N>,
    parallel: bool,
) {
    let fields: Vec<N::Lanes> = fields.iter().map(|&field| Number::nearest(field)).collect();
    match parallel {
        #[cfg(feature = "rayon")]
        true => in_parallel::<K, N>(&fields, states),
        _ => one_after_the_other::<K, N>(&fields, states),
    }
}

/// Halves what is worth a task of its own, at a whole number of registers.
#[cfg(feature = "rayon")]
fn in_parallel<K: Kernel, N: Number>(fields: &[N::Lanes], states: States<'_, N>) {
    const REGISTERS: usize = 16;
    let registers = states.count / N::COUNT;
    if registers <= REGISTERS {
        return one_after_the_other::<K, N>(fields, states);
    }
    let [first, second] = states.split_at(registers / 2 * N::COUNT);
    rayon::join(|| in_parallel::<K, N>(fields, first), || in_parallel::<K, N>(fields, second));
}

fn one_after_the_other<K: Kernel, N: Number>(fields: &[N::Lanes], mut states: States<'_, N>) {
    let zeros = |width: usize| vec![N::Lanes::default(); width];
    let [mut q, mut v, mut a, mut t] = states.inputs.map(|rows| zeros(rows.width));
    let mut output = zeros(states.width);
    while states.count > 0 {
        let count = states.count.min(N::COUNT);
        let [now, later] = states.split_at(count);
        for (lanes, rows) in [&mut q, &mut v, &mut a, &mut t].into_iter().zip(now.inputs) {
            N::pack(rows.numbers, lanes);
        }
        let input = Input { fields, q: &q, v: &v, a: &a, t: &t, ..Input::default() };
        N::Lanes::evaluate::<K>(&input, &mut output);
        N::unpack(&output, now.output);
        states = later;
    }
}
