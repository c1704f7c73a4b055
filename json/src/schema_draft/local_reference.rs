//! References by pointer into the document in which they stand, and how names are written in them.
//!
//! Names of other kinds, which have to be looked for, are found by [`references`](super::references).

use std::{borrow::Cow, fmt::Write as _};

use serde_json::Value;

use crate::{path::key_of_step, tree::Json};

/// A document of schemas, in either of the two trees.
pub trait Document {
    /// Returns the address that the document gives itself.
    fn address(&self) -> Option<&str>;

    /// Returns the value that a pointer such as `/$defs/A` leads to.
    fn at(&self, pointer: &str) -> Option<&Self>;
}

impl Document for Value {
    fn address(&self) -> Option<&str> {
        self.get("$id").or_else(|| self.get("id"))?.as_str()
    }

    fn at(&self, pointer: &str) -> Option<&Self> {
        self.pointer(pointer)
    }
}

impl Document for Json {
    fn address(&self) -> Option<&str> {
        let keywords = self.as_object()?;
        keywords.get("$id").or_else(|| keywords.get("id"))?.as_str()
    }

    fn at(&self, pointer: &str) -> Option<&Self> {
        self.pointer(pointer)
    }
}

/// Returns the pointer of a reference into a document, whose own address may stand before it; `None` for another
/// document. It may be the name of an anchor too, which does not begin with `/`.
pub fn pointer<'r>(reference: &'r str, root: &impl Document) -> Option<Cow<'r, str>> {
    let (before, pointer) = reference.split_once('#')?;
    let is_own = || root.address().map(|own| own.trim_end_matches('#')) == Some(before);
    (before.is_empty() || is_own()).then(|| percent_decoded(pointer))
}

/// Returns what a reference by pointer leads to.
pub fn target<'s, T: Document>(reference: &str, root: &'s T) -> Option<&'s T> {
    root.at(&pointer(reference, root)?)
}

/// A fragment of an address without its `%20` and the like; one that is none of UTF-8 stays.
pub(crate) fn percent_decoded(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digit = |place: usize| char::from(*after.get(place)?).to_digit(16);
        let code = digit(0).zip(digit(1)).filter(|_| byte == b'%');
        let code = code.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(fragment), Cow::Owned)
}

/// Returns the key that the last step of a reference stands for.
pub fn key_in_reference(step: &str) -> String {
    key_of_step(&percent_decoded(step)).into_owned()
}

/// Writes a key as a step of a reference.
pub fn step_of_reference(key: &str) -> String {
    let key = key.replace('~', "~0").replace('/', "~1");
    let mut text = String::with_capacity(key.len());
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            text.push(byte.into());
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{key_in_reference, pointer, step_of_reference, target};

    #[test]
    fn a_reference_leads_into_its_own_document() {
        let root = json!({"$id": "https://example.org/a"});
        for (reference, expected) in [
            ("#", Some("")),
            ("#/$defs/a%20b", Some("/$defs/a b")),
            ("#/$defs/%C3%A9", Some("/$defs/é")),
            ("#/$defs/%zz%4%+1", Some("/$defs/%zz%4%+1")),
            ("#/$defs/%ff", Some("/$defs/%ff")),
            ("https://example.org/a#/$defs/F", Some("/$defs/F")),
            ("https://example.org/b#/$defs/F", None),
            ("b.json", None),
        ] {
            assert_eq!(
                pointer(reference, &root).as_deref(),
                expected,
                "{reference}"
            );
        }
        let root = json!({"id": "urn:a", "$defs": {"a/b": {"c": 1}}});
        assert_eq!(target("#/$defs/a~1b/c", &root), Some(&json!(1)));
        assert_eq!(target("urn:a#/$defs/a%7E1b/c", &root), Some(&json!(1)));
        assert_eq!(target("#a", &root), None);
    }

    #[test]
    fn a_key_is_written_as_it_is_read() {
        for key in ["A", "a/b~1", "a b%20", "é", "Map<String, Vec<u8>>", "%+1"] {
            assert_eq!(key_in_reference(&step_of_reference(key)), key);
        }
    }
}
