//! Results of calls.

use std::borrow::Cow;

use serde_json::Value;
use toolwright_core::tool::{OutputPart, ToolResult};

use super::{
    super::item::{CUSTOM_CALL, kind_of},
    Content, Item, image_part, media_part, text_part,
};
use crate::codec::{
    imported::{ResultForm, ResultForms},
    media::Media,
};

/// The items that answer calls, with an id for each result, and with what opaque parts say of each
/// call.
pub(in super::super) fn of_results<'a, I: Into<Cow<'a, str>>>(
    results: &'a [ToolResult],
    ids: impl IntoIterator<Item = I>,
    calls: impl IntoIterator<Item = Option<&'a Value>>,
    forms: ResultForms<'a>,
) -> Vec<Item<'a>> {
    let answers = results.iter().zip(ids).zip(calls).enumerate();
    answers
        .map(|(number, ((result, id), call))| Item::Output {
            r#type: match call.map(kind_of) {
                Some(CUSTOM_CALL) => "custom_tool_call_output",
                _ => "function_call_output",
            },
            call_id: id.into(),
            output: output_of(result, forms.get(number)),
            caller: call.and_then(|call| call.get("caller")),
            fields: forms
                .get(number)
                .fields(&["type", "call_id", "output", "caller"]),
        })
        .collect()
}

/// Returns the content of a result: one text, or texts and images in their order if there is an image.
fn output_of<'a>(result: &'a ToolResult, form: ResultForm<'_>) -> Content<'a> {
    match &result.outcome {
        Ok(output) if output.has_media() || form.is_list() => {
            let parts = output.parts.iter().filter_map(|part| match part {
                OutputPart::Image(image) => Some(image_part(image)),
                OutputPart::Text(text) | OutputPart::Json(text) => Some(text_part(text)),
                part => Media::of_output(part).map(media_part),
            });
            Content::Parts(parts.collect())
        }
        _ => Content::Text(result.to_model_text()),
    }
}
