//! Several responses to one request, of which the first counts.

use serde::{Deserialize, Deserializer};
use toolwright_core::model::{ModelEvent, Warning};

use super::few::Few;

/// One of several responses.
pub(crate) trait Numbered {
    /// Its number; the first is 0.
    fn index(&self) -> Option<u64>;
}

/// The first of a list of responses, and whether there are others: no codec asks for more than one.
#[derive(Debug)]
pub(crate) struct Alternatives<T> {
    pub(crate) first: Option<T>,
    pub(crate) others: bool,
}

/// Returns the warning for a response that has more than one choice.
pub(crate) fn left_out() -> ModelEvent {
    ModelEvent::Warning(Warning::new(
        "other_choices",
        "the provider sent more than one choice; only the first is kept",
    ))
}

impl<T> Default for Alternatives<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: false,
        }
    }
}

impl<'t, T: Deserialize<'t> + Numbered> Deserialize<'t> for Alternatives<T> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        let mut all = Self::default();
        for response in Few::<T>::deserialize(deserializer)? {
            if all.first.is_none() && response.index().unwrap_or(0) == 0 {
                all.first = Some(response);
            } else {
                all.others = true;
            }
        }
        Ok(all)
    }
}
