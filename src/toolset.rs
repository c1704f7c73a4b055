//! Sets of tools: errors of a [`Toolset`](crate::Toolset), and a registry whose tools can change.

pub use toolwright_core::{ToolRegistry, ToolsetError};
