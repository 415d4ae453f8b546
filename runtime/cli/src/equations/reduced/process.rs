//! The process that Symbolica has, and the lock before it.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use std::{env, io, process};

use clap::Args;
use jourdain_codegen::derive::{Mechanism, Shape};
use jourdain_codegen::expr::{Expr, Graph, Node, NodeId};
use symbolica::license::LicenseManager;

use super::reduce::answer;
use super::request::{Answer, Asked, Operation, Reduced, Request, Way};
use crate::equations::document::Quantity;
use crate::equations::kinds::Kind;
use crate::failure::{Failure, say};

/// The environment's variable for a key of Symbolica's.
pub(crate) const KEY: &str = "SYMBOLICA_LICENSE";

/// What a process says that has to wait.
const WAITING: &str =
    "another `jourdain` has Symbolica, which is licensed for one at a time: waiting until it ends";

/// Reduces formulas in this process; for `jourdain` itself.
#[derive(Args, Debug)]
pub(crate) struct Reduce {
    /// The file that asks
    request: PathBuf,
    /// The file that is written
    answer: PathBuf,
}

/// Reads a request, and writes the answer.
pub(crate) fn reduce(arguments: &Reduce) -> Result<(), Failure> {
    end_with_parent();
    let text = fs::read_to_string(&arguments.request)
        .map_err(|error| unreadable(&arguments.request, &error))?;
    let request: Request = serde_json::from_str(&text).map_err(|error| Failure::File {
        file: shown(&arguments.request),
        error: error.to_string(),
    })?;
    if let Some(key) = env::var(KEY).ok().filter(|key| !key.is_empty()) {
        LicenseManager::set_license_key(&key)
            .map_err(|error| Failure::Reduced(format!("Symbolica: {error}")))?;
    }
    let answer: Answer = answer(&request);
    let text = serde_json::to_string(&answer).map_err(|error| Failure::File {
        file: shown(&arguments.answer),
        error: error.to_string(),
    })?;
    fs::write(&arguments.answer, text).map_err(|error| unreadable(&arguments.answer, &error))
}

/// The quantities of a mechanism in reduced form; `None` of those that take more than [`MOST_TERMS`].
pub(crate) fn reduced(
    mechanism: &Mechanism<'_>,
    rates: &[Option<usize>],
    asked: &[(&'static Kind, Shape, Vec<Expr<'_>>)],
    key: Option<&str>,
    is_lumped: bool,
) -> Result<Vec<Option<Quantity>>, Failure> {
    let answer = ask(&request(mechanism, rates, asked, is_lumped), key)?;
    let quantity = |(reduced, (kind, shape, _)): (Option<Reduced>, &(&'static Kind, Shape, _))| {
        let Reduced { definitions, entries } = reduced?;
        Some(Quantity { kind, shape: *shape, definitions, entries })
    };
    let quantities: Vec<_> = answer.into_iter().zip(asked).map(quantity).collect();
    match quantities.iter().flatten().find(|quantity| !quantity.is_complete()) {
        None => Ok(quantities),
        Some(quantity) => {
            let symbol = quantity.kind.symbol[0];
            Err(Failure::Reduced(format!("Symbolica's process left {symbol} incomplete")))
        }
    }
}

fn request(
    mechanism: &Mechanism<'_>,
    rates: &[Option<usize>],
    asked: &[(&'static Kind, Shape, Vec<Expr<'_>>)],
    is_lumped: bool,
) -> Request {
    let energies =
        [mechanism.kinetic_energy(), mechanism.potential_energy(), mechanism.elastic_energy()];
    let outputs: Vec<_> =
        asked.iter().flat_map(|(_, _, outputs)| outputs.iter().copied()).collect();
    let (operations, places) = operations(mechanism.graph, &[&energies[..], &outputs].concat());
    let way = |kind: &Kind| match kind.key {
        "T" => Way::Kinetic,
        "U" => Way::Potential,
        "M" => Way::Mass,
        "C" => Way::Coriolis,
        "gravity" => Way::Gravity,
        _ => Way::Alone,
    };
    let of = |(kind, _, outputs): &(&'static Kind, Shape, Vec<Expr<'_>>)| Asked {
        way: way(kind),
        outputs: outputs.iter().map(|output| places[&output.id()]).collect(),
    };
    Request {
        fields: mechanism.description.fields.clone(),
        is_lumped,
        nq: mechanism.nq(),
        rates: rates.to_vec(),
        runs: mechanism.parallel_coordinates(),
        operations,
        energies: energies.map(|energy| places[&energy.id()]),
        asked: asked.iter().map(of).collect(),
    }
}

/// What `outputs` need as a list, and the place of each node in it.
fn operations(graph: &Graph, outputs: &[Expr<'_>]) -> (Vec<Operation>, HashMap<NodeId, usize>) {
    let order = graph.reachable(outputs);
    let places: HashMap<NodeId, usize> = order.iter().enumerate().map(|(k, &id)| (id, k)).collect();
    let at = |id: NodeId| places[&id];
    let operation = |&id: &NodeId| match graph.node(id) {
        Node::Constant(bits) => Operation::Number(bits),
        Node::Symbol(symbol) => Operation::Given(symbol.set, symbol.index),
        Node::Add(a, b) => Operation::Add(at(a), at(b)),
        Node::Sub(a, b) => Operation::Sub(at(a), at(b)),
        Node::Mul(a, b) => Operation::Mul(at(a), at(b)),
        Node::Div(a, b) => Operation::Div(at(a), at(b)),
        Node::Neg(a) => Operation::Neg(at(a)),
        Node::Sin(a) => Operation::Sin(at(a)),
        Node::Cos(a) => Operation::Cos(at(a)),
        Node::Sqrt(a) => Operation::Sqrt(at(a)),
        // The described form of a mechanism has no lanes.
        Node::Pair(_) | Node::Quad(_) | Node::Lane(..) | Node::Sum(_) => {
            Operation::Number(f64::NAN.to_bits())
        }
    };
    (order.iter().map(operation).collect(), places)
}

/// Ends this process when the one that has started it ends.
fn end_with_parent() {
    #[cfg(unix)]
    std::thread::spawn(|| {
        use std::os::unix::process::parent_id;
        let parent = parent_id();
        while parent_id() == parent {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        process::exit(3);
    });
}

/// Has another process answer.
fn ask(request: &Request, key: Option<&str>) -> Result<Answer, Failure> {
    let folder = env::temp_dir();
    let lock = lock()?;
    let time =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    let file = |word: &str| folder.join(format!("jourdain-{}-{time}-{word}.json", process::id()));
    let (question, reply) = (file("request"), file("answer"));
    let text = serde_json::to_string(request)
        .map_err(|error| Failure::File { file: shown(&question), error: error.to_string() })?;
    for (path, text) in [(&question, text.as_str()), (&reply, "")] {
        write_new(path, text).map_err(|error| unreadable(path, &error))?;
    }
    let answer = run(&question, &reply, key, &lock);
    drop(lock);
    // What is left of them hurts nobody.
    let _ = (fs::remove_file(&question), fs::remove_file(&reply));
    answer
}

/// Writes a file that did not exist. A link of that name, which could lead elsewhere, is an error.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

fn run(question: &Path, reply: &Path, key: Option<&str>, lock: &File) -> Result<Answer, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::Reduced(format!("Symbolica's process failed: {error}"))
    };
    let program = env::current_exe().map_err(|error| failed(&error))?;
    let mut child = Command::new(program)
        .envs(key.map(|key| (KEY, key)))
        .arg("reduce")
        .args([question, reply])
        // The lock as its input, so that it is locked until both have ended.
        .stdin(lock.try_clone().map_err(|error| failed(&error))?)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    let mut said = String::new();
    if let Some(output) = &mut child.stdout {
        output.read_to_string(&mut said).map_err(|error| failed(&error))?;
    }
    let status = child.wait().map_err(|error| failed(&error))?;
    if !said.trim().is_empty() {
        say(&said.trim_end());
    }
    if !status.success() {
        return Err(failed(&status));
    }
    let text = fs::read_to_string(reply).map_err(|error| unreadable(reply, &error))?;
    serde_json::from_str(&text).map_err(|error| failed(&error))
}

/// Waits until no other process of this user has Symbolica. The lock is free again once every process that has the file open
/// has ended.
fn lock() -> Result<File, Failure> {
    // Not where sessions differ: each of a user's processes has to find the same file.
    let homes = ["HOME", "USERPROFILE"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let homes = homes.filter(|home| home.is_absolute());
    let mut refused = None;
    for folder in homes.chain([env::temp_dir()]) {
        let path = folder.join(".jourdain-symbolica.lock");
        match File::options().write(true).create(true).truncate(false).open(&path) {
            Ok(file) => {
                match file.try_lock() {
                    Ok(()) => {}
                    Err(TryLockError::WouldBlock) => {
                        say(&WAITING);
                        file.lock().map_err(|error| unreadable(&path, &error))?;
                    }
                    Err(TryLockError::Error(error)) => return Err(unreadable(&path, &error)),
                }
                return Ok(file);
            }
            Err(error) => refused = Some(unreadable(&path, &error)),
        }
    }
    Err(refused.unwrap_or_else(|| Failure::Reduced("there is no folder for a lock".to_owned())))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::File { file: shown(path), error: error.to_string() }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
