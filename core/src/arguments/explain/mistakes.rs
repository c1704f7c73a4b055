//! The mistakes in the arguments of one call, a few of them.

use super::{
    fault::Fault,
    message::{BETWEEN, MAX_CHARS, told},
};
use crate::ToolError;

/// The number of mistakes that are reported at once.
const TOLD: usize = 4;

/// The first mistakes, and whether there are others.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    pub(crate) faults: Vec<Fault>,
    has_more: bool,
}

impl From<Fault> for Mistakes {
    fn from(fault: Fault) -> Self {
        Self {
            faults: vec![fault],
            has_more: false,
        }
    }
}

impl Mistakes {
    /// Adds a mistake. It is built only if it is reported.
    pub(crate) fn add(&mut self, fault: impl FnOnce() -> Fault) {
        if self.is_full() {
            self.has_more = true;
        } else {
            self.faults.push(fault());
        }
    }

    /// Adds mistakes that have been found in their order.
    pub(crate) fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        for fault in faults {
            self.add(|| fault);
        }
    }

    fn is_full(&self) -> bool {
        self.faults.len() >= TOLD
    }

    /// Returns true if there are known to be more mistakes than are reported, so that no further search is needed.
    pub(crate) fn overflows(&self) -> bool {
        self.has_more
    }

    /// Says which text came to those that are about the whole.
    pub(crate) fn with_text(mut self, text: &str) -> Self {
        for fault in &mut self.faults {
            fault.set_text(text);
        }
        self
    }

    /// Returns the error for the model.
    pub(crate) fn error(&self) -> ToolError {
        let mut text = String::with_capacity(ROOM);
        for fault in &self.faults {
            text.push_str(if text.is_empty() { "" } else { BETWEEN });
            fault.write(&mut text);
        }
        if self.has_more {
            text.push_str(BETWEEN);
            text.push_str(MORE);
        }
        // No text has more characters than bytes.
        if text.len() <= MAX_CHARS {
            return ToolError::invalid_arguments(text);
        }
        let more = self.has_more.then(|| MORE.to_owned());
        told(self.faults.iter().map(Fault::message).chain(more))
    }
}

/// The number of bytes for which there is room in a message from the start.
const ROOM: usize = 128;

/// The note about mistakes that are not reported.
const MORE: &str = "and more";
