//! Checks that run while a program compiles: numbers and paths of a type, in constants.

pub(crate) mod check;
pub(crate) mod facts;
pub(crate) mod flat;
pub(crate) mod fuel;
pub(crate) mod keys;
pub(crate) mod message;
pub(crate) mod paths;
pub(crate) mod strict;
