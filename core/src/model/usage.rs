//! Tokens.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Tokens that a request or a run used. It means the same for every provider, whatever its own numbers mean:
///
/// | Field | Counts | Is a part of |
/// | --- | --- | --- |
/// | `input_tokens` | all that the model read: the request, cached or not, and what tools of the provider gave it | |
/// | `cached_input_tokens` | what was read from the provider's cache | `input_tokens` |
/// | `written_input_tokens` | what was written to the provider's cache | `input_tokens` |
/// | `output_tokens` | all that the model wrote: text, calls, images, sound, and its reasoning, shown or not | |
/// | `reasoning_tokens` | the reasoning | `output_tokens` |
///
/// So the sum of `input_tokens` and `output_tokens` is what a request used, and
/// [limits](crate::run::Limits::max_tokens) and [prices](crate::run::Price) count these two.
/// [`raw`](Self::raw) has the provider's own numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens that the model read, with those that the provider has in its cache and those of its own tools.
    pub input_tokens: u64,
    /// Tokens that the model wrote, with its reasoning.
    pub output_tokens: u64,
    /// Input tokens that were read from the provider's cache, if it reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<u64>,
    /// Input tokens that were written to the provider's cache, if it reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_input_tokens: Option<u64>,
    /// Input tokens that were in no request, if the provider reports them: what its own tools gave the model to read, and
    /// what further steps of its own read again. A [context window](crate::run::ContextWindow) does not count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_input_tokens: Option<u64>,
    /// Output tokens that were reasoning, if the provider reports them.
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

    /// Returns the input tokens of the request itself.
    pub fn sent_tokens(&self) -> u64 {
        let others = self.provider_input_tokens.unwrap_or(0);
        self.input_tokens.saturating_sub(others)
    }

    /// Returns the tokens of all that was read and written.
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl AddAssign<&Usage> for Usage {
    fn add_assign(&mut self, other: &Usage) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens = sum(self.cached_input_tokens, other.cached_input_tokens);
        self.written_input_tokens = sum(self.written_input_tokens, other.written_input_tokens);
        self.provider_input_tokens = sum(self.provider_input_tokens, other.provider_input_tokens);
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
        (first.reasoning_tokens, first.written_input_tokens) = (Some(1), Some(4));
        first.raw = serde_json::json!({"prompt_tokens": 10});
        sum += &first;
        sum += &Usage::new(5, 3);
        assert_eq!(
            (sum.input_tokens, sum.output_tokens, sum.total_tokens()),
            (15, 5, 20)
        );
        assert_eq!(
            (
                sum.reasoning_tokens,
                sum.cached_input_tokens,
                sum.written_input_tokens
            ),
            (Some(1), None, Some(4))
        );
        assert_eq!(sum.raw, Value::Null);
    }
}
