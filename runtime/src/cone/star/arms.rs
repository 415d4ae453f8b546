//! A star in storage of its own, from one contact after the other.

use alloc::vec::Vec;

use super::super::{Error, Matrix};
use super::lanes::{LANES, Shared, WIDEST};
use super::matrix::Star;
use super::quads::{Each, Rows};

/// What a [`Matrix::Star`] is made of: the arms Yᵢ and Bᵢ of its contacts, in the order of their blocks.
///
/// ```
/// use jourdain::cone::{Arms, Block, Law, Problem, Settings, Workspace, solve};
///
/// // A point of 2 kg, on two legs that give way by themselves.
/// let mut arms = Arms::new(&[0.5, 0.5, 0.5])?;
/// for _ in 0..2 {
///     arms.push(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1])?;
/// }
/// let blocks = [Block::Contact { friction: 0.5, torsion: None }; 2];
/// let b = [-1.1, 0.0, 0.0, -1.1, 0.0, 0.0];
/// let problem = Problem { matrix: arms.matrix(), b: &b, blocks: &blocks, law: Law::Coulomb };
/// let mut workspace = Workspace::default();
/// let solution = solve(&problem, &Settings::default(), &mut workspace)?;
/// assert!((solution.z[0] - 1.0).abs() < 1e-9 && (solution.z[3] - 1.0).abs() < 1e-9);
/// # Ok::<(), jourdain::cone::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arms {
    /// How many coordinates are shared.
    width: usize,
    contacts: usize,
    shared: Vec<[Rows; WIDEST]>,
    weights: Shared,
    own: Vec<[Each; 6]>,
}

impl Arms {
    /// No contacts yet, of so many shared coordinates, with the diagonal of W > 0.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] of more than six, and [`Error::Weight`].
    pub fn new(weights: &[f64]) -> Result<Self, Error> {
        let (width, expected) = (weights.len(), WIDEST);
        if width > WIDEST {
            return Err(Error::Shape { what: "weights", length: width, expected });
        }
        if let Some(index) = weights.iter().position(|weight| weight.is_nan() || *weight <= 0.0) {
            return Err(Error::Weight { index, value: weights[index] });
        }
        let mut all = [1.0; WIDEST];
        all[..width].copy_from_slice(weights);
        Ok(Self { width, contacts: 0, shared: Vec::new(), weights: all, own: Vec::new() })
    }

    /// Adds a contact: what each shared coordinate moves along its normal and tangents, a column of Y each, and the
    /// symmetric B, (3, 3), as xx, xy, xz, yy, yz, zz.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] unless there is a column for each coordinate.
    pub fn push(&mut self, shared: &[[f64; 3]], own: [f64; 6]) -> Result<(), Error> {
        let (length, expected) = (shared.len(), self.width);
        if length != expected {
            return Err(Error::Shape { what: "shared", length, expected });
        }
        let (four, lane) = (self.contacts / LANES, self.contacts % LANES);
        self.contacts += 1;
        self.shared.resize(four + 1, Default::default());
        self.own.resize(four + 1, Default::default());
        for (to, column) in self.shared[four].iter_mut().zip(shared) {
            to.iter_mut().zip(column).for_each(|(to, entry)| to[lane] = *entry);
        }
        self.own[four].iter_mut().zip(own).for_each(|(to, entry)| to[lane] = entry);
        Ok(())
    }

    /// A.
    pub fn matrix(&self) -> Matrix<'_> {
        let Self { contacts, shared, weights, own, .. } = self;
        Matrix::Star(Star { contacts: *contacts, shared, weights, own })
    }
}

impl Star<'_> {
    /// The first contact with a number that is NaN or infinite, and the number.
    pub(in crate::cone) fn not_finite(&self) -> Option<(usize, f64)> {
        (0..self.contacts).find_map(|contact| {
            let (four, lane) = (contact / LANES, contact % LANES);
            let numbers = self.shared[four].as_flattened().iter().chain(&self.own[four]);
            let mut values = numbers.map(|each| each[lane]);
            values.find(|x| !x.is_finite()).map(|value| (contact, value))
        })
    }
}
