//! `<origin>`.

use super::super::reader::{At, Reader};
use super::source::{Element, Version, scalars};
use crate::description::{Rotation, Triple};

/// Squared length of a quaternion whose numbers are rounded, off by less.
const ROUNDING: f64 = 1e-3;

/// Position and axes, where they are given.
///
/// Axes are `rpy` or, from version 1.1 on, `quat_xyzw`, which has any length but zero.
pub(super) fn read(
    reader: &mut Reader<'_>,
    origin: Element<'_, '_>,
) -> (Option<At<Triple>>, Option<At<Rotation>>) {
    (origin.numbers(reader, "xyz").map(scalars), rotation(reader, origin))
}

fn rotation(reader: &mut Reader<'_>, origin: Element<'_, '_>) -> Option<At<Rotation>> {
    let [rpy, quaternion] = ["rpy", "quat_xyzw"].map(|key| origin.place_of(key));
    if let Some(at) = quaternion {
        if origin.source.version < Version::V1_1 {
            let message = "`quat_xyzw` is of version 1.1: it is not read unless `<robot>` states";
            reader.warn(&at, format!("{message} `version=\"1.1\"`"));
        } else if rpy.is_some() {
            reader.error(&at, "expected one of `rpy` and `quat_xyzw`, found both");
            return None;
        } else {
            return self::quaternion(reader, origin);
        }
    }
    let At { value, at } = scalars(origin.numbers(reader, "rpy")?);
    Some(At { value: Rotation::Rpy(value), at })
}

fn quaternion(reader: &mut Reader<'_>, origin: Element<'_, '_>) -> Option<At<Rotation>> {
    let parts: At<[f64; 4]> = origin.numbers(reader, "quat_xyzw")?;
    let square: f64 = parts.value.iter().map(|x| x * x).sum();
    if square == 0.0 {
        reader.error(&parts.at, "expected a quaternion of non-zero length");
        return None;
    }
    if (square - 1.0).abs() > ROUNDING {
        let message = format!("a quaternion of length {} is brought to length 1", square.sqrt());
        reader.warn(&parts.at, message);
    }
    let At { value, at } = scalars(parts);
    Some(At { value: Rotation::Quaternion(value), at })
}
