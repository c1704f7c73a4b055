//! Approval of calls, by a person or a program, before they run.

pub use toolwright_core::{ApprovalPolicy, ApprovalRequest, Decision, visible, visible_line};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::Approver;
