//! The error of a tool that cannot do its work.

mod convert;
mod quoted;
#[cfg(any(feature = "anyhow", feature = "eyre"))]
mod report;

use std::{collections::BTreeMap, error::Error, fmt, time::Duration};

use serde::{Deserialize, Serialize};

use quoted::Quoted;

/// The name of the detail that distinguishes errors of the same category.
pub const CODE: &str = "code";
/// The code of a call whose name no tool has.
pub(crate) const UNKNOWN_TOOL: &str = "unknown_tool";

/// A failed call: the message for the model, the message for the log, and the kind of failure.
///
/// It has two texts. [`message`](Self::message) goes to the model: write what the model can do. [`log`](Self::log) is
/// for people and stays in the program. A front end shows the message as well, unless there is a
/// [text for the user](Self::with_user_text). `?` on another error puts its text only into the log, and the model reads a
/// fixed sentence.
///
/// ```
/// use toolwright::{ErrorCategory, ToolError};
///
/// let error = ToolError::new(ErrorCategory::ResourceNotFound, "no city is called `Olso`")
///     .with_detail("nearest", "Oslo");
/// assert_eq!(
///     error.to_model_text(),
///     "Tool execution failed (resourceNotFound): no city is called `Olso`\nDetails: nearest: Oslo"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolError {
    /// The kind of failure; retries and statistics depend on it.
    pub category: ErrorCategory,
    /// The message for the model.
    pub message: String,
    /// The message for the log, with the causes of the failure; `None` if it is no more than
    /// [`message`](Self::message).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// The text for the user. The box is thin: a larger error would be a lint in each tool that returns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user_text: Option<Box<UserText>>,
    /// Facts for the model in addition to the message, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
    /// The time to wait before another attempt can succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Duration>,
    /// True if the work may continue although the call has ended: for example, in a blocking function after its time
    /// limit. Such a call is not retried.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub still_running: bool,
    /// The text that the message quotes pieces of.
    #[serde(skip)]
    quoted: Quoted,
}

/// A text for the user.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct UserText(String);

impl ToolError {
    /// An error of a category, with the text for the model.
    pub fn new(category: ErrorCategory, message: impl Into<String>) -> Self {
        Self {
            category,
            message: message.into(),
            log: None,
            user_text: None,
            details: BTreeMap::new(),
            retry_after: None,
            still_running: false,
            quoted: Quoted::default(),
        }
    }

    /// Returns true if the call that it answers could not run: its arguments do not fit, or no tool has its name.
    pub(crate) fn is_invalid_call(&self) -> bool {
        let code = self.details.get(CODE).map(String::as_str);
        self.category == ErrorCategory::InvalidArguments || code == Some(UNKNOWN_TOOL)
    }

    /// The arguments do not fit; say which and what would.
    pub fn invalid_arguments(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::InvalidArguments, message)
    }

    /// A requested resource does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::ResourceNotFound, message)
    }

    /// The call was cancelled.
    pub fn cancelled(message: impl Into<String>) -> Self {
        Self::new(ErrorCategory::Cancelled, message)
    }

    /// Creates a failure with a fixed text for the model, of the category `Unknown`. The error with its causes goes to
    /// the log.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::from_source(ErrorCategory::Unknown, source.into().as_ref())
    }

    /// The error of a call that only the application can answer, where no application does.
    pub(crate) fn answered_elsewhere() -> Self {
        let message =
            "calls of this tool are answered by the application, which cannot be reached here";
        Self::new(ErrorCategory::Unknown, message)
    }

    /// Creates a failure with a text for the model, of the category `Unknown`. A blank text is replaced by a fixed one.
    pub(crate) fn from_text(text: String) -> Self {
        let category = ErrorCategory::Unknown;
        if text.trim().is_empty() {
            return Self::new(category, category.fixed_text());
        }
        Self::new(category, text)
    }

    /// Adds a fact for the model.
    pub fn with_detail(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.details.insert(name.into(), value.to_string());
        self
    }

    /// Sets the text for the log.
    pub fn with_log(mut self, log: impl Into<String>) -> Self {
        self.log = Some(log.into());
        self
    }

    /// Sets what the user reads of the error, in place of the text for the model.
    ///
    /// ```
    /// use toolwright::ToolError;
    ///
    /// let error = ToolError::not_found("no city is called `Olso`: take one of `list_cities`")
    ///     .with_user_text("This city is not known.");
    /// assert_eq!(error.to_user_text(), "This city is not known.");
    /// ```
    pub fn with_user_text(mut self, text: impl Into<String>) -> Self {
        self.user_text = Some(Box::new(UserText(text.into())));
        self
    }

    /// The text for the user, if the application gave one.
    pub fn user_text(&self) -> Option<&str> {
        self.user_text.as_ref().map(|text| text.0.as_str())
    }

    /// Sets how long to wait before another attempt can succeed.
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Keeps what the message quotes pieces of until the error leaves its call: a piece of what must not
    /// be seen is not found in it.
    pub(crate) fn quoting(mut self, text: &str) -> Self {
        self.quoted = Quoted::of(text);
        self
    }

    /// Removes the details that the message quotes, which must not be shown any more.
    #[doc(hidden)]
    pub fn take_quoted(&mut self) -> Option<Box<str>> {
        self.quoted.take()
    }

    /// The whole text that a model reads as the result of the call.
    pub fn to_model_text(&self) -> String {
        let mut text = format!(
            "Tool execution failed ({}): {}",
            self.category, self.message
        );
        for (index, (name, value)) in self.details.iter().enumerate() {
            text.push_str(if index == 0 { "\nDetails: " } else { ", " });
            text.push_str(name);
            text.push_str(": ");
            text.push_str(value);
        }
        text
    }

    /// The text that a user reads as the result of the call: that of the application if there is one, else what the model
    /// reads.
    pub fn to_user_text(&self) -> String {
        let text = self.user_text().map(str::to_owned);
        text.unwrap_or_else(|| self.to_model_text())
    }

    fn from_source(category: ErrorCategory, source: &(dyn Error + 'static)) -> Self {
        Self::new(category, category.fixed_text()).with_log(with_causes(source))
    }
}

#[expect(
    clippy::missing_fields_in_debug,
    reason = "what the message quotes is not shown whole"
)]
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("category", &self.category)
            .field("message", &self.message)
            .field("log", &self.log)
            .field("user_text", &self.user_text())
            .field("details", &self.details)
            .field("retry_after", &self.retry_after)
            .finish()
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ToolError {}

/// The kind of failure of a [`ToolError`]. The wire names are in camel case: `invalidArguments`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCategory {
    /// The arguments do not fit the tool.
    InvalidArguments,
    /// The tool's own credentials were refused.
    AuthenticationFailed,
    /// Too many calls; waiting helps.
    RateLimited,
    /// A requested resource does not exist, or no tool has this name.
    ResourceNotFound,
    /// The call exceeded its time limit.
    ExecutionTimeout,
    /// A connection failed.
    NetworkError,
    /// The call is not allowed.
    PermissionDenied,
    /// The call was cancelled before or while it ran.
    Cancelled,
    /// Anything else.
    Unknown,
}

impl ErrorCategory {
    /// Every category, in the order of their declaration.
    pub const ALL: [Self; 9] = [
        Self::InvalidArguments,
        Self::AuthenticationFailed,
        Self::RateLimited,
        Self::ResourceNotFound,
        Self::ExecutionTimeout,
        Self::NetworkError,
        Self::PermissionDenied,
        Self::Cancelled,
        Self::Unknown,
    ];

    /// The name on the wire, such as `invalidArguments`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArguments => "invalidArguments",
            Self::AuthenticationFailed => "authenticationFailed",
            Self::RateLimited => "rateLimited",
            Self::ResourceNotFound => "resourceNotFound",
            Self::ExecutionTimeout => "executionTimeout",
            Self::NetworkError => "networkError",
            Self::PermissionDenied => "permissionDenied",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the text for the model when the error's own text is not meant for it.
    const fn fixed_text(self) -> &'static str {
        match self {
            Self::ResourceNotFound => "something the tool needs was not found",
            Self::ExecutionTimeout => "the tool waited too long for something it needs",
            Self::NetworkError => "the tool could not reach something it needs",
            Self::PermissionDenied => "the tool was not allowed to do this",
            _ => "the tool failed with an internal error",
        }
    }
}

impl fmt::Display for ErrorCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `outer: middle: inner`, skipping a cause that its parent already quotes.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn every_category_serialises_to_its_wire_name() {
        for category in ErrorCategory::ALL {
            let json = serde_json::to_string(&category).expect("a unit variant serialises");
            assert_eq!(json, format!("\"{category}\""));
        }
    }

    #[test]
    fn details_stand_on_one_line_in_a_fixed_order() {
        let error = ToolError::invalid_arguments("no")
            .with_detail("b", 2)
            .with_detail("a", "x");
        assert_eq!(
            error.to_model_text(),
            "Tool execution failed (invalidArguments): no\nDetails: a: x, b: 2"
        );
    }

    #[test]
    fn a_source_is_for_the_log_and_not_for_the_model() {
        let secret = io::Error::new(io::ErrorKind::NotFound, "/etc/secret is missing");
        let error = ToolError::from(secret);
        assert_eq!(error.category, ErrorCategory::ResourceNotFound);
        assert!(!error.to_model_text().contains("secret"));
        assert_eq!(error.log.as_deref(), Some("/etc/secret is missing"));
    }

    #[test]
    fn the_log_names_every_cause_once() {
        #[derive(Debug)]
        struct Outer(io::Error);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("opening the shop")
            }
        }
        impl Error for Outer {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&self.0)
            }
        }
        let error = ToolError::internal(Outer(io::Error::other("no key")));
        assert_eq!(error.log.as_deref(), Some("opening the shop: no key"));
    }
}
