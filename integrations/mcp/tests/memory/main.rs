//! What a hostile peer sends costs a bounded amount of memory. Each test counts the allocations of its thread, on which all of
//! it runs. It is a program of its own, since it counts by an allocator of its own.

#![allow(clippy::unwrap_used, missing_docs)]

mod client;
#[allow(dead_code, reason = "it has more than is used here")]
#[path = "../using/scripted.rs"]
mod scripted;
mod service;

use allocation_counter::measure;
use tokio::io::{AsyncWrite, AsyncWriteExt};

const MIB: usize = 1 << 20;
/// Short messages: 256 MiB of them would take long to read without optimisation.
const SHORT: Size = Size {
    letters: 4 << 10,
    sent: 128 * MIB,
    max: 4 * MIB,
};
/// Messages that are read: the longest line has 16 MiB.
const LONG: Size = Size {
    letters: 10 * MIB,
    sent: 256 * MIB,
    max: 64 * MIB,
};
/// One message without an end.
const ENDLESS: Size = Size {
    letters: 256 * MIB,
    sent: 256 * MIB,
    max: 64 * MIB,
};

/// How much is sent, and how much of it is in memory at once.
#[derive(Clone, Copy)]
struct Size {
    /// Those of a message.
    letters: usize,
    /// Of all messages together.
    sent: usize,
    /// With all else that the two sides need.
    max: usize,
}

/// A message up to its letters, with a number in the middle of it, and the end after them.
struct Message {
    begin: String,
    middle: &'static str,
    end: &'static str,
}

impl Message {
    fn new(begin: impl Into<String>, middle: &'static str, end: &'static str) -> Self {
        Self {
            begin: begin.into(),
            middle,
            end,
        }
    }

    /// Sends it in pieces: what sends needs no memory.
    async fn send(&self, number: usize, letters: usize, to: &mut (impl AsyncWrite + Unpin)) {
        const PIECE: [u8; 4 << 10] = [b'a'; 4 << 10];
        let begin = format!("{}{number}{}", self.begin, self.middle);
        to.write_all(begin.as_bytes()).await.unwrap();
        for _ in 0..letters / PIECE.len() {
            to.write_all(&PIECE).await.unwrap();
        }
        to.write_all(self.end.as_bytes()).await.unwrap();
        to.write_all(b"\n").await.unwrap();
    }
}

/// Checks that what is done with so many bytes never has more than its bound of them.
fn bounded(size: Size, work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let used = measure(|| runtime.block_on(work));
    // A line is in memory at once, up to the limit: this thread reads it.
    let line = size.letters.min(16 * MIB);
    assert!(used.bytes_max > line as u64, "{used:?}");
    assert!(used.bytes_max < size.max as u64, "{used:?}");
}
