//! One attempt of a call: where it runs, how long it may take, and what is known of it meanwhile.

pub(crate) mod deadline;
pub(crate) mod end;
pub(crate) mod execute;
pub(crate) mod offload;
#[cfg(feature = "tracing")]
pub(crate) mod span;
pub(crate) mod start;
pub(crate) mod work_state;
