//! Validation of arguments against their schema: types first, then constraints.

pub(crate) mod constraints;
pub(crate) mod types;
