//! Motion with events against closed forms.

mod automata;
mod bouncing;
mod refusals;
mod wheel;
