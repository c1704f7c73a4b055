//! What may begin in the text for the user: calls, reasoning, code.

use toolwright_json::char_boundary::floor;

use crate::{
    formats::{
        FENCED, FENCED_LANGUAGES, FENCED_PYTHONIC, FORMATS, Format, HARMONY, JSON, PYTHONIC,
        Strength, TOOL_CODE,
    },
    item::Begins,
    marker::{self, MAX_TICKS, Match},
    rules::Mark,
};

use super::markers::{Kind, Marker, around, end_of_results, ends_of_reasoning, held, is_prompted};
use super::scan::next;
use super::tokens::HARMONY_ENDS;

/// The maximum number of bytes of its header.
const HEADER: usize = 256;

/// What begins at a place.
#[derive(Debug, Clone)]
pub(super) enum Opening {
    /// Text.
    None,
    /// A longer text decides it.
    Unknown,
    /// Calls of one of these formats, behind a marker of so many bytes; or from the place on.
    Calls {
        rows: Vec<&'static Format>,
        len: usize,
        skip: usize,
        mark: Mark,
    },
    /// Reasoning up to one of these markers.
    Reasoning {
        len: usize,
        ends: &'static [&'static str],
        /// True if it stands before all text.
        must_be_first: bool,
    },
    /// The beginning of reasoning in a sentence.
    Mention,
    /// The results of calls, up to this marker.
    Results { len: usize, end: &'static str },
    /// The end of reasoning whose beginning was not written.
    EndOfReasoning { len: usize },
    /// A token that is no text.
    Token { len: usize },
    /// A marker after calls.
    Close { len: usize },
    /// A code block with so many backticks or tildes, or code within a line with one or two backticks.
    Code { mark: u8, ticks: usize },
    /// What a model makes up about the result of its call.
    Observation,
    /// What it makes up as the next message.
    Turn,
}

/// Tells what begins at a byte that was found, and where. `is_line_start` is true for a part of the text
/// at the start of a line.
pub(super) fn opening_at(
    text: &str,
    at: usize,
    is_line_start: impl Fn(&str) -> bool,
    is_end: bool,
) -> (Opening, usize) {
    let mut best: Option<(usize, usize, &Marker)> = None;
    let (mut unknown, mut mention) = (None, None);
    for marker in around(text.as_bytes(), at) {
        let Some(start) = at
            .checked_sub(marker.head)
            .filter(|start| text.is_char_boundary(*start))
        else {
            continue;
        };
        let found = marker::begins(&text[start..], marker.text);
        if found == Match::No {
            continue;
        }
        if marker.needs_line_start() && !is_line_start(&text[..start]) {
            if !marker.may_end_line() {
                continue;
            }
            if let Match::Full(len) = found {
                match text[start + len..].chars().next() {
                    Some('\n' | '\r') => {}
                    None if !is_end => unknown = Some(start),
                    _ => {
                        mention = Some(start);
                        continue;
                    }
                }
            }
        }
        match found {
            Match::Full(len) if best.is_none_or(|(_, before, _)| before < len) => {
                best = Some((start, len, marker));
            }
            Match::Partial if !is_end => {
                unknown = Some(unknown.map_or(start, |before: usize| before.min(start)));
            }
            _ => {}
        }
    }
    // A marker may begin here, if the text ends with this byte.
    if at + 1 == text.len() && !is_end {
        unknown = Some(unknown.unwrap_or(at).min(at - held(&text[..at])));
    }
    if let Some(start) = unknown {
        return (
            Opening::Unknown,
            best.map_or(start, |(at, ..)| at.min(start)),
        );
    }
    match (best, mention) {
        (Some((start, len, marker)), _) => (opens(marker.kind, &text[start..], len, is_end), start),
        (None, Some(start)) => (Opening::Mention, start),
        (None, None) if text.as_bytes()[at] == b'~' && !is_line_start(&text[..at]) => {
            (Opening::None, at)
        }
        (None, None) => (unmarked(&text[at..], is_end), at),
    }
}

/// Tells what begins at the start of a text.
pub(super) fn opening(text: &str, is_end: bool) -> Opening {
    opening_on(text, true, is_end)
}

/// Tells what begins at the start of a text, which is the start of a line or not.
pub(super) fn opening_on(text: &str, is_line_start: bool, is_end: bool) -> Opening {
    match next(&text[..floor(text, HEADER)], 0) {
        Some(at) => match opening_at(text, at, |_| is_line_start, is_end) {
            (opening, 0) => opening,
            _ => Opening::None,
        },
        _ if held(text) == text.len() && !is_end => Opening::Unknown,
        _ => Opening::None,
    }
}

/// Code, or calls without a marker.
fn unmarked(text: &str, is_end: bool) -> Opening {
    let rows = match text.as_bytes()[0] {
        mark @ (b'`' | b'~') => return code(text, mark, is_end),
        b'{' => &[&JSON][..],
        b'[' => &[&JSON, &PYTHONIC][..],
        _ => return Opening::None,
    };
    let mut opening = Opening::None;
    for row in rows {
        match row.item.begins(text, is_end) {
            Begins::Yes if matches!(opening, Opening::None) => return bare(row),
            Begins::Yes | Begins::No => {}
            Begins::Unknown => opening = Opening::Unknown,
        }
    }
    opening
}

fn bare(row: &'static Format) -> Opening {
    Opening::Calls {
        rows: vec![row],
        len: 1,
        skip: 0,
        mark: Mark::None,
    }
}

/// What formats have before their calls.
fn mark(rows: &[&Format]) -> Mark {
    match rows[0].strength {
        Strength::Token => Mark::Token,
        Strength::Tag | Strength::Weak => Mark::Tag,
    }
}

/// What a marker opens, at the start of a text of which it takes so many bytes.
fn opens(kind: Kind, text: &str, len: usize, is_end: bool) -> Opening {
    match kind {
        Kind::Calls => {
            let rows = rows(|format| format.open, &text[..len]);
            let (mark, skip) = (mark(&rows), len);
            Opening::Calls {
                rows,
                len,
                skip,
                mark,
            }
        }
        Kind::Start => {
            let rows = rows(|format| format.starts, &text[..len]);
            let (mark, skip) = (mark(&rows), 0);
            Opening::Calls {
                rows,
                len,
                skip,
                mark,
            }
        }
        Kind::Reasoning(place) => Opening::Reasoning {
            len,
            ends: &ends_of_reasoning()[place..=place],
            must_be_first: is_prompted(place),
        },
        Kind::Result(place) => Opening::Results {
            len,
            end: end_of_results(place),
        },
        Kind::EndOfReasoning => Opening::EndOfReasoning { len },
        Kind::Token => Opening::Token { len },
        Kind::Close => Opening::Close { len },
        Kind::Harmony => harmony(text, len, is_end),
        Kind::Observation => Opening::Observation,
        Kind::Turn => Opening::Turn,
    }
}

/// The formats that have a marker, however it is spelled.
fn rows(
    markers: impl Fn(&Format) -> &'static [&'static str],
    written: &str,
) -> Vec<&'static Format> {
    let has = |format: &&'static Format| {
        let mut markers = markers(format).iter();
        markers.any(|marker| marker::begins(written, marker) == Match::Full(written.len()))
    };
    FORMATS.iter().filter(has).collect()
}

/// A code block, or code within a line.
fn code(text: &str, mark: u8, is_end: bool) -> Opening {
    let ticks = marker::ticks(text);
    let rest = &text[ticks..];
    if rest.is_empty() && ticks < MAX_TICKS && !is_end {
        return Opening::Unknown;
    }
    if ticks < 3 && mark == b'~' {
        return Opening::None;
    }
    if ticks < 3 {
        return Opening::Code { mark, ticks };
    }
    let is_name =
        |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '+' | '-' | '.' | '#');
    let rest = &rest[..floor(rest, HEADER)];
    let name_len = rest.find(|char| !is_name(char)).unwrap_or(rest.len());
    let name = &rest[..name_len];
    if name_len == rest.len() && !is_end && name_len < HEADER {
        return Opening::Unknown;
    }
    let is_one = |language: &&str| language.eq_ignore_ascii_case(name);
    let (rows, mark) = if name.eq_ignore_ascii_case("tool_code") {
        (vec![&TOOL_CODE], Mark::Tag)
    } else if FENCED_LANGUAGES.iter().any(is_one) {
        (vec![&FENCED, &FENCED_PYTHONIC], Mark::None)
    } else {
        return Opening::Code { mark, ticks };
    };
    let len = ticks + name_len;
    Opening::Calls {
        rows,
        len,
        skip: len,
        mark,
    }
}

/// The header of a message at the start of a text, where the template wrote the marker before it:
/// `to=functions.name<|channel|>commentary json<|message|>`.
pub(super) fn message_header(text: &str, is_end: bool) -> Opening {
    match marker::begins(text, "to=functions.") {
        Match::Full(len) => match harmony(text, len, is_end) {
            Opening::Token { .. } => Opening::None,
            opening => opening,
        },
        Match::Partial if !is_end => Opening::Unknown,
        Match::Partial | Match::No => Opening::None,
    }
}

/// The header of a message: a call, reasoning, or text.
fn harmony(text: &str, len: usize, is_end: bool) -> Opening {
    let start = &text[..floor(text, HEADER)];
    let message = match marker::find(start, len, true, &["<|message|>"]) {
        Ok(found) => found,
        Err(_) if text.len() < HEADER && !is_end => return Opening::Unknown,
        Err(_) => return Opening::Token { len },
    };
    let header = text[..message.at].to_ascii_lowercase();
    let len = message.at + message.len;
    if header.contains("to=") {
        return Opening::Calls {
            rows: vec![&HARMONY],
            len,
            skip: 0,
            mark: Mark::Token,
        };
    }
    if header.contains("analysis") {
        return Opening::Reasoning {
            len,
            ends: &HARMONY_ENDS,
            must_be_first: false,
        };
    }
    Opening::Token { len }
}
