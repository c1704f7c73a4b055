//! Tools for programs that have another client, with the types of that client: what the section "Another
//! client" of the guide shows.

#![deny(warnings, missing_docs, clippy::pedantic)]
#![forbid(unsafe_code)]

pub mod chat;
pub mod genai;
pub mod responses;
