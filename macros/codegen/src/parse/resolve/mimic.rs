//! Joints that follow others: q = multiplier · q′ + offset, where q′ itself may follow q″, and so
//! on up to a joint that follows none.

use std::collections::BTreeMap;

use super::super::draft::{self, Joint as Draft};
use super::super::reader::Reader;
use super::{joint, way_out};
use crate::description::{Joint, Mimic};
use crate::scalar::Scalar;

/// Follows each chain to its end. `drafts` belong to the joints of the same index.
pub(super) fn resolve(reader: &mut Reader<'_>, drafts: &[&Draft], joints: &mut [Joint]) {
    let mut leaders = Leaders::new();
    for (follower, draft) in drafts.iter().enumerate() {
        let Some(mimic) = &draft.mimic else { continue };
        if let Some(leader) = direct(reader, joints, follower, mimic) {
            leaders.insert(follower, (leader, mimic));
        }
    }
    for (&follower, (_, mimic)) in &leaders {
        match chain(follower, &leaders) {
            Ok(mimic) => joints[follower].mimic = Some(mimic),
            Err(cycle) if cycle.iter().min() == Some(&follower) => {
                let name = &joints[follower].name;
                let message = format!("joint `{name}` follows itself by way of `{}`", mimic.joint);
                reader.error(&mimic.joint.at, message);
            }
            Err(_) => {}
        }
    }
}

/// The joint that `mimic` names, if both it and the follower have one coordinate.
fn direct(
    reader: &mut Reader<'_>,
    joints: &[Joint],
    follower: usize,
    mimic: &draft::Mimic,
) -> Option<usize> {
    let leader = joint(reader, joints, &mimic.joint);
    for (key, number) in [("multiplier", &mimic.multiplier), ("offset", &mimic.offset)] {
        let quantity = format!("the {key} of joint `{}`", joints[follower].name);
        reader.require_finite(quantity, std::slice::from_ref(&number.value), &number.at);
    }
    let single = |reader: &mut Reader<'_>, joint: &Joint| {
        let (name, keyword, nv) = (&joint.name, joint.family.keyword(), joint.family.nv());
        if nv != 1 {
            let message = "only joints with one coordinate follow and are followed";
            let way_out = way_out(&mimic.joint);
            let message = format!("{message}; `{name}` is {keyword} and has {nv}{way_out}");
            reader.error(&mimic.joint.at, message);
        }
        nv == 1
    };
    let both = single(reader, &joints[follower]) && single(reader, &joints[leader?]);
    leader.filter(|_| both)
}

/// The joints that follow, each with the one it names.
type Leaders<'d> = BTreeMap<usize, (usize, &'d draft::Mimic)>;

/// The end of the chain from `follower`, or the joints of the cycle that it runs into.
fn chain(follower: usize, leaders: &Leaders<'_>) -> Result<Mimic, Vec<usize>> {
    let (mut multiplier, mut offset) = (Scalar::ONE, Scalar::ZERO);
    let (mut joint, mut passed) = (follower, Vec::new());
    while let Some(&(leader, mimic)) = leaders.get(&joint) {
        if let Some(start) = passed.iter().position(|&before| before == joint) {
            return Err(passed.split_off(start));
        }
        passed.push(joint);
        offset = offset + multiplier.clone() * mimic.offset.value.clone();
        multiplier = multiplier * mimic.multiplier.value.clone();
        joint = leader;
    }
    Ok(Mimic { joint, multiplier, offset })
}
