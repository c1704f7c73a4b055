//! Tokens, as this API reports them.

use serde_json::Value;
use toolwright_runtime::model::Usage;

use crate::codec::latest_report::LatestReport;

/// The latest report of a response. Every event of a stream has one.
#[derive(Debug, Default)]
pub(super) struct Latest(LatestReport);

impl Latest {
    /// Takes a report. Reports of Vertex count nothing until the last one.
    pub(super) fn take(&mut self, report: &str) {
        if report.contains("TokenCount") || report.contains("_token_count") {
            self.0.keep(report);
        }
    }

    /// Returns the last usage that was reported; `None` if there was none.
    ///
    /// Thoughts are not among the output tokens here, and what a tool of the server read is not among
    /// the input tokens; the cached ones are.
    pub(super) fn decode(&self) -> Option<Usage> {
        let raw: Value = self.0.value()?;
        let number = |name: &str| {
            let value = raw.get(name).or_else(|| raw.get(snake_case(name)));
            value.and_then(Value::as_u64)
        };
        let mut usage = Usage::new(
            number("promptTokenCount").unwrap_or(0),
            number("candidatesTokenCount").unwrap_or(0),
        );
        usage.cached_input_tokens = number("cachedContentTokenCount");
        usage.reasoning_tokens = number("thoughtsTokenCount");
        usage.raw = raw;
        Some(usage)
    }
}

/// A name in the other form that Google's servers use.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
