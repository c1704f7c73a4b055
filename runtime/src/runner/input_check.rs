//! Checks of what the user says, before anything of it is stored.

use std::{fmt, future::Future, pin::pin, sync::Arc, time::Duration};

use futures_util::future::{Either, select};

use super::{Inner, Runner, RunnerBuilder};
use crate::dispatch::wait;
use toolwright_core::{
    UserMessage,
    driver::Caught,
    tool::{BoxFuture, ToolContext},
};

/// What a check of the user's messages sees.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct UserInput {
    /// The message, as the checks before have left it.
    pub message: UserMessage,
    /// The [owner](Runner::with_owner) of the run; `None` for the application.
    pub owner: Option<String>,
    /// The context that the tools receive: its extensions say for whom the run is.
    pub context: ToolContext,
}

/// The refusal of a message of the user, by a check of the application.
///
/// ```
/// use toolwright::runner::InputRefusal;
///
/// let refusal = InputRefusal::new("Please leave passwords out.").stored_as("(a password)");
/// assert_eq!(InputRefusal::from("Please leave passwords out.").stored_as("(a password)"), refusal);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct InputRefusal {
    reply: String,
    stored: UserMessage,
}

impl InputRefusal {
    /// What is stored of a refused message, if the application does not set it.
    pub const STORED: &str = "(This message was refused, and is not stored.)";

    /// A refusal, with what the user reads.
    pub fn new(reply: impl Into<String>) -> Self {
        Self {
            reply: reply.into(),
            stored: Self::STORED.into(),
        }
    }

    /// Sets what is stored in the place of the message, and sent to models in later requests;
    /// [`STORED`](Self::STORED) by default.
    pub fn stored_as(mut self, message: impl Into<UserMessage>) -> Self {
        self.stored = message.into();
        self
    }

    fn into_message(self) -> UserMessage {
        self.stored.with_refusal(self.reply)
    }
}

impl<T: Into<String>> From<T> for InputRefusal {
    fn from(reply: T) -> Self {
        Self::new(reply)
    }
}

impl RunnerBuilder {
    /// The longest time that the checks of one message may take.
    pub const INPUT_CHECK_TIME: Duration = Duration::from_secs(30);

    /// Adds a check of what the user says. It runs before anything of the message is stored, logged or sent, and
    /// returns the message as it is, another message in its place, such as a redacted one, or a refusal. Checks run in
    /// the order in which they were added, up to the first that refuses.
    ///
    /// | Of | a refusal |
    /// | --- | --- |
    /// | the question of a run | sends no request. The run ends with [`Finish::InputRefused`](toolwright_core::Finish::InputRefused), and its text is what the user reads |
    /// | a message that is [pushed](crate::RunControl::push) | is in the log and in the [warnings](toolwright_core::RunOutcome::warnings) of the run, as `input_refused` with what the user reads. The model is not sent it |
    ///
    /// Records, conversations and streams hold the [stored text](InputRefusal::stored_as) of a refused message, and
    /// never its words. A check that panics, or takes longer than [`INPUT_CHECK_TIME`](Self::INPUT_CHECK_TIME), refuses. If the run is cancelled meanwhile, nothing
    /// of a question is stored, and a pushed message is [unread](toolwright_core::RunOutcome::unread).
    ///
    /// A message is checked once: neither in later runs of its conversation, nor when its run is resumed.
    ///
    /// | Checked | Not checked |
    /// | --- | --- |
    /// | the question of each run, also the task of a [sub-agent](super::SubAgent), by the runner of the sub-agent | the conversation that a run is given, system texts, instructions, notes |
    /// | messages by [`RunControl::push`](crate::RunControl::push), and those in the inbox of a store | messages in [`unread`](toolwright_core::RunOutcome::unread), which come back as they were pushed |
    /// | chats and messages of the server | answers to calls of external tools, outputs that a client sends, edited arguments, reasons of a denial: input of a user as well, which the application checks before it passes it on |
    /// | | arguments and results of tools: [middleware](toolwright_core::middleware) sees them |
    ///
    /// The task of a sub-agent is also in the arguments of its call, in the log of the run above.
    ///
    /// A message that is put into a store by [`Store::put`](crate::store::Store::put) is stored before the run checks
    /// it: use [`Runner::check_input`] before, as the server does.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{Finish, ModelResponse, Runner, message::text_of, testing::ScriptedModel};
    /// use toolwright::runner::{InputRefusal, UserInput};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("A mail is on its way.")]);
    /// let runner = Runner::builder(model.clone())
    ///     .check_input(async |input: UserInput| {
    ///         let text = text_of(&input.message.parts);
    ///         if text.contains("password") {
    ///             return Err(InputRefusal::new("Please do not send passwords."));
    ///         }
    ///         Ok(text.replace("ada@example.com", "[address]").into())
    ///     })
    ///     .build()?;
    ///
    /// let refused = runner.run("My password is 1234.").await?;
    /// assert_eq!(refused.finish, Finish::InputRefused);
    /// assert_eq!(refused.text, "Please do not send passwords.");
    ///
    /// runner.run("Write to ada@example.com.").await?;
    /// assert!(format!("{:?}", model.requests()).contains("Write to [address]."));
    /// # Ok(()) }
    /// ```
    #[doc(alias("guardrail", "moderation", "redact"))]
    pub fn check_input<F, E>(
        mut self,
        check: impl Fn(UserInput) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<UserMessage, E>> + Send + 'static,
        E: Into<InputRefusal>,
    {
        self.input_checks.0.push(Arc::new(move |input| {
            let checked = check(input);
            Box::pin(async move { checked.await.map_err(Into::into) })
        }));
        self
    }
}

impl Runner {
    /// Asks the [checks](RunnerBuilder::check_input) of the runner about a message, and returns what may be stored of
    /// it: the message, another one, or one that is marked as [refused](UserMessage::refusal). For messages that
    /// are stored before a run takes them: see [`InboxItem::checked`](crate::store::InboxItem::checked) and
    /// [`RunRequest::checked`](crate::RunRequest::checked).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the check.
    pub async fn check_input(&self, message: impl Into<UserMessage>) -> UserMessage {
        let owner = self.kept_for.owner.clone();
        let checker = InputChecker::new(&self.inner, owner, &self.context);
        checker.check(message.into()).await
    }
}

type Check =
    dyn Fn(UserInput) -> BoxFuture<'static, Result<UserMessage, InputRefusal>> + Send + Sync;

/// The checks of a runner.
#[derive(Clone, Default)]
pub(super) struct InputChecks(Vec<Arc<Check>>);

impl InputChecks {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The checks of a runner, for the messages of one run.
pub(super) struct InputChecker {
    checks: InputChecks,
    owner: Option<String>,
    context: ToolContext,
}

impl InputChecker {
    pub(super) fn new(inner: &Inner, owner: Option<String>, context: &ToolContext) -> Self {
        Self {
            checks: inner.input_checks.clone(),
            owner,
            context: context.clone().with_missing(&inner.calls.extensions),
        }
    }

    /// Returns true if a message is to be checked. One that was refused stays so.
    pub(super) fn checks(&self, message: &UserMessage) -> bool {
        !self.checks.is_empty() && message.refusal().is_none()
    }

    /// What may be stored of a message.
    pub(super) async fn check(&self, message: UserMessage) -> UserMessage {
        if !self.checks(&message) {
            return message;
        }
        let checked = pin!(self.verdict(message));
        match select(checked, pin!(wait(RunnerBuilder::INPUT_CHECK_TIME))).await {
            Either::Left((Ok(message), _)) => message,
            Either::Left((Err(refusal), _)) => refusal.into_message(),
            Either::Right(_) => unchecked("it could not be checked in time").into_message(),
        }
    }

    async fn verdict(&self, mut message: UserMessage) -> Result<UserMessage, InputRefusal> {
        for check in &self.checks.0 {
            let input = UserInput {
                message,
                owner: self.owner.clone(),
                context: self.context.clone(),
            };
            // To begin a check is its own code as well. The message of a panic may quote what the check was given.
            let checked = Caught::new(Box::pin(async { check(input).await }));
            let panicked = |_| Err(unchecked("its check failed"));
            message = checked.await.unwrap_or_else(panicked)?;
        }
        Ok(message)
    }
}

fn unchecked(why: &str) -> InputRefusal {
    InputRefusal::new(format!("The message was not accepted: {why}."))
}

/// What stands for a message that was not checked.
pub(super) fn withheld() -> UserMessage {
    InputRefusal::STORED.into()
}

impl fmt::Debug for InputChecks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InputChecks").field(&self.0.len()).finish()
    }
}
