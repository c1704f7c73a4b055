//! What is kept, as statements. Each function is one operation of a store.

pub(crate) mod columns;
pub(crate) mod conversations;
pub(crate) mod inbox;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod log;
pub(crate) mod runs;
pub(crate) mod schema;
pub(crate) mod text;
