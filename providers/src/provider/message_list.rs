//! Conversations in the form of a provider's list of messages: read and mended, and written.

mod body;
mod error;

use toolwright_core::Conversation;
use toolwright_json::{JsonText, nesting::is_deeper};

use super::{AnthropicCodec, GeminiCodec, OllamaCodec, OpenAiChatCodec, OpenAiResponsesCodec};
use crate::codec::{
    encode_input::EncodeInput,
    protocol::Codec,
    transcript::{Finding, Transcript},
};
use body::Body;
pub use error::ImportError;

/// The protocol of a list of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// OpenAI Chat Completions: `messages`.
    OpenAiChat,
    /// OpenAI Responses: `input`, with `instructions`.
    OpenAiResponses,
    /// Anthropic Messages: `messages`, with `system`.
    Anthropic,
    /// Gemini: `contents`, with `systemInstruction`.
    Gemini,
    /// Ollama: `messages`.
    Ollama,
}

impl Protocol {
    /// Every protocol, in the order of their declaration.
    pub const ALL: [Self; 5] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
    ];
}

/// What is done with a list of messages that is damaged: calls without results, results of no call, messages that
/// say nothing, content that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mending {
    /// It is mended, and every change is in the report.
    #[default]
    Mend,
    /// It is refused, with the report of what is wrong.
    Refuse,
}

/// A conversation that was read from a list of messages.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ImportedConversation {
    /// The conversation, with its system text.
    pub conversation: Conversation,
    /// The differences between the list and the conversation, in order of their discovery; empty for a list that
    /// is read as it stands. At most 1,000 are listed, and one more for the rest.
    pub report: Vec<Finding>,
}

/// Reads and writes conversations in the form in which one provider is sent them.
///
/// A program that kept its conversations in the form of a provider's SDK reads them with this type, and one that
/// hands a conversation to another library writes it. Nothing is sent.
///
/// [`read`](Self::read) takes the body of a request, or its array of messages alone. What only the provider can
/// read, such as signed thinking and encrypted reasoning, is kept in
/// [opaque parts](toolwright_core::message::Opaque) and goes back to the same server. Marks for a cache, names and
/// ids of items are kept as well, and are written for the same protocol. All else that has no place is in the
/// report. A list that was read is written as it was, apart from forms that say the same: a text and an array of
/// one text, a content that is empty and one that is missing.
///
/// ```
/// use serde_json::json;
/// use toolwright::provider::{FindingKind, MessageList, Protocol};
///
/// let stored = json!([
///     {"role": "system", "content": "Be brief."},
///     {"role": "user", "content": "Weather in Oslo?"},
///     {"role": "assistant", "content": null, "tool_calls": [
///         {"id": "a", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}]},
///     {"role": "user", "content": "Never mind."}
/// ]);
/// let list = MessageList::new(Protocol::OpenAiChat);
/// let imported = list.read(&stored.to_string())?;
/// assert_eq!(imported.conversation.system(), Some("Be brief."));
/// // The call has no result. It is answered as not executed.
/// assert_eq!(imported.report[0].kind, FindingKind::DanglingCall);
/// assert_eq!(imported.report[0].path, "messages[2]");
///
/// let anthropic = MessageList::new(Protocol::Anthropic).write(&imported.conversation).to_value();
/// assert_eq!(anthropic["messages"][2]["content"][0]["type"], "tool_result");
/// # Ok::<(), toolwright::provider::ImportError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageList {
    protocol: Protocol,
    server: Option<String>,
    model: String,
    mending: Mending,
    max_bytes: usize,
}

/// The maximum size of a list if no other is set.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of levels: a conversation is stored inside the data of a program, and readers of JSON stop
/// at 128.
const LEVELS: usize = 96;

impl MessageList {
    /// Creates a reader and writer of lists of a protocol, as its vendor's own server takes them.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            server: None,
            model: String::new(),
            mending: Mending::default(),
            max_bytes: MAX_BYTES,
        }
    }

    /// Sets the host of the server that the list was for, with its port if that is not the usual one. Opaque parts
    /// go back to this server only. Without it they are those of the vendor's own server.
    pub fn with_server(mut self, host: impl Into<String>) -> Self {
        self.server = Some(host.into());
        self
    }

    /// Sets the model for which a list is written. Only Gemini's differ: from Gemini 3 on, calls need signatures.
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        self.model = model.into();
        self
    }

    /// Sets what is done with a damaged list.
    pub fn with_mending(mut self, mending: Mending) -> Self {
        self.mending = mending;
        self
    }

    /// Sets the maximum size of a list that is read: 64 MiB without this method.
    pub fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Reads a list: the body of a request, or its array of messages.
    ///
    /// Of a body only the messages and the system text are read.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is too large, has more than a million messages, is nested too deep, is not JSON, has a key twice in one object, or
    /// holds no list; and with [`Mending::Refuse`] if the list is damaged.
    pub fn read(&self, json: &str) -> Result<ImportedConversation, ImportError> {
        if json.len() > self.max_bytes {
            return Err(ImportError::TooLarge {
                bytes: json.len(),
                max_bytes: self.max_bytes,
            });
        }
        if is_deeper(json, LEVELS) {
            return Err(ImportError::TooDeep { levels: LEVELS });
        }
        let body = Body::read(self.protocol, json)?;
        body.check_keys()?;
        let mut transcript = Transcript::new(self.codec(), self.provider());
        body.read_into(self.protocol, &mut transcript);
        let (conversation, report) = transcript.finish();
        let is_damaged = report.iter().any(|finding| finding.kind.is_damage());
        if is_damaged && self.mending == Mending::Refuse {
            return Err(ImportError::Damaged { report });
        }
        Ok(ImportedConversation {
            conversation,
            report,
        })
    }

    /// Writes a conversation as the fields of a request that hold it: an object with the array of messages, and
    /// with the system text where that has a field of its own.
    ///
    /// All messages are written, whatever a [compaction](Conversation::compaction) leaves out. Calls that
    /// wait for their results are left out, since no provider takes them without.
    pub fn write(&self, conversation: &Conversation) -> JsonText {
        let mut request = conversation.request();
        if self.protocol == Protocol::OpenAiResponses {
            // The ids of items belong to the list.
            request.settings = request.settings.with_extra("store", true);
        }
        let server = self.server();
        let input = EncodeInput::new(&self.model, &request).with_server(&server);
        let body = match self.protocol {
            Protocol::OpenAiChat => OpenAiChatCodec::new().body(input),
            Protocol::OpenAiResponses => OpenAiResponsesCodec::new().body(input),
            Protocol::Anthropic => AnthropicCodec::new().body(input),
            Protocol::Gemini => GeminiCodec::new().body(input),
            Protocol::Ollama => OllamaCodec::new().body(input),
        };
        body::fields_of(self.protocol, &body)
    }

    fn codec(&self) -> &'static str {
        match self.protocol {
            Protocol::OpenAiChat => OpenAiChatCodec::PROVIDER,
            Protocol::OpenAiResponses => OpenAiResponsesCodec::PROVIDER,
            Protocol::Anthropic => AnthropicCodec::PROVIDER,
            Protocol::Gemini => GeminiCodec::PROVIDER,
            Protocol::Ollama => OllamaCodec::PROVIDER,
        }
    }

    /// The host of the server.
    fn server(&self) -> String {
        if let Some(server) = &self.server {
            return server.clone();
        }
        let url = match self.protocol {
            Protocol::OpenAiChat => OpenAiChatCodec::new().base_url(),
            Protocol::OpenAiResponses => OpenAiResponsesCodec::new().base_url(),
            Protocol::Anthropic => AnthropicCodec::new().base_url(),
            Protocol::Gemini => GeminiCodec::new().base_url(),
            Protocol::Ollama => OllamaCodec::new().base_url(),
        };
        let host = url.split("://").nth(1).unwrap_or_default();
        host.split('/').next().unwrap_or_default().to_owned()
    }

    /// The name that opaque parts of the server go by.
    fn provider(&self) -> String {
        match self.server().as_str() {
            "" => self.codec().to_owned(),
            server => format!("{}:{server}", self.codec()),
        }
    }
}
