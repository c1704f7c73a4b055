//! Tokens, as this API reports them.

use serde_json::{Map, Value, value::RawValue};

use crate::model::Usage;

/// Adds a report to those before: of each field the last value counts, since later reports restate
/// some of the fields. `None` if the text is no object.
///
/// What was read from the cache, or written to it, is not among the input tokens here.
pub(super) fn add(known: &mut Map<String, Value>, raw: &RawValue) -> Option<Usage> {
    let report: Map<String, Value> = serde_json::from_str(raw.get()).ok()?;
    let told = report.into_iter().filter(|(_, value)| !value.is_null());
    known.extend(told);
    let number = |name: &str| known.get(name).and_then(Value::as_u64);
    let mut usage = Usage::new(
        number("input_tokens").unwrap_or(0),
        number("output_tokens").unwrap_or(0),
    );
    usage.cached_input_tokens = number("cache_read_input_tokens");
    usage.reasoning_tokens = known
        .get("output_tokens_details")
        .and_then(|details| details["thinking_tokens"].as_u64());
    usage.raw = Value::Object(known.clone());
    Some(usage)
}
