//! JSON strings read without copying, where they have no escapes.

use std::{
    borrow::{Borrow, Cow},
    fmt,
    path::Path,
};

use crate::{raw::Raw, surrogates::mended};
use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

/// A JSON string, borrowed from the input where it has no escapes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor).map(Self)
    }
}

impl Borrow<str> for Text<'_> {
    #[inline]
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Borrow<Path> for Text<'_> {
    #[inline]
    fn borrow(&self) -> &Path {
        Path::new(&*self.0)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// The text of a JSON string that is written with its quotes; `None` for another value, and for a string that
/// holds half a character, which is no text to Rust.
#[inline]
pub fn unescaped(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(json).ok().map(Cow::Owned)
}

/// The text of a JSON string; `None` for another value, and for a string that holds half a character.
#[inline]
pub fn string_of(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    raw.plain()
        .map(Cow::Borrowed)
        .or_else(|| unescaped(raw.get()))
}

/// The text of a JSON string that is written with its quotes. A half of a character, which is JSON to some
/// parsers, is `U+FFFD`.
pub fn whole_characters(json: &str) -> Cow<'_, str> {
    unescaped(json).unwrap_or_else(|| {
        serde_json::from_str(&mended(json, false)).map_or(Cow::Borrowed(json), Cow::Owned)
    })
}

/// Compares two texts such as names, most of which are short, by few words and without a call.
#[inline]
pub fn is_same(known: &str, name: &str) -> bool {
    let (known, name) = (known.as_bytes(), name.as_bytes());
    let long = || Some((known.first_chunk::<8>()?, known.last_chunk::<8>()?));
    let short = || Some((known.first_chunk::<4>()?, known.last_chunk::<4>()?));
    match known.len() {
        length if length != name.len() => false,
        17.. => known == name,
        8.. => long() == name.first_chunk::<8>().zip(name.last_chunk::<8>()),
        4.. => short() == name.first_chunk::<4>().zip(name.last_chunk::<4>()),
        _ => known.iter().eq(name),
    }
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| unreachable!("text is JSON"))
}

/// Writes a text as a JSON string.
pub fn push_quoted(json: &mut String, text: &str) {
    if text
        .bytes()
        .any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\'))
    {
        return json.push_str(&quoted(text));
    }
    json.push('"');
    json.push_str(text);
    json.push('"');
}

/// The text of a JSON string; nothing for `null`; the JSON itself of any other value, since servers
/// fill some fields with what they like.
pub fn text_of(raw: Raw<'_>) -> Cow<'_, str> {
    if let Some(text) = raw.plain() {
        return Cow::Borrowed(text);
    }
    match raw.get() {
        "null" => Cow::Borrowed(""),
        json if json.starts_with('"') => whole_characters(json),
        json => Cow::Borrowed(json),
    }
}

/// The text of a piece; lone surrogates at its edges are kept, so that pieces can be joined.
pub fn piece_of(raw: Raw<'_>) -> Cow<'_, str> {
    let json = raw.get();
    if let Some(text) = raw.plain() {
        return Cow::Borrowed(text);
    }
    if !json.starts_with('"') || memchr::memmem::find(json.as_bytes(), b"\\u").is_none() {
        return text_of(raw);
    }
    if let Ok(text) = serde_json::from_str::<Text<'_>>(json) {
        return text.0;
    }
    match serde_json::from_str::<Text<'_>>(&mended(json, true)) {
        Ok(text) => text.0.into_owned().into(),
        Err(_) => text_of(raw),
    }
}

#[cfg(test)]
mod tests {
    use super::{Raw, text_of};

    #[test]
    fn a_string_is_its_text_and_all_else_its_json() {
        let check = |json: &str, text: &str| {
            assert_eq!(text_of(Raw::new(json)), text);
        };
        check(r#""a""#, "a");
        check(r#""""#, "");
        check(r#""\"""#, "\"");
        check(r#""caf\u00e9\n""#, "caf\u{e9}\n");
        check("null", "");
        check(r#"{"b": 1, "a": 2}"#, r#"{"b": 1, "a": 2}"#);
        check("1.50", "1.50");
        check(r#""a\ud800""#, "a\u{FFFD}");
    }
}
