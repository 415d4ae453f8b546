//! Which solids of a world are near each other, and where they may touch in a step.

use alloc::vec::Vec;

use nalgebra::Vector3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhWorkspace};

use super::shapes::{Mover, Shape, Thing};
use crate::check::ROUNDING;
use crate::contact::{Ground, ROWS};
use crate::description::ShapeKind;
use crate::geometry::{Feature, Footing, Narrow, Touch};
use crate::slices::all_finite;

/// Whose a shape is, by its place among all that moves, or that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Moving(usize),
    Still(usize),
}

/// A shape: whose, and which.
pub(super) type ShapeOf = (Owner, usize);

/// All that there is.
#[derive(Clone, Copy)]
pub(super) struct Things<'a> {
    pub(super) movers: &'a [Mover],
    pub(super) still: &'a [Thing],
}

impl<'a> Things<'a> {
    pub(super) fn get(self, owner: Owner) -> &'a Thing {
        match owner {
            Owner::Moving(k) => &self.movers[k].thing,
            Owner::Still(k) => &self.still[k],
        }
    }

    pub(super) fn shape(self, (owner, k): ShapeOf) -> &'a Shape {
        &self.get(owner).shapes[k]
    }

    pub(super) fn all(self) -> impl Iterator<Item = (Owner, &'a Thing)> {
        let moving = self.movers.iter().enumerate();
        let moving = moving.map(|(k, mover)| (Owner::Moving(k), &mover.thing));
        moving.chain(self.still.iter().enumerate().map(|(k, thing)| (Owner::Still(k), thing)))
    }
}

/// What touches: two shapes, or one and the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    /// The number of each shape, which it has for as long as it is in the world; the ground has none.
    pub(super) shapes: [Option<u32>; 2],
    pub(super) feature: Feature,
}

/// A point where shapes may touch in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) identity: Identity,
    /// The shapes in the order of the identity.
    pub(super) of: [Option<ShapeOf>; 2],
    pub(super) touch: Touch,
}

impl Meeting {
    /// The gap after a step of `h` seconds at the velocities of its end, m.
    fn gap_after(&self, things: Things<'_>, h: f64) -> f64 {
        let Touch { gap, normal, point, .. } = &self.touch;
        let speed = |of| things.shape(of).motion.end_along(normal, point);
        let [first, second] = self.of.map(|of| of.map_or(0.0, speed));
        gap + h * (first - second)
    }
}

/// Finds the points, in storage that is kept.
#[derive(Default)]
pub(super) struct Collider {
    tree: Bvh,
    workspace: BvhWorkspace,
    /// Of each number, the shape, if there is one.
    known: Vec<Option<ShapeOf>>,
    /// Bounds of shapes that were not there before.
    added: Vec<(Aabb, u32)>,
    near: Vec<[u32; 2]>,
    narrow: Narrow,
    footing: Footing,
    /// In the order of their identities.
    pub(super) meetings: Vec<Meeting>,
    /// Those that were found before, of which some stay.
    before: Vec<Meeting>,
}

impl Collider {
    /// Finds all points of a step of `h` seconds, of shapes that are where they are. Pairs of ids that are `ignored` have none. When it
    /// is called `again` in a step, shapes that become no faster keep their points.
    ///
    /// # Errors
    ///
    /// The shape that is nowhere.
    pub(super) fn find(
        &mut self,
        things: Things<'_>,
        ground: Option<&Ground>,
        (h, margin): (f64, f64),
        is_ignored: impl Fn(usize, usize) -> bool,
        again: bool,
    ) -> Result<(), ShapeOf> {
        self.place(things, (h, margin))?;
        self.near.clear();
        let Self { tree, workspace, known, near, .. } = self;
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            let of = |k: u32| known.get(k as usize).copied().flatten();
            let (Some(first), Some(second)) = (of(a), of(b)) else { return };
            let meet = first.0 != second.0 && may_touch(things.shape(first), things.shape(second));
            if meet && !is_ignored(things.get(first.0).id, things.get(second.0).id) {
                near.push([a.min(b), a.max(b)]);
            }
        });
        self.near.sort_unstable();
        core::mem::swap(&mut self.meetings, &mut self.before);
        self.meetings.clear();
        self.find_pairs(things, (h, margin), again);
        if let Some(ground) = ground {
            self.find_ground(things.movers, ground, (h, margin), again);
        }
        self.meetings.sort_by_key(|meeting| meeting.identity);
        Ok(())
    }

    /// Whether there are points beside these identities, in ascending order, that a step of `h` seconds leads into each other.
    pub(super) fn has_missed(
        &self,
        things: Things<'_>,
        known: &[(Identity, [f64; ROWS])],
        h: f64,
    ) -> bool {
        self.meetings.iter().any(|meeting| {
            meeting.gap_after(things, h) < -ROUNDING
                && known.binary_search_by_key(&meeting.identity, |(of, _)| *of).is_err()
        })
    }

    /// Brings the tree of bounds up to date.
    fn place(&mut self, things: Things<'_>, (h, margin): (f64, f64)) -> Result<(), ShapeOf> {
        let Self { tree, workspace, known, added, .. } = self;
        let before = core::mem::take(known);
        added.clear();
        for (owner, thing) in things.all() {
            for (k, shape) in thing.shapes.iter().enumerate() {
                let number = shape.number as usize;
                if known.len() <= number {
                    known.resize(number + 1, None);
                }
                known[number] = Some((owner, k));
                let is_known = before.get(number).copied().flatten().is_some();
                if is_known && matches!(owner, Owner::Still(_)) {
                    continue;
                }
                let [low, high] = shape.solid.bounds(&shape.motion.pose);
                let reach = Vector3::repeat(0.5 * margin + h * shape.motion.speed());
                let [low, high] = [low - reach, high + reach];
                if !all_finite(low.as_slice()) || !all_finite(high.as_slice()) {
                    // What is not in the tree yet is added when all is somewhere.
                    known.clear();
                    return Err((owner, k));
                }
                let bounds = bounds(&low, &high);
                if tree.update_partially_if_present(bounds, shape.number, 0.0).is_none() {
                    added.push((bounds, shape.number));
                }
            }
        }
        for (number, _) in before.iter().enumerate().filter(|(_, shape)| shape.is_some()) {
            if known.get(number).copied().flatten().is_none() {
                tree.remove(number as u32);
            }
        }
        added.drain(..).for_each(|(bounds, number)| tree.insert(bounds, number));
        tree.refit(workspace);
        Ok(())
    }

    fn find_pairs(&mut self, things: Things<'_>, (h, margin): (f64, f64), again: bool) {
        let Self { near, known, narrow, meetings, before, .. } = self;
        for numbers in &*near {
            let of = numbers.map(|k| known.get(k as usize).copied().flatten());
            let [Some(first), Some(second)] = of else { continue };
            let [a, b] = [first, second].map(|of| things.shape(of));
            if again && !(becomes_faster(a) || becomes_faster(b)) {
                meetings.extend_from_slice(points_of(before, numbers.map(Some)));
                continue;
            }
            let reach = margin + h * a.motion.approach(&b.motion);
            let found =
                narrow.touches((&a.solid, &a.motion.pose), (&b.solid, &b.motion.pose), reach);
            meetings.extend(found.iter().map(|touch| Meeting {
                identity: Identity { shapes: numbers.map(Some), feature: touch.feature },
                of,
                touch: *touch,
            }));
        }
    }

    fn find_ground(
        &mut self,
        movers: &[Mover],
        ground: &Ground,
        (h, margin): (f64, f64),
        again: bool,
    ) {
        let Self { footing, meetings, before, .. } = self;
        for (m, mover) in movers.iter().enumerate() {
            let shapes = mover.thing.shapes.iter().enumerate();
            for (k, shape) in shapes.filter(|(_, shape)| shape.touches_ground && shape.moves) {
                let shapes = [Some(shape.number), None];
                if again && !becomes_faster(shape) {
                    meetings.extend_from_slice(points_of(before, shapes));
                    continue;
                }
                let reach = margin + h * shape.motion.speed();
                let found = ground.touches(footing, (&shape.solid, &shape.motion.pose), reach);
                meetings.extend(found.iter().map(|touch| Meeting {
                    identity: Identity { shapes, feature: touch.feature },
                    of: [Some((Owner::Moving(m), k)), None],
                    touch: *touch,
                }));
            }
        }
    }
}

/// The points of these shapes among those in the order of identities.
fn points_of(meetings: &[Meeting], shapes: [Option<u32>; 2]) -> &[Meeting] {
    let first = meetings.partition_point(|of| of.identity.shapes < shapes);
    let count = meetings[first..].partition_point(|of| of.identity.shapes == shapes);
    &meetings[first..first + count]
}

/// Whether a shape is known to become faster within the step.
fn becomes_faster(shape: &Shape) -> bool {
    shape.motion.gain > 0.0
}

/// Whether two shapes can meet: one of them moves, and one has a size.
fn may_touch(first: &Shape, second: &Shape) -> bool {
    let is_point = |shape: &Shape| shape.kind == ShapeKind::Point;
    (first.moves || second.moves) && !(is_point(first) && is_point(second))
}

fn bounds(low: &Vector3<f64>, high: &Vector3<f64>) -> Aabb {
    let [low, high] = [low, high].map(|x| Vector::new(x.x, x.y, x.z));
    Aabb::new(low, high)
}
