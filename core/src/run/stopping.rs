//! Whether a run is to stop, and why.

use super::{Interruption, Record};

/// The reason why calls do not start that had not when the time of the run was up.
pub const TIME_IS_UP: &str = "the time of the run is up";

/// Whether a run has to stop, because it was cancelled or because its time is up.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Stopping {
    cancel: Cancel,
    /// True if the time of the run is up. At most the summary comes after that.
    is_late: bool,
    /// The cause that has just broken off a response: its own record comes next.
    interrupted: Option<Interruption>,
}

/// Whether a run was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Cancel {
    #[default]
    None,
    /// When its round is over.
    AfterRound,
    Now,
}

impl Stopping {
    /// Returns true if a record about the end of the run may come next, by what was asked for so far. `has_time` is true
    /// if the run has a time limit.
    pub(super) fn accepts(&self, record: &Record, has_time: bool) -> bool {
        match record {
            Record::CancelAfterRound => self.cancel == Cancel::None,
            Record::CancelRequested
            | Record::ResponseBrokenOff {
                by: Interruption::Cancel,
                ..
            } => !self.is_cancelled(),
            Record::TimeLimitReached
            | Record::ResponseBrokenOff {
                by: Interruption::TimeLimit,
                ..
            } => has_time,
            _ => false,
        }
    }

    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::ResponseBrokenOff { by, .. } => self.interrupted = Some(*by),
            Record::CancelAfterRound => self.cancel = Cancel::AfterRound,
            Record::CancelRequested => {
                self.cancel = Cancel::Now;
                self.interrupted = None;
            }
            Record::TimeLimitReached => {
                self.is_late = true;
                self.interrupted = None;
            }
            _ => {}
        }
    }

    /// The record of what has just broken off a response.
    pub(super) fn due(&self) -> Option<Record> {
        self.interrupted.map(Interruption::record)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel == Cancel::Now
    }

    /// Returns true if the run ends when its round is over, or with the response that is coming.
    pub(super) fn is_after_round(&self) -> bool {
        self.cancel == Cancel::AfterRound
    }

    pub(super) fn is_late(&self) -> bool {
        self.is_late
    }

    /// Returns the reason why no call starts any more, if none does.
    pub(super) fn reason(&self) -> Option<&'static str> {
        match (self.is_cancelled(), self.is_late) {
            (true, _) => Some("the run was cancelled"),
            (false, true) => Some(TIME_IS_UP),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelResponse;

    fn broken_off(by: Interruption) -> Record {
        let partial = ModelResponse::from_text("so far");
        Record::ResponseBrokenOff { partial, by }
    }

    #[test]
    fn a_cancel_comes_once_and_one_after_the_round_only_before_it() {
        let mut stopping = Stopping::default();
        for (record, again, after_round) in [
            (Record::CancelAfterRound, true, true),
            (Record::CancelRequested, false, false),
        ] {
            assert!(stopping.accepts(&record, false));
            stopping.apply(&record);
            assert!(!stopping.accepts(&record, false));
            assert!(!stopping.accepts(&Record::CancelAfterRound, false));
            assert_eq!(stopping.accepts(&Record::CancelRequested, false), again);
            assert_eq!(stopping.is_after_round(), after_round);
        }
        assert_eq!(stopping.reason(), Some("the run was cancelled"));
        assert!(!stopping.accepts(&broken_off(Interruption::Cancel), true));
    }

    #[test]
    fn what_broke_off_a_response_is_recorded_next() {
        for by in [Interruption::Cancel, Interruption::TimeLimit] {
            let mut stopping = Stopping::default();
            assert!(stopping.accepts(&broken_off(by), true));
            stopping.apply(&broken_off(by));
            assert_eq!(stopping.reason(), None);
            let due = stopping.due().expect("it is due");
            stopping.apply(&due);
            assert_eq!(stopping.due(), None);
            assert!(stopping.reason().is_some());
        }
    }

    #[test]
    fn only_a_run_with_a_time_limit_is_late() {
        let mut stopping = Stopping::default();
        for record in [
            Record::TimeLimitReached,
            broken_off(Interruption::TimeLimit),
        ] {
            assert!(!stopping.accepts(&record, false) && stopping.accepts(&record, true));
        }
        stopping.apply(&Record::TimeLimitReached);
        assert_eq!(
            (stopping.is_late(), stopping.reason()),
            (true, Some(TIME_IS_UP))
        );
    }
}
