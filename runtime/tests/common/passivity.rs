//! What gives and takes the energy of a step of time stepping, from the states at its ends and its impulses.

use jourdain::description::{Chart, Joint, SpringParameters};
use jourdain::nalgebra::{Quaternion, UnitQuaternion, Vector3};
use jourdain::prelude::*;
use jourdain::space::Storage;

/// Work and energy of a step, J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Balance {
    /// ½ v⁺ᵀ M v⁺ − ½ ṽᵀ M ṽ − h v⁺ᵀ (f − b): what dampers and reactions gave, with M, f of springs alone and b of the
    /// beginning.
    pub(crate) gained: f64,
    /// What of this is to put right gaps that are negative at the beginning: λ φ⁻/h.
    pub(crate) granted: f64,
    /// What of this declared constraints gave, Λᵀ H v⁺: rows turn in a step, and its end is to satisfy them.
    pub(crate) constraints: f64,
    /// The largest kinetic energy: before, after, or without reactions.
    pub(crate) kinetic: f64,
}

/// Makes a step without input.
pub(crate) fn step<M: Model + Clone>(
    simulation: &mut Simulation<M>,
) -> Result<Balance, SimulationError> {
    let (model, h) = (simulation.model().clone(), simulation.time_step());
    let begin = simulation.current().clone();
    simulation.step(&M::U::zeros())?;
    let end = simulation.current();
    let mut from = begin.q.clone();
    let displacement = &simulation.impulse().displacement;
    jourdain::manifold::integrate(M::JOINTS, displacement, 1.0, from.as_mut_slice());
    let v = turned_back::<M>(&from, end);
    let (mass, mut change, mut driving) = (model.mass_matrix(&begin.q), v.clone(), M::V::zeros());
    let before = carried::<M>(&begin.v, h);
    (0..M::NV).for_each(|i| change[i] -= before[i]);
    let times = |x: &M::V, y: &M::V| -> f64 {
        (0..M::NV).map(|i| x[i] * (0..M::NV).map(|j| mass[(i, j)] * y[j]).sum::<f64>()).sum()
    };
    let (bias, elastic) =
        (model.bias_force(&begin.q, &begin.v), model.passive_force(&begin.q, &M::V::zeros()));
    (0..M::NV).for_each(|i| driving[i] = h * (elastic[i] - bias[i]));
    let dot = |x: &M::V, y: &M::V| -> f64 { (0..M::NV).map(|i| x[i] * y[i]).sum() };
    let mut free = model.forward_dynamics(&begin.q, &begin.v, &elastic);
    (0..M::NV).for_each(|i| free[i] = before[i] + h * free[i]);
    let kinetic = [&before, &v, &free].map(|v| 0.5 * times(v, v));
    let impulse = simulation.impulse();
    // Bodies alone have a force of their own, so that what acts on them is summed up.
    let gained = if has_body_alone::<M>() {
        reactions(&model, &begin, &v, simulation) - 0.5 * times(&change, &change)
    } else {
        times(&v, &change) - 0.5 * times(&change, &change) - dot(&v, &driving)
    };
    Ok(Balance {
        gained,
        granted: granted(&model, &begin.q, simulation),
        constraints: constraints(&model, &begin, &v, &impulse.constraints),
        kinetic: kinetic.into_iter().fold(0.0, f64::max),
    })
}

/// T + U and what springs store, J.
pub(crate) fn energy<M: Model>(model: &M, state: &State<M>) -> f64 {
    let State { q, v, .. } = state;
    model.kinetic_energy(q, v) + model.potential_energy(q) + elastic(model, state)
}

/// What springs store, J.
pub(crate) fn elastic<M: Model>(model: &M, State { q, .. }: &State<M>) -> f64 {
    let mut force = model.passive_force(q, &M::V::zeros());
    let mut spans = vec![0.0; 3 * (1 + M::NV) * M::SPRINGS.len()];
    model.spring_spans_into(q, &mut spans);
    let mut stored = 0.0;
    for (spring, span) in model.spring_parameters().iter().zip(spans.chunks(3 * (1 + M::NV))) {
        let between = Vector3::from_column_slice(span);
        let stretch = between.norm() - spring.rest;
        stored += 0.5 * spring.stiffness * stretch * stretch;
        if between.norm() > 0.0 {
            let pull = spring.stiffness * stretch * between.normalize();
            let columns = span[3..].chunks(3).map(Vector3::from_column_slice);
            columns.enumerate().for_each(|(i, column)| force[i] += pull.dot(&column));
        }
    }
    // What is left of the force is −k (q − q₀) of the coordinates.
    for (i, of) in model.coordinate_parameters().iter().enumerate() {
        if of.stiffness > 0.0 {
            stored += 0.5 * force[i] * force[i] / of.stiffness;
        }
    }
    stored
}

/// Whether a joint lets its body turn in the world, and no other coordinate moves it or hangs on it.
fn has_body_alone<M: Model>() -> bool {
    let is_alone = |joint: &Joint| {
        let own = joint.v..joint.v + joint.nv;
        joint.chart != Chart::Vector
            && M::PARENTS.iter().enumerate().all(|(v, parent)| {
                parent.is_none_or(|parent| own.contains(&parent) == own.contains(&v))
            })
    };
    M::NC == 0 && M::PARENTS.len() == M::NV && M::JOINTS.iter().any(is_alone)
}

/// ṽ.
fn carried<M: Model>(v: &M::V, h: f64) -> M::V {
    let mut carried = v.clone();
    for joint in M::JOINTS.iter().filter(|joint| joint.chart == Chart::Pose) {
        let part = |k: usize| Vector3::from_fn(|i, _| v[joint.v + k + i]);
        let turning = h * part(3).cross(&part(0));
        (0..3).for_each(|i| carried[joint.v + i] += turning[i]);
    }
    carried
}

/// v⁺ in the axes of the beginning.
fn turned_back<M: Model>(begin: &M::Q, end: &State<M>) -> M::V {
    let mut v = end.v.clone();
    for joint in M::JOINTS.iter().filter(|joint| joint.chart != Chart::Vector) {
        let rotation = |q: &M::Q| {
            let [i, j, k, real] = [4, 3, 2, 1].map(|at| q[joint.q + joint.nq - at]);
            UnitQuaternion::from_quaternion(Quaternion::new(real, i, j, k))
        };
        let turn = rotation(begin).inverse() * rotation(&end.q);
        for first in (joint.v..joint.v + joint.nv).step_by(3) {
            let turned = turn * Vector3::from_fn(|i, _| end.v[first + i]);
            (0..3).for_each(|i| v[first + i] = turned[i]);
        }
    }
    v
}

fn constraints<M: Model>(model: &M, begin: &State<M>, v: &M::V, impulses: &[f64]) -> f64 {
    let mut jacobian = vec![0.0; M::NC * M::NV];
    model.constraint_jacobian_into(&begin.q, &begin.v, begin.time, &mut jacobian);
    let entry = |i: usize| jacobian[M::NC * i..].iter().zip(impulses).map(|(h, l)| h * l);
    (0..M::NV).map(|i| v[i] * entry(i).sum::<f64>()).sum()
}

/// Of contacts, limits of joints and declared ones.
fn granted<M: Model>(model: &M, q: &M::Q, simulation: &Simulation<M>) -> f64 {
    let (impulse, h) = (simulation.impulse(), simulation.time_step());
    let mut gaps = vec![0.0; M::CONTACTS.len()];
    model.gap_into(q, &mut gaps);
    let mut declared = vec![0.0; M::LIMITS.len()];
    model.limit_into(q, &mut declared);
    let given = |gap: f64, impulse: f64| (-gap).max(0.0) * impulse / h;
    let contacts = gaps.iter().zip(&impulse.normal).map(|(gap, impulse)| given(*gap, *impulse));
    let declared =
        declared.iter().zip(&impulse.declared).map(|(gap, impulse)| given(*gap, *impulse));
    let pairs = impulse.pairs.iter().map(|point| given(point.gap, point.impulse[0]));
    let ranges = model.coordinate_parameters();
    let limits = M::JOINTS.iter().filter(|joint| joint.chart == Chart::Vector).flat_map(|joint| {
        (0..joint.nv).map(|k| {
            let ([lower, upper], q) = (ranges[joint.v + k].position, q[joint.q + k]);
            let [below, above] = impulse.limits[joint.v + k];
            given(q - lower, below) + given(upper - q, above)
        })
    });
    contacts.chain(declared).chain(pairs).chain(limits).sum()
}

/// The work of all impulses at v⁺, and of what dampers and what is implicit of springs add to f.
fn reactions<M: Model>(model: &M, begin: &State<M>, v: &M::V, simulation: &Simulation<M>) -> f64 {
    let (impulse, h, q) = (simulation.impulse(), simulation.time_step(), &begin.q);
    let rows = 3 * M::CONTACTS.len();
    let (mut jacobian, mut turning) = (vec![0.0; rows * M::NV], vec![0.0; 6 * M::COLUMNS.len()]);
    model.contact_jacobian_into(q, &mut jacobian);
    model.joint_columns_into(q, &mut turning);
    let spin = |link: usize| -> Vector3<f64> {
        let columns = M::SUPPORTS[link].iter();
        columns
            .map(|&k| v[M::COLUMNS[k]] * Vector3::from_column_slice(&turning[6 * k + 3..6 * k + 6]))
            .sum()
    };
    let mut work = 0.0;
    for (i, (contact, parameters)) in
        M::CONTACTS.iter().zip(model.contact_parameters_at(q)).enumerate()
    {
        let local = impulse.local(i);
        let velocity =
            |k: usize| (0..M::NV).map(|j| jacobian[rows * j + 3 * i + k] * v[j]).sum::<f64>();
        work += (0..3).map(|k| local[k] * velocity(k)).sum::<f64>();
        let other = contact.other.map_or_else(Vector3::zeros, spin);
        let turning = spin(contact.link) - other;
        work += impulse.torsion[i] * parameters.normal.dot(&turning);
        work += impulse.rolling_moment(i, &parameters).dot(&turning);
    }
    let mut declared = vec![0.0; M::LIMITS.len() * M::NV];
    model.limit_jacobian_into(q, &mut declared);
    for (i, of) in model.coordinate_parameters().iter().enumerate() {
        let [lower, upper] = impulse.limits[i];
        let along =
            lower - upper + impulse.dry_friction[i] + impulse.motors[i] + impulse.springs[i];
        let rows = declared[M::LIMITS.len() * i..].iter().zip(&impulse.declared);
        work += v[i] * (along + rows.map(|(row, impulse)| row * impulse).sum::<f64>());
        work -= h * of.damping * v[i] * v[i];
    }
    work + between(model, begin, v, (&impulse.springs[M::NV..], h))
}

/// The same of springs and dampers between points, along each and across.
fn between<M: Model>(
    model: &M,
    State { q, v: before, .. }: &State<M>,
    v: &M::V,
    (impulses, h): (&[f64], f64),
) -> f64 {
    let mut spans = vec![0.0; 3 * (1 + M::NV) * M::SPRINGS.len()];
    model.spring_spans_into(q, &mut spans);
    let parameters = model.spring_parameters();
    let springs = parameters.iter().zip(spans.chunks(3 * (1 + M::NV))).zip(impulses.chunks(3));
    let work = |((spring, span), impulse): ((&SpringParameters, &[f64]), &[f64])| {
        let between = Vector3::from_column_slice(&span[..3]);
        let along = if between.norm() > 0.0 { between.normalize() } else { Vector3::x() };
        let across = along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize();
        let rate = |v: &M::V| -> Vector3<f64> {
            span[3..].chunks(3).enumerate().map(|(i, x)| v[i] * Vector3::from_column_slice(x)).sum()
        };
        let (start, end) = (rate(before), rate(v));
        let axes = [along, across, along.cross(&across)];
        let implicit: f64 =
            axes.iter().zip(impulse).map(|(axis, impulse)| impulse * axis.dot(&end)).sum();
        implicit - h * spring.damping * along.dot(&start) * along.dot(&end)
    };
    springs.map(work).sum()
}
