//! The parser, as a user sees it.

use std::sync::Arc;

use toolwright_core::{Schema, ToolDefinitions};

use crate::{
    declared::Declared,
    engine::Engine,
    rules::TextSource,
    text_calls::{TextCalls, TextEnd, TextPiece},
};

/// The limit that applies if none is set.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A parser of tool calls that models write as text.
///
/// It is cheap to clone, and one parser reads any number of texts. It takes time in proportion to the text.
#[derive(Debug, Clone)]
pub struct ToolText {
    tools: Arc<Declared>,
    source: TextSource,
    answer: Option<Schema>,
    max_bytes: usize,
    starts_in_reasoning: bool,
}

impl ToolText {
    /// Creates a parser for calls of these tools. Other names never become calls.
    pub fn new(tools: &ToolDefinitions) -> Self {
        Self {
            tools: Arc::new(Declared::new(tools)),
            source: TextSource::Other,
            answer: None,
            max_bytes: MAX_BYTES,
            starts_in_reasoning: false,
        }
    }

    /// Sets who writes the texts, which says what a call in them is. The default is [`TextSource::Other`].
    pub fn with_source(mut self, source: TextSource) -> Self {
        self.source = source;
        self
    }

    /// Sets the schema of the requested answer: JSON that fits it is the answer, whatever it looks like.
    pub fn with_answer_schema(mut self, schema: Schema) -> Self {
        self.answer = Some(schema);
        self
    }

    /// Sets the maximum number of bytes of a call, and of all calls of a text together. The default is 4 MiB.
    ///
    /// A longer call is refused as [`RefusalReason::TooLong`](crate::RefusalReason::TooLong), and is not held. One without a
    /// marker is text.
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// Reads each text as reasoning up to the marker that closes it: for models whose template opens the reasoning.
    ///
    /// Without this, text before such a marker is emitted as text first; see
    /// [`TextPiece::TextWasReasoning`](crate::TextPiece::TextWasReasoning).
    pub fn with_open_reasoning(mut self) -> Self {
        self.starts_in_reasoning = true;
        self
    }

    /// Reads a whole text.
    ///
    /// ```
    /// # use toolwright::{ToolDefinition, emulation::ToolText, schema::Schema};
    /// # let schema = Schema::from_text(r#"{"type": "object"}"#)?;
    /// # let tools = vec![ToolDefinition::new("ping", "", schema)];
    /// let parser = ToolText::new(&tools.into());
    /// let reply = parser.parse("[TOOL_CALLS]ping[ARGS]{}");
    /// assert_eq!(reply.calls[0].name, "ping");
    /// assert_eq!((reply.text.as_str(), reply.format), ("", Some("mistral")));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn parse(&self, text: &str) -> TextCalls {
        self.read(text).0
    }

    /// Reads a whole text that may begin with reasoning whose start is not marked.
    pub(crate) fn read(&self, text: &str) -> (TextCalls, bool) {
        let mut stream = self.stream();
        let mut pieces = stream.push(text);
        let end = stream.finish();
        pieces.extend(end.pieces);
        let opens_reasoning = pieces.contains(&TextPiece::TextWasReasoning);
        let mut calls = TextCalls::default();
        calls.add(pieces);
        let calls = TextCalls {
            calls: end.calls,
            refused: end.refused,
            format: end.format,
            ..calls
        };
        (calls, opens_reasoning)
    }

    /// Starts to read a text that comes in pieces.
    ///
    /// Text that may still become a call is held back, and everything else is returned at once. The result is the one
    /// of [`parse`](Self::parse), wherever the text is cut.
    ///
    /// ```
    /// # use toolwright::{ToolDefinition, emulation::{TextPiece, ToolText}, schema::Schema};
    /// # let schema = Schema::from_text(r#"{"type": "object"}"#)?;
    /// # let tools = vec![ToolDefinition::new("ping", "", schema)];
    /// let parser = ToolText::new(&tools.into());
    /// let mut stream = parser.stream();
    /// assert_eq!(stream.push("One moment. <tool"), [TextPiece::Text("One moment.".into())]);
    /// assert_eq!(stream.push("_call>{\"name\": \"ping\"}</tool_call>"), []);
    /// assert_eq!(stream.finish().calls[0].name, "ping");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn stream(&self) -> TextStream {
        let tools = Arc::clone(&self.tools);
        TextStream(Engine::new(
            tools,
            self.source,
            self.answer.clone(),
            self.max_bytes,
            self.starts_in_reasoning,
        ))
    }
}

impl TextCalls {
    fn add(&mut self, pieces: Vec<TextPiece>) {
        for piece in pieces {
            match piece {
                TextPiece::Text(text) if self.text.is_empty() => self.text = text,
                TextPiece::Text(text) => self.text.push_str(&text),
                TextPiece::Reasoning(text) => self.reasoning.push_str(&text),
                TextPiece::TextWasReasoning => self.reasoning = std::mem::take(&mut self.text),
            }
        }
    }
}

/// A text that is read in pieces. See [`ToolText::stream`].
#[derive(Debug)]
pub struct TextStream(Engine);

impl TextStream {
    /// Reads the next piece, and returns what is certain now.
    pub fn push(&mut self, piece: &str) -> Vec<TextPiece> {
        self.0.push(piece)
    }

    /// Returns the number of bytes that are held back: of text that may become calls, at most three times the limit of
    /// [`ToolText::with_max_bytes`] and a few more.
    pub fn held(&self) -> usize {
        self.0.held()
    }

    /// Ends the text.
    pub fn finish(self) -> TextEnd {
        self.0.finish()
    }
}
