//! A question, with what its run has besides: a conversation, options, labels, and the type of its answer.

mod within;

use std::{fmt, marker::PhantomData, sync::Arc};

use crate::{
    Approver,
    store::{CALL, PARENT, ROOT, TASK},
};

use super::{
    Answer, AnswerError, RunHandle, RunOptions, Runner,
    begin::Begin,
    drive::new_run_id,
    input_check::withheld,
    keeper::KeptWith,
    typed_answer::{AnswerType, TypedAnswer},
};
use toolwright_core::{
    Conversation, ToolCall, UserMessage,
    run::{Failure, Run, RunError, RunOutcome},
};
use within::{GivenConversation, Origin};
pub use within::{OwnsConversation, Within};

/// A question with the options of its run. [`Runner::request`] makes it.
///
/// `P` is the conversation: see [`within`](Self::within). `A` is the result of the run: its outcome, or an [`Answer`].
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
    lent: GivenConversation<P>,
    is_checked: bool,
    options: Option<RunOptions>,
    kept: KeptWith,
    answer: Option<AnswerType>,
    /// Its only call, if the program gives it.
    given: Option<ToolCall>,
    approver: Option<Arc<dyn Approver>>,
    gives: PhantomData<fn() -> A>,
}

impl Runner {
    /// Prepares a run with more than [`run`](Self::run) and [`start`](Self::start) have: a conversation to continue,
    /// options, labels, or a [typed answer](RunRequest::answer_as).
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
            lent: GivenConversation::by(Conversation::new()),
            is_checked: false,
            options: None,
            kept: KeptWith::default(),
            answer: None,
            given: None,
            approver: None,
            gives: PhantomData,
        }
    }
}

impl<P, A> RunRequest<P, A> {
    /// Sets the conversation that the run continues; a new one by default.
    ///
    /// | | |
    /// | --- | --- |
    /// | `&mut Conversation` | gets the messages of the run, whether it succeeds or fails; such a run cannot be [started](Self::start) |
    /// | `&mut `[`ConversationTurn`](super::ConversationTurn) | the same |
    /// | [`Conversation`] | comes back in the [outcome](RunOutcome::conversation) |
    /// | [`ConversationId`](crate::store::ConversationId) | is in the [store](super::RunnerBuilder::store) of the runner, or begins there now |
    /// | [`ConversationRef`](crate::store::ConversationRef) | is in the store as well, and this version of it, 0 for none, has to be the newest |
    ///
    /// For a parameter that is borrowed already, or for a guard, write `&mut *conversation`. A run that does not fit its runner
    /// ([`Failure::Options`]) leaves the conversation as it was.
    ///
    /// A conversation of the store belongs to the [owner](Runner::with_owner) of the runner. The run continues the
    /// newest version, and saves the next one when it ends. Until then another run in it fails with
    /// [`StoreErrorKind::ConversationBusy`](toolwright_core::run::StoreErrorKind::ConversationBusy), or waits, or first
    /// resumes that run if its process has died: [`RunnerBuilder::when_busy`](super::RunnerBuilder::when_busy). If the
    /// newest version is not the required one, the run fails with
    /// [`StoreErrorKind::Outdated`](toolwright_core::run::StoreErrorKind::Outdated) before it begins. A run that fails
    /// before it has begun has not read the conversation: its outcome has only the question.
    #[doc(alias("memory", "history", "thread", "session"))]
    pub fn within<Q: Within>(mut self, conversation: Q) -> RunRequest<Q, A> {
        let mut place = conversation;
        let (conversation, stored) = match place.origin() {
            Origin::Here(conversation) => (conversation, None),
            Origin::Stored(id, version) => (Conversation::new(), Some((id, version))),
        };
        self.kept.conversation = stored;
        RunRequest {
            runner: self.runner,
            input: self.input,
            conversation,
            lent: GivenConversation::by(place),
            is_checked: self.is_checked,
            options: self.options,
            kept: self.kept,
            answer: self.answer,
            given: self.given,
            approver: self.approver,
            gives: PhantomData,
        }
    }

    /// Changes settings of the runner for this run. If several options set the same thing, the last one counts. They
    /// are checked when the run begins.
    ///
    /// If options contradict the runner, the run fails before its first request, with [`Failure::Options`]: an unknown
    /// tool or agent, a tool choice that cannot be met, or a limit on the cost without prices. Names of tools from a
    /// registry are not checked: an unknown one is not offered.
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

    /// Sets a label, which is stored with the run. It has no effect without a [store](super::RunnerBuilder::store). The
    /// labels `toolwright.parent`, `toolwright.call`, `toolwright.root` and `toolwright.task` have no effect: they are set
    /// for runs of [sub-agents](super::SubAgent).
    #[doc(alias("metadata", "tag"))]
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        let key = key.into();
        // A run that says that it is below another one goes on with that one alone.
        if ![PARENT, CALL, ROOT, TASK].contains(&&*key) {
            self.kept.labels.insert(key, value.into());
        }
        self
    }

    /// Marks the input as checked: the run does not ask the [checks](super::RunnerBuilder::check_input) of the runner
    /// again. For input that [`Runner::check_input`] returned, or that is not of a user.
    pub fn checked(mut self) -> Self {
        self.is_checked = true;
        self
    }

    /// Sets who decides about the calls of this run, in the place of the [approver](crate::CallOptions::with_approver) of the
    /// runner. Calls of sub-agents are not among them. The run is not [suspended](super::RunnerBuilder::suspends) for approvals
    /// of its own. The approver is not stored: a run that is resumed has that of its runner.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Gives the run its only call.
    pub(super) fn giving(mut self, call: ToolCall) -> Self {
        self.given = Some(call);
        self
    }

    /// Sets the type of the answer, such as a struct, an enum, a `Vec` or a number.
    ///
    /// A provider that enforces schemas receives the schema of the type, beside the tools of the runner. For others a
    /// tool `final_answer` is offered, whose arguments are the answer; a model without tools reads the schema in a
    /// message. If an answer does not fit the type or a constraint, the model receives the reason and answers again:
    /// twice, unless [`answer_corrections`](super::RunnerBuilder::answer_corrections) is set. At a limit, the model
    /// is asked for an answer of the same form.
    ///
    /// Text around the JSON, such as a code fence, is ignored. JSON that is almost correct is repaired if it has only
    /// one reading.
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
    #[doc(alias(
        "structured_output",
        "structured output",
        "output_type",
        "generate_object",
        "extract"
    ))]
    pub fn answer_as<T: TypedAnswer>(self) -> RunRequest<P, Answer<T>> {
        RunRequest {
            runner: self.runner,
            input: self.input,
            conversation: self.conversation,
            lent: self.lent,
            is_checked: self.is_checked,
            options: self.options,
            kept: self.kept,
            answer: Some(AnswerType::of::<T>()),
            given: self.given,
            approver: self.approver,
            gives: PhantomData,
        }
    }

    /// Starts the run and returns its handle: a stream of events, which can be cancelled. The run owns its
    /// conversation: use `run` for one that is borrowed mutably.
    #[doc(alias("stream", "spawn"))]
    pub fn start(self) -> RunHandle<A>
    where
        P: OwnsConversation,
    {
        self.begin().0
    }
}

impl<P> RunRequest<P> {
    /// Runs to the end, and returns the outcome.
    ///
    /// # Errors
    ///
    /// When the run [failed](toolwright_core::Finish::Failed); its finished work is in the error. Every other end is an
    /// outcome.
    ///
    /// # Panics
    ///
    /// As [`Runner::run`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses its work, unless it is in a store and can be resumed. A borrowed
    /// conversation stays as it was, and one that was passed by value is lost. A conversation of the store is busy
    /// until the run is resumed or abandoned: [`Runner::keep_recovering`] does that. [`start`](Self::start) returns a
    /// handle that can be cancelled without losing work.
    pub async fn run(self) -> Result<RunOutcome, RunError> {
        let (handle, lent) = self.begin();
        let result = handle.outcome().await;
        let outcome = result.as_ref().unwrap_or_else(|error| &error.outcome);
        lent.give_back(outcome);
        result
    }
}

impl<P, T: 'static> RunRequest<P, Answer<T>> {
    /// Runs to the end, and returns the answer.
    ///
    /// # Errors
    ///
    /// When the run failed, for example because no answer fits: [`AnswerError::Failed`], which has the text of the
    /// answer. When it ended without an answer: [`AnswerError::NoAnswer`]. Both hold the outcome.
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
    fn begin(self) -> (RunHandle<A>, GivenConversation<P>) {
        let Self {
            runner,
            kept,
            answer,
            ..
        } = self;
        let id = new_run_id();
        let (mut inner, refused) = match self.options.map(|options| runner.inner.with(options)) {
            None => (runner.inner.clone(), None),
            Some(Ok(inner)) => (Arc::new(inner), None),
            Some(Err(error)) => (runner.inner.clone(), Some(error.to_string())),
        };
        if let Some(approver) = self.approver {
            let inner = Arc::make_mut(&mut inner);
            (inner.own_approver, inner.suspend_after) = (Some(approver), None);
        }
        // A call has no answer of a type.
        let answer = answer.filter(|_| self.given.is_none());
        if let Some(call) = self.given {
            Arc::make_mut(&mut inner).give(call);
        }
        let unstored = kept.conversation.as_ref();
        let unstored = unstored.filter(|_| runner.kept_runs().is_none());
        let reason = unstored.map(|(id, _)| {
            format!(
                "the runner has no store to load the conversation `{id}` from: set one by `RunnerBuilder::store`"
            )
        });
        let is_unchecked = !self.is_checked && !inner.input_checks.is_empty();
        let begin = match refused.or(reason) {
            Some(reason) => {
                let config = inner.run_config(None);
                let input = if is_unchecked { withheld() } else { self.input };
                let (run, _) = Run::start(id, config, self.conversation, input);
                Begin::Refused(Box::new(run.lost(Failure::Options { reason })))
            }
            None => Begin::New {
                keeper: runner.keeper_of(&inner, &id, kept),
                id,
                conversation: self.conversation,
                input: self.input,
                is_checked: self.is_checked,
                answer,
            },
        };
        let owner = runner.kept_for.owner;
        let handle = RunHandle::new((inner, runner.context), owner, begin);
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
