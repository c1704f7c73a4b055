//! JSON for [toolwright](https://docs.rs/toolwright): text that keeps its order.
//!
//! A package of its own because both the runtime and the codecs of providers read JSON in these ways. It
//! knows no tool and no provider. Depend on `toolwright`, which re-exports what its users need: all else
//! here may change with any version.

pub mod bounded;
pub mod char_boundary;
pub mod duplicate_keys;
pub mod integer;
pub mod nesting;
pub mod pairs;
pub mod part;
pub mod path;
pub mod portable;
pub mod raw;
pub mod reader;
pub mod schema_draft;
pub mod spans;
pub mod string;
pub mod surrogates;
pub mod tokens;
pub mod tree;

mod json_text;
mod layout;
mod lossy;

pub use json_text::JsonText;
