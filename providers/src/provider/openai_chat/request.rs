//! The body of a request.

use serde::Serialize;

use super::{message, settings::Settings};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// Writes the body of a request.
pub(super) fn body(asked: BodyInput<'_>) -> Vec<u8> {
    let BodyInput {
        request,
        tools,
        quirks,
        ..
    } = asked;
    let plan = Settings::of(request, quirks);
    let settings = &request.settings;
    let mut body = BodyFields::new(&settings.extra);
    body.put("model", Some(asked.model));
    body.put("messages", Some(message::of_request(asked, plan.system)));
    if let Some(tools) = plan.offer.of(&tools.json) {
        body.put("tools", Some(tools));
        body.put("tool_choice", plan.choice);
        body.put("parallel_tool_calls", settings.parallel_tool_calls);
    }
    body.put("temperature", settings.temperature);
    body.put(quirks.max_tokens, settings.max_output_tokens);
    let stop = &settings.stop_sequences;
    body.put("stop", (!stop.is_empty()).then_some(stop));
    body.put(quirks.seed, settings.seed);
    body.put("reasoning_effort", plan.effort);
    body.put("reasoning", plan.reasoning);
    body.put("thinking", plan.thinking);
    if asked.streamed {
        body.put("stream", Some(true));
        let options = quirks.asks_for_usage.then_some(StreamOptions {
            include_usage: true,
        });
        body.put("stream_options", options);
    }
    body.end()
}
