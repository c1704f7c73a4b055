//! Text of models and tools, made harmless for a terminal.

use std::borrow::Cow;

use toolwright_core::visible;

/// Stands for a character that a terminal would obey.
const REPLACED: char = '\u{fffd}';

/// From here on, characters may be two columns wide.
const WIDE: char = '\u{1100}';

/// Text of several lines. Its lines and tabs stay; what a terminal would obey does not.
pub(super) fn lines(text: &str) -> Cow<'_, str> {
    let stays = |c: char| matches!(c, '\n' | '\t') || !is_obeyed(c);
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    // A carriage return ends a line together with what follows it, or would write over the line.
    let text = text.chars().filter(|c| *c != '\r');
    text.map(|c| if stays(c) { c } else { REPLACED }).collect()
}

/// One line of at most so many columns. Blanks and ends of lines become one space each, and what cannot be seen is
/// written out: it may be the arguments of a call that waits for an approval.
pub(super) fn one_line(text: &str, columns: usize) -> String {
    let mut line = String::new();
    // What of it stays if the next character has no place, and how wide the whole is.
    let (mut kept, mut width) = (0, 0);
    for c in visible(&in_one_line(text, columns)).chars() {
        width += columns_of(c);
        if width > columns {
            line.truncate(kept);
            line.push('…');
            return line;
        }
        line.push(c);
        if width < columns {
            kept = line.len();
        }
    }
    line
}

/// The beginning of a text, with one space for blanks and ends of lines: no more characters than one line shows, and the
/// one after.
fn in_one_line(text: &str, columns: usize) -> String {
    let mut is_blank = true;
    let stays = |c: &char| {
        let was_blank = std::mem::replace(&mut is_blank, c.is_whitespace());
        !(was_blank && is_blank)
    };
    let chars = text.chars().filter(stays).take(columns + 1);
    let mut line: String = chars
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect();
    line.truncate(line.trim_end().len());
    line
}

/// The columns of one line, or a few more.
pub(super) fn width(line: &str) -> usize {
    line.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    match c {
        '…' | REPLACED => 1,
        c if c < WIDE => 1,
        _ => 2,
    }
}

/// Returns true for control characters, and for those that change the direction or the line of what stands around them.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_of_it() {
        for (text, several, one) in [
            ("plain", "plain", "plain"),
            ("a\tb\r\n  c\n", "a\tb\n  c\n", "a b c"),
            ("\u{1b}[2Jgone", "\u{fffd}[2Jgone", "\\u{1b}[2Jgone"),
            ("over\rwritten", "overwritten", "over written"),
            (
                "\u{9b}31m\u{7f}\u{7}",
                "\u{fffd}31m\u{fffd}\u{fffd}",
                "\\u{9b}31m\\u{7f}\\u{7}",
            ),
            (
                "a\u{202e}b\u{2066}",
                "a\u{fffd}b\u{fffd}",
                "a\\u{202e}b\\u{2066}",
            ),
            ("a\u{2028}b", "a\u{fffd}b", "a b"),
            ("a\u{200b}b", "a\u{200b}b", "a\\u{200b}b"),
            ("a \n", "a \n", "a"),
        ] {
            assert_eq!(lines(text), several, "{text:?}");
            assert_eq!(one_line(text, 80), one, "{text:?}");
        }
    }

    #[test]
    fn a_line_is_never_wider_than_the_terminal() {
        for (text, columns, expected) in [
            ("12345", 5, "12345"),
            ("123456", 5, "1234…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("abc", 1, "…"),
            ("\u{202e}", 8, "\\u{202e}"),
            ("\u{202e}", 7, "\\u{202…"),
            ("a b", 2, "a…"),
        ] {
            let line = one_line(text, columns);
            assert_eq!(line, expected);
            assert!(width(&line) <= columns, "{line}");
        }
    }
}
