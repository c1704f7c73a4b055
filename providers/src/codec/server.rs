//! How a server is reached.

use toolwright_core::model::ModelError;

/// The address of a server, its key and its headers, as the methods of a
/// [`Codec`](super::protocol::Codec) give them out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Server<'a> {
    /// The base URL; empty if there is none.
    pub(crate) base_url: &'static str,
    /// The environment variable that may hold another base URL.
    pub(crate) base_url_variable: &'static str,
    /// Reads the base URL that its variable holds.
    pub(crate) read_base_url: fn(&str) -> Result<String, ModelError>,
    /// The environment variables that may hold the key. The first that is set counts.
    pub(crate) key_variables: &'a [&'static str],
    /// True if a server that is not on this machine needs a key.
    pub(crate) needs_key: bool,
    /// The header that a key goes in alone; `None` for `Authorization`, after the word `Bearer`.
    pub(crate) key_header: Option<&'static str>,
    /// Names and values of other headers that every request has.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// The version of the API, for a base URL without one.
    pub(crate) version: Option<&'static str>,
    /// The parameter of the URL that asks for a stream.
    pub(crate) stream_query: Option<(&'static str, &'static str)>,
}

impl Server<'_> {
    /// A server without an address, with a key as most have it.
    pub(crate) const PLAIN: Self = Self {
        base_url: "",
        base_url_variable: "",
        read_base_url: |variable| Ok(variable.to_owned()),
        key_variables: &[],
        needs_key: true,
        key_header: None,
        headers: &[],
        version: None,
        stream_query: None,
    };
}
