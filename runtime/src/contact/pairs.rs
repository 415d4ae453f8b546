//! Points of solids that may touch in a step, and their rows.
//!
//! A row along d of the point x on the one link and, reversed, on the other is d · (ẋ₁ − ẋ₂): along the normal that is
//! φ̇ wherever features do not change, since both surfaces are on the same line. Points are looked for as far as both
//! solids can come nearer in a step, and a margin.

use alloc::vec;
use alloc::vec::Vec;

use super::Error;
use super::conditions::Conditions;
use super::ground::Ground;
use super::solid_motion::SolidMotion;
use super::sum::Sum;
use super::touching::{PairImpulse, Touching};
use crate::check::ROUNDING;
use crate::cone::{BLOCK_ROWS, Coefficients};
use crate::description::{PairParameters, ShapeParameters, resistance};
use crate::frame::Pose;
use crate::geometry::{Footing, Narrow, Solid, Touch, axes};
use crate::model::{Robot, Table};
use crate::slices::all_finite;
use crate::slices::dot;

/// Most rows of a point: three along its axes, one about its normal, two about its tangents.
const ROWS: usize = BLOCK_ROWS;

/// A shape where it is, and how it moves.
#[derive(Clone, Debug)]
struct Body {
    solid: Solid,
    link: usize,
    /// In the link's frame.
    place: Pose,
    motion: SolidMotion,
}

/// A point that may touch, and what it is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) touch: PairImpulse,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    /// ν and ϱ, m.
    pub(crate) torsion: f64,
    pub(crate) rolling: f64,
    pub(crate) directions: usize,
}

/// The solids of a robot, and the points of those that are near each other.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    table: &'static Table,
    bodies: Vec<Body>,
    /// Of each pair.
    parameters: Vec<PairParameters>,
    narrow: Narrow,
    footing: Footing,
    /// Twelve numbers for each link.
    links: Vec<f64>,
    columns: Vec<f64>,
    /// In the order of their identities.
    pub(crate) points: Vec<Point>,
    /// How many rows each point has: so many as the one with most needs.
    lines: usize,
    /// So many rows of (nv) for each point, with zeros in those that it does not need.
    rows: Vec<f64>,
}

impl Pairs {
    /// # Errors
    ///
    /// [`Error::Shape`] and [`Error::Pair`] of what can be no solid, or touch no other.
    pub(crate) fn new(robot: Robot<'_>) -> Result<Self, Error> {
        let shapes = robot.shapes.iter().zip(robot.shape_parameters());
        let body =
            |(shape, ShapeParameters { pose, sizes, .. }): (&crate::description::Shape, _)| {
                let solid = Solid::new(shape.kind, &sizes)
                    .map_err(|error| Error::Shape { shape: shape.name, error })?;
                let motion = SolidMotion::new(pose, solid.extent());
                Ok(Body { solid, link: shape.link, place: pose, motion })
            };
        let bodies = shapes.map(body).collect::<Result<Vec<_>, Error>>()?;
        for pair in robot.pairs {
            let [first, second] = pair.shapes.map(|k| &bodies[k].solid);
            first.check_pair(second).map_err(|error| Error::Pair { pair: pair.name, error })?;
        }
        Ok(Self {
            table: robot.table(),
            bodies,
            parameters: robot.pair_parameters(),
            narrow: Narrow::default(),
            footing: Footing::default(),
            links: vec![f64::NAN; 12 * robot.links.len()],
            columns: vec![f64::NAN; 6 * robot.columns.len()],
            points: Vec::new(),
            lines: 3,
            rows: Vec::new(),
        })
    }

    /// Begins another step: no gain of a shape is known.
    pub(crate) fn begin(&mut self) {
        self.bodies.iter_mut().for_each(|body| body.motion.gain = 0.0);
    }

    /// Finds all points of a step of `h` seconds from (q, v), and their rows, as far away as what shapes are known to
    /// [gain](Self::gain) in it leads.
    ///
    /// # Errors
    ///
    /// [`Error::Pose`] of a shape that is nowhere.
    pub(crate) fn evaluate(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> Result<(), Error> {
        self.points.clear();
        if !can_touch(&robot, conditions) {
            return Ok(());
        }
        robot.link_poses_into(q, &mut self.links);
        robot.joint_columns_into(q, &mut self.columns);
        self.place(v);
        if let Some(k) = self.bodies.iter().position(|body| !body.is_somewhere()) {
            return Err(Error::Pose { shape: robot.shapes[k].name });
        }
        self.find(h, conditions);
        self.write_rows();
        Ok(())
    }

    /// Takes what shapes gain by the end of the step, from v⁺ in the axes of its beginning, into account; whether points may be missing
    /// for it.
    pub(crate) fn gain(&mut self, end: &[f64], (h, conditions): (f64, &Conditions)) -> bool {
        let Self { table, bodies, columns, .. } = self;
        if !can_touch(table, conditions) {
            return false;
        }
        let slack = 0.5 * conditions.margin / h;
        let mut have_gained = false;
        for Body { link, motion, .. } in &mut *bodies {
            let end = table.point_velocity(columns, *link, end, &motion.pose.position);
            have_gained |= motion.end(end, slack);
        }
        have_gained
    }

    /// Whether the end of the step leads shapes into what was too far away to be found. To [evaluate](Self::evaluate) once more finds that.
    #[inline(never)]
    pub(crate) fn have_missed(&mut self, end: &[f64], (h, conditions): (f64, &Conditions)) -> bool {
        if !self.gain(end, (h, conditions)) {
            return false;
        }
        let known = core::mem::take(&mut self.points);
        self.find(h, conditions);
        let found = core::mem::replace(&mut self.points, known);
        found.iter().any(|point| {
            let is_same = |other: &Point| other.touch.identity() == point.touch.identity();
            self.gap_after(&point.touch, h) < -ROUNDING && !self.points.iter().any(is_same)
        })
    }

    /// The gap after a step of `h` seconds at the velocities of its end, m.
    fn gap_after(&self, PairImpulse { of, point, axes, gap, .. }: &PairImpulse, h: f64) -> f64 {
        let along = |k: usize| self.bodies[k].motion.end_along(&axes[0], point);
        let rate = match *of {
            Touching::Pair(k) => {
                let [first, second] = self.table.pairs[k].shapes.map(along);
                first - second
            }
            Touching::Ground(k) => along(k),
        };
        gap + h * rate
    }

    /// Poses and velocities of all shapes.
    fn place(&mut self, v: &[f64]) {
        let Self { table, bodies, links, columns, .. } = self;
        for Body { link, place, motion, .. } in bodies {
            let pose = Pose::from_slice(&links[12 * *link..12 * (*link + 1)]);
            motion.pose = Pose {
                rotation: pose.rotation * place.rotation,
                position: pose.point(&place.position),
            };
            motion.begin(table.point_velocity(columns, *link, v, &motion.pose.position));
        }
    }

    fn find(&mut self, h: f64, conditions: &Conditions) {
        self.find_pairs(h, conditions.margin);
        if let Some(ground) = &conditions.ground {
            self.find_ground(ground, h, conditions.margin);
        }
    }

    fn find_pairs(&mut self, h: f64, margin: f64) {
        let Self { table, bodies, parameters, narrow, points, .. } = self;
        for (k, (pair, of)) in table.pairs.iter().zip(parameters).enumerate() {
            let [first, second] = pair.shapes.map(|k| &bodies[k]);
            let reach = margin + h * first.motion.approach(&second.motion);
            if first.motion.is_beyond(&second.motion, reach) {
                continue;
            }
            let solids = [first, second].map(|of| (&of.solid, &of.motion.pose));
            let touches = narrow.touches(solids[0], solids[1], reach).iter();
            points.extend(touches.map(|touch| Point {
                touch: point(Touching::Pair(k), touch),
                friction: of.friction,
                restitution: of.restitution,
                torsion: of.torsion,
                rolling: of.rolling,
                directions: pair.directions,
            }));
        }
    }

    fn find_ground(&mut self, ground: &Ground, h: f64, margin: f64) {
        let Self { table, bodies, footing, points, .. } = self;
        let moved = |body: &Body| table.supports.get(body.link).is_some_and(|by| !by.is_empty());
        for (k, body) in bodies.iter().enumerate().filter(|(_, body)| moved(body)) {
            let reach = margin + h * body.motion.speed();
            let touches = ground.touches(footing, (&body.solid, &body.motion.pose), reach).iter();
            points.extend(touches.map(|touch| Point {
                touch: point(Touching::Ground(k), touch),
                friction: ground.friction,
                restitution: ground.restitution,
                torsion: ground.torsion,
                rolling: ground.rolling,
                directions: ground.directions,
            }));
        }
    }

    fn write_rows(&mut self) {
        let Self { table, bodies, columns, points, lines, rows, .. } = self;
        *lines = points.iter().map(Point::lines).max().unwrap_or(3);
        rows.clear();
        rows.resize(*lines * table.nv * points.len(), 0.0);
        let each = rows.chunks_exact_mut(*lines * table.nv.max(1));
        for (of @ Point { touch, .. }, rows) in points.iter().zip(each) {
            let [first, second] = match touch.of {
                Touching::Pair(k) => table.pairs[k].shapes.map(Some),
                Touching::Ground(k) => [Some(k), None],
            };
            for (axis, row) in touch.axes.iter().zip(rows.chunks_exact_mut(table.nv.max(1))) {
                for (shape, direction) in [(first, *axis), (second, -axis)] {
                    let Some(link) = shape.map(|k| bodies[k].link) else { continue };
                    table.add_point_row(columns, link, &touch.point, &direction, row);
                }
            }
            let turning = rows.chunks_exact_mut(table.nv.max(1)).skip(3);
            for (axis, row) in touch.axes.iter().zip(turning).take(of.lines() - 3) {
                for (shape, direction) in [(first, *axis), (second, -axis)] {
                    let Some(link) = shape.map(|k| bodies[k].link) else { continue };
                    table.add_turning_row(columns, link, &direction, row);
                }
            }
        }
    }

    /// The first pair that resists turning, and what does.
    pub(super) fn resistance(&self) -> Option<(&'static str, &'static str)> {
        let mut all = self.table.pairs.iter().zip(&self.parameters);
        all.find_map(|(pair, of)| Some((pair.name, resistance([of.torsion, of.rolling])?)))
    }

    /// The rows of a point, (nv) each: normal, first and second tangent, and ω about these, as far as some point needs them.
    pub(crate) fn rows(&self, point: usize) -> impl Iterator<Item = &[f64]> {
        let length = self.lines * self.table.nv;
        self.rows[length * point..length * (point + 1)].chunks_exact(self.table.nv.max(1))
    }

    /// J v of a point: normal, first and second tangent.
    pub(super) fn velocity(&self, point: usize, v: &[f64]) -> [f64; 3] {
        let mut velocity = [0.0; 3];
        self.rows(point).zip(&mut velocity).for_each(|(row, to)| *to = dot(row, v));
        velocity
    }

    /// ω of a point about its normal and its tangents, rad/s.
    pub(super) fn turning(&self, point: usize, v: &[f64]) -> [f64; 3] {
        let mut turning = [0.0; 3];
        self.rows(point).skip(3).zip(&mut turning).for_each(|(row, to)| *to = dot(row, v));
        turning
    }

    /// J v⁺ of a point, and its ω, with the largest of its terms and of what it would be without impulses.
    pub(super) fn end(&self, point: usize, free: &[f64], v: &[f64]) -> [Sum; ROWS] {
        let mut end = [Sum::default(); ROWS];
        for (row, sum) in self.rows(point).zip(&mut end) {
            *sum = Sum::of(row.iter().zip(v).map(|(j, v)| j * v));
            sum.scale = sum.scale.max(dot(row, free).abs());
        }
        end
    }

    /// The points without impulses.
    pub(crate) fn list(&self, to: &mut Vec<PairImpulse>) {
        to.clear();
        to.extend(self.points.iter().map(|point| point.touch));
    }
}

impl Point {
    /// How many rows tell how it moves.
    fn lines(&self) -> usize {
        let Self { torsion, rolling, .. } = *self;
        Coefficients { torsion, rolling, ..Coefficients::default() }.rows()
    }
}

impl Body {
    fn is_somewhere(&self) -> bool {
        let Pose { rotation, position } = &self.motion.pose;
        all_finite(rotation.as_slice()) && all_finite(position.as_slice())
    }
}

/// Whether there is anything that shapes are looked for at.
fn can_touch(table: &Table, conditions: &Conditions) -> bool {
    !table.pairs.is_empty() || conditions.ground.is_some() && !table.shapes.is_empty()
}

fn point(of: Touching, touch: &Touch) -> PairImpulse {
    let &Touch { point, normal, gap, feature } = touch;
    PairImpulse {
        of,
        feature,
        point,
        axes: axes(&normal),
        gap,
        impulse: [0.0; 3],
        torsion: 0.0,
        rolling: [0.0; 2],
    }
}
