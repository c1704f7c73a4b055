//! JSON values, one in each line, from bytes that the network may cut anywhere.

#[cfg(test)]
mod tests;

use std::mem;

use super::EventTooLong;

/// Reads lines out of a stream of bytes: newline-delimited JSON, elsewhere called NDJSON or JSON
/// Lines.
///
/// Lines end in LF; the CR of a CRLF is white space to JSON and stays. Empty lines are handed out
/// like any other.
///
/// ```
/// use toolwright::wire::LineDecoder;
///
/// let mut seen = Vec::new();
/// let mut decoder = LineDecoder::new();
/// for piece in [&b"{\"a\""[..], b": 1}\n{", b"}"] {
///     decoder.feed(piece, |line| seen.push(line.to_vec()))?;
/// }
/// decoder.finish(|line| seen.push(line.to_vec()));
/// assert_eq!(seen, [&b"{\"a\": 1}"[..], b"{}"]);
/// # Ok::<(), toolwright::wire::EventTooLong>(())
/// ```
#[derive(Debug)]
pub struct LineDecoder {
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    limit: usize,
}

impl LineDecoder {
    /// The longest line that is read by default: 16 MiB.
    pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;

    /// Creates a decoder that has read nothing.
    pub fn new() -> Self {
        Self {
            line: Vec::new(),
            limit: Self::DEFAULT_LIMIT,
        }
    }

    /// Sets the longest line that is read, in bytes. At most that much is kept in memory.
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Reads the next bytes and hands out the lines that end in them.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is longer than the limit. Later lines cannot be recognized then: stop
    /// reading the stream.
    pub fn feed(
        &mut self,
        mut bytes: &[u8],
        mut on_line: impl FnMut(&[u8]),
    ) -> Result<(), EventTooLong> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let line = &bytes[..end];
            self.check_limit(line.len())?;
            if self.line.is_empty() {
                // The common case, a whole line in one read, is not copied.
                on_line(line);
            } else {
                self.line.extend_from_slice(line);
                on_line(&self.line);
                self.line.clear();
            }
            bytes = &bytes[end + 1..];
        }
        self.check_limit(bytes.len())?;
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// The beginning of a line whose end has not come yet.
    pub(crate) fn begun(&self) -> &[u8] {
        &self.line
    }

    /// Ends the stream. A line without its end is handed out; only its JSON can show if it was cut.
    pub fn finish(&mut self, on_line: impl FnOnce(&[u8])) {
        let line = mem::take(&mut self.line);
        if !line.is_empty() {
            on_line(&line);
        }
    }

    fn check_limit(&self, more: usize) -> Result<(), EventTooLong> {
        if self.line.len() + more > self.limit {
            return Err(EventTooLong { limit: self.limit });
        }
        Ok(())
    }
}

impl Default for LineDecoder {
    fn default() -> Self {
        Self::new()
    }
}
