//! Faults that a test puts into the machine, to see that the exploration of its states finds them. Elsewhere there are
//! none.

use crate::{conversation::not_executed, tool::ToolResult};

/// A fault of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    RerunsWrite,
    RerunsBelow,
    HidesInterruption,
    StartsUnrecorded,
    LosesSibling,
    SwapsResults,
    UnlocksLastRequest,
    IgnoresRounds,
    IgnoresToolCalls,
    DropsEdit,
    RunsForbidden,
    RunsDenied,
    RunsUnapproved,
    RunsExternal,
    PassesBarrier,
    LosesPushed,
    IgnoresStop,
    LeavesCalls,
    KeepsRevoked,
    RunsExpired,
    CorrectsBeyondLimits,
    DropsAnswer,
    CountsAnswers,
    ForgetsAgents,
    IgnoresShared,
    TransfersTwice,
    ForgetsCheckpoint,
    ForgetsAnswers,
    AsksTwice,
}

#[cfg(not(test))]
pub(super) const fn has(_: Fault) -> bool {
    false
}

#[cfg(test)]
pub(super) use seeded::{has, seed};

/// Spoils the results of a round, if one of two faults is there.
pub(super) fn spoil(results: &mut [Option<ToolResult>]) {
    let [Some(first), .., Some(last)] = results else {
        return;
    };
    if has(Fault::SwapsResults) {
        std::mem::swap(&mut first.outcome, &mut last.outcome);
    } else if has(Fault::LosesSibling) {
        first.outcome = Err(Box::new(not_executed("lost")));
    }
}

#[cfg(test)]
mod seeded {
    use std::cell::Cell;

    use super::Fault;

    thread_local! {
        static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Puts a fault into the runs of this thread, or takes it out.
    pub(in crate::run) fn seed(fault: Option<Fault>) {
        FAULT.set(fault);
    }

    pub(in crate::run) fn has(fault: Fault) -> bool {
        FAULT.get() == Some(fault)
    }
}
