//! An agent that a conversation may be handed over to.

use crate::Runner;

/// An agent that a run may hand its conversation over to: a name, a description, and the runner for its requests.
/// [`RunnerBuilder::agent`](crate::runner::RunnerBuilder::agent) takes it.
///
/// The model that a conversation is with has a tool `transfer_to_…` for each agent that it may hand over to. When it calls
/// one, the next request is the other agent's, with the whole conversation so far. The run stays one run, with one log. Its
/// answer is that of the agent that it is with by then, and so is the next run of the [conversation](toolwright_core::Conversation::agent).
///
/// | Of the agent's runner | Counts |
/// | --- | --- |
/// | model, other models, system text, model settings, streaming, hook before a request | yes: its requests are made so |
/// | tools, with their middleware; tool choice | yes: the choice counts from when it took over |
/// | [settings of calls](crate::dispatch::CallOptions): time limits, approvals, redaction, extensions | yes, for its calls; without an approver, that of the run decides |
/// | number of calls that run at once, grace of a cancel | no: those of the run |
/// | limits, prices, stop conditions, context window, summaries, corrections, waits for people, store | no: those of the run |
#[doc(alias("handoff", "swarm"))]
#[derive(Debug, Clone)]
pub struct Agent {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) runner: Runner,
    pub(super) transfers_to: Option<Vec<String>>,
}

impl Agent {
    /// An agent of this name, with a description for the models that may hand over to it, and the runner of its requests.
    /// They are checked by [`RunnerBuilder::build`](crate::runner::RunnerBuilder::build).
    pub fn new(name: impl Into<String>, description: impl Into<String>, runner: Runner) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            runner,
            transfers_to: None,
        }
    }

    /// Sets the names of the agents that it may hand over to; all others by default.
    pub fn transfers_to<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.transfers_to = Some(names.into_iter().map(Into::into).collect());
        self
    }
}
