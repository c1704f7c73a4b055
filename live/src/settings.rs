//! What a user sets, in environment variables and arguments.

use std::{collections::BTreeMap, env, path::PathBuf};

use toolwright::run::{Price, PriceTable};

use crate::{provider::Provider, tap::Tap};

/// The settings of a run.
#[derive(Debug)]
pub(crate) struct Settings {
    models: BTreeMap<String, String>,
    prices: PriceTable,
    /// The limit on the cost of all requests, in the unit of the prices.
    pub(crate) max_cost: f64,
    /// The folder for recordings, if there is one.
    pub(crate) recordings: Option<PathBuf>,
    /// Parts of the names of behaviours; all without one.
    chosen: Vec<String>,
}

impl Settings {
    pub(crate) const HELP: &str = "\
TOOLWRIGHT_LIVE_MODELS      the model of each provider: OpenAI=gpt-5.1-mini,Anthropic=claude-haiku-4-5
TOOLWRIGHT_LIVE_PRICES      prices per million tokens, input/output: gpt-5.1-mini=0.25/2,claude-haiku-4-5=1/5
TOOLWRIGHT_LIVE_MAX_COST    the limit on the cost of all requests, 1 by default
TOOLWRIGHT_LIVE_RECORDINGS  a folder for redacted recordings
Arguments are parts of the names of behaviours; without one, all of them are tried.";

    /// Reads the environment and the arguments.
    ///
    /// # Errors
    ///
    /// The variable that cannot be read.
    pub(crate) fn from_env() -> Result<Self, String> {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        let models = pairs(&set("TOOLWRIGHT_LIVE_MODELS").unwrap_or_default())?;
        let mut prices = PriceTable::new();
        for (model, price) in pairs(&set("TOOLWRIGHT_LIVE_PRICES").unwrap_or_default())? {
            let numbers = price.split_once('/');
            let numbers = numbers.and_then(|(input, output)| {
                Some((input.parse::<f64>().ok()?, output.parse::<f64>().ok()?))
            });
            let (input, output) = numbers
                .filter(|(input, output)| *input >= 0.0 && *output >= 0.0)
                .ok_or_else(|| format!("`{price}` is no price: write input/output"))?;
            prices = prices.with(model, Price::per_million(input, output));
        }
        let max_cost = match set("TOOLWRIGHT_LIVE_MAX_COST") {
            None => 1.0,
            Some(cost) => cost
                .parse()
                .ok()
                .filter(|cost: &f64| cost.is_finite() && *cost >= 0.0)
                .ok_or_else(|| format!("TOOLWRIGHT_LIVE_MAX_COST: `{cost}` is no number"))?,
        };
        Ok(Self {
            models,
            prices,
            max_cost,
            recordings: set("TOOLWRIGHT_LIVE_RECORDINGS").map(PathBuf::from),
            chosen: env::args().skip(1).collect(),
        })
    }

    /// The model of a provider.
    pub(crate) fn model(&self, provider: &Provider) -> Option<&str> {
        self.models.get(provider.name()).map(String::as_str)
    }

    pub(crate) fn is_chosen(&self, behaviour: &str) -> bool {
        let mut chosen = self.chosen.iter();
        self.chosen.is_empty() || chosen.any(|part| behaviour.contains(part))
    }

    /// The tap of a provider, which may cost so much.
    ///
    /// # Errors
    ///
    /// The setting that is missing. A server of this machine needs no price.
    pub(crate) fn tap(&self, provider: &Provider, most: f64) -> Result<Tap, String> {
        let name = provider.name();
        let model = self
            .model(provider)
            .ok_or_else(|| format!("name its model: TOOLWRIGHT_LIVE_MODELS={name}=…"))?;
        let price = match self.prices.find(model) {
            Some(price) => *price,
            None if provider.is_on_this_machine() => Price::per_million(0.0, 0.0),
            None => {
                return Err(format!(
                    "set its price per million tokens: TOOLWRIGHT_LIVE_PRICES={model}=INPUT/OUTPUT"
                ));
            }
        };
        Ok(Tap::new(price, most))
    }
}

/// `name=value` pairs with commas between them.
fn pairs(text: &str) -> Result<BTreeMap<String, String>, String> {
    let pairs = text.split(',').map(str::trim);
    pairs
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("`{pair}` is no name=value"))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}
