//! From tokens to the model: our attribute grammar and syn's types. What is allowed is decided
//! elsewhere.

pub(crate) mod block;
mod declaration;
pub(crate) mod derived;
pub(crate) mod direction;
pub(crate) mod docs;
mod field_types;
pub(crate) mod function;
mod half_typed;
pub(crate) mod input;
mod item;
mod keys;
mod mark;
pub(crate) mod misplaced;
mod misspelled;
mod serde_keys;
pub(crate) mod set;
