//! Rules for the characters of a description that can be seen, where only the compiler knows its text.

use super::each::any;

/// Characters that cannot be seen by themselves: spaces, control and format characters, and the marks that are put on
/// any letter. Marks of one script are among its letters here.
const UNSEEN: [(u32, u32); 41] = [
    (0x0, 0x20),
    (0x7f, 0xa0),
    (0xad, 0xad),
    (0x300, 0x36f),
    (0x483, 0x489),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x115f, 0x1160),
    (0x1680, 0x1680),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    (0x1ab0, 0x1ace),
    (0x1dc0, 0x1dff),
    (0x2000, 0x200f),
    (0x2028, 0x202f),
    (0x205f, 0x206f),
    (0x20d0, 0x20f0),
    (0x2800, 0x2800),
    (0x3000, 0x3000),
    (0x302a, 0x302d),
    (0x3099, 0x309a),
    (0x3164, 0x3164),
    (0xe000, 0xf8ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffb),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x1bca0, 0x1bca3),
    (0x1d165, 0x1d169),
    (0x1d16d, 0x1d182),
    (0x1d185, 0x1d18b),
    (0x1d1aa, 0x1d1ad),
    (0x1d242, 0x1d244),
    (0xe0000, 0xe0fff),
    (0xf0000, 0xffffd),
    (0x0010_0000, 0x0010_ffff),
];

const fn is_visible(character: u32) -> bool {
    !any!(&UNSEEN, |(first, last)| *first <= character
        && character <= *last)
}

/// Returns the number of characters that a text has for a reader. Spaces inside of it count, and so do up to two
/// marks on a character. Characters that cannot be seen do not count, nor do spaces at the start and the end.
pub(super) const fn count_visible(text: &str) -> usize {
    let bytes = text.as_bytes();
    // Up to and with the last one that can be seen, and what comes after it.
    let (mut seen, mut count, mut marks) = (0, 0, 2);
    let mut index = 0;
    while index < bytes.len() {
        let (character, length) = character(bytes, index);
        index += length;
        if is_visible(character) {
            (count, marks) = (count + 1, 0);
            seen = count;
        } else if is_space(character) {
            // One before the first character that can be seen is around the text.
            count += (seen > 0) as usize;
            marks = 0;
        } else if marks < 2 {
            count += (seen > 0) as usize;
            // A mark belongs to what is before it.
            if seen + 1 + marks >= count {
                seen = count;
            }
            marks += 1;
        }
    }
    seen
}

const fn is_space(character: u32) -> bool {
    matches!(
        character,
        0x9..=0xd | 0x20 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028..=0x2029 | 0x202f | 0x205f | 0x3000
    )
}

/// The character at a place, and how many bytes it has.
const fn character(bytes: &[u8], index: usize) -> (u32, usize) {
    let first = bytes[index] as u32;
    let (mut character, length) = match first {
        0..0x80 => (first, 1),
        0x80..0xe0 => (first & 0x1f, 2),
        0xe0..0xf0 => (first & 0xf, 3),
        _ => (first & 0x7, 4),
    };
    let mut next = 1;
    while next < length {
        character = character << 6 | (bytes[index + next] & 0x3f) as u32;
        next += 1;
    }
    (character, length)
}

#[cfg(test)]
mod tests {
    use super::{count_visible, is_visible};

    #[test]
    fn letters_and_signs_are_visible_and_what_has_no_form_is_not() {
        let blank = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}'];
        for character in '\0'..=char::MAX {
            let is_printed = character.escape_debug().len() == 1 || character.is_ascii_graphic();
            if is_printed && character != ' ' && !blank.contains(&character) {
                assert!(is_visible(character.into()), "{:x}", u32::from(character));
            }
        }
        for character in [
            '\u{200b}',
            '\u{feff}',
            '\u{e0041}',
            '\u{301}',
            '\u{3000}',
            '\u{2066}',
        ] {
            assert!(!is_visible(character.into()), "{:x}", u32::from(character));
        }
    }

    #[test]
    fn what_cannot_be_seen_does_not_count() {
        for (text, count) in [
            ("", 0),
            ("\u{200b}\u{200b}\u{200b}", 0),
            ("\u{301}\u{301}", 0),
            (" \u{3000}\u{a0} ", 0),
            (" a b ", 3),
            ("a\u{200b}\u{200b}\u{200b}\u{200b}b", 4),
            ("Gro\u{308}ße", 6),
            ("天気を調べる", 6),
            ("หาสภาพอากาศ", 11),
            ("👩‍🚀", 3),
        ] {
            assert_eq!(count_visible(text), count, "{text:?}");
        }
    }
}
