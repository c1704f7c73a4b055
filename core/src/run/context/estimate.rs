//! An estimate of the tokens of a request, from its weight and the usage that was reported last.

/// The tokens of requests: a part that does not change, and so many tokens for so much weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Estimate {
    /// Tokens of what is in each request.
    base: u64,
    /// So many tokens
    tokens: u64,
    /// for so much weight.
    weight: u64,
}

/// The bounds of what a text has: a token for this many bytes.
const DENSE: u64 = 2;
const USUAL: u64 = 4;
const SPARSE: u64 = 12;

impl Estimate {
    /// An estimate before any usage is reported.
    pub(super) const fn new() -> Self {
        Self {
            base: 0,
            tokens: 1,
            weight: USUAL,
        }
    }

    /// Takes what a request of a weight had in tokens. What a text cannot have is something else in each request.
    pub(super) fn told(&mut self, tokens: u64, weight: u64) {
        if weight == 0 || tokens.saturating_mul(SPARSE) < weight {
            // It is not what the request has: some count nothing that they have kept.
            return;
        }
        (self.tokens, self.weight) = if tokens.saturating_mul(DENSE) > weight {
            (1, DENSE)
        } else {
            (tokens, weight)
        };
        self.base = 0;
        self.base = tokens.saturating_sub(self.tokens_of(weight));
    }

    /// Takes that a request of a weight has at least so many tokens, for which all text in it is held.
    pub(super) fn too_long(&mut self, tokens: u64, weight: u64) {
        let tokens = tokens.max(self.tokens_of(weight)).max(1);
        if self.base > tokens / 2 {
            self.base = 0;
        }
        (self.tokens, self.weight) = (tokens - self.base, weight.max(1));
    }

    /// The tokens of a request of a weight.
    pub(super) fn tokens_of(&self, weight: u64) -> u64 {
        let text = u128::from(weight) * u128::from(self.tokens) / u128::from(self.weight);
        self.base
            .saturating_add(u64::try_from(text).unwrap_or(u64::MAX))
    }

    /// The weight of requests that have these tokens.
    pub(super) fn weight_of(&self, tokens: u64) -> u64 {
        let text = tokens.saturating_sub(self.base);
        let weight = u128::from(text) * u128::from(self.weight) / u128::from(self.tokens);
        u64::try_from(weight).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_tokens_that_were_told() {
        for (tokens, weight) in [(1, 4), (500, 2_000), (900, 2_000), (30_000, 2_000), (7, 70)] {
            let mut estimate = Estimate::new();
            estimate.told(tokens, weight);
            assert!(
                estimate.tokens_of(weight).abs_diff(tokens) <= 1,
                "{estimate:?}"
            );
            let back = estimate.weight_of(estimate.tokens_of(weight));
            assert!(back.abs_diff(weight) <= SPARSE, "{estimate:?}, {back}");
        }
    }

    #[test]
    fn a_request_that_is_too_long_has_what_is_too_much() {
        let mut estimate = Estimate::new();
        estimate.told(3_000, 4_000);
        assert_eq!(estimate.base, 1_000);
        estimate.too_long(128_000, 6_000);
        let tokens = [0, 3_000, 6_000].map(|weight| estimate.tokens_of(weight));
        assert_eq!(tokens, [1_000, 64_500, 128_000]);
        estimate.too_long(1_000, 3_000);
        assert_eq!(estimate.tokens_of(3_000), 64_500, "it was more before");
    }

    #[test]
    fn what_no_text_can_have_is_bounded() {
        let mut estimate = Estimate::new();
        estimate.told(1, 1_000_000);
        assert_eq!(estimate.tokens_of(12_000), 3_000, "too few are not these");
        estimate.told(10_000, 2_000);
        assert_eq!(
            (estimate.tokens_of(2_000), estimate.tokens_of(4_000)),
            (10_000, 11_000),
            "too many are in each request"
        );
        estimate.told(0, 5);
        assert_eq!(estimate.tokens_of(2_000), 10_000, "nothing was told");
        assert_eq!(estimate.tokens_of(u64::MAX), 9_000 + u64::MAX / 2);
        assert_eq!(estimate.weight_of(9_000), 0);
    }
}
