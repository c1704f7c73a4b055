//! What is kept, as statements. Each function is a part of a transaction that the caller has begun.

pub(crate) mod columns;
pub(crate) mod conversations;
pub(crate) mod inbox;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod log;
pub(crate) mod runs;
pub(crate) mod schema;
