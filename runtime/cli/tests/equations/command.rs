//! What the command says where something is wrong, and its exit codes.

use std::fs;
use std::path::PathBuf;

use crate::{file, jourdain, lines, printed, run};

/// Exit code, and what is said on standard error.
fn refused(words: &[&str]) -> (i32, String) {
    let output = run(words);
    assert!(output.stdout.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn written(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the folder of tests");
    path.to_str().expect("UTF-8").to_owned()
}

fn robots(name: &str) -> String {
    file(&format!("runtime/cli/tests/robots/{name}.rs")).to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_source_without_a_robot_says_so() {
    let path = written("none.rs", "pub struct Robot;\n");
    let (code, said) = refused(&[&path]);
    assert_eq!(code, 2);
    assert_eq!(
        said,
        format!(
            "`{path}` describes no robot: expected a struct under `#[derive(Robot)] #[robot(…)]`\n"
        )
    );
}

#[test]
fn of_several_robots_one_is_to_be_named() {
    let path = robots("pendulums");
    let (code, said) = refused(&[&path]);
    assert_eq!(code, 2);
    assert_eq!(
        said,
        format!(
            "`{path}` describes 4 robots, DoublePendulum, Rods, Arm, Names: say which with `--robot`\n"
        )
    );
    let (code, said) = refused(&[&path, "--robot", "Rod"]);
    assert_eq!(code, 2);
    assert_eq!(
        said,
        format!(
            "there is no robot `Rod` in `{path}`, which describes DoublePendulum, Rods, Arm, Names\n"
        )
    );
}

#[test]
fn a_quantity_that_is_none_is_named() {
    let path = robots("pendulums");
    let (code, said) = refused(&[&path, "--robot", "Rods", "--only", "M,mas_matrix"]);
    assert_eq!(code, 2);
    assert!(
        said.starts_with("`mas_matrix` is none of the quantities qdot, T, U, U_s, M, C, gravity,"),
        "{said}"
    );
    assert!(said.ends_with("did you mean `mass_matrix`?\n"), "{said}");
    assert_eq!(said.lines().count(), 1);
}

#[test]
fn errors_have_the_places_of_the_macros() {
    let path = written(
        "wrong.rs",
        "use jourdain::prelude::*;\n#[derive(Robot)]\n#[robot(\n    link(a, mass = n),\n    joint(j, revolte(world -> a)),\n)]\n\
         struct Wrong {\n    m: f64,\n}\n",
    );
    let (code, said) = refused(&[&path]);
    assert_eq!(code, 1);
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].starts_with(&format!("{path}:4:20: ")), "{said}");
    assert!(lines.iter().any(|line| line.starts_with(&format!("{path}:5:14: "))), "{said}");
}

#[test]
fn errors_of_a_urdf_have_its_lines() {
    let path = written(
        "wrong.urdf",
        "<robot name=\"r\">\n  <link name=\"a\"/>\n  <joint name=\"j\" type=\"revolute\">\n  </joint>\n</robot>\n",
    );
    let (code, said) = refused(&[&path]);
    assert_eq!(code, 1);
    assert!(said.lines().all(|line| line.starts_with("wrong.urdf:3:")), "{said}");
}

#[test]
fn what_is_no_rust_has_a_place() {
    let path = written("broken.rs", "struct {\n");
    let (code, said) = refused(&[&path]);
    assert_eq!(code, 1);
    assert!(said.starts_with(&format!("{path}:1:")), "{said}");
    assert!(said.contains(": this is not Rust: "), "{said}");
}

#[test]
fn what_is_neither_rust_nor_a_urdf_is_named() {
    let path = written("notes.txt", "hello\n");
    let (code, said) = refused(&[&path]);
    assert_eq!(code, 2);
    assert!(said.starts_with(&format!("`{path}` is neither a Rust source")), "{said}");
    assert_eq!(said.lines().count(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn who_cannot_be_told_is_told_by_the_exit_code() {
    let full = || fs::File::options().write(true).open("/dev/full").expect("a device");
    let status = jourdain(&["no_such.rs"]).stderr(full()).status().expect("the command starts");
    assert_eq!(status.code(), Some(3));
    let path = robots("machines");
    let words = [&[path.as_str(), "--robot", "CartPole"], lines()].concat();
    let status = jourdain(&words).stdout(full()).stderr(full()).status();
    assert_eq!(status.expect("the command starts").code(), Some(3));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let (code, said) = refused(&["no_such.rs"]);
    assert_eq!(code, 3);
    assert!(said.starts_with("`no_such.rs`: "), "{said}");
}

#[test]
fn a_value_of_no_parameter_is_named() {
    let path = robots("machines");
    let words =
        [&[path.as_str(), "--robot", "CartPole", "--form", "html", "--set"], &["n=1"][..], lines()]
            .concat();
    let (code, said) = refused(&words);
    assert_eq!(code, 2);
    assert_eq!(said, "`--set n=1` names no parameter: expected `name=number` of M, m, l, g\n");
}

#[test]
fn a_value_that_is_none_is_named() {
    let path = robots("machines");
    let words = [&[path.as_str(), "--robot", "CartPole", "--form", "html"], lines()].concat();
    for value in ["m=NaN", "m=abc", "m"] {
        let (code, said) = refused(&[&words[..], &["--set", value]].concat());
        assert_eq!(code, 2);
        assert_eq!(
            said,
            format!("`--set {value}` gives no value: expected a finite number behind `=`\n")
        );
    }
}

#[test]
fn latex_of_wide_matrices_and_lists_is_whole() {
    let sheet = |path: &str, key: &str| {
        printed(&[&[path, "--only", key, "--form", "latex"], lines()].concat())
    };
    let path = file("models/src/solo12.rs");
    let wide = sheet(path.to_str().expect("UTF-8"), "B");
    assert!(wide.contains("\\setcounter{MaxMatrixCols}{12}\n\\["), "{wide}");
    let fields = [
        "mass_of_the_carriage_on_the_rail",
        "x_of_first",
        "mass_of_the_pendulum_that_hangs_there",
        "x_of_second",
        "z_of_second",
    ];
    let path = written(
        "momentum.rs",
        &format!(
            "#[derive(Robot)]\n#[robot(\n    link(a, mass = mass_of_the_carriage_on_the_rail, com = [x_of_first, 0, 0]),\n    \
             joint(x, prismatic(world -> a), axis = [1, 0, 0]),\n    \
             link(b, mass = mass_of_the_pendulum_that_hangs_there, com = [x_of_second, 0, z_of_second]),\n    \
             joint(y, revolute(a -> b), axis = [0, 1, 0]),\n)]\nstruct Long {{ {} }}\n",
            fields.map(|field| format!("{field}: f64")).join(", ")
        ),
    );
    let list = sheet(&path, "momentum");
    assert!(list.contains("(h_0)_{1} &="), "{list}");
}

#[test]
fn json_says_what_formulas_call_everything() {
    let path = file("models/src/hollow_ball.rs");
    let path = path.to_str().expect("UTF-8");
    for (form, symbols) in [
        ("text", ["q₃", "q̇₃", "μ"]),
        ("latex", ["q_{3}", "\\dot q_{3}", "\\mu"]),
        ("c", ["q[2]", "v[2]", "p->mu"]),
    ] {
        let words = [&[path, "--form", form, "--json"], lines()].concat();
        let json: serde_json::Value = serde_json::from_str(&printed(&words)).expect("JSON");
        let of = |list: &str| json[list][2]["symbol"].as_str().expect("text").to_owned();
        assert_eq!([of("coordinates"), of("velocities"), of("parameters")], symbols);
    }
}

#[test]
#[cfg(not(feature = "symbolica"))]
fn options_of_the_missing_feature_say_so() {
    let (code, said) = refused(&[&robots("machines"), "--robot", "CartPole", "--lump"]);
    assert_eq!(code, 2);
    assert_eq!(said, "`--lump` is for a command that is built with the feature `symbolica`\n");
}

#[test]
fn a_file_and_its_folders_are_found_from_anywhere() {
    let path = file("models/src/ur5.rs");
    let words = [&[path.to_str().expect("UTF-8"), "--only", "U"], lines()].concat();
    assert!(printed(&words).starts_with("Ur5\n"));
}

#[test]
fn each_form_is_printed() {
    let path = robots("machines");
    for form in ["text", "latex", "html", "rust", "c", "python", "julia", "matlab"] {
        let words = [&[path.as_str(), "--robot", "SliderCrank", "--form", form], lines()].concat();
        assert!(!printed(&words).is_empty(), "{form}");
        let json: serde_json::Value =
            serde_json::from_str(&printed(&[&words[..], &["--json"]].concat())).expect("JSON");
        assert_eq!(json["robot"], "SliderCrank", "{form}");
    }
}

#[test]
fn options_without_a_meaning_are_refused() {
    let path = robots("machines");
    for (words, said) in [
        (
            ["--robot", "CartPole", "--set", "l=1"],
            "`--set` is for the drawing of a page, `--form html` only\n",
        ),
        (["--robot", "CartPole", "--base", "fixed"], "`--base` is for a URDF only\n"),
    ] {
        assert_eq!(refused(&[&[path.as_str()], &words[..]].concat()), (2, said.to_owned()));
    }
    let path = written("named.urdf", "<robot name=\"r\"/>");
    assert_eq!(
        refused(&[&path, "--robot", "r"]),
        (2, "`--robot` is for a Rust source only\n".to_owned())
    );
}
