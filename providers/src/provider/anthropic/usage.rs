//! Tokens, as this API reports them.

use serde_json::{Map, Value};
use toolwright_core::model::Usage;
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;

use crate::codec::usage::Counted;

const CACHED: &str = "cache_read_input_tokens";
const WRITTEN: &str = "cache_creation_input_tokens";

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
        let number = |step: &Map<String, Value>, name: &str| step.get(name).and_then(Value::as_u64);
        // An advisor and a compaction are steps that the numbers of the whole leave out (anthropic-python,
        // `types/beta/beta_usage.py`).
        let steps = known.get("iterations").and_then(Value::as_array);
        let steps = steps.into_iter().flatten().filter_map(Value::as_object);
        let mut steps: Vec<_> = steps.collect();
        if steps.is_empty() {
            steps.push(known);
        }
        let sum = |name: &str| {
            let numbers = steps.iter().filter_map(|step| number(step, name));
            numbers.reduce(u64::saturating_add)
        };
        let input_of = |step: &Map<String, Value>| {
            let names = ["input_tokens", CACHED, WRITTEN];
            let numbers = names.into_iter().filter_map(|name| number(step, name));
            numbers.fold(0, u64::saturating_add)
        };
        let input = steps
            .iter()
            .map(|step| input_of(step))
            .fold(0, u64::saturating_add);
        let first = steps.first().map_or(0, |step| input_of(step));
        let details = known.get("output_tokens_details");
        let counted = Counted {
            input,
            output: sum("output_tokens").unwrap_or(0),
            total: None,
            cached: sum(CACHED),
            written: sum(WRITTEN),
            by_provider: Some(input.saturating_sub(first)),
            reasoning: details.and_then(|details| details["thinking_tokens"].as_u64()),
        };
        let mut usage = counted.usage();
        usage.raw = Value::Object(known.clone());
        Some(usage)
    }
}
