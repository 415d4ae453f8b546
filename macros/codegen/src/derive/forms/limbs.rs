//! Repeated limbs as lanes.
//!
//! Legs, arms and fingers that hang on the same body and are built alike, with whatever numbers, are
//! derived once: one body stands for two or four of them, each in its lane of every expression. Two
//! limbs are alike when their bodies turn about the same coordinate axes, by coordinates of the same
//! kind that they share in the same way; positions, masses and the directions of other axes may differ. The recursive
//! algorithms do not notice, except where a limb's quantities are summed into the body that it hangs
//! on. Their results are those of a smaller mechanism, and are spread over the coordinates of the
//! description afterwards.

use std::fmt::Write;

use crate::derive::inertia::Moments;
use crate::derive::mechanism::{Body, Column, Mechanism, Placed};
use crate::expr::{Expr, Rotation, Vector3};
use crate::joint::Twist;

/// How many limbs are taken together, most first.
const WIDTHS: [usize; 2] = [4, 2];

/// A body and all that hangs on it.
#[derive(Clone, Default)]
struct Limb {
    /// Equal for alike limbs.
    shape: String,
    /// Parents first, and siblings in an order of their shapes.
    bodies: Vec<usize>,
}

/// Groups of one, two or four alike limbs.
fn alike(limbs: Vec<&Limb>) -> Vec<Vec<&Limb>> {
    let mut kinds: Vec<Vec<&Limb>> = Vec::new();
    for limb in limbs {
        match kinds.iter_mut().find(|kind| kind[0].shape == limb.shape) {
            Some(kind) => kind.push(limb),
            None => kinds.push(vec![limb]),
        }
    }
    let mut groups = Vec::new();
    for mut kind in kinds {
        while !kind.is_empty() {
            let width = WIDTHS.into_iter().find(|&width| width <= kind.len()).unwrap_or(1);
            groups.push(kind.drain(..width).collect());
        }
    }
    groups
}

impl<'g> Mechanism<'g> {
    /// The same mechanism with alike limbs in lanes; `None` if no limb repeats.
    pub fn folded(&self) -> Option<Self> {
        let mut folded = Self {
            bodies: Vec::new(),
            armature: Vec::new(),
            lanes: Vec::new(),
            originals: Vec::new(),
            named: Vec::new(),
            ..self.clone()
        };
        folded.adopt(self, &self.limbs_outwards(), None, None);
        if !folded.has_lanes() {
            return None;
        }
        folded.renumber(self);
        Some(folded)
    }

    /// Hangs on `parent` what hangs on body `original` of the full mechanism.
    fn adopt(
        &mut self,
        full: &Self,
        limbs: &[Limb],
        original: Option<usize>,
        parent: Option<usize>,
    ) {
        let children = (0..full.bodies.len()).filter(|&k| full.bodies[k].parent == original);
        for group in alike(children.map(|k| &limbs[k]).collect()) {
            let [single] = group[..] else {
                self.adopt_limbs(full, &group, parent);
                continue;
            };
            let single = single.bodies[0];
            let body = Body { parent, ..full.bodies[single].clone() };
            self.lanes.extend(body.columns.iter().map(|column| vec![column.dof]));
            self.bodies.push(body);
            self.originals.push(vec![single]);
            let place = self.bodies.len() - 1;
            self.named.push(Placed { body: Some(place), ..full.named[single].clone() });
            self.adopt(full, limbs, Some(single), Some(place));
        }
    }

    /// Hangs on `parent` one limb that stands for all of `limbs`.
    fn adopt_limbs(&mut self, full: &Self, limbs: &[&Limb], parent: Option<usize>) {
        let orders: Vec<_> = limbs.iter().map(|limb| &limb.bodies).collect();
        let first = self.bodies.len();
        for (rank, &leading) in orders[0].iter().enumerate() {
            let bodies: Vec<_> = orders.iter().map(|order| &full.bodies[order[rank]]).collect();
            let above = orders[0].iter().position(|&k| Some(k) == full.bodies[leading].parent);
            let mut body = Body::pack(full, &bodies);
            body.parent = above.map(|rank| first + rank).or(parent);
            body.repeats = if above.is_some() { 1 } else { limbs.len() };
            self.lanes.extend(
                (0..body.columns.len())
                    .map(|i| bodies.iter().map(|body| body.columns[i].dof).collect()),
            );
            self.bodies.push(body);
            let originals: Vec<_> = orders.iter().map(|order| order[rank]).collect();
            let named: Vec<_> = originals.iter().map(|&k| &full.named[k]).collect();
            self.named.push(Placed::pack(full, self.bodies.len() - 1, &named));
            self.originals.push(originals);
        }
    }

    /// The limb that begins with each body.
    fn limbs_outwards(&self) -> Vec<Limb> {
        let mut limbs = vec![Limb::default(); self.bodies.len()];
        for k in (0..self.bodies.len()).rev() {
            let children = (k + 1..limbs.len()).filter(|&c| self.bodies[c].parent == Some(k));
            let mut children: Vec<_> = children.map(|c| &limbs[c]).collect();
            children.sort_by(|a, b| a.shape.cmp(&b.shape));
            let beyond = children.into_iter().flat_map(|limb| limb.bodies.iter().copied());
            let bodies: Vec<_> = std::iter::once(k).chain(beyond).collect();
            limbs[k] = Limb { shape: self.shape(&bodies), bodies };
        }
        limbs
    }

    /// What alike limbs have in common: for each body, outwards, the body that it hangs on, the axes
    /// that it turns about, and which coordinates move it.
    fn shape(&self, limb: &[usize]) -> String {
        let mut dofs: Vec<usize> = Vec::new();
        let mut shape = String::new();
        for &k in limb {
            let body = &self.bodies[k];
            let above = limb.iter().position(|&other| Some(other) == body.parent);
            let chart = self.description.joints[body.joint].family.chart();
            let axes: Vec<_> = body.rotation.turns().iter().map(|turn| turn.0).collect();
            let _ = write!(shape, "{above:?}{chart:?}{axes:?}");
            for column in &body.columns {
                let place = dofs.iter().position(|&dof| dof == column.dof).unwrap_or(dofs.len());
                if place == dofs.len() {
                    dofs.push(column.dof);
                }
                let _ = write!(shape, "c{place}");
            }
            shape.push(';');
        }
        let outside = (0..self.bodies.len()).filter(|k| !limb.contains(k));
        let mut shared = outside.flat_map(|k| &self.bodies[k].columns);
        if shared.any(|column| dofs.contains(&column.dof)) {
            let _ = write!(shape, "shared by {}", limb[0]);
        }
        shape
    }

    /// Numbers the coordinates of the bodies anew, so that those of alike limbs are one.
    fn renumber(&mut self, full: &Self) {
        let mut lanes: Vec<Vec<usize>> = Vec::new();
        for group in self.lanes.drain(..) {
            if !lanes.contains(&group) {
                lanes.push(group);
            }
        }
        for column in self.bodies.iter_mut().flat_map(|body| &mut body.columns) {
            column.dof = lanes.iter().position(|group| group[0] == column.dof).unwrap_or(0);
        }
        let pack = |x: &[Expr<'g>]| -> Vec<Expr<'g>> {
            let of = |dofs: &Vec<usize>| dofs.iter().map(|&dof| x[dof]).collect::<Vec<_>>();
            lanes.iter().map(|dofs| self.graph.pack(&of(dofs))).collect()
        };
        self.armature = pack(&full.armature);
        self.state.v = pack(&full.state.v);
        self.state.a = pack(&full.state.a);
        self.lanes = lanes;
    }
}

impl<'g> Placed<'g> {
    /// The place whose lanes these are, in the given body.
    fn pack(full: &Mechanism<'g>, body: usize, places: &[&Self]) -> Self {
        let rotations: Vec<_> = places.iter().map(|place| &place.rotation).collect();
        let positions: Vec<_> = places.iter().map(|place| place.position).collect();
        Self {
            body: Some(body),
            rotation: Rotation::pack(full.graph, &rotations),
            position: Vector3::pack(full.graph, &positions),
        }
    }
}

impl<'g> Body<'g> {
    /// The body whose lanes these are.
    fn pack(full: &Mechanism<'g>, bodies: &[&Self]) -> Self {
        let graph = full.graph;
        let rotations: Vec<_> = bodies.iter().map(|body| &body.rotation).collect();
        let positions: Vec<_> = bodies.iter().map(|body| body.position).collect();
        let seats: Vec<_> = bodies.iter().map(|body| &body.seat.0).collect();
        let seat_positions: Vec<_> = bodies.iter().map(|body| body.seat.1).collect();
        let moments: Vec<_> = bodies.iter().map(|body| body.moments).collect();
        let column = |i: usize| {
            let columns: Vec<_> = bodies.iter().map(|body| &body.columns[i]).collect();
            let pack = |of: fn(&Twist<'g>) -> Vector3<'g>, twist: fn(&Column<'g>) -> Twist<'g>| {
                let lanes: Vec<_> = columns.iter().map(|column| of(&twist(column))).collect();
                Vector3::pack(graph, &lanes)
            };
            let twist = |of: fn(&Column<'g>) -> Twist<'g>| Twist {
                angular: pack(|twist| twist.angular, of),
                linear: pack(|twist| twist.linear, of),
            };
            Column {
                dof: columns[0].dof,
                twist: twist(|column| column.twist),
                rate: twist(|column| column.rate),
            }
        };
        Self {
            joint: bodies[0].joint,
            parent: None,
            rotation: Rotation::pack(graph, &rotations),
            position: Vector3::pack(graph, &positions),
            seat: (Rotation::pack(graph, &seats), Vector3::pack(graph, &seat_positions)),
            still: bodies[0].still.clone(),
            columns: (0..bodies[0].columns.len()).map(column).collect(),
            moments: Moments::pack(graph, &moments),
            lanes: bodies.len(),
            repeats: 1,
        }
    }
}
