//! What can go wrong with a recording.

use std::{io, path::PathBuf};

use thiserror::Error;

use super::Recording;

/// The error of a recording: it cannot be written or read, or the run is no longer the one that was recorded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file does not exist yet.
    #[error(
        "there is no recording `{}` yet.\n\nTo record it, with the real model: {}=1 cargo test\nThen review it and commit \
         it.{}",
        path.display(), Recording::VARIABLE, in_ci(*.is_ci)
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// True if recording was asked for and `CI` is set: nothing is recorded there.
        is_ci: bool,
    },
    /// The file cannot be read.
    #[error("the recording `{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file cannot be written, or not all of it.
    #[error("the recording `{}` cannot be written: {error}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system, or what of the run cannot be written.
        error: io::Error,
    },
    /// The file has a newer version than this program reads.
    #[error(
        "the recording `{}` has version {version}, and this program reads up to {}: use a newer toolwright, or record it \
         anew: {}=1 cargo test",
        path.display(), Recording::VERSION, Recording::VARIABLE
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        version: u64,
    },
    /// A line of the file is not valid in a recording.
    #[error(
        "line {line} of the recording `{}` is damaged: {problem}. Restore it from version control, or record it anew: \
         {}=1 cargo test",
        path.display(), Recording::VARIABLE
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// A description of what is wrong with it.
        problem: String,
    },
    /// The model to record cannot be made.
    #[error("the model to record `{}` cannot be made: {error}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The error of the code that makes it.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The run is not the one that was recorded: it would send another request.
    #[error(
        "{what} (`-` recorded, `+` now)\n\n{difference}\nIf that is meant, record it anew: {}=1 cargo test",
        Recording::VARIABLE
    )]
    Diverged {
        /// The file.
        path: PathBuf,
        /// The number of the request, from 1.
        request: usize,
        /// A sentence about it, with the number of the request and the file.
        what: String,
        /// What was sent then and what would be sent now, a line for each.
        difference: String,
    },
    /// The run ended before it had sent all that was recorded.
    #[error(
        "the run is over before request {first} of {recorded} in `{}`, which ended with\n\n- {last}\n\nIf that is meant, \
         record it anew: {}=1 cargo test",
        path.display(), Recording::VARIABLE
    )]
    Unasked {
        /// The file.
        path: PathBuf,
        /// The number of the first request that was not sent, from 1.
        first: usize,
        /// The number of requests in the file.
        recorded: usize,
        /// The start of the last message of that request.
        last: String,
    },
}

fn in_ci(is_ci: bool) -> &'static str {
    if is_ci {
        " Nothing is recorded here, because `CI` is set."
    } else {
        ""
    }
}
