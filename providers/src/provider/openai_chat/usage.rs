//! Tokens, wherever a server reports them.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use toolwright_json::bounded::parse_bounded;
use toolwright_runtime::model::Usage;

/// The usage of a response or a chunk; `None` if the text is no object.
pub(super) fn decode(raw: &RawValue) -> Option<Usage> {
    let raw: Value = parse_bounded(raw.get())?;
    let number = |pointer: &str| raw.pointer(pointer).and_then(Value::as_u64);
    let mut usage = Usage::new(
        number("/prompt_tokens").unwrap_or(0),
        number("/completion_tokens").unwrap_or(0),
    );
    // DeepSeek also counts cache hits in a field of its own, older responses in that alone.
    usage.cached_input_tokens = number("/prompt_tokens_details/cached_tokens")
        .or_else(|| number("/prompt_cache_hit_tokens"));
    usage.reasoning_tokens = number("/completion_tokens_details/reasoning_tokens");
    usage.raw = raw.is_object().then_some(raw)?;
    Some(usage)
}

/// The usage that older Groq streams report in a place of their own.
pub(super) fn decode_groq(x_groq: &RawValue) -> Option<Usage> {
    #[derive(Deserialize)]
    struct Groq<'a> {
        #[serde(borrow)]
        usage: Option<&'a RawValue>,
    }
    let groq: Groq<'_> = serde_json::from_str(x_groq.get()).ok()?;
    groq.usage.and_then(decode)
}
