//! Messages as this API takes them.

mod assistant;
pub(super) mod media;
pub(in crate::provider) mod read;
mod results;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::message::{Image, Part};

use super::reasoning::CONTENT_PART;
use crate::codec::{
    body_input::BodyInput,
    encoded_round::Messages,
    exchange::{Exchange, spoken},
    imported::{self, ResultForms},
    media::Media,
    opaque_fields::OpaqueFields,
};
use assistant::{Assistant, of_assistant};
pub(super) use results::of_results;

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
    /// Mistral's form of a document.
    DocumentUrl {
        document_url: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        document_name: Option<&'a str>,
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
            Exchange::User(parts) => messages.push(of_user(parts, asked)),
            Exchange::Model(reply) => messages.push_response(&reply, asked, || {
                let message = of_assistant(reply.parts, &reply.ids, asked);
                let mut all: Vec<_> = message.map(Message::Assistant).into_iter().collect();
                let forms = ResultForms::of(reply.parts, asked.provider);
                let ids = reply.ids.iter().cloned();
                all.extend(of_results(reply.results, ids, forms, asked.quirks));
                all
            }),
        }
    }
    messages
}

fn of_user<'a>(parts: &'a [Part], asked: BodyInput<'a>) -> Message<'a> {
    let provider = asked.provider;
    let imported = imported::message_of(parts, provider);
    let fields = OpaqueFields::new(imported, OF_USER);
    let content = content_of_user(parts, asked);
    match imported.and_then(|fields| fields.get("role")?.as_str()) {
        Some(role) => Message::Other {
            role,
            content,
            fields,
        },
        None => Message::User { content, fields },
    }
}

fn content_of_user<'a>(parts: &'a [Part], asked: BodyInput<'a>) -> Content<'a> {
    let provider = asked.provider;
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
            Part::Document(_) | Part::Audio(_) => {
                Media::of_part(part).map(|media| media::of(media, asked.quirks))
            }
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

fn text_part(text: &str) -> ContentPart<'_> {
    ContentPart::Text {
        text: Cow::Borrowed(text),
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
