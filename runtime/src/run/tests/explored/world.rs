//! A run, its log, and what may still happen to it.

use std::num::NonZeroUsize;

use super::*;

#[derive(Clone)]
pub(super) struct World {
    pub(super) script: Script,
    pub(super) config: RunConfig,
    pub(super) run: Run,
    pub(super) log: Vec<Record>,
    pub(super) more: More,
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
}

impl World {
    pub(super) fn new(script: Script, config: RunConfig, more: More) -> Self {
        let (run, log) = Run::start(
            RunId::new("run"),
            config.clone(),
            Conversation::new(),
            "question",
        );
        Self {
            script,
            config,
            run,
            log,
            more,
        }
    }

    pub(super) fn then(&self, signal: Signal) -> Self {
        let mut next = self.clone();
        next.log.extend(next.run.handle(signal));
        next
    }
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
};
