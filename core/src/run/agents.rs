//! The agents that a run may hand its conversation over between.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    CallId, Record, RunConfig, ToolChoiceSchedule,
    faults::{Fault, has},
};
use crate::{
    Conversation, ToolError,
    conversation::not_executed,
    model::ToolChoice,
    tool::{ToolCall, ToolPolicy, ToolResult},
};

/// The beginning of the names of the tools that hand a conversation over. The name of the agent follows.
const TRANSFER_TO: &str = "transfer_to_";

/// An agent of a run: what its requests are made with. See [`RunConfig::agents`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AgentConfig {
    /// Its name.
    pub name: String,
    /// Its system text, which takes the place of that of the conversation and of the run. `None` if it has none of its
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The tools that its model may or must call, by the rounds since the conversation was handed over to it. None if it
    /// follows [`RunConfig::tool_choice`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoiceSchedule>,
}

impl AgentConfig {
    /// An agent of this name, without a system text or a tool choice of its own.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            system: None,
            tool_choice: None,
        }
    }

    /// Sets the system text.
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// Sets the tools that its model may or must call.
    pub fn with_tool_choice(mut self, choice: impl Into<ToolChoiceSchedule>) -> Self {
        self.tool_choice = Some(choice.into());
        self
    }

    /// The name of the tool that hands a conversation over to it: `transfer_to_` and its name.
    pub fn transfer_tool(&self) -> String {
        format!("{TRANSFER_TO}{}", self.name)
    }
}

/// The agent that a run is with, and the hand-over that is to be recorded.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CurrentAgent {
    /// Its place in the settings.
    place: usize,
    /// The rounds of the run when it took over.
    since: u32,
    /// The call that has handed over, and the place of the agent that takes over.
    transfer: Option<(CallId, usize)>,
}

impl CurrentAgent {
    /// The agent that a run begins with: that of the settings, that of the conversation, or else the first.
    pub(super) fn first(config: &RunConfig, conversation: &Conversation) -> Self {
        let asked = [config.agent.as_deref(), conversation.agent()];
        let mut known = asked.into_iter().flatten();
        let place = known.find_map(|name| place_of(config, name));
        Self {
            place: place.unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Returns true if it is the first of the settings, or there is no other.
    pub(super) fn is_first(&self) -> bool {
        self.place == 0
    }

    /// The settings of the agent, if the run has agents.
    pub(super) fn config<'a>(&self, config: &'a RunConfig) -> Option<&'a AgentConfig> {
        config.agents.get(self.place)
    }

    /// Puts the system text of the agent in the place of that of the conversation, which goes before that of the run.
    pub(super) fn put_system(&self, config: &RunConfig, system: &mut Option<String>) {
        let own = self.config(config).and_then(|agent| agent.system.as_ref());
        if own.is_some() {
            *system = own.cloned();
        } else if self.is_first() && system.is_none() {
            system.clone_from(&config.system);
        }
    }

    /// The tool choice of the agent, after so many rounds of the run.
    pub(super) fn tool_choice(&self, config: &RunConfig, rounds: u32) -> ToolChoice {
        let own = self.config(config);
        match own.and_then(|agent| agent.tool_choice.as_ref()) {
            Some(choice) => choice.at(rounds.saturating_sub(self.since)),
            None => config.tool_choice.at(rounds),
        }
    }

    /// Notes the hand-over of a round that is over: its first call that hands over, by a tool that was on offer, and was not
    /// refused.
    pub(super) fn round_over(
        &mut self,
        config: &RunConfig,
        number: u32,
        (calls, on_offer): (&[ToolCall], &[bool]),
        results: &[ToolResult],
    ) {
        let calls = (0..).zip(calls.iter().zip(on_offer).zip(results));
        let mut transfers = calls.filter_map(|(index, ((call, on_offer), result))| {
            let place = destination(config, &call.name).filter(|_| *on_offer)?;
            let call = CallId {
                round: number,
                index,
            };
            result.outcome.is_ok().then_some((call, place))
        });
        self.transfer = transfers.next();
    }

    /// The record of the hand-over, if it is the next one.
    pub(super) fn due(&self, config: &RunConfig) -> Option<Record> {
        let (call, place) = self.transfer?;
        let name = |place: usize| config.agents.get(place).map(|agent| agent.name.clone());
        Some(Record::Transferred {
            call,
            from: name(self.place)?,
            to: name(place)?,
        })
    }

    /// Takes over, after so many rounds of the run.
    pub(super) fn take_over(&mut self, rounds: u32) {
        if let Some((_, place)) = self.transfer.take() {
            *self = Self {
                place,
                since: rounds,
                transfer: None,
            };
        }
    }
}

/// The errors of the calls that hand over beside another one that does, by their places. The first by a tool that is on
/// offer holds.
pub(super) fn refuse_transfers(
    config: &RunConfig,
    refused: &mut BTreeMap<usize, ToolError>,
    calls: &[ToolCall],
    policies: &[ToolPolicy],
) {
    let is_unknown = |place: &usize| (policies.get(*place)).is_some_and(|policy| policy.unknown);
    let transfers = calls.iter().enumerate();
    let mut transfers: Vec<_> = transfers
        .filter(|(place, call)| {
            !refused.contains_key(place)
                && !is_unknown(place)
                && destination(config, &call.name).is_some()
        })
        .collect();
    if transfers.is_empty() || has(Fault::TransfersTwice) {
        return;
    }
    let (_, first) = transfers.remove(0);
    let why = format!(
        "one response hands the conversation over once, and `{}` comes first",
        first.name
    );
    for (place, _) in transfers {
        refused.insert(place, not_executed(&why));
    }
}

/// The place of the agent that a tool of this name hands over to.
fn destination(config: &RunConfig, tool: &str) -> Option<usize> {
    if config.agents.is_empty() {
        return None;
    }
    place_of(config, tool.strip_prefix(TRANSFER_TO)?)
}

fn place_of(config: &RunConfig, name: &str) -> Option<usize> {
    config.agents.iter().position(|agent| agent.name == name)
}
