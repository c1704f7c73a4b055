//! The body of a request.

use serde::Serialize;
use serde_json::{Map, Value, json};
use toolwright_core::model::{ToolChoice, Warning};

use super::{include, input, tools};
use crate::codec::{
    answer_schema::NamedSchema,
    body_fields::BodyFields,
    body_input::BodyInput,
    encode_input::EncodeInput,
    imported,
    media::{self, Media},
    openai_reasoning::Reasoning,
    provider_tools,
    quirks::Quirks,
    tool_list::json_of,
};

/// The form of the answer.
#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    schema: NamedSchema<'a>,
}

/// Writes the body of a request.
pub(super) fn body(asked: BodyInput<'_>) -> Vec<u8> {
    let BodyInput { request, tools, .. } = asked;
    let settings = &request.settings;
    let mut body = BodyFields::new(&settings.extra);
    body.put("model", Some(asked.model));
    let form = imported::system_of(request, asked.provider, input::read::system_text);
    let system = match form {
        Some(form) => form["instructions"].as_str(),
        None => request.system.as_deref(),
    };
    body.put("instructions", system);
    body.put("input", Some(input::of_request(asked)));
    let form = tools::provider_tools(asked.quirks);
    let list = provider_tools::list(request, &tools.json, form);
    let has_tools = list.is_some();
    body.put_tools(list);
    if has_tools || settings.extra.contains_key("tools") {
        body.put("tool_choice", choice(asked));
        body.put("parallel_tool_calls", settings.parallel_tool_calls);
    }
    let plan = Reasoning::of(asked.model, settings);
    body.put("temperature", plan.temperature);
    body.put("max_output_tokens", settings.max_output_tokens);
    let reasoning = plan
        .effort
        .map(|effort| ("effort".to_owned(), effort.into()));
    body.put_object("reasoning", reasoning.into_iter().collect());
    let format = asked.answer.map(|answer| {
        let format = Format {
            r#type: "json_schema",
            schema: answer.named(),
        };
        ("format", json_of(&format))
    });
    body.put_object_with("text", Map::new(), format);
    body.put("store", Some(false));
    let include = include::of_request(asked);
    body.put("include", (!include.is_empty()).then_some(include));
    body.put("stream", asked.streamed.then_some(true));
    body.end()
}

/// `auto` is what every server does by itself.
fn choice(asked: BodyInput<'_>) -> Option<Value> {
    let request = asked.request;
    match &request.tool_choice {
        ToolChoice::Auto | ToolChoice::Required if request.allowed_tools.is_some() => {
            Some(allowed(asked))
        }
        ToolChoice::Auto => None,
        ToolChoice::None => Some("none".into()),
        ToolChoice::Required => Some("required".into()),
        ToolChoice::Tool(name) => Some(named(name, asked)),
    }
}

/// The tools that may be called, of those in the list (openai-python, `types/responses/tool_choice_allowed_param.py`).
fn allowed(asked: BodyInput<'_>) -> Value {
    let request = asked.request;
    let names = request.allowed_tools.iter().flatten();
    let own = names.filter(|name| request.tools.iter().any(|tool| tool.name == **name));
    let tools: Vec<_> = own.map(|name| named(name, asked)).collect();
    if tools.is_empty() {
        return "none".into();
    }
    let mode = match request.tool_choice {
        ToolChoice::Required => "required",
        _ => "auto",
    };
    json!({"type": "allowed_tools", "mode": mode, "tools": tools})
}

/// A tool by its name.
fn named(name: &str, asked: BodyInput<'_>) -> Value {
    let kind = if asked.tools.is_custom(name) {
        "custom"
    } else {
        "function"
    };
    json!({"type": kind, "name": name})
}

/// Returns warnings about the parts of a request that the API has no field for.
pub(super) fn warnings(input: EncodeInput<'_>, quirks: &Quirks) -> Vec<Warning> {
    let request = input.request;
    let settings = &request.settings;
    let extra = &settings.extra;
    let mut warnings = media::warnings(request, "OpenAI Responses", |media| {
        matches!(media, Media::Document(_))
    });
    warnings.extend(provider_tools::warnings(
        request,
        "OpenAI Responses",
        tools::provider_tools(quirks),
    ));
    warnings.extend(Reasoning::of(input.model, settings).warnings);
    if settings.seed.is_some() && !extra.contains_key("seed") {
        let message = "OpenAI Responses takes no seed";
        warnings.push(Warning::new("seed_ignored", message));
    }
    if !settings.stop_sequences.is_empty() && !extra.contains_key("stop") {
        let message = "OpenAI Responses takes no stop sequences";
        warnings.push(Warning::new("stop_sequence_ignored", message));
    }
    warnings
}
