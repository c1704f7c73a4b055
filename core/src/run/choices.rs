//! The tool choices of a run, one for each of its requests.

use serde::{Deserialize, Serialize};

use crate::model::ToolChoice;

/// The tool choices of a run, one for each of its requests. A locked request, after a limit, always has
/// [`ToolChoice::None`].
///
/// A choice makes one of the first kind: see [`First`](Self::First).
///
/// ```
/// use toolwright::{model::ToolChoice, run::ToolChoiceSchedule};
///
/// let first = ToolChoiceSchedule::from(ToolChoice::Required);
/// assert_eq!((first.at(0), first.at(1)), (ToolChoice::Required, ToolChoice::Auto));
///
/// let search = ToolChoice::Tool("search".to_owned());
/// let rounds = ToolChoiceSchedule::Rounds(vec![search.clone(), ToolChoice::Required]);
/// assert_eq!([rounds.at(0), rounds.at(1), rounds.at(2)], [search, ToolChoice::Required, ToolChoice::Auto]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolChoiceSchedule {
    /// The choice holds until the first round is over. Then the model decides, so that it can answer.
    First(ToolChoice),
    /// The choice holds for every request. With [`ToolChoice::Required`] or [`ToolChoice::Tool`] the model can only
    /// answer when a limit is reached, or a tool ends the run.
    Every(ToolChoice),
    /// A choice for each round, in their order. After the last one the model decides.
    Rounds(Vec<ToolChoice>),
}

impl ToolChoiceSchedule {
    /// The choice for a request after so many rounds of tool calls.
    pub fn at(&self, rounds: u32) -> ToolChoice {
        match self {
            Self::First(ToolChoice::Required | ToolChoice::Tool(_)) if rounds > 0 => {
                ToolChoice::Auto
            }
            Self::First(choice) | Self::Every(choice) => choice.clone(),
            Self::Rounds(choices) => usize::try_from(rounds)
                .ok()
                .and_then(|round| choices.get(round).cloned())
                .unwrap_or(ToolChoice::Auto),
        }
    }

    /// The choices that it holds.
    pub fn choices(&self) -> &[ToolChoice] {
        match self {
            Self::First(choice) | Self::Every(choice) => std::slice::from_ref(choice),
            Self::Rounds(choices) => choices,
        }
    }
}

/// The model decides.
impl Default for ToolChoiceSchedule {
    fn default() -> Self {
        Self::First(ToolChoice::Auto)
    }
}

impl From<ToolChoice> for ToolChoiceSchedule {
    fn from(choice: ToolChoice) -> Self {
        Self::First(choice)
    }
}
