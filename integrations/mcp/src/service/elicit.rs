//! Typed input from the person at the client.

mod form;

use std::{
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicUsize, Ordering},
};

use rmcp::model::{
    ElicitRequestParams, ElicitationAction, ElicitationCapability, FormElicitationCapability,
    UrlElicitationCapability,
};
use serde_json::{Map, Value};
use toolwright_core::{
    __private::check_form,
    ErrorCategory, ToolCall, ToolContext, ToolError,
    schema::{Describe, Start},
    tool::{ExtensionType, FromContext},
};

use super::{
    asking::{Asking, Unanswered, digest},
    fields::{self, Fields},
};

/// Asks the person at the client for typed input (elicitation). For a tool it is a `#[context]` parameter; a prompt or a resource
/// makes it [of its context](Self::of).
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
/// In the protocol of 2026-07-28 the question is the result of the call, and the client makes the call again with the
/// answer. The tool then runs again from its beginning, perhaps in another process with the same
/// [key](super::Service::state_key), and gets the answers that it has had at the same questions. So ask before the first
/// effect: what was done before a question is done again. A service that takes an
/// [idempotency key](ToolContext::idempotency_key) sees the same key both times. A question is the same if its message and its
/// type are, so a message must not have the time or a random number in it.
///
/// Two questions that are asked at once (`tokio::join!`) come in one result.
///
/// In the protocol of 2025-11-25 the call waits, and its time limit goes on: give a tool that asks a longer one.
#[must_use = "it asks by `form` or `url`"]
pub struct Elicit<T> {
    asking: Option<Asking>,
    /// The name of the question; empty if it has none.
    name: String,
    is_required: bool,
    /// What an answer is for: one call, also where an agent makes several.
    call: String,
    /// The number of questions of this attempt of the call.
    count: AtomicUsize,
    answer: PhantomData<fn() -> T>,
}

/// What the person at the client has answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elicited<T> {
    /// The input.
    Accepted(T),
    /// No: the person does not want to give it.
    Declined,
    /// The person has closed the question without an answer.
    Cancelled,
    /// The client cannot ask in this way, or the call is none of a client.
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
        let asking = cx.extension::<Asking>();
        let asking = asking.filter(|asking| asking.is_live() || asking.is_of(cx));
        Self {
            asking: asking.cloned(),
            name: String::new(),
            is_required: false,
            call: cx.idempotency_key().unwrap_or_default(),
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
    /// asked, and the answer stays the same where the text of the question changes. The second question that is asked by this
    /// value has the name with `-2`. Without a name, a question has one that nobody can know before.
    ///
    /// Two questions of a call have two names: another text with the same name is an error of `form` and `url`.
    pub fn named(&self, name: impl Into<String>) -> Self {
        Self {
            asking: self.asking.clone(),
            name: name.into(),
            is_required: self.is_required,
            call: self.call.clone(),
            count: AtomicUsize::new(0),
            answer: PhantomData,
        }
    }

    /// Shows a form with the fields of `T` and a message.
    ///
    /// # Errors
    ///
    /// `InvalidArguments`, when the answer does not fit, with what was expected; `NetworkError`, when the client did not
    /// answer.
    ///
    /// # Cancel safety
    ///
    /// Dropped, the answer is lost: the question cannot be taken back.
    pub async fn form(&self, message: impl Into<String>) -> Result<Elicited<T>, ToolError> {
        let schema = form::of(<T::Body<Start> as Describe>::node());
        let requested_schema = serde_json::from_value(schema.clone())
            .map_err(|error| ToolError::internal(format!("no form has this schema: {error}")))?;
        let message = message.into();
        let about = ["form", &message, &schema.to_string()];
        let question = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.clone(),
            requested_schema,
        };
        Ok(match self.ask(&about, |_| question).await? {
            Elicited::Accepted(content) => {
                let content = content.unwrap_or_else(|| Value::Object(Map::new()));
                let answer = ToolCall::new("", "the answer of the user", content.to_string());
                Elicited::Accepted(fields::read(answer)?)
            }
            Elicited::Declined => Elicited::Declined,
            Elicited::Cancelled => Elicited::Cancelled,
            Elicited::Unsupported => Elicited::Unsupported,
        })
    }
}

impl Elicit<()> {
    /// Asks the person to open an address: to sign in, or to enter what neither the client nor the model may see.
    /// [`Accepted`](Elicited::Accepted) means that the address is opened, not that the work there is done.
    ///
    /// # Errors
    ///
    /// `NetworkError`, when the client did not answer.
    ///
    /// # Cancel safety
    ///
    /// As [`form`](Self::form).
    pub async fn url(
        &self,
        message: impl Into<String>,
        address: impl Into<String>,
    ) -> Result<Elicited<()>, ToolError> {
        let (message, url) = (message.into(), address.into());
        let about = ["url", &message.clone(), &url.clone()];
        let question = |id: &str| ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message,
            url,
            elicitation_id: id.to_owned(),
        };
        Ok(match self.ask(&about, question).await? {
            Elicited::Accepted(_) => Elicited::Accepted(()),
            Elicited::Declined => Elicited::Declined,
            Elicited::Cancelled => Elicited::Cancelled,
            Elicited::Unsupported => Elicited::Unsupported,
        })
    }
}

impl<T> Elicit<T> {
    fn unsupported<A>(&self) -> Result<Elicited<A>, ToolError> {
        if self.is_required {
            let message = "it needs the answer of a person, and the client cannot ask one";
            return Err(ToolError::new(ErrorCategory::Unknown, message));
        }
        Ok(Elicited::Unsupported)
    }

    async fn ask(
        &self,
        about: &[&str],
        question: impl FnOnce(&str) -> ElicitRequestParams,
    ) -> Result<Elicited<Option<Value>>, ToolError> {
        let Some(asking) = &self.asking else {
            return self.unsupported();
        };
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let name = self.name.as_str();
        let id = digest(&[about, &[&self.call, name, &number.to_string()]].concat());
        let question = question(&id);
        // Where a call goes on after its question, several calls of an agent may ask at once.
        let key = match (name, number) {
            ("", _) => id,
            _ if asking.is_live() => id,
            (name, 0) => name.to_owned(),
            (name, number) => format!("{name}-{}", number + 1),
        };
        let lacks = match question {
            ElicitRequestParams::UrlElicitationParams { .. } => {
                ElicitationCapability::new().with_url(UrlElicitationCapability::new())
            }
            _ => ElicitationCapability::new().with_form(FormElicitationCapability::new()),
        };
        let answer = match asking.ask(key, question).await {
            Ok(answer) => answer,
            Err(Unanswered::Unsupported) => {
                if self.is_required {
                    asking.refuse(lacks).await;
                }
                return self.unsupported();
            }
            Err(Unanswered::Taken(name)) => {
                let why = format!("two questions have the name `{name}`");
                return Err(ToolError::internal(why));
            }
            Err(Unanswered::Failed(why)) => {
                let message = "the client did not ask the user";
                return Err(ToolError::new(ErrorCategory::NetworkError, message).with_log(why));
            }
        };
        Ok(match answer.action {
            ElicitationAction::Accept => Elicited::Accepted(answer.content),
            ElicitationAction::Decline => Elicited::Declined,
            _ => Elicited::Cancelled,
        })
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
