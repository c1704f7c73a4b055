//! Numbers that look random and are the same every time.

use std::env;

pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        let mut numbers = Self(seed ^ 0x9e37_79b9_7f4a_7c15);
        numbers.below(2);
        numbers
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// A number from the environment.
pub(crate) fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}
