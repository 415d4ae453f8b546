//! The page's structure, its safety against hostile content, and its size.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod embedded;
mod quadruped;
mod solids;

use std::path::Path;

use embedded::{doubles, embedded, singles};
use jourdain::Pose;
use jourdain::playback::*;
use nalgebra::{Matrix3, Rotation3, Vector3};

fn page(scene: &Scene) -> String {
    let mut bytes = Vec::new();
    scene.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn at(position: Vector3<f64>) -> Pose {
    Pose { rotation: Matrix3::identity(), position }
}

fn check_structure(page: &str) {
    let count = |text: &str| page.matches(text).count();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert_eq!(count("<script"), 1);
    assert_eq!(count("</script>"), 1);
    assert_eq!(count("<style"), 1);
    assert_eq!(count("</style>"), 1);
    for fetch in ["http:", "https:", "src=", "@import", "url(", "fetch(", "{{", "}}\n<"] {
        assert_eq!(count(fetch), 0, "{fetch}");
    }
}

#[test]
fn a_quadruped_is_one_small_page() {
    let scene = quadruped::scene();
    let page = page(&scene);
    check_structure(&page);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("quadruped.html");
    scene.save(&path).unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
}

#[test]
fn numbers_arrive_as_they_were() {
    let turned = Rotation3::from_axis_angle(&Vector3::z_axis(), 0.5).into_inner();
    let frame = |time, x| Snapshot {
        time,
        poses: vec![Pose { rotation: turned, position: Vector3::new(x, 2.0, -3.0) }],
        forces: vec![
            ForceArrow {
                point: Vector3::new(1.0, 0.0, 0.5),
                force: Vector3::new(0.0, 0.25, 9.0),
            };
            usize::from(time > 0.0)
        ],
    };
    let scene = Scene {
        bodies: vec![Body::default()],
        frames: vec![frame(0.0, 1.0), frame(0.1, f64::NAN)],
        ..Scene::default()
    };
    let page = page(&scene);
    let (_, strings) = embedded(&page);
    assert_eq!(doubles(strings["times"]), [0.0, 0.1]);
    assert_eq!(singles(strings["forceCounts"]), [0.0, 1.0]);
    assert_eq!(singles(strings["forces"]), [1.0, 0.0, 0.5, 0.0, 0.25, 9.0]);
    let poses = singles(strings["poses"]);
    assert_eq!(poses.len(), 14);
    let expected = [0.0, 0.0, 0.25_f32.sin(), 0.25_f32.cos(), 1.0, 2.0, -3.0];
    for (pose, expected) in poses.iter().zip(expected) {
        assert!((pose - expected).abs() < 1e-7);
    }
    assert!(poses[11].is_nan());
}

#[test]
fn hostile_text_stays_text() {
    let evil = "</script><b>\"'&{{data}}\\\u{2028}\n\u{0}<!--";
    let scene = Scene {
        title: evil.into(),
        subtitle: evil.into(),
        facts: vec![Fact { name: evil.into(), value: evil.into() }],
        bodies: vec![Body { name: evil.into(), shapes: Vec::new() }],
        plots: vec![Plot {
            title: evil.into(),
            unit: evil.into(),
            series: vec![Series { name: evil.into(), values: vec![1.0] }],
        }],
        ..Scene::default()
    };
    let page = page(&scene);
    assert_eq!(page.matches("</script>").count(), 1);
    assert_eq!(page.matches("const recording").count(), 1);
    assert!(!page.contains("<b>") && !page.contains("<!--"));
    let (literal, _) = embedded(&page);
    let escaped =
        r#"\u003c/script\u003e\u003cb\u003e\u0022'\u0026{{data}}\u005c\u2028\u000a\u0000"#;
    assert_eq!(literal.matches(escaped).count(), 4);
    assert!(!literal.contains(['<', '>', '&', '\n', '\u{2028}']));
}

#[test]
fn nothing_is_a_page_too() {
    let page = page(&Scene::default());
    check_structure(&page);
    let (literal, _) = embedded(&page);
    assert_eq!(
        literal,
        r#"{"bodies":[],"planes":[],"grids":[],"times":"","poses":"","forceCounts":"","forces":"","plots":[]}"#
    );
}

#[test]
fn numbers_that_json_lacks_are_null() {
    let size = Vector3::new(f64::NAN, f64::INFINITY, 1e300);
    let scene = Scene {
        bodies: vec![Body { name: String::new(), shapes: vec![Shape::cuboid(size, Color::RED)] }],
        ground: vec![Plane { normal: Vector3::zeros(), offset: f64::NEG_INFINITY }],
        ..Scene::default()
    };
    let page = page(&scene);
    let (literal, _) = embedded(&page);
    assert!(literal.contains(r#""size":[null,null,1e300]"#));
    assert!(literal.contains(r#""planes":[[0e0,0e0,0e0,null]]"#));
}

#[test]
fn what_does_not_fit_is_left_out() {
    let frame = |time| Snapshot { time, ..Snapshot::default() };
    let times = [0.0, f64::NAN, 1.0, 0.5, 1.0, f64::INFINITY, 2.0];
    let scene = Scene {
        bodies: vec![Body::default(); 2],
        frames: times.into_iter().map(frame).collect(),
        plots: vec![Plot {
            series: vec![Series { name: String::new(), values: vec![0.0, 1.0, 2.0, 3.0] }],
            ..Plot::default()
        }],
        ..Scene::default()
    };
    let page = page(&scene);
    let (literal, strings) = embedded(&page);
    assert_eq!(doubles(strings["times"]), [0.0, 1.0, 1.0, 2.0]);
    let poses = singles(strings["poses"]);
    assert_eq!(poses.len(), 4 * 2 * 7);
    assert!(poses.iter().all(|x| x.is_nan()));
    let (_, rest) = literal.split_once("\"values\":\"").unwrap();
    let values = doubles(rest.split_once('"').unwrap().0);
    assert_eq!(values[..2], [0.0, 2.0]);
    assert!(values[2].is_nan() && values[3].is_nan());
}

#[test]
fn a_capsule_spans_its_two_points() {
    let from = Vector3::new(0.1, -0.2, 0.3);
    let ends = [
        Vector3::new(0.4, 0.0, 0.3),
        from + Vector3::z(),
        from - Vector3::z(),
        from,
        from + Vector3::new(1e-200, 0.0, 0.0),
    ];
    for to in ends {
        let shape = Shape::capsule(from, to, 0.01, Color::BLUE);
        let Geometry::Capsule { length, .. } = shape.geometry else {
            panic!("not a capsule");
        };
        let half = Vector3::new(0.0, 0.0, length / 2.0);
        assert!((shape.pose.point(&half) - to).norm() < 1e-12);
        assert!((shape.pose.point(&-half) - from).norm() < 1e-12);
        assert!((shape.pose.rotation.determinant() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_skeleton_joins_links_to_their_children() {
    let bone = |parent, position| Bone {
        name: "link".into(),
        parent,
        moves: true,
        pose: at(position),
        tips: Vec::new(),
    };
    let mut bones = [
        bone(None, Vector3::zeros()),
        bone(Some(0), Vector3::new(0.0, 0.0, 1.0)),
        bone(Some(0), Vector3::new(f64::NAN, 0.0, 0.0)),
        bone(Some(9), Vector3::zeros()),
        bone(Some(4), Vector3::zeros()),
    ];
    bones[2].moves = false;
    bones[1].tips.push(Vector3::new(0.5, 0.0, 0.0));
    let scene = Scene::skeleton(&bones);
    let counts: Vec<_> = scene.bodies.iter().map(|body| body.shapes.len()).collect();
    assert_eq!(counts, [2, 3, 0, 1, 1]);
    assert_eq!(scene.bodies[0].shapes[0].geometry, Geometry::Capsule { radius: 0.06, length: 1.0 });
    assert_eq!(Scene::skeleton(&[]), Scene::default());
}

struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failing_writer_is_reported() {
    let error = Scene::default().write(Full).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert!(Scene::default().save("/nonexistent/folder/page.html").is_err());
}

/// A path on which no file can be made is named, and the error keeps its kind.
#[test]
fn an_error_of_saving_names_the_path() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_such_folder").join("page.html");
    let error = Scene::default().save(&path).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    let message = error.to_string();
    assert!(message.contains(path.to_str().unwrap()), "{message}");
}

#[test]
fn a_body_that_is_not_there_suggests_those_that_are() {
    let names = ["base_link", "left_shin", "right_shin"];
    let body = |name: &str| Body { name: name.into(), shapes: Vec::new() };
    let mut scene = Scene { bodies: names.map(body).into(), ..Scene::default() };
    let mut refused = |name: &str| scene.dress(name, []).unwrap_err().to_string();
    assert_eq!(
        refused("left_shim"),
        "the scene has no body `left_shim`; did you mean `left_shin`?"
    );
    assert_eq!(
        refused("torso"),
        "the scene has no body `torso`; it has `base_link`, `left_shin`, `right_shin`"
    );
    let none = Scene::default().dress("torso", []).unwrap_err();
    assert_eq!(none.to_string(), "the scene has no body `torso`; it has none");
}
