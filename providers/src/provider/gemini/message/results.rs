//! Results of calls: parts of one content of the user.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use toolwright_core::tool::{OutputPart, ToolCall, ToolResult};

use super::{Kind, Sent, image};
use crate::{
    codec::{
        imported::{ResultForm, ResultForms},
        media::Media,
        opaque_fields::OpaqueFields,
    },
    wire::sendable_name,
};

#[derive(Debug, Serialize)]
pub(super) struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    response: ResultContent<'a>,
    /// Images.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Kind<'a>>,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
}

/// The content of a result, under one name or several of its own.
#[derive(Debug)]
struct ResultContent<'a> {
    name: &'a str,
    value: Output<'a>,
}

/// The name that Google documents for an output.
const OUTPUT: &str = "output";
/// The name that Google documents for an error.
const ERROR: &str = "error";

impl Serialize for ResultContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.name {
            "" => self.value.serialize(serializer),
            name => serializer.collect_map([(name, &self.value)]),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Output<'a> {
    Json(&'a RawValue),
    Text(Cow<'a, str>),
}

/// The parts that answer calls, each with the id that it goes by, in order. Images go into them, where
/// the model takes them there, or after them all, each with a line that says where it is from.
pub(in super::super) fn of_results<'a>(
    answers: impl IntoIterator<Item = ((&'a ToolCall, Cow<'a, str>), &'a ToolResult)>,
    images_inside: bool,
    forms: ResultForms<'a>,
) -> Vec<Sent<'a>> {
    let mut parts = Vec::new();
    let mut after = Vec::new();
    for (number, ((call, id), result)) in answers.into_iter().enumerate() {
        let form = forms.get(number);
        let name = sendable_name(&call.name);
        let parts_of_result = result.outcome.iter().flat_map(|output| &output.parts);
        let mut has_files = false;
        let mut images: Vec<_> = parts_of_result
            .filter_map(|part| match part {
                OutputPart::Image(picture) => Some(image::of(picture)),
                part => {
                    let media = Media::of_output(part)?;
                    has_files = true;
                    Some(image::of_media(media))
                }
            })
            .collect();
        if !images_inside && !form.is_list() && !images.is_empty() {
            let what = if has_files { "Files" } else { "Images" };
            let line = format!("{what} in the result of `{name}`:");
            after.push(Sent::of(Kind::Text(Cow::Owned(line))));
            after.extend(images.drain(..).map(Sent::of));
        }
        parts.push(Sent::of(Kind::FunctionResponse(FunctionResponse {
            // One that came without stays without.
            id: (!call.id.is_empty()).then_some(id),
            name,
            response: said(result, form),
            parts: images,
            fields: form.fields(&["id", "name", "response", "parts"]),
        })));
    }
    parts.extend(after);
    parts
}

fn said<'a>(result: &'a ToolResult, form: ResultForm<'a>) -> ResultContent<'a> {
    let parts = match &result.outcome {
        Ok(output) => &output.parts[..],
        Err(error) => {
            let text = if form.is_plain_error() {
                Cow::Borrowed(error.message.as_str())
            } else {
                result.to_model_text()
            };
            return ResultContent {
                name: ERROR,
                value: Output::Text(text),
            };
        }
    };
    let json = parts.iter().find_map(|part| match part {
        OutputPart::Json(json) => serde_json::from_str::<&RawValue>(json).ok(),
        _ => None,
    });
    match (json, form.key()) {
        // A result may be the object itself.
        (Some(json), Some("")) if json.get().starts_with('{') => ResultContent {
            name: "",
            value: Output::Json(json),
        },
        (Some(json), name) if parts.len() == 1 => ResultContent {
            name: name.filter(|name| !name.is_empty()).unwrap_or(OUTPUT),
            value: Output::Json(json),
        },
        (_, name) => ResultContent {
            name: name.filter(|name| !name.is_empty()).unwrap_or(OUTPUT),
            value: Output::Text(result.to_model_text()),
        },
    }
}
