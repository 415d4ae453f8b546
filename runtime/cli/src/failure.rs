//! What can go wrong, in a line each, and the exit codes.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file cannot be read, or written.
    File { file: String, error: String },
    /// A file is neither a Rust source nor a URDF.
    NoSource { file: String },
    /// The description has errors, each with its place.
    Described(Vec<String>),
    /// There is no robot in a source file.
    NoRobot { file: String },
    /// There are several.
    WhichRobot { file: String, names: Vec<String> },
    /// None of them is called so.
    NotARobot { name: String, file: String, names: Vec<String> },
    /// A word is none of the quantities.
    NoQuantity { word: String, nearest: Option<String>, all: Vec<&'static str> },
    /// A value for the drawing is of no parameter.
    NoParameter { pair: String, names: Vec<String> },
    /// A value for the drawing is none.
    NoValue { pair: String },
    /// An option is of a feature that this command was built without.
    #[cfg(not(feature = "symbolica"))]
    NoFeature { word: &'static str },
    /// An option has no meaning here.
    NoUse { word: &'static str, of: &'static str },
    /// Formulas could not be brought into the form that was asked for.
    #[cfg(feature = "symbolica")]
    Reduced(String),
}

impl Failure {
    /// 1 where the description is wrong, 2 where the command is, 3 where files or programs fail.
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Failure::Described(_) => ExitCode::from(1),
            Failure::NoSource { .. }
            | Failure::NoRobot { .. }
            | Failure::WhichRobot { .. }
            | Failure::NotARobot { .. }
            | Failure::NoQuantity { .. }
            | Failure::NoParameter { .. }
            | Failure::NoValue { .. }
            | Failure::NoUse { .. } => ExitCode::from(2),
            #[cfg(not(feature = "symbolica"))]
            Failure::NoFeature { .. } => ExitCode::from(2),
            Failure::File { .. } => ExitCode::from(3),
            #[cfg(feature = "symbolica")]
            Failure::Reduced(_) => ExitCode::from(3),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::File { file, error } => write!(f, "`{file}`: {error}"),
            Failure::Described(list) => f.write_str(&list.join("\n")),
            Failure::NoSource { file } => write!(
                f,
                "`{file}` is neither a Rust source, whose name ends in `.rs`, nor a URDF, which begins with `<`"
            ),
            Failure::NoRobot { file } => write!(
                f,
                "`{file}` describes no robot: expected a struct under `#[derive(Robot)] #[robot(…)]`"
            ),
            Failure::WhichRobot { file, names } => write!(
                f,
                "`{file}` describes {} robots, {}: say which with `--robot`",
                names.len(),
                names.join(", ")
            ),
            Failure::NotARobot { name, file, names } => {
                write!(
                    f,
                    "there is no robot `{name}` in `{file}`, which describes {}",
                    names.join(", ")
                )
            }
            Failure::NoQuantity { word, nearest, all } => {
                write!(f, "`{word}` is none of the quantities {}", all.join(", "))?;
                nearest.as_ref().map_or(Ok(()), |nearest| write!(f, "; did you mean `{nearest}`?"))
            }
            Failure::NoUse { word, of } => write!(f, "`{word}` is for {of} only"),
            Failure::NoParameter { pair, names } => write!(
                f,
                "`--set {pair}` names no parameter: expected `name=number` of {}",
                names.join(", ")
            ),
            Failure::NoValue { pair } => {
                write!(f, "`--set {pair}` gives no value: expected a finite number behind `=`")
            }
            #[cfg(not(feature = "symbolica"))]
            Failure::NoFeature { word } => {
                write!(f, "`{word}` is for a command that is built with the feature `symbolica`")
            }
            #[cfg(feature = "symbolica")]
            Failure::Reduced(reason) => f.write_str(reason),
        }
    }
}

/// Says something on standard error; where nobody can be told, nothing else is left to do.
pub(crate) fn say(line: &dyn fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
