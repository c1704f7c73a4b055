//! The reader of a text that comes in pieces: one state, and a buffer with what is not decided yet.
//!
//! What is decided depends on the text alone, and never on where it was cut: wherever more text could decide
//! otherwise, it is waited for.

mod alone;
mod between;
mod broken;
mod findings;
mod group;
mod line;
mod markers;
mod mention;
mod openings;
mod output;
mod region;
mod scan;
mod text;
mod tokens;

use std::sync::Arc;

use toolwright_core::Schema;

use crate::{
    declared::Declared,
    rules::TextSource,
    text_calls::{TextEnd, TextPiece},
};
use alone::Alone;
use between::Region;
use broken::{Broken, Skipped};
use findings::Findings;
use group::Group;
use line::{Behind, Line, ends_sentence};
use markers::ends_of_reasoning;
use output::Output;

/// The reader.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts about the text before, each on its own"
)]
pub(crate) struct Engine {
    tools: Arc<Declared>,
    source: TextSource,
    /// The schema of the answer, if there is one.
    answer: Option<Schema>,
    /// The maximum number of bytes that are held.
    limit: usize,
    /// What is not decided yet.
    buffer: String,
    /// The start of what is not decided yet, in the text that is read.
    start: usize,
    /// The part of it that was looked at and begins nothing.
    seen: usize,
    state: State,
    output: Output,
    /// The line before `start`.
    line: Line,
    /// The calls before `start`, until it is known what they are.
    group: Option<Group>,
    /// True before all text, other than space, and before all calls.
    is_first: bool,
    /// The last character of the text that is no space, or the end of an emphasised sentence.
    last: Option<char>,
    /// True behind a call, or a token that ends a message.
    is_message_end: bool,
    has_reasoning: bool,
    /// True if a sentence mentioned the beginning of reasoning: its end is text.
    has_mention: bool,
    /// True in an answer behind the markup of a call that a token may end.
    has_mention_of_call: bool,
    findings: Findings,
    /// True after a call that the model may have made up a result for.
    has_react: bool,
    /// True if the marker after the last calls has not come.
    lacks_close: bool,
    /// True if the code block around the last calls has not ended.
    lacks_fence: bool,
}

#[derive(Debug)]
enum State {
    Text,
    Reasoning(&'static [&'static str]),
    /// Code within a line, or a code block, that ends with so many backticks or tildes.
    Code {
        mark: u8,
        ticks: usize,
    },
    /// What was written as results, up to this marker.
    Results(&'static str),
    /// Calls that may be the whole text.
    Alone(Box<Alone>),
    Region(Box<Region>),
    Broken(Broken),
    Skipped(Box<Skipped>),
    /// What a model made up about the result of its call.
    Observation,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Another step, on the text from `start` on.
    Next,
    /// More text is needed.
    Wait,
}

impl Engine {
    pub(crate) fn new(
        tools: Arc<Declared>,
        source: TextSource,
        answer: Option<Schema>,
        limit: usize,
        in_reasoning: bool,
    ) -> Self {
        Self {
            tools,
            source,
            answer,
            limit,
            buffer: String::new(),
            start: 0,
            seen: 0,
            state: if in_reasoning {
                State::Reasoning(ends_of_reasoning())
            } else {
                State::Text
            },
            output: Output::default(),
            line: Line::START,
            group: None,
            is_first: true,
            last: None,
            is_message_end: false,
            has_reasoning: in_reasoning,
            has_mention: false,
            has_mention_of_call: false,
            findings: Findings::new(limit, source),
            has_react: false,
            lacks_close: false,
            lacks_fence: false,
        }
    }

    /// Reads the next piece.
    pub(crate) fn push(&mut self, piece: &str) -> Vec<TextPiece> {
        if self.buffer.is_empty() {
            let end = self.run(piece, false);
            self.buffer.push_str(&piece[end..]);
        } else {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.push_str(piece);
            let end = self.run(&buffer, false);
            buffer.drain(..end);
            self.buffer = buffer;
        }
        self.output.take()
    }

    /// The number of bytes that are not decided yet.
    pub(crate) fn held(&self) -> usize {
        self.buffer.len() + self.group.as_ref().map_or(0, Group::held)
    }

    /// Ends the text.
    pub(crate) fn finish(mut self) -> TextEnd {
        let buffer = std::mem::take(&mut self.buffer);
        self.run(&buffer, true);
        self.settle(Behind::Nothing);
        TextEnd {
            pieces: self.output.take(),
            ..self.findings.into_end()
        }
    }

    /// Reads a text as far as it decides, and returns that position.
    fn run(&mut self, all: &str, is_end: bool) -> usize {
        self.start = 0;
        while self.start < all.len() || is_end && matches!(self.state, State::Region(_)) {
            let text = &all[self.start..];
            let state = std::mem::replace(&mut self.state, State::Text);
            let flow = match state {
                State::Text => self.text(text, is_end),
                State::Reasoning(ends) => self.reasoning(text, ends, is_end),
                State::Code { mark, ticks } => self.code(text, mark, ticks, is_end),
                State::Results(end) => self.results(text, end, is_end),
                State::Alone(alone) => self.alone(*alone, text, is_end),
                State::Region(region) => self.region(*region, text, is_end),
                State::Broken(broken) => self.broken(broken, text, is_end),
                State::Skipped(skipped) => self.skipped(*skipped, text, is_end),
                State::Observation => {
                    self.state = State::Observation;
                    self.advance(text.len());
                    Flow::Wait
                }
            };
            if flow == Flow::Wait {
                break;
            }
        }
        self.start
    }

    /// Gives text to the user.
    fn tell(&mut self, text: &str) {
        if !text.is_empty() {
            self.settle_before(text);
        }
        self.say(text);
        self.advance(text.len());
    }

    /// Gives text to the user that was read before.
    fn say(&mut self, text: &str) {
        self.output.text(text);
        if let Some(last) = text.trim_end().chars().next_back() {
            (self.is_first, self.last) = (false, Some(self.last_of(text, last)));
            self.is_message_end = false;
        }
        self.line = self.line.after(text);
    }

    /// The last character of a text that is no space. The signs around an emphasised sentence do not hide its end.
    fn last_of(&self, text: &str, last: char) -> char {
        let is_sign = |char: char| char.is_whitespace() || matches!(char, '*' | '_');
        let inner = text.trim_end_matches(is_sign).chars().next_back();
        let end = inner.or(self.last).filter(|end| ends_sentence(*end));
        end.unwrap_or(last)
    }

    fn advance(&mut self, len: usize) {
        self.start += len;
        self.seen = 0;
    }
}
