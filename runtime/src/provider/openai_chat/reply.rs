//! From what comes over the wire to model events, one way for whole replies and for streams.

mod content;

use serde_json::value::RawValue;

use super::{chunk::Chunk, reasoning::Reasoning, usage};
use crate::{
    model::{FinishReason, ModelError, ModelErrorKind, ModelEvent, Warning},
    wire::{PartialCalls, error_body, facts::Facts, text::text_of},
};

/// Decodes the body of a whole reply.
pub(super) fn decode_whole(body: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
    let mut reply = Reply::whole();
    reply
        .take(body, events)
        .map_err(|error| error_body::not_a_reply(body, &error))?;
    reply.finish(body, events)
}

/// One reply, as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// Calls are whole and not pieces.
    whole: bool,
    /// A choice has come.
    answered: bool,
    id: Option<String>,
    model: Option<String>,
    calls: PartialCalls,
    reasoning: Reasoning,
    facts: Facts,
    /// Why the first choice ended, once it has been said.
    finish_reason: Option<String>,
    other_choices: bool,
    unknown_events: usize,
    /// What the provider said went wrong. It is told at the end: usage may follow it.
    error: Option<ModelError>,
}

impl Reply {
    pub(super) fn whole() -> Self {
        Self {
            whole: true,
            ..Self::default()
        }
    }

    /// Whether the provider has said why the reply ended.
    pub(super) fn has_finish_reason(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Whether the provider has reported an error.
    pub(super) fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Takes a whole reply or the next chunk of one. Bytes that are no UTF-8 are replaced rather than
    /// refused: one broken character is no reason to lose a reply.
    pub(super) fn take(
        &mut self,
        json: &[u8],
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        // Not `from_utf8_lossy` at once: it is slower where nothing is wrong.
        if let Ok(text) = std::str::from_utf8(json) {
            self.take_chunk(serde_json::from_str(text)?, events);
        } else {
            let text = String::from_utf8_lossy(json);
            self.take_chunk(serde_json::from_str(&text)?, events);
        }
        Ok(())
    }

    /// Notes an event that this codec cannot read and that its name says is something else.
    pub(super) fn skip_event(&mut self) {
        self.unknown_events += 1;
    }

    /// Notes what the provider said went wrong.
    pub(super) fn fail(&mut self, error: ModelError) {
        self.error = Some(error);
    }

    fn take_chunk(&mut self, chunk: Chunk<'_>, events: &mut Vec<ModelEvent>) {
        if let Some(model) = first(&mut self.model, chunk.model) {
            events.push(ModelEvent::Model(model));
        }
        if let Some(id) = first(&mut self.id, chunk.id) {
            events.push(ModelEvent::Metadata {
                name: "id".to_owned(),
                value: id.into(),
            });
        }
        if let Some(raw) = chunk.error
            && !matches!(raw.get(), "null" | "\"\"" | "false")
        {
            self.error = Some(error_body::in_reply(raw));
        }
        if let Some(choices) = chunk.choices {
            self.other_choices |= choices.others;
            if let Some(choice) = choices.first {
                if let Some(message) = choice.message {
                    self.answered = true;
                    self.take_message(message, events);
                }
                let reason = choice.finish_reason.map(text_of);
                if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
                    self.finish_reason = Some(reason.into_owned());
                }
                if let Some(raw) = choice.error
                    && raw.get() != "null"
                {
                    self.error = Some(error_body::in_reply(raw));
                }
                self.facts.take(choice.rest);
            }
        }
        let usage = chunk.usage.and_then(usage::decode);
        let usage = usage.or_else(|| chunk.x_groq.and_then(usage::decode_groq));
        events.extend(usage.map(ModelEvent::Usage));
        let facts = [
            ("x_groq", chunk.x_groq),
            ("system_fingerprint", chunk.system_fingerprint),
            ("service_tier", chunk.service_tier),
            ("provider", chunk.provider),
        ];
        for (name, value) in facts {
            if let Some(value) = value {
                self.facts.add(name, value);
            }
        }
        self.facts.take(chunk.rest);
    }

    /// Ends the reply: tells what was held back, and its end or its error. `body` is for the error
    /// of a reply that is none.
    pub(super) fn finish(
        mut self,
        body: &[u8],
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        if !self.answered && self.error.is_none() {
            self.error = Some(error_body::no_completion(body));
        }
        let raw = self.finish_reason.take();
        if self.error.is_none() {
            self.error = raw.as_deref().and_then(broken_off);
        }
        let error = self.abandon(events);
        let reason = raw.as_deref().map_or(FinishReason::Other, finish_reason);
        events.push(ModelEvent::Finished { reason, raw });
        error.map_or(Ok(()), Err)
    }

    /// Ends a reply that broke off: tells what was held back, without an end, and gives what the
    /// provider said went wrong.
    pub(super) fn abandon(mut self, events: &mut Vec<ModelEvent>) -> Option<ModelError> {
        self.calls.finish(events);
        self.reasoning.finish(events);
        self.facts.finish(events);
        if self.other_choices {
            events.push(ModelEvent::Warning(Warning::new(
                "other_choices",
                "the provider sent more than one choice; only the first is kept",
            )));
        }
        if self.unknown_events > 0 {
            events.push(ModelEvent::Warning(Warning::new(
                "unknown_events",
                format!(
                    "{} events of unknown kinds were left out",
                    self.unknown_events
                ),
            )));
        }
        self.error
    }
}

/// Keeps the first text that is not empty, and gives it out that one time.
fn first(kept: &mut Option<String>, came: Option<&RawValue>) -> Option<String> {
    if kept.is_some() {
        return None;
    }
    let came = text_of(came?).into_owned();
    if came.is_empty() {
        return None;
    }
    *kept = Some(came.clone());
    Some(came)
}

/// What the servers' words for the end mean. Some gateways pass on the words of other protocols.
fn finish_reason(raw: &str) -> FinishReason {
    match raw {
        "stop" | "eos" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::ToolCalls,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "refusal" => FinishReason::Refusal,
        _ => FinishReason::Other,
    }
}

/// The error of a reply that ended because the provider could not go on.
fn broken_off(reason: &str) -> Option<ModelError> {
    // `error` is OpenRouter's word, the other DeepSeek's.
    matches!(reason, "error" | "insufficient_system_resource").then(|| {
        ModelError::new(
            ModelErrorKind::Overloaded,
            format!("the provider broke the reply off with `{reason}`"),
        )
    })
}
