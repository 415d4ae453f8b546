//! `jourdain equations`: the equations of motion of a described robot, to read or to paste.

mod angle;
mod code;
mod document;
mod drawing;
mod formula;
mod html;
mod json;
mod kinds;
mod latex;
mod layout;
mod lines;
mod mathml;
mod meaning;
mod names;
mod notation;
mod paper;
#[cfg(feature = "symbolica")]
pub(crate) mod reduced;
mod sheet;
mod text;

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jourdain_codegen::derive::{Forms, Limbs, Mechanism, Shape, symbols};
use jourdain_codegen::expr::{Expr, Graph};

use crate::failure::{Failure, say};
use crate::source::{self, Robot};
use code::Language;
use document::{Document, Quantity};
use formula::Variable;
use kinds::{Argument, Derived, FORCE, KINDS, Kind};
use lines::lines;

/// Prints a robot's equations of motion
///
/// M(q) v̇ + C(q, v) v = τ_g(q) + τ_p(q, v) + B u + H(q)ᵀ λ + J(q)ᵀ f
///
/// The robot is an annotated struct of a Rust source, or a URDF. Printed are its coordinates and parameters, then each
/// quantity; where nothing is asked for, those above and the energies, as far as the robot has them.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// A Rust source with a struct under `#[derive(Robot)]`, or a URDF
    file: PathBuf,
    /// Quantities by their keys, with commas between them: qdot, T, U, U_s, M, C, gravity, bias, B, passive, h, H, hdot, Hdot_v, phi,
    /// J, Jdot_v, com, p, momentum, inverse, forward
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The notation, or the language of functions
    #[arg(long, value_enum, default_value_t = Form::Text)]
    form: Form,
    /// As JSON, formulas in that notation
    #[arg(long)]
    json: bool,
    /// The struct, where the source describes several robots
    #[arg(long)]
    robot: Option<String>,
    /// How the first link of a URDF hangs on the world; fixed unless stated
    #[arg(long, value_enum)]
    base: Option<Base>,
    /// With a name for each sum of products of parameters, such as a₁ = m₁ l₁² + m₂ l₂²
    #[cfg(feature = "symbolica")]
    #[arg(long)]
    lump: bool,
    /// In the form in which the kernels compute, where a name stands for everything that is used twice
    #[cfg(feature = "symbolica")]
    #[arg(long)]
    lines: bool,
    /// A key of Symbolica's
    ///
    /// Without one, Symbolica may be used for non-commercial purposes only, by one process of a user at a time. A program that
    /// is built with it may be passed on with its full licence only, and the right to run it is not included.
    #[cfg(feature = "symbolica")]
    #[arg(long, env = reduced::KEY, hide_env_values = true)]
    license_key: Option<String>,
    #[cfg(not(feature = "symbolica"))]
    #[arg(long, hide = true)]
    lump: bool,
    #[cfg(not(feature = "symbolica"))]
    #[arg(long, hide = true)]
    license_key: Option<String>,
    /// Values of parameters for the drawing of the page, such as `l1=0.5`; 1 where none is given
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
}

/// How formulas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Unicode
    Text,
    /// For LaTeX, in mathematical mode
    Latex,
    /// One page for a browser, with a drawing
    Html,
    /// Functions in Rust
    Rust,
    /// Functions in C
    C,
    /// Functions in Python
    Python,
    /// Functions in Julia
    Julia,
    /// Functions in MATLAB
    Matlab,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Base {
    Fixed,
    Floating,
}

/// What the graph's own form is, in a line.
#[cfg(not(feature = "symbolica"))]
const LINES: &str = "A name stands for everything that is used twice: this is the form in which the kernels compute. \
                     Expanded and collected formulas are printed where `jourdain` is built with the feature `symbolica`.";
#[cfg(feature = "symbolica")]
const LINES: &str = "A name, x and a number, stands for everything that is used twice: that is the form in which the kernels compute.";

/// Prints what is asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kinds = asked(&arguments.only)?;
    let base = arguments.base.map(|base| match base {
        Base::Fixed => "fixed",
        Base::Floating => "floating",
    });
    if !arguments.set.is_empty() && (arguments.form != Form::Html || arguments.json) {
        return Err(Failure::NoUse { word: "--set", of: "the drawing of a page, `--form html`" });
    }
    let mut robot = source::read(&arguments.file, arguments.robot.as_deref(), base)?;
    robot.warnings().iter().for_each(|warning| say(&format_args!("warning: {warning}")));
    let graph = Graph::new();
    let Robot { parsed, requirements, errors, .. } = &mut robot;
    let parsed = parsed.clone();
    let Some(mechanism) = jourdain_codegen::mechanism(&graph, &parsed, requirements, errors) else {
        return robot.fails_with_errors();
    };
    let mut document = document(&mechanism, &robot, &kinds, arguments.only.is_empty());
    if !reduce(&mut document, &mechanism, arguments)? {
        document.notes.push(LINES.to_owned());
    }
    for quantity in &mut document.quantities {
        document.given.rename(&mut quantity.definitions);
    }
    let printed = match (arguments.json, arguments.form) {
        (true, form) => json::print(&document, form),
        (false, Form::Text) => sheet::text(&document),
        (false, Form::Latex) => paper::latex(&document),
        (false, Form::Html) => html::page(&document, &mechanism, &values(arguments, &document)?),
        (false, form) => {
            language(form).map_or_else(String::new, |language| code::source(language, &document))
        }
    };
    match std::io::stdout().write_all(printed.as_bytes()) {
        // Who reads no further has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::File { file: "standard output".to_owned(), error: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// The language of functions, if it is one.
fn language(form: Form) -> Option<Language> {
    match form {
        Form::Text | Form::Latex | Form::Html => None,
        Form::Rust => Some(Language::Rust),
        Form::C => Some(Language::C),
        Form::Python => Some(Language::Python),
        Form::Julia => Some(Language::Julia),
        Form::Matlab => Some(Language::Matlab),
    }
}

/// The quantities that are asked for, each once; all that are usual where none is.
fn asked(words: &[String]) -> Result<Vec<&'static Kind>, Failure> {
    if words.iter().all(|word| word.trim().is_empty()) {
        return Ok(KINDS.iter().filter(|kind| kind.is_usual).collect());
    }
    let mut kinds: Vec<&'static Kind> = Vec::new();
    for word in words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
        let Some(kind) = KINDS.iter().find(|kind| kind.key == word || kind.word == word) else {
            return Err(no_quantity(word));
        };
        if !kinds.iter().any(|known| known.key == kind.key) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}

fn no_quantity(word: &str) -> Failure {
    let all = KINDS.iter().map(|kind| kind.key).collect();
    let words = KINDS.iter().flat_map(|kind| [kind.key, kind.word]);
    let alike =
        words.clone().find(|known| known.eq_ignore_ascii_case(word)).map(|known| (0, known));
    let distances = words.map(|known| (strsim::damerau_levenshtein(word, known), known));
    let nearest = distances.min().filter(|(distance, _)| *distance < 3 && *distance < word.len());
    let nearest = alike.or(nearest);
    Failure::NoQuantity {
        word: word.to_owned(),
        nearest: nearest.map(|(_, known)| known.to_owned()),
        all,
    }
}

/// The robot's equations; of what is usual, only what it has.
fn document(
    mechanism: &Mechanism<'_>,
    robot: &Robot,
    kinds: &[&'static Kind],
    is_usual: bool,
) -> Document {
    let description = &robot.parsed.description;
    let (coordinates, velocities) = meaning::coordinates(description);
    let given = meaning::given(description);
    let has_rates = given.has_rates();
    let all = kinds.iter().map(|kind| quantity(mechanism, kind));
    let (quantities, none): (Vec<_>, Vec<_>) =
        all.partition(|quantity| !quantity.entries.is_empty());
    let note = |none: &Quantity| format!("{} has no {}.", description.name, none.kind.symbol[0]);
    let notes = none.iter().filter(|_| !is_usual).map(note).collect();
    let is_shown = |quantity: &Quantity| {
        let is_optional =
            ["U_s", "passive", "B", "h", "H", "phi", "J"].contains(&quantity.kind.key);
        let says_nothing = match quantity.kind.key {
            "qdot" => has_rates,
            _ => is_optional && quantity.is_zero(),
        };
        !(is_usual && says_nothing)
    };
    Document {
        robot: description.name.clone(),
        motion: meaning::motion(description),
        given,
        coordinates,
        velocities,
        inputs: meaning::inputs(description),
        parameters: meaning::parameters(description, &robot.documented),
        quantities: quantities.into_iter().filter(is_shown).collect(),
        notes,
    }
}

/// A quantity in the graph's own form.
fn quantity(mechanism: &Mechanism<'_>, kind: &'static Kind) -> Quantity {
    let derived = (kind.derive)(mechanism);
    let shape = match &derived {
        Derived::Number(_) => Shape::Number,
        Derived::Vector(list) => Shape::Vector(list.len()),
        Derived::Matrix(rows) => Shape::Matrix(rows.len(), rows.first().map_or(0, Vec::len)),
    };
    let outputs = match kind.has_forms {
        true => cheapest(mechanism, kind),
        false => listed(derived),
    };
    let (mut definitions, mut entries) = lines(mechanism.graph, &outputs, mechanism.nq());
    if kind.arguments.contains(&Argument::Force) {
        let values = definitions.iter_mut().map(|definition| &mut definition.value);
        values.chain(&mut entries).for_each(|formula| formula.for_each_variable(&as_force));
    }
    Quantity { kind, shape, definitions, entries }
}

/// Brings formulas into reduced form, if that is possible; the document says why not.
#[cfg(feature = "symbolica")]
fn reduce(
    document: &mut Document,
    mechanism: &Mechanism<'_>,
    arguments: &Arguments,
) -> Result<bool, Failure> {
    if arguments.lines {
        return Ok(false);
    }
    // What solves equations has no form that is short.
    let has_form = |quantity: &Quantity| quantity.kind.key != "forward";
    let asked =
        document.quantities.iter().filter(|quantity| has_form(quantity)).map(|quantity| {
            (quantity.kind, quantity.shape, listed((quantity.kind.derive)(mechanism)))
        });
    let asked: Vec<_> = asked.collect();
    let key = arguments.license_key.as_deref();
    let reduced = reduced::reduced(mechanism, &document.given.rates, &asked, key, arguments.lump)?;
    let mut long = Vec::new();
    for ((kind, ..), reduced) in asked.iter().zip(reduced) {
        let place = document.quantities.iter_mut().find(|quantity| quantity.kind.key == kind.key);
        match (place, reduced) {
            (Some(place), Some(reduced)) => *place = reduced,
            _ => long.push(kind.symbol[0]),
        }
    }
    if !long.is_empty() {
        let (list, most) = (long.join(", "), reduced::MOST_TERMS);
        document.notes.push(format!(
            "Expanded, {list} would take more than {most} terms, or too many on the way."
        ));
    }
    Ok(long.is_empty() && !document.quantities.iter().any(|quantity| !has_form(quantity)))
}

#[cfg(not(feature = "symbolica"))]
fn reduce(_: &mut Document, _: &Mechanism<'_>, arguments: &Arguments) -> Result<bool, Failure> {
    match (arguments.lump, &arguments.license_key) {
        (false, None) => Ok(false),
        (true, _) => Err(Failure::NoFeature { word: "--lump" }),
        (_, Some(_)) => Err(Failure::NoFeature { word: "--license-key" }),
    }
}

fn cheapest<'g>(mechanism: &Mechanism<'g>, kind: &'static Kind) -> Vec<Expr<'g>> {
    let forms = Forms { limbs: Some(Limbs::OneByOne), ..Forms::default() };
    mechanism.in_cheapest_form(&forms, |m| listed((kind.derive)(m)))
}

fn listed(derived: Derived<'_>) -> Vec<Expr<'_>> {
    match derived {
        Derived::Number(x) => vec![x],
        Derived::Vector(list) => list,
        Derived::Matrix(rows) => rows.concat(),
    }
}

/// Forces stand where accelerations do elsewhere.
fn as_force(variable: &mut Variable) {
    if let Variable::Given(set @ symbols::A, _) = variable {
        *set = FORCE;
    }
}

/// What the drawing takes each parameter for.
fn values(arguments: &Arguments, document: &Document) -> Result<Vec<f64>, Failure> {
    let mut values = vec![1.0; document.parameters.len()];
    for pair in &arguments.set {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = document.parameters.iter().position(|parameter| parameter.name == name.trim());
        let Some(place) = place else {
            let names = document.parameters.iter().map(|parameter| parameter.name.clone());
            return Err(Failure::NoParameter { pair: pair.clone(), names: names.collect() });
        };
        values[place] = match value.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => value,
            _ => return Err(Failure::NoValue { pair: pair.clone() }),
        };
    }
    Ok(values)
}
