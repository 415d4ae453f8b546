//! Forces that rows leave undetermined, shared out within their cones.
//!
//! With λ₀ of the rows that hold and an orthonormal basis N of what changes nothing along them, friction of what slides
//! included ([`held`](super::held)), and the cones K of λ_n ≥ 0 and ‖λ_t‖ ≤ μ λ_n, forces are
//!
//! > λ = λ₀ + N y,  min ½ ‖y‖²  with  λ ∈ K,
//!
//! the nearest to λ₀ that what touches can exert: they are λ₀ itself where that is possible, and follow the state without a
//! jump. With multipliers z of the dual cone, y = Nᵀ z and
//!
//! > λ = N Nᵀ z + λ₀ ∈ K,  z ∈ K*,  λᵀ z = 0
//!
//! is a convex problem with friction cones ([`cone`]), whose coefficients are 1/μ, K* being the cone of these. Where no λ is
//! in K, z has no bounds; so a few problems follow one another in which it is drawn to the last z, which are regular, and
//! whose λ tend to what is asked for, or to what is least outside of K.
//!
//! How near that is says the least t that normals lack of a reserve c, N,
//!
//! > min ½ t² + ½ ‖y − y′‖² / κ  with  λ₀ + N y + (t − c) e ∈ K,
//!
//! e being one along normals, and y′ the last y: c − t is positive where all holds, and falls through zero where something
//! gives way. What that is has the multipliers: its force is at the edge of its cone, however forces are shared. This z is
//! drawn to the last one too, since its matrix has no more than the rank of N and e.
//!
//! # Source
//!
//! Moreau: Décomposition orthogonale d'un espace hilbertien selon deux cônes mutuellement polaires (1962); Rockafellar:
//! Monotone Operators and the Proximal Point Algorithm (1976).

use alloc::vec;
use alloc::vec::Vec;

use super::machine::Machine;
use super::mode::Mode;
use super::rows::Bearing;
use crate::cone::{self, Block, Law, Matrix, Settings};
use crate::kkt::Held;
use crate::slices::{add, copy, largest, sqrt, zeros};

/// By the largest force: what is left to the solver.
const TOLERANCE: f64 = 1e-12;
/// How much multipliers are drawn to the last ones, and how often: what is left is the power of one to the other.
const DAMPING: f64 = 1e-4;
const TIMES: usize = 4;
/// The reserve, by the largest normal force.
const RESERVE: f64 = 0.01;
/// κ, by which forces are rather shared than normals raised, how often at most, and what of t that changes in the end.
const STIFFNESS: f64 = 1e3;
const MOST: usize = 8;
const SETTLED: f64 = 1e-13;
/// Multipliers, by the largest, of what does not give way.
const NO_SHARE: f64 = 1e-6;
/// What of a part's rows there is in N if its forces are determined.
const DETERMINED: f64 = 1e-6;

/// A problem and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    /// The parts whose forces are undetermined, each with its first row here, and its friction.
    taking: Vec<(Bearing, usize, f64)>,
    blocks: Vec<Block>,
    /// λ₀.
    forces: Vec<f64>,
    /// N, or √κ N and e, row by row, and the damping.
    basis: Vec<f64>,
    damping: Vec<f64>,
    /// What forces are without those of multipliers, and b.
    offset: Vec<f64>,
    b: Vec<f64>,
    /// z.
    multipliers: Vec<f64>,
    lambda: Vec<f64>,
    workspace: cone::Workspace,
}

impl Share {
    /// Takes the forces of parts.
    fn set(&mut self, held: &Held, parts: impl Iterator<Item = (Bearing, f64)>) {
        let Self { taking, blocks, forces, .. } = self;
        taking.clear();
        blocks.clear();
        forces.clear();
        for (bearing, friction) in parts {
            taking.push((bearing, forces.len(), friction));
            forces.extend_from_slice(&held.lambda[bearing.row..=bearing.row + bearing.tangents]);
            blocks.push(match bearing.tangents {
                0 => Block::Row { lower: 0.0, upper: f64::INFINITY },
                tangents => {
                    // Nothing moves along tangents that are not there, so that they have no force.
                    forces.resize(forces.len() + 2 - tangents, 0.0);
                    Block::Contact { friction: 1.0 / friction, torsion: None }
                }
            });
        }
    }

    /// Writes Y = (factor N, e · lift), row by row.
    fn set_basis(&mut self, held: &Held, factor: f64, lift: Option<f64>) {
        let m = held.count();
        let Self { taking, forces, basis, .. } = self;
        let width = held.balanced.len() / m + usize::from(lift.is_some());
        let basis = zeros(basis, forces.len() * width);
        for (bearing, row, _) in taking {
            for k in 0..=bearing.tangents {
                let entries = &mut basis[(*row + k) * width..][..width];
                for (entry, column) in entries.iter_mut().zip(held.balanced.chunks_exact(m)) {
                    *entry = factor * column[bearing.row + k];
                }
            }
            if let Some(lift) = lift {
                basis[*row * width + width - 1] = lift;
            }
        }
    }

    /// Solves for the multipliers, drawn to the last ones; whether they were found.
    fn solve(&mut self) -> bool {
        let Self { blocks, basis, damping: all, offset, b, multipliers, workspace, .. } = self;
        add(copy(b, offset), -DAMPING, multipliers);
        zeros(all, b.len()).fill(DAMPING);
        let problem = cone::Problem {
            matrix: Matrix::Factor { rows: basis, damping: all },
            b,
            blocks,
            law: Law::Convex,
        };
        let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
        workspace.start(multipliers);
        let solution = cone::attempt(&problem, &settings, workspace);
        let is_solved = matches!(solution, Ok(Some(_)));
        if let Ok(Some(solution)) = solution {
            copy(multipliers, solution.z);
        }
        is_solved
    }

    /// Adds Y y of the first columns, so many, with y = Yᵀ z, to forces of the same rows.
    fn shift(&mut self, columns: usize, width: usize) {
        let Self { basis, multipliers, offset, .. } = self;
        for k in 0..columns {
            let rows = || basis.chunks_exact(width);
            let y: f64 = rows().zip(&*multipliers).map(|(row, z)| row[k] * z).sum();
            offset.iter_mut().zip(rows()).for_each(|(force, row)| *force += row[k] * y);
        }
    }

    /// The forces of all rows within their cones; none if they are not found.
    fn admit(&mut self, held: &Held) -> Option<&[f64]> {
        let (m, width) = (held.count(), held.balanced.len() / held.count());
        self.set_basis(held, 1.0, None);
        zeros(&mut self.multipliers, self.forces.len());
        copy(&mut self.offset, &self.forces);
        for _ in 0..TIMES {
            if !self.solve() {
                return None;
            }
        }
        let Self { basis, multipliers, lambda, .. } = self;
        copy(lambda, &held.lambda);
        for (k, column) in held.balanced.chunks_exact(m).enumerate() {
            let entries = basis.chunks_exact(width).zip(&*multipliers);
            add(lambda, entries.map(|(row, z)| row[k] * z).sum(), column);
        }
        Some(lambda)
    }

    /// c − t, N, of the reserve c; NaN if it is not found.
    fn reserved(&mut self, held: &Held, reserve: f64) -> f64 {
        zeros(&mut self.multipliers, self.forces.len());
        let columns = held.balanced.len() / held.count();
        self.set_basis(held, sqrt(STIFFNESS), Some(1.0));
        copy(&mut self.offset, &self.forces);
        self.taking.iter().for_each(|(_, row, _)| self.offset[*row] -= reserve);
        let mut lack = f64::INFINITY;
        for _ in 0..MOST {
            if !self.solve() {
                return f64::NAN;
            }
            let before = lack;
            lack = self.taking.iter().map(|(_, row, _)| self.multipliers[*row]).sum();
            if (lack - before).abs() <= SETTLED * reserve {
                break;
            }
            self.shift(columns, columns + 1);
        }
        reserve - lack
    }

    /// The parts that give way where the reserve is used up.
    pub(super) fn yielding(&self) -> impl Iterator<Item = usize> {
        let least = NO_SHARE * largest(&self.multipliers);
        let multiplier = move |row: usize| self.multipliers.get(row).copied().unwrap_or(0.0);
        let yields = move |(_, row, _): &&(Bearing, usize, f64)| multiplier(*row) > least;
        self.taking.iter().filter(yields).map(|(bearing, ..)| bearing.part)
    }
}

impl Machine {
    /// Which parts have forces that the rows of the mode that was solved last do not determine.
    pub(super) fn undetermined(&mut self) -> Vec<bool> {
        self.held.balance();
        let (held, m) = (&self.held, self.held.count());
        let mut undetermined = vec![false; self.gaps.len()];
        for Bearing { part, row, tangents } in &self.bearings {
            let columns = held.balanced.chunks_exact(m.max(1));
            let sizes = columns.map(|column| largest(&column[*row..=row + tangents]));
            undetermined[*part] = sizes.fold(0.0, f64::max) > DETERMINED;
        }
        undetermined
    }

    /// Takes the forces of what is undetermined in a mode.
    fn share_out(&mut self, mode: &Mode) {
        let Self { share, held, bearings, friction, .. } = self;
        let parts = bearings.iter().filter(|bearing| mode.is_undetermined(bearing.part));
        let parts = parts.map(|bearing| (*bearing, friction.get(bearing.part).copied()));
        share.set(held, parts.map(|(bearing, friction)| (bearing, friction.unwrap_or(0.0))));
    }

    /// Turns the forces of a mode, which are recorded, and its accelerations into those that what touches can exert.
    pub(super) fn admit(&mut self, mode: &Mode) {
        if self.bears(mode, self.sharing(mode), 0.0) {
            return;
        }
        self.share_out(mode);
        self.held.balance();
        let Self { share, held, v_dot, .. } = self;
        if let Some(lambda) = share.admit(held) {
            held.replace(lambda, v_dot);
            self.record(mode);
        }
    }

    /// The reserve of what is undetermined in the mode whose rows were solved last, N: zero where something gives way.
    pub(super) fn reserved(&mut self, mode: &Mode) -> f64 {
        self.record(mode);
        let reserve = self.reserve(mode);
        self.share_out(mode);
        self.held.balance();
        self.share.reserved(&self.held, reserve)
    }

    /// The reserve, if the forces that are recorded have all of it.
    pub(super) fn full_reserve(&self, mode: &Mode) -> Option<f64> {
        let reserve = self.reserve(mode);
        self.bears(mode, self.sharing(mode), reserve).then_some(reserve)
    }

    /// c, by the forces that are recorded.
    fn reserve(&self, mode: &Mode) -> f64 {
        let normals = self.sharing(mode).map(|part| self.normal(part).abs());
        RESERVE * normals.fold(0.0, f64::max)
    }

    /// The parts whose forces are undetermined in a mode.
    fn sharing(&self, mode: &Mode) -> impl Iterator<Item = usize> {
        (0..self.gaps.len()).filter(|part| mode.is_undetermined(*part))
    }
}
