//! Messages for the model about wrong arguments: short, however large the arguments are.
//!
//! A mistake that is long takes no room from the others: each has its share.

use crate::ToolError;

/// The greatest number of characters in the text for the model.
pub(super) const MAX_CHARS: usize = 1_000;

/// The error for some mistakes.
pub(crate) fn told(mistakes: impl IntoIterator<Item = String>) -> ToolError {
    let mut mistakes: Vec<String> = mistakes.into_iter().collect();
    let between = mistakes.len().saturating_sub(1) * BETWEEN.len();
    let share = share(&mistakes, MAX_CHARS.saturating_sub(between));
    for mistake in &mut mistakes {
        shorten(mistake, share);
    }
    ToolError::invalid_arguments(mistakes.join(BETWEEN))
}

/// The separator of two mistakes.
pub(super) const BETWEEN: &str = "; ";

/// Returns the number of characters that each mistake may have, so that all have room. A shorter mistake leaves its
/// rest to the others.
fn share(mistakes: &[String], mut room: usize) -> usize {
    let mut lengths: Vec<_> = mistakes.iter().map(|text| text.chars().count()).collect();
    lengths.sort_unstable();
    for (place, length) in lengths.iter().enumerate() {
        let share = room / (lengths.len() - place);
        if *length > share {
            return share;
        }
        room -= length;
    }
    usize::MAX
}

/// Cuts a text in its last third: where it is about stands at the start, and what came at the end.
fn shorten(text: &mut String, most: usize) {
    let length = text.chars().count();
    if length <= most {
        return;
    }
    let tail = most / 3;
    let head = most.saturating_sub(tail + 1);
    let at = |place: usize| {
        let place = text.char_indices().nth(place);
        place.map_or(text.len(), |(start, _)| start)
    };
    let (start, end) = (at(head), at(length - tail));
    text.replace_range(start..end, "…");
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARS, told};

    #[test]
    fn long_texts_are_cut() {
        for (mistakes, chars) in [(499, 1_000), (500, 1_000), (100_000, 1_000), (498, 998)] {
            let error = told(["é".repeat(mistakes), "é".repeat(mistakes)]);
            assert_eq!(error.message.chars().count(), chars, "{mistakes}");
            assert_eq!(error.message.contains('…'), mistakes * 2 + 2 > MAX_CHARS);
        }
    }

    #[test]
    fn a_long_mistake_takes_no_room_from_the_others() {
        let long = format!("a: {} end", "x".repeat(5_000));
        let error = told(["first".to_owned(), long, "last".to_owned()]);
        assert_eq!(error.message.chars().count(), MAX_CHARS);
        assert!(error.message.starts_with("first; a: xxx"));
        assert!(error.message.ends_with("xxx end; last"));
    }
}
