//! Tokens.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Tokens that a request or a run used, as the provider counts them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of what was sent.
    pub input_tokens: u64,
    /// Tokens of what came back.
    pub output_tokens: u64,
    /// Input tokens that were read from the provider's cache, if it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<u64>,
    /// Tokens of the whole request, if the provider does not count what it keeps in its cache among the
    /// [input tokens](Self::input_tokens).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_tokens: Option<u64>,
    /// Output tokens that were reasoning, if the provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// The provider's own object; `null` in a sum.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

impl Usage {
    /// Usage by its two main numbers.
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            input_tokens,
            output_tokens,
            ..Self::default()
        }
    }

    /// Returns the tokens of all that was sent, cached or not.
    pub fn sent_tokens(&self) -> u64 {
        self.request_tokens.unwrap_or(self.input_tokens)
    }
}

impl AddAssign<&Usage> for Usage {
    fn add_assign(&mut self, other: &Usage) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
        self.request_tokens = match (self.request_tokens, other.request_tokens) {
            (None, None) => None,
            _ => Some(self.sent_tokens().saturating_add(other.sent_tokens())),
        };
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens = sum(self.cached_input_tokens, other.cached_input_tokens);
        self.reasoning_tokens = sum(self.reasoning_tokens, other.reasoning_tokens);
        self.raw = Value::Null;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_keeps_what_one_side_does_not_know() {
        let mut sum = Usage::default();
        let mut first = Usage::new(10, 2);
        first.reasoning_tokens = Some(1);
        first.raw = serde_json::json!({"prompt_tokens": 10});
        sum += &first;
        sum += &Usage::new(5, 3);
        assert_eq!(
            (sum.input_tokens, sum.output_tokens, sum.reasoning_tokens),
            (15, 5, Some(1))
        );
        assert_eq!((sum.cached_input_tokens, &sum.raw), (None, &Value::Null));
        assert_eq!((sum.request_tokens, sum.sent_tokens()), (None, 15));
        let mut cached = Usage::new(1, 2);
        cached.request_tokens = Some(100);
        sum += &cached;
        assert_eq!((sum.request_tokens, sum.input_tokens), (Some(115), 16));
    }
}
