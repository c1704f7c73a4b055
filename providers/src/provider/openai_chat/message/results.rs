//! Results of calls: messages of their own, and one of the user with their images.

use std::borrow::Cow;

use toolwright_core::tool::{OutputPart, ToolResult};

use super::{Content, ContentPart, Message, OF_PART, media, of_image};
use crate::codec::{
    imported::{ResultForm, ResultForms},
    media::Media,
    opaque_fields::OpaqueFields,
    quirks::Quirks,
};

/// The messages that answer calls, with one id for each result.
pub(in super::super) fn of_results<'a, I: Into<Cow<'a, str>>>(
    results: &'a [ToolResult],
    ids: impl IntoIterator<Item = I>,
    forms: ResultForms<'a>,
    quirks: &Quirks,
) -> Vec<Message<'a>> {
    let mut messages = Vec::with_capacity(results.len());
    let mut images = Vec::new();
    for (number, (result, id)) in results.iter().zip(ids).enumerate() {
        let tool_call_id = id.into();
        images.extend(images_of(result, &tool_call_id, quirks));
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
fn images_of<'a>(result: &'a ToolResult, id: &str, quirks: &Quirks) -> Vec<ContentPart<'a>> {
    let parts = result.outcome.iter().flat_map(|output| &output.parts);
    let mut images: Vec<_> = parts
        .filter_map(|part| match part {
            OutputPart::Image(image) => Some(of_image(image)),
            part => Media::of_output(part).map(|media| media::of(media, quirks)),
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
