//! `jourdain equations` as its users run it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking, in its helpers too"
)]

mod command;
mod functions;
#[cfg(not(feature = "symbolica"))]
mod printed;
#[cfg(feature = "symbolica")]
mod textbook;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The command with these words behind `equations`.
fn jourdain(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jourdain"));
    command.arg("equations").args(words);
    command
}

fn run(words: &[&str]) -> Output {
    jourdain(words).output().expect("the command starts")
}

/// What it prints where all goes well.
fn printed(words: &[&str]) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The words that ask for the graph's own form, whatever features there are.
fn lines() -> &'static [&'static str] {
    if cfg!(feature = "symbolica") { &["--lines"] } else { &[] }
}
