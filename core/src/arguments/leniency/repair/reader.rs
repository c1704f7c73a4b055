//! The reader: lists, objects, and what follows them.

mod bare;
mod quoted;
mod space;

use std::{borrow::Cow, ops::Range};

use toolwright_json::path::{Step, path_text};

use super::{
    Changes, Repaired, Unrepairable,
    owner::{BracketDistance, Owners},
};
use crate::{
    arguments::{MAX_NESTING, too_deep},
    tool::ChangeKind,
};
use bare::is_key_start;
use quoted::Quotes;
use space::{Before, Gap};

/// The message about text that lacks its last brackets.
pub(super) const NOT_CLOSED: &str = "the text ends before the closing bracket";

pub(super) type Fallible<T> = Result<T, Unrepairable>;

#[derive(Default)]
pub(super) struct Reader<'t> {
    text: &'t str,
    /// The number of bytes that have been read.
    at: usize,
    /// The JSON so far.
    out: String,
    /// The lists and objects that are not closed yet.
    open: Vec<Open>,
    changes: Changes,
    /// The state that shows whether missing or extra brackets would change the owner of a part.
    owners: Owners,
    /// The starts of the numbers and literals that are not written as they came.
    respelled: Vec<usize>,
    /// The quotes of the last text, a key or a value.
    last_quotes: Option<Quotes>,
    /// The quotes of all texts so far.
    all_quotes: Vec<Quotes>,
    /// The number of backticks in the fence at the start of the text.
    fence: Option<usize>,
    is_cut_off: bool,
}

/// A list or an object that is not closed yet.
struct Open {
    bracket: char,
    /// The number of its parts so far.
    parts: usize,
    place: OpenPart,
    around: BracketDistance,
}

/// The part of a list or an object that is being read.
enum OpenPart {
    Between,
    /// The member whose key stands here in the JSON so far.
    Key(Range<usize>),
    Index(usize),
}

/// The next part to read.
enum Next {
    /// The first part, or the end.
    First,
    /// Another part, or the end.
    More,
    /// The text after a value.
    After(Ended),
}

/// The kind of value that has just ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Text,
    Number,
    Literal,
    Brackets,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            out: String::with_capacity(text.len()),
            ..Self::default()
        }
    }

    pub(super) fn read(mut self) -> Fallible<Repaired<'t>> {
        self.skip(Before::Part)?;
        self.open_fence();
        self.skip(Before::Part)?;
        let mut next = match self.peek() {
            Some('{' | '[') => self.value()?,
            Some(_) => return self.refuse("expected an object"),
            None => return self.refuse("the text is empty"),
        };
        loop {
            next = match next {
                Next::First => self.part(false)?,
                Next::More => self.part(true)?,
                Next::After(_) if self.open.is_empty() => break,
                Next::After(ended) => self.after(ended)?,
            };
        }
        self.end()?;
        Ok(Repaired {
            text: Cow::Owned(self.out),
            changes: self.changes.into_vec(),
            respelled: self.respelled,
            is_cut_off: self.is_cut_off,
        })
    }

    /// Three backticks, and the name of a language.
    fn open_fence(&mut self) {
        let ticks = self.ticks();
        if ticks < 3 {
            return;
        }
        let rest = &self.text[self.at + ticks..];
        let is_name = |char: char| char.is_ascii_alphanumeric() || "_+-".contains(char);
        let name = rest.find(|char| !is_name(char)).unwrap_or(rest.len());
        self.at += ticks + name;
        self.fence = Some(ticks);
        self.changed(ChangeKind::CodeFence);
    }

    fn ticks(&self) -> usize {
        self.rest().bytes().take_while(|byte| *byte == b'`').count()
    }

    /// A part of a list or an object, or its end.
    fn part(&mut self, is_after_comma: bool) -> Fallible<Next> {
        self.leave();
        self.skip(Before::Part)?;
        match self.peek() {
            Some(bracket @ ('}' | ']')) => {
                if is_after_comma {
                    self.changed(ChangeKind::TrailingComma);
                }
                self.close(bracket)
            }
            _ => self.member_or_item(),
        }
    }

    fn member_or_item(&mut self) -> Fallible<Next> {
        let Some(open) = self.open.last_mut() else {
            unreachable!("parts stand in a list or an object")
        };
        if open.parts > 0 {
            self.out.push(',');
            self.owners.part_after(open.around, open.bracket);
        }
        open.parts += 1;
        if open.bracket == '[' {
            open.place = OpenPart::Index(open.parts - 1);
            return self.value();
        }
        self.key()?;
        self.skip(Before::Colon)?;
        match self.peek() {
            Some(':') => self.at += 1,
            Some(_) => return self.refuse("expected a colon after the key"),
            None => return self.refuse("the text ends after a key"),
        }
        self.out.push(':');
        self.skip(Before::Value)?;
        self.value()
    }

    fn key(&mut self) -> Fallible<()> {
        let start = self.out.len();
        match self.peek() {
            None => return self.refuse("the text ends where a key is expected"),
            Some(first) => match Quotes::opened_by(first) {
                Some(quotes) => {
                    let found = self.string(quotes, true)?;
                    self.enter_key(start);
                    self.report(&found);
                }
                None if is_key_start(first) => {
                    self.bare_key()?;
                    self.enter_key(start);
                    self.changed(ChangeKind::UnquotedKey);
                }
                None => return self.refuse("expected a key in quotes"),
            },
        }
        Ok(())
    }

    fn enter_key(&mut self, start: usize) {
        let key = start..self.out.len();
        if let Some(open) = self.open.last_mut() {
            open.place = OpenPart::Key(key);
        }
    }

    /// Marks that the next fault is about the list or object, and not about its last part.
    fn leave(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.place = OpenPart::Between;
        }
    }

    fn value(&mut self) -> Fallible<Next> {
        let Some(first) = self.peek() else {
            return self.refuse("the text ends where a value is expected");
        };
        self.owners.value();
        if let '{' | '[' = first {
            if self.open.len() >= MAX_NESTING {
                return self.refuse(too_deep());
            }
            self.at += 1;
            self.out.push(first);
            let outer = self.open.last().map(|open| (open.bracket, open.around));
            self.open.push(Open {
                bracket: first,
                parts: 0,
                place: OpenPart::Between,
                around: BracketDistance::inside(outer, first),
            });
            return Ok(Next::First);
        }
        if let Some(quotes) = Quotes::opened_by(first) {
            let found = self.string(quotes, false)?;
            self.report(&found);
            return Ok(Next::After(Ended::Text));
        }
        if matches!(first, '0'..='9' | '-' | '+' | '.') {
            self.number()?;
            return Ok(Next::After(Ended::Number));
        }
        self.literal()?;
        Ok(Next::After(Ended::Literal))
    }

    /// Reads the separator or the end after a value in a list or an object.
    fn after(&mut self, ended: Ended) -> Fallible<Next> {
        let gap = self.skip(Before::Separator(ended))?;
        match self.peek() {
            Some(',') => {
                self.at += 1;
                Ok(Next::More)
            }
            Some(bracket @ ('}' | ']')) => self.close(bracket),
            None => self.close_all(ended, gap),
            Some(next) if self.lacks_comma(ended, gap, next) => {
                self.changed(ChangeKind::MissingComma);
                self.leave();
                self.member_or_item()
            }
            Some(_) => self.refuse("expected a comma or the closing bracket after it"),
        }
    }

    /// Returns true if another part starts here, so that only the comma is missing. A key is recognized by its
    /// quotes, or by the colon that has to follow. Items are recognized if they are on lines of their own, unless
    /// they might continue the item before, as strings in Python do; objects and lists also on one line.
    fn lacks_comma(&self, ended: Ended, gap: Gap, next: char) -> bool {
        if self.open.last().is_some_and(|open| open.bracket == '{') {
            return Quotes::opened_by(next).is_some() || gap.has_line_end && is_key_start(next);
        }
        let is_joined = ended == Ended::Text
            && (self.last_quotes == Some(Quotes::Single) && Quotes::opened_by(next).is_some()
                || next == '\'');
        gap.has_line_end && !matches!(next, '+' | '-' | '.') && !is_joined
            || ended == Ended::Brackets && matches!(next, '{' | '[')
    }

    fn close(&mut self, bracket: char) -> Fallible<Next> {
        let Some(open) = self.open.last().map(|open| open.bracket) else {
            unreachable!("parts stand in a list or an object")
        };
        if closing(open) != bracket {
            return self.refuse("a closing bracket does not match the open one");
        }
        self.open.pop();
        self.owners.closed(open);
        self.at += 1;
        self.out.push(bracket);
        Ok(Next::After(Ended::Brackets))
    }

    /// The text ends, and brackets are open. What stands there is whole only where it could not go on:
    /// a number may lack digits, and a string that has ended may be the start of one with quotes
    /// in it. A comment may hold what is missing.
    fn close_all(&mut self, ended: Ended, gap: Gap) -> Fallible<Next> {
        let is_whole = matches!(ended, Ended::Brackets | Ended::Literal);
        let is_object = self.out.starts_with('{');
        if !is_whole || !is_object || gap.has_comment || self.fence.is_some() {
            return self.refuse(NOT_CLOSED);
        }
        if self.owners.may_differ_by_missing(self.open.len()) {
            return self.refuse("a closing bracket is missing, and it is not clear where");
        }
        self.changed(ChangeKind::Unclosed);
        self.is_cut_off = true;
        while let Some(open) = self.open.pop() {
            self.out.push(closing(open.bracket));
        }
        Ok(Next::After(Ended::Brackets))
    }

    /// Reads the rest after the whole.
    fn end(&mut self) -> Fallible<()> {
        let mut is_after_comma = false;
        loop {
            self.skip(Before::End)?;
            match self.peek() {
                None => return Ok(()),
                Some(bracket @ ('}' | ']' | ';')) if !is_after_comma => {
                    if self.owners.may_differ_by_stray(bracket) {
                        return self.refuse(
                            "there is one closing bracket too many, and it is not clear which",
                        );
                    }
                    self.at += 1;
                    self.changed(ChangeKind::StrayEnd);
                }
                Some(',') if !is_after_comma => {
                    self.at += 1;
                    is_after_comma = true;
                    self.changed(ChangeKind::TrailingComma);
                }
                Some('`') if self.ticks() >= self.fence.unwrap_or(3) => {
                    self.at += self.ticks();
                    self.skip(Before::End)?;
                    if self.peek().is_none() {
                        if self.fence.is_none() {
                            self.changed(ChangeKind::CodeFence);
                        }
                        return Ok(());
                    }
                    return self.refuse("unexpected text after the closing bracket");
                }
                Some(_) => return self.refuse("unexpected text after the closing bracket"),
            }
        }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn changed(&mut self, kind: ChangeKind) {
        let (open, out) = (&self.open, &self.out);
        self.changes.add(kind, || path(open, out));
    }

    pub(super) fn refuse<T>(&self, reason: impl Into<String>) -> Fallible<T> {
        Err(Unrepairable {
            path: path(&self.open, &self.out),
            reason: reason.into(),
        })
    }
}

fn closing(bracket: char) -> char {
    if bracket == '{' { '}' } else { ']' }
}

fn path(open: &[Open], out: &str) -> String {
    let step = |open: &Open| match &open.place {
        OpenPart::Between => None,
        OpenPart::Key(key) => serde_json::from_str(&out[key.clone()]).ok().map(Step::Key),
        OpenPart::Index(index) => Some(Step::Index(*index)),
    };
    let steps: Vec<_> = open.iter().filter_map(step).collect();
    path_text("arguments", steps.iter())
}
