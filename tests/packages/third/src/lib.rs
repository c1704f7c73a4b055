//! Re-exports toolwright, as a framework on top of it would.

pub use toolwright;
