//! Which pairs and shapes press in a recording, and where.

use crate::contact::Touching;
use crate::model::Model;
use crate::record::{PairForce, Sample};

/// Those with a force in some sample, in their order.
pub(crate) fn all<M: Model>(samples: &[Sample<M>]) -> Vec<Touching> {
    let points = samples.iter().flat_map(|sample| &sample.pairs);
    let pressing = points.filter(|point| point.normal_force() != 0.0);
    let mut touching: Vec<_> = pressing.map(|point| point.of).collect();
    touching.sort_unstable();
    touching.dedup();
    touching
}

/// What columns and curves of it are called.
pub(crate) fn name<M: Model>(of: Touching) -> String {
    match of {
        Touching::Pair(k) => M::PAIRS[k].name.to_owned(),
        Touching::Ground(k) => format!("{}_ground", M::SHAPES[k].name),
    }
}

/// Its points in a sample.
pub(crate) fn points<M: Model>(
    sample: &Sample<M>,
    of: Touching,
) -> impl Iterator<Item = &PairForce> {
    sample.pairs.iter().filter(move |point| point.of == of)
}
