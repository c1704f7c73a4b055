//! Typed tools for language models.
