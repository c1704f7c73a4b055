//! The behaviours, as data: what is asked, and what has to come of it.

mod all;
mod tools;

pub(crate) use all::ALL;

use serde::{Deserialize, Serialize};
use toolwright::{
    ToolInput, Toolset,
    message::UserMessage,
    model::{ModelErrorKind, ModelSettings, ToolChoice},
    run::{Failure, Finish, RunOutcome},
};

/// A behaviour.
pub(crate) struct Behaviour {
    pub(crate) name: &'static str,
    pub(crate) ways: &'static [Way],
    pub(crate) ask: fn() -> Ask,
    pub(crate) holds: fn(&Seen) -> Result<(), String>,
}

/// Whether the response is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Whole,
    Streamed,
}

/// What is asked.
pub(crate) struct Ask {
    /// The messages of the user, each a run in one conversation.
    pub(crate) turns: Vec<UserMessage>,
    pub(crate) system: &'static str,
    pub(crate) tools: Toolset,
    pub(crate) choice: ToolChoice,
    pub(crate) settings: ModelSettings,
    /// True for an answer of the type [`Place`].
    pub(crate) is_typed: bool,
    pub(crate) wrong: Option<Wrong>,
    pub(crate) cancel: Option<Cancel>,
}

/// What is wrong with a request on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    Key,
    Model,
}

/// When a run is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cancel {
    AtOnce,
    AtFirstText,
}

/// What came.
pub(crate) struct Seen {
    /// The outcome of the last turn.
    pub(crate) outcome: RunOutcome,
    /// The pieces of text that were streamed in it.
    pub(crate) pieces: usize,
    pub(crate) place: Option<Place>,
}

/// A place on earth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToolInput)]
pub(crate) struct Place {
    /// The name of the city.
    pub(crate) city: String,
    /// The country, in English.
    pub(crate) country: String,
}

impl Behaviour {
    pub(crate) fn name_in(&self, way: Way) -> String {
        match way {
            Way::Streamed if self.ways.len() > 1 => format!("{}, streamed", self.name),
            _ => self.name.to_owned(),
        }
    }
}

impl Seen {
    fn calls(&self) -> usize {
        let rounds = self.outcome.tool_rounds();
        rounds.map(|round| round.calls().count()).sum()
    }

    fn answered(&self) -> Result<(), String> {
        let is_answer = self.outcome.finish == Finish::Answered && !self.outcome.text.is_empty();
        expect(is_answer, || format!("it ended: {}", self.outcome.finish))
    }

    fn says(&self, word: &str) -> Result<(), String> {
        self.answered()?;
        let text = self.outcome.text.to_lowercase();
        expect(text.contains(&word.to_lowercase()), || {
            format!("`{word}` is not in: {text}")
        })
    }

    fn called(&self, calls: usize, rounds: u32) -> Result<(), String> {
        self.answered()?;
        let (made, took) = (self.calls(), self.outcome.rounds);
        expect(made >= calls && took >= rounds, || {
            format!("{made} calls in {took} rounds")
        })
    }

    fn failed(&self, kind: ModelErrorKind) -> Result<(), String> {
        match &self.outcome.finish {
            Finish::Failed(Failure::Model(error)) if error.kind == kind => Ok(()),
            other => Err(format!("no {kind:?}: {other}")),
        }
    }
}

fn expect(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}
