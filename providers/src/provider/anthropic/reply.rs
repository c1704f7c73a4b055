//! From what comes over the wire to model events, one way for whole responses and for streams.

mod blocks;

use serde_json::Value;
use toolwright_core::{
    message::ProviderActivity,
    model::{FinishReason, ModelEvent, Warning},
};
use toolwright_json::bounded::parse_bounded;
use toolwright_json::raw::Raw;
use toolwright_json::string::text_of;

use super::{
    activity,
    container::{self, CONTAINER},
    event::{Event, Message},
    usage::Reports,
};
use crate::codec::{
    activity::TextSoFar,
    error_body,
    partial_object::{self, Index, Rest},
    response_reader::{ResponseReader, ResponseState},
};
use blocks::Blocks;

/// One response, as far as it has come.
#[derive(Debug, Default)]
pub struct Reply {
    state: ResponseState,
    blocks: Blocks,
    /// The index of the block that began last.
    last_block: Option<u64>,
    usage: Reports,
    /// The words of a refusal have come.
    explained: bool,
}

impl ResponseReader for Reply {
    type Event<'a> = Event<'a>;

    const END: &'static str = "neither a stop reason nor `message_stop` came";

    fn knows(event: &str) -> bool {
        // OpenRouter calls an event `data`.
        matches!(event, "" | "message" | "data" | "error")
            || event.starts_with("message_")
            || event.starts_with("content_block_")
    }

    fn take_whole(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        self.take_message(partial_object::parse(json)?, events);
        Ok(())
    }

    fn take_event(&mut self, event: Event<'_>, _: &str, events: &mut Vec<ModelEvent>) {
        let kind = event.kind.map(text_of).unwrap_or_default();
        let index = self.index_of(&kind, event.index);
        if kind == "content_block_delta"
            && let Some(delta) = &event.delta
        {
            // Nearly all events are these, and large to move.
            self.state.unknown_events += usize::from(!self.blocks.extend(index, delta, events));
        } else {
            self.take(&kind, index, event, events);
        }
    }

    fn swap_usage(&mut self, late: &mut Self) {
        std::mem::swap(&mut self.usage, &mut late.usage);
    }

    fn activities(data: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
        activity::activities(data, text)
    }

    fn flush(&mut self, events: &mut Vec<ModelEvent>) {
        events.extend(self.usage.finish().map(ModelEvent::from));
        let left_out = self.blocks.finish(events);
        let container = self.state.facts.last(CONTAINER);
        let container = container.and_then(container::opaque_of);
        events.extend(container.map(ModelEvent::Opaque));
        if left_out > 0 {
            let message = format!(
                "{left_out} content blocks were cut off, or cannot be read, and are left out"
            );
            events.push(ModelEvent::Warning(Warning::new(
                "blocks_left_out",
                message,
            )));
        }
    }

    fn has_calls(&self) -> bool {
        self.blocks.has_calls()
    }

    fn finish_reason(raw: &str) -> Option<FinishReason> {
        Some(match raw {
            "end_turn" | "stop_sequence" => FinishReason::Stop,
            "tool_use" => FinishReason::ToolCalls,
            "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
            // The beta of compaction: the summary goes back, and the turn goes on.
            "pause_turn" | "compaction" => FinishReason::Paused,
            "refusal" => FinishReason::Refusal,
            // Bedrock's words, which gateways pass on.
            "content_filtered" | "guardrail_intervened" => FinishReason::ContentFilter,
            "malformed_tool_use" | "malformed_model_output" => FinishReason::MalformedCall,
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
    /// The block that an event is of: where the server does not say it, the one that began last.
    fn index_of(&mut self, kind: &str, index: Option<Index>) -> u64 {
        let begins = kind == "content_block_start";
        let next = self
            .last_block
            .map_or(0, |last| last.wrapping_add(u64::from(begins)));
        let index = index.and_then(Index::number).unwrap_or(next);
        if begins {
            self.last_block = Some(index);
        }
        index
    }

    fn take(&mut self, kind: &str, index: u64, event: Event<'_>, events: &mut Vec<ModelEvent>) {
        match (kind, event) {
            (
                "content_block_start",
                Event {
                    content_block: Some(block),
                    ..
                },
            ) => {
                self.state.answered = true;
                self.blocks.start(index, block, events);
            }
            ("content_block_stop", _) => self.blocks.stop(index, events),
            (
                "message_start",
                Event {
                    message: Some(message),
                    ..
                },
            ) => {
                self.state.answered = true;
                self.take_message(message, events);
            }
            ("message_delta", event) => {
                self.state.answered = true;
                let delta = event.delta.unwrap_or_default();
                self.state.ends_with(delta.stop_reason);
                self.take_usage(event.usage, events);
                self.take_refusal(&delta.rest, events);
                self.state.facts.take(&delta.rest);
                self.state.facts.take(&event.rest);
            }
            ("message_stop", _) => self.state.done = true,
            ("ping", event) => self.state.facts.take(&event.rest),
            (
                _,
                Event {
                    error: Some(error),
                    rest,
                    ..
                },
            ) => {
                self.state.error = Some(error_body::in_reply(error, &rest));
            }
            _ => self.state.unknown_events += 1,
        }
    }

    /// Takes a message: a whole one, or the beginning of a stream, which holds the whole content where
    /// the server sends no events of blocks.
    fn take_message(&mut self, message: Message<'_>, events: &mut Vec<ModelEvent>) {
        self.state.identify(message.model, message.id, events);
        self.state.answered |= message.content.is_some();
        for block in message.content.into_iter().flatten() {
            self.blocks.whole(block, events);
        }
        self.state.ends_with(message.stop_reason);
        self.take_usage(message.usage, events);
        self.take_refusal(&message.rest, events);
        self.state.facts.take(&message.rest);
        if let Some(error) = message.error {
            self.state.error = Some(error_body::in_reply(error, &message.rest));
        }
    }

    /// Tells the words of a refusal (anthropic-python, `types/refusal_stop_details.py`).
    fn take_refusal(&mut self, rest: &Rest<'_>, events: &mut Vec<ModelEvent>) {
        let details = rest.iter().find(|(name, _)| name == "stop_details");
        let details = details.and_then(|(_, raw)| parse_bounded::<Value>(raw.get()));
        let words = details
            .as_ref()
            .and_then(|details| details["explanation"].as_str());
        if let Some(words) = words.filter(|words| !words.is_empty() && !self.explained) {
            self.explained = true;
            events.push(ModelEvent::Refusal(words.to_owned()));
        }
    }

    fn take_usage(&mut self, raw: Option<Raw<'_>>, events: &mut Vec<ModelEvent>) {
        if let Some(raw) = raw {
            events.extend(self.usage.add(raw).map(ModelEvent::from));
        }
    }
}
