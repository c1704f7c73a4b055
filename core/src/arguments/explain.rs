//! Errors about arguments that do not fit, for the model: the place, the expected value, the actual value, and the
//! nearest known name.

pub(crate) mod choices;
pub(crate) mod example;
pub(crate) mod expectation;
pub(crate) mod fault;
pub(crate) mod message;
pub(crate) mod mistakes;
pub(crate) mod refused;
pub(crate) mod suggest;
