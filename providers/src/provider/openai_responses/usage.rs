//! Tokens, as this API reports them.

use serde_json::Value;
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;
use toolwright_runtime::model::Usage;

/// The usage of a response; `None` if the text is no object.
pub(super) fn decode(raw: Raw<'_>) -> Option<Usage> {
    let raw: Value = parse_bounded(raw.get())?;
    raw.as_object()?;
    let mut usage = Usage::new(
        raw["input_tokens"].as_u64().unwrap_or(0),
        raw["output_tokens"].as_u64().unwrap_or(0),
    );
    usage.cached_input_tokens = raw["input_tokens_details"]["cached_tokens"].as_u64();
    usage.reasoning_tokens = raw["output_tokens_details"]["reasoning_tokens"].as_u64();
    usage.raw = raw;
    Some(usage)
}
