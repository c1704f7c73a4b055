//! Tokens, as this API reports them.

use serde_json::{Map, Value};
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;
use toolwright_runtime::model::Usage;

/// The reports of a response: of each field the last value counts, since later reports restate some of the
/// fields.
///
/// The first is told when it comes, and after that only what there is in the end: a server may report as
/// often as it likes, and what it has reported is copied each time it is told.
#[derive(Debug, Default)]
pub(super) struct Reports {
    known: Map<String, Value>,
    /// Some of it has not been told.
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
    /// What was read from the cache, or written to it, is not among the input tokens here.
    pub(super) fn finish(&mut self) -> Option<Usage> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let known = &self.known;
        let number = |name: &str| known.get(name).and_then(Value::as_u64);
        let mut usage = Usage::new(
            number("input_tokens").unwrap_or(0),
            number("output_tokens").unwrap_or(0),
        );
        usage.cached_input_tokens = number("cache_read_input_tokens");
        let written = number("cache_creation_input_tokens");
        let cached = [usage.cached_input_tokens, written].into_iter().flatten();
        let cached = cached.fold(0, u64::saturating_add);
        usage.request_tokens = (cached > 0).then(|| usage.input_tokens.saturating_add(cached));
        usage.reasoning_tokens = known
            .get("output_tokens_details")
            .and_then(|details| details["thinking_tokens"].as_u64());
        usage.raw = Value::Object(known.clone());
        Some(usage)
    }
}
