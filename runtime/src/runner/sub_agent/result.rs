//! The result of a call that is the end of a run.

use std::fmt::Display;

use crate::runner::typed_answer::AnswerOutput;
use toolwright_core::{
    Conversation, ErrorCategory, ToolError,
    message::{Message, Part},
    model::ModelErrorKind,
    run::{Failure, Finish, RunOutcome},
    tool::{Effects, OutputPart, ToolOutput},
};

/// The result of a call of the sub-agent of this name, whose run has ended so.
pub(super) fn of(
    name: &str,
    outcome: RunOutcome,
    answer: Option<&AnswerOutput>,
    effects: Effects,
) -> Result<ToolOutput, ToolError> {
    let text = outcome.text;
    let refused = |why: &dyn Display| {
        let message = format!("the agent `{name}` {why}");
        Err(ToolError::new(ErrorCategory::Unknown, message))
    };
    let read = |text| match answer {
        Some(answer) => answer.read(text),
        None => Ok(ToolOutput::text(text)),
    };
    // What is there of a text, and why it is not more.
    let cut_off = |text: String, why: &dyn Display| {
        if text.trim().is_empty() {
            return refused(&format_args!("ended without an answer: {why}"));
        }
        let note = format!("Note: the agent `{name}` was cut off: {why}. This is what it had.");
        Ok(ToolOutput::text(text).with_text(note))
    };
    match outcome.finish {
        Finish::Answered => {
            Ok(media_of(&outcome.conversation).fold(read(&text)?, ToolOutput::with_part))
        }
        Finish::Limit {
            limit,
            summarized: true,
        } => match read(&text) {
            Ok(output) if answer.is_some() => Ok(output.with_text(format!(
                "Note: the agent `{name}` was cut off: {limit}. This is what it had."
            ))),
            _ => cut_off(text, &limit),
        },
        Finish::Limit { limit, .. } | Finish::Failed(Failure::Limit(limit)) => {
            cut_off(text, &limit)
        }
        Finish::Stopped(reason) => cut_off(text, &reason),
        Finish::Truncated => cut_off(text, &"its answer was too long"),
        Finish::Suspended => Err(cannot_wait(name)),
        Finish::Cancelled => {
            let aftermath = effects.aftermath();
            let message = format!("the agent `{name}` was cancelled{aftermath}");
            Err(ToolError::cancelled(message))
        }
        Finish::Refused if text.trim().is_empty() => refused(&"refused the task"),
        Finish::Refused => refused(&format_args!("refused the task: {text}")),
        Finish::InputRefused => refused(&format_args!("was not given the task: {text}")),
        Finish::Filtered => refused(&"was stopped by the filter of its provider"),
        Finish::Empty => refused(&"said nothing"),
        Finish::Failed(failure) => Err(failed(name, &failure)),
        other => refused(&other),
    }
}

/// The error of a run whose calls wait for people, and that nothing keeps meanwhile.
fn cannot_wait(name: &str) -> ToolError {
    let message = format!("the agent `{name}` has to wait for people, and cannot do so here");
    let log = format!(
        "calls of the agent `{name}` wait for people, and its run is in no store that keeps it meanwhile: set one by `RunnerBuilder::store` on the runner that calls the agent, have somebody decide at once by `CallOptions::with_approver`, or let the calls wait by `RunnerBuilder::suspend_after` on the runner of the agent"
    );
    ToolError::new(ErrorCategory::Unknown, message).with_log(log)
}

/// The error of a run that has failed. What a provider or a store says is for the log.
fn failed(name: &str, failure: &Failure) -> ToolError {
    let (category, why) = match failure {
        Failure::Model(error) => match error.kind {
            ModelErrorKind::Authentication => (
                ErrorCategory::AuthenticationFailed,
                "its model refused the key of the application",
            ),
            ModelErrorKind::RateLimit => (
                ErrorCategory::RateLimited,
                "its model had too many requests",
            ),
            ModelErrorKind::Transport | ModelErrorKind::Overloaded => (
                ErrorCategory::NetworkError,
                "its model could not be reached",
            ),
            _ => (ErrorCategory::Unknown, "its model did not answer"),
        },
        Failure::AnswerUnfit { .. } => (
            ErrorCategory::Unknown,
            "its answer does not have the form that was asked for",
        ),
        Failure::Store(_) => (ErrorCategory::Unknown, "its run could not be stored"),
        _ => (ErrorCategory::Unknown, "it came to no answer"),
    };
    ToolError::new(category, format!("the agent `{name}` failed: {why}"))
        .with_log(format!("the run of the agent `{name}` failed: {failure}"))
}

/// The images, documents and sound of an answer.
fn media_of(conversation: &Conversation) -> impl Iterator<Item = OutputPart> {
    let parts = match conversation.messages().last() {
        Some(Message::Assistant(message)) => &message.parts[..],
        _ => &[],
    };
    parts.iter().filter_map(|part| match part {
        Part::Image(image) => Some(OutputPart::Image(image.clone())),
        Part::Document(document) => Some(OutputPart::Document(document.clone())),
        Part::Audio(audio) => Some(OutputPart::Audio(audio.clone())),
        _ => None,
    })
}
