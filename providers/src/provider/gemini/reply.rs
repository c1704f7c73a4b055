//! From what comes over the wire to model events, one way for whole responses and for streams.

pub(super) mod parts;
mod pieces;

use serde_json::Value;
use toolwright_core::{
    message::ProviderActivity,
    model::{FinishReason, ModelEvent, Warning},
};
use toolwright_json::raw::Raw;
use toolwright_json::string::text_of;

use super::{
    activity,
    chunk::{Candidate, Chunk, Feedback},
    usage::Latest,
};
use crate::codec::{
    activity::TextSoFar,
    alternatives, error_body, partial_object,
    response_reader::{ResponseReader, ResponseState},
};
use parts::Parts;

/// One response, as far as it has come.
#[derive(Debug, Default)]
pub struct Reply {
    state: ResponseState,
    parts: Parts,
    usage: Latest,
    other_candidates: bool,
}

impl ResponseReader for Reply {
    type Event<'a> = Chunk<'a>;

    const END: &'static str = "no finish reason came";
    #[cfg(feature = "http")]
    const ENDS_OFTEN: bool = true;

    fn knows(event: &str) -> bool {
        matches!(event, "" | "message" | "data")
    }

    fn take_whole(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        if !json.trim_ascii_start().starts_with('[') {
            self.take_chunk(partial_object::parse(json)?, events);
            return Ok(());
        }
        // A stream without `alt=sse`.
        let chunks: Vec<Chunk<'_>> = partial_object::parse_list(json)?;
        for chunk in chunks {
            self.take_chunk(chunk, events);
        }
        Ok(())
    }

    fn take_event(&mut self, chunk: Chunk<'_>, _: &str, events: &mut Vec<ModelEvent>) {
        self.take_chunk(chunk, events);
    }

    fn swap_usage(&mut self, late: &mut Self) {
        std::mem::swap(&mut self.usage, &mut late.usage);
    }

    fn activities(data: &Value, _: TextSoFar<'_>) -> Vec<ProviderActivity> {
        activity::activities(data)
    }

    fn activities_of_fact(name: &str, value: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
        match name {
            "groundingMetadata" => activity::grounding(value, text),
            "urlContextMetadata" => activity::url_context(value),
            _ => Vec::new(),
        }
    }

    fn flush(&mut self, events: &mut Vec<ModelEvent>) {
        let left_out = self.parts.finish(events);
        if left_out > 0 {
            let message =
                format!("{left_out} parts of the response cannot be read and are left out");
            events.push(ModelEvent::Warning(Warning::new("parts_left_out", message)));
        }
        events.extend(self.usage.decode().map(ModelEvent::from));
        if self.other_candidates {
            events.push(alternatives::left_out());
        }
    }

    fn has_calls(&self) -> bool {
        self.parts.has_calls()
    }

    fn finish_reason(raw: &str) -> Option<FinishReason> {
        Some(match raw {
            "STOP" => FinishReason::Stop,
            "MAX_TOKENS" => FinishReason::Length,
            "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "MODEL_ARMOR"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            // A language that is not allowed, a case for people, and an account that is held back for what
            // it asked before.
            | "LANGUAGE"
            | "ESCALATION"
            | "PUP_LIMITED_DISABLED" => FinishReason::ContentFilter,
            // More comes when the response goes back.
            "CONTINUATION" => FinishReason::Paused,
            // A call of a tool that was not declared comes with the response. It must not run either.
            "MALFORMED_FUNCTION_CALL"
            | "UNEXPECTED_TOOL_CALL"
            | "TOO_MANY_TOOL_CALLS"
            | "MALFORMED_RESPONSE"
            | "MISSING_THOUGHT_SIGNATURE" => FinishReason::MalformedCall,
            "FINISH_REASON_UNSPECIFIED" | "OTHER" | "IMAGE_OTHER" | "NO_IMAGE" => {
                FinishReason::Other
            }
            _ => return None,
        })
    }

    fn state(&self) -> &ResponseState {
        &self.state
    }

    fn state_mut(&mut self) -> &mut ResponseState {
        &mut self.state
    }
}

impl Reply {
    fn take_chunk(&mut self, chunk: Chunk<'_>, events: &mut Vec<ModelEvent>) {
        let state = &mut self.state;
        state.identify(chunk.model_version, chunk.response_id, events);
        if let Some(error) = chunk.error {
            state.error = Some(error_body::in_reply(error, &chunk.rest));
        }
        if let Some(time) = chunk.create_time {
            state.facts.add("createTime", time);
        }
        state.facts.take(&chunk.rest);
        if let Some(report) = chunk.usage_metadata {
            self.usage.take(report.get());
        }
        if let Some(feedback) = chunk.prompt_feedback {
            self.take_feedback(feedback, events);
        }
        if let Some(candidates) = chunk.candidates {
            self.other_candidates |= candidates.others;
            if let Some(candidate) = candidates.first {
                self.take_candidate(candidate, events);
            }
        }
    }

    fn take_candidate(&mut self, candidate: Candidate<'_>, events: &mut Vec<ModelEvent>) {
        let state = &mut self.state;
        state.answered |= candidate.content.is_some();
        state.ends_with(candidate.finish_reason);
        state.answered |= state.finish_reason.is_some();
        state.facts.take(&candidate.rest);
        if let Some(content) = candidate.content {
            state.facts.take(&content.rest);
            for part in content.parts.into_iter().flatten() {
                if let Err(error) = self.parts.take(part, events) {
                    state.error.get_or_insert(error);
                }
            }
        }
        // There is no word of its own for a response that ends with calls.
        let calls = state.finish_reason.as_deref() == Some("STOP") && self.parts.has_calls();
        if calls || state.outcome == Some(FinishReason::ToolCalls) {
            state.outcome = calls.then_some(FinishReason::ToolCalls);
        }
    }

    /// Takes what the server thinks of the request. One that it blocks gets no other answer.
    fn take_feedback(&mut self, raw: Raw<'_>, events: &mut Vec<ModelEvent>) {
        self.state.facts.add("promptFeedback", raw);
        let Ok(feedback) = partial_object::parse::<Feedback<'_>>(raw.get()) else {
            return;
        };
        let reason = feedback.block_reason.map(text_of).unwrap_or_default();
        if reason.is_empty() || self.state.outcome.is_some() {
            return;
        }
        self.state.answered = true;
        self.state.outcome = Some(FinishReason::ContentFilter);
        let said = feedback.block_reason_message.map(text_of);
        let said = said.filter(|said| !said.is_empty());
        let said = said.map_or_else(String::new, |said| format!(": {said}"));
        let message = format!("the request was blocked with `{reason}`{said}");
        events.push(ModelEvent::Warning(Warning::new("prompt_blocked", message)));
    }
}
