//! Cuts the texts of an error.

use std::collections::BTreeMap;

use super::cut_text;
use toolwright_core::ToolError;

/// The text that replaces details for which there is no room.
const LEFT_OUT: &str = "left_out";

/// Returns the number of bytes that a model reads of an error.
pub(in crate::dispatch) fn error_bytes(error: &ToolError) -> usize {
    let details: usize = error.details.iter().map(detail_bytes).sum();
    // Only the first has the longer separator.
    let shorter = error.details.len().saturating_sub(1) * (FIRST.len() - OTHERS.len());
    frame(error) + error.message.len() + details - shorter
}

/// An error of which a model reads at most so many bytes, or the words that every error begins with
/// if those are more. The texts for the log and for the user get the same bound, each for itself.
pub(in crate::dispatch) fn cut_error(
    mut error: ToolError,
    limit: usize,
    kept: Option<&str>,
) -> ToolError {
    error.log = error.log.map(|log| cut_text(log, limit, None));
    if let Some(text) = error.user_text() {
        let text = cut_text(text.to_owned(), limit, None);
        error = error.with_user_text(text);
    }
    if error_bytes(&error) <= limit {
        return error;
    }
    let room = limit.saturating_sub(frame(&error));
    let details: usize = error.details.iter().map(detail_bytes).sum();
    // The details get what the message leaves, and the message at least half.
    let for_message = room.saturating_sub(details).max(room.div_ceil(2));
    let is_long = error.message.len() > for_message;
    error.message = cut_text(error.message, for_message, kept);
    let kept = if is_long { None } else { kept };
    error.details = cut_details(error.details, room - error.message.len(), kept);
    error
}

/// The details in their order, as long as there is room.
fn cut_details(
    details: BTreeMap<String, String>,
    mut room: usize,
    kept: Option<&str>,
) -> BTreeMap<String, String> {
    let bytes: usize = details.iter().map(detail_bytes).sum();
    if bytes <= room {
        return details;
    }
    let left_out = |count: usize| (LEFT_OUT.to_owned(), format!("{count} more"));
    let (name, value) = left_out(details.len());
    let reserved = detail_bytes((&name, &value));
    if room < reserved {
        return BTreeMap::new();
    }
    room -= reserved;
    let mut left = BTreeMap::new();
    let mut dropped = 0;
    for (name, value) in details {
        let around = detail_bytes((&name, &String::new()));
        if around >= room {
            dropped += 1;
            continue;
        }
        let value = cut_text(value, room - around, kept);
        room -= around + value.len();
        left.insert(name, value);
    }
    if dropped > 0 {
        left.extend([left_out(dropped)]);
    }
    left
}

/// The words that every error begins with.
fn frame(error: &ToolError) -> usize {
    "Tool execution failed (): ".len() + error.category.as_str().len()
}

/// The text before the first detail, and before the others.
const FIRST: &str = "\nDetails: ";
const OTHERS: &str = ", ";

/// The most that a detail adds to the text.
fn detail_bytes((name, value): (&String, &String)) -> usize {
    FIRST.len() + name.len() + ": ".len() + value.len()
}
