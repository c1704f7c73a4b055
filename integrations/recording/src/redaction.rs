//! What is taken out of a request and a response before they are written or compared.

use std::borrow::Cow;

use serde_json::value::RawValue;

use toolwright_core::driver::caught;
use toolwright_runtime::{Credentials, Redact, Redactions};

/// Redactions that also look into JSON that stands in a string, such as the arguments of a call.
#[derive(Debug, Clone)]
pub(super) struct Redaction(Redactions);

impl Redaction {
    /// What looks like a credential.
    pub(super) fn new() -> Self {
        let mut all = Redactions::default();
        all.push(Credentials::new());
        Self(all)
    }

    pub(super) fn push(&mut self, redact: impl Redact) {
        self.0.push(redact);
    }

    /// A JSON text as it may be seen; `None` if a redaction panicked.
    pub(super) fn json(&self, json: String) -> Option<String> {
        caught(|| self.inside().json(json)).ok()
    }

    fn inside(&self) -> Redactions {
        let mut inside = Redactions::default();
        inside.push(Inside(self.clone()));
        inside
    }
}

/// The redactions, for a string that may be JSON. Strings inside of strings need ever more escapes, so that they are
/// few.
struct Inside(Redaction);

impl Redact for Inside {
    fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let may_be_json = text.trim_ascii_start().starts_with(['{', '[']);
        if may_be_json && serde_json::from_str::<&RawValue>(text).is_ok() {
            return Cow::Owned(self.0.inside().json(text.to_owned()));
        }
        self.0.0.redact(text)
    }

    fn is_sensitive(&self, name: &str, value: &str) -> bool {
        self.0.0.is_sensitive(name, value)
    }
}
