//! `bytes`.

use bytes::Bytes;

use crate::schema::{Fuel, ToolInput};

/// A list of numbers, as the type itself is written, because a text could not say every byte. The
/// type takes a text too, and means its UTF-8 bytes.
#[diagnostic::do_not_recommend]
impl ToolInput for Bytes {
    type Body<F: Fuel> = <Vec<u8> as ToolInput>::Body<F>;
}
