//! How a name of the description becomes a Rust identifier.

/// The Rust identifier of a name: every character but ASCII letters, digits and `_` becomes `_`,
/// `_` is put in front of a leading digit and behind a keyword; an identifier that would be empty or
/// `_` is `__`.
///
/// Two names can give the same identifier; where both are needed, that is an error.
pub fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut text: String = name.chars().map(plain).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    if text == "_" {
        text.push('_');
    }
    if syn::parse_str::<syn::Ident>(&text).is_err() {
        text.push('_');
    }
    text
}

/// The constants that every robot has.
pub const RESERVED: [&str; 26] = [
    "NAME",
    "NQ",
    "NV",
    "NU",
    "JOINT_NAMES",
    "POSITION_LIMITS",
    "JOINTS",
    "LINKS",
    "FRAMES",
    "CONTACTS",
    "CONSTRAINTS",
    "LIMITS",
    "SHAPES",
    "PAIRS",
    "COLUMNS",
    "SUPPORTS",
    "NC",
    "BODIES",
    "MOBILITY",
    "PARENTS",
    "ALIKE",
    "HUBS",
    "HELD_ROWS",
    "INPUTS",
    "REQUIREMENTS",
    "OPERATIONS",
];

/// The identifier of a generated constant: that of the name, in upper case.
pub fn constant(name: &str) -> String {
    identifier(name).to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_gives_an_identifier() {
        for (name, expected) in [
            ("tool", "tool"),
            ("base_link-base_fixed_joint", "base_link_base_fixed_joint"),
            ("3rd", "_3rd"),
            ("", "__"),
            ("_", "__"),
            ("-", "__"),
            ("Gelenk für Fuß", "Gelenk_f_r_Fu_"),
            ("type", "type_"),
            ("self", "self_"),
            ("Self", "Self_"),
            ("box", "box_"),
            ("r#fn", "r_fn"),
        ] {
            assert_eq!(identifier(name), expected);
            assert!(syn::parse_str::<syn::Ident>(&identifier(name)).is_ok(), "{name}");
        }
        assert_eq!(constant("fl-foot"), "FL_FOOT");
    }
}
