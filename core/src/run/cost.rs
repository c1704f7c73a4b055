//! Prices of tokens, and what a run costs by them.

use std::{fmt, ops::AddAssign};

use serde::{Deserialize, Serialize};

use crate::model::{ModelResponse, Usage};

/// Billionths in a unit.
const NANOS: f64 = 1e9;

/// An amount of money, in the currency of the prices, counted in billionths.
///
/// ```
/// use toolwright::run::Cost;
///
/// assert_eq!(Cost::new(0.25).to_string(), "0.25");
/// assert!(Cost::new(0.25) < Cost::new(1.0));
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Cost {
    nanos: u64,
}

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self { nanos: 0 };

    /// An amount in units of the currency, rounded to a billionth. What is negative or no number is nothing.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float becomes the nearest number that there is"
    )]
    pub fn new(units: f64) -> Self {
        let nanos = (units * NANOS).round() as u64;
        Self { nanos }
    }

    /// The amount in units of the currency.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a sum of money has fewer digits"
    )]
    pub fn as_f64(self) -> f64 {
        self.nanos as f64 / NANOS
    }
}

impl Cost {
    /// What is left of it.
    pub fn less(self, spent: Self) -> Self {
        let nanos = self.nanos.saturating_sub(spent.nanos);
        Self { nanos }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.nanos = self.nanos.saturating_add(other.nanos);
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_f64().fmt(f)
    }
}

/// The prices of a model, for a million tokens each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Price {
    /// The price of a million input tokens.
    pub input: Cost,
    /// The price of a million output tokens.
    pub output: Cost,
    /// The price of a million input tokens that the provider read from its cache; that of the others if it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<Cost>,
    /// The price of a million input tokens that the provider wrote to its cache; that of the others if it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_input: Option<Cost>,
}

impl Price {
    /// The prices of a million input tokens and of a million output tokens, in units of the currency.
    pub fn per_million(input: f64, output: f64) -> Self {
        Self {
            input: Cost::new(input),
            output: Cost::new(output),
            cached_input: None,
            written_input: None,
        }
    }

    /// Sets the price of a million input tokens that the provider read from its cache.
    pub fn with_cached_input(mut self, price: f64) -> Self {
        self.cached_input = Some(Cost::new(price));
        self
    }

    /// Sets the price of a million input tokens that the provider wrote to its cache, for which Anthropic charges more
    /// than for others.
    pub fn with_written_input(mut self, price: f64) -> Self {
        self.written_input = Some(Cost::new(price));
        self
    }

    /// The price of these tokens. Reasoning costs as much as other output.
    pub fn of(&self, usage: &Usage) -> Cost {
        let sent = usage.input_tokens;
        let cached = usage.cached_input_tokens.unwrap_or(0).min(sent);
        let written = usage.written_input_tokens.unwrap_or(0).min(sent - cached);
        let parts = [
            (sent - cached - written, self.input),
            (cached, self.cached_input.unwrap_or(self.input)),
            (written, self.written_input.unwrap_or(self.input)),
            (usage.output_tokens, self.output),
        ];
        let sum = parts
            .into_iter()
            .map(|(tokens, price)| u128::from(tokens) * u128::from(price.nanos))
            .fold(0, u128::saturating_add);
        let nanos = u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX);
        Cost { nanos }
    }
}

/// The prices of models, by their names. Prices change: an application brings its own.
///
/// A price holds for each model whose name begins with that of its row, so that `gpt-5.1-mini` is the price of
/// `gpt-5.1-mini-2026-01-15` as well. The longest name that fits decides.
///
/// ```
/// use toolwright::{model::Usage, run::{Cost, Price, PriceTable}};
///
/// let prices = PriceTable::new()
///     .with("gpt-5.1", Price::per_million(1.25, 10.0))
///     .with("gpt-5.1-mini", Price::per_million(0.25, 2.0).with_cached_input(0.025));
/// let mini = prices.find("gpt-5.1-mini-2026-01-15").unwrap();
/// assert_eq!(mini.of(&Usage::new(1_000_000, 500_000)), Cost::new(1.25));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PriceTable {
    rows: Vec<(String, Price)>,
}

impl PriceTable {
    /// A table without prices.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the price of the models whose names begin so. One of the same name is replaced.
    pub fn with(mut self, model: impl Into<String>, price: Price) -> Self {
        let model = model.into();
        self.rows.retain(|(name, _)| *name != model);
        self.rows.push((model, price));
        self
    }

    /// The price of a model, if it is known.
    pub fn find(&self, model: &str) -> Option<&Price> {
        let rows = self
            .rows
            .iter()
            .filter(|(name, _)| model.starts_with(name.as_str()));
        let longest = rows.max_by_key(|(name, _)| name.len());
        longest.map(|(_, price)| price)
    }

    /// Returns true if there is no price.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The cost of a response, if its model has a price and its tokens are known.
    pub(super) fn cost_of(&self, response: &ModelResponse) -> Option<Cost> {
        let price = self.find(response.model.as_deref().unwrap_or_default())?;
        Some(price.of(response.usage.as_ref()?))
    }
}
