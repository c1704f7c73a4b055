//! Text and lines in a terminal or a file.

use std::io::{self, Write};

use super::harmless;

/// The columns of a line, unless set.
const COLUMNS: usize = 80;

/// Writes text, and lines that begin with two spaces and are cut to the width.
pub(super) struct Lines<W> {
    pub(super) writer: W,
    pub(super) columns: usize,
    /// True if lines may be written over.
    pub(super) rewrites: bool,
    /// True if the next character begins a line.
    is_at_start: bool,
    /// The width of the line that is written over next.
    passing: usize,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(writer: W) -> Self {
        Self {
            writer,
            columns: COLUMNS,
            rewrites: false,
            is_at_start: true,
            passing: 0,
        }
    }

    /// Writes text as it is, but for control characters. It gives whether that was any.
    pub(super) fn text(&mut self, text: &str) -> io::Result<bool> {
        let text = harmless::lines(text);
        if text.is_empty() {
            return Ok(false);
        }
        self.clear()?;
        self.is_at_start = text.ends_with('\n');
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()?;
        Ok(true)
    }

    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        self.begin()?;
        let line = harmless::one_line(line, self.columns.saturating_sub(2));
        writeln!(self.writer, "  {line}")?;
        self.writer.flush()
    }

    /// Writes a line that the next output is written over.
    pub(super) fn pass(&mut self, line: &str) -> io::Result<()> {
        self.begin()?;
        // The last column stays free: terminals go on in the next line when it is full.
        let line = harmless::one_line(line, self.columns.saturating_sub(3));
        self.passing = harmless::width(&line) + 2;
        write!(self.writer, "  {line}")?;
        self.writer.flush()
    }

    /// Begins a line.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        self.clear()?;
        if !std::mem::replace(&mut self.is_at_start, true) {
            writeln!(self.writer)?;
            self.writer.flush()?;
        }
        Ok(())
    }

    /// Writes over the line that passes. Spaces do this on every terminal, and escape sequences do not.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.passing) {
            0 => Ok(()),
            // A width in a format is at most 65535.
            width => write!(self.writer, "\r{}\r", " ".repeat(width)),
        }
    }
}

impl Lines<Vec<u8>> {
    /// Takes out the lines that are whole.
    pub(super) fn take_whole(&mut self) -> String {
        let end = self.writer.iter().rposition(|byte| *byte == b'\n');
        let whole: Vec<u8> = self.writer.drain(..end.map_or(0, |end| end + 1)).collect();
        String::from_utf8_lossy(&whole).into_owned()
    }
}
