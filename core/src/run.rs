//! One user request from question to answer: the pure state machine.

mod admitted;
mod agents;
mod allowed;
mod answer;
mod answering;
pub(crate) mod approval;
mod broken_off;
mod call_spent;
mod calls;
mod choices;
mod compacting;
mod config;
pub(crate) mod context;
mod correction;
mod cost;
pub(crate) mod counted;
mod ended;
mod faults;
mod handling;
mod limits;
pub(crate) mod no_progress;
mod outcome;
mod pending;
mod phase;
mod plan;
mod pushed;
mod record;
mod request;
mod round;
mod rounds;
mod signal;
mod spent;
mod state;
mod stop;
pub(crate) mod stopping;
mod store_error;
mod stored;
mod turn;
mod verdict;
mod warnings;

pub use agents::AgentConfig;
pub use answer::{AnswerForm, AnswerMeans};
pub use approval::Delay;
pub use broken_off::Interruption;
pub use call_spent::CallSpent;
pub use choices::ToolChoiceSchedule;
pub use config::RunConfig;
pub use context::ContextWindow;
pub use cost::{Cost, Price, PriceTable};
pub use limits::{Limits, OnLimit};
pub use outcome::{Failure, FailureCode, Finish, Limit, RunError, RunOutcome, UserFailure};
pub use pending::{AgentCall, PendingCall, Resolution, WaitsFor};
pub use plan::RequestPlan;
pub use record::{CallId, CorruptLog, Record, RunId};
pub use signal::{Action, ModelCall, Signal};
pub use stop::{StopReason, StopWhen};
pub use store_error::{StoreError, StoreErrorKind};
pub use stored::{ResumeError, StoredRun};

use phase::Phase;
use state::State;

use crate::{
    Conversation, UserMessage,
    model::{ModelError, ModelRequest, ModelResponse, ToolChoice},
};

/// One user request from question to answer.
///
/// A run only decides: [`poll`](Self::poll) returns the actions that may be done now, and [`handle`](Self::handle)
/// takes what happened and returns the records to append to the log. It uses no clock, randomness, task or socket. Its
/// state is a fold over the log: [`replay`](Self::replay) of the same records gives the same run.
///
/// `Runner` performs the actions on tokio. Drive a run by hand for another executor, or to decide each step yourself:
///
/// ```
/// use toolwright::{Conversation, ModelResponse, ToolCall, ToolResult, tool::ToolPolicy};
/// use toolwright::run::{Action, Finish, Run, RunConfig, RunId, Signal};
///
/// let (mut run, _log) =
///     Run::start(RunId::new("1"), RunConfig::default(), Conversation::new(), "Weather in Oslo?");
/// assert!(matches!(run.poll()[..], [Action::CallModel(_)]));
///
/// let response = ModelResponse::from_calls([ToolCall::new("a", "get_weather", "{}")]);
/// run.handle(Signal::Replied { response, policies: vec![ToolPolicy::default()], unfit: None });
/// let [Action::StartCall(id)] = run.poll()[..] else { panic!("the call may start") };
/// run.handle(Signal::CallStarted(id));
/// run.handle(Signal::CallFinished(id, ToolResult::success("a", "sunny")));
///
/// let response = ModelResponse::from_text("Sunny.");
/// run.handle(Signal::Replied { response, policies: vec![], unfit: None });
/// let outcome = run.outcome().unwrap();
/// assert_eq!((outcome.finish, outcome.text.as_str()), (Finish::Answered, "Sunny."));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    state: State,
    /// The number of records in the log.
    sequence: u64,
}

impl Run {
    /// Starts a run and returns it with the first records of its log.
    pub fn start(
        id: RunId,
        config: RunConfig,
        conversation: Conversation,
        input: impl Into<UserMessage>,
    ) -> (Self, Vec<Record>) {
        let input = input.into();
        let state = State::new(&id, &config, &conversation, &input);
        let mut run = Self { state, sequence: 1 };
        let mut records = vec![Record::Started {
            run_id: id,
            config,
            conversation,
            input,
        }];
        run.settle(&mut Some(&mut records));
        (run, records)
    }

    /// Returns the run of a log, and records that follow from the log but are missing in it: append them. For example,
    /// a program that died may have stored the response, but not yet the end of the run.
    ///
    /// A call that had started and has no result counts as running: the run waits for its result.
    ///
    /// # Errors
    ///
    /// When a record does not follow from those before it.
    pub fn replay<'a>(
        log: impl IntoIterator<Item = &'a Record>,
    ) -> Result<(Self, Vec<Record>), CorruptLog> {
        let mut log = log.into_iter();
        let Some(mut run) = log.next().and_then(Self::of_first) else {
            return Err(CorruptLog { sequence: 0 });
        };
        for record in log {
            run.read(record)?;
        }
        let mut missing = Vec::new();
        run.settle(&mut Some(&mut missing));
        Ok((run, missing))
    }

    /// The run of the first record of a log, to be followed record by record with [`read`](Self::read); `None` if it is
    /// another record.
    pub fn of_first(record: &Record) -> Option<Self> {
        let Record::Started {
            run_id,
            config,
            conversation,
            input,
        } = record
        else {
            return None;
        };
        let state = State::new(run_id, config, conversation, input);
        Some(Self { state, sequence: 1 })
    }

    /// Takes the next record of a log that another driver writes.
    ///
    /// # Errors
    ///
    /// When the record cannot be the next one.
    pub fn read(&mut self, record: &Record) -> Result<(), CorruptLog> {
        if !self.state.accepts(record) {
            return Err(CorruptLog {
                sequence: self.sequence,
            });
        }
        self.state.apply(record);
        self.sequence += 1;
        Ok(())
    }

    /// The conversation as it is written so far: the calls of the round under way wait in it.
    pub fn written(&self) -> &Conversation {
        &self.state.conversation
    }

    /// The warnings of the run so far.
    pub fn warnings(&self) -> &[crate::Warning] {
        self.state.warnings.all()
    }

    /// Returns true if the model is asked for a summary of what is left out, which no user reads.
    pub fn is_compacting(&self) -> bool {
        self.state.phase.is_summarizing()
    }

    /// Returns the actions that may be done now. There are none at the end, and while calls run and no other may start.
    ///
    /// It returns no more calls than may run at once. If one of them is delayed or refused, another may run instead:
    /// poll until there is no action left, and only then wait.
    pub fn poll(&self) -> Vec<Action> {
        match &self.state.phase {
            Phase::Model(_) if self.state.wants_plan() => vec![Action::PlanRequest],
            Phase::Model(call) => vec![Action::CallModel(*call)],
            Phase::Tools(round) if self.state.stopping.reason().is_some() => {
                round.running().map(Action::CancelCall).collect()
            }
            Phase::Tools(round) => round.actions().collect(),
            Phase::Waiting(..) | Phase::Decided(_) | Phase::Finished(_) => Vec::new(),
        }
    }

    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.state.id
    }

    /// The text of a response to the request under way that may be the answer.
    #[doc(hidden)]
    pub fn answer_text<'a>(&'a self, response: &'a ModelResponse) -> &'a str {
        self.state.answer_text(response)
    }

    /// The arguments of the calls that may each be the answer in a response to the request under way, and the places of their
    /// parts. The first is taken.
    #[doc(hidden)]
    pub fn answers_given<'a>(
        &'a self,
        response: &'a ModelResponse,
    ) -> impl Iterator<Item = (usize, &'a str)> {
        let calls = self.state.given_instead(response);
        calls.map(|(place, call)| (place, call.arguments.as_str()))
    }

    /// The settings of the run.
    pub fn config(&self) -> &RunConfig {
        &self.state.config
    }

    /// The name of the agent that the next request is of, or the one whose calls are under way; `None` if the run has no
    /// [agents](RunConfig::agents).
    pub fn agent(&self) -> Option<&str> {
        let agent = self.state.agent.config(&self.state.config)?;
        Some(&agent.name)
    }

    /// The name of that agent, if it is another one than the first.
    #[doc(hidden)]
    pub fn other_agent(&self) -> Option<&str> {
        self.agent().filter(|_| !self.state.agent.is_first())
    }

    /// The plan of the request that comes next, or of that whose calls are under way, if it has one.
    pub fn plan(&self) -> Option<&RequestPlan> {
        self.state.plan()
    }

    /// The tools that the model may or must call in the next request, or in the one under way.
    pub fn tool_choice(&self) -> ToolChoice {
        self.state.tool_choice()
    }

    /// The messages with the rounds that are over. The calls of the round under way have no results in them.
    pub fn messages(&self) -> &[crate::message::Message] {
        self.state.conversation.messages()
    }

    /// The rounds of the run so far, and its tokens.
    pub fn spent(&self) -> (u32, &crate::Usage) {
        (self.state.spent.rounds(), self.state.spent.usage())
    }

    /// What the run has spent, with the sub-agents whose calls have their result.
    pub fn spent_in_all(&self) -> CallSpent {
        self.state.spent.in_all()
    }

    /// The tokens of the latest request.
    #[doc(hidden)]
    pub fn latest_tokens(&self) -> u64 {
        self.state.spent.latest_tokens()
    }

    /// Returns the number of records in the log; the next one has this sequence number.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Returns the used part of the [time limit](Limits::max_time), as far as the log has it. A resumed run has the
    /// rest.
    pub fn time_used(&self) -> std::time::Duration {
        self.state.spent.time()
    }

    /// Returns true if the time limit of the run is reached. At most a summary follows.
    pub fn is_late(&self) -> bool {
        self.state.stopping.is_late()
    }

    /// Returns the error of the request that is to be sent again: wait, for example by
    /// [`Backoff::wait`](crate::Backoff::wait), and signal that the model is [resumed](Signal::ModelResumed). `None` if
    /// the run waits for no model.
    pub fn model_delay(&self) -> Option<&ModelError> {
        match &self.state.phase {
            Phase::Waiting(_, error) => Some(error),
            _ => None,
        }
    }

    /// Returns how often the current request to the model has failed.
    pub fn model_attempts(&self) -> u32 {
        self.state.turn.attempts()
    }

    /// Returns the request to send for [`Action::CallModel`]. Add the tools and the settings to it, but no tools to a
    /// flattened request, and neither of them to a request for a [summary](ModelCall::Compact).
    pub fn request(&self) -> ModelRequest {
        let mut request = request::build(&self.state);
        request.time_limit = self.config().limits.model_timeout;
        request
    }

    /// Returns the current conversation, with a result for every call: the one to store if the run ends here.
    pub fn conversation(&self) -> Conversation {
        self.state.transcript()
    }

    /// Returns true if the run ends after the current round: no other request is to be sent.
    pub fn ends_after_round(&self) -> bool {
        self.state.stopping.is_after_round()
    }

    /// Returns true if the run comes to a request that may call tools: a limit that it shares counts before it.
    #[doc(hidden)]
    pub fn is_open_to_limits(&self) -> bool {
        matches!(self.state.phase, Phase::Model(ModelCall::Open))
    }

    /// Returns true if the run is over, and has an outcome.
    pub fn is_over(&self) -> bool {
        matches!(self.state.phase, Phase::Finished(_))
    }
}

#[cfg(test)]
mod tests;
