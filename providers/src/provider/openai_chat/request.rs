//! The body of a request.

use serde::Serialize;
use serde_json::json;

use super::{message, settings::Settings};
use crate::codec::{
    answer_schema::NamedSchema, body_fields::BodyFields, body_input::BodyInput,
    cache_control::CacheControl,
};

/// The form of the answer.
#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: NamedSchema<'a>,
}

/// Writes the body of a request.
pub(super) fn body(asked: BodyInput<'_>) -> Vec<u8> {
    let BodyInput {
        request,
        tools,
        quirks,
        ..
    } = asked;
    let plan = Settings::of(asked.model, request, quirks, &|name| tools.is_custom(name));
    let settings = &request.settings;
    let mut body = BodyFields::new(&settings.extra);
    body.put("model", Some(asked.model));
    body.put("messages", Some(message::of_request(asked, plan.system)));
    if let Some(tools) = plan.offer.of(&tools.json) {
        body.put_tools(Some(tools));
        body.put("tool_choice", plan.choice);
        body.put("parallel_tool_calls", settings.parallel_tool_calls);
    }
    let format = asked.answer.map(|answer| ResponseFormat {
        r#type: "json_schema",
        json_schema: answer.named(),
    });
    body.put("response_format", format);
    body.put("temperature", plan.temperature);
    body.put(quirks.max_tokens, settings.max_output_tokens);
    let stop = &settings.stop_sequences[..plan.stops];
    body.put("stop", (!stop.is_empty()).then_some(stop));
    body.put(quirks.seed, settings.seed);
    if let Some((name, effort)) = plan.effort {
        body.put(name, Some(effort));
    }
    let caching = settings.prompt_caching.map(CacheControl::of);
    let caching = caching.filter(|_| (quirks.takes_cache_mark)(asked.model));
    body.put("cache_control", caching);
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
