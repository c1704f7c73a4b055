//! Messages as this API takes them.

pub(super) mod media;
pub(in crate::provider) mod read;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::{
    message::{Image, Part, calls_of},
    tool::{OutputPart, ToolCall, ToolResult},
};

use super::reasoning::{CALL, CONTENT_PART, CUSTOM, WORDS_FIELD};
use crate::{
    codec::{
        body_input::BodyInput,
        encoded_round::Messages,
        exchange::{Exchange, spoken},
        imported::{self, IMPORTED, ResultForm, ResultForms},
        media::{Media, of_response_in_words},
        opaque_fields::OpaqueFields,
        tool_list::ToolList,
    },
    wire::sendable_name,
};

/// One message.
#[derive(Debug, Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub(super) enum Message<'a> {
    System {
        content: Cow<'a, str>,
    },
    User {
        content: Content<'a>,
        /// What the message had in the list that it was read from, such as a name.
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    Assistant(Assistant<'a>),
    Tool {
        tool_call_id: Cow<'a, str>,
        content: Content<'a>,
    },
    /// A message of another role, such as `developer`, in a list that was read.
    #[serde(untagged)]
    Other {
        role: &'a str,
        content: Content<'a>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    /// A system message as it came.
    #[serde(untagged)]
    Listed(&'a Value),
}

/// A text where one is enough: not every server takes a list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<ContentPart<'a>>),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ContentPart<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    ImageUrl {
        image_url: ImageUrl<'a>,
    },
    File {
        file: media::File<'a>,
    },
    InputAudio {
        input_audio: media::InputAudio<'a>,
    },
    /// Mistral's reasoning.
    Thinking {
        thinking: [Box<ContentPart<'a>>; 1],
    },
    /// A part that this codec did not understand when it came.
    #[serde(untagged)]
    Opaque(&'a Value),
}

#[derive(Debug, Serialize)]
pub(super) struct ImageUrl<'a> {
    url: Cow<'a, str>,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
}

/// The message of the model.
#[derive(Debug, Default, Serialize)]
pub(super) struct Assistant<'a> {
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

/// The fields of a message of the user that its parts say.
const OF_USER: &[&str] = &["role", "content", "tool_calls", "tool_call_id"];

/// The fields of a part of content that the part itself says.
const OF_PART: &[&str] = &["type", "text", "image_url", "url"];

/// The messages of a request, the system text first.
pub(super) fn of_request<'a>(
    asked: BodyInput<'a>,
    system: Option<Cow<'a, str>>,
) -> Messages<Message<'a>> {
    let mut messages = Messages::new();
    let form = imported::system_of(asked.request, asked.provider, read::system_text);
    match form.and_then(Value::as_array) {
        // Something was added to the text where it differs.
        Some(form) if system.as_deref() == asked.request.system.as_deref() => {
            messages.extend(form.iter().map(Message::Listed));
        }
        _ => messages.extend(system.map(|content| Message::System { content })),
    }
    for said in spoken(&asked.request.messages, asked.quirks.is_id) {
        match said {
            Exchange::User(parts) => messages.push(of_user(parts, asked.provider)),
            Exchange::Model(reply) => messages.push_response(&reply, asked, || {
                let message = of_assistant(reply.parts, &reply.ids, asked);
                let mut all: Vec<_> = message.map(Message::Assistant).into_iter().collect();
                let forms = ResultForms::of(reply.parts, asked.provider);
                all.extend(of_results(reply.results, reply.ids.iter().cloned(), forms));
                all
            }),
        }
    }
    messages
}

/// The messages that answer calls, with one id for each result.
pub(super) fn of_results<'a, I: Into<Cow<'a, str>>>(
    results: &'a [ToolResult],
    ids: impl IntoIterator<Item = I>,
    forms: ResultForms<'a>,
) -> Vec<Message<'a>> {
    let mut messages = Vec::with_capacity(results.len());
    let mut images = Vec::new();
    for (number, (result, id)) in results.iter().zip(ids).enumerate() {
        let tool_call_id = id.into();
        images.extend(images_of(result, &tool_call_id));
        messages.push(Message::Tool {
            tool_call_id,
            content: content_of(result, forms.get(number)),
        });
    }
    if !images.is_empty() {
        messages.push(Message::User {
            content: Content::Parts(images),
            fields: OpaqueFields::default(),
        });
    }
    messages
}

/// The text of a result: in parts, if it was read so.
fn content_of<'a>(result: &'a ToolResult, form: ResultForm<'a>) -> Content<'a> {
    match &result.outcome {
        Ok(output) if form.is_list() => {
            let texts = output.parts.iter().filter_map(|part| match part {
                OutputPart::Text(text) | OutputPart::Json(text) => Some(ContentPart::Text {
                    text: Cow::Borrowed(text),
                    fields: form.fields(OF_PART),
                }),
                _ => None,
            });
            Content::Parts(texts.collect())
        }
        _ => Content::Text(result.to_model_text()),
    }
}

/// The images and other files of a result, with a line that says where they are from: a result itself is text here.
fn images_of<'a>(result: &'a ToolResult, id: &str) -> Vec<ContentPart<'a>> {
    let parts = result.outcome.iter().flat_map(|output| &output.parts);
    let mut images: Vec<_> = parts
        .filter_map(|part| match part {
            OutputPart::Image(image) => Some(of_image(image)),
            part => Media::of_output(part).map(media::of),
        })
        .collect();
    if !images.is_empty() {
        let is_image = |part: &ContentPart<'_>| matches!(part, ContentPart::ImageUrl { .. });
        let what = if images.iter().all(is_image) {
            "Images"
        } else {
            "Files"
        };
        let text = Cow::Owned(format!("{what} in the result of the call {id}:"));
        let fields = OpaqueFields::default();
        images.insert(0, ContentPart::Text { text, fields });
    }
    images
}

fn of_user<'a>(parts: &'a [Part], provider: &str) -> Message<'a> {
    let imported = imported::message_of(parts, provider);
    let fields = OpaqueFields::new(imported, OF_USER);
    let content = content_of_user(parts, provider);
    match imported.and_then(|fields| fields.get("role")?.as_str()) {
        Some(role) => Message::Other {
            role,
            content,
            fields,
        },
        None => Message::User { content, fields },
    }
}

fn content_of_user<'a>(parts: &'a [Part], provider: &str) -> Content<'a> {
    let mut sent: Vec<ContentPart<'a>> = Vec::with_capacity(parts.len());
    for part in parts {
        if let Some(fields) = imported::fields_of(part, provider) {
            if let Some(last) = sent.last_mut() {
                last.take_imported(fields);
            }
            continue;
        }
        sent.extend(match part {
            Part::Text(text) => Some(text_part(text)),
            Part::Image(image) => Some(of_image(image)),
            Part::Document(_) | Part::Audio(_) => Media::of_part(part).map(media::of),
            Part::Opaque(opaque) if opaque.provider == provider => {
                opaque.data.get(CONTENT_PART).map(ContentPart::Opaque)
            }
            _ => None,
        });
    }
    match sent.as_mut_slice() {
        [] => Content::Text(Cow::Borrowed("")),
        [ContentPart::Text { text, fields }] if fields.is_empty() => {
            Content::Text(std::mem::take(text))
        }
        _ => Content::Parts(sent),
    }
}

/// A response as it goes back, with one id for each call; without ids its calls are left out. `None` if
/// nothing of it can go back.
fn of_assistant<'a>(
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

fn text_part(text: &str) -> ContentPart<'_> {
    ContentPart::Text {
        text: Cow::Borrowed(text),
        fields: OpaqueFields::default(),
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

impl<'a> ContentPart<'a> {
    /// Takes the fields that the part had in the list that it was read from.
    fn take_imported(&mut self, imported: &'a Map<String, Value>) {
        if let Self::Text { fields, .. }
        | Self::ImageUrl {
            image_url: ImageUrl { fields, .. },
        } = self
        {
            *fields = OpaqueFields::new(Some(imported), OF_PART);
        }
    }
}

fn of_image(image: &Image) -> ContentPart<'_> {
    ContentPart::ImageUrl {
        image_url: ImageUrl {
            url: image.address(),
            fields: OpaqueFields::default(),
        },
    }
}
