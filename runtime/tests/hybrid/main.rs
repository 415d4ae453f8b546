//! Motion with events against closed forms.

mod automata;
mod bouncing;
mod contact;
mod cycles;
mod derivatives;
mod friction;
mod guards;
mod refusals;
mod wheel;
