//! Server-sent events from bytes that the network may cut anywhere.

#[cfg(test)]
mod tests;

use std::mem;

use memchr::memchr2;

/// Reads server-sent events out of a stream of bytes.
///
/// Lines may end in LF, CRLF or CR. Comments, a byte order mark, `data:` without a space and data
/// over several lines are read as the
/// [standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream)
/// says. The fields `id` and `retry` are ignored: no provider resumes a stream by them.
///
/// ```
/// use toolwright::wire::SseDecoder;
///
/// let mut seen = Vec::new();
/// let mut decoder = SseDecoder::new();
/// for piece in [&b"data: on"[..], b"e\n", b"\ndata: two"] {
///     decoder.feed(piece, |event| seen.push(event.data.to_vec()))?;
/// }
/// decoder.finish(|event| seen.push(event.data.to_vec()))?;
/// assert_eq!(seen, [&b"one"[..], b"two"]);
/// # Ok::<(), toolwright::wire::EventTooLong>(())
/// ```
#[derive(Debug)]
pub struct SseDecoder {
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    /// The data lines of the event so far, joined by LF.
    data: Vec<u8>,
    has_data: bool,
    name: Vec<u8>,
    /// The last line ended in CR: an LF that follows belongs to it.
    after_cr: bool,
    /// No line has ended yet: a byte order mark may stand before the first.
    at_start: bool,
    limit: usize,
}

/// One event, borrowed from the bytes it came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// The `event` field; empty if there was none. Bytes that are no UTF-8 make it empty.
    pub name: &'a str,
    /// The data, its lines joined by LF. It need not be UTF-8.
    pub data: &'a [u8],
}

/// The error of an event that is longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is longer than {limit} bytes")]
#[non_exhaustive]
pub struct EventTooLong {
    /// The limit in bytes.
    pub limit: usize,
}

/// Pieces up to this length are searched byte by byte.
const SMALL: usize = 16;

/// The byte order mark of UTF-8, which may stand before any text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl SseDecoder {
    /// The longest event that is read by default: 16 MiB, enough for an image in base64.
    pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;

    /// Creates a decoder that has read nothing.
    pub fn new() -> Self {
        Self {
            line: Vec::new(),
            data: Vec::new(),
            has_data: false,
            name: Vec::new(),
            after_cr: false,
            at_start: true,
            limit: Self::DEFAULT_LIMIT,
        }
    }

    /// Sets the longest event that is read, in bytes, the names of its fields included. At most that
    /// much is kept in memory.
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// The longest event that is read, in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Reads the next bytes and hands out the events that end in them.
    ///
    /// # Errors
    ///
    /// Returns an error if an event is longer than the limit. Later events cannot be recognized then:
    /// stop reading the stream.
    pub fn feed(
        &mut self,
        mut bytes: &[u8],
        mut on_event: impl FnMut(SseEvent<'_>),
    ) -> Result<(), EventTooLong> {
        if self.hold(bytes) {
            return Ok(());
        }
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = memchr2(b'\n', b'\r', bytes) {
            let line = &bytes[..end];
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if cr {
                match bytes.first() {
                    Some(b'\n') => bytes = &bytes[1..],
                    Some(_) => {}
                    None => self.after_cr = true,
                }
            }
            self.check_limit(line.len())?;
            if !self.line.is_empty() {
                self.line.extend_from_slice(line);
                let mut line = mem::take(&mut self.line);
                self.end_line(&line, &mut on_event)?;
                line.clear();
                self.line = line;
            } else if let Some((event, rest)) = self.whole_event(line, bytes) {
                // The common case, a whole event in one read, is not copied.
                on_event(event);
                bytes = rest;
            } else {
                self.end_line(line, &mut on_event)?;
            }
        }
        self.check_limit(bytes.len())?;
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// Ends the stream. An event without the blank line after it is handed out: some servers leave
    /// the last one out. Only its data can show if such an event was cut.
    ///
    /// # Errors
    ///
    /// Returns an error if the event is longer than the limit.
    pub fn finish(&mut self, mut on_event: impl FnMut(SseEvent<'_>)) -> Result<(), EventTooLong> {
        let line = mem::take(&mut self.line);
        if !line.is_empty() {
            self.end_line(&line, &mut on_event)?;
        }
        self.dispatch(&mut on_event);
        Ok(())
    }

    /// Keeps bytes in which no line ends, as nearly all are of a stream that comes in small pieces.
    /// `false` if they are not such bytes.
    // The decoder that calls it for each read is generic, and compiled in the crate that uses it.
    #[inline]
    pub(crate) fn hold(&mut self, bytes: &[u8]) -> bool {
        let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        if bytes.len() > SMALL
            || self.after_cr
            || bytes.iter().any(is_line_end)
            || self.check_limit(bytes.len()).is_err()
        {
            return false;
        }
        match bytes {
            // Not a call of `memcpy` for each byte.
            [byte] => self.line.push(*byte),
            _ => self.line.extend_from_slice(bytes),
        }
        true
    }

    /// The event that begins with this line, if it is one line of data with or without a name before
    /// it, and what stands after its blank line.
    fn whole_event<'a>(&self, line: &'a [u8], rest: &'a [u8]) -> Option<(SseEvent<'a>, &'a [u8])> {
        if self.has_data || self.at_start || !self.name.is_empty() {
            return None;
        }
        let (name, data, rest) = match line.strip_prefix(b"event:") {
            None => (&b""[..], line, rest),
            Some(name) => {
                let end = memchr2(b'\n', b'\r', rest)?;
                (value_of(name), &rest[..end], after_line_end(&rest[end..])?)
            }
        };
        if data.len() > self.limit {
            return None;
        }
        let event = SseEvent {
            name: std::str::from_utf8(name).unwrap_or_default(),
            data: value_of(data.strip_prefix(b"data:")?),
        };
        Some((event, after_line_end(rest)?))
    }

    fn end_line(
        &mut self,
        mut line: &[u8],
        on_event: &mut impl FnMut(SseEvent<'_>),
    ) -> Result<(), EventTooLong> {
        if mem::take(&mut self.at_start) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch(on_event);
            return Ok(());
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &b""[..]),
        };
        let value = value_of(value);
        match field {
            b"data" => {
                if self.data.len() + value.len() > self.limit {
                    return Err(EventTooLong { limit: self.limit });
                }
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            // A comment has an empty field name; unknown fields are read over, as the standard
            // asks.
            _ => {}
        }
        Ok(())
    }

    /// Hands out the event that the lines so far make, if they make one.
    fn dispatch(&mut self, on_event: &mut impl FnMut(SseEvent<'_>)) {
        if mem::take(&mut self.has_data) {
            on_event(SseEvent {
                name: std::str::from_utf8(&self.name).unwrap_or_default(),
                data: &self.data,
            });
            self.data.clear();
        }
        self.name.clear();
    }

    fn check_limit(&self, more: usize) -> Result<(), EventTooLong> {
        if self.data.len() + self.line.len() + more > self.limit {
            return Err(EventTooLong { limit: self.limit });
        }
        Ok(())
    }
}

/// Returns the bytes after a line end. Returns `None` if there is no line end, or if the rest of it may still
/// come.
fn after_line_end(bytes: &[u8]) -> Option<&[u8]> {
    bytes
        .strip_prefix(b"\n")
        .or_else(|| bytes.strip_prefix(b"\r\n"))
}

/// The value of a field, without the space that may stand before it.
fn value_of(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b" ").unwrap_or(bytes)
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::new()
    }
}
