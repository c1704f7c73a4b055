//! Rules for where a text may be cut: not inside of a character, a line break or a group that is shown as one sign,
//! and between two lines where a line ends nearby.

use toolwright_json::char_boundary;

/// The limit of characters that belong to the one before them: texts with more are made to be hard to cut.
const MOST_EXTENDING: usize = 32;

/// The last place at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let at = char_boundary::floor(text, at);
    if at == text.len() {
        return at;
    }
    let window = char_boundary::floor(text, at - at / 4);
    let line_end = memchr::memrchr(b'\n', &text.as_bytes()[window..at]);
    let mut at = line_end.map_or(at, |end| window + end);
    for _ in 0..MOST_EXTENDING {
        match text[..at].chars().next_back() {
            Some(last) if splits(last, &text[at..]) => at -= last.len_utf8(),
            _ => break,
        }
    }
    at
}

/// The first place at or after `at`.
pub(super) fn ceil(text: &str, at: usize) -> usize {
    let at = char_boundary::ceil(text, at);
    if at == 0 {
        return at;
    }
    let window = at + (text.len() - at) / 4;
    let line_end = memchr::memchr(b'\n', &text.as_bytes()[at..window]);
    let mut at = line_end.map_or(at, |end| at + end + 1);
    for _ in 0..MOST_EXTENDING {
        match (text[..at].chars().next_back(), text[at..].chars().next()) {
            (Some(last), Some(next)) if splits(last, &text[at..]) => at += next.len_utf8(),
            _ => break,
        }
    }
    at
}

/// Returns true if a cut between a character and the text behind it would split a unit.
fn splits(last: char, rest: &str) -> bool {
    let Some(next) = rest.chars().next() else {
        return false;
    };
    (last == '\r' && next == '\n') || last == ZERO_WIDTH_JOINER || is_extending(next)
}

const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// The marks, selectors and modifiers that most composed signs are made with.
fn is_extending(next: char) -> bool {
    matches!(
        next,
        '\u{300}'..='\u{36f}'
            | ZERO_WIDTH_JOINER
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
    )
}
