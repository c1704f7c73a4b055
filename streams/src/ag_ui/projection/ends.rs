//! How a run of AG-UI ends.

use toolwright_json::JsonText;

use super::{AgUiStream, Frames, Version, custom, send};
use crate::{
    ag_ui::event::{AgUiEvent, AgUiInterrupt, AgUiInterruptCall, AgUiOutcome, AgUiUsage},
    question::QuestionData,
    reading::{End, arguments_of},
    warning::WarningData,
};
use toolwright_core::{
    Schema,
    run::{Finish, PendingCall, UserFailure},
};

impl AgUiStream {
    pub(super) fn finished(&self, end: End, frames: &mut Frames) {
        for warning in end.warnings {
            let data = WarningData::of(warning, self.tells_errors);
            custom(frames, "warning", &data);
        }
        if let Some(answer) = end.answer {
            custom(frames, "answer", &answer);
        }
        let (usage, shown) = (end.usage, end.failure);
        let shown = shown.map(|shown| self.failure_texts.apply(shown));
        let outcome = match &end.finish {
            Finish::Cancelled => AgUiOutcome::Cancelled,
            Finish::Failed(failure) => {
                let mut shown = shown.unwrap_or_else(|| self.failure_texts.stopped());
                if self.tells_errors {
                    shown.message = failure.to_string();
                }
                let UserFailure { message, code, .. } = shown;
                return send(frames, AgUiEvent::RunError { message, code });
            }
            Finish::Limit { limit, .. } => {
                custom(frames, "limit_reached", limit);
                success()
            }
            _ => success(),
        };
        if let Some(shown) = &shown {
            custom(frames, "failure", shown);
        }
        let usage = AgUiUsage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cached_input_tokens: usage.cached_input_tokens,
        };
        self.finish(outcome, vec![usage], frames);
    }

    pub(super) fn finish(&self, outcome: AgUiOutcome, usage: Vec<AgUiUsage>, frames: &mut Frames) {
        let outcome = match self.version {
            Version::One => Some(outcome),
            Version::Zero => readable_before_1(outcome, frames),
        };
        send(
            frames,
            AgUiEvent::RunFinished {
                thread_id: self.thread_id.clone(),
                run_id: self.run_id.clone(),
                outcome,
                usage,
            },
        );
    }

    /// The outcome of a run that waits: for approvals, or for the application alone.
    pub(super) fn outcome_of(&self, waiting: &[PendingCall]) -> AgUiOutcome {
        let interrupts: Vec<_> = waiting
            .iter()
            .filter(|call| call.awaits_decision())
            .map(|call| AgUiInterrupt {
                id: self.interrupt_id(call),
                reason: "tool_call",
                message: asks(call),
                tool_call_id: call.tool_call_id(),
                response_schema: response_schema(call),
                metadata: AgUiInterruptCall {
                    tool_name: call.call.name.clone(),
                    arguments: json_of(&call.call.arguments),
                    question: call.question.as_ref().map(QuestionData::from),
                },
            })
            .collect();
        if interrupts.is_empty() {
            return AgUiOutcome::Success {
                pending_tool_call_ids: waiting.iter().map(PendingCall::tool_call_id).collect(),
            };
        }
        AgUiOutcome::Interrupt { interrupts }
    }
}

/// The outcome without what clients before 1.0 refuse, which comes as `CUSTOM` events instead.
fn readable_before_1(outcome: AgUiOutcome, frames: &mut Frames) -> Option<AgUiOutcome> {
    match outcome {
        AgUiOutcome::Success {
            pending_tool_call_ids,
        } => {
            if !pending_tool_call_ids.is_empty() {
                custom(frames, "pending_tool_calls", &pending_tool_call_ids);
            }
            Some(success())
        }
        AgUiOutcome::Interrupt { interrupts } => Some(AgUiOutcome::Interrupt { interrupts }),
        AgUiOutcome::Cancelled => {
            custom(frames, "cancelled", &true);
            None
        }
    }
}

fn asks(call: &PendingCall) -> String {
    let name = &call.call.name;
    if let Some(question) = &call.question {
        return question.message.clone();
    }
    if call.path.is_empty() {
        return format!("The call of `{name}` waits for an approval.");
    }
    let agents = call.agents();
    format!("The call of `{name}` by the agent {agents} waits for an approval.")
}

fn success() -> AgUiOutcome {
    let pending_tool_call_ids = Vec::new();
    AgUiOutcome::Success {
        pending_tool_call_ids,
    }
}

/// The schema of a decision, with the form of a question, without which an approval answers nothing.
fn response_schema(call: &PendingCall) -> JsonText {
    let form = call.question.as_ref().map(|question| {
        let opened = r#"{"type":"object","maxProperties":0}"#;
        let form = question.schema().map_or(opened, Schema::as_str);
        let answered =
            r#","if":{"properties":{"approved":{"const":true}}},"then":{"required":["answer"]}"#;
        (format!(r#","answer":{form}"#), answered)
    });
    let (form, answered) = form.unwrap_or_default();
    JsonText::new(format!(
        r#"{{"type":"object","properties":{{"approved":{{"type":"boolean"}},"reason":{{"type":"string"}}{form}}},"required":["approved"]{answered}}}"#,
    ))
    .unwrap_or_else(|_| unreachable!("it is JSON"))
}

/// Arguments as JSON: a string if they are none.
fn json_of(arguments: &str) -> JsonText {
    arguments_of(arguments).unwrap_or_else(|| {
        JsonText::of(arguments).unwrap_or_else(|_| unreachable!("a string can be written"))
    })
}
