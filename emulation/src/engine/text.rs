//! Text for the user, code in it, and reasoning.

use memchr::{memchr, memchr2};
use toolwright_json::char_boundary::ceil;

use crate::{
    marker::{self, MAX_TICKS},
    rules::TextSource,
};

use super::{
    Engine, Flow, Region, State,
    line::{Line, MAX_INDENT},
    markers,
    openings::{Opening, opening_at},
    scan,
    tokens::HARMONY_HEADERS,
};

impl Engine {
    /// Text for the user, up to what may be something else.
    pub(super) fn text(&mut self, text: &str, is_end: bool) -> Flow {
        if let Some(flow) = self.behind_group(text, is_end) {
            return flow;
        }
        if self.is_first
            && self.source.may_call()
            && let Some(flow) = self.first_word(text, is_end)
        {
            return flow;
        }
        while let Some(next) = scan::next(text, self.seen) {
            self.seen = next;
            if let Some(end) = code_in_line(text, next) {
                self.seen = end;
                continue;
            }
            let is_line_start = |text: &str| self.line.is_blank_after(text);
            let (mut opening, start) = opening_at(text, self.seen, is_line_start, is_end);
            if !self.source.may_call() {
                opening = opening.without_calls(&text[start..]);
            }
            let is_text = match opening {
                Opening::None => true,
                Opening::Mention => {
                    self.has_mention = true;
                    true
                }
                Opening::EndOfReasoning { .. } => std::mem::take(&mut self.has_mention),
                Opening::Reasoning { must_be_first, .. } => {
                    must_be_first && (self.output.has_text() || !is_blank(&text[..start]))
                }
                Opening::Observation => !self.has_react,
                Opening::Turn => !self.is_message_end || !is_blank(&text[..start]),
                Opening::Close { .. } => !self.lacks_close,
                Opening::Token { len } => {
                    let (before, behind) = (&text[..start], &text[start + len..]);
                    let Some(is_mentioned) = self.is_mentioned(before, behind, is_end) else {
                        self.tell(before);
                        return Flow::Wait;
                    };
                    is_mentioned
                }
                _ => false,
            } || match self.source {
                TextSource::Native => opening.is_of_calls() || opening.is_of_messages(),
                TextSource::Answer => self.is_of_written_call(&opening, &text[start..]),
                TextSource::Other | TextSource::Decision => false,
            };
            if is_text {
                self.seen += 1;
                continue;
            }
            // A code block that ends in this text is text as what is before and behind it.
            if let Opening::Code { mark, ticks } = opening
                && ticks >= 3
                && !self.lacks_fence
                && let Ok(end) = self.end_of_block(text, start + ticks, mark, ticks, is_end)
            {
                self.seen = end;
                continue;
            }
            let is_unknown = matches!(opening, Opening::Unknown);
            self.tell(&text[..start]);
            let fence = fence(&text[start..]).filter(|_| self.lacks_fence && !is_unknown);
            if let Some(ticks) = fence {
                self.lacks_fence = false;
                self.advance(ticks);
                return Flow::Next;
            }
            return self.open(opening);
        }
        let held = if is_end { 0 } else { markers::held(text) };
        self.tell(&text[..text.len() - held]);
        Flow::Wait
    }

    pub(super) fn open(&mut self, opening: Opening) -> Flow {
        self.is_first &= matches!(
            opening,
            Opening::Unknown | Opening::Reasoning { .. } | Opening::Token { .. }
        );
        match opening {
            Opening::None | Opening::Mention | Opening::Unknown => return Flow::Wait,
            Opening::Calls {
                rows,
                len,
                skip,
                mark,
            } => {
                self.state = State::Region(Box::new(Region::new(rows, len, skip, mark)));
            }
            Opening::Results { len, end } => {
                // The marker is text, and does not close.
                self.seen = len;
                self.state = State::Results(end);
            }
            Opening::Reasoning { len, ends, .. } => {
                self.advance(len);
                self.has_reasoning = true;
                self.output.new_reasoning();
                self.state = State::Reasoning(ends);
            }
            Opening::EndOfReasoning { len } => {
                self.advance(len);
                if !self.has_reasoning {
                    self.has_reasoning = true;
                    self.output.text_was_reasoning();
                    self.findings.clear();
                    self.has_react = false;
                }
                self.line = Line::START;
            }
            Opening::Token { len } | Opening::Close { len } => {
                self.is_message_end = true;
                self.lacks_close &= matches!(opening, Opening::Token { .. });
                self.advance(len);
                self.line = Line::START;
            }
            Opening::Code { mark, ticks } => {
                // The opening backticks are text, and do not close.
                self.seen = ticks;
                self.state = State::Code { mark, ticks };
            }
            Opening::Observation | Opening::Turn => self.state = State::Observation,
        }
        Flow::Next
    }

    /// Reasoning, up to its end.
    pub(super) fn reasoning(
        &mut self,
        text: &str,
        ends: &'static [&'static str],
        is_end: bool,
    ) -> Flow {
        match marker::find(text, 0, is_end, ends) {
            Ok(found) => {
                self.output.reasoning(&text[..found.at]);
                // The beginning of another message is no part of this one.
                let is_next = HARMONY_HEADERS.contains(&ends[found.which]);
                self.advance(found.at + if is_next { 0 } else { found.len });
                self.line = Line::START;
                Flow::Next
            }
            Err(next) => {
                self.output.reasoning(&text[..next]);
                self.advance(next);
                self.state = State::Reasoning(ends);
                Flow::Wait
            }
        }
    }

    /// Results are text, and nothing begins in them.
    pub(super) fn results(&mut self, text: &str, end: &'static str, is_end: bool) -> Flow {
        // FunctionGemma stops after the marker, which it writes behind each call: it is no text then.
        if self.seen > 0 && text.len() < self.seen + MAX_INDENT && is_blank(&text[self.seen..]) {
            if is_end {
                self.advance(text.len());
            }
            self.state = State::Results(end);
            return Flow::Wait;
        }
        match marker::find(text, self.seen, is_end, &[end]) {
            Ok(found) => {
                self.tell(&text[..found.at + found.len]);
                Flow::Next
            }
            Err(next) => {
                self.tell(&text[..next]);
                self.state = State::Results(end);
                Flow::Wait
            }
        }
    }

    /// A code block is text, and nothing begins in it.
    pub(super) fn code(&mut self, text: &str, mark: u8, ticks: usize, is_end: bool) -> Flow {
        if ticks < 3 {
            return self.code_in_line(text, ticks, is_end);
        }
        // The backticks that open it do not close it.
        let (end, is_whole) = match self.end_of_block(text, self.seen, mark, ticks, is_end) {
            Ok(end) => (end, true),
            Err(end) => (end, false),
        };
        self.tell(&text[..end]);
        if is_whole {
            return Flow::Next;
        }
        self.state = State::Code { mark, ticks };
        Flow::Wait
    }

    /// Finds the end of a code block, from a position behind its beginning on. The error is the position from which a longer
    /// text has to be searched.
    fn end_of_block(
        &self,
        text: &str,
        from: usize,
        mark: u8,
        ticks: usize,
        is_end: bool,
    ) -> Result<usize, usize> {
        let mut at = from;
        while let Some(next) = memchr(mark, &text.as_bytes()[at..]) {
            at += next;
            let run = marker::run(&text[at..], mark);
            if !self.line.is_blank_after(&text[..at]) {
                at += run;
                continue;
            }
            if run >= ticks {
                return Ok(at + ticks);
            }
            if at + run == text.len() && !is_end {
                return Err(at);
            }
            at += run;
        }
        Err(text.len())
    }

    /// Code within a line is text, if the line has its end. A call in it is held until that is known.
    fn code_in_line(&mut self, text: &str, ticks: usize, is_end: bool) -> Flow {
        let mut at = self.seen;
        while let Some(next) = next_of_code(&text.as_bytes()[at..]) {
            at += next;
            let run = marker::run(&text[at..], b'`');
            if run == 0 {
                return self.no_code(text, at, at + 1);
            }
            if at + run == text.len() && run < MAX_TICKS && !is_end {
                return self.wait_for_code(text, at, ticks);
            }
            at += run;
            if run == ticks || run == MAX_TICKS {
                self.tell(&text[..at]);
                return Flow::Next;
            }
        }
        if is_end {
            return self.no_code(text, text.len(), text.len());
        }
        self.wait_for_code(text, text.len(), ticks)
    }

    /// Goes on where a call may begin, before the end of a line on which a backtick stands alone.
    fn no_code(&mut self, text: &str, line_end: usize, end: usize) -> Flow {
        let call = self.call_in_code(&text[..line_end], true);
        self.tell(&text[..call.unwrap_or(end)]);
        Flow::Next
    }

    /// Waits for the end of code within a line, which was read so far.
    fn wait_for_code(&mut self, text: &str, at: usize, ticks: usize) -> Flow {
        let held = self.call_in_code(&text[..at], false).unwrap_or(at);
        self.tell(&text[..held]);
        self.seen = at - held;
        self.state = State::Code { mark: b'`', ticks };
        Flow::Wait
    }

    /// The first marker before calls that may be held.
    fn call_in_code(&self, text: &str, is_end: bool) -> Option<usize> {
        let from = ceil(text, text.len().saturating_sub(self.limit));
        match marker::find(text, from, is_end, markers::strong()) {
            Ok(found) => Some(found.at),
            Err(next) => Some(next).filter(|_| !is_end),
        }
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.trim_start().is_empty()
}

/// Finds what may end code within a line: backticks, and the end of the line.
fn next_of_code(text: &[u8]) -> Option<usize> {
    memchr2(b'`', b'\n', text)
}

/// The number of backticks on a line of their own.
pub(super) fn fence(text: &str) -> Option<usize> {
    let ticks = marker::ticks(text);
    let rest = &text[ticks..];
    let is_alone = rest.is_empty() || rest.trim_start_matches(' ').starts_with(['\n', '\r']);
    (ticks >= 3 && is_alone).then_some(ticks)
}

/// The end of code within a line that begins at a byte, if the text goes on behind it. No marker begins with a backtick.
fn code_in_line(text: &str, start: usize) -> Option<usize> {
    let ticks = marker::run(&text[start..], b'`');
    if !(1..3).contains(&ticks) {
        return None;
    }
    let mut at = start + ticks;
    loop {
        at += next_of_code(&text.as_bytes()[at..])?;
        let run = marker::run(&text[at..], b'`');
        at += run;
        if run == 0 {
            return None;
        }
        if run == ticks || run == MAX_TICKS {
            return Some(at).filter(|at| *at < text.len());
        }
    }
}
