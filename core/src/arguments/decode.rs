//! Decoding: from text to typed values, on the good path and by a deserialiser that knows where it is.

pub(crate) mod borrowed;
pub(crate) mod located;
pub(crate) mod object;
pub(crate) mod parameter;
pub(crate) mod slot;
pub(crate) mod text;
