//! The body of a request.

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::schema::Schema;

use super::{
    cache,
    container::{self, CONTAINER},
    message,
    provider_tools::provider_tool,
    settings::Settings,
};
use crate::codec::{
    body_fields::BodyFields, body_input::BodyInput, cache_control::CacheControl, imported,
    provider_tools, tool_list::json_of,
};

/// The form of the answer (anthropic-python, `types/json_output_format_param.py`).
#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    schema: &'a Schema,
}

/// Writes the body of a request.
pub(super) fn body(asked: BodyInput<'_>) -> Vec<u8> {
    let BodyInput { request, tools, .. } = asked;
    let caching = request.settings.prompt_caching;
    let cache_control = caching.map(CacheControl::of);
    let settings = Settings::of(asked.model, request);
    let mut body = BodyFields::new(&request.settings.extra);
    body.put("model", Some(asked.model));
    body.put("max_tokens", Some(settings.max_tokens));
    let system = request.system.as_deref();
    // An empty text is refused.
    let system = system.filter(|text| !text.trim().is_empty());
    let form = imported::system_of(request, asked.provider, message::read::system_text);
    if let (Some(form), None) = (form, cache_control) {
        body.put("system", Some(form));
    } else {
        // Only a block can be marked.
        let system = system.map(|text| [message::marked(text, cache_control)]);
        body.put("system", system);
    }
    body.put("messages", Some(message::of_request(asked, cache_control)));
    match (
        container::id_of(asked),
        request.settings.extra.get(CONTAINER),
    ) {
        // Beside the skills of the user's own.
        (Some(id), Some(Value::Object(_))) => {
            let id = Map::from_iter([("id".to_owned(), id.into())]);
            body.put_object(CONTAINER, id);
        }
        (id, _) => body.put(CONTAINER, id),
    }
    let own = cache::tools(tools, caching);
    let tools = provider_tools::list(request, &own, provider_tool);
    body.put_tools(tools);
    body.put("tool_choice", settings.choice);
    body.put("temperature", settings.temperature);
    let stop = settings.stop_sequences;
    body.put("stop_sequences", (!stop.is_empty()).then_some(stop));
    body.put("thinking", settings.thinking);
    let effort = settings.effort;
    let effort = effort.map(|effort| ("effort".to_owned(), effort.into()));
    let format = asked.answer.map(|answer| {
        let format = Format {
            r#type: "json_schema",
            schema: &answer.schema,
        };
        ("format", json_of(&format))
    });
    body.put_object_with("output_config", effort.into_iter().collect(), format);
    body.put("stream", asked.streamed.then_some(true));
    body.end()
}
