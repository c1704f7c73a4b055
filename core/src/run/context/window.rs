//! The size of a model's context window, and what happens near its end.

use serde::{Deserialize, Serialize};

/// The size of a model's context window, and what happens near its end. Without one, a run sends the whole
/// conversation each time.
///
/// The run estimates the tokens of the next request, from its size and the usage that the provider reported last. If
/// there is no room left for a response, or if the model refuses a request as [too
/// long](crate::ModelErrorKind::ContextTooLong), it sends less: results of old tool rounds become one line each, and if
/// that is not enough, the oldest turns and rounds are left out, with a note or a [summary](Self::with_summary) in
/// their place. They stay in the conversation; [`Compaction`](crate::Conversation::compaction) says what is left out.
///
/// Providers cache the beginning of a request and charge little for cached tokens. So the run shrinks its requests
/// rarely: down to [`target`](Self::target), and then not before the window is full again.
///
/// ```
/// use toolwright::{ModelResponse, Runner, run::ContextWindow, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).context_window(ContextWindow::new(128_000)).build()?;
/// # Ok::<(), toolwright::runner::BuildError>(())
/// ```
#[doc(alias("compaction", "memory"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContextWindow {
    /// The number of tokens that a request and its response may have together.
    pub tokens: u64,
    /// The number of tokens that are reserved for the response; a quarter of the window by default, and at most
    /// [`RESERVE`](Self::RESERVE).
    pub reserve: u64,
    /// The number of tokens that a request is shrunk to; half of the window by default. If tools and the user's latest
    /// message alone need most of that, it is half of what is left.
    pub target: u64,
    /// The number of latest tool rounds whose results are sent whole; 2 by default. Results that alone do not fit in
    /// the window are cut all the same.
    pub keep_rounds: u32,
    /// True if a model is asked for a summary of what is left out: see [`with_summary`](Self::with_summary).
    #[serde(default)]
    pub summarize: bool,
    /// The number of tokens of what each request has in addition to the conversation, such as tools. A runner
    /// estimates it if it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<u64>,
}

impl ContextWindow {
    /// The most tokens that are reserved for the response by default.
    pub const RESERVE: u64 = 8_192;
    /// The default number of latest tool rounds whose results are sent whole.
    pub const KEEP_ROUNDS: u32 = 2;

    /// A window of so many tokens.
    pub const fn new(tokens: u64) -> Self {
        let quarter = tokens / 4;
        Self {
            tokens,
            reserve: if quarter < Self::RESERVE {
                quarter
            } else {
                Self::RESERVE
            },
            target: tokens / 2,
            keep_rounds: Self::KEEP_ROUNDS,
            summarize: false,
            overhead: None,
        }
    }

    /// Sets the number of tokens that are reserved for the response.
    pub const fn with_reserve(mut self, tokens: u64) -> Self {
        self.reserve = tokens;
        self
    }

    /// Sets the number of tokens that a request is shrunk to.
    pub const fn with_target(mut self, tokens: u64) -> Self {
        self.target = tokens;
        self
    }

    /// Sets the number of latest tool rounds whose results are sent whole.
    pub const fn with_keep_rounds(mut self, rounds: u32) -> Self {
        self.keep_rounds = rounds;
        self
    }

    /// Asks a model for a summary of what is left out, and sends it instead. It is the model of the run, or the one of
    /// `RunnerBuilder::compact_with`. If it gives none, a note is sent.
    pub const fn with_summary(mut self) -> Self {
        self.summarize = true;
        self
    }

    /// Sets the number of tokens of what each request has in addition to the conversation.
    pub const fn with_overhead(mut self, tokens: u64) -> Self {
        self.overhead = Some(tokens);
        self
    }

    /// The most tokens that a request may have.
    pub(super) const fn limit(&self) -> u64 {
        self.tokens.saturating_sub(self.reserve)
    }
}
