//! Tokens, wherever a server reports them.

use serde_json::Value;
use toolwright_core::model::Usage;
use toolwright_json::raw::Raw;

use super::chunk::Groq;
use crate::codec::{latest_report::LatestReport, partial_object, usage::Counted};

/// The latest report of a response. Some servers count the tokens so far in every chunk.
#[derive(Debug, Default)]
pub(super) struct Latest(LatestReport);

impl Latest {
    /// Takes what a chunk reports, and what older Groq streams report in a place of their own. A report that
    /// is no object says nothing.
    pub(super) fn take(&mut self, usage: Option<Raw<'_>>, x_groq: Option<Raw<'_>>) {
        let is_report = |report: &Raw<'_>| report.get().starts_with('{');
        let report = usage.filter(is_report).or_else(|| {
            let groq: Groq<'_> = partial_object::parse(x_groq?.get()).ok()?;
            groq.usage.filter(is_report)
        });
        if let Some(report) = report {
            self.0.keep(report.get());
        }
    }

    /// Returns the last usage that was reported; `None` if there was none.
    pub(super) fn decode(&self) -> Option<Usage> {
        let raw: Value = self.0.value()?;
        let number = |pointer: &str| raw.pointer(pointer).and_then(Value::as_u64);
        let counted = Counted {
            input: number("/prompt_tokens").unwrap_or(0),
            output: number("/completion_tokens").unwrap_or(0),
            total: number("/total_tokens"),
            // DeepSeek also counts cache hits in a field of its own, older responses in that alone.
            cached: number("/prompt_tokens_details/cached_tokens")
                .or_else(|| number("/prompt_cache_hit_tokens")),
            // OpenRouter.
            written: number("/prompt_tokens_details/cache_write_tokens"),
            reasoning: number("/completion_tokens_details/reasoning_tokens"),
        };
        let mut usage = counted.usage();
        usage.raw = raw;
        Some(usage)
    }
}
