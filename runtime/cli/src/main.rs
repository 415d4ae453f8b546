//! The command `jourdain`.
//!
//! # Exit codes
//!
//! 0 where all went well; 1 where a description has errors; 2 where the command is wrong; 3 where a file cannot be read
//! or written, or another program fails.

mod equations;
mod failure;
mod source;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Robots that are described by annotated structs or by URDF
#[derive(Debug, Parser)]
#[command(name = "jourdain", version, about, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 where all went well, 1 where a description has errors, 2 where the command is \
                          wrong, 3 where a file cannot be read or written, or another program fails";

#[derive(Debug, Subcommand)]
enum Command {
    Equations(equations::Arguments),
    #[cfg(feature = "symbolica")]
    #[command(hide = true)]
    Reduce(equations::reduced::Reduce),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Equations(arguments) => equations::run(&arguments),
        #[cfg(feature = "symbolica")]
        Command::Reduce(arguments) => equations::reduced::reduce(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure::say(&failure);
            failure.code()
        }
    }
}
