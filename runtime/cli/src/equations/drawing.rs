//! A robot at rest as a drawing: its frames, what joins them, centres of mass and contacts.

use jourdain_codegen::derive::{Mechanism, symbols};
use jourdain_codegen::description::{Law, Parent, Place, Spring};
use jourdain_codegen::expr::{Expr, Symbol};
use jourdain_codegen::joint::Chart;
use jourdain_codegen::scalar::Scalar;

use super::document::Document;
use super::mathml::escaped;
use super::notation::plain_number;

type Point = [f64; 3];

/// A direction on the page, right and up, of each axis of the world: seen from in front, a little from the right and
/// from above.
const VIEW: [[f64; 2]; 3] = [[0.87, -0.2], [0.5, 0.35], [0.0, 0.92]];

/// In pixels.
const SIZE: f64 = 340.0;
const MARGIN: f64 = 36.0;

/// The figure, with parameters of these values.
pub(crate) fn drawing(document: &Document, mechanism: &Mechanism<'_>, values: &[f64]) -> String {
    let scene = Scene::new(mechanism, values);
    let caption = match document.parameters.is_empty() {
        true => "At q = 0.".to_owned(),
        false => {
            let list = document.parameters.iter().zip(values);
            let list: Vec<_> = list
                .map(|(parameter, x)| format!("{} = {}", parameter.name, plain_number(*x)))
                .collect();
            format!("At q = 0, with {}.", list.join(", "))
        }
    };
    format!("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", scene.svg(), escaped(&caption))
}

/// A link's frame in the world.
struct Frame {
    name: String,
    /// Its axes, and its origin.
    axes: [Point; 3],
    origin: Point,
}

struct Scene {
    frames: Vec<Frame>,
    lines: Vec<[Point; 2]>,
    /// From the world's origin to what hangs on it, and between the ends of closures.
    mounts: Vec<[Point; 2]>,
    centers: Vec<Point>,
    contacts: Vec<(Point, f64)>,
    springs: Vec<[Point; 2]>,
}

impl Scene {
    fn new(mechanism: &Mechanism<'_>, values: &[f64]) -> Self {
        let description = mechanism.description;
        let mut rest = Vec::new();
        for joint in description.joints.iter().filter(|joint| joint.mimic.is_none()) {
            let count = joint.family.nq();
            // The quaternion of no rotation ends in 1.
            let has_quaternion = joint.family.chart() != Chart::Vector;
            rest.extend((0..count).map(|k| f64::from(u8::from(has_quaternion && k + 1 == count))));
        }
        let value = |symbol: Symbol| {
            let list = match symbol.set {
                symbols::FIELD => values,
                symbols::Q => &rest[..],
                _ => &[],
            };
            list.get(symbol.index as usize).copied().unwrap_or(0.0)
        };
        let evaluate = |outputs: &[Expr<'_>]| mechanism.graph.evaluate(outputs, value);
        let poses = evaluate(&mechanism.link_poses());
        let frames: Vec<_> = poses
            .chunks_exact(12)
            .zip(&description.links)
            .map(|(x, link)| Frame {
                name: link.name.text.clone(),
                axes: [[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]],
                origin: [x[9], x[10], x[11]],
            })
            .collect();
        let (mut lines, mut mounts) = (Vec::new(), Vec::new());
        for joint in &description.joints {
            let to = frames[joint.child].origin;
            match joint.parent {
                Parent::World => mounts.push([[0.0; 3], to]),
                Parent::Link(link) => lines.push([frames[link].origin, to]),
            }
        }
        let scalar = |x: &Scalar| evaluate(&[mechanism.scalar(x)])[0];
        let mut centers = Vec::new();
        for (link, frame) in description.links.iter().zip(&frames) {
            let inertial = &link.inertial;
            if scalar(&inertial.mass) > 0.0 {
                let center = frame.place(inertial.com.each_ref().map(scalar));
                lines.push([frame.origin, center]);
                centers.push(center);
            }
        }
        let mut contacts = Vec::new();
        for contact in &description.contacts {
            let frame = &frames[contact.link];
            let place = frame.place(contact.position.each_ref().map(scalar));
            lines.push([frame.origin, place]);
            contacts.push((place, scalar(&contact.radius)));
        }
        let point = |parent: &Parent, place: &[Scalar; 3]| {
            let place = place.each_ref().map(scalar);
            match parent {
                Parent::World => place,
                Parent::Link(link) => frames[*link].place(place),
            }
        };
        for constraint in &description.constraints {
            let end = |end: &Place| point(&end.parent, &end.placement.position);
            match &constraint.law {
                Law::Rod { ends, .. } => lines.push(ends.each_ref().map(end)),
                // At q = 0 a loop may be open.
                Law::Closure { frames, .. } => mounts.push(frames.each_ref().map(end)),
                _ => {}
            }
        }
        let ends =
            |spring: &Spring| spring.ends.each_ref().map(|(parent, place)| point(parent, place));
        let springs = description.springs.iter().map(ends).collect();
        Self { frames, lines, mounts, centers, contacts, springs }
    }

    fn svg(&self) -> String {
        let page = Page::around(self);
        let mut text = format!("<svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\">\n");
        let mut line = |class: &str, [a, b]: [Point; 2]| {
            let ([x1, y1], [x2, y2]) = (page.place(a), page.place(b));
            if (x1 - x2).hypot(y1 - y2) > 0.05 {
                text.push_str(&format!(
                    "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n"
                ));
            }
        };
        let arm = 20.0 / page.scale;
        // The grid lies beneath the robot, at whole multiples of its spacing from the world's origin.
        let spacing = 1.5 * arm;
        let middle = |k: usize| {
            let all = self.frames.iter().map(|frame| frame.origin[k]);
            let ends = [all.clone().fold(0.0, f64::min), all.fold(0.0, f64::max)];
            (0.5 * (ends[0] + ends[1]) / spacing).round() * spacing
        };
        let ([x, y], far) = ([middle(0), middle(1)], 2.0 * spacing);
        for k in -2..=2 {
            let offset = f64::from(k) * spacing;
            line("ground", [[x + offset, y - far, 0.0], [x + offset, y + far, 0.0]]);
            line("ground", [[x - far, y + offset, 0.0], [x + far, y + offset, 0.0]]);
        }
        self.mounts.iter().for_each(|ends| line("mount", *ends));
        self.lines.iter().for_each(|ends| line("link", *ends));
        for frame in &self.frames {
            for (class, axis) in ["x", "y", "z"].into_iter().zip(&frame.axes) {
                let end = [0, 1, 2].map(|k| frame.origin[k] + arm * axis[k]);
                line(class, [frame.origin, end]);
            }
        }
        for center in &self.centers {
            let [x, y] = page.place(*center);
            text.push_str(&format!(
                "<circle class=\"com\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n"
            ));
        }
        for (center, radius) in &self.contacts {
            let ([x, y], r) = (page.place(*center), f64::max(radius * page.scale, 7.0));
            text.push_str(&format!(
                "<circle class=\"contact\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>\n"
            ));
        }
        self.springs.iter().for_each(|ends| text.push_str(&spring(ends.map(|x| page.place(x)))));
        text.push_str(&self.labels(&page));
        text.push_str("</svg>\n");
        text
    }

    /// Names of frames, those in one place one below the other; of many links only the drawing is left.
    fn labels(&self, page: &Page) -> String {
        let (mut text, mut places) = (String::new(), Vec::<[f64; 2]>::new());
        for frame in self.frames.iter().filter(|_| self.frames.len() <= 16) {
            let [x, mut y] = page.place(frame.origin);
            while places.iter().any(|[a, b]| (a - x).abs() < 60.0 && (b - y).abs() < 13.0) {
                y += 13.0;
            }
            places.push([x, y]);
            // Left of its frame where there is no room on the right.
            let width = 7.0 * frame.name.chars().count() as f64;
            let (x, anchor) =
                if x + 8.0 + width > SIZE { (x - 8.0, "end") } else { (x + 8.0, "start") };
            text.push_str(&format!(
                "<text class=\"halo\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
                y + 14.0,
                escaped(&frame.name)
            ));
        }
        text
    }
}

/// A coil between two points of the page.
fn spring([a, b]: [[f64; 2]; 2]) -> String {
    const TURNS: u32 = 12;
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]);
    if length < 1.0 {
        return String::new();
    }
    let across = [-along[1] / length, along[0] / length];
    let at = |k: u32| {
        let side = match k {
            0 | 1 | TURNS.. => 0.0,
            k => {
                if k % 2 == 0 {
                    5.0
                } else {
                    -5.0
                }
            }
        };
        let part = match k {
            0 => 0.0,
            k if k > TURNS => 1.0,
            k => 0.15 + 0.7 * f64::from(k - 1) / f64::from(TURNS - 1),
        };
        let [x, y] = [0, 1].map(|i| a[i] + part * along[i] + side * across[i]);
        format!("{x:.1},{y:.1}")
    };
    let points: Vec<_> = (0..=TURNS + 1).map(at).collect();
    format!("<polyline class=\"spring\" points=\"{}\"/>\n", points.join(" "))
}

impl Frame {
    /// A point of the frame in the world.
    fn place(&self, x: Point) -> Point {
        [0, 1, 2].map(|k| self.origin[k] + (0..3).map(|j| self.axes[j][k] * x[j]).sum::<f64>())
    }
}

/// Where the world is on the page.
struct Page {
    scale: f64,
    middle: [f64; 2],
}

fn seen(x: Point) -> [f64; 2] {
    [0, 1].map(|i| (0..3).map(|k| VIEW[k][i] * x[k]).sum())
}

impl Page {
    fn around(scene: &Scene) -> Self {
        let mut points: Vec<[f64; 2]> = scene.lines.iter().flatten().map(|x| seen(*x)).collect();
        for (center, radius) in &scene.contacts {
            let [x, y] = seen(*center);
            points.extend([[x - radius, y - radius], [x + radius, y + radius]]);
        }
        points.extend(scene.springs.iter().flatten().map(|x| seen(*x)));
        points.extend(scene.frames.iter().map(|frame| seen(frame.origin)));
        points.push([0.0, 0.0]);
        points.retain(|x| x.iter().all(|x| x.is_finite()));
        let range = |k: usize| {
            let all = points.iter().map(|x| x[k]);
            let least = all.clone().fold(f64::INFINITY, f64::min);
            (least, all.fold(f64::NEG_INFINITY, f64::max))
        };
        let [(x0, x1), (y0, y1)] = [range(0), range(1)];
        let extent = f64::max(x1 - x0, y1 - y0);
        let extent = if extent > 0.0 { extent } else { 1.0 };
        Self { scale: (SIZE - 2.0 * MARGIN) / extent, middle: [0.5 * (x0 + x1), 0.5 * (y0 + y1)] }
    }

    fn place(&self, x: Point) -> [f64; 2] {
        let [x, y] = seen(x);
        let half = 0.5 * SIZE;
        [half + self.scale * (x - self.middle[0]), half - self.scale * (y - self.middle[1])]
    }
}
