//! Usage in the one meaning that it has over all providers.

use toolwright_core::model::Usage;

/// The numbers of a provider that counts what it was sent in one number.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// All that was sent.
    pub(crate) input: u64,
    /// What came back, with or without the reasoning.
    pub(crate) output: u64,
    /// The sum of both, with all that is billed.
    pub(crate) total: Option<u64>,
    /// Of what was sent.
    pub(crate) cached: Option<u64>,
    pub(crate) written: Option<u64>,
    /// Of what was sent: what was in no request.
    pub(crate) by_provider: Option<u64>,
    /// Of what came back.
    pub(crate) reasoning: Option<u64>,
}

impl Counted {
    /// The usage. Providers of one protocol differ in whether reasoning is among the output, and all that were seen have
    /// it in their sum: "reasoning token consumption will be counted separately from `completion_tokens`, but will be
    /// counted in the `total_tokens`" (docs.x.ai, "Consumption and Rate Limits").
    pub(crate) fn usage(self) -> Usage {
        let reasoning = self.reasoning.unwrap_or(0);
        let output = match self.total {
            Some(total) => self.output.max(total.saturating_sub(self.input)),
            // A part is no more than the whole: it was not counted.
            None if reasoning > self.output => self.output.saturating_add(reasoning),
            None => self.output,
        };
        let mut usage = Usage::new(self.input, output);
        usage.cached_input_tokens = self.cached;
        usage.written_input_tokens = self.written;
        usage.provider_input_tokens = self.by_provider.filter(|tokens| *tokens > 0);
        usage.reasoning_tokens = self.reasoning.map(|tokens| tokens.min(output));
        usage
    }
}
