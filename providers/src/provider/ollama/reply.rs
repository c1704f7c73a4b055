//! From what comes over the wire to model events, one way for whole responses and for streams.

use toolwright_core::model::{FinishReason, ModelEvent};
use toolwright_json::string::{piece_of, text_of};

use super::{
    chunk::{Call, Chunk, Message},
    opaque, usage,
};
use crate::{
    codec::{
        data_url::{bytes, image_type, made_event, made_part},
        error_body, partial_object,
        response_reader::{ResponseReader, ResponseState},
    },
    wire::{CallDelta, PartialCalls},
};

/// One response, as far as it has come.
#[derive(Debug, Default)]
pub struct Reply {
    state: ResponseState,
    calls: PartialCalls,
}

impl ResponseReader for Reply {
    type Event<'a> = Chunk<'a>;

    const END: &'static str = "no line had `done`";
    const LINES: bool = true;
    const RUNS_AFTER_ANY_END: bool = true;

    fn knows(event: &str) -> bool {
        event.is_empty()
    }

    fn take_whole(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        self.take(partial_object::parse(json)?, events);
        Ok(())
    }

    fn take_event(&mut self, chunk: Chunk<'_>, _: &str, events: &mut Vec<ModelEvent>) {
        self.take(chunk, events);
    }

    fn flush(&mut self, events: &mut Vec<ModelEvent>) {
        self.calls.finish(events);
    }

    fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    fn finish_reason(raw: &str) -> Option<FinishReason> {
        Some(match raw {
            // Calls end with `stop` too.
            "stop" => FinishReason::Stop,
            "tool_calls" => FinishReason::ToolCalls,
            "length" => FinishReason::Length,
            // `load` and `unload` answer a request without messages.
            "load" | "unload" => FinishReason::Other,
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
    fn take(&mut self, chunk: Chunk<'_>, events: &mut Vec<ModelEvent>) {
        self.state.identify(chunk.model, None, events);
        if let Some(raw) = chunk.error
            && raw.get() != "\"\""
        {
            self.state.error = Some(error_body::in_reply(raw, &chunk.rest));
        }
        if let Some(message) = chunk.message {
            self.state.answered = true;
            self.take_message(message, events);
        }
        if chunk.done == Some(true) {
            // The last object need not have a message.
            self.state.answered = true;
            self.state.done = true;
        }
        self.state.ends_with(chunk.done_reason);
        let usage = usage::decode(chunk.prompt_eval_count, chunk.eval_count);
        events.extend(usage.map(ModelEvent::from));
        self.state.facts.take(&chunk.rest);
    }

    fn take_message(&mut self, message: Message<'_>, events: &mut Vec<ModelEvent>) {
        let words = [
            (message.thinking, ModelEvent::Reasoning as fn(String) -> _),
            (message.content, ModelEvent::Text),
        ];
        for (text, event) in words {
            let text = text.map(piece_of).unwrap_or_default();
            if !text.is_empty() {
                events.push(event(text.into_owned()));
            }
        }
        let images: Vec<String> = message
            .images
            .and_then(|images| serde_json::from_str(images.get()).ok())
            .unwrap_or_default();
        for data in images {
            events.extend(made_event(made_part(image_type(&data), bytes(&data))));
        }
        for call in message.tool_calls.into_iter().flatten() {
            self.take_call(call, events);
        }
        self.state.facts.take(&message.rest);
    }

    /// Takes a call. Documented and older servers give it no id.
    fn take_call(&mut self, call: Call<'_>, events: &mut Vec<ModelEvent>) {
        let function = call.function.unwrap_or_default();
        let delta = CallDelta {
            index: None,
            id: call.id.map(text_of).unwrap_or_default(),
            name: function.name.map(text_of).unwrap_or_default(),
            // An object, whose text is kept as it came.
            arguments: function.arguments.map(text_of).unwrap_or_default(),
        };
        let number = self.calls.push_whole(delta, events);
        let beside = opaque::beside_call(number, call.rest);
        events.extend(beside.map(ModelEvent::Opaque));
        self.state.facts.take(&function.rest);
    }
}
