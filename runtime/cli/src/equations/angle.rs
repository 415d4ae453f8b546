//! Names of sines and cosines: s₁ = sin q₁, c₁₂ = cos(q₁ + q₂).

use super::formula::Name;

/// An angle Σ k q + c with whole numbers k, by the indices of q.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Angle {
    /// Of each coordinate its k, none of which is zero, in the order of coordinates.
    pub(crate) terms: Vec<(usize, i32)>,
    /// c, rad.
    pub(crate) offset: f64,
}

impl Angle {
    /// What the sine (`s`) or cosine (`c`) of this angle is called; there are so many `coordinates`. `None` where a
    /// name would say less than a number.
    pub(crate) fn name(&self, letter: &str, coordinates: usize) -> Option<Name> {
        let short = self.terms.iter().all(|(_, k)| k.unsigned_abs() <= 4);
        if self.offset != 0.0 || self.terms.is_empty() || !short {
            return None;
        }
        let between = if coordinates > 9 { "," } else { "" };
        let labels = self.terms.iter().map(|(q, k)| ((q + 1).to_string(), *k));
        Some(Name { letter: letter.to_owned(), index: index(labels, between) })
    }
}

/// The index of an angle: labels of its parts, each as often as it counts, those that are subtracted behind a `−`.
pub(crate) fn index(labels: impl Iterator<Item = (String, i32)>, between: &str) -> String {
    let (mut added, mut subtracted) = (Vec::new(), Vec::new());
    for (label, k) in labels {
        let list = if k > 0 { &mut added } else { &mut subtracted };
        list.extend(vec![label; k.unsigned_abs() as usize]);
    }
    let (added, subtracted) = (added.join(between), subtracted.join(between));
    if subtracted.is_empty() { added } else { format!("{added}−{subtracted}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_angles_apart() {
        let name = |terms: &[(usize, i32)], coordinates| {
            let angle = Angle { terms: terms.to_vec(), offset: 0.0 };
            angle.name("c", coordinates).map(|name| name.index)
        };
        assert_eq!(name(&[(0, 1)], 2).as_deref(), Some("1"));
        assert_eq!(name(&[(0, 1), (1, 1)], 2).as_deref(), Some("12"));
        assert_eq!(name(&[(0, 2), (1, -1)], 2).as_deref(), Some("11−2"));
        assert_eq!(name(&[(1, -1)], 2).as_deref(), Some("−2"));
        assert_eq!(name(&[(0, 1), (11, 1)], 12).as_deref(), Some("1,12"));
        assert_eq!(name(&[], 2), None);
        assert_eq!(name(&[(0, 9)], 2), None);
        assert_eq!(Angle { terms: vec![(0, 1)], offset: 0.1 }.name("c", 2), None);
    }
}
