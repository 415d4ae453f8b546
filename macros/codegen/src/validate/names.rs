//! Names that become Rust constants must stay apart.

use std::collections::HashMap;

use crate::description::Description;
use crate::diagnostic::Errors;
use crate::parse::{RESERVED, constant};

/// Reports frames whose constants would have the same name as something else.
pub fn names(description: &Description, errors: &mut Errors) {
    let mut seen = HashMap::new();
    for name in description.frames.iter().map(|frame| &frame.name) {
        let constant = constant(&name.text);
        if RESERVED.contains(&constant.as_str()) {
            let message = format!("frame `{name}` becomes the constant `{constant}`");
            errors.push(&name.at, format!("{message}, which every robot has already"));
        }
        match seen.get(&constant) {
            Some(first) if *first != &name.text => {
                let message = format!("frames `{first}` and `{name}` both become");
                errors.push(&name.at, format!("{message} the constant `{constant}`"));
            }
            Some(_) => {}
            None => {
                seen.insert(constant, &name.text);
            }
        }
    }
}
