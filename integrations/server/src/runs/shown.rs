//! Runs as JSON: keys in camel case, names of kinds as they are stored, calls by their place below the run.

use std::{
    collections::BTreeMap,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::Serialize;
use serde_json::value::RawValue;
use toolwright_core::{
    Effects, RunOutcome, Schema, ToolDefinition,
    run::{Finish, Limit, PendingCall, RunId, UserFailure, WaitsFor},
};
use toolwright_runtime::store::{ConversationRef, RunInfo, RunStatus, RunSummary};
use toolwright_streams::{QuestionData, ui_message::UsageData};

use crate::app::App;

/// The names of all statuses.
pub(super) const STATUSES: [&str; 5] = ["open", "suspended", "parked", "finished", "abandoned"];

/// The name of a status.
pub(crate) fn status(status: &RunStatus) -> &'static str {
    match status {
        RunStatus::Open => "open",
        RunStatus::Suspended => "suspended",
        RunStatus::Parked { .. } => "parked",
        RunStatus::Finished => "finished",
        RunStatus::Abandoned => "abandoned",
        _ => "unknown",
    }
}

/// A time in milliseconds since 1970.
pub(crate) fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A run in a list, by what a person knows it by.
#[derive(Serialize)]
pub(super) struct ListedRun<'a> {
    #[serde(flatten)]
    pub(super) run: ShownRun<'a>,
    /// The beginning of it; `None` if its log is damaged.
    pub(super) question: Option<&'a str>,
    /// `None` if it is not over.
    pub(super) finish: Option<ShownFinish>,
}

/// What a list and one run have.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownRun<'a> {
    id: &'a RunId,
    status: &'static str,
    created_ms: u64,
    ended_ms: Option<u64>,
    model: Option<&'a str>,
    owner: Option<&'a str>,
    labels: &'a BTreeMap<String, String>,
    entries: u64,
    conversation: Option<ShownConversation<'a>>,
}

#[derive(Serialize)]
struct ShownConversation<'a> {
    id: &'a str,
    version: u64,
}

impl<'a> ShownRun<'a> {
    pub(super) fn of_summary(run: &'a RunSummary) -> Self {
        Self::of(&run.info, &run.status, run.entries, run.ended)
    }

    pub(super) fn of(
        info: &'a RunInfo,
        is: &RunStatus,
        entries: u64,
        ended: Option<SystemTime>,
    ) -> Self {
        let conversation = |it: &'a ConversationRef| ShownConversation {
            id: it.id.as_str(),
            version: it.version,
        };
        Self {
            id: &info.run_id,
            status: status(is),
            created_ms: millis(info.created),
            ended_ms: ended.map(millis),
            model: info.model.as_deref(),
            owner: info.owner.as_deref(),
            labels: &info.labels,
            entries,
            conversation: info.conversation.as_ref().map(conversation),
        }
    }
}

/// A run by itself, with its question and its end.
#[derive(Serialize)]
pub(super) struct WholeRun<'a> {
    #[serde(flatten)]
    pub(super) run: ShownRun<'a>,
    pub(super) pending: Vec<ShownCall<'a>>,
    pub(super) question: String,
    #[serde(flatten)]
    pub(super) end: Option<ShownEnd>,
}

/// A call that waits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownCall<'a> {
    /// What decisions and answers name: its place below the run, such as `0.1 > 0.0`.
    call: String,
    /// The sub-agents on the way to it.
    agents: Vec<&'a str>,
    run_id: &'a RunId,
    tool: &'a str,
    /// A string if they are no JSON.
    arguments: Box<RawValue>,
    waits_for: WaitsFor,
    question: Option<QuestionData>,
    since_ms: Option<u64>,
    effects: Effects,
    asked: u32,
    definition: Option<ShownDefinition<'a>>,
}

/// The tool that an approval holds for.
#[derive(Serialize)]
struct ShownDefinition<'a> {
    title: Option<&'a str>,
    description: &'a str,
    parameters: &'a Schema,
}

impl<'a> ShownCall<'a> {
    pub(super) fn of(call: &'a PendingCall) -> Self {
        let definition = |tool: &'a ToolDefinition| ShownDefinition {
            title: tool.title.as_deref(),
            description: &tool.description,
            parameters: &tool.input_schema,
        };
        let text = &call.call.arguments;
        let arguments = RawValue::from_string(text.clone());
        Self {
            call: call.place(),
            agents: call.path.iter().map(|step| step.agent.as_str()).collect(),
            run_id: &call.run_id,
            tool: &call.call.name,
            arguments: arguments.unwrap_or_else(|_| {
                serde_json::value::to_raw_value(text)
                    .unwrap_or_else(|_| unreachable!("a string can be written"))
            }),
            waits_for: call.waits_for,
            question: call.question.as_ref().map(QuestionData::from),
            since_ms: call.since.map(millis),
            effects: call.effects,
            asked: call.asked,
            definition: call.definition.as_ref().map(definition),
        }
    }
}

/// The end of a run.
#[derive(Serialize)]
pub(super) struct ShownEnd {
    finish: ShownFinish,
    /// What the user may read of an end without a whole answer.
    failure: Option<UserFailure>,
    usage: UsageData,
}

#[derive(Serialize)]
pub(super) struct ShownFinish {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summarized: Option<bool>,
    /// Why it was stopped or failed. The text of an error may be confidential.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl ShownEnd {
    pub(super) fn of(app: &App, outcome: &RunOutcome) -> Self {
        let failure = outcome.user_failure();
        Self {
            finish: ShownFinish::of(&outcome.finish, app.tells_all()),
            failure: failure.map(|failure| app.failure_texts.apply(failure)),
            usage: UsageData::from(&outcome.usage),
        }
    }
}

impl ShownFinish {
    pub(super) fn of(finish: &Finish, tells_all: bool) -> Self {
        let mut shown = Self {
            kind: kind(finish),
            limit: None,
            summarized: None,
            message: None,
        };
        match finish {
            Finish::Limit { limit, summarized } => {
                (shown.limit, shown.summarized) = (Some(*limit), Some(*summarized));
            }
            Finish::Stopped(reason) => shown.message = Some(reason.to_string()),
            Finish::Failed(failure) if tells_all => shown.message = Some(failure.to_string()),
            _ => {}
        }
        shown
    }
}

fn kind(finish: &Finish) -> &'static str {
    match finish {
        Finish::Answered => "answered",
        Finish::Limit { .. } => "limit",
        Finish::Stopped(_) => "stopped",
        Finish::Suspended => "suspended",
        Finish::Cancelled => "cancelled",
        Finish::InputRefused => "input_refused",
        Finish::Refused => "refused",
        Finish::Filtered => "filtered",
        Finish::Truncated => "truncated",
        Finish::Empty => "empty",
        Finish::Failed(_) => "failed",
        _ => "unknown",
    }
}
