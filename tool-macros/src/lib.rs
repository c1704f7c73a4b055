//! The macros of toolwright.
