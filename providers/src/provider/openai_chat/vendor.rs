//! The servers that speak this protocol, as data.

mod table;

use crate::{
    codec::{quirks::Quirks, server::Server},
    profile::Profile,
};

/// A vendor whose server speaks OpenAI Chat Completions: its address, the header for its key, and its
/// differences from the protocol.
///
/// [`Vendor::ALL`] has all vendors that are known here. Another server that follows the protocol needs no
/// vendor: [`OpenAiChat::with_base_url`](crate::provider::OpenAiChat::with_base_url) is enough. For a server
/// with the differences of a vendor, create a vendor of your own from it:
///
/// ```
/// use toolwright::{profile::Profile, provider::Vendor};
///
/// const LIBRARY: Vendor = Vendor::VLLM
///     .with_name("Library")
///     .with_base_url("https://llm.library.example/v1")
///     .with_variables("LIBRARY_API_KEY", "LIBRARY_BASE_URL")
///     .with_needs_key(true)
///     .with_profile(Profile::grammar);
/// # assert_eq!((LIBRARY.name(), LIBRARY.key_variable()), ("Library", "LIBRARY_API_KEY"));
/// # assert!(LIBRARY.needs_key() && LIBRARY.profile().is_some());
/// ```
///
/// The [codec](super::OpenAiChatCodec::of) of a vendor sends requests in its form:
///
/// ```
/// use toolwright::model::{ModelRequest, ModelSettings};
/// use toolwright::provider::{Codec, EncodeInput, OpenAiChatCodec, Vendor};
///
/// let settings = ModelSettings::new().with_max_output_tokens(100).with_seed(1);
/// let request = ModelRequest::new([]).with_settings(settings);
/// let body = OpenAiChatCodec::of(Vendor::MISTRAL).encode(EncodeInput::new("ministral-3b-latest", &request))?;
/// let body: serde_json::Value = serde_json::from_slice(&body)?;
/// assert_eq!((&body["max_tokens"], &body["random_seed"]), (&100.into(), &1.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Vendor {
    name: &'static str,
    /// The base URL; empty if every customer of the vendor has an address of their own.
    base_url: &'static str,
    key_variable: &'static str,
    base_url_variable: &'static str,
    key_header: KeyHeader,
    needs_key: bool,
    profile: Option<fn() -> Profile>,
    quirks: Quirks,
}

/// The header that a key goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyHeader {
    /// `Authorization`, after the word `Bearer`.
    Bearer,
    /// `api-key`, alone.
    ApiKey,
}

impl Vendor {
    /// The name, as the vendor writes it.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The base URL; empty if every customer of the vendor has an address of their own, as for Azure.
    pub const fn base_url(&self) -> &'static str {
        self.base_url
    }

    /// The environment variable that holds the key.
    pub const fn key_variable(&self) -> &'static str {
        self.key_variable
    }

    /// The environment variable that holds another base URL.
    pub const fn base_url_variable(&self) -> &'static str {
        self.base_url_variable
    }

    /// Returns true if a server that is not on this machine needs a key.
    pub const fn needs_key(&self) -> bool {
        self.needs_key
    }

    /// Returns the rules of the server for schemas; `None` if they are those of OpenAI.
    pub fn profile(&self) -> Option<Profile> {
        self.profile.map(|profile| profile())
    }

    /// The header that a key goes in.
    pub const fn key_header(&self) -> KeyHeader {
        self.key_header
    }

    pub(super) fn server(&self) -> Server<'_> {
        Server {
            base_url: self.base_url,
            base_url_variable: self.base_url_variable,
            key_variables: std::slice::from_ref(&self.key_variable),
            needs_key: self.needs_key,
            key_header: match self.key_header {
                KeyHeader::Bearer => None,
                KeyHeader::ApiKey => Some("api-key"),
            },
            ..Server::PLAIN
        }
    }

    pub(super) fn quirks(&self) -> Quirks {
        Quirks {
            name: self.name,
            ..self.quirks
        }
    }

    /// Sets the differences from the protocol.
    const fn with_quirks(mut self, quirks: Quirks) -> Self {
        self.quirks = quirks;
        self
    }

    /// Sets the name, which warnings contain too.
    pub const fn with_name(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Sets the base URL, up to and without `/chat/completions`.
    pub const fn with_base_url(mut self, url: &'static str) -> Self {
        self.base_url = url;
        self
    }

    /// Sets the environment variables that hold the key and another base URL.
    pub const fn with_variables(mut self, key: &'static str, base_url: &'static str) -> Self {
        self.key_variable = key;
        self.base_url_variable = base_url;
        self
    }

    /// Sets the header that a key goes in.
    pub const fn with_key_header(mut self, header: KeyHeader) -> Self {
        self.key_header = header;
        self
    }

    /// Sets if a server that is not on this machine needs a key.
    pub const fn with_needs_key(mut self, needs_key: bool) -> Self {
        self.needs_key = needs_key;
        self
    }

    /// Sets the rules of the server for schemas.
    pub const fn with_profile(mut self, profile: fn() -> Profile) -> Self {
        self.profile = Some(profile);
        self
    }
}
