//! The way to a place in JSON.

use std::{borrow::Cow, fmt::Write as _};

/// The maximum number of characters quoted from a value, or from a key.
const QUOTED_CHARS: usize = 60;

/// The number of steps of a path that are shown at its start and at its end.
const SHOWN_STEPS: usize = 8;

/// A step on the way to a place in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list, from 0.
    Index(usize),
}

/// The way from a root as a model reads it: `arguments.range.start`. Of a long one both ends are shown.
pub fn path_text<'a>(root: &str, steps: impl ExactSizeIterator<Item = &'a Step>) -> String {
    let mut text = root.to_owned();
    push_path(&mut text, steps);
    text
}

/// Adds the steps of a way to a text, as [`path_text`] writes them.
pub fn push_path<'a>(text: &mut String, steps: impl ExactSizeIterator<Item = &'a Step>) {
    let left_out = SHOWN_STEPS..steps.len().saturating_sub(SHOWN_STEPS).max(SHOWN_STEPS);
    for (place, step) in steps.enumerate() {
        if left_out.contains(&place) {
            text.push_str(if place == left_out.start { "…" } else { "" });
            continue;
        }
        match step {
            Step::Index(index) => {
                let _ = write!(text, "[{index}]");
            }
            Step::Key(key) => push_key(text, key),
        }
    }
}

/// A step of a JSON pointer as the key that it is.
pub(crate) fn key_of_step(step: &str) -> Cow<'_, str> {
    if !step.contains('~') {
        return Cow::Borrowed(step);
    }
    step.replace("~1", "/").replace("~0", "~").into()
}

/// The step into the value of a key as a model reads it: `.start`, or `["the start"]` for a key that needs quotes.
pub fn key_text(key: &str) -> String {
    let mut text = String::new();
    push_key(&mut text, key);
    text
}

fn push_key(text: &mut String, key: &str) {
    if is_plain(key) {
        text.push('.');
        text.push_str(&shortened(key));
    } else {
        let _ = write!(text, "[{:?}]", shortened(key));
    }
}

/// A key that needs no quotes in a path.
fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The start of a text that may be long.
pub fn cut(text: &str) -> String {
    cut_to(text, QUOTED_CHARS)
}

/// The start of a text that may be long, which is copied only if it is.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match start(text, QUOTED_CHARS) {
        shown if shown.len() == text.len() => Cow::Borrowed(text),
        shown => Cow::Owned([shown, "…"].concat()),
    }
}

/// So many characters of a text.
pub fn cut_to(text: &str, chars: usize) -> String {
    let shown = start(text, chars);
    if shown.len() < text.len() {
        [shown, "…"].concat()
    } else {
        text.to_owned()
    }
}

/// The first characters of a text, at most so many.
fn start(text: &str, chars: usize) -> &str {
    // No text has more characters than bytes.
    let end = (text.len() > chars).then(|| text.char_indices().nth(chars));
    end.flatten().map_or(text, |(end, _)| &text[..end])
}
