//! Redacts inside of JSON, which stays JSON.

use std::{borrow::Cow, ops::Range};

use serde_json::value::RawValue;
use toolwright_json::{
    string::{quoted, whole_characters},
    tokens::Tokens,
};

use super::Redact as _;
use super::{MARK, Redactions, names::Names};
use toolwright_core::tool::OutputPart;

/// Redacts the texts, keys and numbers of a JSON text, and values whose keys say that they must not be
/// seen. A number that is not as it was becomes a text; all else stays as it is, byte for byte. What is
/// no JSON after all is redacted as the text it is.
pub(super) fn redact(json: String, redactions: &Redactions) -> OutputPart {
    match redacted(&json, redactions) {
        Some(Cow::Borrowed(_)) => OutputPart::Json(json),
        Some(Cow::Owned(redacted)) => OutputPart::Json(redacted),
        None => match redactions.redact(&json) {
            Cow::Borrowed(same) if same == json => OutputPart::Json(json),
            other => OutputPart::Text(other.into_owned()),
        },
    }
}

/// The JSON as it may be seen; `None` where it is not JSON.
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
        let mut tokens = Tokens::new(self.json);
        while let Some(token) = tokens.next() {
            let place = tokens.at() - token.len()..tokens.at();
            match token.as_bytes()[0] {
                b'{' => {
                    key = None;
                    self.objects.push(Names::default());
                }
                b'}' => {
                    self.objects.pop();
                }
                b'[' => key = None,
                b']' | b',' | b':' => {}
                b'"' if is_key(&self.json[place.end..]) => key = Some(self.key(place)),
                first => self.value(place, first, key.take()),
            }
        }
    }

    /// Redacts a key, and gives it as it was.
    fn key(&mut self, place: Range<usize>) -> Cow<'j, str> {
        let key = whole_characters(&self.json[place.clone()]);
        let redacted = self.redactions.redact(&key);
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
            b'"' => whole_characters(token),
            _ => Cow::Borrowed(token),
        };
        if key.is_some_and(|key| self.redactions.is_sensitive(&key, &value)) {
            self.write(place, MARK);
        } else if !first.is_ascii_lowercase() {
            let redacted = self.redactions.redact(&value);
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

/// Returns true if the string before this is a key.
fn is_key(rest: &str) -> bool {
    rest.trim_ascii_start().starts_with(':')
}
