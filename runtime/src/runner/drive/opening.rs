//! The beginning of a run, in its store if it is kept.

#[cfg(feature = "store")]
mod kept;

use std::mem::take;

use crate::{
    run::{Record, Run, RunOutcome},
    runner::{
        Inner,
        begin::{Begin, Resumed},
        keeper::Keeper,
    },
    tool::CancellationToken,
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
    /// Opens a run. If its store does not take it, or it is cancelled before that, the outcome says so.
    #[cfg_attr(
        not(feature = "store"),
        expect(clippy::unused_async, reason = "only a store is waited for")
    )]
    pub(super) async fn of(
        inner: &Inner,
        begin: Begin,
        cancellation: &CancellationToken,
    ) -> Result<Self, Box<RunOutcome>> {
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
            #[cfg(feature = "store")]
            Begin::New {
                keeper: Some(keeper),
                id,
                conversation,
                input,
            } => kept::begin(inner, *keeper, id, conversation, input, cancellation).await,
            #[cfg(not(feature = "store"))]
            Begin::New {
                keeper: Some(keeper),
                ..
            } => {
                let _ = cancellation;
                match *keeper {}
            }
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
