//! A conversation as this API takes it: a list of items.

pub(in crate::provider) mod read;
mod reply;
mod results;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::message::{Image, Opaque, Part};

use super::{
    PROVIDER,
    item::{MESSAGE, kind_of},
};
use crate::codec::{
    body_input::BodyInput,
    encoded_round::Messages,
    exchange::{Exchange, spoken},
    imported::{self, ResultForms},
    media::{Media, PDF},
    opaque_fields::OpaqueFields,
};
use reply::Reply;
pub(super) use results::of_results;

/// One item.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Item<'a> {
    /// The API takes one without its type, and the server of llama.cpp refuses it: "Cannot determine type of 'item'".
    Message {
        r#type: &'static str,
        role: &'a str,
        content: Content<'a>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    Call {
        r#type: &'static str,
        call_id: Cow<'a, str>,
        name: Cow<'a, str>,
        #[serde(flatten)]
        arguments: Arguments<'a>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    Output {
        r#type: &'static str,
        call_id: Cow<'a, str>,
        output: Content<'a>,
        /// The program that asked for it, if a program did.
        #[serde(skip_serializing_if = "Option::is_none")]
        caller: Option<&'a Value>,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    /// An image that the model made, as it came: its bytes stand in another part.
    Image {
        result: &'a str,
        #[serde(flatten)]
        fields: OpaqueFields<'a>,
    },
    /// An item as it came.
    Opaque(&'a Value),
}

/// A text where one is enough.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<ContentPart<'a>>),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ContentPart<'a> {
    InputText {
        text: Cow<'a, str>,
    },
    InputFile(File<'a>),
    InputImage {
        image_url: Cow<'a, str>,
        /// It may not be left out.
        detail: &'a str,
    },
    /// A part that a program wrote for this API, such as a file.
    #[serde(untagged)]
    Opaque(&'a Value),
}

/// A document.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum File<'a> {
    Bytes {
        filename: &'a str,
        /// A `data:` URL.
        file_data: Cow<'a, str>,
    },
    Url {
        file_url: Cow<'a, str>,
    },
}

/// The arguments of a call: an object as a string, or any string.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Arguments<'a> {
    Arguments(Cow<'a, str>),
    Input(Cow<'a, str>),
}

/// The items of a request.
pub(super) fn of_request(asked: BodyInput<'_>) -> Messages<Item<'_>> {
    let request = asked.request;
    let mut all = Messages::new();
    all.extend(system_items(asked).iter().map(Item::Opaque));
    for said in spoken(&request.messages, |_| true) {
        match said {
            Exchange::User(parts) => {
                let mut items = Vec::new();
                add_user(&mut items, parts, asked.provider);
                all.extend(items);
            }
            Exchange::Model(reply) => all.push_response(&reply, asked, || {
                let mut items = Vec::new();
                let sent = Reply::new(asked, reply.parts);
                sent.add_to(&mut items, &reply.ids);
                let ids = reply.ids.iter().cloned();
                let forms = ResultForms::of(reply.parts, asked.provider);
                items.extend(of_results(reply.results, ids, sent.of_calls(), forms));
                items
            }),
        }
    }
    all
}

/// The items with which a list began that was read, as long as they say what the system text says.
pub(super) fn system_items(asked: BodyInput<'_>) -> &[Value] {
    let form = imported::system_of(asked.request, asked.provider, read::system_text);
    let items = form.and_then(|form| form["input"].as_array());
    items.map_or(&[], Vec::as_slice)
}

/// Adds the user's message: one message, unless an item of another kind stands within it.
fn add_user<'a>(items: &mut Vec<Item<'a>>, parts: &'a [Part], provider: &str) {
    let imported = imported::message_of(parts, provider);
    let user = |content| Item::of_user(content, imported);
    let before = items.len();
    let mut content: Vec<ContentPart<'a>> = Vec::new();
    for part in parts {
        if let Some(fields) = imported::fields_of(part, provider) {
            if let Some(ContentPart::InputImage { detail, .. }) = content.last_mut()
                && let Some(own) = fields.get("detail").and_then(Value::as_str)
            {
                *detail = own;
            }
            continue;
        }
        match part {
            Part::Text(text) => content.push(text_part(text)),
            Part::Image(image) => content.push(image_part(image)),
            Part::Document(_) | Part::Audio(_) => {
                content.extend(Media::of_part(part).map(media_part));
            }
            // What a program writes for this API is for each of its servers.
            Part::Opaque(opaque) if opaque.provider == provider || opaque.provider == PROVIDER => {
                match kind_of(&opaque.data) {
                    kind if kind.starts_with("input_") => {
                        content.push(ContentPart::Opaque(&opaque.data));
                    }
                    _ if !content.is_empty() => {
                        let said = content_of(std::mem::take(&mut content));
                        items.push(user(said));
                        items.extend(as_it_came(opaque));
                    }
                    _ => items.extend(as_it_came(opaque)),
                }
            }
            _ => {}
        }
    }
    if !content.is_empty() {
        items.push(user(content_of(content)));
    } else if items.len() == before {
        items.push(user(Content::Text(Cow::Borrowed(""))));
    }
}

fn content_of(parts: Vec<ContentPart<'_>>) -> Content<'_> {
    match parts.as_slice() {
        [ContentPart::InputText { .. }] => {
            let text = parts.into_iter().find_map(|part| match part {
                ContentPart::InputText { text } => Some(text),
                _ => None,
            });
            Content::Text(text.unwrap_or_default())
        }
        _ => Content::Parts(parts),
    }
}

/// An item of a kind that no other part has. A conversation from elsewhere must not bring calls and
/// results past their parts.
fn as_it_came(opaque: &Opaque) -> Option<Item<'_>> {
    let kind = kind_of(&opaque.data);
    let has_part = matches!(
        kind,
        "" | MESSAGE | "function_call" | "function_call_output" | "custom_tool_call_output"
    );
    (!has_part).then_some(Item::Opaque(&opaque.data))
}

fn text_part(text: &str) -> ContentPart<'_> {
    ContentPart::InputText {
        text: Cow::Borrowed(text),
    }
}

/// A document as it is sent. The API accepts no sound, which is described in words.
fn media_part(media: Media<'_>) -> ContentPart<'_> {
    match (media, media.data()) {
        (Media::Document(_), Some(_)) => ContentPart::InputFile(File::Bytes {
            // The API refuses one without a name.
            filename: media.name().unwrap_or(match media.media_type() {
                PDF => "document.pdf",
                _ => "document",
            }),
            file_data: media.address(),
        }),
        (Media::Document(_), None) => ContentPart::InputFile(File::Url {
            file_url: media.address(),
        }),
        (Media::Audio(_), _) => ContentPart::InputText {
            text: Cow::Owned(media.in_words()),
        },
    }
}

fn image_part(image: &Image) -> ContentPart<'_> {
    ContentPart::InputImage {
        image_url: image.address(),
        detail: "auto",
    }
}

impl<'a> Item<'a> {
    /// A text of the model.
    fn of_model(text: Cow<'a, str>, fields: OpaqueFields<'a>) -> Self {
        Self::Message {
            r#type: MESSAGE,
            role: "assistant",
            content: Content::Text(text),
            fields,
        }
    }

    /// A message of the user, with the fields that it had in the list that it was read from.
    fn of_user(content: Content<'a>, imported: Option<&'a Map<String, Value>>) -> Self {
        let role = imported.and_then(|fields| fields.get("role")?.as_str());
        Self::Message {
            r#type: MESSAGE,
            role: role.unwrap_or("user"),
            content,
            fields: OpaqueFields::new(imported, &["type", "role", "content"]),
        }
    }
}
