//! The body of a request.

use serde_json::json;

use super::{message, settings::Settings};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

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
    if let Some((name, effort)) = plan.effort {
        body.put(name, Some(effort));
    }
    if asked.streamed {
        body.put("stream", Some(true));
        let asks = quirks.asks_for_usage;
        body.put(
            "stream_options",
            asks.then(|| json!({"include_usage": true})),
        );
    }
    body.end()
}
