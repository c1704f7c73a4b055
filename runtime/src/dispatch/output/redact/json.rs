//! Redacts inside of JSON, which stays JSON.

use std::{borrow::Cow, ops::Range};

use serde_json::value::RawValue;

use super::{MARK, Redactions, names::Names};
use crate::tool::OutputPart;

/// Redacts the texts, keys and numbers of a JSON text, and values whose keys say that they must not be
/// seen. A number that is not as it was becomes a text; all else stays as it is, byte for byte. What is
/// no JSON after all is redacted as the text it is.
pub(super) fn redact(json: String, redactions: &Redactions) -> OutputPart {
    match redacted(&json, redactions) {
        Some(Cow::Borrowed(_)) => OutputPart::Json(json),
        Some(Cow::Owned(redacted)) => OutputPart::Json(redacted),
        None => match redactions.cow(&json) {
            Cow::Borrowed(same) if same == json => OutputPart::Json(json),
            other => OutputPart::Text(other.into_owned()),
        },
    }
}

/// The JSON as it may be seen; `None` where it is no JSON.
fn redacted<'j>(json: &'j str, redactions: &Redactions) -> Option<Cow<'j, str>> {
    serde_json::from_str::<&RawValue>(json).ok()?;
    let mut walk = Walk {
        json,
        redactions,
        new: None,
        written: 0,
        objects: Vec::new(),
    };
    walk.all();
    Some(match walk.new {
        None => Cow::Borrowed(json),
        Some(mut new) => {
            new.push_str(&json[walk.written..]);
            Cow::Owned(new)
        }
    })
}

/// A walk over valid JSON, from its start to its end.
struct Walk<'j, 'r> {
    json: &'j str,
    redactions: &'r Redactions,
    /// The rewritten text, if anything was changed: it replaces everything up to `written` of the original.
    new: Option<String>,
    written: usize,
    /// The names that were given to keys, of each object that is open.
    objects: Vec<Names>,
}

impl<'j> Walk<'j, '_> {
    fn all(&mut self) {
        // The key whose value comes next.
        let mut key: Option<Cow<'j, str>> = None;
        let mut at = 0;
        while let Some(found) = self.json.as_bytes()[at..]
            .iter()
            .position(|&byte| starts_token(byte))
        {
            let start = at + found;
            let token = &self.json[start..start + token_bytes(&self.json[start..])];
            at = start + token.len();
            match token.as_bytes()[0] {
                b'{' => {
                    key = None;
                    self.objects.push(Names::default());
                }
                b'}' => {
                    self.objects.pop();
                }
                b'[' => key = None,
                b'"' if is_key(&self.json[at..]) => key = Some(self.key(start..at)),
                first => self.value(start..at, first, key.take()),
            }
        }
    }

    /// Redacts a key, and gives it as it was.
    fn key(&mut self, place: Range<usize>) -> Cow<'j, str> {
        let key = unescaped(&self.json[place.clone()]);
        let redacted = self.redactions.cow(&key);
        if redacted != key {
            let redacted = redacted.into_owned();
            let name = match self.objects.last_mut() {
                Some(names) => names.free(&redacted, |_| false),
                None => redacted,
            };
            self.write(place, &name);
        }
        key
    }

    /// Redacts a value, which begins with this byte and has this key if it is that of a member.
    fn value(&mut self, place: Range<usize>, first: u8, key: Option<Cow<'_, str>>) {
        let token = &self.json[place.clone()];
        let value = match first {
            b'"' => unescaped(token),
            _ => Cow::Borrowed(token),
        };
        if key.is_some_and(|key| self.redactions.hide(&key, &value)) {
            self.write(place, MARK);
        } else if !first.is_ascii_lowercase() {
            let redacted = self.redactions.cow(&value);
            if redacted != value {
                self.write(place, &redacted);
            }
        }
    }

    fn write(&mut self, place: Range<usize>, text: &str) {
        let new = self
            .new
            .get_or_insert_with(|| String::with_capacity(self.json.len()));
        new.push_str(&self.json[self.written..place.start]);
        new.push_str(&quoted(text));
        self.written = place.end;
    }
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| unreachable!("a text is JSON"))
}

fn starts_token(byte: u8) -> bool {
    matches!(
        byte,
        b'"' | b'-' | b'0'..=b'9' | b'{' | b'}' | b'[' | b't' | b'f' | b'n'
    )
}

/// Returns the number of bytes of the token at the start of the text.
fn token_bytes(json: &str) -> usize {
    let bytes = json.as_bytes();
    let while_in = |is_in: fn(&u8) -> bool| bytes.iter().take_while(|byte| is_in(byte)).count();
    match bytes[0] {
        b'"' => text_bytes(bytes),
        b'{' | b'}' | b'[' => 1,
        b't' | b'f' | b'n' => while_in(u8::is_ascii_lowercase),
        _ => while_in(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')),
    }
}

/// Returns the number of bytes of a string, with both quotes.
fn text_bytes(json: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = json
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        at += found;
        if json[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    unreachable!("every text of valid JSON has its end")
}

/// Returns true if the string before this is a key.
fn is_key(rest: &str) -> bool {
    rest.trim_ascii_start().starts_with(':')
}

/// The text of a token in quotes. Half of a surrogate pair, which is no character, is replaced.
fn unescaped(token: &str) -> Cow<'_, str> {
    let in_quotes = &token[1..token.len() - 1];
    if !in_quotes.contains('\\') {
        return Cow::Borrowed(in_quotes);
    }
    let text = serde_json::from_str(token).unwrap_or_else(|_| {
        // As bytes every text can be read.
        let bytes: Result<Bytes, _> = serde_json::from_str(token);
        bytes.map_or_else(
            |_| in_quotes.to_owned(),
            |Bytes(bytes)| String::from_utf8_lossy(&bytes).into_owned(),
        )
    });
    Cow::Owned(text)
}

/// The bytes of a text, in which half of a surrogate pair has a form as well.
struct Bytes(Vec<u8>);

impl<'de> serde::Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(BytesVisitor).map(Self)
    }
}

struct BytesVisitor;

impl serde::de::Visitor<'_> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}
