//! Names of what is given, as letters with an index, in every notation.

use jourdain_codegen::derive::symbols;

use super::formula::{Definition, Name};
use super::kinds::FORCE;

/// Letters of the Greek alphabet, by the names that users give fields.
const GREEK: [(&str, &str); 24] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Omega", "Ω"),
    ("Delta", "Δ"),
];

/// What is given, as far as it has names.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The struct's fields.
    pub(crate) fields: Vec<String>,
    /// Of each velocity coordinate, the coordinate of q that it is the rate of, if it is.
    pub(crate) rates: Vec<Option<usize>>,
}

/// The name of something given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbolic {
    /// One letter, Greek among them, or a word.
    pub(crate) letter: String,
    /// What stands below it.
    pub(crate) index: String,
    /// How many dots stand above the letter: one of a rate, two of an acceleration.
    pub(crate) dots: usize,
}

impl Given {
    /// The letter and the index of a field. The field is one word where something else has this letter and index.
    fn field(&self, k: usize) -> Name {
        let name = split(&self.fields[k]);
        let is_number = !name.index.is_empty() && name.index.chars().all(|c| c.is_ascii_digit());
        let others = self.fields.iter().enumerate().filter(|(other, _)| *other != k);
        if others.map(|(_, other)| split(other)).any(|other| other == name) {
            return Name { letter: self.fields[k].clone(), index: String::new() };
        }
        let is_taken = match name.letter.as_str() {
            "q" | "v" | "u" | "τ" => is_number || name.index.is_empty(),
            "t" | "B" => name.index.is_empty(),
            _ => false,
        };
        let whole = || match name.letter.is_ascii() {
            true => format!("self.{}", self.fields[k]),
            // `tau1` cannot be taken for τ₁.
            false => self.fields[k].clone(),
        };
        match is_taken {
            true => Name { letter: whole(), index: String::new() },
            false => name,
        }
    }

    /// Whether each velocity is the rate of the coordinate of the same number.
    pub(crate) fn has_rates(&self) -> bool {
        self.rates.iter().enumerate().all(|(k, rate)| *rate == Some(k))
    }

    /// Gives definitions other letters where fields have theirs, to sines and cosines alike.
    pub(crate) fn rename(&self, definitions: &mut [Definition]) {
        let fields: Vec<_> = (0..self.fields.len()).map(|k| self.field(k)).collect();
        // No field has the letter, in formulas or in the description.
        let is_free = |letter: &str| {
            let is_like = |field: &Name| field.letter == letter && !field.index.is_empty();
            !fields.iter().any(is_like) && !self.fields.iter().any(|field| is_like(&split(field)))
        };
        let free = |letters: &[&str]| {
            let repeated = (2..).map(|count| letters[0].repeat(count));
            let all = letters.iter().map(|&letter| letter.to_owned()).chain(repeated);
            all.into_iter().find(|letter| is_free(letter)).unwrap_or_default()
        };
        let pairs = [["s", "c"], ["S", "C"], ["sin", "cos"]];
        let pair = pairs.iter().find(|pair| pair.iter().all(|letter| is_free(letter)));
        let turned = match pair {
            Some(pair) => pair.map(str::to_owned),
            None => [free(&["s"]), free(&["c"])],
        };
        let (value, lump) = (free(&["x", "y", "z", "w"]), free(&["a", "b", "d", "k"]));
        for definition in &mut *definitions {
            let letter = match definition.name.letter.as_str() {
                "s" => &turned[0],
                "c" => &turned[1],
                "x" => &value,
                "a" => &lump,
                _ => continue,
            };
            definition.name.letter.clone_from(letter);
        }
        make_unique(definitions);
    }

    /// The letter and the index of a variable.
    pub(crate) fn symbolic(&self, set: u8, index: u32) -> Symbolic {
        let k = index as usize;
        let of = |letter: &str, number: usize, dots| Symbolic {
            letter: letter.to_owned(),
            index: (number + 1).to_string(),
            dots,
        };
        let rate = self.rates.get(k).copied().flatten();
        match set {
            symbols::FIELD => {
                let Name { letter, index } = self.field(k);
                Symbolic { letter, index, dots: 0 }
            }
            symbols::Q => of("q", k, 0),
            symbols::V => rate.map_or_else(|| of("v", k, 0), |q| of("q", q, 1)),
            symbols::A => rate.map_or_else(|| of("v", k, 1), |q| of("q", q, 2)),
            FORCE => of("τ", k, 0),
            symbols::TIME => Symbolic { letter: "t".to_owned(), index: String::new(), dots: 0 },
            _ => of("y", k, 0),
        }
    }
}

/// Renames a definition that has the name of an earlier one, as functions in programming languages have it.
fn make_unique(definitions: &mut [Definition]) {
    let mut known: Vec<String> = Vec::new();
    for definition in definitions {
        let mut number = 0;
        while known.contains(&code_name(&definition.name)) {
            number += 1;
            definition.name = Name { letter: "w".to_owned(), index: number.to_string() };
        }
        known.push(code_name(&definition.name));
    }
}

/// A defined variable as a local of a function: `s1`, `c1m2`, `s_alpha`.
pub(crate) fn code_name(name: &Name) -> String {
    let between = if name.index.starts_with(|c: char| c.is_ascii_alphabetic()) { "_" } else { "" };
    format!("{}{between}{}", name.letter, name.index.replace('−', "m").replace(',', "_"))
}

/// The letter and the index of a user's name: `m1` and `m_1` are m₁, `m_upper` is m with `upper` below.
pub(crate) fn split(name: &str) -> Name {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let (letter, index) = match name.split_once('_') {
        Some((letter, index)) if !letter.is_empty() && !index.is_empty() => (letter, index),
        _ if plain.is_empty() || plain.ends_with('_') => (name, ""),
        _ => (plain, &name[plain.len()..]),
    };
    let greek = GREEK.iter().find(|(word, _)| *word == letter);
    let letter = greek.map_or(letter, |(_, letter)| letter).to_owned();
    Name { letter, index: index.to_owned() }
}

/// The command of a Greek letter, such as `\mu`.
pub(crate) fn command(letter: &str) -> Option<String> {
    GREEK.iter().find(|(_, greek)| *greek == letter).map(|(word, _)| format!("\\{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equations::formula::Formula;

    #[test]
    fn names_have_letters_and_indices() {
        let given = Given {
            fields: ["q1", "t", "c2", "u_x"].map(String::from).to_vec(),
            rates: Vec::new(),
        };
        let letters: Vec<_> = (0..4).map(|k| given.symbolic(symbols::FIELD, k).letter).collect();
        assert_eq!(letters, ["self.q1", "self.t", "c", "u"]);
        let name = Name { letter: "c".into(), index: "2".into() };
        let mut definitions = [Definition { name, value: Formula::Number(1.0) }];
        given.rename(&mut definitions);
        assert_eq!(definitions[0].name.letter, "C");
        let twice = || Definition {
            name: Name { letter: "s".into(), index: "x1".into() },
            value: Formula::Number(1.0),
        };
        let mut definitions = [twice(), twice(), twice()];
        given.rename(&mut definitions);
        let names = definitions.map(|definition| code_name(&definition.name));
        assert_eq!(names, ["S_x1", "w1", "w2"]);
        let given = Given {
            fields: ["s1", "S1", "sin2", "x_a", "xx1", "tau1", "u"].map(String::from).to_vec(),
            rates: Vec::new(),
        };
        let of = |letter: &str| Definition {
            name: Name { letter: letter.into(), index: "2".into() },
            value: Formula::Number(1.0),
        };
        let mut definitions = [of("s"), of("c"), of("x"), of("a")];
        given.rename(&mut definitions);
        let names = definitions.map(|definition| definition.name.letter);
        assert_eq!(names, ["ss", "c", "y", "a"]);
        let letters = [5, 6].map(|k| given.symbolic(symbols::FIELD, k).letter);
        assert_eq!(letters, ["tau1", "self.u"]);
        let given =
            Given { fields: ["m1", "m_1", "l_m"].map(String::from).to_vec(), rates: Vec::new() };
        let letters: Vec<_> = (0..3).map(|k| given.symbolic(symbols::FIELD, k).letter).collect();
        assert_eq!(letters, ["m1", "m_1", "l"]);
        for (name, letter, index) in [
            ("m1", "m", "1"),
            ("m_1", "m", "1"),
            ("m_upper", "m", "upper"),
            ("mu", "μ", ""),
            ("theta2", "θ", "2"),
            ("mass", "mass", ""),
            ("_x", "_x", ""),
            ("a_", "a_", ""),
            ("l_1_x", "l", "1_x"),
        ] {
            assert_eq!(split(name), Name { letter: letter.into(), index: index.into() }, "{name}");
        }
    }
}
