//! States of a robot from a file, and the words for its coordinates: what all generated programs of
//! these comparisons have in common.

use std::{fs, io};

use jourdain::prelude::*;
use jourdain::space::Storage;

/// One state.
pub struct State<M: Model> {
    /// Configuration.
    pub q: M::Q,
    /// Velocity.
    pub v: M::V,
    /// Acceleration.
    pub v_dot: M::V,
    /// Generalised force.
    pub tau: M::V,
}

impl<M: Model> State<M> {
    fn from_slice(numbers: &[f64]) -> Self {
        let (q, rest) = numbers.split_at(M::NQ);
        let (v, rest) = rest.split_at(M::NV);
        let (v_dot, tau) = rest.split_at(M::NV);
        Self { q: filled(q), v: filled(v), v_dot: filled(v_dot), tau: filled(tau) }
    }
}

fn filled<T: Storage>(numbers: &[f64]) -> T {
    let mut vector = T::zeros();
    vector.as_mut_slice().copy_from_slice(numbers);
    vector
}

/// The states of a file of little-endian `f64`: q, v, v̇ and τ of each in turn.
///
/// # Errors
///
/// A file that cannot be read.
pub fn read<M: Model>(path: &str) -> io::Result<Vec<State<M>>> {
    let bytes = fs::read(path)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|&number| f64::from_le_bytes(number)).collect();
    Ok(numbers.chunks_exact(M::NQ + 3 * M::NV).map(State::from_slice).collect())
}

/// Prints one line for each joint with coordinates, link and moving body, fields separated by tabs.
pub fn describe<M: Model>() {
    for j in M::JOINTS {
        println!("joint\t{}\t{}\t{}\t{}\t{}\t{}", j.name, j.family, j.q, j.nq, j.v, j.nv);
    }
    for link in M::LINKS {
        println!("link\t{}", link.name);
    }
    for &link in M::BODIES {
        println!("body\t{}", M::LINKS[link].name);
    }
}
