//! Calls that wait for people or for the application, and what these say.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{CallId, RunId};
use crate::{
    ToolError,
    dynamic::form_check,
    tool::{
        ArgumentChange, Decision, Effects, Question, ToolCall, ToolDefinition, ToolOutput,
        ToolResult,
    },
};

/// A call that waits for a decision or an answer: of a run, or of a run of a sub-agent below it. Show it to the person or
/// program that decides.
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
#[doc(alias = "interrupt")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// The run of the call.
    pub run_id: RunId,
    /// The id of the call in its run.
    pub id: CallId,
    /// The call, with the arguments that it runs with if it is approved.
    pub call: ToolCall,
    /// What the call waits for.
    pub waits_for: WaitsFor,
    /// The question, if it waits for the answer to one. The person sees its message; a decision answers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The key of the question in its call. An answer is valid for this question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_key: Option<String>,
    /// The time when it began to wait, in the stored form as milliseconds since 1970. It stays when the run is
    /// suspended again. `None` if the call was read from the records of a run, which have no times.
    #[serde(
        rename = "since_ms",
        default,
        skip_serializing_if = "Option::is_none",
        with = "crate::millis::optional"
    )]
    pub since: Option<SystemTime>,
    /// The changes that the call may make.
    pub effects: Effects,
    /// The definition of its tool, as the model received it; `None` if there is no such tool, and if the call was read from
    /// the records of a run. Where the run went on since
    /// with another tool of that name, it is the definition of that one: it is what an approval holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<ToolDefinition>,
    /// The number of earlier requests for its approval, which a change of its tool made void, and of its earlier questions. A
    /// decision is valid for the last one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub asked: u32,
    /// True if an attempt has begun what the next one goes on with, by a [checkpoint](crate::ToolContext::checkpoint) or in the
    /// run of a sub-agent. Its approval then cannot change its arguments.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_begun: bool,
    /// The calls of sub-agents on the path from the suspended run down to the run of this call; empty for a call of the
    /// suspended run itself.
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it")]
fn is_false(flag: &bool) -> bool {
    !*flag
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
    /// The answer to a question that it has [asked](crate::ToolContext::ask): a decision, with the filled form as the arguments.
    Question,
}

impl PendingCall {
    /// The place of the call below the run, such as `0.1 > 0.0`: the ids of the calls of sub-agents, and its own.
    pub fn place(&self) -> String {
        let calls = self.path.iter().map(|step| step.call).chain([self.id]);
        let calls: Vec<_> = calls.map(|call| call.to_string()).collect();
        calls.join(" > ")
    }

    /// The names of the sub-agents on the path, such as `order > buy`; empty for a call of the run itself.
    pub fn agents(&self) -> String {
        let agents: Vec<_> = self.path.iter().map(|step| &*step.agent).collect();
        agents.join(" > ")
    }

    /// The id of the call among those of all runs. Clients of a chat and of AG-UI know it by this id.
    pub fn tool_call_id(&self) -> String {
        format!("{}:{}", self.run_id, self.id)
    }

    /// The call as the records of a run above have it.
    #[doc(hidden)]
    #[must_use = "the call itself stays as it is"]
    pub fn as_recorded(&self) -> Self {
        Self {
            since: None,
            definition: None,
            ..self.clone()
        }
    }

    /// Returns true if people end the wait by a decision: it waits for an approval, or for the answer to a question.
    pub fn awaits_decision(&self) -> bool {
        self.waits_for != WaitsFor::Answer
    }

    /// Checks that a decision answers the question of a call that has one, and that it changes no arguments of a call that
    /// [has begun](Self::has_begun).
    ///
    /// # Errors
    ///
    /// `InvalidArguments`: when the filled form does not fit, with the place and what was expected there (without the feature
    /// `jsonschema` every object fits), and when the arguments may not change.
    pub fn check(&self, decision: &Decision) -> Result<(), ToolError> {
        match (&self.question, decision) {
            (Some(question), _) => form_check::check_answer(question, decision),
            (None, Decision::ApproveWith { arguments })
                if self.has_begun && ArgumentChange::is_edit(&self.call.arguments, arguments) =>
            {
                let message = "the call has begun with its arguments, which cannot change any more: approve it with these, or deny it";
                Err(ToolError::invalid_arguments(message))
            }
            _ => Ok(()),
        }
    }

    /// A decision about it: whether it runs, or the answer to its [question](Self::question), which
    /// [`check`](Self::check) checks.
    pub fn decide(&self, decision: Decision) -> Resolution {
        self.resolve(Resolved::Decision(decision))
    }

    /// It runs. It answers no question.
    pub fn approve(&self) -> Resolution {
        self.decide(Decision::Approve)
    }

    /// It runs with other arguments: JSON text. To a question: the filled form.
    pub fn approve_with(&self, arguments: impl Into<String>) -> Resolution {
        self.decide(Decision::approve_with(arguments))
    }

    /// It does not run; the model receives the reason. To a question: no, and the tool receives the reason.
    pub fn deny(&self, reason: impl Into<String>) -> Resolution {
        self.decide(Decision::deny(reason))
    }

    /// The result of a call of an external tool.
    pub fn answer(&self, output: impl Into<ToolOutput>) -> Resolution {
        self.resolve_with(Ok(output.into()))
    }

    /// The call of an external tool failed; the model receives the error.
    pub fn fail(&self, error: impl Into<ToolError>) -> Resolution {
        self.resolve_with(Err(error.into()))
    }

    /// The result of a call of an external tool, or its error.
    pub fn resolve_with(&self, outcome: Result<ToolOutput, ToolError>) -> Resolution {
        let result = ToolResult::new(self.call.id.as_str(), outcome);
        self.resolve(Resolved::Answer(result))
    }

    fn resolve(&self, resolved: Resolved) -> Resolution {
        Resolution {
            run_id: self.run_id.clone(),
            id: self.id,
            name: self.call.name.clone(),
            arguments: self.call.arguments.clone(),
            question: self.question_key.clone(),
            asked: match resolved {
                Resolved::Decision(_) => self.asked,
                Resolved::Answer(_) => 0,
            },
            resolved,
        }
    }
}

/// The decision about a pending call, or its answer. A [`PendingCall`] makes it. It is valid for the call of this run
/// with this tool and these arguments, to the byte, and for nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    run_id: RunId,
    id: CallId,
    name: String,
    arguments: String,
    /// How often the approval was asked for before the question that is decided.
    #[serde(default, skip_serializing_if = "is_zero")]
    asked: u32,
    /// The key of the question that is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    resolved: Resolved,
}

/// A decision about a call that needs an approval, or the result of one that the application answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
enum Resolved {
    Decision(Decision),
    Answer(ToolResult),
}

impl Resolution {
    /// The run of the call.
    pub fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// The id of the call in its run.
    pub fn id(&self) -> CallId {
        self.id
    }

    /// How often the approval was asked for before the question that is decided.
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// The decision, if it is one.
    pub fn decision(&self) -> Option<&Decision> {
        match &self.resolved {
            Resolved::Decision(decision) => Some(decision),
            Resolved::Answer(_) => None,
        }
    }

    /// The result, if it is the answer of the application.
    pub fn answer(&self) -> Option<&ToolResult> {
        match &self.resolved {
            Resolved::Answer(result) => Some(result),
            Resolved::Decision(_) => None,
        }
    }

    /// Returns true if it answers a question, and approves nothing.
    pub fn answers_question(&self) -> bool {
        self.question.is_some()
    }

    /// Returns true if it lets a tool run.
    pub fn lets_run(&self) -> bool {
        let decision = self.decision().filter(|_| self.question.is_none());
        decision.is_some_and(|decision| !matches!(decision, Decision::Deny { .. }))
    }

    /// Returns true if it was made for this call, and is what the call waits for. A denial holds also where the approval was
    /// asked for again since; an answer is for the one question that was read.
    pub fn is_for(&self, pending: &PendingCall) -> bool {
        let waits_for = match self.resolved {
            Resolved::Decision(_) if self.question.is_some() => WaitsFor::Question,
            Resolved::Decision(_) => WaitsFor::Approval,
            Resolved::Answer(_) => WaitsFor::Answer,
        };
        pending.waits_for == waits_for
            && (self.asked == pending.asked || self.question.is_none() && !self.lets_run())
            && self.question == pending.question_key
            && self.run_id == pending.run_id
            && self.id == pending.id
            && self.name == pending.call.name
            && self.arguments == pending.call.arguments
    }
}
