//! Takes out what must not leave a call.

mod json;
#[cfg(feature = "regex")]
mod patterns;
mod secrets;

use std::{borrow::Cow, fmt, sync::Arc};

#[cfg(feature = "regex")]
pub use patterns::{PatternError, Patterns};
pub use secrets::Secrets;

use crate::{
    ToolError,
    message::Image,
    tool::{CallUpdate, OutputPart, ToolOutput},
};

/// Takes out of texts what must not leave a call: see
/// [`DispatchOptions::with_redaction`](crate::DispatchOptions::with_redaction).
///
/// [`Secrets`] takes out exact texts, `Patterns` (feature `regex`) what patterns match, and
/// [`redact_fn`] makes one of a closure.
pub trait Redact: Send + Sync + 'static {
    /// The text without what must not be seen; the text itself if there is nothing in it.
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str>;
}

/// Redacts by a closure.
///
/// ```
/// use std::borrow::Cow;
/// use toolwright_runtime::{Redact, redact_fn};
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

/// What stands where something was taken out.
const MARK: &str = "[redacted]";

/// Several, one after the other.
#[derive(Clone, Default)]
pub(super) struct Redactions(Vec<Arc<dyn Redact>>);

impl Redactions {
    pub(super) fn push(&mut self, redact: impl Redact) {
        self.0.push(Arc::new(redact));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn outcome(
        &self,
        outcome: Result<ToolOutput, ToolError>,
    ) -> Result<ToolOutput, ToolError> {
        outcome
            .map(|output| self.output(output))
            .map_err(|error| self.error(error))
    }

    pub(super) fn update(&self, update: CallUpdate) -> CallUpdate {
        match update {
            CallUpdate::Partial(output) => CallUpdate::Partial(self.output(output)),
            CallUpdate::Progress(mut report) => {
                report.message = self.text(report.message);
                CallUpdate::Progress(report)
            }
        }
    }

    fn output(&self, output: ToolOutput) -> ToolOutput {
        output
            .parts
            .into_iter()
            .map(|part| self.part(part))
            .collect()
    }

    fn part(&self, part: OutputPart) -> OutputPart {
        match part {
            OutputPart::Text(text) => OutputPart::Text(self.text(text)),
            OutputPart::Json(json) => json::redact(json, |text| self.cow(text)),
            // An address may have a key in it.
            OutputPart::Image(Image::Url { url }) => OutputPart::Image(Image::Url {
                url: self.text(url),
            }),
            OutputPart::Image(image @ Image::Base64 { .. }) => OutputPart::Image(image),
        }
    }

    fn error(&self, error: ToolError) -> ToolError {
        let pair = |(name, value)| (self.text(name), self.text(value));
        ToolError {
            message: self.text(error.message),
            log: error.log.map(|log| self.text(log)),
            details: error.details.into_iter().map(pair).collect(),
            ..error
        }
    }

    fn text(&self, text: String) -> String {
        match self.cow(&text) {
            Cow::Borrowed(same) if same == text => text,
            other => other.into_owned(),
        }
    }

    fn cow<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let all = self.0.iter();
        all.fold(Cow::Borrowed(text), |text, redact| match text {
            Cow::Borrowed(text) => redact.redact(text),
            Cow::Owned(text) => Cow::Owned(redact.redact(&text).into_owned()),
        })
    }
}

impl fmt::Debug for Redactions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Redactions").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests;
