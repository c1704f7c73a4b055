//! What stands between the calls of a part of a text.

use crate::{
    formats::{FENCED_LANGUAGES, Format, Strength},
    item::{Begins, Scanner},
    marker::{self, MAX_TICKS, Match},
    rules::Mark,
};

use super::openings::{Opening, opening};

/// A part of a text that a marker, a bracket or a code block opened.
#[derive(Debug)]
pub(super) struct Region {
    /// The formats that it may have.
    pub(super) rows: Vec<&'static Format>,
    /// The number of bytes that opened it.
    pub(super) opening: usize,
    /// The part that has been read, from the opening or the last call on.
    pub(super) at: usize,
    /// The number of calls so far, also refused ones.
    pub(super) items: usize,
    /// What opened it.
    pub(super) mark: Mark,
    /// The backticks of a code block within it that has not ended.
    pub(super) fence: Option<usize>,
    /// The item that is being read, from `at` on, and the markers that cannot stand in it.
    pub(super) item: Option<(&'static Format, Scanner, Vec<&'static str>)>,
}

/// What stands between two calls.
pub(super) enum Between {
    /// Something to pass over.
    Passed,
    /// A marker after the calls, which has been passed.
    Closed,
    /// A call of this format.
    Item(&'static Format),
    /// Another marker before calls.
    Opened,
    Unknown,
    Other,
}

impl Region {
    pub(super) fn new(rows: Vec<&'static Format>, opening: usize, skip: usize, mark: Mark) -> Self {
        Self {
            rows,
            opening,
            at: skip,
            items: 0,
            mark,
            fence: None,
            item: None,
        }
    }

    /// Goes on behind a call.
    pub(super) fn after(rows: Vec<&'static Format>, mark: Mark) -> Self {
        Self {
            items: 1,
            ..Self::new(rows, 0, 0, mark)
        }
    }

    pub(super) fn strength(&self) -> Strength {
        self.rows[0].strength
    }

    /// The format of the item that is being read.
    pub(super) fn item_row(&self) -> &'static Format {
        self.item.as_ref().map_or(self.rows[0], |(row, ..)| *row)
    }

    /// Returns true for a code block.
    pub(super) fn is_block(&self) -> bool {
        self.rows[0].close == ["```"]
    }

    /// Returns true for a code block in which any text may stand.
    pub(super) fn is_fence(&self) -> bool {
        self.is_weak() && self.is_block()
    }

    pub(super) fn is_weak(&self) -> bool {
        self.strength() == Strength::Weak
    }

    /// Looks at what stands between calls, from `at` on.
    pub(super) fn between(&mut self, text: &str, is_end: bool) -> Between {
        let rest = &text[self.at..];
        let Some(first) = rest.chars().next() else {
            return Between::Unknown;
        };
        if first.is_whitespace() || self.items > 0 && matches!(first, ',' | ';' | '}' | ']') {
            self.at += first.len_utf8();
            return Between::Passed;
        }
        if matches!(first, '`' | '~') {
            return self.fence(rest, is_end);
        }
        let close = self.rows.iter().flat_map(|row| row.close);
        match marker::longest(rest, close.copied()) {
            Match::Full(len) => {
                self.at += len;
                return Between::Closed;
            }
            Match::Partial if !is_end => return Between::Unknown,
            // The text ends within the marker.
            Match::Partial if self.items > 0 => {
                self.at = text.len();
                return Between::Closed;
            }
            Match::Partial | Match::No => {}
        }
        let between = self.rows.iter().flat_map(|row| row.between);
        match marker::longest(rest, between.copied()) {
            Match::Full(len) => {
                self.at += len;
                return Between::Passed;
            }
            Match::Partial if !is_end => return Between::Unknown,
            Match::Partial | Match::No => {}
        }
        let mut unknown = false;
        for row in &self.rows {
            let rest = match marker::begins(rest, row.lead) {
                Match::Full(len) => &rest[len..],
                Match::Partial if !is_end => {
                    unknown = true;
                    continue;
                }
                Match::Partial | Match::No => continue,
            };
            match row.item.begins(rest, is_end) {
                Begins::Yes if !unknown => {
                    self.at = text.len() - rest.len();
                    return Between::Item(row);
                }
                Begins::Yes | Begins::No => {}
                Begins::Unknown => unknown = true,
            }
        }
        if unknown {
            return Between::Unknown;
        }
        // In a code block that begins with a tag, this may be an example of it.
        let least = match (self.items, self.is_weak(), self.is_fence()) {
            (0, true, false) => return Between::Other,
            (0, true, true) => Strength::Token,
            _ => Strength::Tag,
        };
        match opening(rest, is_end) {
            Opening::Calls { rows, skip, .. } if skip > 0 && rows[0].strength >= least => {
                Between::Opened
            }
            Opening::Unknown => Between::Unknown,
            _ => Between::Other,
        }
    }

    /// The beginning or the end of a code block around the calls; or one that follows them, which is text.
    fn fence(&mut self, rest: &str, is_end: bool) -> Between {
        let ticks = marker::ticks(rest);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let name = rest[ticks..].bytes().take(MAX_TICKS);
        let name = name.take_while(is_name).count();
        let may_go_on = ticks + name == rest.len() && ticks.max(name) < MAX_TICKS;
        if may_go_on && !is_end {
            return Between::Unknown;
        }
        let is_cut = ticks == rest.len() && is_end && self.items > 0;
        if self.is_block() && (ticks >= 3 || is_cut) {
            self.at += ticks;
            return Between::Closed;
        }
        if let Some(open) = self.fence
            && (ticks >= open || is_cut)
        {
            (self.at, self.fence) = (self.at + ticks, None);
            return Between::Passed;
        }
        let may_hold_calls = self.items == 0
            || !self.is_weak()
                && name > 0
                && FENCED_LANGUAGES.contains(&&rest[ticks..ticks + name]);
        if ticks < 3 || self.fence.is_some() || !may_hold_calls {
            return Between::Other;
        }
        (self.at, self.fence) = (self.at + ticks + name, Some(ticks));
        Between::Passed
    }
}
