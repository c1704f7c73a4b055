//! Tokens, as this API reports them: two numbers beside the end of the response.

use serde_json::{Map, Value};
use toolwright_core::model::Usage;
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;

/// The usage of a response; `None` where neither number is there, as in all lines but the last. Older
/// servers leave the first out where the whole prompt was in their cache.
pub(super) fn decode(prompt: Option<Raw<'_>>, reply: Option<Raw<'_>>) -> Option<Usage> {
    let fields = [("prompt_eval_count", prompt), ("eval_count", reply)];
    let raw: Map<String, Value> = fields
        .into_iter()
        .filter_map(|(name, value)| {
            let value = parse_bounded(value?.get())?;
            Some((name.to_owned(), value))
        })
        .collect();
    if raw.is_empty() {
        return None;
    }
    let number = |name: &str| raw.get(name).and_then(Value::as_u64).unwrap_or(0);
    let mut usage = Usage::new(number("prompt_eval_count"), number("eval_count"));
    usage.raw = Value::Object(raw);
    Some(usage)
}
