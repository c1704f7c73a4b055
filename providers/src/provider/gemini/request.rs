//! The body of a request.

use serde_json::json;
use toolwright_core::model::{ModelRequest, ToolChoice};
use toolwright_json::JsonText;

use super::{message, settings::Settings, tools::provider_tool};
use crate::codec::{
    body_fields::BodyFields,
    body_input::BodyInput,
    imported, provider_tools,
    tool_list::{ToolList, json_of},
};

/// Writes the body of a request. The model, and whether the response is streamed, stand in its address.
pub(super) fn body(asked: BodyInput<'_>) -> Vec<u8> {
    let BodyInput { request, tools, .. } = asked;
    let settings = Settings::of(asked);
    let mut body = BodyFields::new(&request.settings.extra);
    let system = request.system.as_deref();
    // An empty text is refused.
    let system = system.filter(|text| !text.trim().is_empty());
    let system = system.map(|text| json!({"parts": [{"text": text}]}));
    match imported::system_of(request, asked.provider, message::read::system_text) {
        Some(form) => body.put("systemInstruction", Some(form)),
        None => body.put("systemInstruction", system),
    }
    body.put("contents", Some(message::of_request(asked)));
    body.put_tools(sent_tools(request, tools));
    body.put_object("toolConfig", settings.tools);
    let schema = asked.answer.map(|answer| {
        let field = if answer.open_api {
            "responseSchema"
        } else {
            "responseJsonSchema"
        };
        (field, json_of(&answer.schema))
    });
    body.put_object_with("generationConfig", settings.generation, schema);
    body.end()
}

/// The tools. A choice of none holds for functions only, so that those of the server are left out by it.
fn sent_tools(request: &ModelRequest, tools: &ToolList) -> Option<JsonText> {
    let form = if request.tool_choice == ToolChoice::None {
        provider_tools::none
    } else {
        provider_tool
    };
    provider_tools::list(request, &tools.json, form)
}
