//! Calls that were read, until it is known what they are: what stands behind them may make them text.

use toolwright_core::{repair_json, schema_takes};
use toolwright_json::char_boundary::floor;

use crate::{
    attempt::{Attempt, Refusal},
    formats::Format,
    marker,
    rules::{self, Form, Is, Mark, Named, TextSource},
    text_calls::RefusalReason,
};

use super::{
    Engine, Flow, State,
    line::{Behind, CallContext, Line},
    openings::{Opening, opening_on},
    text::fence,
};

/// The maximum length of space that is kept behind a group.
const MAX_SPACE: usize = 1024;
/// The maximum number of bytes that are kept of a refused call.
const EXCERPT: usize = 4 * 1024;

/// Calls that stand beside each other.
#[derive(Debug)]
pub(super) struct Group {
    /// The text of all of them, with their markers.
    raw: String,
    /// Space behind it.
    gap: String,
    /// True if some of the text was too long to be kept.
    is_lossy: bool,
    items: Vec<Item>,
    mark: Mark,
    /// What was known before.
    line: Line,
    last: Option<char>,
    has_text: bool,
    /// True for a code block of calls alone, false for one with more in it.
    block: Option<bool>,
    /// True for calls with a marker in a code block that no format asks for.
    is_shown: bool,
}

/// What was read at once.
#[derive(Debug)]
struct Item {
    attempts: Vec<Attempt>,
    excerpt: String,
    form: Form,
    row: &'static Format,
}

impl Group {
    /// The number of bytes that are held.
    pub(super) fn held(&self) -> usize {
        self.raw.len() + self.gap.len()
    }

    fn around(&self, behind: Behind) -> CallContext {
        CallContext {
            line: self.line,
            last: self.last,
            has_text: self.has_text,
            behind,
            block: self.block,
            is_shown: self.is_shown,
        }
    }

    /// What each attempt is, in order.
    fn readings(&self, engine: &Engine, behind: Behind) -> Vec<Is> {
        let place = self.around(behind).place(self.mark);
        let mut all = Vec::new();
        let is_answer = self.mark == Mark::None && engine.is_answer(&self.raw);
        for item in &self.items {
            let none = item.attempts.is_empty().then_some(Named::Nothing);
            let named = item.attempts.iter().map(|attempt| {
                if is_answer {
                    Named::Answer
                } else {
                    engine.named(attempt)
                }
            });
            for named in named.chain(none) {
                let is = rules::reading(engine.source, self.mark, item.form, place, named);
                all.push(is);
            }
        }
        all
    }
}

impl Engine {
    /// Returns true for a text that fits the schema of the answer, in a code block or not.
    fn is_answer(&self, text: &str) -> bool {
        let Some(schema) = self
            .answer
            .as_ref()
            .filter(|_| self.source == TextSource::Other)
        else {
            return false;
        };
        repair_json(text).is_ok_and(|json| !json.is_cut_off && schema_takes(schema, &json.text))
    }

    fn named(&self, attempt: &Attempt) -> Named {
        match attempt {
            Ok(call) => match self.tools.find(&call.name) {
                Some(tool) => Named::of(tool.effects()),
                None => Named::Unknown,
            },
            Err(refusal) if refusal.reason == RefusalReason::UnknownTool => Named::Unknown,
            Err(_) => Named::Unreadable,
        }
    }

    /// Begins a group, or goes on with the one that stands before it.
    pub(super) fn begin_group(&mut self, mark: Mark, is_block: bool) {
        match &mut self.group {
            Some(group) if group.raw.len() > self.limit => self.settle(Behind::Nothing),
            // Only a block or a marker has begun.
            Some(group) if group.items.is_empty() => {
                group.is_shown |= group.block.is_some() && mark != Mark::None;
                group.mark = mark;
            }
            Some(group) => {
                let is_next = group.mark == mark && group.block.is_some() == is_block;
                if !is_next || group.gap.contains('\n') && !is_block {
                    self.settle_before_calls();
                }
            }
            None => {}
        }
        if self.group.is_none() {
            self.group = Some(Group {
                raw: String::new(),
                gap: String::new(),
                is_lossy: false,
                items: Vec::new(),
                mark,
                line: self.line,
                last: self.last,
                has_text: self.output.has_text(),
                block: is_block.then_some(true),
                is_shown: false,
            });
        }
    }

    /// Takes text into the group.
    pub(super) fn take(&mut self, text: &str) {
        if let Some(group) = &mut self.group {
            let gap = std::mem::take(&mut group.gap);
            group.raw.push_str(&gap);
            group.raw.push_str(text);
        }
        self.line = Line::START;
        self.advance(text.len());
    }

    /// Adds what was read in a text of this format. There may be nothing, where a model says so.
    pub(super) fn add(
        &mut self,
        attempts: Vec<Attempt>,
        form: Form,
        text: &str,
        row: &'static Format,
    ) {
        let end = floor(text, EXCERPT.min(self.limit));
        let excerpt = text[..end].to_owned();
        if let Some(group) = &mut self.group {
            group.items.push(Item {
                attempts,
                excerpt,
                form,
                row,
            });
        }
    }

    /// Adds an attempt that cannot be read.
    pub(super) fn add_refused(&mut self, reason: RefusalReason, text: &str, row: &'static Format) {
        let refusal = Refusal::of(reason);
        self.add(vec![Err(refusal)], Form::Data, text, row);
    }

    /// Notes that some of the text of the group is not kept.
    pub(super) fn lose(&mut self) {
        if let Some(group) = &mut self.group {
            group.is_lossy = true;
        }
    }

    /// Looks at what follows the group, at the start of a text. `None` if it is read as any other.
    pub(super) fn behind_group(&mut self, text: &str, is_end: bool) -> Option<Flow> {
        let group = self.group.as_mut()?;
        let rest = text.trim_start();
        let space = &text[..text.len() - rest.len()];
        if !space.is_empty() {
            let end = floor(space, MAX_SPACE.saturating_sub(group.gap.len()));
            group.gap.push_str(&space[..end]);
            self.line = self.line.after(space);
            self.advance(space.len());
            return Some(Flow::Next);
        }
        let opening = opening_on(text, self.line.is_blank(), is_end);
        if matches!(opening, Opening::Unknown) {
            return Some(Flow::Wait);
        }
        if let Some(ticks) = fence(text).filter(|_| self.lacks_fence) {
            self.lacks_fence = false;
            self.take(&text[..ticks]);
            return Some(Flow::Next);
        }
        match opening {
            Opening::Calls { .. } => {}
            Opening::None | Opening::Mention | Opening::Code { .. } => self.settle_before(text),
            Opening::Results { .. } | Opening::Observation => self.settle_before_calls(),
            _ => self.settle(Behind::Nothing),
        }
        // The text goes on in a code block.
        let is_text = matches!(self.state, State::Text);
        (!is_text).then_some(Flow::Next)
    }

    /// Settles the group in front of text.
    pub(super) fn settle_before(&mut self, text: &str) {
        let Some(group) = &self.group else { return };
        let behind = match text.chars().next() {
            Some(first) if !group.gap.contains('\n') => Behind::Words {
                first,
                is_spaced: !group.gap.is_empty(),
            },
            _ => Behind::Line,
        };
        self.settle(behind);
    }

    /// Settles the group in front of another call, or of results that are made up: behind a marker these are no text.
    fn settle_before_calls(&mut self) {
        let is_marked = |group: &Group| group.mark != Mark::None && group.block.is_none();
        self.settle(if self.group.as_ref().is_some_and(is_marked) {
            Behind::Nothing
        } else {
            Behind::Line
        });
    }

    /// Notes that there is more in the code block than calls.
    pub(super) fn mix(&mut self) {
        if let Some(group) = &mut self.group {
            group.block = group.block.map(|_| false);
        }
    }

    /// Decides what the group is, by what follows it.
    pub(super) fn settle(&mut self, behind: Behind) {
        if self.lacks_fence && behind != Behind::Nothing {
            self.mix();
        }
        let Some(group) = self.group.take() else {
            return;
        };
        let readings = group.readings(self, behind);
        let is_text = |is: &Is| matches!(is, Is::Text | Is::Doubt);
        let is_text = !group.is_lossy
            && (readings.iter().all(is_text)
                || self.source != TextSource::Decision && readings.contains(&Is::Text));
        if is_text {
            self.give_back_group(group, &readings);
        } else {
            self.keep_group(group, &readings);
        }
    }

    /// The calls are calls, or refused. Where some of the text is gone, none of it can be given back: a call that would
    /// be text is dropped then, and refused calls are reported.
    fn keep_group(&mut self, group: Group, readings: &[Is]) {
        self.findings.add_written(&group.raw);
        let mut readings = readings.iter();
        for mut item in group.items {
            // What has no attempt has a reading too.
            let of_item: Vec<_> = readings.by_ref().take(item.attempts.len().max(1)).collect();
            if group.is_lossy {
                let mut of_item = of_item.into_iter();
                item.attempts.retain(|attempt| {
                    let is_one = matches!(of_item.next(), Some(Is::Call | Is::Refused));
                    is_one || attempt.is_err()
                });
            }
            self.has_react |= matches!(item.row.name, "react" | "command_r");
            self.findings
                .add(item.attempts, &item.excerpt, item.row, group.mark);
        }
        self.is_message_end = true;
        self.output.seam();
        self.output.text(&group.gap);
    }

    /// The calls are text.
    fn give_back_group(&mut self, group: Group, readings: &[Is]) {
        let doubts = readings.contains(&Is::Doubt);
        for item in group.items.into_iter().filter(|_| doubts) {
            for refusal in item.attempts.into_iter().filter_map(Result::err) {
                self.findings.doubt(refusal, &item.excerpt, item.row);
            }
        }
        (self.line, self.last) = (group.line, group.last);
        (self.lacks_close, self.is_message_end) = (false, false);
        self.say(&group.raw);
        self.say(&group.gap);
        if group.block == Some(false) {
            self.lacks_fence = false;
            let (mark, ticks) = block_of(&group.raw);
            self.seen = 0;
            self.state = State::Code { mark, ticks };
        }
    }
}

/// The backticks or tildes that open the code block at the beginning of a text.
fn block_of(text: &str) -> (u8, usize) {
    let mark = text.as_bytes().first().copied().unwrap_or(b'`');
    (mark, marker::ticks(text))
}
