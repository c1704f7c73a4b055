//! The settings of a run.

use std::{num::NonZeroUsize, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    AgentConfig, AnswerForm, ContextWindow, Limits, PriceTable, StopWhen, ToolChoiceSchedule,
};
use crate::tool::ToolCall;

/// The settings of a run: data, stored in its log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunConfig {
    /// The system text, for a conversation without a system text. It is sent, but not stored in the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Instructions of the run, which are sent after the system text; none by default. They are not stored in the
    /// conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The limits of the run.
    pub limits: Limits,
    /// The number of calls of a round that run at once; 8 by default.
    pub concurrency: NonZeroUsize,
    /// The tools that the model may or must call, in each request. A model that does not comply is asked once more, and
    /// then the run [fails](super::Failure::ToolChoiceUnmet). A call that the choice forbids does not run.
    pub tool_choice: ToolChoiceSchedule,
    /// True if each request that may call tools is [planned](super::Action::PlanRequest) before it is sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plans_requests: bool,
    /// Conditions that end the run after a round; none by default. The first one that is true is in the
    /// [outcome](super::Finish::Stopped).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_when: Vec<StopWhen>,
    /// The time limit for a decision about a waiting call, also by an approver, or for the application's answer, from the
    /// start of the wait; 7 days by default, and `None` is no limit. After it the call is not approved, or has failed, even
    /// while the run is suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_time: Option<Duration>,
    /// The prices by which the [cost](super::RunOutcome::cost) of the run is counted; none by default.
    #[serde(default, skip_serializing_if = "PriceTable::is_empty")]
    pub prices: PriceTable,
    /// The size of the model's context window; none by default, and then the whole conversation is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<ContextWindow>,
    /// The names of the tools that may be offered, of any agent; all by default. Unknown names are not offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The required form of the answer; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerForm>,
    /// The agents that the conversation may be handed over between; none by default. The first has the system text and the
    /// tool choice of the run. A call of the tool [`transfer_to_…`](AgentConfig::transfer_tool) that succeeds hands over from
    /// the next request on: see [`Record::Transferred`](super::Record::Transferred).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentConfig>,
    /// The name of the agent that the run begins with. By default it is that of the
    /// [conversation](crate::Conversation::agent), or else the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The only call of the run, which the program gives in the place of a model; none by default. The driver answers the first
    /// [request](super::Action::CallModel) with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<ToolCall>,
}

impl RunConfig {
    /// The default time limit for a decision or an answer: a week, so that weekends and short absences fit.
    pub const PENDING_TIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
    /// The default number of calls of a round that run at once.
    pub const CONCURRENCY: NonZeroUsize = NonZeroUsize::new(8).expect("8 is not 0");

    /// Returns true if the tool of this name takes the answer.
    pub(super) fn takes_answer(&self, tool: &str) -> bool {
        let form = self.answer.as_ref();
        form.is_some_and(|form| form.takes(tool))
    }
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            system: None,
            instructions: None,
            limits: Limits::default(),
            concurrency: Self::CONCURRENCY,
            tool_choice: ToolChoiceSchedule::default(),
            plans_requests: false,
            stop_when: Vec::new(),
            pending_time: Some(Self::PENDING_TIME),
            prices: PriceTable::new(),
            context_window: None,
            tools: None,
            answer: None,
            agents: Vec::new(),
            agent: None,
            given: None,
        }
    }
}
