//! Results of calls as content.

use std::iter;

use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};
use serde_json::Value;
use toolwright_core::{
    message::{Document, FileSource, Image},
    tool::{OutputPart, ToolOutput, ToolResult},
};

/// A result as a client receives it. `is_structured` says that the tool promised an object.
pub(crate) fn of(result: ToolResult, is_structured: bool) -> CallToolResult {
    let output = match result.outcome {
        Ok(output) => output,
        Err(error) => {
            return CallToolResult::error(vec![ContentBlock::text(error.to_model_text())]);
        }
    };
    let object = is_structured.then(|| structured(&output)).flatten();
    if is_structured && object.is_none() {
        // Clients take no success without the object.
        let cut = ContentBlock::text(CUT);
        return CallToolResult::error(iter::once(cut).chain(blocks(output)).collect());
    }
    let mut answer = CallToolResult::success(blocks(output).collect());
    answer.structured_content = object;
    answer
}

/// What the model reads before an object that is cut.
const CUT: &str = "The call was executed. Its result is longer than this server gives, and is cut:";

/// The object of an output that has one.
fn structured(output: &ToolOutput) -> Option<Value> {
    output.parts.iter().find_map(|part| match part {
        OutputPart::Json(json) => serde_json::from_str(json).ok(),
        _ => None,
    })
}

/// The parts of an output as content.
pub(crate) fn blocks(output: ToolOutput) -> impl Iterator<Item = ContentBlock> {
    let parts = output.parts.into_iter().enumerate();
    parts.map(|(index, part)| block(index, part))
}

/// A part of an output as the contents of a resource, whose text is of this media type.
pub(crate) fn contents(part: &OutputPart, uri: &str, media_type: Option<&str>) -> ResourceContents {
    let text = |text: &str, default| {
        let media_type = media_type.unwrap_or(default);
        ResourceContents::text(text, uri).with_mime_type(media_type)
    };
    let bytes =
        |data: &str, media_type: &str| ResourceContents::blob(data, uri).with_mime_type(media_type);
    // What has only an address: a client may follow it.
    let link = |address: &str| ResourceContents::text(address, uri).with_mime_type("text/uri-list");
    match part {
        OutputPart::Text(words) => text(words, "text/plain"),
        OutputPart::Json(json) => text(json, "application/json"),
        OutputPart::Image(Image::Base64 { media_type, data }) => bytes(data, media_type),
        OutputPart::Image(image) => link(&image.address()),
        OutputPart::Audio(audio) => match &audio.source {
            FileSource::Base64 { data } => bytes(data, &audio.media_type),
            _ => link(&audio.address()),
        },
        OutputPart::Document(document) => match (document.text(), &document.source) {
            (Some(words), _) => {
                ResourceContents::text(words, uri).with_mime_type(&document.media_type)
            }
            (None, FileSource::Base64 { data }) => bytes(data, &document.media_type),
            _ => link(&document.address()),
        },
        // Kinds of parts that are newer than this.
        other => text(&format!("({other:?})"), "text/plain"),
    }
}

fn block(index: usize, part: OutputPart) -> ContentBlock {
    match part {
        OutputPart::Text(text) | OutputPart::Json(text) => ContentBlock::text(text),
        OutputPart::Image(Image::Base64 { media_type, data }) => {
            ContentBlock::image(&*data, media_type)
        }
        OutputPart::Image(image) => link("image", &image.address(), None),
        OutputPart::Audio(audio) => match &audio.source {
            FileSource::Base64 { data } => ContentBlock::audio(&**data, &audio.media_type),
            _ => link("recording", &audio.address(), Some(&audio.media_type)),
        },
        OutputPart::Document(document) => file(index, &document),
        // Kinds of parts that are newer than this.
        other => ContentBlock::text(format!("({other:?})")),
    }
}

/// A document is a resource: by its content, or by its address.
fn file(index: usize, document: &Document) -> ContentBlock {
    let name = document.name.as_deref();
    let FileSource::Base64 { data } = &document.source else {
        let media_type = Some(document.media_type.as_str());
        return link(name.unwrap_or("document"), &document.address(), media_type);
    };
    // It has no address. Within a result this one is unique.
    let uri = format!("result://{index}/{}", name.unwrap_or("document"));
    let contents = match document.text() {
        Some(text) => ResourceContents::text(text, uri),
        None => ResourceContents::blob(&**data, uri),
    };
    ContentBlock::resource(contents.with_mime_type(&document.media_type))
}

fn link(name: &str, address: &str, media_type: Option<&str>) -> ContentBlock {
    let resource = Resource::new(address, name);
    ContentBlock::resource_link(match media_type {
        Some(media_type) => resource.with_mime_type(media_type),
        None => resource,
    })
}
