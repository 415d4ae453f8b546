//! What common readers of URDF take for XML, as XML.
//!
//! Files in use are written for TinyXML, which knows no namespaces and passes over what it does not
//! understand. Here a text is changed, character by character so that lines and columns stay, until a strict
//! reader takes it for the same elements and attributes:
//!
//! | written | becomes |
//! |---|---|
//! | `:` in a name, its prefix declared or not | [`COLON`] |
//! | `&` that begins no reference, and `<`, in the value of an attribute | [`AMPERSAND`], [`LESS`] |
//! | comments, declarations and instructions, text and CDATA within elements | blanks |
//! | nothing between a value and the next name | [`GAP`] |
//! | NULs at the end | nothing |
//!
//! [`restored`] undoes the first two, and who counts columns leaves gaps out. A document type, and references to its entities, stay as they are.
//!
//! Bytes are UTF-16 if they begin so, else UTF-8, unless an encoding is declared or needed that gives each
//! character one byte.

use std::borrow::Cow;

/// Stands for a colon in a name; it may stand in one.
pub(super) const COLON: char = '\u{a789}';

/// Stands for an ampersand that begins no reference. Private characters are no text of anybody's.
const AMPERSAND: char = '\u{e026}';

/// Stands for `<` in a value.
const LESS: char = '\u{e03c}';

/// Parts attributes. It is white space, and otherwise only stands at the end of a line.
pub(super) const GAP: char = '\r';

/// The text that a name or value was written as.
pub(super) fn restored(text: &str) -> Cow<'_, str> {
    if !text.contains([COLON, AMPERSAND, LESS]) {
        return Cow::Borrowed(text);
    }
    let original = |c| match c {
        COLON => ':',
        AMPERSAND => '&',
        LESS => '<',
        other => other,
    };
    Cow::Owned(text.chars().map(original).collect())
}

/// What a file's bytes say, and whether they had to be guessed: no UTF-8, and no encoding declared that is
/// known here.
pub(super) fn decoded(bytes: &[u8]) -> (String, bool) {
    let pairs = |word: fn([u8; 2]) -> u16| {
        let (words, _) = bytes.as_chunks::<2>();
        let words: Vec<u16> = words.iter().map(|&pair| word(pair)).collect();
        String::from_utf16_lossy(&words)
    };
    match bytes {
        [0xff, 0xfe, ..] | [b'<', 0, ..] => return (pairs(u16::from_le_bytes), false),
        [0xfe, 0xff, ..] | [0, b'<', ..] => return (pairs(u16::from_be_bytes), false),
        _ => {}
    }
    let latin = || bytes.iter().map(|&byte| char::from(byte)).collect();
    let declared = encoding(bytes);
    if declared.as_deref().is_some_and(|name| LATIN.contains(&name)) {
        return (latin(), false);
    }
    match str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (latin(), true),
    }
}

/// Encodings whose characters are read as those of the same number.
const LATIN: [&str; 5] = ["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1"];

/// The encoding that the declaration names, in small letters.
fn encoding(bytes: &[u8]) -> Option<String> {
    let start = bytes.iter().position(|byte| *byte == b'<')?;
    let end = start + bytes[start..].windows(2).position(|pair| pair == b"?>")?;
    let declaration = str::from_utf8(&bytes[start..end]).ok()?;
    let (_, value) = declaration.strip_prefix("<?xml")?.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.trim().to_ascii_lowercase())
}

/// The text as a strict reader takes it.
pub(super) fn prepared(text: &str) -> String {
    let text = text.trim_end_matches(|c: char| c == '\0' || c.is_ascii_whitespace());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut writer = Writer { rest: text, out: String::with_capacity(text.len()), depth: 0 };
    while !writer.rest.is_empty() {
        writer.advance();
    }
    writer.out
}

/// What remains to be read, and what has become of the beginning.
struct Writer<'t> {
    rest: &'t str,
    out: String,
    /// How many elements are open.
    depth: usize,
}

impl Writer<'_> {
    /// One piece of markup, or the text before the next.
    fn advance(&mut self) {
        if self.rest.starts_with("<!--") {
            self.blank(4);
            self.blank_to("-->");
        } else if self.rest.starts_with("<?") {
            self.blank_to("?>");
        } else if self.rest.starts_with("<![CDATA[") && self.depth > 0 {
            self.blank_to("]]>");
        } else if self.rest.starts_with("<!") {
            self.document_type();
        } else if self.rest.starts_with('<') {
            self.tag();
        } else {
            let end = self.rest.find('<').unwrap_or(self.rest.len());
            if self.depth > 0 { self.blank(end) } else { self.copy(end) }
        }
    }

    fn copy(&mut self, length: usize) {
        let (piece, rest) = self.rest.split_at(length);
        self.out.push_str(piece);
        self.rest = rest;
    }

    fn blank(&mut self, length: usize) {
        let (piece, rest) = self.rest.split_at(length);
        self.out.extend(piece.chars().map(|c| if matches!(c, '\n' | '\r') { c } else { ' ' }));
        self.rest = rest;
    }

    /// What does not end stays as it is, so that the reader says so.
    fn blank_to(&mut self, end: &str) {
        match self.rest.find(end) {
            Some(place) => self.blank(place + end.len()),
            None => self.copy(self.rest.len()),
        }
    }

    /// Up to the `>` outside of brackets and quotes.
    fn document_type(&mut self) {
        let (mut depth, mut quote) = (0_usize, None);
        let end = self.rest.find(|c| {
            match (c, quote) {
                (_, Some(open)) if c == open => quote = None,
                (_, Some(_)) => {}
                ('"' | '\'', None) => quote = Some(c),
                ('[', None) => depth += 1,
                (']', None) => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == '>' && depth == 0 && quote.is_none()
        });
        self.copy(end.map_or(self.rest.len(), |end| end + 1));
    }

    fn tag(&mut self) {
        let has_entities = self.out.contains("<!ENTITY");
        let closes = self.rest.starts_with("</");
        let (mut quote, mut before) = (None, ' ');
        while let Some(c) = self.rest.chars().next() {
            let after = &self.rest[c.len_utf8()..];
            let written = match (c, quote) {
                (':', None) if before.is_alphanumeric() || matches!(before, '_' | '-' | '.') => {
                    COLON
                }
                ('<', Some(_)) => LESS,
                ('&', Some(_)) if !has_entities && !is_reference(after) => AMPERSAND,
                _ => c,
            };
            match (c, quote) {
                (_, Some(open)) if c == open => quote = None,
                ('"' | '\'', None) => quote = Some(c),
                _ => {}
            }
            self.out.push(written);
            self.rest = after;
            let is_closed = matches!(c, '"' | '\'') && quote.is_none();
            if is_closed && after.starts_with(|next: char| next.is_alphabetic() || next == '_') {
                self.out.push(GAP);
            }
            if c == '>' && quote.is_none() {
                break;
            }
            before = c;
        }
        match (closes, before) {
            (true, _) => self.depth = self.depth.saturating_sub(1),
            (false, '/') => {}
            (false, _) => self.depth += 1,
        }
    }
}

/// Whether a reference goes on like this behind its `&`.
fn is_reference(after: &str) -> bool {
    let Some((name, _)) = after.split_once(';') else { return false };
    let digits = |digits: &str, radix| {
        u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).is_some()
    };
    match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix('x') {
            Some(hexadecimal) => digits(hexadecimal, 16),
            None => digits(number, 10),
        },
        None => matches!(name, "lt" | "gt" | "amp" | "quot" | "apos"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_keeps_its_place() {
        for (text, expected) in [
            (" \n<?xml v?>\n<a/>", " \n         \n<a/>"),
            ("<a><!-- -- \n & --><b/></a>", "<a>        \n      <b/></a>"),
            ("<a>x & y<b/>ü\n]]></a>\0\n\0", "<a>     <b/> \n   </a>"),
            ("<a><![CDATA[<b>]]></a>", "<a>               </a>"),
            ("<a b='&amp;&#65;&#x41;'/>", "<a b='&amp;&#65;&#x41;'/>"),
            (
                "<!DOCTYPE a [<!ENTITY m \"]>\">]><a b='&m;'/>",
                "<!DOCTYPE a [<!ENTITY m \"]>\">]><a b='&m;'/>",
            ),
            ("<a>1</a> 2", "<a> </a> 2"),
            ("<a b='>'>1</a>", "<a b='>'> </a>"),
            ("<a><!-- 1", "<a>     1"),
            ("<a b='1'c=\"2\"/>", "<a b='1'\rc=\"2\"/>"),
            ("<a><!--> 1 --></a>", "<a>           </a>"),
        ] {
            assert_eq!(prepared(text), expected);
        }
        let marked = prepared("<a:b c:d='e:f & <'/>");
        assert_eq!(marked.chars().count(), 20);
        assert_eq!(restored(&marked), "<a:b c:d='e:f & <'/>");
        assert!(marked.contains("e:f") && !marked.contains("a:b"), "{marked}");
    }

    #[test]
    fn encodings() {
        let text = "<?xml version='1.0' encoding='X'?><robot name='ü'/>";
        let latin = |name: &str| {
            let text = text.replace('X', name);
            text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<u8>>()
        };
        for name in ["ISO-8859-1", "latin1"] {
            assert_eq!(decoded(&latin(name)), (text.replace('X', name), false));
        }
        assert_eq!(decoded(&latin("UTF-8")), (text.replace('X', "UTF-8"), true));
        assert_eq!(decoded(text.as_bytes()), (text.to_owned(), false));
        let words: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let big: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        for (mark, bytes) in [([0xff, 0xfe], &little), ([0xfe, 0xff], &big)] {
            assert_eq!(decoded(bytes), (text.to_owned(), false));
            let marked = [&mark[..], bytes].concat();
            assert_eq!(prepared(&decoded(&marked).0), prepared(text));
        }
    }

    #[test]
    fn what_is_cut_off_is_read_to_its_end() {
        let text =
            "<!DOCTYPE a [<b '\"]><?c?><!--d--><e f:g=\"&lt; & <\" h='i'>j<![CDATA[k]]></e>\0";
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            let _ = prepared(&text[..end]);
            let _ = decoded(&text.as_bytes()[..end]);
        }
    }
}
