//! Messages as this API takes them.

pub(in crate::provider) mod read;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use toolwright_core::{
    message::{Image, Part, calls_of},
    tool::{OutputPart, ToolCall, ToolResult},
};
use toolwright_json::raw::RawJson;

use super::opaque;
use crate::{
    codec::{
        body_input::BodyInput,
        encoded_round::Messages,
        exchange::{Exchange, spoken},
        imported,
        media::{Media, of_response_in_words},
        opaque_fields::OpaqueFields,
        tool_list::ToolList,
    },
    wire::sendable_name,
};

/// One message. Every field but the role and the content is left out where it says nothing.
#[derive(Debug, Default, Serialize)]
pub(super) struct Message<'a> {
    role: &'a str,
    content: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    thinking: Cow<'a, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    tool_name: Cow<'a, str>,
}

/// A call. Its id is not sent: the API has no place for it beside the results, which go by the name of
/// the tool and stand in the order of the calls.
#[derive(Debug, Serialize)]
struct Call<'a> {
    function: Function<'a>,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    arguments: RawJson<'a>,
}

/// The messages of a request: the system text first, with what the codec adds to it.
pub(super) fn of_request<'a>(
    asked: BodyInput<'a>,
    system: Option<Cow<'a, str>>,
) -> Messages<Message<'a>> {
    let mut messages = Messages::new();
    let form = imported::system_of(asked.request, asked.provider, read::system_text);
    match form.and_then(Value::as_array) {
        // Something was added to the text where it differs.
        Some(form) if system.as_deref() == asked.request.system.as_deref() => {
            messages.extend(form.iter().map(|message| Message {
                content: message["content"].as_str().unwrap_or_default().into(),
                ..Message::of("system")
            }));
        }
        _ => messages.extend(system.map(|content| Message {
            content,
            ..Message::of("system")
        })),
    }
    for said in spoken(&asked.request.messages, |_| true) {
        match said {
            Exchange::User(parts) => messages.push(of_user(parts, asked.provider)),
            Exchange::Model(reply) => messages.push_response(&reply, asked, || {
                let message = of_assistant(reply.parts, reply.ids.len(), asked);
                let results = of_results(calls_of(reply.parts), reply.results);
                message.into_iter().chain(results).collect()
            }),
        }
    }
    messages
}

/// The messages that answer calls, one for each result.
pub(super) fn of_results<'a>(
    calls: impl IntoIterator<Item = &'a ToolCall>,
    results: &'a [ToolResult],
) -> Vec<Message<'a>> {
    calls
        .into_iter()
        .zip(results)
        .map(|(call, result)| {
            let mut message = Message::of("tool");
            message.content = result.to_model_text();
            message.tool_name = sendable_name(&call.name);
            for part in result.outcome.iter().flat_map(|output| &output.parts) {
                match part {
                    OutputPart::Image(image) => message.add_image(image),
                    part => {
                        if let Some(media) = Media::of_output(part) {
                            message.add_line(Cow::Owned(media.in_words()));
                        }
                    }
                }
            }
            message
        })
        .collect()
}

/// Builds the message of a user as one text, because the API has no parts. Its images come before it.
fn of_user<'a>(parts: &'a [Part], provider: &str) -> Message<'a> {
    let imported = imported::message_of(parts, provider);
    let role = imported.and_then(|fields| fields.get("role")?.as_str());
    let mut message = Message::of(role.unwrap_or("user"));
    for part in parts {
        match part {
            Part::Text(text) => message.add_line(Cow::Borrowed(text)),
            Part::Image(image) => message.add_image(image),
            part => {
                if let Some(media) = Media::of_part(part) {
                    message.add_line(Cow::Owned(media.in_words()));
                }
            }
        }
    }
    message
}

/// A response as it goes back, with its first calls; `None` if nothing of it can go back.
fn of_assistant<'a>(parts: &'a [Part], calls: usize, asked: BodyInput<'a>) -> Option<Message<'a>> {
    let mut message = Message::of("assistant");
    let sent = calls_of(parts).take(calls);
    message.tool_calls = sent.map(|call| of_call(call, asked.tools)).collect();
    for part in parts {
        match part {
            Part::Text(text) => message.content += text.as_str(),
            Part::Reasoning(text) => message.thinking += text.as_str(),
            Part::Image(image) => message.add_image(image),
            Part::Document(_) | Part::Audio(_) => {
                if let Some(words) = of_response_in_words(part, parts) {
                    message.add_line(words.into());
                }
            }
            Part::Opaque(opaque) if opaque.provider == asked.provider => {
                if let Some((number, fields)) = opaque::fields_of_call(opaque)
                    && let Some(call) = message.tool_calls.get_mut(number)
                {
                    call.fields = OpaqueFields::new(Some(fields), &["function"]);
                }
            }
            _ => {}
        }
    }
    let empty = message.content.is_empty()
        && message.thinking.is_empty()
        && message.images.is_empty()
        && message.tool_calls.is_empty();
    (!empty).then_some(message)
}

fn of_call<'a>(call: &'a ToolCall, tools: &ToolList) -> Call<'a> {
    Call {
        function: Function {
            name: sendable_name(&call.name),
            arguments: RawJson(tools.sendable_arguments(call)),
        },
        fields: OpaqueFields::default(),
    }
}

impl<'a> Message<'a> {
    fn of(role: &'a str) -> Self {
        Self {
            role,
            ..Self::default()
        }
    }

    fn add_line(&mut self, line: Cow<'a, str>) {
        if self.content.is_empty() {
            self.content = line;
        } else {
            let content = self.content.to_mut();
            content.push('\n');
            content.push_str(&line);
        }
    }

    /// Adds an image. The API fetches none: for an image elsewhere, the model gets the address.
    fn add_image(&mut self, image: &'a Image) {
        match image {
            Image::Base64 { data, .. } => self.images.push(data),
            _ => self.add_line(Cow::Owned(format!("(image: {})", image.address()))),
        }
    }
}
