//! Conditions for the start of a call: rate limits, approvals, and the end of work that still runs.

pub(crate) mod approval;
pub(crate) mod call_rules;
pub(crate) mod gate;
pub(crate) mod in_place;
pub(crate) mod rate_limit;
mod starts;
pub(crate) mod still_running;
