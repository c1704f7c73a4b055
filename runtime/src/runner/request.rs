//! A question, with what its run has besides: a conversation, options, labels, and the type of its answer.

mod within;

use std::{fmt, marker::PhantomData, sync::Arc};

use crate::store::{CALL, PARENT, ROOT};

use super::{
    Answer, AnswerError, RunHandle, RunOptions, Runner,
    begin::Begin,
    drive::new_run_id,
    keeper::KeptWith,
    typed::{AnswerType, TypedAnswer},
};
use toolwright_core::{
    Conversation, UserMessage,
    run::{Failure, Run, RunError, RunOutcome},
};
use within::Lent;
pub use within::{OwnsConversation, Within};

/// A question, with what its run has besides. [`Runner::request`] makes it.
///
/// `P` is the conversation: see [`within`](Self::within). `A` is what the run gives: its outcome, or an [`Answer`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{Conversation, ModelResponse, Runner, runner::RunOptions, testing::ScriptedModel};
///
/// let replies = [r#"{"answer": 4}"#, r#"{"answer": 8}"#].map(ModelResponse::from_text);
/// let runner = Runner::builder(ScriptedModel::new(replies)).build()?;
///
/// let mut conversation = Conversation::new();
/// let brief = RunOptions::new().with_instructions("Answer with a number.");
/// let two = runner.request("Twice 2?").within(&mut conversation).with(brief);
/// assert_eq!(two.answer_as::<u8>().run().await?.value, 4);
///
/// let again = runner.request("And twice that?").within(conversation);
/// let handle = again.answer_as::<u8>().start();
/// assert_eq!(handle.answer().await?.value, 8);
/// # Ok(()) }
/// ```
#[must_use = "a request does nothing before `run` or `start`"]
pub struct RunRequest<P = Conversation, A = RunOutcome> {
    runner: Runner,
    input: UserMessage,
    /// What it begins with, if that is in no store.
    conversation: Conversation,
    lent: Lent<P>,
    options: Option<RunOptions>,
    kept: KeptWith,
    answer: Option<AnswerType>,
    gives: PhantomData<fn() -> A>,
}

impl Runner {
    /// A question, for a run that is more than [`run`](Self::run) and [`start`](Self::start) have: in a conversation that
    /// goes on, with options, with labels, or to a [typed answer](RunRequest::answer_as).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{Conversation, ModelResponse, Runner, testing::ScriptedModel};
    ///
    /// let replies = ["Hello, Ada.", "Ada."].map(ModelResponse::from_text);
    /// let runner = Runner::builder(ScriptedModel::new(replies)).build()?;
    /// let mut conversation = Conversation::new();
    /// runner.request("I am Ada.").within(&mut conversation).run().await?;
    /// runner.request("Who am I?").within(&mut conversation).run().await?;
    /// assert_eq!(conversation.messages().len(), 4);
    /// # Ok(()) }
    /// ```
    #[doc(alias("prompt", "chat", "ask", "invoke"))]
    pub fn request(&self, input: impl Into<UserMessage>) -> RunRequest {
        RunRequest {
            runner: self.clone(),
            input: input.into(),
            conversation: Conversation::new(),
            lent: Lent::by(Conversation::new()),
            options: None,
            kept: KeptWith::default(),
            answer: None,
            gives: PhantomData,
        }
    }
}

impl<P, A> RunRequest<P, A> {
    /// Sets the conversation that the run continues. Without it, the run has one of its own.
    ///
    /// | | |
    /// | --- | --- |
    /// | `&mut Conversation` | gets what the run added, whether it succeeds or fails; such a run cannot be [started](Self::start) |
    /// | `&mut `[`ConversationTurn`](super::ConversationTurn) | the same |
    /// | [`Conversation`] | comes back in the [outcome](RunOutcome::conversation) |
    /// | [`ConversationId`](crate::store::ConversationId) | is in the [store](super::RunnerBuilder::store) of the runner, or begins there now |
    /// | [`ConversationRef`](crate::store::ConversationRef) | is in the store as well, and this version of it, 0 for none, has to be the newest |
    ///
    /// For a parameter that is borrowed already, or for a guard, write `&mut *conversation`. A run that does not fit its runner
    /// ([`Failure::Options`]) leaves the conversation as it was.
    ///
    /// A conversation of the store belongs to the [owner](Runner::with_owner) of the runner. The run continues the newest
    /// version, and saves the next one when it ends. While it is not over, another run in it is refused with
    /// [`StoreErrorKind::ConversationBusy`](toolwright_core::run::StoreErrorKind::ConversationBusy), or waits, or first goes on
    /// with that run if its process is gone: [`RunnerBuilder::when_busy`](super::RunnerBuilder::when_busy). If the newest version is any other than the
    /// one that it has to be, the run fails with
    /// [`StoreErrorKind::Outdated`](toolwright_core::run::StoreErrorKind::Outdated) before it begins: its question was asked
    /// without what was said meanwhile. A run that fails before it has begun has not read the conversation: that of its outcome
    /// has the question alone.
    #[doc(alias("memory", "history", "thread", "session"))]
    pub fn within<Q: Within>(mut self, conversation: Q) -> RunRequest<Q, A> {
        let mut place = conversation;
        self.kept.conversation = place.stored();
        RunRequest {
            runner: self.runner,
            input: self.input,
            conversation: place.take(),
            lent: Lent::by(place),
            options: self.options,
            kept: self.kept,
            answer: self.answer,
            gives: PhantomData,
        }
    }

    /// Sets what is other than the runner has it, for this run. Of several options, the last that sets a thing holds. They are
    /// checked when the run begins.
    ///
    /// Options that contradict the runner end the run before its first request, with [`Failure::Options`]: they name a tool or
    /// an agent that it does not have, the tool choice cannot be met, or there is a limit on the cost and no price. Names of
    /// tools that come from a registry are not checked: one that is not there is not offered.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, runner::RunOptions, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Bonjour.")]);
    /// let runner = Runner::builder(model.clone()).system("Be brief.").build()?;
    ///
    /// let french = RunOptions::new().with_instructions("Answer in French.");
    /// assert_eq!(runner.request("Say hello.").with(french).run().await?.text, "Bonjour.");
    /// let system = model.requests()[0].system.clone();
    /// assert_eq!(system.as_deref(), Some("Be brief.\n\nAnswer in French."));
    /// # Ok(()) }
    /// ```
    #[doc(alias("max_turns", "max_steps", "temperature", "preamble"))]
    pub fn with(mut self, options: RunOptions) -> Self {
        let before = self.options.take().unwrap_or_default();
        self.options = Some(before.overridden_by(options));
        self
    }

    /// Sets a label, which is kept with the run. Without a [store](super::RunnerBuilder::store) it says nothing, and so do
    /// `toolwright.parent`, `toolwright.call` and `toolwright.root`, which are those of runs of
    /// [sub-agents](super::SubAgent).
    #[doc(alias("metadata", "tag"))]
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        let key = key.into();
        // A run that says that it is below another one goes on with that one alone.
        if ![PARENT, CALL, ROOT].contains(&&*key) {
            self.kept.labels.insert(key, value.into());
        }
        self
    }

    /// Sets the type of the answer: the run gives a value of it, such as a struct, an enum, a list or a number.
    ///
    /// The schema of the type goes to the provider where that holds its models to schemas, with the tools of the runner
    /// beside it. Elsewhere a tool `final_answer` is offered with the others, whose arguments are the answer; and a model
    /// that takes neither is given the schema in words. If an answer does not fit the type, or a constraint of it, the model
    /// is sent the reason and answers again: twice, unless
    /// [`answer_corrections`](super::RunnerBuilder::answer_corrections) says otherwise. A run that reaches a limit is asked
    /// for an answer of the same form.
    ///
    /// A text is read with what stands around its JSON, such as a code fence, and JSON that is almost right where it has one
    /// reading.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, ToolInput, testing::ScriptedModel};
    ///
    /// /// What a message is about.
    /// #[derive(Debug, PartialEq, serde::Deserialize, ToolInput)]
    /// #[serde(rename_all = "snake_case")]
    /// enum Topic {
    ///     Billing,
    ///     Delivery,
    /// }
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text(r#"{"answer": "delivery"}"#)]);
    /// let runner = Runner::builder(model).build()?;
    /// let answer = runner.request("Where is my parcel?").answer_as::<Topic>().run().await?;
    /// assert_eq!(answer.value, Topic::Delivery);
    /// # Ok(()) }
    /// ```
    #[doc(alias("structured_output", "output_type", "generate_object", "extract"))]
    pub fn answer_as<T: TypedAnswer>(self) -> RunRequest<P, Answer<T>> {
        RunRequest {
            runner: self.runner,
            input: self.input,
            conversation: self.conversation,
            lent: self.lent,
            options: self.options,
            kept: self.kept,
            answer: Some(AnswerType::of::<T>()),
            gives: PhantomData,
        }
    }

    /// Begins the run and gives the handle to it: a stream of events, which can be cancelled. The run owns its
    /// conversation: one that is borrowed mutably gets what was added by `run`.
    #[doc(alias("stream", "spawn"))]
    pub fn start(self) -> RunHandle<A>
    where
        P: OwnsConversation,
    {
        self.begin().0
    }
}

impl<P> RunRequest<P> {
    /// Runs to the end, and gives the outcome.
    ///
    /// # Errors
    ///
    /// When the run [failed](toolwright_core::Finish::Failed); what it had done by then is in the error. Every other end is
    /// an outcome.
    ///
    /// # Panics
    ///
    /// As [`Runner::run`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses what it had done, unless it is kept in a store: it can be resumed then.
    /// A conversation that it borrowed stays as it was, and one that was given by value is lost. One of the store is busy
    /// until the run is resumed or abandoned: [`Runner::keep_recovering`] does that. [`start`](Self::start) gives a handle
    /// that can be cancelled and keeps what was done.
    pub async fn run(self) -> Result<RunOutcome, RunError> {
        let (handle, lent) = self.begin();
        let result = handle.outcome().await;
        let outcome = result.as_ref().unwrap_or_else(|error| &error.outcome);
        lent.give_back(outcome);
        result
    }
}

impl<P, T: 'static> RunRequest<P, Answer<T>> {
    /// Runs to the end, and gives the answer.
    ///
    /// # Errors
    ///
    /// When the run failed, also since no answer of it fits, whose text is then in the error:
    /// [`AnswerError::Failed`]. When it ended without an answer: [`AnswerError::NoAnswer`]. Both hold the outcome.
    ///
    /// # Panics
    ///
    /// As [`Runner::run`].
    ///
    /// # Cancel safety
    ///
    /// As [`run`](RunRequest::run) of a request without a type.
    pub async fn run(self) -> Result<Answer<T>, AnswerError> {
        let (handle, lent) = self.begin();
        let result = handle.answer().await;
        let outcome = match &result {
            Ok(answer) => &answer.outcome,
            Err(error) => error.outcome(),
        };
        lent.give_back(outcome);
        result
    }
}

impl<P, A> RunRequest<P, A> {
    fn begin(self) -> (RunHandle<A>, Lent<P>) {
        let Self {
            runner,
            kept,
            answer,
            ..
        } = self;
        let id = new_run_id();
        let (inner, refused) = match self.options.map(|options| runner.inner.with(options)) {
            None => (runner.inner.clone(), None),
            Some(Ok(inner)) => (Arc::new(inner), None),
            Some(Err(error)) => (runner.inner.clone(), Some(error.to_string())),
        };
        let unstored = kept.conversation.as_ref();
        let unstored = unstored.filter(|_| runner.kept_runs().is_none());
        let reason = unstored.map(|(id, _)| {
            format!(
                "there is no store with the conversation `{id}`: set it by `RunnerBuilder::store`"
            )
        });
        let begin = match refused.or(reason) {
            Some(reason) => {
                let config = inner.run_config(None);
                let (run, _) = Run::start(id.clone(), config, self.conversation, self.input);
                Begin::Refused(Box::new(run.lost(Failure::Options { reason })))
            }
            None => Begin::New {
                keeper: runner.keeper_of(&inner, &id, kept),
                id: id.clone(),
                conversation: self.conversation,
                input: self.input,
                answer: answer.clone(),
            },
        };
        let handle = RunHandle::new((inner, runner.context), id, begin, answer);
        (handle, self.lent)
    }
}

/// Without the question and the conversation, as [`RunError`].
impl<P, A> fmt::Debug for RunRequest<P, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunRequest")
            .field("labels", &self.kept.labels)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
