//! A run as a client sees it: a task.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use rmcp::{
    ErrorData,
    model::{
        DetailedTask, ElicitRequest, ElicitResult, InputRequest, InputRequests, InputResponses,
        JsonObject, Task, TaskPayload,
    },
};
use serde::Deserialize as _;
use serde_json::{Value, json};
use toolwright_core::{
    ErrorCategory, Run, ToolError, ToolResult,
    run::{Finish, PendingCall, RunId, RunOutcome},
    tool::Decision,
};
use toolwright_runtime::store::{Entry, InboxContent, InboxItem, LoadedRun, Received, RunStatus};

use super::failure::internal;
use crate::service::{Served, approval, asking::Modes, content};

/// What the store has of a task.
pub(super) struct Shown<'a> {
    id: &'a RunId,
    loaded: &'a LoadedRun,
    /// What a person is asked, by the keys of the questions.
    asked: InputRequests,
    updated: SystemTime,
    outcome: Option<RunOutcome>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(
        id: &'a RunId,
        loaded: &'a LoadedRun,
        unheard: &[Received],
        modes: Modes,
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
        let asked = asked(&loaded.pending, unheard);
        let asked = asked.filter_map(|call| Some((key(call), question(call, modes).ok()?)));
        Ok(Self {
            id,
            loaded,
            asked: asked.collect(),
            updated,
            outcome,
        })
    }

    pub(super) fn task(&self, served: &Served, progress: Option<String>) -> DetailedTask {
        let (payload, why) = self.payload(served);
        let [created, updated] = [self.loaded.info.created, self.updated].map(timestamp);
        let mut task = Task::new(self.id.as_str(), payload.status(), created, updated);
        task.status_message = why.or(progress);
        DetailedTask::new(task, payload)
    }

    /// What it came to, with a sentence about that.
    fn payload(&self, served: &Served) -> (TaskPayload, Option<String>) {
        match (&self.loaded.status, &self.outcome) {
            (RunStatus::Finished, Some(outcome)) => ended(outcome, served),
            (RunStatus::Finished, None) => failed("the log of the task has no end"),
            (RunStatus::Abandoned, _) => (TaskPayload::Cancelled, Some("it was given up".into())),
            (RunStatus::Parked { reason }, _) => failed(reason),
            _ if self.asked.is_empty() => (TaskPayload::Working, None),
            _ => {
                let input_requests = self.asked.clone();
                (TaskPayload::InputRequired { input_requests }, None)
            }
        }
    }
}

/// The end of a run.
fn ended(outcome: &RunOutcome, served: &Served) -> (TaskPayload, Option<String>) {
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
            let result = object(&content::of(
                result.clone(),
                served.is_structured(&call.name),
            ));
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
fn asked<'a>(
    pending: &'a [PendingCall],
    unheard: &'a [Received],
) -> impl Iterator<Item = &'a PendingCall> {
    let is_decided = |call: &PendingCall| {
        let mut items = unheard.iter().map(|received| received.item.content());
        items.any(|item| matches!(item, InboxContent::Resolution(said) if said.is_for(call)))
    };
    let asked = pending.iter().filter(|call| call.awaits_decision());
    asked.filter(move |call| !is_decided(call))
}

/// The key of a question, which no other one of the task has.
fn key(call: &PendingCall) -> String {
    let asked = call.asked;
    if call.path.is_empty() {
        return format!("approval {} {asked}", call.id);
    }
    // A call can have several agents at work: each has a run of its own.
    format!("approval {} {asked}", call.tool_call_id())
}

/// The question for a client that can ask in these ways, or why it cannot ask it.
fn question(call: &PendingCall, modes: Modes) -> Result<InputRequest, &'static str> {
    let asked = approval::question(&call.call, call.question.as_ref(), &key(call), modes)?;
    Ok(InputRequest::Elicitation(ElicitRequest::new(asked)))
}

/// The denials of what the client of the task cannot ask, for the inbox of the run: nobody else would answer it.
pub(super) fn denials(
    pending: &[PendingCall],
    unheard: &[Received],
    modes: Modes,
) -> Vec<InboxItem> {
    let asked = asked(pending, unheard);
    let denied = asked.filter_map(|call| {
        let why = question(call, modes).err()?;
        Some(item(call, Decision::deny(why)))
    });
    denied.collect()
}

/// What the answers of a person decide, for the inbox of a run.
///
/// # Errors
///
/// When an answer does not fit its question, with the place and what was expected there.
pub(super) fn decisions(
    pending: &[PendingCall],
    unheard: &[Received],
    modes: Modes,
    said: &InputResponses,
) -> Result<Vec<InboxItem>, ErrorData> {
    let asked = asked(pending, unheard).filter(|call| question(call, modes).is_ok());
    let items = asked.filter_map(|call| {
        let key = key(call);
        let said = said.get(&key)?;
        let unfit = |why: &str| {
            let why = format!("the answer `{key}` does not fit its question: {why}");
            ErrorData::invalid_params(why, None)
        };
        let answer = ElicitResult::deserialize(said).map_err(|error| unfit(&error.to_string()));
        Some(answer.and_then(|answer| {
            let decision = approval::decision(answer, call.question.as_ref());
            let checked = call.check(&decision);
            checked.map_err(|error| unfit(&error.message))?;
            Ok(item(call, decision))
        }))
    });
    items.collect()
}

/// A decision about a call, for the inbox of its run. Put in twice, it counts once.
fn item(call: &PendingCall, decision: Decision) -> InboxItem {
    let is_yes = !matches!(decision, Decision::Deny { .. });
    let id = format!("{} {is_yes}", key(call));
    InboxItem::with_id(id, InboxContent::Resolution(call.decide(decision)))
}

pub(super) fn timestamp(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true)
}
