//! Tokens, as this API reports them.

use serde_json::{Map, Value};
use toolwright_core::model::Usage;
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;

use crate::codec::usage::Counted;

/// The reports of a response: of each field the last value counts, since later reports restate some of the
/// fields.
///
/// The first is told when it comes, and after that only what there is in the end: a server may report as
/// often as it likes, and what it has reported is copied each time it is told.
#[derive(Debug, Default)]
pub(super) struct Reports {
    known: Map<String, Value>,
    /// Some of it has not been emitted.
    changed: bool,
}

impl Reports {
    /// Takes a report, and tells the first.
    pub(super) fn add(&mut self, raw: Raw<'_>) -> Option<Usage> {
        let report: Map<String, Value> = parse_bounded(raw.get())?;
        let is_first = self.known.is_empty();
        let told = report.into_iter().filter(|(_, value)| !value.is_null());
        self.known.extend(told);
        self.changed = true;
        if is_first { self.finish() } else { None }
    }

    /// Returns the usage that has not been reported yet, if there is any.
    ///
    /// The API counts what was read from the cache, and what was written to it, beside its input tokens, and thinking
    /// among its output tokens.
    pub(super) fn finish(&mut self) -> Option<Usage> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let known = &self.known;
        let number = |name: &str| known.get(name).and_then(Value::as_u64);
        let cached = number("cache_read_input_tokens");
        let written = number("cache_creation_input_tokens");
        let sent = [number("input_tokens"), cached, written];
        let details = known.get("output_tokens_details");
        let counted = Counted {
            input: sent.into_iter().flatten().fold(0, u64::saturating_add),
            output: number("output_tokens").unwrap_or(0),
            total: None,
            cached,
            written,
            reasoning: details.and_then(|details| details["thinking_tokens"].as_u64()),
        };
        let mut usage = counted.usage();
        usage.raw = Value::Object(known.clone());
        Some(usage)
    }
}
