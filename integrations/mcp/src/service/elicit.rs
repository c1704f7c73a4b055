//! Typed input from a person.

mod form;

use std::{
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicUsize, Ordering},
};

use toolwright_core::{
    __private::check_form,
    ErrorCategory, Schema, ToolCall, ToolContext, ToolError,
    schema::{Describe, Start},
    tool::{Decision, ExtensionType, FromContext, Question, Unasked},
};

use super::{
    asking::{Modes, lacking},
    fields::{self, Fields},
};
use crate::digest::digest;

/// Asks a person for typed input (elicitation), by [`ToolContext::ask`]: the person at the client, or in a
/// [run](toolwright_runtime::Runner) whoever decides about its calls. An
/// [approver](toolwright_runtime::CallOptions::with_approver) of the application answers in the place of the client. For a tool
/// it is a `#[context]` parameter; a prompt or a resource makes it [of its context](Self::of).
///
/// `T` is a struct whose fields a form can show: strings, numbers, booleans, enums without data, lists of such enums, and
/// `Option`s of these; `()` for a question of yes or no. Another type does not compile. The answer is checked as the
/// arguments of a call are.
///
/// ```
/// use toolwright::{ToolError, ToolInput, mcp::{Elicit, Elicited}, tool};
///
/// #[derive(serde::Deserialize, ToolInput)]
/// struct Party {
///     /// The number of guests.
///     #[tool(range(1..=20))]
///     guests: u8,
///     /// Where to sit.
///     outside: bool,
/// }
///
/// /// Book a table in a restaurant.
/// #[tool]
/// async fn book_table(
///     /// The name of the restaurant.
///     restaurant: String,
///     #[context] ask: Elicit<Party>,
/// ) -> Result<String, ToolError> {
///     Ok(match ask.form("For how many people?").await? {
///         Elicited::Accepted(Party { guests, .. }) => format!("{restaurant}: booked for {guests}"),
///         Elicited::Unsupported => "Ask the user how many guests there are.".to_owned(),
///         _ => "The user does not want a table.".to_owned(),
///     })
/// }
/// ```
///
/// A form has nothing inside its fields, so that this does not compile:
///
/// ```compile_fail
/// use toolwright::{ToolInput, mcp::Elicit, tool};
///
/// #[derive(serde::Deserialize, ToolInput)]
/// struct Guest {
///     name: String,
/// }
///
/// #[derive(serde::Deserialize, ToolInput)]
/// struct Party {
///     guests: Vec<Guest>,
/// }
///
/// /// Book a table in a restaurant.
/// #[tool]
/// async fn book_table(#[context] ask: Elicit<Party>) {
///     let _ = ask.form("Who comes?").await;
/// }
/// ```
///
/// # The call may run again
///
/// In a run, and so in a [task](super::Service::long), the attempt ends with the question, and the call runs again with the
/// answer. Of two questions that are asked at once, the second one is asked after the answer to the first.
///
/// In the protocol of 2026-07-28 the question is the result of the call, and the client makes the call again with the
/// answer. The tool then runs again from its beginning, perhaps in another process with the same
/// [key](super::Service::state_key), and gets the answers that it has had at the same questions. So ask before the first
/// effect: what was done before a question is done again. A service that takes an
/// [idempotency key](ToolContext::idempotency_key) sees the same key both times. A question is the same if its message and its
/// type are, so a message must not have the time or a random number in it.
///
/// Outside of a run, two questions that are asked at once (`tokio::join!`) come in one result.
///
/// In the protocol of 2025-11-25 the call waits, and its time limit goes on: give a tool that asks a longer one.
#[must_use = "it asks by `form` or `url`"]
pub struct Elicit<T> {
    cx: ToolContext,
    /// The name of the question; empty if it has none.
    name: String,
    is_required: bool,
    /// The number of questions of this attempt of the call.
    count: AtomicUsize,
    answer: PhantomData<fn() -> T>,
}

/// The most answers to a form that may not fit its type.
const ANSWERS: u32 = 3;

/// What the person at the client has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elicited<T> {
    /// The input.
    Accepted(T),
    /// No: the person does not want to give it, has closed the question, has filled in what does not fit, or has not answered in
    /// time.
    Declined {
        /// Which of these, for the model; it may be empty.
        reason: String,
    },
    /// The client cannot ask in this way, or nobody can be asked.
    Unsupported,
}

impl<T> Elicited<T> {
    /// The input, if the person gave it.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(input) => Some(input),
            _ => None,
        }
    }
}

impl<T: Fields> Elicit<T> {
    /// Asks for what runs in this context: a [prompt](super::Service::prompt) or a [resource](super::Service::resource).
    ///
    /// ```
    /// use toolwright::{ToolContext, ToolInput, Toolset, mcp::{Elicit, Service}};
    ///
    /// #[derive(serde::Deserialize, ToolInput)]
    /// struct Topic {
    ///     /// What it is about.
    ///     topic: String,
    /// }
    ///
    /// let service = Service::new(Toolset::new()).prompt("explain", async |(), cx: ToolContext| {
    ///     let asked = Elicit::<Topic>::of(&cx).form("What do you want to understand?").await?;
    ///     let topic = asked.accepted().map_or_else(|| "anything".to_owned(), |it| it.topic);
    ///     Ok(format!("Explain {topic} in plain words."))
    /// })?;
    /// # Ok::<(), toolwright::mcp::ServiceError>(())
    /// ```
    pub fn of(cx: &ToolContext) -> Self {
        const { check_form::<T>() }
        Self {
            cx: cx.clone(),
            name: String::new(),
            is_required: false,
            count: AtomicUsize::new(0),
            answer: PhantomData,
        }
    }

    /// Refuses a client that cannot ask, in the place of [`Unsupported`](Elicited::Unsupported): by the error of the protocol
    /// for a capability that is missing, or before 2026-07-28 by a failure of the call. For what makes no sense without a
    /// person.
    pub fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// The same with a name for its question. A client knows a question by its name: a program can answer it without being
    /// asked. An answer is for the question that was read: where its text has changed since, it is asked again. The second
    /// question that is asked by this value has the name with `-2`, also where a form is asked again. Without a name, a question has one that nobody can know
    /// before.
    ///
    /// Two questions of a call have two names. Outside of a run, another text with the same name is an error of `form` and `url`;
    /// in a run, it is another question.
    pub fn named(&self, name: impl Into<String>) -> Self {
        Self {
            cx: self.cx.clone(),
            name: name.into(),
            is_required: self.is_required,
            count: AtomicUsize::new(0),
            answer: PhantomData,
        }
    }

    /// Shows a form with the fields of `T` and a message. A form cannot show all that a type wants, such as a pattern: if an answer
    /// does not fit the type, the person is asked again, with the reason below the message.
    ///
    /// # Errors
    ///
    /// `InvalidArguments`, when the third answer does not fit the type either, with what was expected, and those of
    /// [`ToolContext::ask`].
    ///
    /// # Cancel safety
    ///
    /// As [`ToolContext::ask`].
    pub async fn form(&self, message: impl Into<String>) -> Result<Elicited<T>, ToolError> {
        let message = message.into();
        let schema = form::of(<T::Body<Start> as Describe>::node());
        let mut question = Question::form(&*message, Schema::from_value(&schema));
        let mut left = ANSWERS;
        loop {
            let form = match self.ask(question.clone()).await? {
                Elicited::Accepted(form) => form,
                Elicited::Declined { reason } => return Ok(Elicited::Declined { reason }),
                Elicited::Unsupported => return Ok(Elicited::Unsupported),
            };
            left -= 1;
            match fields::read(ToolCall::new("", "the answer of the user", form)) {
                Ok(input) => return Ok(Elicited::Accepted(input)),
                Err(error) if error.category == ErrorCategory::InvalidArguments && left > 0 => {
                    // Its text follows from the answer, so that it is the same question when the call runs again.
                    question.message =
                        format!("{message}\n\nThe answer did not fit: {}", error.message);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Elicit<()> {
    /// Asks the person to open an address: to sign in, or to enter what neither the client nor the model may see.
    /// [`Accepted`](Elicited::Accepted) means that the address is opened, not that the work there is done.
    ///
    /// # Errors
    ///
    /// As [`ToolContext::ask`].
    ///
    /// # Cancel safety
    ///
    /// As [`form`](Self::form).
    pub async fn url(
        &self,
        message: impl Into<String>,
        address: impl Into<String>,
    ) -> Result<Elicited<()>, ToolError> {
        Ok(match self.ask(Question::url(message, address)).await? {
            Elicited::Accepted(_) => Elicited::Accepted(()),
            Elicited::Declined { reason } => Elicited::Declined { reason },
            Elicited::Unsupported => Elicited::Unsupported,
        })
    }
}

impl<T> Elicit<T> {
    /// Asks, and gives the filled form.
    async fn ask(&self, question: Question) -> Result<Elicited<String>, ToolError> {
        let modes = self.cx.extension::<Modes>();
        if modes.is_some_and(|modes| !modes.can_ask(&question)) {
            return self.unsupported(&question);
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let key = match (self.name.as_str(), number) {
            ("", number) => {
                let stored = serde_json::to_string(&question);
                let stored = stored.map_err(|error| ToolError::internal(error.to_string()))?;
                let call = self.cx.idempotency_key().unwrap_or_default();
                digest(&[&stored, &call, &number.to_string()])
            }
            (name, 0) => name.to_owned(),
            (name, number) => format!("{name}-{}", number + 1),
        };
        Ok(match self.cx.ask(key, question.clone()).await {
            Ok(Decision::ApproveWith { arguments }) => Elicited::Accepted(arguments),
            Ok(Decision::Deny { reason }) => Elicited::Declined { reason },
            Ok(other) => return Err(ToolError::internal(format!("no answer: {other:?}"))),
            Err(Unasked::Nobody) => return self.unsupported(&question),
            Err(unasked) => return Err(unasked.into()),
        })
    }

    fn unsupported<A>(&self, question: &Question) -> Result<Elicited<A>, ToolError> {
        if self.is_required {
            return Err(lacking(question));
        }
        Ok(Elicited::Unsupported)
    }
}

impl<'cx, T: Fields> FromContext<'cx> for Elicit<T> {
    const EXTENSION: Option<fn() -> ExtensionType> = {
        check_form::<T>();
        None
    };

    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(Self::of(cx))
    }
}

impl<T> fmt::Debug for Elicit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elicit").finish_non_exhaustive()
    }
}
