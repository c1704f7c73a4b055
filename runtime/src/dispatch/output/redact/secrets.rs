//! Exact texts that must not be seen.

use std::{borrow::Cow, fmt, ops::Range};

use memchr::memmem::Finder;
use toolwright_json::string::quoted;

use super::{MARK, Redact};

/// Takes exact texts out, such as the keys that an application holds, and puts `[redacted]` in their
/// place.
///
/// Only the texts themselves are found, as they are and as JSON writes them inside of another text: not
/// those that a tool has encoded, such as in base64 or in an address, and not pieces of them. Give the
/// encoded ones as well where tools show them.
///
/// ```
/// use toolwright::redact::{Redact, Secrets};
///
/// let secrets = Secrets::new(["s3cret", "s3cret-and-longer"]);
/// assert_eq!(secrets.redact("key=s3cret-and-longer"), "key=[redacted]");
/// ```
pub struct Secrets(Vec<Finder<'static>>);

impl Secrets {
    /// The texts that must not be seen. Empty ones are ignored. Where one is a piece of another, or
    /// two overlap, nothing of either is left.
    pub fn new<T: AsRef<str>>(secrets: impl IntoIterator<Item = T>) -> Self {
        let mut finders = Vec::new();
        for secret in secrets {
            let secret = secret.as_ref();
            if secret.is_empty() {
                continue;
            }
            finders.push(Finder::new(secret).into_owned());
            let json = quoted(secret);
            let escaped = &json[1..json.len() - 1];
            if escaped != secret {
                finders.push(Finder::new(escaped).into_owned());
            }
        }
        Self(finders)
    }
}

impl Redact for Secrets {
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.0.iter().flat_map(|finder| {
            let places = finder.find_iter(text.as_bytes());
            places.map(|place| place..place + finder.needle().len())
        });
        without(text, found.collect())
    }
}

/// The text with a mark in place of each range, and of ranges that overlap.
pub(super) fn without(text: &str, mut found: Vec<Range<usize>>) -> Cow<'_, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_unstable_by_key(|range| range.start);
    let mut redacted = String::with_capacity(text.len());
    let mut end = None;
    for range in found {
        match end {
            Some(end) if range.start < end => {}
            _ => {
                redacted.push_str(&text[end.unwrap_or(0)..range.start]);
                redacted.push_str(MARK);
            }
        }
        end = end.max(Some(range.end));
    }
    redacted.push_str(&text[end.unwrap_or(0)..]);
    Cow::Owned(redacted)
}

/// The texts are never shown.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secrets").field(&self.0.len()).finish()
    }
}
