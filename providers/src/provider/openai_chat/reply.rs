//! From what comes over the wire to model events, one way for whole responses and for streams.

mod content;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolwright_core::{
    message::ProviderActivity,
    model::{FinishReason, ModelError, ModelErrorKind, ModelEvent},
};

use super::{chunk::Chunk, reasoning::Reasoning, usage::Latest};
use crate::{
    codec::{
        activity::{CITATIONS, TextSoFar, citation, source_of},
        alternatives, error_body, partial_object,
        places::Places,
        response_reader::{ResponseReader, ResponseState},
    },
    wire::PartialCalls,
};

/// One response, as far as it has come.
#[derive(Debug, Default)]
pub struct Reply {
    state: ResponseState,
    /// Calls are whole and not pieces.
    whole: bool,
    calls: PartialCalls,
    /// The numbers of those that are of custom tools.
    custom: BTreeSet<usize>,
    reasoning: Reasoning,
    /// The pieces of sound.
    sound: Vec<String>,
    usage: Latest,
    other_choices: bool,
}

impl ResponseReader for Reply {
    type Event<'a> = Chunk<'a>;

    const END: &'static str = "neither `[DONE]` nor a finish reason came";
    const RUNS_AFTER_ANY_END: bool = true;

    fn knows(event: &str) -> bool {
        matches!(event, "" | "message" | "data")
    }

    fn take_whole(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        self.whole = true;
        self.take_chunk(&partial_object::parse(json)?, events);
        Ok(())
    }

    fn take_event(&mut self, chunk: Chunk<'_>, _: &str, events: &mut Vec<ModelEvent>) {
        self.take_chunk(&chunk, events);
    }

    fn swap_usage(&mut self, late: &mut Self) {
        std::mem::swap(&mut self.usage, &mut late.usage);
    }

    const KEEPS_TEXT: bool = true;

    fn activities_of_fact(name: &str, value: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
        let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let cited = |source| citation(source, None, "");
        match name {
            // openai-python, `types/chat/chat_completion_message.py`: characters of the message.
            "annotations" => {
                let places = Places::of(text.words);
                let citations = list.iter().filter_map(|one| {
                    let cited = &one["url_citation"];
                    citation(source_of(cited), places.bytes_of(cited), "")
                });
                citations.take(CITATIONS).collect()
            }
            // Addresses (docs.x.ai/docs/guides/live-search; docs.perplexity.ai/api-reference/chat-completions-post).
            "citations" => {
                let urls = list.iter().filter_map(Value::as_str);
                let sources = urls.map(|url| source_of(&json!({"url": url})));
                sources.filter_map(cited).take(CITATIONS).collect()
            }
            _ => Vec::new(),
        }
    }

    fn flush(&mut self, events: &mut Vec<ModelEvent>) {
        let state = &mut self.state;
        if state.error.is_none() {
            state.error = state.finish_reason.as_deref().and_then(broken_off);
        }
        self.calls.finish(events);
        std::mem::take(&mut self.reasoning).finish(events);
        events.extend(content::sound_of(&std::mem::take(&mut self.sound)));
        events.extend(self.usage.decode().map(ModelEvent::from));
        if self.other_choices {
            events.push(alternatives::left_out());
        }
    }

    fn finish_reason(raw: &str) -> Option<FinishReason> {
        finish_reason(raw)
    }

    fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    fn state(&self) -> &ResponseState {
        &self.state
    }

    fn state_mut(&mut self) -> &mut ResponseState {
        &mut self.state
    }
}

impl Reply {
    fn take_chunk(&mut self, chunk: &Chunk<'_>, events: &mut Vec<ModelEvent>) {
        self.state.identify(chunk.model, chunk.id, events);
        if let Some(raw) = chunk.error
            && !matches!(raw.get(), "null" | "\"\"" | "false")
        {
            self.state.error = Some(error_body::in_reply(raw, &chunk.rest));
        }
        if let Some(error) = chunk.base_resp.and_then(error_body::in_base_resp) {
            self.state.error = Some(error);
        }
        if let Some(choices) = &chunk.choices {
            self.other_choices |= choices.others;
            if let Some(choice) = &choices.first {
                if let Some(message) = &choice.message {
                    self.state.answered = true;
                    self.take_message(message, events);
                }
                self.state.ends_with(choice.finish_reason);
                if let Some(raw) = choice.error
                    && raw.get() != "null"
                {
                    self.state.error = Some(error_body::in_reply(raw, &choice.rest));
                }
                if let Some(logprobs) = choice.logprobs {
                    self.state.facts.join("logprobs", logprobs);
                }
                self.state.facts.take(&choice.rest);
            }
        }
        self.usage.take(chunk);
        let facts = [
            ("x_groq", chunk.x_groq),
            ("system_fingerprint", chunk.system_fingerprint),
            ("service_tier", chunk.service_tier),
            ("provider", chunk.provider),
        ];
        for (name, value) in facts {
            if let Some(value) = value {
                self.state.facts.add(name, value);
            }
        }
        self.state.facts.take(&chunk.rest);
    }
}

/// Translates the servers' words for the end of a response. Some gateways pass on the words of other protocols.
fn finish_reason(raw: &str) -> Option<FinishReason> {
    Some(match &*raw.to_ascii_lowercase() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "complete" | "completed" => {
            FinishReason::Stop
        }
        "tool_calls" | "tool_call" | "function_call" | "tool_use" => FinishReason::ToolCalls,
        "length"
        | "max_tokens"
        | "max_length"
        | "model_length"
        | "model_context_window_exceeded"
        | "time_limit" => FinishReason::Length,
        // `sensitive` is the word of Z.ai; those after it are Google's.
        "content_filter" | "content_filtered" | "sensitive" | "safety" | "recitation"
        | "blocklist" | "prohibited_content" | "spii" | "language" => FinishReason::ContentFilter,
        "refusal" => FinishReason::Refusal,
        "pause_turn" => FinishReason::Paused,
        "malformed_function_call" | "unexpected_tool_call" | "too_many_tool_calls" => {
            FinishReason::MalformedCall
        }
        reason if is_broken_off(reason) => FinishReason::Other,
        _ => return None,
    })
}

/// Returns true if the word for the end means that the provider could not continue.
fn is_broken_off(reason: &str) -> bool {
    // `error` is OpenRouter's word, the second DeepSeek's, and the third Z.ai's; vLLM and SGLang abort.
    matches!(
        reason,
        "error" | "insufficient_system_resource" | "network_error" | "abort" | "aborted"
    )
}

/// The error of a response that ended because the provider could not go on.
fn broken_off(reason: &str) -> Option<ModelError> {
    is_broken_off(reason).then(|| {
        ModelError::new(
            ModelErrorKind::Overloaded,
            format!("the provider ended the response early with `{reason}`"),
        )
    })
}
