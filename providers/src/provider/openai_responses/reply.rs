//! From what comes over the wire to model events, one way for whole responses and for streams.

mod error;
mod items;

use serde_json::Value;
use toolwright_core::{
    message::ProviderActivity,
    model::{FinishReason, ModelEvent, Warning},
};
use toolwright_json::raw::Raw;
use toolwright_json::string::{piece_of, text_of};

use super::{
    activity,
    event::{Event, Response},
    usage,
};
use crate::codec::{
    activity::TextSoFar,
    partial_object::{self, Index},
    response_reader::{ResponseReader, ResponseState},
};
use items::{Address, Items, Piece};

/// One response, as far as it has come.
#[derive(Debug, Default)]
pub struct Reply {
    state: ResponseState,
    items: Items,
}

impl ResponseReader for Reply {
    type Event<'a> = Event<'a>;

    const END: &'static str = "neither `response.completed` nor another end came";

    fn knows(event: &str) -> bool {
        matches!(event, "" | "message" | "data" | "error") || event.starts_with("response.")
    }

    fn take_whole(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        let response = partial_object::parse::<Response<'_>>(json)?;
        self.state.answered = response.output.is_some();
        self.take_end(response, None, events);
        Ok(())
    }

    fn take_event(&mut self, event: Event<'_>, json: &str, events: &mut Vec<ModelEvent>) {
        let kind = event.kind.map(text_of).unwrap_or_default();
        if kind == "error" || (kind.is_empty() && event.error.is_some()) {
            self.state.error = Some(error::of_event(event.error, &event.rest, json));
        } else {
            self.take(&kind, event, events);
        }
    }

    fn activities(data: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
        activity::activities(data, text)
    }

    fn flush(&mut self, events: &mut Vec<ModelEvent>) {
        let left_out = self.items.finish(events);
        if left_out > 0 {
            let message =
                format!("{left_out} items were cut off, or cannot be read, and are left out");
            events.push(ModelEvent::Warning(Warning::new("items_left_out", message)));
        }
    }

    fn finish_reason(raw: &str) -> Option<FinishReason> {
        Some(match raw {
            "completed" => FinishReason::Stop,
            "incomplete" => FinishReason::Length,
            "queued" | "in_progress" => FinishReason::Pending,
            "failed" | "cancelled" => FinishReason::Other,
            _ => return None,
        })
    }

    fn has_calls(&self) -> bool {
        self.items.has_calls()
    }

    fn state(&self) -> &ResponseState {
        &self.state
    }

    fn state_mut(&mut self) -> &mut ResponseState {
        &mut self.state
    }
}

impl Reply {
    fn take(&mut self, kind: &str, event: Event<'_>, events: &mut Vec<ModelEvent>) {
        let address = Address {
            index: event.output_index.and_then(Index::number),
            id: event.item_id.map(text_of).unwrap_or_default(),
            part: (event.summary_index.or(event.content_index)).and_then(Index::number),
        };
        let items = &mut self.items;
        if let Some((of, is_whole)) = part_of(kind) {
            let whole = event
                .arguments
                .or(event.input)
                .or(event.text)
                .or(event.refusal);
            let words = if is_whole { whole } else { event.delta };
            let words = words.map(piece_of).unwrap_or_default();
            if is_whole {
                items.whole_part(of, &address, &words, events);
            } else {
                items.piece(of, &address, &words, events);
            }
            return;
        }
        match kind {
            "response.output_item.added" | "response.output_item.done" => {
                self.state.answered = true;
                match event.item {
                    Some(item) if kind.ends_with("added") => items.begin(&address, item, events),
                    Some(item) => items.end(&address, item, &mut self.state.facts, events),
                    None => self.state.unknown_events += 1,
                }
            }
            "response.created" | "response.queued" | "response.in_progress" => {
                self.state.answered = true;
                let response = event.response.unwrap_or_default();
                self.state.identify(response.model, response.id, events);
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => {
                self.state.answered = true;
                self.state.done = true;
                let response = event.response.unwrap_or_default();
                let end = kind.trim_start_matches("response.");
                self.take_end(response, Some(end), events);
            }
            // Servers send these to keep the connection alive.
            "keepalive" | "ping" => {}
            // The item says the same when it is whole.
            _ if items.is_open(&address) => {}
            _ => self.state.unknown_events += 1,
        }
    }

    /// Takes a whole response, or the end of a stream, which says again what has come; `end` is the word
    /// for it where the response has none of its own.
    fn take_end(
        &mut self,
        response: Response<'_>,
        end: Option<&str>,
        events: &mut Vec<ModelEvent>,
    ) {
        let state = &mut self.state;
        state.identify(response.model, response.id, events);
        // Some servers leave the items out here, and others send them, or the last of them, nowhere else.
        let output = response.output.unwrap_or_default();
        self.items.end_all(&output, &mut state.facts, events);
        state.ends_with(response.status);
        if state.finish_reason.is_none() {
            state.finish_reason = end.map(str::to_owned);
        }
        let why = response.incomplete_details;
        if let Some(error) = response.error {
            state.error = error::of_reply(error, &response.rest).or(state.error.take());
        }
        if let Some(end) = state.finish_reason.as_deref() {
            state.outcome = reason(end, why, &self.items);
            state.error = state.error.take().or_else(|| error::of_end(end));
        }
        events.extend(response.usage.and_then(usage::decode).map(ModelEvent::from));
        if let Some(why) = why {
            state.facts.add("incomplete_details", why);
        }
        state.facts.take(&response.rest);
    }
}

/// Returns the part that an event has a piece of, and true if the piece is the whole part.
fn part_of(kind: &str) -> Option<(Piece, bool)> {
    let (of, end) = kind.strip_prefix("response.")?.rsplit_once('.')?;
    let of = match of {
        "output_text" => Piece::Text,
        "refusal" => Piece::Refusal,
        "function_call_arguments" | "custom_tool_call_input" => Piece::Arguments,
        "reasoning_text" => Piece::Reasoning,
        "reasoning_summary_text" => Piece::Summary,
        _ => return None,
    };
    match end {
        "delta" => Some((of, false)),
        "done" => Some((of, true)),
        _ => None,
    }
}

/// Returns the reason for the end of a response, if the word for the end does not say all.
fn reason(end: &str, why: Option<Raw<'_>>, items: &Items) -> Option<FinishReason> {
    match end {
        "completed" if items.wait_for_action() => Some(FinishReason::ActionRequired),
        "completed" if items.has_calls() => Some(FinishReason::ToolCalls),
        "incomplete" if why.is_some_and(|why| why.get().contains("\"content_filter\"")) => {
            Some(FinishReason::ContentFilter)
        }
        _ => None,
    }
}
