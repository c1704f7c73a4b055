//! A model that calls tools by what it writes, around any other model.

mod answering;
mod deciding;
mod held;
mod native;
mod reader;
mod reading;
mod schema_in_words;
mod spent;

use std::sync::Arc;

use toolwright_core::{
    ChatModel, Leniency, ToolCall, ToolDefinitions,
    driver::{Emitter, emitted},
    model::{
        FinishReason, ModelCapabilities, ModelError, ModelEvent, ModelRequest, ModelResponse,
        ModelStream, Warning, collect,
    },
    tool::BoxFuture,
};

use crate::{
    CallForm, InMemory, ModelFacts, ModelMemory, TextSource, ToolText, decision, ids::CallIds,
};
use native::Native;
use reader::Reader;
use schema_in_words::in_words;
use spent::EarlierRequests;

/// When the tools of a model are emulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ToolEmulation {
    /// Never: requests and responses pass as they are.
    #[default]
    Off,
    /// Where the model does not call natively. It gets native tools first, until it is known not to
    /// support them.
    Fallback,
    /// Always: the model gets no native tools, and is asked for a decision before each answer.
    Force,
}

/// A model with emulated tools, around another model.
///
/// It is used like any other, within a [`Runner`](toolwright_core) or without. `Clone`s share what is learnt about
/// the model. See [the module](crate) for what each mode costs.
#[derive(Debug, Clone)]
pub struct Emulated<M> {
    model: M,
    mode: ToolEmulation,
    memory: Arc<dyn ModelMemory>,
    leniency: Leniency,
    older_bytes: usize,
    starts_in_reasoning: bool,
}

impl<M> Emulated<M> {
    /// The bytes of older rounds that a request shows; see [`with_older_bytes`](Self::with_older_bytes).
    pub const OLDER_BYTES: usize = 16 * 1024;

    /// Creates a model around another one.
    pub fn new(model: M, mode: ToolEmulation) -> Self {
        Self {
            model,
            mode,
            memory: Arc::new(InMemory::default()),
            leniency: Leniency::On,
            older_bytes: Self::OLDER_BYTES,
            starts_in_reasoning: false,
        }
    }

    /// Sets where it stores the facts that it learns about the model. The default is [`InMemory`].
    pub fn with_memory(mut self, memory: impl ModelMemory) -> Self {
        self.memory = Arc::new(memory);
        self
    }

    /// Sets whether arguments that are almost correct are set right. The default is [`Leniency::On`]. Each change
    /// has a warning `arguments_changed`.
    pub fn with_leniency(mut self, leniency: Leniency) -> Self {
        self.leniency = leniency;
        self
    }

    /// Sets how many bytes of older rounds are shown as text. The default is 16 KiB. The newest round is always shown
    /// whole; of rounds beyond the limit the calls are shown, without their results.
    pub fn with_older_bytes(mut self, bytes: usize) -> Self {
        self.older_bytes = bytes;
        self
    }

    /// Reads each response as reasoning up to the marker that closes it: for models whose template opens the
    /// reasoning. See [`ToolText::with_open_reasoning`].
    pub fn with_open_reasoning(mut self) -> Self {
        self.starts_in_reasoning = true;
        self
    }

    /// Returns what is known of the model.
    pub fn facts(&self) -> ModelFacts {
        self.memory.facts()
    }

    /// The model inside.
    pub fn into_inner(self) -> M {
        self.model
    }
}

impl<M: ChatModel> ChatModel for Emulated<M> {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        match self.mode {
            ToolEmulation::Off => self.model.stream(request),
            _ => self.respond(request, true),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        match self.mode {
            ToolEmulation::Off => self.model.complete(request),
            _ => Box::pin(collect(self.respond(request, false))),
        }
    }

    fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        match self.mode {
            ToolEmulation::Off => self.model.unstreamed(request),
            _ => self.respond(request, false),
        }
    }

    fn name(&self) -> Option<&str> {
        self.model.name()
    }

    fn provider(&self) -> Option<&str> {
        self.model.provider()
    }

    fn capabilities(&self) -> ModelCapabilities {
        let capabilities = self.model.capabilities();
        match self.mode {
            ToolEmulation::Off => capabilities,
            // Tools in words are all in the request.
            _ => capabilities
                .with_tools(true)
                .with_tool_search(false)
                .with_allowed_tools(false),
        }
    }

    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        if self.mode == ToolEmulation::Off {
            return self.model.takes_answer_schema(request);
        }
        if self.memory.facts().refuses_answer_schema {
            return false;
        }
        // The answer may come without tools, and with them unless the model is known to call none.
        let is_emulated = self.form() == CallForm::None;
        let mut alone = request.clone();
        alone.tools = ToolDefinitions::default();
        self.model.takes_answer_schema(&alone)
            && (is_emulated || self.model.takes_answer_schema(request))
    }
}

impl<M: ChatModel> Emulated<M> {
    /// The events of a response. The model itself is asked to stream, or not.
    fn respond<'a>(&'a self, request: &'a ModelRequest, streams: bool) -> ModelStream<'a> {
        emitted(move |emitter| async move {
            let refuses = self.memory.facts().refuses_answer_schema;
            let in_words = if refuses { in_words(request) } else { None };
            let turn = Turn {
                emulated: self,
                request: in_words.as_ref().unwrap_or(request),
                streams,
                emitter,
                text: self.text_of(request),
            };
            turn.run().await
        })
    }

    fn text_of(&self, request: &ModelRequest) -> ToolText {
        let mut text = ToolText::new(&request.tools);
        if let Some(answer) = &request.answer_schema {
            text = text.with_answer_schema(answer.schema.clone());
        }
        if self.starts_in_reasoning {
            text.with_open_reasoning()
        } else {
            text
        }
    }

    fn learn(&self, change: impl FnOnce(&mut ModelFacts)) {
        let known = self.memory.facts();
        let mut facts = known.clone();
        change(&mut facts);
        if facts != known {
            self.memory.learn(facts);
        }
    }

    /// The form in which the model calls, as far as it is known.
    fn form(&self) -> CallForm {
        if self.mode == ToolEmulation::Force || !self.model.capabilities().tools {
            return CallForm::None;
        }
        self.memory.facts().calls
    }
}

/// One response, which may take several requests.
struct Turn<'a, M> {
    emulated: &'a Emulated<M>,
    request: &'a ModelRequest,
    streams: bool,
    emitter: Emitter,
    /// The parser of what the model writes.
    text: ToolText,
}

impl<M: ChatModel> Turn<'_, M> {
    async fn run(&self) -> Result<(), ModelError> {
        let form = self.emulated.form();
        let is_native = matches!(form, CallForm::Native | CallForm::Text { .. });
        let mut spent = EarlierRequests::default();
        if !decision::offers_tools(self.request) {
            return if is_native {
                self.answer(self.request, &mut spent).await
            } else {
                self.answer_as_text(&mut spent).await
            };
        }
        if form != CallForm::None {
            match self.ask_natively(&form, &mut spent).await? {
                Native::Answered => return Ok(()),
                Native::ToolsRefused => {}
                Native::Held(events) => return self.decide_on(events, &mut spent).await,
            }
        }
        match self.decide(&mut spent).await? {
            Some(decided) => self.call(decided).await,
            None => self.answer_as_text(&mut spent).await,
        }
    }

    /// Decides about a native response without calls, which is held back. It is the answer if no tool is called, and
    /// also if nobody can tell: it has been paid for.
    async fn decide_on(
        &self,
        held: Vec<ModelEvent>,
        spent: &mut EarlierRequests,
    ) -> Result<(), ModelError> {
        match self.decide(spent).await {
            Ok(Some(decided)) => {
                self.emulated.learn(|facts| {
                    // A clone may have learnt more meanwhile.
                    if facts.calls == CallForm::Unknown {
                        facts.calls = CallForm::None;
                    }
                });
                return self.call(decided).await;
            }
            Ok(None) => {}
            Err(error) if decision::needs_call(self.request) => {
                return Err(beside(held, error));
            }
            Err(error) => {
                let message =
                    format!("the request for a decision failed, and no tool is called: {error}");
                self.warn("decision_failed", &message).await;
            }
        }
        // These have been counted, with those of the decision.
        let counted =
            |event: &ModelEvent| matches!(event, ModelEvent::Usage(_) | ModelEvent::Requests(_));
        for event in held.into_iter().filter(|event| !counted(event)) {
            self.emitter.emit(event).await;
        }
        Ok(())
    }

    /// Emits a response of calls alone, whose requests have ended.
    async fn call(&self, decided: Decided) -> Result<(), ModelError> {
        self.warn_of_emulation().await;
        if let Some(model) = decided.model {
            self.emitter.emit(ModelEvent::Model(model)).await;
        }
        self.emit_calls(decided.calls).await;
        let finished = ModelEvent::Finished {
            reason: FinishReason::ToolCalls,
            raw: None,
        };
        self.emitter.emit(finished).await;
        Ok(())
    }

    /// Emits calls that were read in text.
    async fn emit_calls(&self, mut calls: Vec<ToolCall>) {
        let is_one = self.request.settings.parallel_tool_calls == Some(false);
        if is_one && calls.len() > 1 {
            calls.truncate(1);
            self.warn(
                "calls_left_out",
                "the model wrote several calls where one was allowed; the first is used",
            )
            .await;
        }
        let ids = CallIds::of(self.request);
        for (index, call) in calls.into_iter().enumerate() {
            let call = self.set_right(call).await;
            let (id, name) = (ids.id(index), call.name);
            self.emitter
                .emit(ModelEvent::CallStarted { index, id, name })
                .await;
            let text = call.arguments;
            self.emitter
                .emit(ModelEvent::CallArguments { index, text })
                .await;
        }
    }

    /// A call whose arguments are set right, if they can be.
    async fn set_right(&self, call: ToolCall) -> ToolCall {
        let tools = &self.request.tools;
        let Some(tool) = tools.iter().find(|tool| tool.name == call.name.as_str()) else {
            return call;
        };
        let leniency = self.emulated.leniency;
        let prepared = leniency.prepare(&call, tool, tool.hints.effects());
        for change in &prepared.changes {
            let message = format!("{}: {change}", call.name);
            self.warn("arguments_changed", &message).await;
        }
        prepared.call.into_owned()
    }

    /// A reader of a text of the model, from this source.
    fn reader(&self, source: TextSource) -> Reader {
        let emulated = self.emulated;
        let is_told = emulated.starts_in_reasoning;
        let text = self.text.clone().with_source(source);
        Reader::new(&text, !is_told && emulated.facts().opens_reasoning)
    }

    /// Learns that the model writes reasoning whose start is not marked, of which a reader may have been given some as
    /// text.
    async fn learn_reasoning(&self, was_given: bool) {
        self.emulated.learn(|facts| facts.opens_reasoning = true);
        if was_given {
            self.warn(
                "reasoning_shown",
                "text of this response was reasoning, which only the closing tag showed; text of the next response is held back until its reasoning is over",
            )
            .await;
        }
    }

    /// Learns that a response had no reasoning whose start is not marked.
    fn forget_reasoning(&self) {
        self.emulated.learn(|facts| facts.opens_reasoning = false);
    }

    /// Emits what the requests used that have ended, and that there is one more. A run that is cancelled then counts
    /// them.
    async fn count_and_begin(&self, spent: &EarlierRequests) {
        if spent.requests() > 0 {
            if let Some(usage) = spent.usage() {
                self.emitter.emit(ModelEvent::from(usage.clone())).await;
            }
            // A run that is cancelled at this event has sent the request.
            let requests = spent.requests().saturating_add(1);
            self.emitter.add(ModelEvent::Requests(requests));
        }
    }

    /// Emits at once what a request has used so far of which nothing else may be shown yet. A run that is cancelled then
    /// counts it.
    fn note(&self, event: &ModelEvent, spent: &EarlierRequests) {
        if matches!(event, ModelEvent::Usage(_) | ModelEvent::Requests(_)) {
            self.emitter.add(spent.included(event.clone()));
        }
    }

    /// Emits what the requests used that have ended, which are all.
    async fn count(&self, spent: &EarlierRequests) {
        if let Some(usage) = spent.usage() {
            self.emitter.emit(ModelEvent::from(usage.clone())).await;
        }
        let requests = spent.requests();
        self.emitter.emit(ModelEvent::Requests(requests)).await;
    }

    async fn warn_of_emulation(&self) {
        self.warn(
            "tool_calls_emulated",
            "the calls of this response were read from text of the model",
        )
        .await;
    }

    async fn warn(&self, code: &str, message: &str) {
        let warning = Warning::new(code, message);
        self.emitter.emit(ModelEvent::Warning(warning)).await;
    }
}

/// The error of a decision, with the response that was to be decided about.
fn beside(held: Vec<ModelEvent>, mut error: ModelError) -> ModelError {
    let is_end = |event: &ModelEvent| matches!(event, ModelEvent::Finished { .. });
    let mut response: ModelResponse = held.into_iter().filter(|event| !is_end(event)).collect();
    if let Some(spent) = error.partial.take() {
        (response.usage, response.requests) = (spent.usage, spent.requests);
    }
    error.with_partial(response)
}

/// Calls that a decision made.
struct Decided {
    calls: Vec<ToolCall>,
    /// The model that decided, as its provider names it.
    model: Option<String>,
}
