//! Approval of calls, by a person or a program, before they run.

#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    ApprovalId, ApprovalQueue, Approver, NotPending, PendingApproval, QueueApprover,
};
pub use toolwright_runtime::{ApprovalPolicy, ApprovalRequest, Decision};
