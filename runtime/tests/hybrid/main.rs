//! Motion with events against closed forms.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/linkages.rs"]
mod linkages;
#[path = "../common/numbers.rs"]
#[allow(dead_code, reason = "other tests draw whole numbers")]
mod numbers;

mod automata;
mod bouncing;
mod contact;
mod cycles;
mod derivatives;
mod friction;
mod guards;
mod refusals;
mod singular;
mod wheel;
