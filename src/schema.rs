//! JSON Schema of tools and of answers.
//!
//! [`ToolInput`](crate::ToolInput) gives a type its schema. [`Schema`] is one that comes from elsewhere.

pub use toolwright_core::schema::{
    Fuel, MAX_DEPTH, MAX_DESCRIPTION_CHARS, MIN_DESCRIPTION_CHARS, Part, Schema,
};
