//! Input of a codec's body.

use toolwright_core::{message::Opaque, model::ModelRequest};

/// A request with all that its body depends on.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct EncodeInput<'a> {
    /// The name of the model.
    pub model: &'a str,
    /// The request.
    pub request: &'a ModelRequest,
    /// True if the response is to be streamed.
    pub streamed: bool,
    /// The host of the server, with its port if that is not the usual one; empty where none is known.
    pub server: &'a str,
}

impl<'a> EncodeInput<'a> {
    /// Creates the input of a request for a whole response, to a server that is not known.
    pub fn new(model: &'a str, request: &'a ModelRequest) -> Self {
        Self {
            model,
            request,
            streamed: false,
            server: "",
        }
    }

    /// Asks for a streamed response.
    pub fn streamed(mut self) -> Self {
        self.streamed = true;
        self
    }

    /// Sets the host of the server, which is part of the name that its opaque parts go by.
    pub fn with_server(mut self, server: &'a str) -> Self {
        self.server = server;
        self
    }

    /// Returns true if an opaque part came from this server, by the codec of the name `provider`. It is
    /// sent back only there: what one server has encrypted, another refuses.
    pub fn owns(&self, provider: &str, opaque: &Opaque) -> bool {
        match opaque.provider.strip_prefix(provider) {
            Some("") => self.server.is_empty(),
            Some(rest) => rest.strip_prefix(':') == Some(self.server),
            None => false,
        }
    }

    /// Returns the name that opaque parts of this server go by.
    pub(crate) fn mark(&self, provider: &str) -> String {
        if self.server.is_empty() {
            provider.to_owned()
        } else {
            format!("{provider}:{}", self.server)
        }
    }
}
