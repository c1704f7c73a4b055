//! Tokens, as this API reports them.

use serde_json::Value;
use toolwright_core::model::Usage;
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;

use crate::codec::usage::Counted;

/// The usage of a response; `None` if the text is no object.
pub(super) fn decode(raw: Raw<'_>) -> Option<Usage> {
    let raw: Value = parse_bounded(raw.get())?;
    raw.as_object()?;
    let (sent, came) = (&raw["input_tokens_details"], &raw["output_tokens_details"]);
    let counted = Counted {
        input: raw["input_tokens"].as_u64().unwrap_or(0),
        output: raw["output_tokens"].as_u64().unwrap_or(0),
        total: raw["total_tokens"].as_u64(),
        cached: sent["cached_tokens"].as_u64(),
        written: sent["cache_write_tokens"].as_u64(),
        by_provider: None,
        reasoning: came["reasoning_tokens"].as_u64(),
    };
    let mut usage = counted.usage();
    usage.raw = raw;
    Some(usage)
}
