//! The body of a request.

use serde::{Serialize, Serializer};

use super::{
    message::{self, Message},
    settings::Settings,
};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'a> {
    asked: BodyInput<'a>,
    plan: Settings<'a>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(asked: BodyInput<'a>) -> Self {
        let mut plan = Settings::of(asked.request, asked.quirks);
        let system = plan.system.take();
        Self {
            asked,
            plan,
            messages: message::of_request(asked, system),
        }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let BodyInput {
            request,
            tools,
            quirks,
            ..
        } = self.asked;
        let plan = &self.plan;
        let settings = &request.settings;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &settings.extra);
        body.put("model", Some(self.asked.model))?;
        body.put("messages", Some(&self.messages))?;
        if let Some(tools) = plan.offer.of(&tools.json) {
            body.put("tools", Some(tools))?;
            body.put("tool_choice", plan.choice.as_ref())?;
            body.put("parallel_tool_calls", settings.parallel_tool_calls)?;
        }
        body.put("temperature", settings.temperature)?;
        body.put(quirks.max_tokens, settings.max_output_tokens)?;
        let stop = &settings.stop_sequences;
        body.put("stop", (!stop.is_empty()).then_some(stop))?;
        body.put(quirks.seed, settings.seed)?;
        body.put("reasoning_effort", plan.effort)?;
        body.put("reasoning", plan.reasoning.as_ref())?;
        body.put("thinking", plan.thinking.as_ref())?;
        if self.asked.streamed {
            body.put("stream", Some(true))?;
            let options = quirks.asks_for_usage.then_some(StreamOptions {
                include_usage: true,
            });
            body.put("stream_options", options)?;
        }
        body.end()
    }
}
