//! A run, its log, and what may still happen to it.

use std::{
    fmt::Write,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    mem::take,
    num::NonZeroUsize,
    rc::Rc,
};

use super::*;

#[derive(Clone)]
pub(super) struct World {
    pub(super) script: Script,
    pub(super) run: Run,
    pub(super) log: Rc<Step>,
    pub(super) ledger: Ledger,
    pub(super) more: More,
    /// A hash of the conversation and of the calls in it.
    said: u64,
}

/// The records of one signal, and what came before. The worlds after a world share it.
pub(super) struct Step {
    before: Option<Rc<Self>>,
    pub(super) records: Vec<Record>,
}

impl Step {
    /// The whole log.
    pub(super) fn log(&self) -> Vec<&Record> {
        let steps = std::iter::successors(Some(self), |step| step.before.as_deref());
        let steps: Vec<_> = steps.collect();
        steps.iter().rev().flat_map(|step| &step.records).collect()
    }
}

/// How often more something happens.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::run::tests) struct More {
    pub(in crate::run::tests) cancels: u32,
    pub(in crate::run::tests) failures: u32,
    /// Attempts that fail for a reason that may pass, and requests.
    pub(in crate::run::tests) retries: u32,
    pub(in crate::run::tests) outages: u32,
    /// Calls that wait for their rate limit, or are refused by it.
    pub(in crate::run::tests) limits: u32,
    /// Calls that have their arguments set right.
    pub(in crate::run::tests) repairs: u32,
    /// Times that are up.
    pub(in crate::run::tests) times: u32,
    /// Requests of which the model says that they are too long.
    pub(in crate::run::tests) too_long: u32,
    /// Messages that are pushed, and cancels after the round.
    pub(in crate::run::tests) pushes: u32,
    pub(in crate::run::tests) softs: u32,
    /// Programs that go away.
    pub(in crate::run::tests) crashes: u32,
    /// Approvals that are revoked, since the tool has changed.
    pub(in crate::run::tests) revokes: u32,
    /// Calls that nobody decides about or answers in time.
    pub(in crate::run::tests) expiries: u32,
    /// Calls of sub-agents, which have spent something, and limits that are shared with the run around.
    pub(in crate::run::tests) agents: u32,
    pub(in crate::run::tests) shared: u32,
    /// Calls of sub-agents whose runs are suspended.
    pub(in crate::run::tests) below: u32,
    /// Calls that record how far they have come.
    pub(in crate::run::tests) checkpoints: u32,
    /// Calls that ask a question.
    pub(in crate::run::tests) questions: u32,
}

impl World {
    pub(super) fn new(script: Script, config: RunConfig, more: More) -> Self {
        let id = RunId::new("run");
        let (run, records) = Run::start(id, config, Conversation::new(), "question");
        let mut ledger = Ledger::default();
        ledger.add(&records, &run);
        let before = None;
        let said = hash_of_said(&run);
        Self {
            script,
            run,
            log: Rc::new(Step { before, records }),
            ledger,
            more,
            said,
        }
    }

    /// The world after a signal. What every record keeps to is checked.
    pub(super) fn then(&self, signal: Signal) -> Self {
        let mut next = self.clone();
        let records = next.run.handle(signal);
        next.ledger.add(&records, &next.run);
        next.log = Rc::new(Step {
            before: Some(self.log.clone()),
            records,
        });
        let (before, after) = (&self.run.state, &next.run.state);
        let (said, says) = (&before.conversation, &after.conversation);
        if after.compacting.has_window() || !std::ptr::eq(said.messages(), says.messages()) {
            next.said = hash_of_said(&next.run);
        }
        next
    }

    /// Returns true if the last signal had no record.
    pub(super) fn is_unchanged(&self) -> bool {
        self.log.records.is_empty()
    }

    /// What tells the transcript of the world from others.
    pub(super) fn key_of_transcript(&self) -> u64 {
        match &self.run.state.phase {
            Phase::Tools(round) => {
                let results: Vec<_> = round.results_so_far().collect();
                hash(&format!("{results:?} {} {}", self.said, self.ledger.pushed))
            }
            _ => hash(&format!("{} {}", self.said, self.ledger.pushed)),
        }
    }

    /// What tells the world from others. What is large and mostly the same is not written out each time.
    pub(super) fn key(&mut self, text: &mut String) -> u64 {
        let state = &mut self.run.state;
        let conversation = take(&mut state.conversation);
        let past_calls = take(state.rounds.calls_mut());
        let config = take(&mut state.config);
        text.clear();
        let (state, more, said) = (&self.run.state, &self.more, self.said);
        // A run that takes one decision for another is not the same as one that was told the other.
        let denied = self.ledger.denied();
        write!(text, "{state:?} {more:?} {said} {denied}").expect("is a string");
        let state = &mut self.run.state;
        state.conversation = conversation;
        *state.rounds.calls_mut() = past_calls;
        state.config = config;
        hash(text)
    }
}

fn hash_of_said(run: &Run) -> u64 {
    let state = &run.state;
    hash(&format!("{:?} {:?}", state.conversation, state.rounds))
}

pub(super) fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

pub(in crate::run::tests) fn config(limits: Limits, concurrency: usize) -> RunConfig {
    RunConfig {
        limits,
        concurrency: NonZeroUsize::new(concurrency).expect("from 1"),
        ..RunConfig::default()
    }
}

pub(in crate::run::tests) const ONCE: More = More {
    cancels: 1,
    failures: 1,
    retries: 0,
    outages: 0,
    limits: 0,
    repairs: 0,
    times: 0,
    too_long: 0,
    pushes: 0,
    softs: 0,
    crashes: 0,
    revokes: 0,
    expiries: 0,
    agents: 0,
    below: 0,
    checkpoints: 0,
    questions: 0,
    shared: 0,
};
