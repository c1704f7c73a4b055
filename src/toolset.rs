//! Sets of tools: errors of a [`Toolset`](crate::Toolset), and tools that come and go.

pub use toolwright_runtime::{ToolRegistry, ToolsetError};
