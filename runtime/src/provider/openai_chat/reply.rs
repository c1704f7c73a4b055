//! From what comes over the wire to model events, one way for whole replies and for streams.

use std::borrow::Cow;

use serde_json::{Value, value::RawValue};

use super::{
    chunk::{Call, Chunk, Function, Message},
    error,
    facts::Facts,
    reasoning::{CALL, CONTENT_PART, Reasoning, opaque},
    usage,
};
use crate::{
    message::Opaque,
    model::{FinishReason, ModelError, ModelErrorKind, ModelEvent, Warning},
    wire::{CallDelta, PartialCalls, text::text_of},
};

/// Decodes the body of a whole reply.
pub(super) fn decode_whole(body: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
    let mut reply = Reply::whole();
    reply
        .take(body, events)
        .map_err(|error| error::not_a_reply(body, &error))?;
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
        let text = String::from_utf8_lossy(json);
        self.take_chunk(serde_json::from_str(&text)?, events);
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
            && !matches!(raw.get(), "null" | "\"\"")
        {
            self.error = Some(error::in_reply(raw));
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
                    self.error = Some(error::in_reply(raw));
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
            self.error = Some(error::no_completion(body));
        }
        let raw = self.finish_reason.take();
        if self.error.is_none() {
            self.error = raw.as_deref().and_then(error::of_finish_reason);
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

    fn take_message(&mut self, message: Message<'_>, events: &mut Vec<ModelEvent>) {
        let fields = [
            ("reasoning_content", message.reasoning_content),
            ("reasoning", message.reasoning),
        ];
        for (field, words) in fields {
            if let Some(words) = words {
                self.reasoning.words(field, &text_of(words), events);
            }
        }
        if let Some(details) = message.reasoning_details.and_then(list) {
            self.reasoning.details(details, events);
        }
        if let Some(content) = message.content {
            match list(content) {
                Some(parts) => {
                    for part in parts {
                        self.take_part(part, events);
                    }
                }
                // Cloudflare answers with the object itself where a schema was asked for.
                None => text(text_of(content), ModelEvent::Text, events),
            }
        }
        if let Some(refusal) = message.refusal {
            text(text_of(refusal), ModelEvent::Refusal, events);
        }
        for call in message.tool_calls.into_iter().flatten() {
            self.take_call(call, events);
        }
        if let Some(function) = message.function_call {
            self.take_legacy_call(function, events);
        }
        // Gemini signs a message here, beside its content.
        let signed = [
            ("extra_content", message.extra_content),
            ("thought_signature", message.thought_signature),
        ];
        for (name, value) in signed {
            if let Some(value) = value.and_then(value_of) {
                events.push(ModelEvent::Opaque(opaque(name, value)));
            }
        }
        self.facts.take(message.rest);
    }

    /// Takes one part of a `content` that is a list, as Mistral sends it.
    fn take_part(&mut self, part: Value, events: &mut Vec<ModelEvent>) {
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match part.get("type").and_then(Value::as_str) {
            Some("text" | "output_text") => {
                text(words(&part["text"]).into(), ModelEvent::Text, events);
            }
            Some("refusal") => {
                text(words(&part["refusal"]).into(), ModelEvent::Refusal, events);
            }
            Some("thinking") => {
                let thinking = match &part["thinking"] {
                    Value::Array(pieces) => {
                        pieces.iter().map(|piece| words(&piece["text"])).collect()
                    }
                    thinking => words(thinking),
                };
                self.reasoning.words("content", &thinking, events);
            }
            _ => events.push(ModelEvent::Opaque(opaque(CONTENT_PART, part))),
        }
    }

    fn take_call(&mut self, call: Call<'_>, events: &mut Vec<ModelEvent>) {
        let function = call.function.unwrap_or_default();
        let delta = CallDelta {
            index: call.index,
            id: call.id.map(text_of).unwrap_or_default(),
            name: function.name.map(text_of).unwrap_or_default(),
            arguments: function.arguments.map(text_of).unwrap_or_default(),
        };
        let number = if self.whole {
            self.calls.push_whole(delta, events)
        } else {
            self.calls.push(delta, events)
        };
        // Gemini signs calls in `extra_content`; whatever else stands there goes back with the call
        // as well.
        for (name, value) in call.rest {
            if let Some(value) = value_of(value) {
                let mut data = opaque(&name, value).data;
                data[CALL] = number.into();
                events.push(ModelEvent::Opaque(Opaque {
                    provider: super::PROVIDER.to_owned(),
                    data,
                }));
            }
        }
        self.facts.take(function.rest);
    }

    /// Takes the form of a call from before `tool_calls`. Snowflake sends an empty one in every
    /// message.
    fn take_legacy_call(&mut self, function: Function<'_>, events: &mut Vec<ModelEvent>) {
        let delta = CallDelta {
            name: function.name.map(text_of).unwrap_or_default(),
            arguments: function.arguments.map(text_of).unwrap_or_default(),
            ..CallDelta::default()
        };
        if !delta.name.is_empty() || !delta.arguments.is_empty() {
            self.calls.push(delta, events);
        }
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

/// The elements of a value that is a list.
fn list(raw: &RawValue) -> Option<Vec<Value>> {
    raw.get()
        .starts_with('[')
        .then(|| serde_json::from_str(raw.get()).ok())
        .flatten()
}

/// A value read in full; `None` for one that is nested too deep to be read.
fn value_of(raw: &RawValue) -> Option<Value> {
    serde_json::from_str(raw.get()).ok()
}

fn text(text: Cow<'_, str>, event: fn(String) -> ModelEvent, events: &mut Vec<ModelEvent>) {
    if !text.is_empty() {
        events.push(event(text.into_owned()));
    }
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

/// The error of a stream that ended too early.
pub(super) fn ended_early(what: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Transport,
        format!("the stream ended early: {what}"),
    )
}
