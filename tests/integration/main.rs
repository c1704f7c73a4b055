//! The behaviour of the public API.

mod declaring;
