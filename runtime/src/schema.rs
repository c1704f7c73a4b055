//! The schema of a tool's arguments.

mod text;

pub use text::Schema;

/// A node of the schema tree.
#[derive(Debug)]
pub struct Node;
