//! "Did you mean …?"

/// `; did you mean …?` if one of `candidates` is close to `word`, otherwise nothing.
pub(super) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> String {
    let nearest = candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .min_by_key(|&(distance, _)| distance);
    let length = word.chars().count();
    match nearest {
        Some((distance, candidate)) if distance <= (length / 3).max(1) && distance < length => {
            format!("; did you mean `{candidate}`?")
        }
        _ => String::new(),
    }
}

/// The words as `` `a`, `b` and `c` ``.
pub(super) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_what_is_close() {
        assert_eq!(did_you_mean("mas", ["com", "mass"]), "; did you mean `mass`?");
        assert_eq!(did_you_mean("x", ["com", "mass", "y"]), "");
        assert_eq!(did_you_mean("masss", []), "");
    }

    #[test]
    fn lists_in_words() {
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list([]), "none");
    }
}
