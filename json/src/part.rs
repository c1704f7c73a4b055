//! Parts of a text, which are known by where they stand in memory.

use std::ops::Range;

/// Returns the range of a part in the text that it is borrowed from; `None` if it is no part of the text.
pub fn place(part: &str, text: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let end = start.checked_add(part.len())?;
    (end <= text.len()).then_some(start..end)
}

/// Writes a text with others instead of some of its parts. The parts are in the order of the text.
pub fn replaced<'t>(text: &str, edits: impl IntoIterator<Item = (&'t str, String)>) -> String {
    let (mut new, mut end) = (String::with_capacity(text.len()), 0);
    for (part, instead) in edits {
        if let Some(place) = place(part, text) {
            new.push_str(&text[end..place.start]);
            new.push_str(&instead);
            end = place.end;
        }
    }
    new + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::{place, replaced};

    #[test]
    fn parts_are_found_and_replaced() {
        let text = "one, two, three";
        assert_eq!(place(&text[5..8], text), Some(5..8));
        assert_eq!((place("two", "one"), place(text, &text[5..])), (None, None));
        let edits = [(&text[..3], "1".to_owned()), (&text[5..8], String::new())];
        assert_eq!(replaced(text, edits), "1, , three");
    }
}
