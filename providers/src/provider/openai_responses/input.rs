//! A conversation as this API takes it: a list of items.

mod reply;
mod results;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use toolwright_runtime::message::{Image, Opaque, Part};

use super::{
    PROVIDER,
    item::{MESSAGE, kind_of},
};
use crate::codec::{
    body_input::BodyInput,
    encoded_round::Messages,
    exchange::{Exchange, spoken},
    opaque_fields::OpaqueFields,
};
use reply::Reply;
pub(super) use results::of_results;

/// One item.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Item<'a> {
    Message {
        role: &'static str,
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
        text: &'a str,
    },
    InputImage {
        image_url: Cow<'a, str>,
        /// It may not be left out.
        detail: &'static str,
    },
    /// A part that a program wrote for this API, such as a file.
    #[serde(untagged)]
    Opaque(&'a Value),
}

/// The arguments of a call: an object as a string, or any string.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Arguments<'a> {
    Arguments(Cow<'a, str>),
    Input(&'a str),
}

/// The items of a request.
pub(super) fn of_request(asked: BodyInput<'_>) -> Messages<Item<'_>> {
    let request = asked.request;
    let mut all = Messages::new();
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
                items.extend(of_results(reply.results, ids, sent.of_calls()));
                items
            }),
        }
    }
    all
}

/// Adds what the user said: one message, unless an item of another kind stands within it.
fn add_user<'a>(items: &mut Vec<Item<'a>>, parts: &'a [Part], provider: &str) {
    if let [Part::Text(text)] = parts {
        return items.push(Item::user(Content::Text(Cow::Borrowed(text))));
    }
    let before = items.len();
    let mut content = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => content.push(ContentPart::InputText { text }),
            Part::Image(image) => content.push(image_part(image)),
            // What a program writes for this API is for each of its servers.
            Part::Opaque(opaque) if opaque.provider == provider || opaque.provider == PROVIDER => {
                match kind_of(&opaque.data) {
                    kind if kind.starts_with("input_") => {
                        content.push(ContentPart::Opaque(&opaque.data));
                    }
                    _ if !content.is_empty() => {
                        let said = Content::Parts(std::mem::take(&mut content));
                        items.push(Item::user(said));
                        items.extend(as_it_came(opaque));
                    }
                    _ => items.extend(as_it_came(opaque)),
                }
            }
            _ => {}
        }
    }
    if !content.is_empty() {
        items.push(Item::user(Content::Parts(content)));
    } else if items.len() == before {
        items.push(Item::user(Content::Text(Cow::Borrowed(""))));
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

fn image_part(image: &Image) -> ContentPart<'_> {
    ContentPart::InputImage {
        image_url: image.address(),
        detail: "auto",
    }
}

impl<'a> Item<'a> {
    fn user(content: Content<'a>) -> Self {
        Self::Message {
            role: "user",
            content,
            fields: OpaqueFields::default(),
        }
    }
}
