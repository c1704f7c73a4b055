//! What lets a call start: turns of a rate limit, approvals, and the end of those that still run.

pub(crate) mod approval;
pub(crate) mod rate_limit;
pub(crate) mod still_running;
