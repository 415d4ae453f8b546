//! Functions in each language compute what the kernels of the derived robot compute.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jourdain::model::Model;
use jourdain_models::{Acrobot, DoublePendulum, HollowBall, SliderCrank, Solo12, Ur5};

use crate::{file, lines, printed};

/// A robot's state, its parameters, and what its kernels say there, row by row.
struct Case {
    source: &'static str,
    robot: &'static str,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    parameters: Vec<f64>,
    expected: BTreeMap<&'static str, Vec<f64>>,
}

const TIME: f64 = 0.3;

/// What only some robots have.
macro_rules! rows {
    (constraints, $expected:ident, $robot:ident, $q:ident, $v:ident) => {
        let h = $robot.constraint_jacobian(&$q, &$v, TIME);
        $expected.insert("constraint", $robot.constraint(&$q, TIME).as_slice().to_vec());
        $expected.insert("constraint_jacobian", h.transpose().as_slice().to_vec());
    };
    (contacts, $expected:ident, $robot:ident, $q:ident, $v:ident) => {
        $expected.insert("gap", $robot.gap(&$q).as_slice().to_vec());
        $expected.insert(
            "contact_jacobian",
            $robot.contact_jacobian(&$q).transpose().as_slice().to_vec(),
        );
        $expected.insert("contact_bias", $robot.contact_bias(&$q, &$v).as_slice().to_vec());
    };
}

macro_rules! case {
    ($source:literal, $robot:ident { $($field:ident: $value:expr),* } $(, $rows:ident)*) => {{
        let robot = $robot { $($field: $value),* };
        let mut random = fastrand::Rng::with_seed(7);
        let mut draw = || 2.0 * random.f64() - 1.0;
        let mut q = robot.neutral();
        let step = <$robot as Model>::V::from_fn(|_, _| draw());
        q = robot.integrate(&q, &step);
        let v = <$robot as Model>::V::from_fn(|_, _| draw());
        let a = <$robot as Model>::V::from_fn(|_, _| draw());
        #[allow(unused_mut, reason = "some robots have neither constraints nor contacts")]
        let mut expected = BTreeMap::from([
            ("kinetic_energy", vec![robot.kinetic_energy(&q, &v)]),
            ("potential_energy", vec![robot.potential_energy(&q)]),
            ("mass_matrix", robot.mass_matrix(&q).transpose().as_slice().to_vec()),
            ("coriolis_matrix", robot.coriolis_matrix(&q, &v).transpose().as_slice().to_vec()),
            ("gravity_force", robot.gravity_force(&q).as_slice().to_vec()),
            ("bias_force", robot.bias_force(&q, &v).as_slice().to_vec()),
            ("input_matrix", robot.input_matrix().transpose().as_slice().to_vec()),
            ("generalized_momentum", (robot.mass_matrix(&q) * v).as_slice().to_vec()),
            ("passive_force", robot.passive_force(&q, &v).as_slice().to_vec()),
            ("center_of_mass", robot.center_of_mass(&q).as_slice().to_vec()),
            ("momentum", robot.momentum(&q, &v).as_slice().to_vec()),
            ("inverse_dynamics", robot.inverse_dynamics(&q, &v, &a).as_slice().to_vec()),
            ("forward_dynamics", robot.forward_dynamics(&q, &v, &a).as_slice().to_vec()),
        ]);
        $(rows!($rows, expected, robot, q, v);)*
        Case {
            source: $source,
            robot: stringify!($robot),
            q: q.as_slice().to_vec(),
            v: v.as_slice().to_vec(),
            a: a.as_slice().to_vec(),
            parameters: vec![$($value),*],
            expected,
        }
    }};
}

fn cases() -> Vec<Case> {
    vec![
        case!("double_pendulum", DoublePendulum { m1: 1.2, m2: 0.7, l1: 0.5, l2: 0.8 }),
        case!(
            "acrobot",
            Acrobot { m1: 1.2, m2: 0.7, l1: 0.5, l2: 0.8, height: 1.5, mu: 0.6, e: 0.2 },
            contacts
        ),
        case!("slider_crank", SliderCrank { r: 0.2, l: 0.7, m: 0.4, omega: 3.0 }, constraints),
        case!("hollow_ball", HollowBall { m: 0.5, r: 0.1, mu: 0.4, e: 0.5 }, contacts),
        case!("ur5", Ur5 {}),
        case!("solo12", Solo12 {}, contacts),
    ]
}

/// What is given to a function, by the names of its arguments.
fn argument<'a>(case: &'a Case, word: &str) -> &'a [f64] {
    match word {
        "q" => &case.q,
        "v" => &case.v,
        "a" | "tau" => &case.a,
        other => panic!("no argument is called {other}"),
    }
}

/// The quantities that can be called, with their arguments; what has no rows is left out.
fn quantities(case: &Case, words: &[&str]) -> Vec<(String, Vec<String>, usize)> {
    let sheet: serde_json::Value =
        serde_json::from_str(&printed(&[words, &["--json"]].concat())).expect("JSON");
    let list = sheet["quantities"].as_array().expect("a list");
    let of = |quantity: &serde_json::Value| {
        let arguments = quantity["arguments"].as_array().expect("a list");
        let arguments = arguments.iter().map(|word| word.as_str().expect("a word").to_owned());
        let name = quantity["name"].as_str().expect("a name").to_owned();
        let shape = quantity["shape"].as_array().expect("a list").len();
        (name, arguments.collect(), shape)
    };
    let list = list.iter().map(of);
    list.filter(|(name, ..)| case.expected.get(name.as_str()).is_some_and(|x| !x.is_empty()))
        .collect()
}

/// All quantities in a language, called at the state of each robot, by `program`.
fn agrees(
    form: &str,
    extension: &str,
    program: impl Fn(&Case, &str, &[(String, Vec<String>, usize)], &Path) -> String,
) {
    for case in cases() {
        let source = file(&format!("models/src/{}.rs", case.source));
        let source = source.to_str().expect("UTF-8");
        let all = case.expected.keys().copied().collect::<Vec<_>>().join(",");
        let words =
            [&[source, "--robot", case.robot, "--only", &all, "--form", form], lines()].concat();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("{}_{form}.{extension}", case.source));
        let calls = quantities(&case, &words);
        let output = program(&case, &printed(&words), &calls, &path);
        let mut numbers =
            output.split_whitespace().map(|word| word.parse::<f64>().expect("a number"));
        for (name, ..) in &calls {
            let expected = &case.expected[name.as_str()];
            let scale = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            for (k, x) in expected.iter().enumerate() {
                let found = numbers.next().expect("as many numbers as the kernels have");
                let error = (found - x).abs();
                assert!(
                    error <= 1e-12 * scale,
                    "{} of {} in {form}, {k}: {found}, not {x}",
                    name,
                    case.robot
                );
            }
        }
        assert_eq!(numbers.next(), None, "{} in {form}", case.robot);
    }
}

fn succeeded(command: &mut Command) -> String {
    let output = command.output().expect("the program is there");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn list(x: &[f64]) -> String {
    x.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn python_computes_what_kernels_do() {
    agrees("python", "py", |case, source, calls, path| {
        let mut text = source.to_owned();
        text.push_str(&format!("\n\np = Parameters({})\n", list(&case.parameters)));
        for (name, arguments, shape) in calls {
            let given = arguments.iter().map(|word| match word.as_str() {
                "t" => format!("{TIME:?}"),
                word => format!("[{}]", list(argument(case, word))),
            });
            let given: Vec<_> = given.chain(["p".to_owned()]).collect();
            let call = format!("{name}({})", given.join(", "));
            let numbers = match shape {
                0 => format!("[{call}]"),
                1 => call,
                _ => format!("[x for row in {call} for x in row]"),
            };
            text.push_str(&format!("print(*map(repr, {numbers}))\n"));
        }
        fs::write(path, text).expect("the folder of tests");
        succeeded(Command::new("python3").arg(path))
    });
}

#[test]
fn rust_computes_what_kernels_do() {
    agrees("rust", "rs", |case, source, calls, path| {
        let names: Vec<_> =
            source.lines().skip_while(|line| !line.contains("struct Parameters")).skip(1).collect();
        let names = names.iter().take_while(|line| **line != "}");
        let names = names.filter_map(|line| {
            line.trim().strip_prefix("pub ")?.split_once(':').map(|(name, _)| name)
        });
        let fields: Vec<_> =
            names.zip(&case.parameters).map(|(name, x)| format!("{name}: {x:?}")).collect();
        let mut text = format!(
            "#![deny(warnings)]\n{source}\nfn main() {{\n    let p = Parameters {{ {} }};\n",
            fields.join(", ")
        );
        for (name, arguments, shape) in calls {
            let given = arguments.iter().map(|word| match word.as_str() {
                "t" => format!("{TIME:?}"),
                word => format!("&[{}]", list(argument(case, word))),
            });
            let given: Vec<_> = given.chain(["&p".to_owned()]).collect();
            let call = format!("{name}({})", given.join(", "));
            let numbers = match shape {
                0 => format!("[{call}]"),
                1 => call,
                _ => format!("{call}.concat()"),
            };
            text.push_str(&format!(
                "    for x in {numbers} {{\n        println!(\"{{x:?}}\");\n    }}\n"
            ));
        }
        // What is not called is no mistake of the source.
        let text =
            text.replacen("#![deny(warnings)]", "#![deny(warnings)]\n#![allow(dead_code)]", 1)
                + "}\n";
        fs::write(path, text).expect("the folder of tests");
        let program = path.with_extension("rust");
        succeeded(Command::new("rustc").args(["--edition", "2024", "-o"]).args([&program, path]));
        succeeded(&mut Command::new(program))
    });
}

#[test]
fn c_computes_what_kernels_do() {
    agrees("c", "c", |case, source, calls, path| {
        // Functions are called with the robot's name in front of theirs.
        let name_of = |name: &str| {
            let found = source.lines().filter_map(|line| {
                let word =
                    line.split(['(', ' ']).find(|word| word.ends_with(&format!("_{name}")))?;
                line.contains(&format!("{word}(")).then(|| word.to_owned())
            });
            // The shortest, since names of others may end so too.
            found.min_by_key(String::len).expect("a function")
        };
        let parameters =
            source.lines().find_map(|line| line.strip_prefix("struct ")).expect("a struct");
        let parameters = parameters.trim_end_matches([' ', '{']);
        let values =
            if case.parameters.is_empty() { "0".to_owned() } else { list(&case.parameters) };
        let mut text = format!(
            "{source}\n#include <stdio.h>\nint main(void) {{\n    const struct {parameters} p = {{{values}}};\n"
        );
        for (name, arguments, shape) in calls {
            let given = arguments.iter().map(|word| match word.as_str() {
                "t" => format!("{TIME:?}"),
                word => format!("(const double[]){{{}}}", list(argument(case, word))),
            });
            let given: Vec<_> = given.chain(["&p".to_owned()]).collect();
            let (name_in_c, given, count) =
                (name_of(name), given.join(", "), case.expected[name.as_str()].len());
            text.push_str(&match shape {
                0 => format!("    printf(\"%.17g\\n\", {name_in_c}({given}));\n"),
                _ => format!(
                    "    {{ double out[{count}]; {name_in_c}({given}, (void *)out); for (int k = 0; k < {count}; k++) printf(\"%.17g\\n\", out[k]); }}\n"
                ),
            });
        }
        text.push_str("    return 0;\n}\n");
        fs::write(path, text).expect("the folder of tests");
        let program = path.with_extension("program");
        succeeded(
            Command::new("cc")
                .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
                .args([&program, path])
                .arg("-lm"),
        );
        succeeded(&mut Command::new(program))
    });
}
