//! Calls that are not read: the search for their end.

use toolwright_json::char_boundary::ceil;

use crate::{
    formats::Format,
    item::Scanner,
    marker::{self, Found, Match},
    rules::Mark,
    text_calls::RefusalReason,
};

use super::{Engine, Flow, Region, State, markers::interrupts};

/// What separates paragraphs.
const EMPTY_LINES: [&str; 2] = ["\n\n", "\r\n\r\n"];

/// A broken call. It ends at a marker, or with the text.
#[derive(Debug)]
pub(super) struct Broken {
    rows: Vec<&'static Format>,
    mark: Mark,
    is_block: bool,
    /// The number of bytes that are text if it is none.
    opening: usize,
    /// The part that was searched.
    at: usize,
    /// The number of calls inside of it that are open; `None` if another call ends it, and an empty line too.
    inside: Option<usize>,
}

/// A call that is too long to be held. Its rest is read and dropped.
#[derive(Debug)]
pub(super) struct Skipped {
    rows: Vec<&'static Format>,
    scanner: Scanner,
    ends: Vec<&'static str>,
    mark: Mark,
    /// True if it is text.
    is_text: bool,
}

impl Broken {
    /// A call in which something else begins ends with it, if it `has_begun` itself: it holds the other one.
    pub(super) fn new(region: Region, has_begun: bool) -> Self {
        Self {
            mark: region.mark,
            is_block: region.is_block(),
            opening: if region.opening > 0 {
                region.opening
            } else {
                region.at
            },
            at: region.at,
            inside: has_begun.then_some(0),
            rows: region.rows,
        }
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
    /// The rest of an item, which ends where the scanner says, or at a marker behind it. `is_text` if it is given back.
    pub(super) fn new(region: &Region, is_text: bool, item: (Scanner, Vec<&'static str>)) -> Self {
        let (scanner, ends) = item;
        Self {
            rows: vec![region.item_row()],
            scanner,
            ends,
            mark: region.mark,
            is_text,
        }
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
        match marker::find(text, broken.at, is_end, &ends) {
            Ok(Found { at, .. }) | Err(at) if at > self.limit => self.mention(&broken, text),
            Ok(found) if broken.goes_past(&text[found.at..], found.which < closing) => {
                broken.at = found.at + found.len;
                self.state = State::Broken(broken);
                Flow::Next
            }
            Ok(found) if found.which < own => {
                let reason = RefusalReason::Malformed("it is not a call of this format".to_owned());
                self.refuse_broken(&broken, reason, &text[..found.at + found.len]);
                if found.which >= closing {
                    let region = Region::after(broken.rows, broken.mark);
                    self.state = State::Region(Box::new(region));
                }
                Flow::Next
            }
            Ok(found) if broken.inside.is_some() => {
                let reason = RefusalReason::Malformed("it is not a call of this format".to_owned());
                self.refuse_broken(&broken, reason, &text[..found.at])
            }
            Err(_) if is_end && (broken.inside.is_some() || self.is_cut_off(&broken, text)) => {
                self.refuse_broken(&broken, RefusalReason::CutOff, text)
            }
            Ok(_) => self.mention(&broken, text),
            Err(_) if is_end => self.mention(&broken, text),
            Err(next) => {
                broken.at = next;
                self.state = State::Broken(broken);
                Flow::Wait
            }
        }
    }

    fn refuse_broken(&mut self, broken: &Broken, reason: RefusalReason, text: &str) -> Flow {
        self.begin_group(broken.mark, broken.is_block);
        self.add_refused(reason, text, broken.rows[0]);
        self.take(text);
        Flow::Next
    }

    /// Returns true for a call that is cut off where it begins, and no text about its marker.
    fn is_cut_off(&self, broken: &Broken, text: &str) -> bool {
        let rest = text[broken.opening..].trim();
        self.line.is_blank() && !rest.contains(char::is_whitespace)
    }

    /// A marker that no call follows is text.
    fn mention(&mut self, broken: &Broken, text: &str) -> Flow {
        self.tell(&text[..broken.opening.max(ceil(text, 1))]);
        Flow::Next
    }

    pub(super) fn skipped(&mut self, mut skipped: Skipped, text: &str, is_end: bool) -> Flow {
        let is_strict = skipped.rows[0].is_bare();
        let Skipped { scanner, ends, .. } = &mut skipped;
        let end = scanner.skip(text, is_end, ends, is_strict);
        let (end, is_done) = match end {
            Ok(end) => (end, true),
            Err(next) => (next, false),
        };
        let is_text = skipped.is_text;
        if is_text {
            self.tell(&text[..end]);
        } else {
            self.advance(end);
        }
        self.state = match (is_done, is_text) {
            (true, true) => State::Text,
            (true, false) => State::Region(Box::new(Region::after(skipped.rows, skipped.mark))),
            (false, _) => State::Skipped(Box::new(skipped)),
        };
        if is_done { Flow::Next } else { Flow::Wait }
    }
}
