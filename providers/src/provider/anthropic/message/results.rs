//! Results of calls: blocks of one message of the user.

use std::borrow::Cow;

use toolwright_core::tool::{OutputPart, ToolResult};

use super::{Block, Kind, RESERVED, image, media, text};
use crate::codec::{
    imported::{ResultForm, ResultForms},
    media::Media,
    opaque_fields::OpaqueFields,
};

/// The blocks that answer calls, with one id for each result.
pub(in super::super) fn of_results<'a, I: Into<Cow<'a, str>>>(
    results: &'a [ToolResult],
    ids: impl IntoIterator<Item = I>,
    forms: ResultForms<'a>,
) -> Vec<Block<'a>> {
    let answers = results.iter().zip(ids).enumerate();
    answers
        .map(|(number, (result, id))| {
            let form = forms.get(number);
            Block::of(Kind::ToolResult {
                tool_use_id: id.into(),
                content: content_of(result, form),
                is_error: result.is_error(),
                fields: form.fields(RESERVED),
            })
        })
        .collect()
}

/// Returns the content of a result: texts and images in their order, or one text if there is no image.
fn content_of<'a>(result: &'a ToolResult, form: ResultForm<'_>) -> Vec<Block<'a>> {
    let parts = match &result.outcome {
        Ok(output) if output.has_media() || form.is_list() => &output.parts,
        outcome => {
            let text = match outcome {
                Err(error) if form.is_plain_error() => Cow::Borrowed(error.message.as_str()),
                _ => result.to_model_text(),
            };
            // A text of white space alone is refused.
            let text = if text.trim().is_empty() {
                Cow::Borrowed("(no output)")
            } else {
                text
            };
            let fields = OpaqueFields::default();
            return vec![Block::of(Kind::Text { text, fields })];
        }
    };
    parts
        .iter()
        .filter_map(|part| match part {
            OutputPart::Image(picture) => Some(image(picture)),
            OutputPart::Text(words) | OutputPart::Json(words) => {
                (!words.trim().is_empty()).then(|| text(words))
            }
            part => Media::of_output(part).map(media),
        })
        .collect()
}
