//! The parts of a JSON text, and a text that is put together of such.

use serde_json::value::RawValue;

use super::super::json::{Pairs, quoted};

/// The members of an object; `None` for another value.
pub(super) fn pairs(text: &str) -> Option<Vec<(String, &RawValue)>> {
    let pairs: Pairs<'_> = serde_json::from_str(text).ok()?;
    Some(pairs.0)
}

/// The items of a list; `None` for another value.
pub(super) fn items(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// A list or an object that is being written.
pub(super) struct Writer<'o> {
    pub(super) out: &'o mut String,
    is_empty: bool,
}

impl<'o> Writer<'o> {
    pub(super) fn open(out: &'o mut String, bracket: char) -> Self {
        out.push(bracket);
        Self {
            out,
            is_empty: true,
        }
    }

    pub(super) fn separate(&mut self) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
    }

    pub(super) fn key(&mut self, key: &str) {
        self.separate();
        self.out.push_str(&quoted(key));
        self.out.push(':');
    }

    pub(super) fn close(self, bracket: char) {
        self.out.push(bracket);
    }
}
