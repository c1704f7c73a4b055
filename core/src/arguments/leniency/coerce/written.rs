//! A record of the values that are as the model wrote them.

use toolwright_json::part::place;

/// The text that is read, and what of it was written otherwise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'t> {
    text: &'t str,
    /// The starts of the values that were rewritten, in order.
    respelled: &'t [usize],
    /// True if the text was made from one in which values were rewritten.
    pub(super) is_inside_respelled: bool,
}

impl<'t> Written<'t> {
    pub(super) fn new(text: &'t str, respelled: &'t [usize]) -> Self {
        Self {
            text,
            respelled,
            is_inside_respelled: false,
        }
    }

    /// Returns true if a value is written as it came. This is not known of a copy of a part.
    pub(super) fn has(&self, value: &str) -> bool {
        if self.is_inside_respelled {
            return false;
        }
        if self.respelled.is_empty() {
            return true;
        }
        place(value, self.text)
            .is_some_and(|place| self.respelled.binary_search(&place.start).is_err())
    }
}
