//! Arguments, step by step.

mod again;
mod back;

use super::{
    super::json::Json,
    KEEP, Step, StepId,
    parts::{Writer, items, pairs},
};

/// How deep arguments are looked into: the limit of decoding.
const MAX_DEPTH: usize = 128;

/// How many steps are taken: some for each byte. Only a schema whose unions stand inside each other
/// with the same variants needs more, and then the rest of the text stays as it is.
const STEPS: usize = 10_000;
const STEPS_PER_BYTE: usize = 16;

/// Which way arguments go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From the form of the provider to that of the tool.
    Back,
    /// To the provider, again.
    Again,
}

pub(super) struct Walk<'p> {
    way: Way,
    steps: &'p [Step],
    schema: &'p Json,
    left: usize,
}

impl<'p> Walk<'p> {
    pub(super) fn new(way: Way, steps: &'p [Step], schema: &'p Json, bytes: usize) -> Self {
        Self {
            way,
            steps,
            schema,
            left: bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(STEPS),
        }
    }

    /// Writes what a value becomes; as it is if it has another form than the step expects.
    pub(super) fn write(&mut self, step: StepId, text: &str, out: &mut String, depth: usize) {
        let start = out.len();
        if self.try_write(step, text, out, depth).is_none() {
            out.truncate(start);
            out.push_str(text);
        }
    }

    fn try_write(
        &mut self,
        step: StepId,
        text: &str,
        out: &mut String,
        depth: usize,
    ) -> Option<()> {
        let mut step = step;
        self.left = self.left.checked_sub(1)?;
        while let Step::Same(next) = self.steps[step] {
            self.left = self.left.checked_sub(1)?;
            step = next;
        }
        // Null that comes has one form wherever it may stand.
        let is_null = self.way == Way::Back && text == "null";
        if step == KEEP || depth > MAX_DEPTH || is_null {
            out.push_str(text);
            return Some(());
        }
        let depth = depth + 1;
        let steps = self.steps;
        match &steps[step] {
            Step::Keep | Step::Same(_) => out.push_str(text),
            Step::Map(of_values) => {
                let mut object = Writer::open(out, '{');
                for (key, value) in pairs(text)? {
                    object.key(&key);
                    self.write(*of_values, value.get(), object.out, depth);
                }
                object.close('}');
            }
            Step::List(of_items) => {
                let mut list = Writer::open(out, '[');
                for item in items(text)? {
                    list.separate();
                    self.write(*of_items, item.get(), list.out, depth);
                }
                list.close(']');
            }
            Step::Places(places) => {
                let mut list = Writer::open(out, '[');
                for (index, item) in items(text)?.into_iter().enumerate() {
                    list.separate();
                    let step = places.get(index).copied().unwrap_or(KEEP);
                    self.write(step, item.get(), list.out, depth);
                }
                list.close(']');
            }
            step => match self.way {
                Way::Back => self.back(step, text, out, depth)?,
                Way::Again => self.again(step, text, out, depth)?,
            },
        }
        Some(())
    }
}
