//! Time stepping without input takes energy and gives none.
//!
//! In each step, with M, f of springs and b of its beginning,
//!
//! > ½ v⁺ᵀ M v⁺ − ½ ṽᵀ M ṽ ≤ h v⁺ᵀ (f − b) + λ φ⁻/h + Λᵀ H v⁺,
//!
//! of which the last terms are zero where no gap is negative and no constraint declared; and over a run T + U rises by no
//! more than c h.

#[path = "../../runtime/tests/common/passivity.rs"]
mod passivity;

mod models;
mod random;
mod rises;
mod run;
