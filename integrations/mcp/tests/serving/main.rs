//! Tools as clients of `rmcp` see them.

#![allow(clippy::unwrap_used, missing_docs)]

mod agents;
mod asking;
mod bounds;
mod callers;
mod calls;
mod elicit;
mod hostile;
mod http;
mod lists;
mod person;
mod prompts;
mod resources;
mod sessions;
mod support;
mod updates;
