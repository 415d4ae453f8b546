//! `kernels(…)`: which of the heavy kernels are derived.

use super::keys::Keys;
use super::reader::Reader;
use super::suggest::{did_you_mean, list};
use super::syntax::{Body, Item};
use crate::kernels::Family;

/// The word for all families.
const ALL: &str = "all";

/// The families that `kernels(…)` names, each once, in the order of [`Family::ALL`].
pub(super) fn read(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Vec<Family> {
    let Some((at, items)) = keys.call(reader, "kernels") else { return Vec::new() };
    if items.is_empty() {
        reader.error(&at, format!("`kernels(…)` names no kernel; {}", known()));
    }
    let mut wanted: Vec<Family> = Vec::new();
    let mut everything = false;
    for item in items {
        match family(item) {
            Ok(None) => everything = true,
            Ok(Some(family)) if wanted.contains(&family) => {
                reader.error(&item.key.at(), format!("`{}` is named twice", item.key.text));
            }
            Ok(Some(family)) => wanted.push(family),
            Err(message) => reader.error(&item.key.at(), message),
        }
    }
    Family::ALL.into_iter().filter(|family| everything || wanted.contains(family)).collect()
}

/// The family that an item names; `None` is all of them.
fn family(item: &Item) -> Result<Option<Family>, String> {
    let word = item.key.text.as_str();
    let Body::Bare = item.body else { return Err(format!("expected `{word}` alone")) };
    if word == ALL {
        return Ok(None);
    }
    let family = Family::ALL.into_iter().find(|family| family.key() == word);
    family.map(Some).ok_or_else(|| {
        let hint = did_you_mean(word, words());
        format!("there are no kernels `{word}`{hint}\n{}", known())
    })
}

fn words() -> impl Iterator<Item = &'static str> {
    Family::ALL.into_iter().map(Family::key).chain([ALL])
}

fn known() -> String {
    format!("there are {}", list(words()))
}
