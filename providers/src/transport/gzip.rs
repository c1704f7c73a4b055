//! Bodies that come compressed.

#[cfg(test)]
mod tests;

use std::{
    io::{self, Write},
    mem,
};

use bytes::{Buf, Bytes};
use flate2::write::GzDecoder;

/// The only compression that is requested and accepted: every provider supports it. Brotli and zstd would add
/// three crates each: those of one have 200 KB of tables, those of the other need a C compiler.
pub(super) const ENCODING: &str = "gzip";

/// So much is decompressed at once, which makes at most a thousand times as much.
const PIECE: usize = 4 * 1024;

/// Decompresses a body as it comes. Output is passed on at once, so that a server that flushes
/// after an event is read then.
#[derive(Debug)]
pub(super) struct Gzip {
    decoder: GzDecoder<Vec<u8>>,
    /// The bytes that have come and are not decompressed yet.
    came: Bytes,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Self {
            decoder: GzDecoder::new(Vec::new()),
            came: Bytes::new(),
        }
    }

    /// Takes the next bytes, once there is nothing left of those before.
    pub(super) fn feed(&mut self, bytes: Bytes) {
        self.came = bytes;
    }

    /// The next piece of what came; `None` if more has to come first.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        while !self.came.is_empty() {
            let end = self.came.len().min(PIECE);
            let taken = self.decoder.write(&self.came[..end])?;
            if taken == 0 {
                // One member is a body. Each further one would cost its own tables, and a server could
                // send millions of them in a few bytes each.
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "something follows its end",
                ));
            }
            self.came.advance(taken);
            self.decoder.flush()?;
            let piece = mem::take(self.decoder.get_mut());
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }

    /// The end of the body.
    ///
    /// # Errors
    ///
    /// Returns an error if the compressed body has not ended, or its checksum is wrong.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.decoder.try_finish()
    }
}
