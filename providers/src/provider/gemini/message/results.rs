//! Results of calls: parts of one content of the user.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use toolwright_runtime::tool::{OutputPart, ToolCall, ToolResult};

use super::{Kind, Sent, image};
use crate::wire::sendable_name;

#[derive(Debug, Serialize)]
pub(super) struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    response: Said<'a>,
    /// Images.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Kind<'a>>,
}

/// The content of a result, under the names that Google documents.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Said<'a> {
    Output(Output<'a>),
    Error(Cow<'a, str>),
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
) -> Vec<Sent<'a>> {
    let mut parts = Vec::new();
    let mut after = Vec::new();
    for ((call, id), result) in answers {
        let name = sendable_name(&call.name);
        let mut images: Vec<_> = result.images().map(image::of).collect();
        if !images_inside && !images.is_empty() {
            let line = format!("Images in the result of `{name}`:");
            after.push(Sent::of(Kind::Text(Cow::Owned(line))));
            after.extend(images.drain(..).map(Sent::of));
        }
        parts.push(Sent::of(Kind::FunctionResponse(FunctionResponse {
            // One that came without stays without.
            id: (!call.id.is_empty()).then_some(id),
            name,
            response: said(result),
            parts: images,
        })));
    }
    parts.extend(after);
    parts
}

fn said(result: &ToolResult) -> Said<'_> {
    let parts = match &result.outcome {
        Ok(output) => &output.parts[..],
        Err(_) => return Said::Error(result.to_model_text()),
    };
    if let [OutputPart::Json(json)] = parts
        && let Ok(json) = serde_json::from_str(json)
    {
        return Said::Output(Output::Json(json));
    }
    Said::Output(Output::Text(result.to_model_text()))
}
