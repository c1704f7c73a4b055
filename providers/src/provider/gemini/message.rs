//! Contents as this API takes them: user and model in turn, each a list of parts.

mod image;
pub(in crate::provider) mod read;
mod results;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use toolwright_core::{
    message::{Opaque, Part, calls_of},
    tool::ToolCall,
};
use toolwright_json::raw::RawJson;

use super::{
    PROVIDER, generation,
    opaque::{BESIDE, CALL, MEDIA, SIGNATURE, TEXT, THOUGHT, belongs_to},
};
use crate::{
    codec::{
        body_input::BodyInput,
        encoded_round::Messages,
        exchange::{BEGINNING, EMPTY, Exchange, spoken},
        imported::{self, ResultForms},
        media::Media,
        opaque_fields::OpaqueFields,
    },
    wire::sendable_name,
};
pub(super) use results::of_results;

/// The content of one side, the user or the model.
#[derive(Debug, Serialize)]
pub(super) struct Content<'a> {
    role: &'static str,
    parts: Vec<Sent<'a>>,
}

/// A part.
#[derive(Debug, Serialize)]
pub(super) struct Sent<'a> {
    #[serde(flatten)]
    kind: Kind<'a>,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
    /// Replaces a signature that is missing.
    #[serde(rename = "thoughtSignature", skip_serializing_if = "Option::is_none")]
    stand_in: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum Kind<'a> {
    Text(Cow<'a, str>),
    FunctionCall(FunctionCall<'a>),
    FunctionResponse(results::FunctionResponse<'a>),
    InlineData(image::Blob<'a>),
    FileData(image::File<'a>),
    #[serde(untagged)]
    Thought {
        text: &'a str,
        thought: bool,
    },
    /// A part as it came.
    #[serde(untagged)]
    Opaque(&'a Value),
}

#[derive(Debug, Serialize)]
struct FunctionCall<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    args: RawJson<'a>,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
}

/// The fields of a part that are written from other parts. Opaque parts must not set them.
const RESERVED: &[&str] = &[
    BESIDE,
    TEXT,
    THOUGHT,
    CALL,
    "functionResponse",
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
];

/// The signature that Google documents for a call "that does not include thought signatures", such as one
/// that another model made. The server then does not require a real one.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// The contents of a request.
pub(super) fn of_request(asked: BodyInput<'_>) -> Messages<Content<'_>> {
    let in_results = generation::takes_images_in_results(asked.model);
    let mut contents = Messages::new();
    // The API takes no id that it does not know from the call, and any that it does.
    for said in spoken(&asked.request.messages, |_| true) {
        match said {
            Exchange::User(parts) => contents.push(Content::user(of_user(parts, asked.provider))),
            Exchange::Model(reply) => {
                if contents.is_empty() {
                    contents.push(Content::user(vec![Sent::text(BEGINNING)]));
                }
                let answers = || {
                    let calls = calls_of(reply.parts).zip(reply.ids.iter().cloned());
                    let forms = ResultForms::of(reply.parts, asked.provider);
                    let answers = of_results(calls.zip(reply.results), in_results, forms);
                    (!answers.is_empty()).then(|| Content::user(answers))
                };
                let parts = || of_model(reply.parts, &reply.ids, asked);
                if contents.last_mut().is_some_and(|last| last.role == "model") {
                    add_reply(&mut contents, parts());
                    contents.extend(answers());
                } else {
                    contents.push_response(&reply, asked, || {
                        let content = Content {
                            role: "model",
                            parts: parts(),
                        };
                        let content = (!content.parts.is_empty()).then_some(content);
                        content.into_iter().chain(answers()).collect()
                    });
                }
            }
        }
    }
    contents
}

/// Adds a response: to the last content, if it is the model's. A call has to come just after the user.
fn add_reply<'a>(contents: &mut Messages<Content<'a>>, parts: Vec<Sent<'a>>) {
    match contents.last_mut() {
        _ if parts.is_empty() => {}
        Some(last) if last.role == "model" => last.parts.extend(parts),
        _ => contents.push(Content {
            role: "model",
            parts,
        }),
    }
}

fn of_user<'a>(parts: &'a [Part], provider: &str) -> Vec<Sent<'a>> {
    let mut sent: Vec<Sent<'a>> = Vec::with_capacity(parts.len());
    for part in parts {
        if let Some(fields) = imported::fields_of(part, provider) {
            if let Some(last) = sent.last_mut() {
                last.fields = OpaqueFields::new(Some(fields), RESERVED);
            }
            continue;
        }
        sent.extend(match part {
            Part::Text(text) => (!text.is_empty()).then(|| Sent::text(text)),
            Part::Image(picture) => Some(Sent::of(image::of(picture))),
            Part::Document(_) | Part::Audio(_) => {
                Media::of_part(part).map(|media| Sent::of(image::of_media(media)))
            }
            // What a program writes for this API, such as a video, is for each of its servers.
            Part::Opaque(opaque) if opaque.provider == provider || opaque.provider == PROVIDER => {
                as_it_came(opaque)
            }
            _ => None,
        });
    }
    if sent.is_empty() {
        sent.push(Sent::text(EMPTY));
    }
    sent
}

/// A response as it goes back, with one id for each call; without ids its calls are left out.
fn of_model<'a>(parts: &'a [Part], ids: &[Cow<'a, str>], asked: BodyInput<'a>) -> Vec<Sent<'a>> {
    let mut sent: Vec<Sent<'a>> = Vec::new();
    let mut ids = ids.iter();
    // Reasoning whose signature has not been met yet. Without one it is a summary for people.
    let mut words = None;
    // The last part made the last of those that are sent.
    let mut made = false;
    for (index, part) in parts.iter().enumerate() {
        if let Part::Reasoning(more) = part {
            words = Some(more.as_str());
            continue;
        }
        let thought = words.take();
        let next = match part {
            Part::Text(text) => (!text.is_empty()).then(|| Sent::text(text)),
            Part::Call(call) => ids.next().map(|id| of_call(call, id.clone(), asked)),
            Part::Image(picture) => {
                let next = parts.get(index + 1);
                Some(Sent::of(image::of_response((picture, part), next, asked)))
            }
            Part::Document(_) | Part::Audio(_) => {
                Media::of_part(part).map(|media| Sent::of(image::of_media(media)))
            }
            Part::Opaque(opaque) if opaque.provider == asked.provider => {
                match belongs_to(&opaque.data) {
                    None => as_it_came(opaque),
                    Some(THOUGHT) => {
                        let text = thought.filter(|_| opaque.data.get(SIGNATURE).is_some());
                        text.map(|text| {
                            let mut part = Sent::of(Kind::Thought {
                                text,
                                thought: true,
                            });
                            part.take_fields(opaque);
                            part
                        })
                    }
                    Some(_) => {
                        if let Some(last) = sent.last_mut().filter(|_| made) {
                            last.take_fields(opaque);
                        }
                        None
                    }
                }
            }
            _ => None,
        };
        made = next.is_some();
        sent.extend(next);
    }
    if generation::needs_signatures(asked.model) {
        sign(&mut sent);
    }
    sent
}

/// Signs a response with calls of which none is signed, as that of another provider, in the only way that
/// there is.
fn sign(sent: &mut [Sent<'_>]) {
    let is_call = |part: &&mut Sent<'_>| matches!(part.kind, Kind::FunctionCall(_));
    let mut calls = sent.iter_mut().filter(is_call).peekable();
    let first = calls.next();
    if let Some(first) = first
        && !first.is_signed()
        && !calls.any(|call| call.is_signed())
    {
        first.stand_in = Some(NO_SIGNATURE);
    }
}

fn of_call<'a>(call: &'a ToolCall, id: Cow<'a, str>, asked: BodyInput<'a>) -> Sent<'a> {
    Sent::of(Kind::FunctionCall(FunctionCall {
        // One that came without stays without: older models know none.
        id: (!call.id.is_empty()).then_some(id),
        name: sendable_name(&call.name),
        args: RawJson(asked.tools.sendable_arguments(call)),
        fields: OpaqueFields::default(),
    }))
}

/// A part of a kind that no other part has. A conversation from elsewhere must not bring texts, calls
/// and results past their parts.
fn as_it_came(opaque: &Opaque) -> Option<Sent<'_>> {
    let data = opaque.data.as_object().filter(|data| !data.is_empty())?;
    let says = |name| data.contains_key(name);
    let has_part = imported::is_mark(&opaque.data)
        || says(CALL)
        || says("functionResponse")
        || data.get(TEXT).is_some_and(|text| *text != "");
    (!has_part).then(|| Sent::of(Kind::Opaque(&opaque.data)))
}

impl<'a> Content<'a> {
    fn user(parts: Vec<Sent<'a>>) -> Self {
        Self {
            role: "user",
            parts,
        }
    }
}

impl<'a> Sent<'a> {
    fn text(text: &'a str) -> Self {
        Self::of(Kind::Text(Cow::Borrowed(text)))
    }

    fn of(kind: Kind<'a>) -> Self {
        Self {
            kind,
            fields: OpaqueFields::default(),
            stand_in: None,
        }
    }

    /// Takes what an opaque part says of this part, if it is of the same kind.
    fn take_fields(&mut self, opaque: &'a Opaque) {
        match (&mut self.kind, belongs_to(&opaque.data)) {
            (Kind::Text(_), Some(TEXT)) | (Kind::Thought { .. }, Some(THOUGHT)) => {}
            (kind @ (Kind::InlineData(_) | Kind::FileData(_)), Some(MEDIA)) => {
                image::take_fields(kind, opaque);
            }
            (Kind::FunctionCall(call), Some(CALL)) => {
                let fields = opaque.data[CALL].as_object();
                call.fields = OpaqueFields::new(fields, &["id", "name", "args"]);
            }
            _ => return,
        }
        self.fields = OpaqueFields::of(opaque, RESERVED);
    }

    fn is_signed(&self) -> bool {
        self.fields.contains(SIGNATURE)
    }
}
