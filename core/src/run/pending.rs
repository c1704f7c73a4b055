//! Calls that wait for people or for the application, and what these say.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{CallId, RunId};
use crate::{
    ToolError,
    tool::{Decision, Effects, ToolCall, ToolDefinition, ToolOutput, ToolResult},
};

/// A call of a suspended run, or of a run of a sub-agent below it, that waits for a decision or
/// an answer. Show it to whoever decides.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, ToolCall, run::Finish, testing::ScriptedModel, tool, toolset};
///
/// /// Delete a file for ever.
/// #[tool(approval)]
/// async fn delete_file(path: String) -> String {
///     format!("{path} is deleted")
/// }
///
/// let call = ToolCall::new("1", "delete_file", r#"{"path": "a.txt"}"#);
/// let answer = ModelResponse::from_text("Done.");
/// let model = ScriptedModel::new([ModelResponse::from_calls([call]), answer]);
/// let runner = Runner::builder(model).tools(toolset![delete_file]).suspends().build()?;
///
/// let outcome = runner.run("Delete a.txt.").await?;
/// assert_eq!(outcome.finish, Finish::Suspended);
/// let stored = serde_json::to_string(&outcome.suspended.unwrap())?;
///
/// // On another day, in another process:
/// let run: toolwright::run::StoredRun = serde_json::from_str(&stored)?;
/// let decisions = run.pending().iter().map(|call| call.approve()).collect::<Vec<_>>();
/// let outcome = runner.resume(run).decide(decisions).start().await?.outcome().await?;
/// assert_eq!(outcome.text, "Done.");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// The run of the call.
    pub run_id: RunId,
    /// The id of the call in its run.
    pub id: CallId,
    /// The call, with the arguments that it runs with if it is approved.
    pub call: ToolCall,
    /// What it waits for.
    pub waits_for: WaitsFor,
    /// The time since when it waits, in the stored form as milliseconds since 1970. Suspending the run once more changes
    /// nothing about it.
    #[serde(rename = "since_ms", with = "crate::millis")]
    pub since: SystemTime,
    /// The changes that the call may make.
    pub effects: Effects,
    /// The definition of its tool, as the model received it; `None` if there is no such tool. Where the run went on since
    /// with another tool of that name, it is the definition of that one: it is what an approval holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<ToolDefinition>,
    /// How often its approval was asked for before, since its tool has changed. A decision holds for the last question.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub asked: u32,
    /// The calls of sub-agents that lead from the suspended run down to the run of this call.
    /// Empty of a call of the suspended run itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<AgentCall>,
}

/// A call of a sub-agent on the way to a call that waits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AgentCall {
    /// The id of the call in its run.
    pub call: CallId,
    /// The name of the sub-agent.
    pub agent: String,
    /// The run of the sub-agent, which the call has started.
    pub run_id: RunId,
}

impl AgentCall {
    /// The call of this sub-agent, which has started this run.
    pub fn new(call: CallId, agent: impl Into<String>, run_id: RunId) -> Self {
        let agent = agent.into();
        Self {
            call,
            agent,
            run_id,
        }
    }
}

/// The place of a call below a run.
pub(crate) fn place_of(path: &[AgentCall], call: CallId) -> String {
    let calls = path.iter().map(|step| step.call).chain([call]);
    let calls: Vec<_> = calls.map(|call| call.to_string()).collect();
    calls.join(" > ")
}

/// A call of a run of a sub-agent that waits, as the log of a run above says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallBelow {
    /// The calls of sub-agents that lead to its run, from that of the log on.
    pub path: Vec<AgentCall>,
    /// The id of the call in its run, which is that of the last step of the path.
    pub id: CallId,
    /// The call, with the arguments that it runs with if it is approved.
    pub call: ToolCall,
    /// What it waits for.
    pub waits_for: WaitsFor,
    /// How often its approval was asked for before, since its tool has changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub asked: u32,
}

impl From<&PendingCall> for CallBelow {
    fn from(pending: &PendingCall) -> Self {
        Self {
            path: pending.path.clone(),
            id: pending.id,
            call: pending.call.clone(),
            waits_for: pending.waits_for,
            asked: pending.asked,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What a pending call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WaitsFor {
    /// A decision whether it runs.
    Approval,
    /// Its result, which the application gives.
    Answer,
}

impl PendingCall {
    /// The place of the call below the suspended run, such as `0.1 > 0.0`: the ids of the calls of sub-agents, and its own.
    pub fn place(&self) -> String {
        place_of(&self.path, self.id)
    }

    /// It runs.
    pub fn approve(&self) -> Resolution {
        self.decide(Decision::Approve)
    }

    /// It runs with other arguments: JSON text.
    pub fn approve_with(&self, arguments: impl Into<String>) -> Resolution {
        self.decide(Decision::approve_with(arguments))
    }

    /// It does not run; the model receives the reason.
    pub fn deny(&self, reason: impl Into<String>) -> Resolution {
        self.decide(Decision::deny(reason))
    }

    /// The result of a call of an external tool.
    pub fn answer(&self, output: impl Into<ToolOutput>) -> Resolution {
        Resolution::answer(&self.run_id, self.id, &self.call, Ok(output.into()))
    }

    /// The call of an external tool failed; the model receives the error.
    pub fn fail(&self, error: impl Into<ToolError>) -> Resolution {
        Resolution::answer(&self.run_id, self.id, &self.call, Err(error.into()))
    }

    fn decide(&self, decision: Decision) -> Resolution {
        Resolution::decision(&self.run_id, self.id, &self.call, decision).asked(self.asked)
    }
}

/// What somebody says to a pending call. It holds for the call of this run with this tool and these arguments, to the
/// byte, and for nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    #[doc(hidden)]
    pub run_id: RunId,
    #[doc(hidden)]
    pub id: CallId,
    name: String,
    arguments: String,
    /// How often the approval was asked for before the question that is decided.
    #[serde(default, skip_serializing_if = "is_zero")]
    asked: u32,
    #[doc(hidden)]
    pub resolved: Resolved,
}

/// A decision, or an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
pub enum Resolved {
    /// A decision about a call that needs an approval.
    Decision(Decision),
    /// The result of a call that the application answers.
    Answer(ToolResult),
}

impl Resolution {
    /// A decision about a call.
    pub fn decision(run_id: &RunId, id: CallId, call: &ToolCall, decision: Decision) -> Self {
        Self::of(run_id, id, call, Resolved::Decision(decision))
    }

    /// The result of a call of an external tool.
    pub fn answer(
        run_id: &RunId,
        id: CallId,
        call: &ToolCall,
        outcome: Result<ToolOutput, ToolError>,
    ) -> Self {
        let result = ToolResult::new(call.id.as_str(), outcome);
        Self::of(run_id, id, call, Resolved::Answer(result))
    }

    fn of(run_id: &RunId, id: CallId, call: &ToolCall, resolved: Resolved) -> Self {
        Self {
            run_id: run_id.clone(),
            id,
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            asked: 0,
            resolved,
        }
    }

    /// The same decision about a question that was asked after so many others.
    pub fn asked(mut self, before: u32) -> Self {
        self.asked = before;
        self
    }

    /// Returns true if it lets a tool run.
    #[doc(hidden)]
    pub fn lets_run(&self) -> bool {
        match &self.resolved {
            Resolved::Decision(decision) => !matches!(decision, Decision::Deny { .. }),
            Resolved::Answer(_) => false,
        }
    }

    /// Returns true if it lets no tool run but the one that the question was about which came after so many others.
    #[doc(hidden)]
    pub fn holds_for(&self, asked_before: u32) -> bool {
        !self.lets_run() || self.asked == asked_before
    }

    /// The id of the call.
    pub fn id(&self) -> CallId {
        self.id
    }

    /// Returns true if it says something of this call, by its name and its arguments.
    #[doc(hidden)]
    pub fn is_of(&self, call: &ToolCall) -> bool {
        self.name == call.name && self.arguments == call.arguments
    }

    /// Returns true if it was made for this call, and is what the call waits for.
    pub fn is_for(&self, pending: &PendingCall) -> bool {
        let fits = match self.resolved {
            Resolved::Decision(_) => {
                pending.waits_for == WaitsFor::Approval && self.asked == pending.asked
            }
            Resolved::Answer(_) => pending.waits_for == WaitsFor::Answer,
        };
        fits && self.run_id == pending.run_id
            && self.id == pending.id
            && self.name == pending.call.name
            && self.arguments == pending.call.arguments
    }
}
