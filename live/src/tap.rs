//! A codec around another one that keeps the bytes of exchanges, and refuses requests that may cost too much.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use toolwright::{
    ModelError, ModelResponse, ToolCall, ToolResult, Toolset,
    model::{ModelCapabilities, ModelErrorKind, ModelEvent, ModelRequest, Usage, Warning},
    provider::{Codec, DecodeStream, EncodeInput, ErrorResponse},
    run::{Cost, Price},
    tool::{JsonText, ToolDefinitions},
};

/// The code of the error of a request that is not sent because of its cost.
pub(crate) const TOO_DEAR: &str = "cost_limit";

/// The tokens that a tool of the provider may read, which no request shows.
const PROVIDER_TOOL_TOKENS: usize = 50_000;

/// One request and what came of it.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) path: String,
    pub(crate) request: Value,
    pub(crate) is_streamed: bool,
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// What the codec reads in it; `None` if it was not read to its end.
    pub(crate) read: Option<Result<ModelResponse, ModelError>>,
}

/// The exchanges of a provider, and what they cost.
#[derive(Debug, Clone)]
pub(crate) struct Tap(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    exchanges: Vec<Exchange>,
    price: Price,
    /// The limit on the cost.
    most: f64,
    spent: f64,
    /// What the requests of this behaviour may cost at most.
    reserved: f64,
}

impl Tap {
    pub(crate) fn new(price: Price, most: f64) -> Self {
        Self(Arc::new(Mutex::new(State {
            exchanges: Vec::new(),
            price,
            most,
            spent: 0.0,
            reserved: 0.0,
        })))
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn spent(&self) -> f64 {
        self.with(|state| state.spent)
    }

    /// The exchanges of a behaviour, which has ended. A request without usage counts with what it may have cost, unless it
    /// was refused.
    pub(crate) fn take(&self) -> Vec<Exchange> {
        self.with(|state| {
            let used = |exchange: &Exchange| match &exchange.read {
                Some(Ok(response)) => response.usage.clone(),
                Some(Err(error)) => error.partial.as_ref().and_then(|it| it.usage.clone()),
                None => None,
            };
            let all: Vec<_> = state.exchanges.iter().map(used).collect();
            let is_known = |(exchange, usage): (&Exchange, &Option<Usage>)| {
                usage.is_some() || exchange.status >= 400
            };
            let is_known = state.exchanges.iter().zip(&all).all(is_known);
            let told = all.iter().flatten().map(|usage| state.price.of(usage));
            let told: f64 = told.map(Cost::as_f64).sum();
            state.spent += if is_known { told } else { state.reserved };
            state.reserved = 0.0;
            std::mem::take(&mut state.exchanges)
        })
    }

    /// Reserves what a request may cost at most: each byte may be a token.
    fn reserve(&self, request: &ModelRequest, body: &[u8]) -> Result<(), ModelError> {
        let settings = &request.settings;
        let tools = settings.provider_tools.len() * PROVIDER_TOOL_TOKENS;
        let input = u64::try_from(body.len() + tools).unwrap_or(u64::MAX);
        let output = settings.max_output_tokens.map_or(u64::MAX, u64::from);
        self.with(|state| {
            let cost = state.price.of(&Usage::new(input, output)).as_f64();
            if state.spent + state.reserved + cost > state.most {
                let message = format!(
                    "the request may cost {cost:.4}, and {:.4} of {:.4} may be spent already",
                    state.spent + state.reserved,
                    state.most
                );
                let error = ModelError::new(ModelErrorKind::InvalidRequest, message);
                return Err(error.with_code(TOO_DEAR));
            }
            state.reserved += cost;
            Ok(())
        })
    }

    fn ended(&self, body: &[u8], status: u16, read: Result<ModelResponse, ModelError>) {
        self.with(|state| {
            if let Some(last) = state.exchanges.last_mut() {
                (last.status, last.read) = (status, Some(read));
                last.body.extend_from_slice(body);
            }
        });
    }
}

/// A codec with a tap.
#[derive(Debug, Clone)]
pub(crate) struct Tapped<C> {
    codec: C,
    tap: Tap,
}

impl<C> Tapped<C> {
    pub(crate) fn new(codec: C, tap: &Tap) -> Self {
        let tap = tap.clone();
        Self { codec, tap }
    }
}

impl<C: Codec> Codec for Tapped<C> {
    const PROVIDER: &'static str = C::PROVIDER;

    type Stream = TappedStream<C::Stream>;

    fn encode(&self, input: EncodeInput<'_>) -> Result<Vec<u8>, ModelError> {
        let body = self.codec.encode(input)?;
        self.tap.reserve(input.request, &body)?;
        let path = self.codec.path(input.model, input.streamed);
        let version = self.codec.version().filter(|it| !path.starts_with(it));
        let query = self.codec.query(input.streamed);
        let exchange = Exchange {
            path: format!(
                "/{}{path}{}",
                version.map(|it| format!("{it}/")).unwrap_or_default(),
                query
                    .map(|(name, value)| format!("?{name}={value}"))
                    .unwrap_or_default()
            ),
            request: serde_json::from_slice(&body).unwrap_or_default(),
            is_streamed: input.streamed,
            status: 200,
            body: Vec::new(),
            read: None,
        };
        self.tap.with(|state| state.exchanges.push(exchange));
        Ok(body)
    }

    fn stream_decoder(&self, tools: &ToolDefinitions) -> Self::Stream {
        TappedStream {
            decoder: self.codec.stream_decoder(tools),
            plain: self.codec.stream_decoder(&ToolDefinitions::default()),
            events: Vec::new(),
            tap: self.tap.clone(),
        }
    }

    fn decode(&self, tools: &ToolDefinitions, body: &[u8]) -> Result<ModelResponse, ModelError> {
        let plain = self.codec.decode(&ToolDefinitions::default(), body);
        self.tap.ended(body, 200, plain);
        self.codec.decode(tools, body)
    }

    fn decode_error(&self, reply: &ErrorResponse<'_>) -> ModelError {
        let error = self.codec.decode_error(reply);
        self.tap.ended(reply.body, reply.status, Err(error.clone()));
        error
    }

    fn path(&self, model: &str, streamed: bool) -> String {
        self.codec.path(model, streamed)
    }

    fn tools(&self, tools: &Toolset) -> JsonText {
        self.codec.tools(tools)
    }

    fn results(&self, calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        self.codec.results(calls, results)
    }

    fn reported_error(&self, body: &[u8]) -> Option<ModelError> {
        self.codec.reported_error(body)
    }

    fn warnings_at(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        self.codec.warnings_at(input)
    }

    fn capabilities(&self) -> ModelCapabilities {
        self.codec.capabilities()
    }

    fn searches_tools(&self, model: &str) -> bool {
        self.codec.searches_tools(model)
    }

    fn takes_allowed_tools(&self) -> bool {
        self.codec.takes_allowed_tools()
    }

    fn takes_answer_schema(&self, input: EncodeInput<'_>) -> bool {
        self.codec.takes_answer_schema(input)
    }

    fn base_url(&self) -> &'static str {
        self.codec.base_url()
    }

    fn base_url_variable(&self) -> &'static str {
        self.codec.base_url_variable()
    }

    fn read_base_url(&self, variable: &str) -> Result<String, ModelError> {
        self.codec.read_base_url(variable)
    }

    fn key_variables(&self) -> Vec<&'static str> {
        self.codec.key_variables()
    }

    fn needs_key(&self) -> bool {
        self.codec.needs_key()
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        self.codec.key_header(key)
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        self.codec.headers()
    }

    fn version(&self) -> Option<&'static str> {
        self.codec.version()
    }

    fn query(&self, streamed: bool) -> Option<(&'static str, &'static str)> {
        self.codec.query(streamed)
    }
}

/// A decoder with a tap, and a second one without tools: a recording has the arguments as they came.
#[derive(Debug)]
pub(crate) struct TappedStream<D> {
    decoder: D,
    plain: D,
    events: Vec<ModelEvent>,
    tap: Tap,
}

impl<D: DecodeStream> DecodeStream for TappedStream<D> {
    fn feed(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        self.tap.with(|state| {
            if let Some(last) = state.exchanges.last_mut() {
                last.body.extend_from_slice(bytes);
            }
        });
        // The decoder beside it has the same fault.
        let _ = self.plain.feed(bytes, &mut self.events);
        self.decoder.feed(bytes, events)
    }

    fn is_done(&self) -> bool {
        self.decoder.is_done()
    }

    fn finish(self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        self.finish_body(None, events)
    }

    fn finish_body(
        mut self,
        failure: Option<ModelError>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        let ended = self.plain.finish_body(failure.clone(), &mut self.events);
        let response: ModelResponse = self.events.into_iter().collect();
        let read = match ended {
            Ok(()) => Ok(response),
            Err(error) => Err(error.with_partial(response)),
        };
        self.tap.ended(&[], 200, read);
        self.decoder.finish_body(failure, events)
    }

    fn is_complete(&self) -> bool {
        self.decoder.is_complete()
    }

    fn is_over(&self) -> bool {
        self.decoder.is_over()
    }

    fn has_failed(&self) -> bool {
        self.decoder.has_failed()
    }

    fn may_continue(&self) -> bool {
        self.decoder.may_continue()
    }

    fn set_event_limit(&mut self, bytes: usize) {
        self.decoder.set_event_limit(bytes);
        self.plain.set_event_limit(bytes);
    }
}
