//! The pieces of a text that are emitted while it is read, without the space around calls.

use toolwright_json::char_boundary::floor;

use crate::text_calls::TextPiece;

/// The maximum length of space that is held back.
const MAX_SPACE: usize = 1024;

/// The pieces that are ready.
#[derive(Debug, Default)]
pub(super) struct Output {
    pieces: Vec<TextPiece>,
    text: Trimmed,
    reasoning: Trimmed,
}

/// Text without the space around it: space is held back until something else follows.
#[derive(Debug, Default)]
struct Trimmed {
    has_begun: bool,
    space: String,
    /// True if the space is longer than what is held back.
    is_long: bool,
    /// True if a call was taken out here: the space before it stands for that after it too.
    is_seam: bool,
}

impl Trimmed {
    /// Adds text to what is ready.
    fn add(&mut self, text: &str, ready: &mut String) {
        let drops_space = !self.has_begun || self.is_seam && !self.space.is_empty();
        let start = if drops_space { text.trim_start() } else { text };
        let trimmed = start.trim_end();
        if !trimmed.is_empty() {
            (self.has_begun, self.is_long, self.is_seam) = (true, false, false);
            ready.push_str(&self.space);
            self.space.clear();
            ready.push_str(trimmed);
        }
        self.hold(&start[trimmed.len()..]);
    }

    fn hold(&mut self, space: &str) {
        if !self.is_long {
            let end = floor(space, MAX_SPACE - self.space.len());
            self.is_long = end < space.len();
            self.space.push_str(&space[..end]);
        }
    }
}

impl Output {
    pub(super) fn text(&mut self, text: &str) {
        if let Some(TextPiece::Text(ready)) = self.pieces.last_mut() {
            return self.text.add(text, ready);
        }
        let mut ready = String::new();
        self.text.add(text, &mut ready);
        if !ready.is_empty() {
            self.pieces.push(TextPiece::Text(ready));
        }
    }

    /// Returns true if there was text other than space.
    pub(super) fn has_text(&self) -> bool {
        self.text.has_begun
    }

    /// Marks the place of calls that were taken out.
    pub(super) fn seam(&mut self) {
        self.text.is_seam = !self.text.space.is_empty();
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        if let Some(TextPiece::Reasoning(ready)) = self.pieces.last_mut() {
            return self.reasoning.add(text, ready);
        }
        let mut ready = String::new();
        self.reasoning.add(text, &mut ready);
        if !ready.is_empty() {
            self.pieces.push(TextPiece::Reasoning(ready));
        }
    }

    /// Begins another part of the reasoning.
    pub(super) fn new_reasoning(&mut self) {
        if self.reasoning.has_begun && !self.reasoning.space.contains('\n') {
            "\n".clone_into(&mut self.reasoning.space);
        }
    }

    /// All text so far was reasoning.
    pub(super) fn text_was_reasoning(&mut self) {
        self.text = Trimmed::default();
        self.pieces.push(TextPiece::TextWasReasoning);
    }

    pub(super) fn take(&mut self) -> Vec<TextPiece> {
        std::mem::take(&mut self.pieces)
    }
}
