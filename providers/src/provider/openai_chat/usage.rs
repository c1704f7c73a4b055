//! Tokens, wherever a server reports them.

use serde_json::Value;
use toolwright_core::model::Usage;
use toolwright_json::raw::Raw;

use super::chunk::{Chunk, Groq};
use crate::codec::{latest_report::LatestReport, partial_object, usage::Counted};

/// The fields of what was read from a cache.
const CACHED: &[&str] = &[
    "/prompt_tokens_details/cached_tokens",
    // DeepSeek, in older responses in this alone (api-docs.deepseek.com/guides/kv_cache).
    "/prompt_cache_hit_tokens",
    // Moonshot (platform.kimi.com/docs/api/chat).
    "/cached_tokens",
];

/// The latest report of a response. Some servers count the tokens so far in every chunk.
#[derive(Debug, Default)]
pub(super) struct Latest(LatestReport);

impl Latest {
    /// Takes what a chunk reports, and what older Groq streams and Moonshot report in places of their own. A report
    /// that is no object says nothing.
    pub(super) fn take(&mut self, chunk: &Chunk<'_>) {
        let is_report = |report: &Raw<'_>| report.get().starts_with('{');
        let of_groq = || {
            let groq: Groq<'_> = partial_object::parse(chunk.x_groq?.get()).ok()?;
            groq.usage.filter(is_report)
        };
        // github.com/earendil-works/pi/issues/2017: `choices[0].usage`.
        let of_choice = || {
            let choice = chunk.choices.as_ref()?.first.as_ref()?;
            choice.usage.filter(is_report)
        };
        let report = chunk.usage.filter(is_report);
        let report = report.or_else(of_groq).or_else(of_choice);
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
            cached: CACHED.iter().find_map(|pointer| number(pointer)),
            // OpenRouter.
            written: number("/prompt_tokens_details/cache_write_tokens"),
            by_provider: None,
            reasoning: number("/completion_tokens_details/reasoning_tokens"),
        };
        let mut usage = counted.usage();
        usage.raw = raw;
        Some(usage)
    }
}
