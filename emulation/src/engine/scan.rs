//! The search for a byte at which anything but text may begin. Most of a text is passed here.

use crate::marker::{self, Match};

use super::markers::{Marker, around, ends_head, follows_less};

/// The number of bytes that are looked at together.
const BLOCK: usize = 64;
/// The number of them that are looked at together where one of a block is found.
const PART: usize = 16;
/// The number of bytes behind a bracket that are looked at: names and keys are shorter.
const NAME: usize = 64;

/// Finds the next byte at which anything but text may begin, from a position on.
pub(super) fn next(text: &str, from: usize) -> Option<usize> {
    let (bytes, mut at) = (text.as_bytes(), from);
    while at < bytes.len() {
        if bytes[at..].first_chunk::<BLOCK>().is_some_and(is_text) {
            at += BLOCK;
            continue;
        }
        let end = bytes.len().min(at + BLOCK);
        while at < end {
            if bytes[at..].first_chunk::<PART>().is_some_and(is_text) {
                at += PART;
                continue;
            }
            let part = &bytes[at..bytes.len().min(at + PART)];
            let mut places = part.iter().enumerate();
            let found = places.find(|(place, byte)| {
                IS_CHECKED[usize::from(**byte)] && may_stand(text, at + place)
            });
            if let Some((place, _)) = found {
                return Some(at + place);
            }
            at += part.len();
        }
    }
    None
}

fn is_text<const N: usize>(block: &[u8; N]) -> bool {
    !block
        .iter()
        .fold(false, |found, byte| found | is_anchor(*byte))
}

/// The bytes of `is_anchor` that are no rare ones.
static IS_CHECKED: [bool; 256] = {
    let mut all = [false; 256];
    let checked = *b"`<>:_{[~";
    let mut place = 0;
    while place < checked.len() {
        all[checked[place] as usize] = true;
        place += 1;
    }
    all
};

/// Returns true for the bytes by which markers are found, for the beginnings of code and values, and for a few bytes
/// that are rare, such as `z`. Three comparisons tell them, which a compiler makes for many bytes at once.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "branches keep a compiler from doing it for many bytes"
)]
const fn is_anchor(byte: u8) -> bool {
    (byte | 0x25 == 0x7f) | (byte & 0xdf == 0x40) | (byte | 0x06 == 0x3e)
}

/// Returns true if more than the byte speaks for it that anything but text begins.
fn may_stand(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes[at] {
        b'`' => true,
        b'~' => bytes[at + 1..].iter().take(2).all(|next| *next == b'~'),
        b'<' => match bytes.get(at + 1..at + 3) {
            Some(&[next, third]) => follows_less(next, third) && may_be_marker(text, at),
            _ => true,
        },
        b'>' => bytes.get(at + 1).is_none_or(|next| *next == b'>'),
        b':' | b'_' => ends_head(bytes, at) && may_be_marker(text, at),
        b'{' => is_followed(&bytes[at + 1..], b":"),
        b'[' => is_followed(&bytes[at + 1..], b"(=") || may_be_marker(text, at),
        _ => false,
    }
}

/// Returns true if a marker stands around a byte, or may in a longer text.
fn may_be_marker(text: &str, at: usize) -> bool {
    let is_here = |marker: &Marker| {
        let start = at.checked_sub(marker.head);
        let start = start.filter(|start| text.is_char_boundary(*start));
        start.is_some_and(|start| marker::begins(&text[start..], marker.text) != Match::No)
    };
    at + 1 == text.len() || around(text.as_bytes(), at).any(is_here)
}

/// Returns false if a name stands behind a bracket that none of these bytes follows, or what begins no value: a list of
/// calls, or an object, has other text there. It is true where more has to be looked at.
fn is_followed(text: &[u8], by: &[u8]) -> bool {
    let text = &text[..text.len().min(NAME)];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let first = text.iter().position(|byte| !byte.is_ascii_whitespace());
    let Some(text) = first.map(|first| &text[first..]) else {
        return true;
    };
    match text[0] {
        b'"' | b'\'' | b'`' | b'/' | b'{' | b'}' | b'[' | b']' | 0x80.. => return true,
        first if !is_name(&first) => return false,
        _ => {}
    }
    let Some(name) = text.iter().position(|byte| !is_name(byte)) else {
        return true;
    };
    let rest = &text[name..];
    let Some(next) = rest.iter().find(|byte| !byte.is_ascii_whitespace()) else {
        return true;
    };
    by.contains(next) || !next.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn text_is_passed() {
        let found = |text: &str| next(text, 0);
        for text in [
            "See [the guide](x), [1], [1, 2] and {this}.",
            "fn main() {\n    let all = vec![1, 2];\n}",
            "<div><p>It is <b>8</b>: a_b</p></div>.",
            "a > b, a::b @ 8",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        for (text, at) in [
            ("a {b", 2),
            ("a {b: 1}", 2),
            ("a { \"b\"", 2),
            ("a [{", 2),
            ("a [f(x=1)]", 2),
            ("a [f (", 2),
            ("a [TOOL_CALLS]", 2),
            ("functools[", 9),
            ("JSON_BEGIN", 4),
            ("a <tool_call>", 2),
            ("a `b`", 2),
            ("a >>>", 2),
            ("a [é", 2),
            ("a <", 2),
        ] {
            assert_eq!(found(text), Some(at), "{text}");
        }
    }
}
