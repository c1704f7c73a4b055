//! Places in a text that a provider counts in characters.

use std::ops::Range;

use serde_json::Value;

/// The places of the characters of a text, in bytes.
#[derive(Debug)]
pub(crate) struct Places {
    /// None if each character is a byte.
    starts: Option<Vec<usize>>,
    end: usize,
}

impl Places {
    pub(crate) fn of(text: &str) -> Self {
        let starts = || text.char_indices().map(|(byte, _)| byte).collect();
        Self {
            starts: (!text.is_ascii()).then(starts),
            end: text.len(),
        }
    }

    /// The bytes that an annotation is for. Its places are those of characters (openai-python,
    /// `types/responses/response_output_text.py`).
    pub(crate) fn bytes_of(&self, cited: &Value) -> Option<Range<usize>> {
        let byte_at = |name: &str| {
            let place = usize::try_from(cited[name].as_u64()?).ok()?;
            match &self.starts {
                None => (place <= self.end).then_some(place),
                Some(starts) if place == starts.len() => Some(self.end),
                Some(starts) => starts.get(place).copied(),
            }
        };
        Some(byte_at("start_index")?..byte_at("end_index")?)
    }
}
