//! The calls that were found so far, and those that were refused.

use toolwright_json::char_boundary::floor;
use toolwright_runtime::ToolCall;

use crate::{
    attempt::{Attempt, Refusal},
    formats::{Format, Strength},
    text_calls::{RefusalReason, RefusedCall, TextEnd},
};

/// The maximum number of refused calls that are kept.
const REFUSED: usize = 1_000;
/// The maximum number of bytes that are kept of a refused call.
const EXCERPT: usize = 4 * 1024;

/// The calls of a text.
#[derive(Debug)]
pub(super) struct Findings {
    all: Vec<Finding>,
    /// The maximum number of bytes of all calls.
    limit: usize,
    bytes: usize,
    refused: usize,
    /// True if a marker told where the calls are: what was found without one does not count.
    has_marked: bool,
}

#[derive(Debug)]
struct Finding {
    call: Result<ToolCall, RefusedCall>,
    row: &'static Format,
}

impl Findings {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            all: Vec::new(),
            limit,
            bytes: 0,
            refused: 0,
            has_marked: false,
        }
    }

    /// Adds what was read in a text of this format. There may be nothing, where a model says so.
    pub(super) fn add(&mut self, attempts: Vec<Attempt>, text: &str, row: &'static Format) {
        self.has_marked |= row.strength > Strength::Weak;
        for attempt in attempts {
            match attempt {
                Ok(call) => self.add_call(call, row),
                Err(refusal) => self.refuse(refusal, text, row),
            }
        }
    }

    fn add_call(&mut self, call: ToolCall, row: &'static Format) {
        let bytes = call.name.len() + call.arguments.len() + call.id.len();
        if self.bytes + bytes > self.limit {
            let refusal = Refusal {
                name: Some(call.name),
                reason: RefusalReason::TooLong,
            };
            return self.refuse(refusal, "", row);
        }
        self.bytes += bytes;
        let call = Ok(call);
        self.all.push(Finding { call, row });
    }

    /// Adds an attempt that is no call.
    pub(super) fn refuse(&mut self, refusal: Refusal, text: &str, row: &'static Format) {
        self.has_marked |= row.strength > Strength::Weak;
        self.refused += 1;
        if self.refused > REFUSED {
            return;
        }
        // More than the limit is there or not, as the text was cut.
        let text = text[..floor(text, EXCERPT.min(self.limit))].to_owned();
        let Refusal { name, reason } = refusal;
        let call = Err(RefusedCall { name, reason, text });
        self.all.push(Finding { call, row });
    }

    /// Forgets all of them: they were drafts.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.limit);
    }

    pub(super) fn into_end(self) -> TextEnd {
        let mut end = TextEnd::default();
        let mut refused_format = None;
        for Finding { call, row } in self.all {
            if self.has_marked && row.strength == Strength::Weak {
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
