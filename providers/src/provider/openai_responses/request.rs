//! The body of a request.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use toolwright_runtime::model::{ModelRequest, ModelSettings, ToolChoice, Warning};

use super::input::{self, Item};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'a> {
    asked: BodyInput<'a>,
    input: Vec<Item<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Named { r#type: &'static str, name: &'a str },
}

#[derive(Serialize)]
struct Reasoning<'a> {
    effort: &'a str,
}

/// The fields that a server that stores nothing has to return, so that reasoning can continue.
const INCLUDE: [&str; 1] = ["reasoning.encrypted_content"];

impl<'a> Body<'a> {
    pub(super) fn new(asked: BodyInput<'a>) -> Self {
        Self {
            asked,
            input: input::of_request(asked),
        }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let BodyInput { request, tools, .. } = self.asked;
        let settings = &request.settings;
        let extra = extra_of(settings);
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &extra);
        body.put("model", Some(self.asked.model))?;
        body.put("instructions", request.system.as_deref())?;
        body.put("input", Some(&self.input))?;
        let has_tools = !request.tools.is_empty();
        body.put("tools", has_tools.then_some(&tools.json))?;
        if has_tools || extra.contains_key("tools") {
            body.put("tool_choice", choice(&request.tool_choice))?;
            body.put("parallel_tool_calls", settings.parallel_tool_calls)?;
        }
        body.put("temperature", settings.temperature)?;
        body.put("max_output_tokens", settings.max_output_tokens)?;
        let effort = settings.reasoning_effort.as_deref();
        body.put("reasoning", effort.map(|effort| Reasoning { effort }))?;
        body.put("store", Some(false))?;
        body.put("include", Some(INCLUDE))?;
        body.put("stream", self.asked.streamed.then_some(true))?;
        body.end()
    }
}

/// Returns the user's own fields. Their reasoning settings are joined with the effort that is set.
fn extra_of(settings: &ModelSettings) -> Cow<'_, Map<String, Value>> {
    let mut extra = Cow::Borrowed(&settings.extra);
    if let (Some(Value::Object(own)), Some(effort)) =
        (settings.extra.get("reasoning"), &settings.reasoning_effort)
        && !own.contains_key("effort")
    {
        let mut reasoning = own.clone();
        reasoning.insert("effort".to_owned(), effort.as_str().into());
        extra
            .to_mut()
            .insert("reasoning".to_owned(), reasoning.into());
    }
    extra
}

/// `auto` is what every server does by itself.
fn choice(choice: &ToolChoice) -> Option<Choice<'_>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::Word("none")),
        ToolChoice::Required => Some(Choice::Word("required")),
        ToolChoice::Tool(name) => Some(Choice::Named {
            r#type: "function",
            name,
        }),
    }
}

/// Returns warnings about the parts of a request that the API has no field for.
pub(super) fn warnings(request: &ModelRequest) -> Vec<Warning> {
    let settings = &request.settings;
    let extra = &settings.extra;
    let mut warnings = Vec::new();
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
