//! Sets of tools: errors of a [`Toolset`](crate::Toolset), a registry whose tools can change, and the search among
//! [deferred tools](crate::guide::tools_on_demand).

pub use toolwright_core::{
    ToolChanges, ToolRegistry, ToolSearch, ToolsetError, WeakToolRegistry, WordSearch,
};
