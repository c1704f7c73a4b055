//! A JSON text that is put together of parts.

use toolwright_json::string::quoted;

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
