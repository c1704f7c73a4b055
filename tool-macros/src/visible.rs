//! Visibility of characters.

/// Characters that count as letters or signs, and are blank.
const BLANK: [char; 5] = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}'];

/// Returns true if a character can be seen by itself: it is no space, no control or format character, and no mark on
/// another one.
pub(crate) fn is_visible(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_graphic();
    }
    // What is escaped here is what cannot be printed, and what only extends the character before it.
    character.escape_debug().len() == 1 && !BLANK.contains(&character)
}

/// Returns true if a text has a visible character.
pub(crate) fn has_visible(text: &str) -> bool {
    text.chars().any(is_visible)
}

/// Returns the number of characters that a reader sees in a text. The white space inside of it counts, and so do up
/// to two marks on a character. Invisible characters do not count.
pub(crate) fn count(text: &str) -> usize {
    let (mut count, mut marks) = (0, 2);
    let edges = |character: char| !is_visible(character);
    for character in text
        .trim_start_matches(edges)
        .trim_end_matches(char::is_whitespace)
        .chars()
    {
        if is_visible(character) || character.is_whitespace() {
            (count, marks) = (count + 1, 0);
        } else if marks < 2 {
            (count, marks) = (count + 1, marks + 1);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{count, has_visible};

    #[test]
    fn what_cannot_be_seen_is_nothing() {
        for text in [
            "",
            " \n\t",
            "\u{200b}\u{200d}\u{feff}",
            "\u{301}\u{302}",
            "\u{a0}\u{3000}\u{2003}",
            "\u{2800}\u{3164}",
            "\u{e0020}\u{e0061}",
            "\u{202e}\u{2066}",
            "\u{ad}\u{34f}\u{61c}",
            "\u{fe0f}",
            "\0\u{7f}\u{9b}",
        ] {
            assert!(!has_visible(text), "{text:?}");
            assert_eq!(count(text), 0, "{text:?}");
        }
    }

    #[test]
    fn texts_of_all_scripts_count_as_they_are_written() {
        for text in [
            "Get the weather.",
            "Größe",
            "Gro\u{308}ße",
            "天気を調べる",
            "모든 도시",
            "หาสภาพอากาศ",
            "मौसम बताओ",
            "آب‌وهوا",
            "Tiếng Việt",
            "☀️ and 👩‍🚀",
        ] {
            assert_eq!(count(text), text.chars().count(), "{text}");
        }
        assert_eq!(count("a\u{200b}\u{200b}\u{200b}\u{200b}b"), 4);
        assert_eq!(count(" \u{200b} ab \u{a0}"), 2);
    }
}
