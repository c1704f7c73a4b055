//! The boundary of a character near a byte: `str::floor_char_boundary` for compilers before 1.91.

/// The last boundary at or before `at`; the end, if `at` is beyond it.
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or_default()
}

/// The first boundary at or after `at`; the end, if `at` is beyond it.
pub fn ceil(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_those_of_the_standard_library() {
        for text in [
            "",
            "a",
            "é",
            "a\u{20ac}b",
            "\u{1f600}\u{1f600}",
            "x\u{301}y",
        ] {
            for at in 0..text.len() + 3 {
                assert_eq!(
                    floor(text, at),
                    text.floor_char_boundary(at),
                    "{text:?} {at}"
                );
                assert_eq!(ceil(text, at), text.ceil_char_boundary(at), "{text:?} {at}");
            }
        }
    }
}
