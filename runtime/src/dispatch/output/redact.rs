//! Takes out what must not leave a call.

mod credentials;
mod json;
mod names;
#[cfg(feature = "regex")]
mod patterns;
mod secrets;

use std::{borrow::Cow, collections::BTreeMap, fmt, sync::Arc};

pub use credentials::Credentials;
#[cfg(feature = "regex")]
pub use patterns::{PatternError, RedactPatterns};
pub use secrets::Secrets;

use names::Names;

use toolwright_core::{
    ToolError,
    tool::{CallUpdate, OutputPart, ToolOutput},
};

/// Removes from texts the parts that must not leave a call: see
/// [`CallOptions::with_redaction`](crate::CallOptions::with_redaction).
///
/// [`Secrets`] removes exact texts, [`Credentials`] what looks like a key, `RedactPatterns` (feature `regex`) the
/// matches of patterns, and [`redact_fn`] makes a redaction of a closure.
pub trait Redact: Send + Sync + 'static {
    /// Returns the text without the parts that must be hidden; the text itself if there are none.
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str>;

    /// Returns true if a value must be hidden because of its name; false by default. `[redacted]` then replaces the
    /// value.
    ///
    /// It is called for the members of JSON objects, unless they are arrays or objects themselves, and for the
    /// details of errors. The value is a string without its quotes and escapes, or a number, `true`, `false` or
    /// `null` as it is written.
    fn is_sensitive(&self, _name: &str, _value: &str) -> bool {
        false
    }
}

/// Redacts by a closure.
///
/// ```
/// use std::borrow::Cow;
/// use toolwright::redact::{Redact, redact_fn};
///
/// let without_home = redact_fn(|text| match text.contains("/home/ada") {
///     true => Cow::Owned(text.replace("/home/ada", "~")),
///     false => Cow::Borrowed(text),
/// });
/// assert_eq!(without_home.redact("in /home/ada/notes"), "in ~/notes");
/// ```
pub fn redact_fn<F>(redact: F) -> impl Redact
where
    F: for<'a> Fn(&'a str) -> Cow<'a, str> + Send + Sync + 'static,
{
    ByFn(redact)
}

struct ByFn<F>(F);

impl<F> Redact for ByFn<F>
where
    F: for<'a> Fn(&'a str) -> Cow<'a, str> + Send + Sync + 'static,
{
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        (self.0)(text)
    }
}

/// The text that replaces a redacted part.
const MARK: &str = "[redacted]";

/// The message about wrong arguments that cannot be quoted.
const NOT_QUOTED: &str =
    "the arguments do not fit; the details are withheld, since they would quote redacted text";

/// Several, one after the other.
#[derive(Clone, Default)]
pub struct Redactions(Vec<Arc<dyn Redact>>);

impl Redactions {
    /// Adds one at the end.
    pub fn push(&mut self, redact: impl Redact) {
        self.0.push(Arc::new(redact));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn outcome(
        &self,
        outcome: Result<ToolOutput, ToolError>,
    ) -> Result<ToolOutput, ToolError> {
        outcome
            .map(|output| self.output(output))
            .map_err(|error| self.error(error))
    }

    pub(crate) fn update(&self, update: CallUpdate) -> CallUpdate {
        update.with_texts(|text| self.text(text), |output| self.output(output))
    }

    /// Redacts the texts in a JSON text, which stays JSON.
    pub fn json(&self, json: String) -> String {
        match json::redact(json, self) {
            OutputPart::Json(text) | OutputPart::Text(text) => text,
            _ => unreachable!("JSON does not become an image or a file"),
        }
    }

    fn output(&self, output: ToolOutput) -> ToolOutput {
        let over_parts = self.over_parts(&output);
        let parts = output.parts.into_iter().map(|part| self.part(part));
        match over_parts {
            None => parts.collect(),
            Some(text) => {
                let others = parts.filter(|part| !matches!(part, OutputPart::Text(_)));
                ToolOutput::text(text)
                    .parts
                    .into_iter()
                    .chain(others)
                    .collect()
            }
        }
    }

    /// The texts of an output as one, if something begins in one and ends in the next: a model reads
    /// each on a line of its own.
    fn over_parts(&self, output: &ToolOutput) -> Option<String> {
        let texts = output.parts.iter().filter_map(|part| match part {
            OutputPart::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let texts: Vec<_> = texts.collect();
        if texts.len() < 2 {
            return None;
        }
        let apart: Vec<_> = texts.iter().map(|text| self.redact(text)).collect();
        let whole = texts.join("\n");
        let redacted = self.redact(&whole);
        (redacted != apart.join("\n")).then(|| redacted.into_owned())
    }

    fn part(&self, part: OutputPart) -> OutputPart {
        part.with_texts(|text| self.text(text), |json| json::redact(json, self))
    }

    fn error(&self, mut error: ToolError) -> ToolError {
        self.unquote(&mut error);
        error.message = self.text(error.message);
        error.log = error.log.map(|log| self.text(log));
        error.details = self.details(error.details);
        if let Some(text) = error.user_text() {
            let text = self.text(text.to_owned());
            error = error.with_user_text(text);
        }
        error
    }

    /// Takes out texts that quote what must not be seen in a form in which it is not found: cut, or with
    /// escapes.
    fn unquote(&self, error: &mut ToolError) {
        let Some(quoted) = error.take_quoted() else {
            return;
        };
        let texts = [Some(&mut error.message), error.log.as_mut()];
        let mut texts: Vec<_> = texts.into_iter().flatten().collect();
        texts.retain(|text| text.contains(['…', '\\']));
        if texts.is_empty() {
            return;
        }
        let quoted = OutputPart::Json(quoted.into());
        if self.part(quoted.clone()) != quoted {
            for text in texts {
                NOT_QUOTED.clone_into(text);
            }
        }
    }

    fn details(&self, details: BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut redacted = BTreeMap::new();
        let mut names = Names::default();
        let mut renamed = Vec::new();
        for (name, value) in details {
            let value = if self.is_sensitive(&name, &value) {
                MARK.to_owned()
            } else {
                self.text(value)
            };
            match self.redact(&name) {
                Cow::Borrowed(same) if same == name => {
                    redacted.insert(name, value);
                }
                new => renamed.push((new.into_owned(), value)),
            }
        }
        for (name, value) in renamed {
            let name = names.free(&name, |name| redacted.contains_key(name));
            redacted.insert(name, value);
        }
        redacted
    }

    fn text(&self, text: String) -> String {
        match self.redact(&text) {
            Cow::Borrowed(same) if same == text => text,
            other => other.into_owned(),
        }
    }
}

impl Redact for Redactions {
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let all = self.0.iter();
        all.fold(Cow::Borrowed(text), |text, redact| match text {
            Cow::Borrowed(text) => redact.redact(text),
            Cow::Owned(text) => Cow::Owned(redact.redact(&text).into_owned()),
        })
    }

    fn is_sensitive(&self, name: &str, value: &str) -> bool {
        self.0.iter().any(|redact| redact.is_sensitive(name, value))
    }
}

impl fmt::Debug for Redactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Redactions").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests;
