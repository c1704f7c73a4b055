//! The beginning of a run, in its store if it is kept.

use std::mem::take;

use crate::{
    Conversation, UserMessage,
    run::{Record, Run, RunId, RunOutcome},
    runner::{
        Inner,
        begin::{Begin, Resumed},
        keeper::{Keeper, NewKeeper},
    },
};

/// A run that begins or goes on.
pub(super) struct Opened {
    pub(super) run: Run,
    pub(super) log: Vec<Record>,
    /// The number of records of the log that its reader has.
    pub(super) new: usize,
    pub(super) resumed: Option<Box<Resumed>>,
    pub(super) keeper: Option<Keeper>,
}

impl Opened {
    /// Opens a run. If its store does not take it, the outcome says so.
    pub(super) async fn of(inner: &Inner, begin: Begin) -> Result<Self, Box<RunOutcome>> {
        match begin {
            Begin::New {
                keeper: None,
                id,
                conversation,
                input,
            } => {
                let (run, log) = Run::start(id, inner.run_config(), conversation, input);
                Ok(Self::new(run, log, None))
            }
            Begin::New {
                keeper: Some(keeper),
                id,
                conversation,
                input,
            } => Self::kept(inner, *keeper, id, conversation, input).await,
            Begin::Resumed(mut resumed) => {
                let log = take(&mut resumed.log);
                Ok(Self {
                    run: resumed.run.clone(),
                    new: log.len() - resumed.missing,
                    log,
                    keeper: resumed.keeper.take(),
                    resumed: Some(resumed),
                })
            }
        }
    }

    async fn kept(
        inner: &Inner,
        mut keeper: NewKeeper,
        id: RunId,
        given: Conversation,
        input: UserMessage,
    ) -> Result<Self, Box<RunOutcome>> {
        let (conversation, failed) = match keeper.conversation(given.clone()).await {
            Ok(conversation) => (conversation, None),
            Err(error) => (given, Some(error)),
        };
        let (run, log) = Run::start(id, inner.run_config(), conversation, input);
        let created = match failed {
            Some(error) => Err(error),
            None => keeper.create(&log).await,
        };
        match created {
            Ok(keeper) => Ok(Self::new(run, log, Some(keeper))),
            Err(error) => Err(Box::new(run.lost(error))),
        }
    }

    fn new(run: Run, log: Vec<Record>, keeper: Option<Keeper>) -> Self {
        Self {
            run,
            log,
            new: 0,
            resumed: None,
            keeper,
        }
    }
}
