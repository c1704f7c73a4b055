//! The calls that were found so far, and those that were refused.

use toolwright_core::ToolCall;

use crate::{
    attempt::{Attempt, Refusal},
    formats::Format,
    rules::{Mark, TextSource},
    text_calls::{RefusalReason, RefusedCall, TextEnd},
};

/// The maximum number of refused calls that are kept.
const REFUSED: usize = 1_000;

/// The calls of a text.
#[derive(Debug)]
pub(super) struct Findings {
    all: Vec<Finding>,
    /// The maximum number of bytes of all calls.
    limit: usize,
    bytes: usize,
    refused: usize,
    /// The text of all calls, with their markers.
    written: String,
    source: TextSource,
    /// True if a marker showed where the calls are: in a decision, calls without one are a draft.
    has_marked: bool,
}

#[derive(Debug)]
struct Finding {
    call: Result<ToolCall, RefusedCall>,
    row: &'static Format,
    is_marked: bool,
}

impl Findings {
    pub(super) fn new(limit: usize, source: TextSource) -> Self {
        Self {
            all: Vec::new(),
            limit,
            bytes: 0,
            refused: 0,
            written: String::new(),
            source,
            has_marked: false,
        }
    }

    /// Adds what was read behind such a marker, in a text of this format. There may be nothing, where a model says so.
    pub(super) fn add(
        &mut self,
        attempts: Vec<Attempt>,
        text: &str,
        row: &'static Format,
        mark: Mark,
    ) {
        let is_marked = mark != Mark::None;
        self.has_marked |= is_marked;
        for attempt in attempts {
            match attempt {
                Ok(call) => self.add_call(call, row, is_marked),
                Err(refusal) => self.refuse(refusal, text, row, is_marked, false),
            }
        }
    }

    /// Keeps the text of calls, as far as the limit lets it.
    pub(super) fn add_written(&mut self, text: &str) {
        if self.written.len() + text.len() <= self.limit {
            self.written.push_str(text);
        }
    }

    fn add_call(&mut self, call: ToolCall, row: &'static Format, is_marked: bool) {
        let bytes = call.name.len() + call.arguments.len() + call.id.len();
        if self.bytes + bytes > self.limit {
            let refusal = Refusal {
                name: Some(call.name),
                ..Refusal::of(RefusalReason::TooLong)
            };
            return self.refuse(refusal, "", row, is_marked, false);
        }
        self.bytes += bytes;
        let call = Ok(call);
        self.all.push(Finding {
            call,
            row,
            is_marked,
        });
    }

    /// Adds an attempt that is text, since it may be none.
    pub(super) fn doubt(&mut self, refusal: Refusal, text: &str, row: &'static Format) {
        self.refuse(refusal, text, row, false, true);
    }

    fn refuse(
        &mut self,
        refusal: Refusal,
        text: &str,
        row: &'static Format,
        is_marked: bool,
        is_text: bool,
    ) {
        self.refused += 1;
        if self.refused > REFUSED {
            return;
        }
        let Refusal {
            name,
            reason,
            arguments,
        } = refusal;
        let call = Err(RefusedCall {
            name,
            arguments,
            reason,
            text: text.to_owned(),
            is_text,
        });
        self.all.push(Finding {
            call,
            row,
            is_marked,
        });
    }

    /// Forgets all of them: they were drafts.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.limit, self.source);
    }

    pub(super) fn into_end(self) -> TextEnd {
        let mut end = TextEnd {
            written: self.written,
            ..TextEnd::default()
        };
        let mut refused_format = None;
        let leaves_drafts = self.source == TextSource::Decision && self.has_marked;
        for Finding {
            call,
            row,
            is_marked,
        } in self.all
        {
            if leaves_drafts && !is_marked {
                continue;
            }
            match call {
                Ok(call) => {
                    end.format = end.format.or(Some(row.name));
                    end.calls.push(call);
                }
                Err(refused) => {
                    refused_format = refused_format.or(Some(row.name));
                    end.refused.push(refused);
                }
            }
        }
        end.format = end.format.or(refused_format);
        end
    }
}
