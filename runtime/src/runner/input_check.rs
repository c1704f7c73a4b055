//! Checks of what the user says, before anything of it is stored.

use std::{fmt, future::Future, pin::pin, sync::Arc};

use futures_util::future::{Either, select};

use super::{Inner, Runner};
use crate::{dispatch::wait, guardrail::CHECK_TIME};
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

impl Runner {
    /// Asks the [checks](crate::RunnerBuilder::check_input) of the runner about a message, and returns what may be stored of
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

    /// Adds a check.
    pub(super) fn push<F, E>(&mut self, check: impl Fn(UserInput) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<UserMessage, E>> + Send + 'static,
        E: Into<InputRefusal>,
    {
        self.0.push(Arc::new(move |input| {
            let checked = check(input);
            Box::pin(async move { checked.await.map_err(Into::into) })
        }));
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
        match select(checked, pin!(wait(CHECK_TIME))).await {
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
