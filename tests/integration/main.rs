//! Tests of the public surface, in one binary.

mod cancelling;
mod dispatch;
mod handwritten;
mod runs;
mod values;
