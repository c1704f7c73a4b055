//! What a model reads of arguments that do not fit: the place, what was expected, what came, what is near.

pub(crate) mod choices;
pub(crate) mod example;
pub(crate) mod expectation;
pub(crate) mod fault;
pub(crate) mod message;
pub(crate) mod mistakes;
pub(crate) mod refused;
pub(crate) mod suggest;
