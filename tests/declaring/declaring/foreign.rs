//! Types of other crates in arguments: those with a feature of their own, those that schemars
//! describes, and our types where others ask for `schemars::JsonSchema`.

mod described;
mod given;
mod names;
mod texts;
