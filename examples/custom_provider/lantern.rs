//! The model over its connection.
//!
//! Lantern is a protocol that nobody else speaks: a connection carries one line of JSON, the question, and
//! then the lines of the reply.
//!
//! ```text
//! > {"model": …, "rules": …, "functions": […], "call": "may", "turns": […]}
//! < {"is": "begin", "model": "lantern-2"}
//! < {"is": "say", "text": "Let me "}
//! < {"is": "call", "n": 0, "id": "c1", "function": "find_shelf"}
//! < {"is": "with", "n": 0, "json": "{\"title\":"}
//! < {"is": "seal", "data": "…"}
//! < {"is": "end", "why": "calls", "read": 81, "wrote": 17}
//! ```

use std::{collections::VecDeque, net::SocketAddr};

use futures_util::stream;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use toolwright::{
    ChatModel, ModelError,
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream},
};

use crate::{decode::Decoder, encode};

/// What opaque parts of this codec are marked with.
pub(crate) const PROVIDER: &str = "lantern";

/// A model of a Lantern server.
#[derive(Debug, Clone)]
pub(crate) struct Lantern {
    address: SocketAddr,
    model: String,
}

impl Lantern {
    pub(crate) fn new(address: SocketAddr, model: impl Into<String>) -> Self {
        Self {
            address,
            model: model.into(),
        }
    }
}

/// All that has to be written: `complete` collects the stream.
impl ChatModel for Lantern {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let warnings = encode::warnings(request).into_iter();
        let reply = Reply {
            model: self,
            request,
            connection: None,
            decoder: Decoder::default(),
            over: false,
            events: warnings.map(ModelEvent::Warning).map(Ok).collect(),
        };
        Box::pin(stream::unfold(reply, Reply::next))
    }
}

/// A reply as it comes. Dropping it closes the connection, which ends the request.
struct Reply<'a> {
    model: &'a Lantern,
    request: &'a ModelRequest,
    /// Nothing is sent before somebody asks for an event.
    connection: Option<TcpStream>,
    decoder: Decoder,
    /// Nothing more comes.
    over: bool,
    /// What has come and was not handed on.
    events: VecDeque<Result<ModelEvent, ModelError>>,
}

impl Reply<'_> {
    async fn next(mut self) -> Option<(Result<ModelEvent, ModelError>, Self)> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some((event, self));
            }
            if self.over {
                return None;
            }
            let mut events = Vec::new();
            let result = self.advance(&mut events).await;
            self.events.extend(events.into_iter().map(Ok));
            // Nothing comes after an error.
            if let Err(error) = result {
                self.events.push_back(Err(error));
                self.over = true;
            }
        }
    }

    /// Takes one step: sends the question, or reads once.
    async fn advance(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        let Some(connection) = &mut self.connection else {
            let line = encode::encode(&self.model.model, self.request).map_err(|error| {
                ModelError::new(ModelErrorKind::InvalidRequest, error.to_string())
            })?;
            let mut connection = TcpStream::connect(self.model.address).await.map_err(lost)?;
            connection.write_all(&line).await.map_err(lost)?;
            self.connection = Some(connection);
            return Ok(());
        };
        let mut bytes = [0; 4096];
        let count = connection.read(&mut bytes).await.map_err(lost)?;
        if count > 0 {
            return self.decoder.feed(&bytes[..count], events);
        }
        self.over = true;
        std::mem::take(&mut self.decoder).finish(events)
    }
}

/// The same request may be sent again: nothing was answered.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn lost(error: std::io::Error) -> ModelError {
    ModelError::new(ModelErrorKind::Transport, error.to_string())
}
