//! A model that asks others in turn.

mod member;
mod turns;
mod watch;

use std::{fmt, sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{TimeLimit, retry::attempts::stream};
use member::Member;
use toolwright_core::{
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ModelStream, collect,
    },
    tool::BoxFuture,
};
use turns::Turns;

/// Returns true if another model is to be asked.
type Passes = Arc<dyn Fn(&ModelError) -> bool + Send + Sync>;

/// A model that tries several models in turn, until one responds.
///
/// The first one gets all requests while it responds. When it [fails](Self::when), the next one gets the same request.
/// A model that has failed [several times](Self::rests_after) in a row rests: others are tried before it. When the rest
/// is over, one request tries it again.
///
/// A reader never sees two beginnings of one response: once a piece of it has been passed on, no other model is tried,
/// and the error is passed on with the part that had arrived. Parts of a conversation that only its provider can read,
/// such as signed reasoning, stay in the conversation. The codecs of other providers do not send them.
///
/// The [model](ModelResponse::model) of a response is the one that has answered. A [warning](ModelResponse::warnings)
/// `model_failed` names each one that failed before it. The [usage](ModelResponse::usage) is the sum of all attempts.
/// It does not retry: a [`Runner`](crate::Runner) or [`Retry`](crate::Retry) around it retries all of them, and a
/// [`Retry`](crate::Retry) around one of its models retries that one before the next is tried.
///
/// The [time limit](ModelRequest::time_limit) of a request is that of each model: the next one is tried when it is
/// over, unless a piece of the response has been passed on. A runner sets it by
/// [`model_timeout`](crate::RunnerBuilder::model_timeout). [`patience`](Self::patience) is a shorter time for the first
/// piece. With neither, as outside of a run, a model that hangs is waited for.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use toolwright::{
///     ChatModel, ModelError, ModelResponse,
///     model::{Fallback, ModelErrorKind, ModelRequest},
///     testing::ScriptedModel,
/// };
///
/// let busy = ModelError::new(ModelErrorKind::Overloaded, "try again later");
/// let first = ScriptedModel::new([busy]);
/// let second = ScriptedModel::new([ModelResponse::from_text("Here I am.")]);
/// let model = Fallback::new([first, second]);
/// let reply = model.complete(&ModelRequest::default()).await.unwrap();
/// assert_eq!(reply.text, "Here I am.");
/// assert_eq!(reply.warnings[0].code, "model_failed");
/// # }
/// ```
///
/// Models of several types are added one by one, or boxed:
///
/// ```
/// # fn models(first: toolwright::testing::ScriptedModel, second: toolwright::model::Retry<toolwright::testing::ScriptedModel>) {
/// use toolwright::{ChatModel, model::Fallback};
///
/// let model = Fallback::new([first]).or(second);
/// # drop(model);
/// # }
/// ```
pub struct Fallback {
    members: Vec<Member>,
    passes: Passes,
    failures: u32,
    rest: Duration,
    patience: Option<Duration>,
}

impl Fallback {
    /// The number of failures in a row after which a model rests, unless set.
    pub const FAILURES: u32 = 3;

    /// The time for which a model rests, unless set.
    pub const REST: Duration = Duration::from_secs(30);

    /// The models, in the order in which they are tried. Without any, every request is an error.
    pub fn new<M: ChatModel>(models: impl IntoIterator<Item = M>) -> Self {
        let mut fallback = Self {
            members: Vec::new(),
            passes: Arc::new(Self::may_be_answered_by_another),
            failures: Self::FAILURES,
            rest: Self::REST,
            patience: None,
        };
        for model in models {
            fallback = fallback.or(model);
        }
        fallback
    }

    /// Adds a model, which is tried after those before it.
    #[must_use = "the models are changed by value"]
    pub fn or(mut self, model: impl ChatModel) -> Self {
        let number = self.members.len() + 1;
        self.members.push(Member::new(model, number));
        self
    }

    /// Sets after which errors the next model is tried. By default it is
    /// [`may_be_answered_by_another`](Self::may_be_answered_by_another).
    #[must_use = "the models are changed by value"]
    pub fn when(mut self, passes: impl Fn(&ModelError) -> bool + Send + Sync + 'static) -> Self {
        self.passes = Arc::new(passes);
        self
    }

    /// Sets after how many failures in a row a model rests, and for how long; 3 and 30 seconds by default. It rests for
    /// longer if its provider asks for a longer wait. With 0 failures none rests.
    #[must_use = "the models are changed by value"]
    pub fn rests_after(mut self, failures: u32, rest: Duration) -> Self {
        (self.failures, self.rest) = (failures, rest);
        self
    }

    /// Sets how long a model may take until the first piece of its answer, or all of it where it is not streamed. After
    /// that the next one is tried, or the request fails if there is none. By default only the
    /// [time limit](ModelRequest::time_limit) of the request holds.
    #[must_use = "the models are changed by value"]
    pub fn patience(mut self, time: impl TimeLimit) -> Self {
        self.patience = time.limit();
        self
    }

    /// Returns true for errors of a model after which another one may answer the same request: it cannot be reached or
    /// cannot answer now, its limit is reached, its key is refused, it takes no tools, its response cannot be read, or its
    /// code panicked. It is false for a request that is wrong, too long, or refused by a filter: another model is to
    /// answer that only if you say so.
    pub fn may_be_answered_by_another(error: &ModelError) -> bool {
        use ModelErrorKind as Kind;
        matches!(
            error.kind,
            Kind::RateLimit
                | Kind::Overloaded
                | Kind::Transport
                | Kind::MalformedResponse
                | Kind::Authentication
                | Kind::ToolsUnsupported
                | Kind::ToolChoiceUnmet
                | Kind::Panicked
        )
    }

    /// Returns the names of the models that rest now. One without a name is called by its number, from 1.
    ///
    pub fn resting(&self) -> Vec<&str> {
        let now = Instant::now();
        let rest = self.members.iter().filter(|member| !member.is_up(now));
        rest.map(Member::name).collect()
    }

    /// The models for a request, in the order in which they are tried: those that rest are last, and those that take no
    /// tools are left out of a request with tools, unless there are no others.
    fn turns<'a>(&'a self, request: &'a ModelRequest, is_streamed: bool) -> Turns<'a> {
        let now = Instant::now();
        let needs_tools = !request.tools.is_empty();
        let takes_tools = |member: &&Member| !needs_tools || member.capabilities().tools;
        let mut asked: Vec<_> = self.members.iter().filter(takes_tools).collect();
        if asked.is_empty() {
            asked = self.members.iter().collect();
        }
        // The order of those that are alike stays.
        asked.sort_by_cached_key(|member| !member.is_up(now));
        Turns::new(self, (request, is_streamed), asked.into())
    }
}

impl ChatModel for Fallback {
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, where it has [patience](Fallback::patience).
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        stream(self.turns(request, true))
    }

    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, where it has [patience](Fallback::patience).
    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(collect(self.unstreamed(request)))
    }

    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, where it has [patience](Fallback::patience).
    fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        stream(self.turns(request, false))
    }

    /// The name of the first model.
    fn name(&self) -> Option<&str> {
        self.members.first()?.own_name()
    }

    /// The provider of the first model.
    fn provider(&self) -> Option<&str> {
        self.members.first()?.model().provider()
    }

    /// Tools if any of the models takes them; the search for them, and the list of those that are allowed, if all know it.
    fn capabilities(&self) -> ModelCapabilities {
        let each = self.members.iter().map(Member::capabilities);
        let (mut tools, mut tool_search, mut allowed_tools) = (false, true, true);
        for one in each {
            tools |= one.tools;
            // Each of them may get the request.
            tool_search &= one.tool_search;
            allowed_tools &= one.allowed_tools;
        }
        ModelCapabilities::new()
            .with_tools(tools)
            .with_tool_search(tool_search)
            .with_allowed_tools(allowed_tools)
            .with_limits_time(true)
    }

    /// True if each of them is sent the schema.
    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        let mut each = self.members.iter();
        each.all(|member| member.model().takes_answer_schema(request)) && !self.members.is_empty()
    }
}

impl fmt::Debug for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.members.iter().map(Member::name).collect();
        f.debug_struct("Fallback")
            .field("models", &names)
            .field("failures", &self.failures)
            .field("rest", &self.rest)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
