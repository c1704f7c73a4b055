//! The reader of a text that comes in pieces.

mod findings;
mod markers;
mod openings;
mod output;
