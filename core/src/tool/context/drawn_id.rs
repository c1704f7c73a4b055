//! The id of a batch that few ask for.

use std::{num::NonZeroU64, process};

/// An id that is drawn for each batch. Its text is made at the first use, since few calls use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnId {
    /// Random bits, which many ids share.
    pub block: NonZeroU64,
    /// Which of the block it is.
    pub number: u64,
}

impl DrawnId {
    /// 128 bits in hexadecimal. A fork of this process has others.
    pub fn text(self) -> String {
        let process = u64::from(process::id()).rotate_right(32);
        format!("{:016x}{:016x}", self.block.get() ^ process, self.number)
    }
}
