//! The beginning of a run, in its store if it is kept.

mod kept;

use std::mem::take;

use crate::runner::{
    Inner,
    begin::{Begin, Resumed},
    input_check::{InputChecker, withheld},
    keeper::Keeper,
    run_node::StartedBy,
    typed_answer::AnswerType,
};
use toolwright_core::{
    run::{Record, Run, RunConfig, RunOutcome},
    tool::ToolContext,
};

/// A run that begins or goes on.
pub(super) struct Opened {
    pub(super) run: Run,
    pub(super) log: Vec<Record>,
    /// The number of records of the log that its reader has.
    pub(super) new: usize,
    pub(super) resumed: Option<Box<Resumed>>,
    pub(super) keeper: Option<Keeper>,
    /// The type of its answer, if that is known.
    pub(super) answer: Option<AnswerType>,
}

impl Opened {
    /// Opens a run. If it does not fit its runner, its store does not take it, or it is cancelled before that, the
    /// outcome says so.
    pub(super) async fn of(
        inner: &Inner,
        begin: Begin,
        checker: &InputChecker,
        context: &ToolContext,
    ) -> Result<Self, Box<RunOutcome>> {
        match begin {
            Begin::New {
                keeper,
                id,
                conversation,
                input,
                is_checked,
                answer,
            } => {
                let config = bound(inner.run_config(answer.as_ref()), context);
                let input = if is_checked {
                    Some(input)
                } else {
                    let check = Box::pin(checker.check(input));
                    kept::unless_cancelled(check, &context.cancellation()).await
                };
                let Some(input) = input else {
                    let (run, _) = Run::start(id, config, conversation, withheld());
                    return Err(Box::new(kept::cancelled(run)));
                };
                let Some(keeper) = keeper else {
                    let (run, log) = Run::start(id, config, conversation, input);
                    return Ok(Self::new(run, log, None, answer));
                };
                let asked = (conversation, input, answer);
                kept::begin(inner, *keeper, (id, config), asked, context).await
            }
            Begin::Refused(outcome) => Err(outcome),
            Begin::Resumed(mut resumed) => {
                let log = take(&mut resumed.log);
                Ok(Self {
                    run: resumed.run.clone(),
                    new: log.len() - resumed.missing,
                    log,
                    keeper: resumed.keeper.take(),
                    answer: resumed.answer.clone(),
                    resumed: Some(resumed),
                })
            }
        }
    }

    fn new(run: Run, log: Vec<Record>, keeper: Option<Keeper>, answer: Option<AnswerType>) -> Self {
        Self {
            run,
            log,
            new: 0,
            resumed: None,
            keeper,
            answer,
        }
    }
}

/// The settings of a run, within what is left of those around it.
fn bound(config: RunConfig, context: &ToolContext) -> RunConfig {
    match context.extension::<StartedBy>() {
        Some(started_by) => started_by.bound(config),
        None => config,
    }
}
