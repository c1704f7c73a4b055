//! Lines about what a response has beside its text.

use toolwright_core::message::{Part, ToolActivity};

/// A tool that the provider has run: what it was asked for, and what came of it.
pub(super) fn of_tool(tool: &ToolActivity) -> String {
    let ToolActivity { kind, input, .. } = tool;
    let name = match &*tool.name {
        "" => String::new(),
        name => format!(" {name}"),
    };
    let outcome = match tool.sources.len() {
        _ if !tool.error.is_empty() => format!("failed ({})", tool.error),
        _ if tool.failed => "failed".to_owned(),
        0 if !tool.output.is_empty() => tool.output.clone(),
        0 => "done".to_owned(),
        1 => "1 source".to_owned(),
        count => format!("{count} sources"),
    };
    format!("the provider ran {kind}{name}({input}): {outcome}")
}

/// An image, a document or sound that the model made.
pub(super) fn of_media(part: &Part) -> String {
    let kind = match part {
        Part::Image(_) => "image",
        Part::Audio(_) => "audio",
        _ => "document",
    };
    match part.media_type() {
        Some(media_type) => format!("[{kind}, {media_type}]"),
        None => format!("[{kind}]"),
    }
}
