//! Definition of a codec: it writes requests and reads responses, and says how a server is reached.

use serde_json::Value;
use toolwright_core::{
    Toolset,
    model::{ModelCapabilities, ModelError, ModelRequest, ModelResponse, Warning},
    tool::{ToolCall, ToolDefinitions, ToolResult},
};
use toolwright_json::{JsonText, raw::values};

use super::{
    decode_stream::DecodeStream,
    encode_input::EncodeInput,
    error_body,
    error_response::ErrorResponse,
    response_reader::{response_of, runnable_calls},
};

/// A protocol of models: how a request is written and a response is read, and how a server is reached.
///
/// A codec does no I/O. An [`HttpModel`](crate::provider::HttpModel) sends and reads for it, which needs
/// the feature `http`. The codecs of this crate are [`OpenAiChatCodec`](crate::provider::OpenAiChatCodec),
/// [`OpenAiResponsesCodec`](crate::provider::OpenAiResponsesCodec), [`AnthropicCodec`](crate::provider::AnthropicCodec),
/// [`GeminiCodec`](crate::provider::GeminiCodec) and [`OllamaCodec`](crate::provider::OllamaCodec).
///
/// A program with a client and messages of its own needs [`tools`](Self::tools), [`calls`](Self::calls) and
/// [`results`](Self::results). One that only sends the bytes itself needs [`encode`](Self::encode),
/// [`decode`](Self::decode) and [`stream_decoder`](Self::stream_decoder).
///
/// Three methods make a codec of a server that answers every request with a stream; the guide has
/// [a whole one](https://docs.rs/toolwright).
pub trait Codec: Send + Sync + 'static {
    /// The name of the codec in
    /// [`Opaque::provider`](toolwright_core::message::Opaque::provider). An
    /// [`HttpModel`](crate::provider::HttpModel) adds the host.
    const PROVIDER: &'static str;

    /// The decoder of streamed responses.
    type Stream: DecodeStream;

    /// Writes the body of a request, as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the request cannot be sent to this server at all. What can be left out is
    /// better left out, with a [warning](Self::warnings).
    fn encode(&self, input: EncodeInput<'_>) -> Result<Vec<u8>, ModelError>;

    /// Creates a decoder of a streamed response to a request with these tools. Arguments in the form of the
    /// provider are turned back into those of the tools.
    ///
    /// Feed it what comes, then [`finish`](DecodeStream::finish) it at the end of the stream or as soon as it
    /// [is done](DecodeStream::is_done). A decoder of this crate also reads a whole response that came although a
    /// stream was asked for.
    ///
    /// ```
    /// use toolwright::{ModelResponse, provider::{Codec, DecodeStream, OpenAiChatCodec}, tool::ToolDefinitions};
    ///
    /// let mut events = Vec::new();
    /// let mut decoder = OpenAiChatCodec::new().stream_decoder(&ToolDefinitions::default());
    /// for bytes in [
    ///     &b"data: {\"choices\": [{\"delta\": {\"content\": \"Hel"[..],
    ///     b"lo\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n",
    /// ] {
    ///     decoder.feed(bytes, &mut events)?;
    /// }
    /// assert!(decoder.is_done());
    /// decoder.finish(&mut events)?;
    ///
    /// let reply: ModelResponse = events.into_iter().collect();
    /// assert_eq!(reply.text, "Hello");
    /// # Ok::<(), toolwright::ModelError>(())
    /// ```
    fn stream_decoder(&self, tools: &ToolDefinitions) -> Self::Stream;

    /// Returns the path of a request, after the base URL. If it begins with a version, such as `v1/`, and
    /// the base URL ends with the same, the version is not repeated. Each part is encoded: a parameter belongs in the
    /// [query](Self::query).
    fn path(&self, model: &str, streamed: bool) -> String;

    /// Decodes the body of a whole response to a request with these tools, sent with a status of success.
    /// Without this method such a body is read as a stream.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is an error in spite of its status, or is no response. What came before
    /// the error is its [`partial`](ModelError::partial) response.
    fn decode(&self, tools: &ToolDefinitions, body: &[u8]) -> Result<ModelResponse, ModelError> {
        let mut events = Vec::new();
        let mut decoder = self.stream_decoder(tools);
        let fed = decoder.feed(body, &mut events);
        let result = fed.and_then(|()| decoder.finish(&mut events));
        response_of(events, result)
    }

    /// Returns the `tools` of a request. Without this method they are the definitions as they serialize.
    ///
    /// The codecs of this crate render them once for a set. In a `serde_json::Value`, as `json!` makes it, the
    /// properties of the schemas are sorted by name. In a struct that is serialised, and in [`encode`](Self::encode), they
    /// keep their order, which is part of what a model reads.
    fn tools(&self, tools: &Toolset) -> JsonText {
        let definitions: Vec<_> = tools.definitions().collect();
        JsonText::of(&definitions).expect("a definition is JSON")
    }

    /// Returns the calls of a whole response to a request with these tools, in order, with arguments in
    /// the form of the tools. A call without an id has an empty one.
    ///
    /// # Errors
    ///
    /// The errors of [`decode`](Self::decode); and `MalformedResponse` for a response that was cut off, filtered
    /// or refused and still holds calls, since these must not run.
    fn calls(&self, tools: &Toolset, reply: &Value) -> Result<Vec<ToolCall>, ModelError> {
        let body = reply.to_string();
        runnable_calls(self.decode(tools.shared_definitions(), body.as_bytes())?)
    }

    /// Returns the pieces that answer calls, for the place of the protocol: messages, items, blocks or parts. Each result
    /// stands at the position of its call. Without this method they are the results as they serialize.
    fn results(&self, _calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value> {
        values(results)
    }

    /// Decodes a response whose status is not one of success. Without this method the forms of many servers are
    /// read.
    fn decode_error(&self, reply: &ErrorResponse<'_>) -> ModelError {
        error_body::decode_error(reply.status, reply.retry_after, reply.body)
    }

    /// Returns the error that the body of a whole response reports. It is asked for if the connection broke
    /// off in the middle of the body: the report comes before that failure.
    fn reported_error(&self, _body: &[u8]) -> Option<ModelError> {
        None
    }

    /// Returns warnings about the parts of a request that the server does not support, and about what is
    /// done instead. An [`HttpModel`](crate::provider::HttpModel) adds them to its responses.
    fn warnings(&self, _request: &ModelRequest) -> Vec<Warning> {
        Vec::new()
    }

    /// Returns the warnings about a request to the server of this input. Without this method they are the same for every
    /// server of the protocol.
    fn warnings_at(&self, input: EncodeInput<'_>) -> Vec<Warning> {
        self.warnings(input.request)
    }

    /// Returns the capabilities of the models of this protocol, as long as nothing more is known of one.
    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities::new()
    }

    /// Returns true if the provider itself, at its [own address](Self::base_url), searches for tools whose definitions are
    /// [deferred](toolwright_core::ToolDefinition::deferred), with the model of this name. [`encode`](Self::encode) then
    /// says which ones are.
    fn searches_tools(&self, _model: &str) -> bool {
        false
    }

    /// Returns true if the provider itself, at its [own address](Self::base_url), is sent the
    /// [allowed tools](ModelRequest::allowed_tools) beside the list of all. Without this method a run with a plan sends those
    /// tools alone.
    fn takes_allowed_tools(&self) -> bool {
        false
    }

    /// Returns true if the [answer schema](ModelRequest::answer_schema) of the request of this input is sent.
    fn takes_answer_schema(&self, _input: EncodeInput<'_>) -> bool {
        false
    }

    /// Returns the base URL of the provider itself; empty if there is none.
    fn base_url(&self) -> &'static str {
        ""
    }

    /// Returns the environment variable that may hold another base URL; empty if there is none.
    fn base_url_variable(&self) -> &'static str {
        ""
    }

    /// Reads the base URL that its environment variable holds.
    ///
    /// # Errors
    ///
    /// Returns `InvalidRequest` if it holds no address.
    fn read_base_url(&self, variable: &str) -> Result<String, ModelError> {
        Ok(variable.to_owned())
    }

    /// Returns the environment variables that may hold the key. The first that is set counts.
    fn key_variables(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns true if a server that is not on this machine needs a key.
    fn needs_key(&self) -> bool {
        true
    }

    /// Returns the name and the value of the header that a key goes in: `Authorization`, after the word
    /// `Bearer`, without this method. The value is not shown anywhere.
    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
    }

    /// Returns the names and values of other headers that every request has.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the version of the API, which stands before the [path](Self::path) unless the base URL has
    /// a version anywhere.
    fn version(&self) -> Option<&'static str> {
        None
    }

    /// Returns the name and the value of a parameter that is added to the query of the URL.
    fn query(&self, _streamed: bool) -> Option<(&'static str, &'static str)> {
        None
    }
}
