//! A text that is a call and nothing else, without any marker: `f(a=1)`, as a whole response.
//!
//! In a sentence that is no call, so that the text is held until it ends. Other text is emitted at once: one that
//! does not begin with the name of a tool and a bracket.

use toolwright_json::char_boundary::floor;

use crate::{
    attempt::{Attempt, Reading},
    formats::{FUNCTIONARY, PYTHONIC},
    item::{Begins, Item, Scan, Scanner},
    rules::{Form, Mark},
};

use super::{
    Engine, Flow, State,
    line::MAX_INDENT,
    openings::{Opening, message_header, opening},
};

/// Calls that may be the whole text.
#[derive(Debug, Default)]
pub(super) struct Alone {
    /// The start of the call that is being read, or the end of the last one.
    at: usize,
    scanner: Option<Scanner>,
    attempts: Vec<Attempt>,
}

impl Engine {
    /// Looks at the first word of a text. `None` if it is read as any other.
    pub(super) fn first_word(&mut self, text: &str, is_end: bool) -> Option<Flow> {
        let rest = text.trim_start();
        if !rest.starts_with(|char: char| char.is_alphabetic() || char == '_') {
            return None;
        }
        let begins = self.begins_alone(rest, is_end);
        if begins == Begins::Unknown {
            return Some(Flow::Wait);
        }
        let mut header = message_header(rest, is_end);
        if matches!(header, Opening::None) {
            header = self.recipient(rest, is_end);
        }
        if matches!(header, Opening::Unknown) {
            return Some(Flow::Wait);
        }
        self.is_first = false;
        if begins == Begins::Yes {
            self.pass_space(&text[..text.len() - rest.len()]);
            self.state = State::Alone(Box::default());
            return Some(Flow::Next);
        }
        if matches!(header, Opening::Calls { .. }) {
            self.pass_space(&text[..text.len() - rest.len()]);
            return Some(self.open(header));
        }
        None
    }

    fn pass_space(&mut self, space: &str) {
        self.line = self.line.after(space);
        self.advance(space.len());
    }

    /// The name of a tool on a line of its own, and an object: Functionary 3.2 writes it so at the start of a text, as its
    /// template has written the marker.
    fn recipient(&self, text: &str, is_end: bool) -> Opening {
        let Some((name, rest)) = text.split_once('\n') else {
            return Opening::None;
        };
        let start = &rest[..floor(rest, MAX_INDENT)];
        match start.trim_start().chars().next() {
            // What has space in it is decided before the line ends.
            _ if name.contains(char::is_whitespace) || self.tools.find(name).is_none() => {
                Opening::None
            }
            None if is_end || rest.len() > MAX_INDENT => Opening::None,
            None => Opening::Unknown,
            Some('{') => Opening::Calls {
                rows: vec![&FUNCTIONARY],
                len: 1,
                skip: 0,
                mark: Mark::None,
            },
            Some(_) => Opening::None,
        }
    }

    /// Tells if a call of a declared tool begins here.
    fn begins_alone(&self, text: &str, is_end: bool) -> Begins {
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
        let rest = text.trim_start_matches(is_name);
        let name = &text[..text.len() - rest.len()];
        match rest.chars().next() {
            None if is_end => Begins::No,
            None if self.tools.has_beginning(name) || "print".starts_with(name) => Begins::Unknown,
            Some('(') => Begins::when(self.tools.find(name).is_some() || name == "print"),
            _ => Begins::No,
        }
    }

    /// Reads calls that may be the whole text. Where they are not, it is read as any other.
    pub(super) fn alone(&mut self, mut alone: Alone, text: &str, is_end: bool) -> Flow {
        loop {
            if let Some(scanner) = &mut alone.scanner {
                let end = match scanner.run(text, is_end, &[], true) {
                    Scan::End(end) if end <= self.limit => end,
                    Scan::More if !is_end && scanner.at() <= self.limit => {
                        return self.wait_alone(alone);
                    }
                    _ => return Flow::Next,
                };
                let call = &text[alone.at..end];
                match Item::Python.read(scanner, call, &self.tools, false) {
                    Reading::Attempts(calls) if calls.iter().all(Result::is_ok) => {
                        alone.attempts.extend(calls);
                    }
                    _ => return Flow::Next,
                }
                (alone.at, alone.scanner) = (end, None);
            }
            let is_between = |char: char| char.is_whitespace() || matches!(char, ',' | ';');
            let rest = text[alone.at..].trim_start_matches(is_between);
            alone.at = text.len() - rest.len();
            if alone.at > self.limit {
                return Flow::Next;
            }
            match (rest.is_empty(), self.begins_alone(rest, is_end)) {
                (true, _) if is_end => return self.was_alone(alone, text),
                (true, _) | (_, Begins::Unknown) => return self.wait_alone(alone),
                (_, Begins::Yes) => alone.scanner = Some(Item::Python.scanner(text, alone.at)),
                (_, Begins::No) => match opening(rest, is_end) {
                    Opening::Token { .. } => return self.was_alone(alone, text),
                    Opening::Unknown => return self.wait_alone(alone),
                    _ => return Flow::Next,
                },
            }
        }
    }

    fn wait_alone(&mut self, alone: Alone) -> Flow {
        self.state = State::Alone(Box::new(alone));
        Flow::Wait
    }

    fn was_alone(&mut self, alone: Alone, text: &str) -> Flow {
        self.begin_group(Mark::None, false);
        self.add(alone.attempts, Form::Code, &text[..alone.at], &PYTHONIC);
        self.take(&text[..alone.at]);
        Flow::Next
    }
}
