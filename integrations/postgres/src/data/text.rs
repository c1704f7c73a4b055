//! Any text, as text of PostgreSQL, which has no U+0000.
//!
//! It is written as U+0001 and `0`, and U+0001 itself as U+0001 and `1`. JSON has neither, so that entries stand in the
//! tables as they are.

use std::borrow::Cow;

use toolwright_core::run::RunId;
use toolwright_runtime::store::Scope;

const ESCAPE: char = '\u{1}';

/// The text of a column.
pub(crate) fn to_column(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte <= 1) {
        return Cow::Borrowed(text);
    }
    let mut column = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\0' => column.extend([ESCAPE, '0']),
            ESCAPE => column.extend([ESCAPE, '1']),
            other => column.push(other),
        }
    }
    Cow::Owned(column)
}

/// The columns of the id of a run and of the owner whose it is to be; no owner is the application, which sees all.
pub(crate) fn of_run<'a>(scope: Scope<'a>, run: &'a RunId) -> (Cow<'a, str>, Option<Cow<'a, str>>) {
    (to_column(run.as_str()), scope.owner().map(to_column))
}

/// The text from its column.
pub(crate) fn from_column(column: String) -> String {
    if !column.contains(ESCAPE) {
        return column;
    }
    let (mut text, mut characters) = (String::with_capacity(column.len()), column.chars());
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            text.push(character);
        } else if characters.next() == Some('0') {
            text.push('\0');
        } else {
            text.push(ESCAPE);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_from_its_column() {
        for text in [
            "",
            "a",
            "\0",
            "\u{1}",
            "\u{1}0",
            "\u{1}1",
            "\0\u{1}\0",
            "a\0b",
            "{\"a\":1}",
        ] {
            let column = to_column(text);
            assert!(!column.contains('\0'), "{text:?}");
            assert_eq!(from_column(column.into_owned()), text);
        }
    }

    #[test]
    fn different_texts_are_different_columns() {
        assert_ne!(to_column("\0"), to_column("\u{1}0"));
        assert_ne!(to_column("\u{1}"), to_column("\u{1}1"));
    }
}
