//! The places of calls in a message, so that no chunk of a call has to look for it among all parts.

use std::collections::BTreeMap;

/// The places of the calls among the parts of a message, and of its last step.
#[derive(Debug, Clone, Default)]
pub(super) struct CallPlaces {
    /// The place after the beginning of the last step.
    step: usize,
    /// The last call with each id.
    calls: BTreeMap<String, usize>,
    /// The calls of earlier steps whose ids the last step uses again.
    earlier: Vec<(String, usize)>,
    /// The first call with each approval.
    approvals: BTreeMap<String, usize>,
}

/// They follow from the parts, which are compared.
impl PartialEq for CallPlaces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl CallPlaces {
    /// The place after the beginning of the last step.
    pub(super) fn step(&self) -> usize {
        self.step
    }

    /// Begins a step whose parts are from this place on.
    pub(super) fn start_step(&mut self, place: usize) {
        self.step = place;
        self.earlier.clear();
    }

    /// Lets go of a call of the last step, and of its approval.
    pub(super) fn remove(&mut self, call: &str, approval: Option<&str>) {
        self.calls.remove(call);
        if let Some(approval) = approval
            && self.asked(approval).is_some_and(|place| place >= self.step)
        {
            self.approvals.remove(approval);
        }
    }

    /// Finds the calls of earlier steps again, after those of the last one were removed.
    pub(super) fn restore_earlier(&mut self) {
        self.calls.extend(self.earlier.drain(..));
    }

    /// The place of a call of the last step.
    pub(super) fn in_step(&self, call: &str) -> Option<usize> {
        self.last(call).filter(|place| *place >= self.step)
    }

    /// The place of the last call with this id.
    pub(super) fn last(&self, call: &str) -> Option<usize> {
        self.calls.get(call).copied()
    }

    /// Takes a new call of the last step.
    pub(super) fn add(&mut self, call: &str, place: usize) {
        if let Some(earlier) = self.calls.insert(call.to_owned(), place) {
            self.earlier.push((call.to_owned(), earlier));
        }
    }

    /// Takes the approval that a call asks for, in the place of the one that it asked for before.
    pub(super) fn ask(&mut self, approval: &str, place: usize, before: Option<&str>) {
        if let Some(before) = before
            && self.asked(before) == Some(place)
        {
            self.approvals.remove(before);
        }
        self.approvals.entry(approval.to_owned()).or_insert(place);
    }

    /// The place of the call that asked for this approval.
    pub(super) fn asked(&self, approval: &str) -> Option<usize> {
        self.approvals.get(approval).copied()
    }
}
