//! Calls that are not read: the search for their end.

use crate::{
    attempt::Refusal,
    formats::Format,
    item::Scanner,
    marker::{self, Found, Match},
    text_calls::RefusalReason,
};

use super::{Engine, Flow, Region, State, markers::interrupts};

/// What separates paragraphs.
const EMPTY_LINES: [&str; 2] = ["\n\n", "\r\n\r\n"];

/// A broken call. It ends at a marker, or with the text.
#[derive(Debug)]
pub(super) struct Broken {
    rows: Vec<&'static Format>,
    /// The part that was searched.
    at: usize,
    /// The number of calls inside of it that are open; `None` if another call ends it, and an empty line too.
    inside: Option<usize>,
}

/// A call that is too long to be held. Its rest is read and dropped.
#[derive(Debug)]
pub(super) struct Skipped {
    rows: Vec<&'static Format>,
    scanner: Option<(Scanner, Vec<&'static str>)>,
}

impl Broken {
    /// A call in which something else begins ends with it, if it `has_begun` itself: it holds the other one.
    pub(super) fn new(rows: Vec<&'static Format>, at: usize, has_begun: bool) -> Self {
        let inside = has_begun.then_some(0);
        Self { rows, at, inside }
    }
}

impl Broken {
    /// Returns true for the markers of a call inside of it.
    fn goes_past(&mut self, marker: &str, is_closing: bool) -> bool {
        let Some(inside) = &mut self.inside else {
            return false;
        };
        if is_closing {
            let was_open = *inside > 0;
            *inside = inside.saturating_sub(1);
            return was_open;
        }
        let is = |of: &&str| matches!(marker::begins(marker, of), Match::Full(_));
        let is_open = self
            .rows
            .iter()
            .any(|row| row.open.iter().any(is) && !row.between.iter().any(is));
        *inside += usize::from(is_open);
        is_open
    }
}

impl Skipped {
    /// The rest of an item, which ends where the scanner says, or at one of these markers.
    pub(super) fn new(
        rows: Vec<&'static Format>,
        scanner: Scanner,
        ends: Vec<&'static str>,
    ) -> Self {
        let scanner = Some((scanner, ends));
        Self { rows, scanner }
    }
}

/// The markers that end a broken call: those of its formats first, after which more calls may come.
fn ends(rows: &[&'static Format]) -> (Vec<&'static str>, usize, usize) {
    let mut ends: Vec<_> = rows.iter().flat_map(|row| row.close).copied().collect();
    let closing = ends.len();
    ends.extend(rows.iter().flat_map(|row| row.between).copied());
    let own = ends.len();
    ends.extend(interrupts());
    (ends, closing, own)
}

impl Engine {
    pub(super) fn broken(&mut self, mut broken: Broken, text: &str, is_end: bool) -> Flow {
        let (mut ends, closing, own) = ends(&broken.rows);
        // What follows a marker that is mentioned, and no call, is text.
        if broken.inside.is_none() {
            ends.extend(EMPTY_LINES);
        }
        let (end, next, state) = match marker::find(text, broken.at, is_end, &ends) {
            Ok(Found { at, .. }) | Err(at) if at > self.limit => {
                self.refuse_broken(&broken, RefusalReason::TooLong, text);
                self.advance(at);
                let (rows, scanner) = (broken.rows, None);
                self.state = State::Skipped(Box::new(Skipped { rows, scanner }));
                return Flow::Next;
            }
            Ok(found) if broken.goes_past(&text[found.at..], found.which < closing) => {
                broken.at = found.at + found.len;
                self.state = State::Broken(broken);
                return Flow::Next;
            }
            Ok(found) if found.which < closing => (found.at, found.at + found.len, State::Text),
            Ok(found) if found.which < own => {
                let region = Region::after(broken.rows.clone());
                (
                    found.at,
                    found.at + found.len,
                    State::Region(Box::new(region)),
                )
            }
            Ok(found) => (found.at, found.at, State::Text),
            Err(_) if is_end => (text.len(), text.len(), State::Text),
            Err(next) => {
                broken.at = next;
                self.state = State::Broken(broken);
                return Flow::Wait;
            }
        };
        let reason = if end == text.len() && is_end {
            RefusalReason::CutOff
        } else {
            RefusalReason::Malformed("it is no call of this format".to_owned())
        };
        self.refuse_broken(&broken, reason, &text[..end]);
        self.advance(next);
        self.indent = Some(0);
        self.state = state;
        Flow::Next
    }

    fn refuse_broken(&mut self, broken: &Broken, reason: RefusalReason, text: &str) {
        let refusal = Refusal { name: None, reason };
        self.findings.refuse(refusal, text, broken.rows[0]);
    }

    pub(super) fn skipped(&mut self, mut skipped: Skipped, text: &str, is_end: bool) -> Flow {
        let is_strict = skipped.rows[0].is_bare();
        let end = if let Some((scanner, ends)) = &mut skipped.scanner {
            scanner.skip(text, is_end, ends, is_strict)
        } else {
            let close: Vec<_> = skipped
                .rows
                .iter()
                .flat_map(|row| row.close)
                .copied()
                .collect();
            marker::find(text, 0, is_end, &close).map(|found| found.at + found.len)
        };
        let (end, state) = match end {
            Ok(end) if skipped.scanner.is_some() => {
                let region = Region::after(skipped.rows);
                (end, State::Region(Box::new(region)))
            }
            Ok(end) => (end, State::Text),
            Err(next) => (next, State::Skipped(Box::new(skipped))),
        };
        let is_done = !matches!(state, State::Skipped(_));
        self.state = state;
        self.indent = Some(0);
        self.advance(end);
        if is_done { Flow::Next } else { Flow::Wait }
    }
}
