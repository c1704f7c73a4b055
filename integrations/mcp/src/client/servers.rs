//! Several servers.

use std::path::Path;

use futures_util::future::join_all;
use toolwright_core::ToolRegistry;

use super::{
    Client, Listed, Refused,
    file::{self, ServersError},
    listed::{self, Named},
    registry,
};

/// Several servers, each with a name, whose tools are used together.
///
/// A tool has the name that its server gave it. Where several servers have one name, each of these tools gets the name of its
/// server before it, as in `github_search` and `files_search`, whatever the order of the servers: none can take the place of
/// another's tool.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, mcp::Servers, testing::ScriptedModel};
///
/// let servers = Servers::from_file("mcp.json")?;
/// let tools = servers.registry().await;
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).registry(tools).build()?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Servers {
    servers: Vec<Named>,
}

impl Servers {
    /// No servers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file in the form of desktop clients:
    ///
    /// ```json
    /// {
    ///   "mcpServers": {
    ///     "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${HOME}/notes"]},
    ///     "search": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}
    ///   }
    /// }
    /// ```
    ///
    /// A program has `command`, `args`, `env` and `cwd`, a server over HTTP has `url` and `headers`. `${NAME}` is a variable
    /// of the environment, and `${NAME:-text}` one with a text in its place where it is not set. An entry with
    /// `"disabled": true` is left out. Other keys are those of other clients.
    ///
    /// Nothing is started yet: [`list`](Self::list) and [`registry`](Self::registry) reach the servers.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, and when an entry of it cannot be used: which one, and why.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ServersError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| ServersError::read(path, error))?;
        Self::from_json(&text)
    }

    /// As [`from_file`](Self::from_file), of the text of a file.
    ///
    /// # Errors
    ///
    /// As [`from_file`](Self::from_file).
    pub fn from_json(text: &str) -> Result<Self, ServersError> {
        let servers = file::read(text, |name| std::env::var(name).ok())?;
        Ok(Self { servers })
    }

    /// Adds a server.
    pub fn with(mut self, name: impl Into<String>, client: Client) -> Self {
        self.servers.push((name.into(), client));
        self
    }

    /// The names of the servers, and the servers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Client)> {
        self.servers.iter().map(|(name, client)| (&**name, client))
    }

    /// Changes the settings of each server: time limits, prefixes, trust.
    pub fn each(mut self, change: impl Fn(&str, Client) -> Client) -> Self {
        let servers = self.servers.into_iter();
        let changed = servers.map(|(name, client)| {
            let client = change(&name, client);
            (name, client)
        });
        self.servers = changed.collect();
        self
    }

    /// Reads the tools of all servers, and what is wrong with the tools and servers that cannot be used.
    pub async fn list(&self) -> Listed {
        self.read().await.0
    }

    /// Reads the tools of all servers into a registry, which then changes as they do. A server that is not reached is tried
    /// again, after longer and longer waits. What cannot be used is written to the log of `tracing`.
    pub async fn registry(&self) -> ToolRegistry {
        let (listed, offers) = self.read().await;
        let followed = ToolRegistry::from(listed.logged());
        registry::follow(&self.servers, offers, &followed);
        followed
    }

    async fn read(&self) -> (Listed, Vec<Option<super::Offer>>) {
        let reading = self.servers.iter().map(|(_, client)| client.offer());
        let (mut refused, mut offers) = (Vec::new(), Vec::new());
        for ((server, _), offer) in self.servers.iter().zip(join_all(reading).await) {
            offers.push(
                offer
                    .map_err(|error| {
                        let server = server.clone();
                        refused.push(Refused::Server { server, error });
                    })
                    .ok(),
            );
        }
        let read = self.servers.iter().zip(&offers);
        let read: Vec<_> = read
            .filter_map(|(server, offer)| offer.as_ref().map(|offer| (server, offer)))
            .collect();
        let mut listed = listed::merge(&read).await;
        refused.append(&mut listed.refused);
        listed.refused = refused;
        (listed, offers)
    }
}
