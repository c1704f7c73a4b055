//! Characters that are cut in two: a JSON string may end with one half of a surrogate pair, and the next
//! piece of the same text begin with the other.
//!
//! Text here is Unicode, which has no halves. At the edge of a piece a half is written as two characters that
//! occur nowhere else: a noncharacter, which Unicode keeps for use within a program, and one of the last
//! plane. Whoever joins the pieces makes characters of them before anybody sees them. A half in any other
//! place, or without its other half, is `U+FFFD`.

use std::borrow::Cow;

use memchr::memchr;
use serde_json::Value;

/// Comes before a half.
const MARK: char = '\u{FDD0}';

/// The first of the 2,048 characters that represent halves. They are the last code points of Unicode.
const FIRST: u32 = 0x10_F800;

/// The character that replaces a half whose other half is missing.
pub const LOST: char = char::REPLACEMENT_CHARACTER;

/// JSON text without lone surrogates. With `edges`, those at the edges of strings are kept.
pub fn mended(json: &str, edges: bool) -> String {
    let bytes = json.as_bytes();
    let mut out = String::with_capacity(json.len());
    // What has been written of the text, and the end of the last escape.
    let (mut done, mut at) = (0, 0);
    while let Some(found) = memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        let start = at + found;
        let Some(half) = half_at(bytes, start) else {
            at = start + 2;
            continue;
        };
        let is_high = half < 0xDC00;
        if is_high && half_at(bytes, start + 6).is_some_and(|next| next >= 0xDC00) {
            at = start + 12;
            continue;
        }
        let is_edge = if is_high {
            bytes.get(start + 6) == Some(&b'"')
        } else {
            // A quote that is not escaped.
            found > 0 && bytes[start - 1] == b'"'
        };
        out.push_str(&json[done..start]);
        if edges && is_edge {
            push_half(&mut out, half);
        } else {
            out.push(LOST);
        }
        at = start + 6;
        done = at;
    }
    out + &json[done..]
}

/// The half that an escape stands for.
fn half_at(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let unit = u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    (0xD800..0xE000).contains(&unit).then_some(unit)
}

/// Adds a half, for the piece that follows.
pub fn push_half(out: &mut String, half: u16) {
    let half = char::from_u32(FIRST + u32::from(half - 0xD800));
    out.push(MARK);
    out.push(half.unwrap_or(LOST));
}

/// The half that these two characters are.
fn half_of(mark: char, half: char) -> Option<u16> {
    let half = u32::from(half).checked_sub(FIRST)?;
    (mark == MARK).then(|| u16::try_from(half + 0xD800).ok())?
}

/// Takes the half at the end of a text.
pub fn take_last(text: &mut String) -> Option<u16> {
    let (before, half) = split_last(text)?;
    text.truncate(before.len());
    Some(half)
}

/// The half at the end of a text, and the text before it.
fn split_last(text: &str) -> Option<(&str, u16)> {
    let mut chars = text.chars();
    let (half, mark) = (chars.next_back()?, chars.next_back()?);
    let half = half_of(mark, half).filter(|half| *half < 0xDC00)?;
    Some((chars.as_str(), half))
}

/// The half at the beginning of a text, and the text after it.
pub fn split_first(text: &str) -> Option<(u16, &str)> {
    let mut chars = text.chars();
    let half = half_of(chars.next()?, chars.next()?).filter(|half| *half >= 0xDC00)?;
    Some((half, chars.as_str()))
}

/// Adds a piece to a text. The text may end with a half, for the next piece.
pub fn push(all: &mut String, piece: &str) {
    let Some(high) = take_last(all) else {
        return all.push_str(piece);
    };
    match split_first(piece) {
        Some((low, rest)) => {
            all.push(joined(high, low));
            all.push_str(rest);
        }
        None if piece.is_empty() => push_half(all, high),
        None => {
            all.push(LOST);
            all.push_str(piece);
        }
    }
}

/// Returns the rest of `whole` after its beginning `told`; `None` if `told` is not its beginning.
pub fn rest_of<'w>(whole: &'w str, told: &str) -> Option<Cow<'w, str>> {
    let Some((told, high)) = split_last(told) else {
        return whole.strip_prefix(told).map(Cow::Borrowed);
    };
    let rest = whole.strip_prefix(told)?;
    let mut chars = rest.chars();
    let mut units = [0; 2];
    match chars.next()?.encode_utf16(&mut units) {
        [first, second] if *first == high => {
            let mut out = String::new();
            push_half(&mut out, *second);
            out.push_str(chars.as_str());
            Some(out.into())
        }
        _ => None,
    }
}

/// A text that gets no more pieces: its halves are lost.
pub fn settle(text: &mut String) {
    if take_last(text).is_some() {
        text.push(LOST);
    }
    if let Some((_, rest)) = split_first(text) {
        *text = format!("{LOST}{rest}");
    }
}

/// Settles every text in a value.
pub fn settle_value(value: &mut Value) {
    match value {
        Value::String(text) => settle(text),
        Value::Array(items) => items.iter_mut().for_each(settle_value),
        Value::Object(fields) => fields.values_mut().for_each(settle_value),
        _ => {}
    }
}

fn joined(high: u16, low: u16) -> char {
    let pair = char::decode_utf16([high, low]).next();
    pair.and_then(Result::ok).unwrap_or(LOST)
}

/// True if a half may stand at an edge of a text. It is a quick look: a text without halves may pass.
pub fn may_have_half(text: &str) -> bool {
    text.starts_with(MARK) || text.as_bytes().iter().rev().nth(3) == Some(&0xF4)
}
