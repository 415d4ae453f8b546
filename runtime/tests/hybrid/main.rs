//! Motion with events against closed forms.

mod automata;
mod bouncing;
mod cycles;
mod derivatives;
mod friction;
mod guards;
mod refusals;
mod wheel;
