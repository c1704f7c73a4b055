//! From tokens to the model: our attribute grammar and syn's types. What is allowed is decided
//! elsewhere.

pub(crate) mod block;
mod declaration;
pub(crate) mod derived;
pub(crate) mod direction;
mod docs;
pub(crate) mod function;
pub(crate) mod input;
mod keys;
pub(crate) mod misplaced;
mod mistaken;
mod serde_keys;
pub(crate) mod set;
