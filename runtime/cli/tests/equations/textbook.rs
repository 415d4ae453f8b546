//! Expanded and collected formulas are those of textbooks, which are typed here as functions, and read as they do.
//!
//! # Source
//!
//! Two-link arms, cart and pole, acrobot, quadrotor, hollow ball: Tedrake, Underactuated Robotics. Compass gait: Goswami,
//! Thuilot, Espiau, A study of the passive gait of a compass-like biped robot (1998), in relative angles. The others by
//! hand.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{file, jourdain, printed};

/// A quantity at q, v and the parameters, row by row.
type Formula = fn(&[f64], &[f64], &[f64]) -> Vec<f64>;

struct Textbook {
    source: &'static str,
    robot: &'static str,
    nq: usize,
    parameters: usize,
    formulas: Vec<(&'static str, &'static str, Formula)>,
}

const STATES: usize = 100;

/// T of a mass matrix.
fn kinetic(mass: Formula, q: &[f64], v: &[f64], p: &[f64]) -> Vec<f64> {
    let m = mass(q, v, p);
    let n = v.len();
    vec![(0..n * n).map(|k| 0.5 * m[k] * v[k / n] * v[k % n]).sum()]
}

/// C of two relative angles, from h = −½ ∂M₁₁/∂q₂.
fn coriolis(h: f64, v: &[f64]) -> Vec<f64> {
    vec![-h * v[1], -h * (v[0] + v[1]), h * v[0], 0.0]
}

fn pendulum(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    let &[m1, m2, l1, l2, ..] = p else { panic!("five parameters") };
    let c2 = q[1].cos();
    let both = m2 * (l2 * l2 + l1 * l2 * c2);
    vec![m1 * l1 * l1 + m2 * (l1 * l1 + l2 * l2 + 2.0 * l1 * l2 * c2), both, both, m2 * l2 * l2]
}

/// Of rods with inertia; `l` is the length of the first, `r` where the centres of mass are.
fn rods([m1, m2, i1, i2]: [f64; 4], l: f64, r: [f64; 2], c2: f64) -> Vec<f64> {
    let both = i2 + m2 * (r[1] * r[1] + l * r[1] * c2);
    let first = i1 + i2 + m1 * r[0] * r[0] + m2 * (l * l + r[1] * r[1] + 2.0 * l * r[1] * c2);
    vec![first, both, both, i2 + m2 * r[1] * r[1]]
}

fn two_rods(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    rods([p[0], p[1], p[2], p[3]], p[4], [p[5], p[6]], q[1].cos())
}

fn acrobot(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    rods([p[0], p[1], p[2], p[3]], p[4], [p[5], p[6]], q[1].cos())
}

fn arm(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    let &[m1, m2, m, i1, i2, l1, l2, r1, r2] = p else { panic!("nine parameters") };
    let c2 = q[1].cos();
    let mut mass = rods([m1, m2, i1, i2], l1, [r1, r2], c2);
    let load = m * (l2 * l2 + l1 * l2 * c2);
    mass[0] += m * (l1 * l1 + l2 * l2 + 2.0 * l1 * l2 * c2);
    mass[1] += load;
    mass[2] += load;
    mass[3] += m * l2 * l2;
    mass
}

fn cart_pole(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    let both = p[1] * p[2] * q[1].cos();
    vec![p[0] + p[1], both, both, p[1] * p[2] * p[2]]
}

fn compass(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    let &[mh, m, a, b, _] = p else { panic!("five parameters") };
    let (l, c2) = (a + b, q[1].cos());
    let both = m * b * (b - l * c2);
    vec![m * a * a + mh * l * l + m * (l * l + b * b - 2.0 * l * b * c2), both, both, m * b * b]
}

fn diagonal(entries: &[f64]) -> Vec<f64> {
    let n = entries.len();
    (0..n * n).map(|k| if k / n == k % n { entries[k / n] } else { 0.0 }).collect()
}

fn slider(q: &[f64], _: &[f64], p: &[f64]) -> Vec<f64> {
    let &[m1, m2, m3, r, l] = p else { panic!("five parameters") };
    let (i1, i2) = (m1 * r * r / 12.0, m2 * l * l / 12.0);
    let both = rods([m1, m2, i1, i2], r, [r / 2.0, l / 2.0], q[1].cos());
    vec![both[0], both[1], 0.0, both[2], both[3], 0.0, 0.0, 0.0, m3]
}

fn pendulums() -> Vec<Textbook> {
    let double = Textbook {
        source: "pendulums",
        robot: "DoublePendulum",
        nq: 2,
        parameters: 5,
        formulas: vec![
            ("T", "kinetic_energy", |q, v, p| kinetic(pendulum, q, v, p)),
            ("U", "potential_energy", |q, _, p| {
                let (c1, c12) = (q[0].cos(), (q[0] + q[1]).cos());
                vec![-(p[0] + p[1]) * p[4] * p[2] * c1 - p[1] * p[4] * p[3] * c12]
            }),
            ("M", "mass_matrix", pendulum),
            ("C", "coriolis_matrix", |q, v, p| coriolis(p[1] * p[2] * p[3] * q[1].sin(), v)),
            ("gravity", "gravity_force", |q, _, p| {
                let (s1, s12) = (q[0].sin(), (q[0] + q[1]).sin());
                let second = -p[1] * p[4] * p[3] * s12;
                vec![-(p[0] + p[1]) * p[4] * p[2] * s1 + second, second]
            }),
        ],
    };
    let rods = Textbook {
        source: "pendulums",
        robot: "Rods",
        nq: 2,
        parameters: 8,
        formulas: vec![
            ("T", "kinetic_energy", |q, v, p| kinetic(two_rods, q, v, p)),
            ("M", "mass_matrix", two_rods),
            ("C", "coriolis_matrix", |q, v, p| coriolis(p[1] * p[4] * p[6] * q[1].sin(), v)),
            ("gravity", "gravity_force", |q, _, p| {
                let (s1, s12) = (q[0].sin(), (q[0] + q[1]).sin());
                let second = -p[1] * p[6] * p[7] * s12;
                vec![-(p[0] * p[5] + p[1] * p[4]) * p[7] * s1 + second, second]
            }),
        ],
    };
    let arm = Textbook {
        source: "pendulums",
        robot: "Arm",
        nq: 2,
        parameters: 9,
        formulas: vec![
            ("M", "mass_matrix", arm),
            ("C", "coriolis_matrix", |q, v, p| {
                coriolis((p[1] * p[8] + p[2] * p[6]) * p[5] * q[1].sin(), v)
            }),
            ("gravity", "gravity_force", |_, _, _| vec![0.0, 0.0]),
        ],
    };
    let names = Textbook {
        source: "pendulums",
        robot: "Names",
        nq: 1,
        parameters: 7,
        formulas: vec![
            ("U", "potential_energy", |q, _, p| {
                let (first, second) = (q[0] + p[3], 1.5 * q[0] + p[3] + p[4]);
                vec![-p[6] * p[2] * ((p[0] + p[1]) * first.cos() + p[1] * second.cos())]
            }),
            ("M", "mass_matrix", |q, _, p| {
                let between = (0.5 * q[0] + p[4]).cos();
                vec![p[2] * p[2] * (p[0] + p[1] * (1.0 + 2.25 + 3.0 * between))]
            }),
            ("gravity", "gravity_force", |q, _, p| {
                let (first, second) = (q[0] + p[3], 1.5 * q[0] + p[3] + p[4]);
                vec![-p[6] * p[2] * ((p[0] + p[1]) * first.sin() + 1.5 * p[1] * second.sin())]
            }),
        ],
    };
    vec![double, rods, arm, names]
}

fn driven() -> Vec<Textbook> {
    let cart_pole = Textbook {
        source: "machines",
        robot: "CartPole",
        nq: 2,
        parameters: 4,
        formulas: vec![
            ("T", "kinetic_energy", |q, v, p| kinetic(cart_pole, q, v, p)),
            ("U", "potential_energy", |q, _, p| vec![-p[1] * p[3] * p[2] * q[1].cos()]),
            ("M", "mass_matrix", cart_pole),
            ("C", "coriolis_matrix", |q, v, p| {
                vec![0.0, -p[1] * p[2] * q[1].sin() * v[1], 0.0, 0.0]
            }),
            ("gravity", "gravity_force", |q, _, p| vec![0.0, -p[1] * p[3] * p[2] * q[1].sin()]),
            ("B", "input_matrix", |_, _, _| vec![1.0, 0.0]),
        ],
    };
    let acrobot = Textbook {
        source: "machines",
        robot: "Acrobot",
        nq: 2,
        parameters: 8,
        formulas: vec![
            ("M", "mass_matrix", acrobot),
            ("C", "coriolis_matrix", |q, v, p| coriolis(p[1] * p[4] * p[6] * q[1].sin(), v)),
            ("gravity", "gravity_force", |q, _, p| {
                let (s1, s12) = (q[0].sin(), (q[0] + q[1]).sin());
                let second = -p[1] * p[7] * p[6] * s12;
                vec![-p[0] * p[7] * p[5] * s1 - p[1] * p[7] * p[4] * s1 + second, second]
            }),
            ("B", "input_matrix", |_, _, _| vec![0.0, 1.0]),
        ],
    };
    let quadrotor = Textbook {
        source: "machines",
        robot: "Quadrotor",
        nq: 3,
        parameters: 4,
        formulas: vec![
            ("M", "mass_matrix", |_, _, p| diagonal(&[p[0], p[0], p[1]])),
            ("C", "coriolis_matrix", |_, _, _| vec![0.0; 9]),
            ("gravity", "gravity_force", |_, _, p| vec![0.0, -p[0] * p[3], 0.0]),
            ("phi", "gap", |q, _, p| vec![q[1] - p[2] * q[2].sin(), q[1] + p[2] * q[2].sin()]),
            ("J", "contact_jacobian", |q, _, p| {
                let (s, c) = (p[2] * q[2].sin(), p[2] * q[2].cos());
                let left = [0.0, 1.0, -c, 1.0, 0.0, s, 0.0, 0.0, 0.0];
                let right = [0.0, 1.0, c, 1.0, 0.0, -s, 0.0, 0.0, 0.0];
                [left, right].concat()
            }),
        ],
    };
    vec![cart_pole, acrobot, quadrotor]
}

fn rolling_and_walking() -> Vec<Textbook> {
    let disc = Textbook {
        source: "machines",
        robot: "Disc",
        nq: 4,
        parameters: 4,
        formulas: vec![
            ("M", "mass_matrix", |_, _, p| diagonal(&[p[0], p[0], p[1], p[2]])),
            ("C", "coriolis_matrix", |_, _, _| vec![0.0; 16]),
            ("H", "constraint_jacobian", |q, _, p| {
                let (s, c) = (p[3] * q[2].sin(), p[3] * q[2].cos());
                vec![1.0, 0.0, 0.0, -c, 0.0, 1.0, 0.0, -s]
            }),
        ],
    };
    let gait = Textbook {
        source: "machines",
        robot: "CompassGait",
        nq: 2,
        parameters: 5,
        formulas: vec![
            ("T", "kinetic_energy", |q, v, p| kinetic(compass, q, v, p)),
            ("M", "mass_matrix", compass),
            ("C", "coriolis_matrix", |q, v, p| {
                coriolis(-p[1] * (p[2] + p[3]) * p[3] * q[1].sin(), v)
            }),
            ("gravity", "gravity_force", |q, _, p| {
                let &[mh, m, a, b, g] = p else { panic!("five parameters") };
                let (s1, s12) = (q[0].sin(), (q[0] + q[1]).sin());
                let second = -m * g * b * s12;
                vec![g * (mh * (a + b) + m * a + m * (a + b)) * s1 + second, second]
            }),
        ],
    };
    let ball = Textbook {
        source: "machines",
        robot: "HollowBall",
        nq: 3,
        parameters: 5,
        formulas: vec![
            ("M", "mass_matrix", |_, _, p| diagonal(&[p[0], p[0], 2.0 / 3.0 * p[0] * p[1] * p[1]])),
            ("phi", "gap", |q, _, p| vec![q[1] - p[1]]),
            ("J", "contact_jacobian", |_, _, p| vec![0.0, 1.0, 0.0, 1.0, 0.0, p[1], 0.0, 0.0, 0.0]),
        ],
    };
    let crank = Textbook {
        source: "machines",
        robot: "SliderCrank",
        nq: 3,
        parameters: 5,
        formulas: vec![
            ("T", "kinetic_energy", |q, v, p| kinetic(slider, q, v, p)),
            ("M", "mass_matrix", slider),
            ("h", "constraint", |q, _, p| {
                let (first, both) = (q[0], q[0] + q[1]);
                vec![
                    p[3] * first.cos() + p[4] * both.cos() - q[2],
                    p[3] * first.sin() + p[4] * both.sin(),
                ]
            }),
            ("H", "constraint_jacobian", |q, _, p| {
                let (first, both) = (q[0], q[0] + q[1]);
                let (s, c) = (p[4] * both.sin(), p[4] * both.cos());
                vec![-p[3] * first.sin() - s, -s, -1.0, p[3] * first.cos() + c, c, 0.0]
            }),
        ],
    };
    vec![disc, gait, ball, crank]
}

/// The length of the rope.
fn rope(q: &[f64], p: &[f64]) -> f64 {
    let [x, z] = [q[0] + p[2] * q[1].sin(), p[7] + p[2] * q[1].cos()];
    x.hypot(z)
}

fn roped_and_free() -> Vec<Textbook> {
    let roped = Textbook {
        source: "machines",
        robot: "Roped",
        nq: 2,
        parameters: 10,
        formulas: vec![
            ("M", "mass_matrix", cart_pole),
            ("U_s", "elastic_energy", |q, _, p| {
                let (rail, rope) = (q[0] - p[5], rope(q, p) - p[9]);
                vec![0.5 * p[4] * rail * rail + 0.5 * p[8] * rope * rope]
            }),
            ("passive", "passive_force", |q, v, p| {
                let l = rope(q, p);
                let tension = p[8] * (l - p[9]) / l;
                let [s, c] = [q[1].sin(), q[1].cos()];
                vec![
                    -p[4] * (q[0] - p[5]) - p[6] * v[0] - tension * (q[0] + p[2] * s),
                    -tension * p[2] * (q[0] * c - p[7] * s),
                ]
            }),
        ],
    };
    let top = Textbook {
        source: "machines",
        robot: "Top",
        nq: 7,
        parameters: 4,
        formulas: vec![
            ("qdot", "configuration_velocity", |q, v, _| {
                let &[x, y, z, w] = &q[3..] else { panic!("a quaternion") };
                let along = |a: f64, b: f64, c: f64| a * v[0] + b * v[1] + c * v[2];
                let turn = |a: f64, b: f64, c: f64| 0.5 * (a * v[3] + b * v[4] + c * v[5]);
                vec![
                    along(
                        1.0 - 2.0 * (y * y + z * z),
                        2.0 * (x * y - z * w),
                        2.0 * (x * z + y * w),
                    ),
                    along(
                        2.0 * (x * y + z * w),
                        1.0 - 2.0 * (x * x + z * z),
                        2.0 * (y * z - x * w),
                    ),
                    along(
                        2.0 * (x * z - y * w),
                        2.0 * (y * z + x * w),
                        1.0 - 2.0 * (x * x + y * y),
                    ),
                    turn(w, -z, y),
                    turn(z, w, -x),
                    turn(-y, x, w),
                    turn(-x, -y, -z),
                ]
            }),
            ("M", "mass_matrix", |_, _, p| diagonal(&[p[0], p[0], p[0], p[1], p[1], p[2]])),
            ("U", "potential_energy", |q, _, p| vec![p[0] * p[3] * q[2]]),
        ],
    };
    vec![roped, top]
}

fn source(name: &str) -> String {
    file(&format!("runtime/cli/tests/robots/{name}.rs")).to_str().expect("UTF-8").to_owned()
}

/// The printed formulas of every quantity at all states, computed by Python.
fn computed(book: &Textbook, states: &[[Vec<f64>; 3]]) -> Vec<f64> {
    let only = book.formulas.iter().map(|(key, ..)| *key).collect::<Vec<_>>().join(",");
    let path = source(book.source);
    let mut text = printed(&[&path, "--robot", book.robot, "--only", &only, "--form", "python"]);
    text.push_str(&format!("\n\nfor q, v, p in {states:?}:\n    p = Parameters(*p)\n"));
    for (_, name, _) in &book.formulas {
        let arguments = match *name {
            "potential_energy" | "elastic_energy" | "mass_matrix" | "gravity_force" | "gap"
            | "contact_jacobian" => "q, p",
            "kinetic_energy" | "coriolis_matrix" | "passive_force" | "configuration_velocity" => {
                "q, v, p"
            }
            "constraint" => "q, 0.0, p",
            "constraint_jacobian" => "q, v, 0.0, p",
            _ => "p",
        };
        text.push_str(&format!(
            "    x = {name}({arguments})\n    x = x if isinstance(x, list) else [x]\n    \
             x = [y for row in x for y in row] if isinstance(x[0], list) else x\n    print(*map(repr, x))\n"
        ));
    }
    let script = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.py", book.robot));
    fs::write(&script, text).expect("the folder of tests");
    let output = Command::new("python3").arg(&script).output().expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).expect("UTF-8");
    output.split_whitespace().map(|x| x.parse().expect("a number")).collect()
}

fn agree(books: &[Textbook]) {
    let mut random = fastrand::Rng::with_seed(11);
    for book in books {
        let mut draw = |n: usize, low: f64, high: f64| -> Vec<f64> {
            (0..n).map(|_| low + (high - low) * random.f64()).collect()
        };
        let states: Vec<_> = (0..STATES)
            .map(|_| {
                [
                    draw(book.nq, -3.0, 3.0),
                    draw(book.nq, -2.0, 2.0),
                    draw(book.parameters, 0.2, 2.0),
                ]
            })
            .collect();
        let mut found = computed(book, &states).into_iter();
        for [q, v, p] in &states {
            for (key, _, formula) in &book.formulas {
                for (k, expected) in formula(q, v, p).into_iter().enumerate() {
                    let found = found.next().expect("a number for each entry");
                    let error = (found - expected).abs();
                    assert!(
                        error <= 1e-10,
                        "{key} of {}, entry {k}: {found}, not {expected}",
                        book.robot
                    );
                }
            }
        }
        assert_eq!(found.next(), None, "{}", book.robot);
        let path = source(book.source);
        insta::assert_snapshot!(book.robot, printed(&[&path, "--robot", book.robot]));
    }
}

#[test]
fn pendulums_are_those_of_textbooks() {
    agree(&pendulums());
}

#[test]
fn driven_machines_are_those_of_textbooks() {
    agree(&driven());
}

#[test]
fn rolling_and_walking_machines_are_those_of_textbooks() {
    agree(&rolling_and_walking());
}

#[test]
fn springs_and_quaternions_are_those_of_textbooks() {
    agree(&roped_and_free());
}

#[test]
fn what_parameters_make_together_has_a_name() {
    let path = source("pendulums");
    insta::assert_snapshot!("lumped", printed(&[&path, "--robot", "DoublePendulum", "--lump"]));
}

#[test]
fn latex_is_kept() {
    for (file, robot) in
        [("pendulums", "DoublePendulum"), ("machines", "CompassGait"), ("machines", "SliderCrank")]
    {
        let path = source(file);
        insta::assert_snapshot!(
            format!("{robot}_latex"),
            printed(&[&path, "--robot", robot, "--form", "latex"])
        );
    }
}

#[test]
fn functions_have_no_warnings() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for robot in ["CompassGait", "Roped", "SliderCrank"] {
        let sheet = |form| printed(&[&source("machines"), "--robot", robot, "--form", form]);
        let compiled = |command: &mut Command, path: &PathBuf| {
            let output = command.arg(path).current_dir(&folder).output().expect("a compiler");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        let path = folder.join(format!("{robot}.rs"));
        fs::write(&path, format!("#![deny(warnings)]\n{}", sheet("rust"))).expect("a folder");
        let words = ["--edition=2024", "--crate-type=lib", "--crate-name=printed"];
        compiled(Command::new("rustc").args(words), &path);
        let path = folder.join(format!("{robot}.c"));
        fs::write(&path, sheet("c")).expect("a folder");
        compiled(Command::new("cc").args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-c"]), &path);
    }
}

#[test]
fn what_is_too_long_is_said() {
    let path = file("models/src/solo12.rs");
    let sheet = printed(&[path.to_str().expect("UTF-8"), "--only", "T,B"]);
    assert!(
        sheet.contains("\nExpanded, T would take more than 200 terms, or too many on the way.\n"),
        "{sheet}"
    );
}

#[test]
fn who_comes_second_waits() {
    let path = file("models/src/ur5.rs");
    let first = jourdain(&[path.to_str().expect("UTF-8")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut first = first.expect("the command starts");
    std::thread::sleep(Duration::from_millis(700));
    let path = source("pendulums");
    let second = jourdain(&[&path, "--robot", "Rods"]).output().expect("the command starts");
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.success(), "{said}");
    assert!(said.contains("waiting until it ends"), "{said}");
    assert!(first.wait().expect("a child").success());
}

#[test]
fn what_is_killed_leaves_nothing_locked() {
    let path = file("models/src/ur5.rs");
    let first = jourdain(&[path.to_str().expect("UTF-8")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut first = first.expect("the command starts");
    std::thread::sleep(Duration::from_millis(700));
    first.kill().expect("a child");
    first.wait().expect("a child");
    let path = source("pendulums");
    assert!(printed(&[&path, "--robot", "Rods", "--only", "M"]).contains("I₁ + I₂"));
}
