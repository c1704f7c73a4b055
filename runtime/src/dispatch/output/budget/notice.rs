//! The notice that replaces a part that was left out.

use std::fmt::Write as _;

use super::{count_of_breaks, text_of};
use toolwright_core::tool::{OutputPart, ToolOutput};

/// The size of the part that is left out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Missing {
    pub(super) bytes: usize,
    /// The line breaks among them.
    pub(super) lines: usize,
    /// True if a JSON part is cut in half.
    pub(super) json: bool,
}

impl Missing {
    /// As much as there is, so that no notice is longer than that of this.
    pub(super) fn of(output: &ToolOutput, bytes: usize) -> Self {
        let texts = || output.parts.iter().filter_map(text_of);
        let is_json = |part: &OutputPart| matches!(part, OutputPart::Json(_));
        Self {
            bytes,
            lines: texts().map(line_breaks).sum::<usize>() + count_of_breaks(texts().count()),
            json: output.parts.iter().any(is_json),
        }
    }
}

pub(super) fn line_breaks(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// The notice that replaces a part that was left out: the longest one that the budget has room for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Notice<'a> {
    /// The size of the missing part, and where the whole is stored.
    Full { kept: Option<&'a str> },
    /// A note that a part is missing.
    Short,
    /// No notice.
    None,
}

const SHORT: &str = "[cut]";

impl<'a> Notice<'a> {
    /// With the place of the whole it takes at most three quarters of the budget: that may be a long one.
    pub(super) fn within(limit: usize, most: Missing, kept: Option<&'a str>) -> Self {
        let with_place = Self::Full { kept };
        let without = Self::Full { kept: None };
        if kept.is_some() && with_place.bytes(most) <= limit - limit / 4 {
            with_place
        } else if without.bytes(most) <= limit {
            without
        } else if Self::Short.bytes(most) <= limit {
            Self::Short
        } else {
            Self::None
        }
    }

    /// Returns the greatest number of bytes of the notice, with the line breaks around it. Where nothing comes after
    /// it, only the line break before it counts.
    pub(super) fn bytes(self, most: Missing) -> usize {
        let around = 1 + usize::from(self.has_tail());
        self.text(most).map_or(0, |text| text.len() + around)
    }

    /// Returns true if there is room to show the end as well.
    pub(super) fn has_tail(self) -> bool {
        matches!(self, Self::Full { .. })
    }

    pub(super) fn text(self, missing: Missing) -> Option<String> {
        let kept = match self {
            Self::None => return None,
            Self::Short => return Some(SHORT.to_owned()),
            Self::Full { kept } => kept,
        };
        let mut text = format!("[... {} bytes", missing.bytes);
        let written = match missing.lines {
            0 => Ok(()),
            1 => text.write_str(" with 1 line break"),
            lines => write!(text, " with {lines} line breaks"),
        };
        written.unwrap_or_else(|_| unreachable!("a string takes every text"));
        text.push_str(" left out");
        if missing.json {
            text.push_str("; what is left is no valid JSON");
        }
        if let Some(place) = kept {
            text.push_str("; the whole output: ");
            text.push_str(place);
        }
        text.push_str(" ...]");
        Some(text)
    }

    /// Joins the remaining pieces of one part.
    pub(super) fn join(self, head: &str, notice: Option<String>, tail: &str) -> String {
        let notice = notice.unwrap_or_default();
        let pieces = [head, &notice, tail].into_iter();
        let pieces: Vec<_> = pieces.filter(|piece| !piece.is_empty()).collect();
        pieces.join(self.separator())
    }

    fn separator(self) -> &'static str {
        match self {
            Self::Full { .. } => "\n",
            Self::Short | Self::None => "",
        }
    }
}
