//! Reads back the data that a page embeds.

use std::collections::BTreeMap;

/// The literal after `const recording = `, and the members of its top level that are strings.
pub(crate) fn embedded(page: &str) -> (&str, BTreeMap<&str, &str>) {
    let (_, rest) = page.split_once("const recording = ").unwrap();
    let (literal, _) = rest.split_once(";\n").unwrap();
    let strings = ["times", "poses", "forceCounts", "forces"].map(|key| {
        let (_, rest) = literal.split_once(&format!("\"{key}\":\"")).unwrap();
        (key, rest.split_once('"').unwrap().0)
    });
    (literal, strings.into_iter().collect())
}

fn decode(base64: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => 0,
    };
    let padding = base64.bytes().filter(|&c| c == b'=').count();
    let mut bytes = Vec::new();
    for chunk in base64.as_bytes().chunks(4) {
        let bits = chunk.iter().fold(0_u32, |bits, &c| bits << 6 | u32::from(digit(c)));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    bytes.truncate(bytes.len() - padding);
    bytes
}

pub(crate) fn singles(base64: &str) -> Vec<f32> {
    let bytes = decode(base64);
    let chunks = bytes.chunks_exact(4);
    assert!(chunks.remainder().is_empty());
    chunks.map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

pub(crate) fn doubles(base64: &str) -> Vec<f64> {
    let bytes = decode(base64);
    let chunks = bytes.chunks_exact(8);
    assert!(chunks.remainder().is_empty());
    chunks.map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}
