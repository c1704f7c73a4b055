//! Validation of arguments against their schema: their shape first, then constraints.

pub(crate) mod constraints;
pub(crate) mod shape;
