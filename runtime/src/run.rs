//! One user request from question to answer: the pure state machine.

mod config;
mod outcome;
mod record;
mod request;
mod state;

pub use config::{Limits, OnLimit, RunConfig};
pub use outcome::{Failure, Finish, Limit, RunError, RunOutcome};
pub use record::{CallId, Record, RunId};

use state::{Phase, State};

use crate::{
    Conversation, UserMessage,
    conversation::not_executed,
    model::{FinishReason, ModelError, ModelErrorKind, ModelRequest, ModelResponse},
    schedule::CallState,
    tool::{ToolCall, ToolPolicy, ToolResult},
};

/// One user request from question to answer.
///
/// A run decides and does nothing: [`poll`](Self::poll) says what may be done now, and
/// [`handle`](Self::handle) takes what happened and says what to append to the log. It knows no
/// clock, no randomness, no task and no socket. Its state is a fold over the log: the same records,
/// given to [`replay`](Self::replay), are the same run.
///
/// [`Runner`](crate::Runner) performs it on tokio. Drive it by hand for another executor, or to
/// decide each step yourself:
///
/// ```
/// use toolwright_runtime::{Conversation, ModelResponse, ToolCall, ToolPolicy, ToolResult};
/// use toolwright_runtime::run::{Action, Finish, Run, RunConfig, RunId, Signal};
///
/// let (mut run, _log) =
///     Run::start(RunId::new("1"), RunConfig::default(), Conversation::new(), "Weather in Oslo?");
/// assert!(matches!(run.poll()[..], [Action::CallModel(_)]));
///
/// let response = ModelResponse::from_calls([ToolCall::new("a", "get_weather", "{}")]);
/// run.handle(Signal::Replied { response, policies: vec![ToolPolicy::default()] });
/// let [Action::StartCall(id)] = run.poll()[..] else { panic!("the call may start") };
/// run.handle(Signal::CallStarted(id));
/// run.handle(Signal::CallFinished(id, ToolResult::success("a", "sunny")));
///
/// run.handle(Signal::Replied { response: ModelResponse::from_text("Sunny."), policies: vec![] });
/// let outcome = run.outcome().unwrap();
/// assert_eq!((outcome.finish, outcome.text.as_str()), (Finish::Answered, "Sunny."));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    state: State,
    /// How many records the log holds.
    sequence: u64,
}

/// What may be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Send [`Run::request`] to the model, once, and signal its reply or its error.
    CallModel(ModelCall),
    /// Signal that the call starts, then run it, then signal its result. Calls start in the order in
    /// which they are polled.
    StartCall(CallId),
    /// Stop the call, which is running, and signal its result.
    CancelCall(CallId),
}

/// Which request a model call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelCall {
    /// The model may call tools.
    Open,
    /// A limit was reached: the tools are shown and none may be called.
    Locked,
    /// The model did not answer a locked request: the history is text, and there are no tools.
    Flattened,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Signal {
    /// The model replied.
    Replied {
        /// The whole reply.
        response: ModelResponse,
        /// The policy of the tool of each call, in the order of the calls; the default where one is
        /// missing.
        policies: Vec<ToolPolicy>,
    },
    /// The model did not reply.
    ModelFailed(ModelError),
    /// A call starts. Signal it before the call has any effect.
    CallStarted(CallId),
    /// A call that had started has finished.
    CallFinished(CallId, ToolResult),
    /// The run should stop.
    Cancel,
}

impl Run {
    /// Starts a run and gives the first records of its log.
    pub fn start(
        id: RunId,
        config: RunConfig,
        conversation: Conversation,
        input: impl Into<UserMessage>,
    ) -> (Self, Vec<Record>) {
        let record = Record::Started {
            run_id: id,
            config,
            conversation,
            input: input.into(),
        };
        let state = State::new(&record).expect("a log that begins with `Started` has a state");
        let mut run = Self { state, sequence: 1 };
        let mut records = vec![record];
        run.settle(&mut records);
        (run, records)
    }

    /// The run of a log; `None` if the log does not begin with [`Record::Started`].
    pub fn replay<'a>(log: impl IntoIterator<Item = &'a Record>) -> Option<Self> {
        let mut log = log.into_iter();
        let mut run = Self {
            state: State::new(log.next()?)?,
            sequence: 1,
        };
        for record in log {
            run.apply(record);
        }
        Some(run)
    }

    /// What may be done now. Nothing, while calls run and no other may start, and at the end.
    pub fn poll(&self) -> Vec<Action> {
        match &self.state.phase {
            Phase::Model(call) => vec![Action::CallModel(*call)],
            Phase::Tools(round) if self.state.cancelled => round
                .schedule
                .in_state(CallState::Running)
                .map(|index| Action::CancelCall(round.id(index)))
                .collect(),
            Phase::Tools(round) => {
                let mut ahead = round.schedule.clone();
                std::iter::from_fn(|| ahead.start())
                    .map(|index| Action::StartCall(round.id(index)))
                    .collect()
            }
            Phase::Finished(_) => Vec::new(),
        }
    }

    /// Takes what happened and gives the records to append to the log, which are applied already. A
    /// signal that comes too late, or twice, gives none.
    pub fn handle(&mut self, signal: Signal) -> Vec<Record> {
        let mut records = Vec::new();
        match signal {
            Signal::Replied { response, policies } => {
                self.replied(response, policies, &mut records);
            }
            Signal::ModelFailed(error) => self.model_failed(error, &mut records),
            Signal::CallStarted(call) => {
                let next = self.round(call).and_then(|round| round.schedule.next());
                if next == Some(call.index as usize) && !self.state.cancelled {
                    self.append(Record::CallStarted { call }, &mut records);
                }
            }
            Signal::CallFinished(call, result) => {
                if self.call_state(call) == Some(CallState::Running) {
                    self.append(Record::CallFinished { call, result }, &mut records);
                    self.settle(&mut records);
                }
            }
            Signal::Cancel => self.cancel(&mut records),
        }
        records
    }

    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.state.id
    }

    /// How many records the log holds; the next one has this sequence number.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The call of an id, in the round that is under way.
    pub fn call(&self, id: CallId) -> Option<&ToolCall> {
        let round = self.round(id)?;
        round.calls.get(id.index as usize)
    }

    /// The request to send for [`Action::CallModel`]. The one who sends it adds the tools, except to
    /// a flattened request, and the settings.
    pub fn request(&self) -> ModelRequest {
        request::build(&self.state)
    }

    /// The conversation as it stands, with every call answered: what is kept if the run ends here.
    pub fn conversation(&self) -> Conversation {
        self.state.transcript()
    }

    /// What the run ended with; `None` while it goes on.
    pub fn outcome(&self) -> Option<RunOutcome> {
        let Phase::Finished(finish) = &self.state.phase else {
            return None;
        };
        let state = &self.state;
        Some(RunOutcome {
            run_id: state.id.clone(),
            finish: finish.clone(),
            text: state.text.clone(),
            conversation: state.conversation.clone(),
            rounds: state.rounds,
            model_calls: state.model_calls,
            usage: state.usage.clone(),
            warnings: state.warnings.clone(),
        })
    }

    fn append(&mut self, record: Record, records: &mut Vec<Record>) {
        self.apply(&record);
        records.push(record);
    }

    fn apply(&mut self, record: &Record) {
        self.state.apply(record);
        self.sequence += 1;
    }

    fn round(&self, id: CallId) -> Option<&state::Round> {
        match &self.state.phase {
            Phase::Tools(round) if round.number == id.round => Some(round),
            _ => None,
        }
    }

    fn call_state(&self, id: CallId) -> Option<CallState> {
        self.round(id)?.schedule.state(id.index as usize)
    }

    fn replied(
        &mut self,
        response: ModelResponse,
        mut policies: Vec<ToolPolicy>,
        records: &mut Vec<Record>,
    ) {
        let Phase::Model(call) = self.state.phase else {
            return;
        };
        policies.resize(response.tool_calls.len(), ToolPolicy::default());
        let verdict = match call {
            ModelCall::Open => self.judge(&response),
            ModelCall::Locked if response.text.is_empty() => None,
            ModelCall::Locked | ModelCall::Flattened => {
                let limit = self.state.limit_reached();
                Some(Finish::Limit {
                    limit,
                    summarized: !response.text.is_empty(),
                })
            }
        };
        self.append(Record::Replied { response, policies }, records);
        if let Some(finish) = verdict {
            self.append(Record::Finished { finish }, records);
        }
    }

    /// How an open reply ends the run; `None` if the run goes on.
    fn judge(&self, response: &ModelResponse) -> Option<Finish> {
        if response.requires_tool_execution() {
            return None;
        }
        Some(match response.finish_reason {
            FinishReason::Length => Finish::Truncated,
            FinishReason::ContentFilter => Finish::Filtered,
            FinishReason::Refusal => Finish::Refused,
            FinishReason::MalformedCall => Finish::Failed(Failure::Model(ModelError::new(
                ModelErrorKind::MalformedReply,
                "the model wrote a call that its provider could not read",
            ))),
            FinishReason::Paused if self.state.pauses < state::MAX_PAUSES => return None,
            FinishReason::Paused => Finish::Failed(Failure::Model(ModelError::new(
                ModelErrorKind::Overloaded,
                format!(
                    "the provider paused the turn {} times",
                    state::MAX_PAUSES + 1
                ),
            ))),
            _ => Finish::Answered,
        })
    }

    fn model_failed(&mut self, error: ModelError, records: &mut Vec<Record>) {
        let Phase::Model(call) = self.state.phase else {
            return;
        };
        let refused = matches!(
            error.kind,
            ModelErrorKind::InvalidRequest | ModelErrorKind::ToolsUnsupported
        );
        let finish = match call {
            // A provider that refuses a locked request may take a flattened one.
            ModelCall::Locked if refused => None,
            ModelCall::Flattened => Some(Finish::Limit {
                limit: self.state.limit_reached(),
                summarized: false,
            }),
            ModelCall::Open | ModelCall::Locked => {
                Some(Finish::Failed(Failure::Model(error.clone())))
            }
        };
        self.append(Record::ModelFailed { error }, records);
        if let Some(finish) = finish {
            self.append(Record::Finished { finish }, records);
        }
    }

    fn cancel(&mut self, records: &mut Vec<Record>) {
        if self.state.cancelled || matches!(self.state.phase, Phase::Finished(_)) {
            return;
        }
        self.append(Record::CancelRequested, records);
        if let Phase::Tools(round) = &self.state.phase {
            let waiting: Vec<_> = round
                .schedule
                .in_state(CallState::Waiting)
                .map(|index| (round.id(index), round.calls[index].id.clone()))
                .collect();
            for (call, provider_id) in waiting {
                let result = ToolResult::error(provider_id, not_executed("the run was cancelled"));
                self.append(Record::CallFinished { call, result }, records);
            }
        }
        self.settle(records);
    }

    /// Ends what has come to its end: a run that was cancelled and has nothing running, and a run
    /// that reached its limit and must not summarise.
    fn settle(&mut self, records: &mut Vec<Record>) {
        let finish = match &self.state.phase {
            Phase::Model(_) if self.state.cancelled => Finish::Cancelled,
            Phase::Model(ModelCall::Locked) => {
                let limit = self.state.limit_reached();
                match self.state.config.limits.on_limit {
                    OnLimit::Summarize => return,
                    OnLimit::Stop => Finish::Limit {
                        limit,
                        summarized: false,
                    },
                    OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
                }
            }
            Phase::Model(_) | Phase::Tools(_) | Phase::Finished(_) => return,
        };
        self.append(Record::Finished { finish }, records);
    }
}

#[cfg(test)]
mod tests;
