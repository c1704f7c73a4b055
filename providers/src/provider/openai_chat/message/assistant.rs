//! Responses of the model, as they go back.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::{
    message::{Part, calls_of},
    tool::ToolCall,
};

use super::{
    super::reasoning::{CALL, CONTENT_PART, CUSTOM, WORDS_FIELD},
    Content, ContentPart, text_part,
};
use crate::{
    codec::{
        body_input::BodyInput, imported::IMPORTED, media::of_response_in_words,
        opaque_fields::OpaqueFields, tool_list::ToolList,
    },
    wire::sendable_name,
};

/// The message of the model.
#[derive(Debug, Default, Serialize)]
pub(in super::super) struct Assistant<'a> {
    content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    /// Reasoning and signatures, under the names they came in.
    #[serde(flatten)]
    fields: Map<String, Value>,
}

#[derive(Debug, Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    #[serde(flatten)]
    asks_for: AsksFor<'a>,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum AsksFor<'a> {
    Function(Function<'a>),
    Custom(Custom<'a>),
}

#[derive(Debug, Serialize)]
struct Custom<'a> {
    name: Cow<'a, str>,
    input: Cow<'a, str>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

/// Fields of stored data that do not go back: marks of this codec, and what the message itself says.
/// A conversation from elsewhere must not write another role or other calls over it.
const NOT_SENT: [&str; 14] = [
    IMPORTED,
    CALL,
    CUSTOM,
    CONTENT_PART,
    WORDS_FIELD,
    "role",
    "content",
    "tool_calls",
    "tool_call_id",
    "function_call",
    "function",
    "name",
    "id",
    "type",
];

/// A response as it goes back, with one id for each call; without ids its calls are left out. `None` if
/// nothing of it can go back.
pub(super) fn of_assistant<'a>(
    parts: &'a [Part],
    ids: &[Cow<'a, str>],
    asked: BodyInput<'a>,
) -> Option<Assistant<'a>> {
    let mut message = Assistant::default();
    let own = || {
        parts.iter().filter_map(|part| match part {
            Part::Opaque(opaque) if opaque.provider == asked.provider => opaque.data.as_object(),
            _ => None,
        })
    };
    let words_in = own().find_map(|data| data.get(WORDS_FIELD)?.as_str());
    let mut content = Vec::new();
    let mut words = String::new();
    let mut ids = ids.iter();
    for part in parts {
        match part {
            Part::Text(text) => content.push(text_part(text)),
            // The API accepts none from the model: it is described in words.
            Part::Image(_) | Part::Document(_) | Part::Audio(_) => {
                let words = of_response_in_words(part, parts);
                content.extend(words.map(|words| line_part(words, content.is_empty())));
            }
            Part::Reasoning(text) if words_in == Some("content") => {
                let thinking = [Box::new(text_part(text))];
                content.push(ContentPart::Thinking { thinking });
            }
            Part::Reasoning(text) => words.push_str(text),
            Part::Call(call) => message
                .tool_calls
                .extend(ids.next().map(|id| of_call(call, id.clone(), asked.tools))),
            _ => {}
        }
        if let Part::Opaque(opaque) = part
            && opaque.provider == asked.provider
            && let Some(part) = opaque.data.get(CONTENT_PART)
        {
            content.push(ContentPart::Opaque(part));
        }
    }
    for data in own() {
        let call = data.get(CALL).and_then(Value::as_u64);
        let call = call.and_then(|number| usize::try_from(number).ok());
        let fields = match call {
            None => &mut message.fields,
            Some(number) => match message.tool_calls.get_mut(number) {
                Some(call) => {
                    if data.get(CUSTOM) == Some(&Value::Bool(true))
                        && let Some(own) = calls_of(parts).nth(number)
                    {
                        call.make_custom(own, asked.tools);
                    }
                    &mut call.fields
                }
                None => continue,
            },
        };
        let sent = data
            .iter()
            .filter(|(name, _)| !NOT_SENT.contains(&name.as_str()));
        fields.extend(sent.map(|(name, value)| (name.clone(), value.clone())));
    }
    // The details hold the words already.
    if let Some(field @ ("reasoning_content" | "reasoning")) = words_in
        && !message.fields.contains_key("reasoning_details")
    {
        message.fields.insert(field.to_owned(), words.into());
    }
    message.content = of_content(content);
    let only_fields = message.content.is_none() && message.tool_calls.is_empty();
    if only_fields && !message.fields.is_empty() {
        // A response of reasoning alone: content may be left out only beside calls.
        message.content = Some(Content::Text(Cow::Borrowed("")));
    }
    let empty =
        message.content.is_none() && message.tool_calls.is_empty() && message.fields.is_empty();
    (!empty).then_some(message)
}

/// The content of a response: joined where it is text alone.
fn of_content(parts: Vec<ContentPart<'_>>) -> Option<Content<'_>> {
    let texts: Option<Vec<_>> = parts
        .iter()
        .map(|part| match part {
            ContentPart::Text { text, .. } => Some(text.clone()),
            _ => None,
        })
        .collect();
    let Some(texts) = texts else {
        return Some(Content::Parts(parts));
    };
    let text = texts.into_iter().reduce(|all, more| all + more)?;
    (!text.is_empty()).then_some(Content::Text(text))
}

fn of_call<'a>(call: &'a ToolCall, id: Cow<'a, str>, tools: &ToolList) -> Call<'a> {
    Call {
        id,
        r#type: "function",
        asks_for: AsksFor::Function(Function {
            name: sendable_name(&call.name),
            arguments: tools.sendable_arguments(call),
        }),
        fields: Map::new(),
    }
}

impl<'a> Call<'a> {
    /// Makes it one of a custom tool, with what the model wrote as its input.
    fn make_custom(&mut self, call: &'a ToolCall, tools: &ToolList) {
        self.r#type = CUSTOM;
        self.asks_for = AsksFor::Custom(Custom {
            name: sendable_name(&call.name),
            input: tools.to_text(call),
        });
    }
}

/// A text on a line of its own.
fn line_part<'a>(text: String, is_first: bool) -> ContentPart<'a> {
    let text = if is_first { text } else { format!("\n{text}") };
    ContentPart::Text {
        text: Cow::Owned(text),
        fields: OpaqueFields::default(),
    }
}
