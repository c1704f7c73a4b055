//! The servers that speak this protocol, as data.

mod table;

use crate::{profile::Profile, wire::quirks::Quirks};

/// A vendor whose server speaks OpenAI Chat Completions: where it is, how it is sent the key, and what it
/// does in its own way.
///
/// [`Vendor::ALL`] has all that are known here. Another server needs no vendor, if it keeps to the
/// protocol: [`OpenAiChat::with_base_url`](crate::provider::OpenAiChat::with_base_url) is enough.
///
/// ```
/// use toolwright_runtime::{ModelRequest, ModelSettings, provider::openai_chat::{Dialect, Vendor}};
///
/// let settings = ModelSettings::new().with_max_output_tokens(100).with_seed(1);
/// let request = ModelRequest::new([]).with_settings(settings);
/// let body = Dialect::of(Vendor::MISTRAL).encode("ministral-3b-latest", &request);
/// let body: serde_json::Value = serde_json::from_slice(&body)?;
/// assert_eq!((&body["max_tokens"], &body["random_seed"]), (&100.into(), &1.into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Vendor {
    name: &'static str,
    /// Empty for one whose every customer has an address of their own.
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

    /// The base URL; empty for a vendor whose every customer has an address of their own, such as
    /// Azure.
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

    /// Whether a server that is not on this machine needs a key.
    pub const fn needs_key(&self) -> bool {
        self.needs_key
    }

    /// What the server takes of a schema; `None` for what OpenAI takes.
    pub fn profile(&self) -> Option<Profile> {
        self.profile.map(|profile| profile())
    }

    /// The header that a key goes in.
    pub const fn key_header(&self) -> KeyHeader {
        self.key_header
    }

    pub(super) const fn quirks(&self) -> Quirks {
        self.quirks
    }
}
