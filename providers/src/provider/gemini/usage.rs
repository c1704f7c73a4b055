//! Tokens, as this API reports them.

use serde_json::Value;
use toolwright_core::model::Usage;

use crate::codec::{latest_report::LatestReport, usage::Counted};

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
    /// The API counts four numbers apart, whose sum is `totalTokenCount`: the prompt with what is cached of it, what a tool
    /// of the server gave the model to read, the answer, and the thoughts.
    pub(super) fn decode(&self) -> Option<Usage> {
        let raw: Value = self.0.value()?;
        let number = |name: &str| {
            let value = raw.get(name).or_else(|| raw.get(snake_case(name)));
            value.and_then(Value::as_u64)
        };
        let sum = |names: [&str; 2]| {
            let numbers = names.into_iter().filter_map(number);
            numbers.fold(0, u64::saturating_add)
        };
        let counted = Counted {
            input: sum(["promptTokenCount", "toolUsePromptTokenCount"]),
            output: sum(["candidatesTokenCount", "thoughtsTokenCount"]),
            total: number("totalTokenCount"),
            cached: number("cachedContentTokenCount"),
            written: None,
            by_provider: number("toolUsePromptTokenCount"),
            reasoning: number("thoughtsTokenCount"),
        };
        let mut usage = counted.usage();
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
