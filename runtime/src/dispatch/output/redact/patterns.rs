//! Patterns of what must not be seen.

use std::borrow::Cow;

use regex::Regex;
use toolwright_json::string::quoted;

use super::{Redact, secrets::without};

/// Takes out what patterns match, and puts `[redacted]` in its place. Only with the feature `regex`,
/// whose syntax it is.
///
/// A text is searched from each match to the next. The time of one search grows with what it reads, and no
/// faster. A pattern that reads far behind what it matches, such as `.*!|a` in a text of many `a`, reads it
/// again for each match: then the time grows with the square of the text. What reads little further than
/// it matches takes time in proportion to the text: name the characters that a secret consists of.
///
/// JSON is not one text: each text, key and number in it is looked at by itself, without its quotes and
/// escapes. A pattern that names a key as well, such as `"password"\s*:\s*"[^"]*"`, is compared with each
/// member whose value is neither an array nor an object, written as `"key":"value"`, `"key":value`, with
/// and without a space after the colon, and as `key: value`. Where a match begins before the value and
/// reaches into it, the whole value is taken out. So it is with the details of errors.
///
/// ```
/// use toolwright::redact::{Redact, RedactPatterns};
///
/// let patterns = RedactPatterns::new([r"sk-[A-Za-z0-9]{8,}", r"\b\d{4}( \d{4}){3}\b"])?;
/// assert_eq!(patterns.redact("sk-abcdefgh1 and 12"), "[redacted] and 12");
/// # Ok::<(), toolwright::redact::PatternError>(())
/// ```
#[derive(Debug)]
pub struct RedactPatterns(Vec<Regex>);

impl RedactPatterns {
    /// The patterns. Where one matches nothing at all, between two characters, it takes nothing out.
    ///
    /// # Errors
    ///
    /// When one is not a valid pattern.
    pub fn new<T: AsRef<str>>(patterns: impl IntoIterator<Item = T>) -> Result<Self, PatternError> {
        let compile = |pattern: T| {
            let pattern = pattern.as_ref();
            Regex::new(pattern).map_err(|error| PatternError {
                pattern: pattern.to_owned(),
                reason: error.to_string(),
            })
        };
        let patterns: Result<_, _> = patterns.into_iter().map(compile).collect();
        patterns.map(Self)
    }
}

impl Redact for RedactPatterns {
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let found = self.0.iter().flat_map(|regex| regex.find_iter(text));
        let found = found.map(|found| found.range());
        without(text, found.filter(|range| !range.is_empty()).collect())
    }

    fn is_sensitive(&self, name: &str, value: &str) -> bool {
        let (json_name, json_value) = (quoted(name), quoted(value));
        let forms = [
            (&*json_name, ":", &*json_value),
            (&*json_name, ": ", &*json_value),
            (&*json_name, ":", value),
            (&*json_name, ": ", value),
            (name, ": ", value),
        ];
        let mut member = String::new();
        forms.into_iter().any(|(name, colon, value)| {
            member.clear();
            member.extend([name, colon, value]);
            let start = member.len() - value.len();
            let reaches_in = |regex: &Regex| {
                let mut found = regex.find_iter(&member);
                found.any(|found| found.start() < start && found.end() > start)
            };
            self.0.iter().any(reaches_in)
        })
    }
}

/// A pattern that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is no valid pattern: {reason}")]
#[non_exhaustive]
pub struct PatternError {
    /// The text.
    pub pattern: String,
    /// The reason why the pattern is wrong.
    pub reason: String,
}
