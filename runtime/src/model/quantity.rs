//! How a method of a model evaluates its kernel.

use crate::kernel::{Input, Kernel, evaluate};

use super::Model;

/// Quantities that have a type, each with the method that returns it and the one that writes it into
/// what it is given.
macro_rules! pairs {
    ($($(#[$doc:meta])* $name:ident, $into:ident: $kernel:ident($($q:ident $(, $more:ident)*)?) -> $out:ident;)+) => {$(
        $(#[$doc])*
        fn $name(&self $(, $q: &Self::Q $(, $more: &Self::V)*)?) -> Self::$out {
            let mut out = Self::$out::zeros();
            self.$into($($q, $($more,)*)? &mut out);
            out
        }

        #[doc = concat!("[`", stringify!($name), "`](Self::", stringify!($name), "), written into `out`.")]
        fn $into(&self $(, $q: &Self::Q $(, $more: &Self::V)*)?, out: &mut Self::$out) {
            let state = [$($q.as_slice() $(, $more.as_slice())*)?];
            $crate::model::quantity::run::<Self, Self::$kernel, _>(self, state, out.as_mut_slice());
        }
    )+};
}

pub(crate) use pairs;

/// Quantities of contacts and constraints, whose number is no constant of a type: written into slices.
macro_rules! slices {
    ($($(#[$doc:meta])* $into:ident: $kernel:ident(q $(, $v:ident)? $(; $t:ident)?) -> $length:expr;)+) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        ///
        /// If `out` is too short, with both lengths. A longer one keeps what follows.
        #[track_caller]
        fn $into(&self, q: &Self::Q $(, $v: &Self::V)? $(, $t: f64)?, out: &mut [f64]) {
            $crate::slices::check(stringify!($into), "out", out.len(), $length);
            let (state, time) = ([q.as_slice() $(, $v.as_slice())?], [$($t)?]);
            run_at::<Self, Self::$kernel, _>(self, state, &time, out);
        }
    )+};
}

pub(super) use slices;

/// Quantities that are several records of as many numbers each.
macro_rules! records {
    ($($(#[$doc:meta])* $name:ident: $kernel:ident($($q:ident)?) -> $count:expr, $record:ident[$width:literal];)+) => {$(
        $(#[$doc])*
        fn $name(&self $(, $q: &Self::Q)?) -> Vec<$record> {
            let mut flat = vec![f64::NAN; $width * $count];
            run::<Self, Self::$kernel, _>(self, [$($q.as_slice())?], &mut flat);
            flat.chunks_exact($width).map($record::from_slice).collect()
        }
    )+};
}

pub(super) use records;

/// What a kernel reads, from as many of q, v and the acceleration or force as it takes.
pub(super) fn input<'a, const N: usize>(
    fields: &'a [f64],
    state: [&'a [f64]; N],
) -> Input<'a, f64> {
    let [q, v, a] = core::array::from_fn(|k| state.get(k).copied().unwrap_or_default());
    Input { fields, q, v, a, ..Input::default() }
}

/// Evaluates a kernel into `output`.
pub(crate) fn run<M: Model, K: Kernel, const N: usize>(
    model: &M,
    state: [&[f64]; N],
    output: &mut [f64],
) {
    run_at::<M, K, N>(model, state, &[], output);
}

/// Evaluates a kernel at a time, if it reads one.
pub(crate) fn run_at<M: Model, K: Kernel, const N: usize>(
    model: &M,
    state: [&[f64]; N],
    t: &[f64],
    output: &mut [f64],
) {
    model.with_prepared(|prepared| {
        evaluate::<K>(&Input { t, ..input(prepared, state) }, output);
    });
}

/// The value of a kernel that has one.
pub(super) fn number<M: Model, K: Kernel, const N: usize>(model: &M, state: [&[f64]; N]) -> f64 {
    let [value] = numbers::<M, K, N, 1>(model, state);
    value
}

/// The values of a kernel that has so many.
pub(super) fn numbers<M: Model, K: Kernel, const N: usize, const L: usize>(
    model: &M,
    state: [&[f64]; N],
) -> [f64; L] {
    let mut out = [f64::NAN; L];
    run::<M, K, N>(model, state, &mut out);
    out
}
