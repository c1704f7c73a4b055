//! The result of a call of a server as ours.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use toolwright_core::{
    ErrorCategory, ToolError,
    driver::OutputCheck,
    message::{Audio, Document, FileSource, Image},
    tool::{OutputPart, ToolOutput},
};

/// The parts of a result, or the error that it says it is.
pub(crate) fn of(
    result: CallToolResult,
    check: Option<&OutputCheck>,
) -> Result<ToolOutput, ToolError> {
    let mut parts: Vec<_> = result.content.into_iter().map(part).collect();
    if result.is_error == Some(true) {
        let output = ToolOutput { parts };
        return Err(ToolError::new(ErrorCategory::Unknown, output.to_text()));
    }
    let value = result.structured_content;
    if let Some(check) = check
        && !value.as_ref().is_some_and(|value| check.fits(value))
    {
        return Err(ToolError::new(
            ErrorCategory::Unknown,
            "the result of the server does not have the form that the tool declares, so it was left out; \
             the call may have had its effect",
        ));
    }
    // A server sends it as text as well, if it keeps to the protocol.
    if let Some(value) = value.filter(|_| parts.is_empty()) {
        parts.push(OutputPart::Json(value.to_string()));
    }
    Ok(ToolOutput { parts })
}

fn part(block: ContentBlock) -> OutputPart {
    match block {
        ContentBlock::Text(text) => OutputPart::Text(text.text),
        ContentBlock::Image(image) => OutputPart::Image(Image::Base64 {
            media_type: image.mime_type,
            data: image.data.into(),
        }),
        ContentBlock::Audio(audio) => {
            let data = audio.data.into();
            OutputPart::Audio(Audio::new(audio.mime_type, FileSource::Base64 { data }))
        }
        ContentBlock::Resource(resource) => contents(resource.resource),
        ContentBlock::ResourceLink(link) => {
            OutputPart::Text(format!("{} ({})", link.name, link.uri))
        }
        _ => unknown(),
    }
}

fn unknown() -> OutputPart {
    OutputPart::Text("(a part of a kind that is not known)".to_owned())
}

fn contents(contents: ResourceContents) -> OutputPart {
    match contents {
        ResourceContents::TextResourceContents { text, .. } => OutputPart::Text(text),
        ResourceContents::BlobResourceContents {
            uri,
            mime_type,
            blob,
            ..
        } => {
            let media_type = mime_type.unwrap_or_else(|| "application/octet-stream".to_owned());
            let source = FileSource::Base64 { data: blob.into() };
            OutputPart::Document(Document::new(media_type, source).with_name(uri))
        }
        _ => unknown(),
    }
}
