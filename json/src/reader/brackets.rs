//! The brackets that are open.

/// A stack of brackets, a bit each. The first 64 are kept in place.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    /// The innermost ones; the last is the lowest bit.
    bits: u64,
    depth: usize,
    /// Those further out, 64 in each.
    outer: Vec<u64>,
}

impl Brackets {
    /// Opens an object, or an array.
    pub(super) fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(is_object);
        self.depth += 1;
    }

    /// Returns true if the innermost is an object; `None` if none is open.
    pub(super) fn last(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    /// Closes the innermost.
    pub(super) fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.bits >>= 1;
        if self.depth.is_multiple_of(64)
            && let Some(outer) = self.outer.pop()
        {
            self.bits = outer;
        }
    }
}
