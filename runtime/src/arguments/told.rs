//! What a model is told of wrong arguments: short, however large they are.

use crate::ToolError;

/// How many characters the text for the model has at most.
const MAX_CHARS: usize = 1_000;

/// The error that tells of some mistakes.
pub(super) fn told(mistakes: impl IntoIterator<Item = String>) -> ToolError {
    let mut text = String::new();
    for mistake in mistakes {
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(&mistake);
    }
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARS) {
        let start_of_last = text[..end].char_indices().next_back();
        text.truncate(start_of_last.map_or(end, |(start, _)| start));
        text.push('…');
    }
    ToolError::invalid_arguments(text)
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARS, told};

    #[test]
    fn long_texts_are_cut() {
        for (mistakes, chars) in [(499, 1_000), (500, 1_000), (100_000, 1_000), (498, 998)] {
            let error = told(["é".repeat(mistakes), "é".repeat(mistakes)]);
            assert_eq!(error.message.chars().count(), chars, "{mistakes}");
            assert_eq!(error.message.ends_with('…'), mistakes * 2 + 2 > MAX_CHARS);
        }
    }
}
