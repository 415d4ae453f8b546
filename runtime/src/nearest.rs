//! "Did you mean …?"

use alloc::vec::Vec;

/// Of `names` the one that takes the fewest changes of single characters to become `word`, if these are few; the first
/// point of a solid, `sole_0`, is near to the solid's name.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let (distance, name) = names
        .map(|name| (if is_point_of(name, word) { 1 } else { distance(word, name) }, name))
        .min_by_key(|&(distance, _)| distance)?;
    (distance <= (length / 3).max(1) && distance < length).then_some(name)
}

/// Whether a name is that of a solid with a number.
fn is_point_of(name: &str, solid: &str) -> bool {
    let number = name.strip_prefix(solid).and_then(|rest| rest.strip_prefix('_'));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// How many characters have to be put in, taken out or replaced (Levenshtein's distance).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn changes_are_counted() {
        let cases = [("", "", 0), ("elbo", "elbow", 1), ("kitten", "sitting", 3), ("", "abc", 3)];
        cases.into_iter().for_each(|(a, b, expected)| assert_eq!(distance(a, b), expected));
    }

    #[test]
    fn only_what_is_close_is_suggested() {
        assert_eq!(nearest("elbo", ["shoulder", "elbow"].into_iter()), Some("elbow"));
        assert_eq!(nearest("x", ["shoulder", "y"].into_iter()), None);
        assert_eq!(nearest("knee", core::iter::empty()), None);
        assert_eq!(nearest("sole", ["heel", "sole_0", "sole_1"].into_iter()), Some("sole_0"));
        assert_eq!(nearest("sole", ["sole_left"].into_iter()), None);
    }
}
