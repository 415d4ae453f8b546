//! Functions in programming languages, one a quantity.

use jourdain_codegen::derive::{Shape, symbols};

use super::document::{Document, Quantity};
use super::formula::{Formula, Function, Name, Variable};
use super::kinds::{Argument, FORCE, KINDS};
use super::names::{Given, code_name};
use super::notation::{Notation, Tightness, Written, write};

/// The languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    C,
    Python,
    Julia,
    Matlab,
}

/// Formulas of one function in a language.
pub(crate) struct Code<'a> {
    pub(crate) language: Language,
    /// The names of fields there.
    pub(crate) fields: &'a [String],
}

/// What fields are called in a language.
pub(crate) fn identifiers(language: Language, given: &Given) -> Vec<String> {
    given.fields.iter().map(|field| identifier(language, field)).collect()
}

/// All functions of a document, as one source file.
pub(crate) fn source(language: Language, document: &Document) -> String {
    let mut text = header(language, document);
    for quantity in &document.quantities {
        text += "\n";
        text += &function(language, document, quantity);
    }
    text
}

/// Definitions, each a name and a value, and entries of a quantity.
fn formulas(
    language: Language,
    document: &Document,
    quantity: &Quantity,
) -> (Vec<[String; 2]>, Vec<String>) {
    let fields = identifiers(language, &document.given);
    let code = Code { language, fields: &fields };
    let names = quantity.names();
    let written = |formula: &Formula| write(&code, &names, formula).0;
    let definitions = quantity.definitions.iter().map(|d| [code.name(&d.name), written(&d.value)]);
    (definitions.collect(), quantity.entries.iter().map(written).collect())
}

fn function(language: Language, document: &Document, quantity: &Quantity) -> String {
    let (definitions, entries) = formulas(language, document, quantity);
    let mut text = opening(language, document, quantity);
    for [name, value] in definitions {
        text += &match language {
            Language::Rust => format!("    let {name} = {value};\n"),
            Language::C => format!("    const double {name} = {value};\n"),
            Language::Python | Language::Julia => format!("    {name} = {value}\n"),
            Language::Matlab => format!("    {name} = {value};\n"),
        };
    }
    text + closing(language, quantity, &entries).as_str()
}

fn comment(language: Language) -> &'static str {
    match language {
        Language::Rust | Language::C => "//",
        Language::Python | Language::Julia => "#",
        Language::Matlab => "%",
    }
}

/// What stands above the functions: what they are of, and the parameters.
fn header(language: Language, document: &Document) -> String {
    let mark = comment(language);
    let mut text = String::new();
    if language == Language::Matlab {
        let name = snake(&document.robot);
        // A file is called as its first function, which no other may be.
        let is_taken = KINDS.iter().any(|kind| kind.word == name);
        text += &format!("function robot = {name}{}()\n", if is_taken { "_robot" } else { "" });
    }
    for line in document.heading() {
        text += format!("{mark} {line}").trim_end();
        text += "\n";
    }
    let parameters = document.parameters.iter().map(|parameter| {
        let meaning = parameter.described();
        (identifier(language, &parameter.name), meaning)
    });
    let name = pascal(&document.robot);
    match language {
        Language::Rust => {
            let names = document.parameters.iter().map(|parameter| parameter.name.clone());
            let allowed = snake_case_allowance(names);
            text += &format!(
                "\n/// What the equations are given.\n#[derive(Clone, Copy, Debug)]\n{allowed}pub struct Parameters {{\n"
            );
            parameters.for_each(|(name, meaning)| {
                text += &format!("    /// {meaning}\n    pub {name}: f64,\n");
            });
            text += "}\n";
        }
        Language::C => {
            text += &format!("\n#include <math.h>\n\nstruct {name}Parameters {{\n");
            let mut any = false;
            for (name, meaning) in parameters {
                any = true;
                text += &format!("    double {name}; // {meaning}\n");
            }
            text += if any { "};\n" } else { "    char none;\n};\n" };
        }
        Language::Python => {
            text += "\nfrom dataclasses import dataclass\nfrom math import cos, inf, sin, sqrt\n\n\n@dataclass\nclass Parameters:\n";
            let list: Vec<_> = parameters
                .map(|(name, meaning)| format!("    {name}: float  # {meaning}\n"))
                .collect();
            text += &if list.is_empty() { "    pass\n".to_owned() } else { list.concat() };
            text += "\n";
        }
        Language::Julia => {
            text += "\nstruct Parameters\n";
            parameters
                .for_each(|(name, meaning)| text += &format!("    {name}::Float64 # {meaning}\n"));
            text += "end\n";
        }
        Language::Matlab => {
            parameters.for_each(|(name, meaning)| text += &format!("% p.{name}: {meaning}\n"));
            for quantity in &document.quantities {
                let word = quantity.kind.word;
                text += &format!("    robot.{word} = @{word};\n");
            }
            text += "end\n";
        }
    }
    text
}

/// The first lines of a function, as far as its body.
fn opening(language: Language, document: &Document, quantity: &Quantity) -> String {
    let mark = if language == Language::Rust { "///" } else { comment(language) };
    let word = quantity.kind.word;
    let about = format!("{mark} {}\n", quantity.described());
    let arguments: Vec<_> =
        quantity.kind.arguments.iter().map(|&a| (a, document.size(a))).collect();
    let names = |list: &[(Argument, usize)]| {
        let words: Vec<_> = list.iter().map(|(argument, _)| argument.word()).collect();
        [words, vec!["p"]].concat().join(", ")
    };
    let used = quantity.variables();
    let is_used =
        |set: u8| used.iter().any(|v| matches!(v, Variable::Given(used, _) if *used == set));
    match language {
        Language::Rust => {
            let named = |word: &str, set: u8| {
                if is_used(set) { word.to_owned() } else { format!("_{word}") }
            };
            let mut list: Vec<String> = Vec::new();
            for &(argument, size) in &arguments {
                let word = named(argument.word(), argument.set());
                list.push(match argument {
                    Argument::T => format!("{word}: f64"),
                    _ => format!("{word}: &[f64; {size}]"),
                });
            }
            list.push(format!("{}: &Parameters", named("p", symbols::FIELD)));
            let result = match quantity.shape {
                Shape::Number => "f64".to_owned(),
                Shape::Vector(n) => format!("[f64; {n}]"),
                Shape::Matrix(rows, columns) => format!("[[f64; {columns}]; {rows}]"),
            };
            let names = quantity.definitions.iter().map(|definition| code_name(&definition.name));
            let allowed = snake_case_allowance(names);
            format!("{about}{allowed}pub fn {word}({}) -> {result} {{\n", list.join(", "))
        }
        Language::C => {
            let mut list: Vec<String> = Vec::new();
            for &(argument, size) in &arguments {
                list.push(match argument {
                    Argument::T => "double t".to_owned(),
                    _ => format!("const double {}[{size}]", argument.word()),
                });
            }
            list.push(format!("const struct {}Parameters *p", pascal(&document.robot)));
            let name = format!("{}_{word}", snake(&document.robot));
            let head = match quantity.shape {
                Shape::Number => format!("{about}double {name}({}) {{\n", list.join(", ")),
                Shape::Vector(n) => {
                    format!("{about}void {name}({}, double out[{n}]) {{\n", list.join(", "))
                }
                Shape::Matrix(rows, columns) => {
                    format!(
                        "{about}void {name}({}, double out[{rows}][{columns}]) {{\n",
                        list.join(", ")
                    )
                }
            };
            let words = arguments.iter().map(|(argument, _)| (argument.word(), argument.set()));
            let unused = words.chain([("p", symbols::FIELD)]).filter(|(_, set)| !is_used(*set));
            let unused = unused.map(|(word, _)| format!("    (void){word};\n"));
            [head].into_iter().chain(unused).collect()
        }
        Language::Python => format!("\n{about}def {word}({}):\n", names(&arguments)),
        Language::Julia => format!("{about}function {word}({})\n", names(&arguments)),
        Language::Matlab => format!("function out = {word}({})\n    {about}", names(&arguments)),
    }
}

/// The last lines of a function: what it returns.
fn closing(language: Language, quantity: &Quantity, entries: &[String]) -> String {
    if quantity.shape == Shape::Number {
        let x = &entries[0];
        return match language {
            Language::Rust => format!("    {x}\n}}\n"),
            Language::C => format!("    return {x};\n}}\n"),
            Language::Python => format!("    return {x}\n"),
            Language::Julia => format!("    return {x}\nend\n"),
            Language::Matlab => format!("    out = {x};\nend\n"),
        };
    }
    let is_matrix = matches!(quantity.shape, Shape::Matrix(..));
    let columns = quantity.columns();
    let rows =
        |row: &dyn Fn(&[String]) -> String| entries.chunks(columns).map(row).collect::<String>();
    let nested = |row: &[String]| match is_matrix {
        true => format!("        [{}],\n", row.join(", ")),
        false => format!("        {},\n", row[0]),
    };
    match language {
        Language::Rust => format!("    [\n{}    ]\n}}\n", rows(&nested)),
        Language::Python => format!("    return [\n{}    ]\n", rows(&nested)),
        Language::C => {
            let place = |k: usize| match is_matrix {
                true => format!("[{}][{}]", k / columns, k % columns),
                false => format!("[{k}]"),
            };
            let lines = entries.iter().enumerate();
            let lines: String =
                lines.map(|(k, x)| format!("    out{} = {x};\n", place(k))).collect();
            format!("{lines}}}\n")
        }
        // What stands below each other is a vector, unless it is told to be a matrix.
        Language::Julia if columns == 1 => {
            let list = rows(&|row| format!("        {},\n", row[0]));
            match is_matrix {
                true => format!("    return reshape([\n{list}    ], {}, 1)\nend\n", entries.len()),
                false => format!("    return [\n{list}    ]\nend\n"),
            }
        }
        // Blanks part columns, so that an entry is kept together.
        Language::Julia => {
            let list = rows(&|row| format!("        ({});\n", row.join(") (")));
            format!("    return [\n{list}    ]\nend\n")
        }
        Language::Matlab => {
            let list = rows(&|row| format!("        {}; ...\n", row.join(", ")));
            format!("    out = [ ...\n{list}    ];\nend\n")
        }
    }
}

impl Notation for Code<'_> {
    fn number(&self, x: f64) -> String {
        match (self.language, x.is_infinite()) {
            (Language::Rust, true) => "f64::INFINITY".to_owned(),
            (Language::C, true) => "INFINITY".to_owned(),
            (Language::Python, true) => "inf".to_owned(),
            (Language::Julia | Language::Matlab, true) => "Inf".to_owned(),
            (_, false) => format!("{x:?}"),
        }
    }

    fn given(&self, set: u8, index: u32) -> String {
        let of = |word: &str| match self.language {
            Language::Rust | Language::C | Language::Python => format!("{word}[{index}]"),
            Language::Julia => format!("{word}[{}]", index + 1),
            Language::Matlab => format!("{word}({})", index + 1),
        };
        match set {
            symbols::FIELD => {
                let access = if self.language == Language::C { "->" } else { "." };
                format!("p{access}{}", self.fields[index as usize])
            }
            symbols::Q => of(Argument::Q.word()),
            symbols::V => of(Argument::V.word()),
            symbols::A => of(Argument::A.word()),
            FORCE => of(Argument::Force.word()),
            _ => Argument::T.word().to_owned(),
        }
    }

    fn name(&self, name: &Name) -> String {
        code_name(name)
    }

    fn sign(&self, is_negative: bool, is_first: bool) -> &'static str {
        match (is_negative, is_first) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        }
    }

    fn product(&self, factors: &[String]) -> String {
        factors.join(" * ")
    }

    fn quotient(&self, a: &str, b: &str) -> Written {
        (format!("{a} / {b}"), Tightness::Product)
    }

    fn has_fractions(&self) -> bool {
        false
    }

    fn has_ratios(&self) -> bool {
        false
    }

    fn power(&self, base: &str, exponent: u32) -> Written {
        match self.language {
            Language::Rust => {
                // Nothing but a sum begins with a bracket, which an argument does not need.
                let sum = base.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                (format!("f64::powi({}, {exponent})", sum.unwrap_or(base)), Tightness::Atom)
            }
            Language::C if exponent == 2 && base.len() <= 16 => {
                (format!("{base} * {base}"), Tightness::Product)
            }
            Language::C => (format!("pow({base}, {exponent}.0)"), Tightness::Atom),
            Language::Python => (format!("{base}**{exponent}"), Tightness::Power),
            Language::Julia | Language::Matlab => (format!("{base}^{exponent}"), Tightness::Power),
        }
    }

    fn function(&self, function: Function, (x, _): Written) -> Written {
        let word = match function {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Sqrt => "sqrt",
        };
        let path = if self.language == Language::Rust { "f64::" } else { "" };
        (format!("{path}{word}({x})"), Tightness::Atom)
    }

    fn enclosed(&self, x: &str) -> String {
        format!("({x})")
    }
}

/// Words of the languages that a field in Rust may be called by.
const KEYWORDS: [(Language, &[&str]); 4] = [
    (
        Language::C,
        &[
            "auto", "break", "case", "const", "continue", "else", "enum", "extern", "for", "if",
            "return", "static", "struct", "while", "case", "char", "default", "do", "double",
            "float", "goto", "inline", "int", "long", "register", "restrict", "short", "signed",
            "sizeof", "switch", "typedef", "union", "unsigned", "void", "volatile",
        ],
    ),
    (
        Language::Python,
        &[
            "None", "True", "False", "as", "async", "await", "break", "continue", "else", "for",
            "if", "in", "return", "try", "while", "yield", "and", "assert", "class", "def", "del",
            "elif", "except", "finally", "from", "global", "import", "is", "lambda", "nonlocal",
            "not", "or", "pass", "raise", "with",
        ],
    ),
    (
        Language::Julia,
        &[
            "break",
            "const",
            "continue",
            "else",
            "for",
            "if",
            "let",
            "return",
            "struct",
            "try",
            "while",
            "baremodule",
            "begin",
            "catch",
            "do",
            "end",
            "export",
            "finally",
            "function",
            "global",
            "import",
            "local",
            "macro",
            "module",
            "quote",
            "using",
        ],
    ),
    (
        Language::Matlab,
        &[
            "break",
            "continue",
            "else",
            "for",
            "if",
            "return",
            "try",
            "while",
            "case",
            "catch",
            "classdef",
            "elseif",
            "end",
            "function",
            "global",
            "otherwise",
            "parfor",
            "persistent",
            "switch",
        ],
    ),
];

/// A field's name in a language; `_` stands behind what is a word of the language.
fn identifier(language: Language, field: &str) -> String {
    let words = KEYWORDS.iter().find(|(of, _)| *of == language).map_or(&[][..], |(_, words)| words);
    if language == Language::Rust {
        let is_raw = syn::parse_str::<syn::Ident>(field).is_err();
        return format!("{}{field}", if is_raw { "r#" } else { "" });
    }
    // Names in MATLAB begin with a letter.
    let front = if language == Language::Matlab && field.starts_with('_') { "x" } else { "" };
    let behind = if words.contains(&field) { "_" } else { "" };
    format!("{front}{field}{behind}")
}

const ALLOWED: &str = "#[allow(non_snake_case, reason = \"names are those of the description\")]\n";

/// The attribute that allows names with capitals, where one of `names` has any.
fn snake_case_allowance(mut names: impl Iterator<Item = String>) -> &'static str {
    let is_upper = names.any(|name| name.contains(char::is_uppercase));
    if is_upper { ALLOWED } else { "" }
}

/// A robot's name as that of a function.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (k, c) in name.chars().enumerate() {
        if c.is_uppercase() && k > 0 && !text.ends_with('_') {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    jourdain_codegen::parse::identifier(&text)
}

/// A robot's name as that of a type.
fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let capital = |word: &str| {
        let mut rest = word.chars();
        rest.next().map_or_else(String::new, |c| c.to_uppercase().chain(rest).collect())
    };
    jourdain_codegen::parse::identifier(&words.map(capital).collect::<String>())
}
