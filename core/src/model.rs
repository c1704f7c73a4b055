//! Anything that answers a request: a provider's model, an emulated one, a scripted one.

mod answer_schema;
mod assembler;
pub(crate) mod checked_texts;
pub(crate) mod emitter;
mod error;
mod event;
mod provider_tool;
mod request;
pub(crate) mod response;
mod usage;

use std::{pin::Pin, sync::Arc};

use futures_core::Stream;

pub use answer_schema::AnswerSchema;
pub use assembler::Assembler;
pub use error::{ModelError, ModelErrorKind};
pub use event::ModelEvent;
pub use provider_tool::{FileSearch, ProviderTool, WebSearch};
pub use request::{ModelRequest, ModelSettings, PromptCaching, ToolChoice};
pub use response::{FinishReason, ModelResponse, Warning};
pub use usage::Usage;

use crate::tool::{BoxFuture, yield_once};
use emitter::emitted;

/// The events of one response as they arrive. No event follows an `Err`.
pub type ModelStream<'a> = Pin<Box<dyn Stream<Item = Result<ModelEvent, ModelError>> + Send + 'a>>;

/// Anything that answers a request.
///
/// Only [`stream`](Self::stream) must be written. A model that cannot stream yields the events of
/// its whole response at once: [`ModelResponse::into_events`] makes them.
///
/// # Contract
///
/// - The events of a response, given to an [`Assembler`], are the response.
/// - A complete response ends with [`ModelEvent::Finished`]. A response that the provider did not end is an `Err`,
///   never a shorter response.
/// - A model does not retry. [`ModelError`] says whether sending again is safe.
/// - Dropping the stream or the future ends the request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no model",
    label = "this answers no requests",
    note = "the name of a model is given to its provider: `OpenAiResponses::from_env(\"…\")?`",
    note = "`from_env` returns a `Result`: write `?` behind it"
)]
pub trait ChatModel: Send + Sync + 'static {
    /// Sends a request and yields the events of its response as they arrive. Nothing is sent before the first poll.
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a>;

    /// Sends a request and waits for the whole response. By default it collects
    /// [`stream`](Self::stream); a provider may ask for an unstreamed response instead.
    ///
    /// # Errors
    ///
    /// Errors of the provider and of the connection. The part of the response that had arrived is in
    /// [`ModelError::partial`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the request and loses the part of the response that had arrived.
    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(collect(self.stream(request)))
    }

    /// Sends a request as [`complete`](Self::complete) does, and yields the events of the response. A run that does not
    /// stream reads them.
    ///
    /// A model that sends several requests for one response yields what the earlier ones [used](ModelEvent::Usage)
    /// before it sends the next one, so that a run counts it that is cancelled meanwhile. By default these are the
    /// events of `complete`: a model around another one has this method of the inner one to pass on.
    fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        emitted(|emitter| async move {
            let response = self.complete(request).await?;
            let events = response.into_events().into_iter();
            events.for_each(|event| emitter.add(event));
            Ok(())
        })
    }

    /// Returns the provider's name of the model; `None` by default.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Returns the name of the provider, for messages; `None` by default.
    fn provider(&self) -> Option<&str> {
        None
    }

    /// Returns the capabilities of the model, as far as they are known: a model may learn more of them from
    /// its provider.
    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities::default()
    }

    /// Returns true if the provider is sent the [answer schema](ModelRequest::answer_schema) of this request, so that
    /// the text of the response is expected to fit it. It is false by default, and a run with a typed answer asks for
    /// it in another way: see [`AnswerMeans`](crate::run::AnswerMeans).
    fn takes_answer_schema(&self, _request: &ModelRequest) -> bool {
        false
    }
}

/// The capabilities of a model. By default it accepts tools and has no tool search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own about a model"
)]
pub struct ModelCapabilities {
    /// True if the model accepts tools. `true` by default.
    pub tools: bool,
    /// True if the provider searches for tools itself, where their definitions are
    /// [deferred](crate::ToolDefinition::deferred): it receives all of them, and decides which of them the model reads.
    /// `false` by default.
    pub tool_search: bool,
    /// True if the provider accepts the [allowed tools](ModelRequest::allowed_tools) beside the list of all tools.
    /// `false` by default.
    pub allowed_tools: bool,
    /// True if the model holds the [time limit](ModelRequest::time_limit) of a request itself: it may ask several
    /// times, and each time has that limit. Then nobody limits the whole. A model around such a one that makes requests
    /// of its own gives them the same limit. `false` by default.
    pub limits_time: bool,
}

impl ModelCapabilities {
    /// Tools, and no search for them.
    pub const fn new() -> Self {
        Self {
            tools: true,
            tool_search: false,
            allowed_tools: false,
            limits_time: false,
        }
    }

    /// Sets whether the provider searches for tools itself.
    pub const fn with_tool_search(mut self, tool_search: bool) -> Self {
        self.tool_search = tool_search;
        self
    }

    /// Sets whether the provider accepts the [allowed tools](ModelRequest::allowed_tools) beside the list of all tools.
    pub const fn with_allowed_tools(mut self, allowed_tools: bool) -> Self {
        self.allowed_tools = allowed_tools;
        self
    }

    /// Sets whether the model holds the [time limit](ModelRequest::time_limit) of a request itself.
    pub const fn with_limits_time(mut self, limits_time: bool) -> Self {
        self.limits_time = limits_time;
        self
    }

    /// Sets whether the model accepts tools.
    pub const fn with_tools(mut self, tools: bool) -> Self {
        self.tools = tools;
        self
    }
}

impl Default for ModelCapabilities {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<M: ChatModel + ?Sized> ChatModel for $pointer<M> {
            fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
                (**self).stream(request)
            }

            fn complete<'a>(
                &'a self,
                request: &'a ModelRequest,
            ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
                (**self).complete(request)
            }

            fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
                (**self).unstreamed(request)
            }

            fn name(&self) -> Option<&str> {
                (**self).name()
            }

            fn provider(&self) -> Option<&str> {
                (**self).provider()
            }

            fn capabilities(&self) -> ModelCapabilities {
                (**self).capabilities()
            }

            fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
                (**self).takes_answer_schema(request)
            }
        }
    )*};
}

pointers!(Arc, Box);

/// The number of events after which other tasks have their turn.
const EVENTS_IN_ONE_GO: u32 = 128;

/// Assembles a stream into its response. It yields to other tasks now and then, even if the stream never waits.
///
/// # Errors
///
/// The stream's own, `Transport` for a stream that ended before the response was whole, and `MalformedResponse` for one
/// that is longer than 64 MiB; with the part that had arrived in [`ModelError::partial`].
pub async fn collect(mut stream: ModelStream<'_>) -> Result<ModelResponse, ModelError> {
    let mut assembler = Assembler::new();
    // A model that never waits must not keep a cancel or other tasks waiting.
    let mut events_in_one_go = 0;
    while let Some(event) = std::future::poll_fn(|cx| stream.as_mut().poll_next(cx)).await {
        match event {
            Ok(event) => assembler.push_bounded(event)?,
            Err(error) => {
                let came = assembler.finish();
                let nothing = came == ModelResponse::default();
                return Err(if nothing {
                    error
                } else {
                    error.or_partial(came)
                });
            }
        }
        events_in_one_go += 1;
        if events_in_one_go == EVENTS_IN_ONE_GO {
            events_in_one_go = 0;
            yield_once().await;
        }
    }
    assembler.into_response()
}
