//! Cuts what is too long for a model to read.
//!
//! What is left is a head and a tail, with a notice between them that says how much is missing. All
//! text parts of an output share one budget, as if they were one text with a line break between
//! them, which is how a model reads them.

mod boundary;
mod error;
mod notice;

use std::ops::Range;

pub(super) use error::{cut_error, error_bytes};

use boundary::{ceil, floor};
use notice::{Missing, Notice};
use toolwright_core::tool::{OutputPart, ToolOutput};

/// Returns the number of bytes of text that a model reads of an output.
pub(crate) fn output_bytes(output: &ToolOutput) -> usize {
    let texts = output.parts.iter().filter_map(text_of);
    let (bytes, count) = texts.fold((0, 0), |(bytes, count), text| {
        (bytes + text.len(), count + 1)
    });
    bytes + count_of_breaks(count)
}

/// An output with at most so many bytes of text. `kept` says where the whole is. Images are no text
/// and stay.
pub(crate) fn cut_output(output: ToolOutput, limit: usize, kept: Option<&str>) -> ToolOutput {
    let bytes = output_bytes(&output);
    if bytes <= limit {
        return output;
    }
    let total = Missing::of(&output, bytes);
    let notice = Notice::within(limit, total, kept);
    let room = limit.saturating_sub(notice.bytes(total));
    let tail = if notice.has_tail() { room / 2 } else { 0 };
    let missing = hole(&output, room - tail, bytes - tail);
    Cut { missing, notice }.apply(output)
}

/// A text with at most so many bytes.
pub(crate) fn cut_text(text: String, limit: usize, kept: Option<&str>) -> String {
    if text.len() <= limit {
        return text;
    }
    let cut = cut_output(ToolOutput::text(text), limit, kept);
    cut.to_text().into_owned()
}

fn text_of(part: &OutputPart) -> Option<&str> {
    match part {
        OutputPart::Text(text) | OutputPart::Json(text) => Some(text),
        _ => None,
    }
}

fn count_of_breaks(texts: usize) -> usize {
    texts.saturating_sub(1)
}

/// Each text part with the range of its bytes in the whole text.
fn placed(output: &ToolOutput) -> impl Iterator<Item = (Range<usize>, &str)> {
    let texts = output.parts.iter().filter_map(text_of);
    texts.scan(0, |start, text| {
        let range = *start..*start + text.len();
        *start = range.end + 1;
        Some((range, text))
    })
}

/// Returns the range of the whole text that is left out: at least from `head` to `tail`, and no half of a character.
fn hole(output: &ToolOutput, head: usize, tail: usize) -> Range<usize> {
    let mut hole = head..tail;
    for (range, text) in placed(output) {
        // The line break behind a part belongs to it.
        if (range.start..=range.end).contains(&head) {
            hole.start = range.start + floor(text, head - range.start);
        }
        if (range.start..=range.end).contains(&tail) {
            hole.end = range.start + ceil(text, tail - range.start);
        }
    }
    hole
}

/// The range that is left out, and the notice that replaces it.
struct Cut<'a> {
    missing: Range<usize>,
    notice: Notice<'a>,
}

impl Cut<'_> {
    fn apply(self, output: ToolOutput) -> ToolOutput {
        let mut notice = self.notice.text(self.missing_of(&output));
        let mut start = 0;
        let mut parts = Vec::new();
        for part in output.parts {
            let Some(text) = text_of(&part) else {
                parts.push(part);
                continue;
            };
            let range = start..start + text.len();
            start = range.end + 1;
            let is_behind = self.notice.has_tail() && self.missing.end <= range.start;
            if is_behind {
                parts.extend(notice.take().map(OutputPart::Text));
            }
            if is_behind || range.end <= self.missing.start {
                parts.push(part);
                continue;
            }
            let head = &text[..self.missing.start.saturating_sub(range.start)];
            let tail = &text[(self.missing.end - range.start).min(text.len())..];
            let joined = self.notice.join(head, notice.take(), tail);
            if !joined.is_empty() {
                parts.push(OutputPart::Text(joined));
            }
        }
        parts.extend(notice.map(OutputPart::Text));
        ToolOutput { parts }
    }

    fn missing_of(&self, output: &ToolOutput) -> Missing {
        let mut missing = Missing {
            bytes: self.missing.len(),
            ..Missing::default()
        };
        for ((range, text), part) in placed(output).zip(texts_only(output)) {
            let from = self.missing.start.clamp(range.start, range.end) - range.start;
            let to = self.missing.end.clamp(range.start, range.end) - range.start;
            missing.lines += notice::line_breaks(&text[from..to]);
            missing.lines += usize::from(self.missing.contains(&range.end));
            let is_cut = from < to && to - from < text.len();
            missing.json |= is_cut && matches!(part, OutputPart::Json(_));
        }
        missing
    }
}

fn texts_only(output: &ToolOutput) -> impl Iterator<Item = &OutputPart> {
    output.parts.iter().filter(|part| text_of(part).is_some())
}

#[cfg(test)]
mod tests;
