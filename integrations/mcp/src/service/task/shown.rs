//! A run as a client sees it: a task.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use rmcp::{
    ErrorData,
    model::{
        DetailedTask, ElicitRequest, ElicitResult, InputRequest, InputResponses, JsonObject, Task,
        TaskPayload,
    },
};
use serde::Deserialize as _;
use serde_json::{Value, json};
use toolwright_core::{
    ErrorCategory, Run, ToolError, ToolResult, Toolset,
    run::{Finish, PendingCall, RunId, RunOutcome},
    tool::Decision,
};
use toolwright_runtime::store::{Entry, InboxContent, InboxItem, LoadedRun, Received, RunStatus};

use super::failure::internal;
use crate::service::{approval, content, definition};

/// What the store has of a task.
pub(super) struct Shown<'a> {
    id: &'a RunId,
    loaded: &'a LoadedRun,
    /// The calls that a person is asked about.
    asked: Vec<&'a PendingCall>,
    updated: SystemTime,
    outcome: Option<RunOutcome>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(
        id: &'a RunId,
        loaded: &'a LoadedRun,
        unheard: &[Received],
    ) -> Result<Self, ErrorData> {
        let (mut records, mut updated) = (Vec::new(), loaded.info.created);
        for (sequence, text) in (0..).zip(&loaded.entries) {
            let entry = Entry::from_text(text, id, sequence).map_err(|error| internal(&error))?;
            updated = updated.max(entry.at);
            records.push(entry.record);
        }
        let outcome = match loaded.status {
            RunStatus::Finished => {
                let (run, _) = Run::replay(&records).map_err(|error| internal(&error))?;
                run.outcome()
            }
            _ => None,
        };
        Ok(Self {
            id,
            loaded,
            asked: asked(&loaded.pending, unheard),
            updated,
            outcome,
        })
    }

    pub(super) fn task(&self, tools: &Toolset, progress: Option<String>) -> DetailedTask {
        let (payload, why) = self.payload(tools);
        let [created, updated] = [self.loaded.info.created, self.updated].map(timestamp);
        let mut task = Task::new(self.id.as_str(), payload.status(), created, updated);
        task.status_message = why.or(progress);
        DetailedTask::new(task, payload)
    }

    /// What it came to, with a sentence about that.
    fn payload(&self, tools: &Toolset) -> (TaskPayload, Option<String>) {
        match (&self.loaded.status, &self.outcome) {
            (RunStatus::Finished, Some(outcome)) => ended(outcome, tools),
            (RunStatus::Finished, None) => failed("the log of the task has no end"),
            (RunStatus::Abandoned, _) => (TaskPayload::Cancelled, Some("it was given up".into())),
            (RunStatus::Parked { reason }, _) => failed(reason),
            _ if self.asked.is_empty() => (TaskPayload::Working, None),
            _ => {
                let asked = self.asked.iter();
                let asked = asked.filter_map(|call| Some((key(call), question(call)?)));
                let input_requests = asked.collect();
                (TaskPayload::InputRequired { input_requests }, None)
            }
        }
    }
}

/// The end of a run.
fn ended(outcome: &RunOutcome, tools: &Toolset) -> (TaskPayload, Option<String>) {
    if outcome.finish == Finish::Cancelled {
        return (TaskPayload::Cancelled, None);
    }
    let round = outcome.tool_rounds().next();
    let call = round.and_then(|round| round.calls().next().zip(round.results.first()));
    match (outcome.user_failure(), call) {
        (Some(failure), _) => failed(&failure.message),
        (None, None) => failed("the task has no result"),
        // As a new call would be refused.
        (None, Some((call, result))) if is_unknown(result) => {
            refused(-32602, &format!("Unknown tool: {}", call.name))
        }
        (None, Some((call, result))) => {
            if let Err(error) = &result.outcome
                && is_internal(error)
            {
                return failed(&error.message);
            }
            let tool = tools.find(&call.name);
            let is_structured = tool.is_some_and(|it| definition::is_structured(it.definition()));
            let result = object(&content::of(result, is_structured));
            (TaskPayload::Completed { result }, None)
        }
    }
}

/// True if the tool did not say why it failed: it panicked, or returned an error that is for the log. For a client that is a
/// failure of the task, and no result of the tool.
fn is_internal(error: &ToolError) -> bool {
    error.category == ErrorCategory::Unknown && error.message == ToolError::internal("").message
}

/// Returns true if there was no such tool: it is gone, or is not granted any more.
fn is_unknown(result: &ToolResult) -> bool {
    let error = result.outcome.as_ref().err();
    let code = error.and_then(|error| error.details.get("code"));
    code.is_some_and(|code| code == "unknown_tool")
}

fn failed(why: &str) -> (TaskPayload, Option<String>) {
    refused(-32603, why)
}

fn refused(code: i32, why: &str) -> (TaskPayload, Option<String>) {
    let error = object(&json!({"code": code, "message": why}));
    (TaskPayload::Failed { error }, Some(why.to_owned()))
}

fn object(value: &impl serde::Serialize) -> JsonObject {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => JsonObject::new(),
    }
}

/// The calls that wait for a decision which is not in the inbox.
fn asked<'a>(pending: &'a [PendingCall], unheard: &[Received]) -> Vec<&'a PendingCall> {
    let is_decided = |call: &PendingCall| {
        let mut items = unheard.iter().map(|received| received.item.content());
        items.any(|item| matches!(item, InboxContent::Resolution(said) if said.is_for(call)))
    };
    let asked = pending.iter();
    let asked = asked.filter(|call| call.awaits_decision() && question(call).is_some());
    let asked = asked.filter(|call| !is_decided(call));
    asked.collect()
}

/// The key of a question, which no other one of the task has.
fn key(call: &PendingCall) -> String {
    format!("approval {} {}", call.place(), call.asked)
}

fn question(call: &PendingCall) -> Option<InputRequest> {
    let asked = approval::question(&call.call, call.question.as_ref(), &key(call))?;
    Some(InputRequest::Elicitation(ElicitRequest::new(asked)))
}

/// What the answers of a person decide, for the inbox of a run.
pub(super) fn decisions(
    pending: &[PendingCall],
    unheard: &[Received],
    said: &InputResponses,
) -> Vec<InboxItem> {
    let asked = asked(pending, unheard).into_iter();
    let items = asked.filter_map(|call| {
        let answer = ElicitResult::deserialize(said.get(&key(call))?).ok()?;
        let decision = approval::decision(answer, call.question.as_ref());
        // A form that does not fit answers nothing: the question is still asked.
        call.check(&decision).ok()?;
        let is_yes = !matches!(decision, Decision::Deny { .. });
        let resolution = call.decide(decision);
        let id = format!("{} {is_yes}", key(call));
        Some(InboxItem::with_id(id, InboxContent::Resolution(resolution)))
    });
    items.collect()
}

pub(super) fn timestamp(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true)
}
