//! The search for a byte at which anything but text may begin. Most of a text is passed here.

use crate::marker::{self, Match};

use super::markers::{Marker, Markers};

/// The number of bytes that are looked at together, and in the rest of a text.
const BLOCK: usize = 64;
const PART: usize = 16;
/// The number of bytes behind a bracket that are looked at: names and keys are shorter.
const NAME: usize = 64;

/// Finds the next byte at which anything but text may begin, from a position on.
pub(super) fn next(text: &str, from: usize) -> Option<usize> {
    let scan = Scan {
        text,
        markers: Markers::all(),
    };
    let bytes = text.as_bytes();
    let (at, found) = scan.blocks::<BLOCK>(from);
    if found {
        return Some(at);
    }
    let (at, found) = scan.blocks::<PART>(at);
    if found {
        return Some(at);
    }
    (at..bytes.len()).find(|&at| is_anchor(bytes[at]) && scan.may_stand(at))
}

/// Returns true if there is no anchor. A compiler makes it a few instructions for many bytes.
fn is_text<const N: usize>(block: &[u8; N]) -> bool {
    !block
        .iter()
        .fold(false, |found, byte| found | is_anchor(*byte))
}

/// Returns true for the bytes by which markers are found, for the beginnings of code and values, and for a few bytes
/// that are rare, such as `z`. Three comparisons tell them.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "branches keep a compiler from doing it for many bytes"
)]
const fn is_anchor(byte: u8) -> bool {
    (byte | 0x25 == 0x7f) | (byte & 0xdf == 0x40) | (byte | 0x06 == 0x3e)
}

/// Tells of each byte of a block whether it is an anchor that more than the byte speaks for. What stands behind the block
/// is looked at too: it is `None` if that is not there.
fn candidates<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    let own = bytes.first_chunk::<N>()?;
    let (next, third) = (
        bytes[1..].first_chunk::<N>()?,
        bytes[2..].first_chunk::<N>()?,
    );
    let mut all = [0; N];
    for place in 0..N {
        all[place] = is_candidate(own[place], next[place], third[place]);
    }
    Some(all)
}

/// Returns false for bytes that are no anchors, for a `>` that ends a tag, and for the most frequent tags of HTML: no
/// marker begins with their letters. It has no branches, so that a compiler makes it a few instructions for many bytes.
const fn is_candidate(byte: u8, next: u8, third: u8) -> u8 {
    const fn is(byte: u8, other: u8) -> u8 {
        if byte == other { 0xff } else { 0 }
    }
    let closes = is(next, b'/');
    let letter = closes & third | !closes & next;
    // Three comparisons for `b`, `d` and `f`, of which the last is none.
    let is_html = is(letter | 0x06, b'f') & !is(letter, b'f')
        | is(letter, b'p')
        | is(letter, b'h')
        | is(letter, b'u');
    let is_tag = is(byte, b'<') & !is_html;
    let is_end = is(byte, b'>') & is(next, b'>');
    let is_value = is(byte | 0x20, b'{') | is(byte, b'_') | is(byte, b':');
    let is_code = is(byte, b'`') | is(byte, b'~');
    (is_tag | is_end | is_value | is_code) & 1
}

/// A text in which markers are looked for.
struct Scan<'t> {
    text: &'t str,
    markers: &'static Markers,
}

impl Scan<'_> {
    /// Looks at the blocks of so many bytes from a position on. Returns the place of the first anchor at which anything but
    /// text may begin, and true; or the end of the last block.
    fn blocks<const N: usize>(&self, from: usize) -> (usize, bool) {
        let mut at = from;
        while let Some(block) = self.text.as_bytes()[at..].first_chunk::<N>() {
            if !is_text(block)
                && let Some(found) = self.first::<N>(at)
            {
                return (found, true);
            }
            at += N;
        }
        (at, false)
    }

    /// The first anchor of a block at which anything but text may begin.
    fn first<const N: usize>(&self, start: usize) -> Option<usize> {
        let bytes = &self.text.as_bytes()[start..];
        let Some(candidates) = candidates::<N>(bytes) else {
            let mut block = bytes[..N].iter().enumerate();
            let found =
                block.find(|(place, byte)| is_anchor(**byte) && self.may_stand(start + place));
            return found.map(|(place, _)| start + place);
        };
        let (words, _) = candidates.as_chunks::<8>();
        words.iter().enumerate().find_map(|(place, word)| {
            let mut bits = u64::from_le_bytes(*word);
            while bits != 0 {
                let at = start + place * 8 + bits.trailing_zeros() as usize / 8;
                if self.may_stand(at) {
                    return Some(at);
                }
                bits &= bits - 1;
            }
            None
        })
    }

    /// Returns true if more than the byte speaks for it that anything but text begins.
    fn may_stand(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        match bytes[at] {
            b'<' => self.markers.follows_bracket(&bytes[at..]) && self.may_be_marker(at),
            b'`' => true,
            b'~' => bytes[at + 1..].iter().take(2).all(|next| *next == b'~'),
            b'>' => bytes.get(at + 1).is_none_or(|next| *next == b'>'),
            b':' | b'_' => self.markers.ends_head(bytes, at) && self.may_be_marker(at),
            b'{' => is_followed(&bytes[at + 1..], b":"),
            b'[' => {
                is_followed(&bytes[at + 1..], b"(=")
                    || self.markers.follows_bracket(&bytes[at..]) && self.may_be_marker(at)
            }
            _ => false,
        }
    }

    /// Returns true if a marker stands around a byte, or may in a longer text.
    fn may_be_marker(&self, at: usize) -> bool {
        let is_here = |marker: &Marker| {
            let start = at.checked_sub(marker.head);
            let start = start.filter(|start| self.text.is_char_boundary(*start));
            start.is_some_and(|start| marker::begins(&self.text[start..], marker.text) != Match::No)
        };
        let bytes = self.text.as_bytes();
        at + 1 == bytes.len() || self.markers.around(bytes, at).any(is_here)
    }
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
    use super::{Markers, is_anchor, is_candidate, next};

    /// What is passed over in blocks of bytes is no marker.
    #[test]
    fn the_byte_by_which_a_marker_is_found_is_looked_at() {
        for marker in Markers::all().iter() {
            let bytes = marker.text.as_bytes();
            let byte = |place: usize| bytes.get(marker.head + place).copied();
            let own = byte(0).expect("is a part of it");
            assert!(is_anchor(own), "{marker:?}");
            for next in (0..=u8::MAX).filter(|next| byte(1).is_none_or(|own| own == *next)) {
                for third in (0..=u8::MAX).filter(|third| byte(2).is_none_or(|own| own == *third)) {
                    assert_eq!(is_candidate(own, next, third), 1, "{marker:?}");
                }
            }
        }
    }

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
