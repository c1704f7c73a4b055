//! What a run requests, and the signals that it receives.

use std::time::Duration;

use super::{CallId, CallSpent, Delay, Interruption, Limit, RequestPlan};
use crate::{
    ToolError, UserMessage,
    model::{ModelError, ModelResponse},
    tool::{ArgumentChange, Decision, ToolDefinition, ToolPolicy, ToolResult},
};

/// An action that may be done now. Whoever drives a run does each of them, so that a match covers them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Send [`Run::request`](super::Run::request) to the model, once, and signal its response or its error. If the error is one
    /// that may pass, the run [waits](super::Run::model_delay): signal that the model is resumed when it has
    /// waited for as long as it should.
    CallModel(ModelCall),
    /// Decide what the next request is to be, and signal the plan.
    PlanRequest,
    /// Signal that the call starts, then run it, then signal its result. Calls start in the order in
    /// which they are polled. If its tool may not be called yet, signal that it is
    /// [delayed](Delay::RateLimit) instead, and later that it is resumed.
    StartCall(CallId),
    /// Signal that the call is [delayed](Delay::Approval), ask the approver, and signal the decision.
    AskApproval(CallId),
    /// Check the arguments, signal that the call is [delayed](Delay::External), hand it to the application, and signal
    /// the answer.
    AskAnswer(CallId),
    /// Stop the call, which is running, and signal its result.
    CancelCall(CallId),
}

/// The kind of a request to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelCall {
    /// The model may call tools.
    Open,
    /// A limit was reached: the tools are shown and none may be called.
    Locked,
    /// The model did not answer a locked request: the history is text, and there are no tools.
    Flattened,
    /// The request would not fit in the [context window](super::ContextWindow): the model, or another one, summarizes
    /// what is left out. Send it without tools and without the settings of other requests. Its response is not an
    /// answer, and must not be read as one.
    Compact,
}

/// An event that is reported to a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Signal {
    /// The model replied.
    Replied {
        /// The whole response.
        response: ModelResponse,
        /// The policy of the tool of each call, in the order of the calls; the default where one is
        /// missing.
        policies: Vec<ToolPolicy>,
        /// The reason why the text of the response is no answer of the [form](super::RunConfig::answer) that was asked
        /// for, in words for the model. It counts only where the text would be the answer.
        unfit: Option<String>,
    },
    /// The model did not respond. If the reason may pass, and the [limits](super::Limits::model_retries) allow
    /// it, the request is sent again after a [wait](super::Run::model_delay).
    ModelFailed(ModelError),
    /// The model did not respond, and a reader has seen text of its response: the request is not sent again, so
    /// that no reader sees two beginnings of one response. The [text](ModelError::partial) is kept.
    ModelBrokeOff(ModelError),
    /// The wait before the next request to the model is over.
    ModelResumed,
    /// A call starts. Signal it before the call has any effect.
    CallStarted(CallId),
    /// The arguments of a call that has not started were normalized: it is approved and runs with these.
    /// See [`Leniency::prepare`](crate::Leniency::prepare).
    CallPrepared {
        /// The id of the call.
        call: CallId,
        /// The arguments, as JSON text.
        arguments: String,
        /// The changes that led to them. The result of the call holds these.
        changes: Vec<ArgumentChange>,
    },
    /// A call waits for an approval or for its rate limit before it starts, or has [asked](Delay::Question) a question, which
    /// ends its attempt. (Another attempt after a failure follows from how one has [finished](Self::CallFinished).)
    CallDelayed(CallId, Delay),
    /// The wait of a call is over: that before another attempt, or that for its rate limit.
    CallResumed(CallId),
    /// Somebody decided about a call that waits for an approval, or answered the question of one.
    CallDecided {
        /// The id of the call.
        call: CallId,
        /// The decision.
        decision: Decision,
        /// The definition of the tool that was approved, if it is known: see [`Run::approvals`](super::Run::approvals).
        tool: Option<Box<ToolDefinition>>,
    },
    /// The approval of a call that has not started, or the request for it, is void, because its tool has changed:
    /// [`Action::AskApproval`] follows when its turn comes.
    ApprovalRevoked(CallId),
    /// The [time](super::RunConfig::pending_time) of a call is over that waits for a decision or for an answer. The call is
    /// answered as not approved, or as failed. One that waits for the answer to a question starts again, with a denial. It says nothing to a run without such a time.
    CallExpired(CallId),
    /// The application has answered a call of an [external](ToolPolicy::external) tool.
    CallAnswered(CallId, ToolResult),
    /// A call that may start, or that would need an approval first, is refused: its tool was called
    /// too often, or its arguments do not fit. One that has failed before ends as it failed.
    CallRefused(CallId, ToolError),
    /// A call that had started has finished. If it failed for a reason that may pass, and its tool's
    /// policy allows another attempt, the call is [delayed](Delay::Retry) instead: signal that it is
    /// resumed when it has waited for as long as it should.
    CallFinished(CallId, ToolResult),
    /// As [`CallFinished`](Self::CallFinished), of a call that has started runs of sub-agents, which have spent this. It
    /// counts for this run. If the call gets another attempt, say it with the result of that again, and what it has spent
    /// in addition.
    AgentFinished {
        /// The id of the call.
        call: CallId,
        /// The result.
        result: ToolResult,
        /// What the runs have spent.
        spent: Box<CallSpent>,
    },
    /// A running call has come so far, and continues from there when it runs again.
    CallCheckpointed {
        /// The id of the call.
        call: CallId,
        /// The text that its next attempt is given.
        state: String,
    },
    /// The program that drove the run has ended, and another one resumes it: signal it once, before anything else, to a
    /// run that was [replayed](super::Run::replay). What was running may run again if its effects allow it: a call that
    /// only reads, or that is idempotent, with the same idempotency key, and each that has a
    /// [checkpoint](Self::CallCheckpointed). One that writes and has none is not run again, and its
    /// result says that it may have taken effect. A run that was to stop after its round, and waits for a response, is
    /// cancelled.
    Interrupted,
    /// The plan of the next request.
    RequestPlanned(RequestPlan),
    /// Another user message came. The model receives it with the next request, after the results of the round under
    /// way. If the model answers before that, it gets another request.
    MessagePushed(UserMessage),
    /// The next request is about to be made. Signal it before [`Run::request`](super::Run::request): the request then has the
    /// messages that came since the round before it. It gives no record if there are none.
    RequestBegins,
    /// The run should stop.
    Cancel,
    /// The run should stop when the round under way is over, or the response that is coming, if that has no calls. Signal
    /// [`Cancel`](Self::Cancel) after it if no round is under way and the next request was not sent.
    CancelAfterRound,
    /// The run has used so much of its [time](super::Limits::max_time) since it began, and not only since it goes on: see
    /// [`Run::time_used`](super::Run::time_used). Signal it before the run is stored, and now and then. It says nothing to
    /// a run without a time limit.
    TimeUsed(Duration),
    /// The run is resumed, after its driver had ended or after it was suspended.
    Resumed {
        /// True if it was suspended, and its driver not gone.
        suspended: bool,
    },
    /// A limit of a run is reached that this run shares, as the run of a sub-agent. It counts before a request that may call
    /// tools, and leads to what this run does at its own limits.
    SharedLimitReached(Limit),
    /// The [time](super::Limits::max_time) of the run is up. If it then sums up, signal it again when that has
    /// taken its [own time](super::Limits::summary_time). It says nothing to a run without a time limit.
    TimeLimitReached,
    /// The run should stop, or continue without the response that is still arriving. The text of the response so far is
    /// kept, and so is its cost.
    ResponseBrokenOff {
        /// The part of the response that had come.
        partial: ModelResponse,
        /// The cause of the break.
        by: Interruption,
    },
}
