//! What servers have on offer.

use std::collections::HashMap;

use toolwright_core::{DefinitionError, ToolRegistry, Toolset, ToolsetError};

use super::{Client, ClientError, connection::Offer, foreign};

/// What servers have on offer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The tools, in the order of the servers.
    pub tools: Toolset,
    /// What no run can use, with what is wrong with it.
    pub refused: Vec<Refused>,
}

/// A definition, or a whole server, that cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The definition breaks a rule.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// Another tool has the name.
    #[error(transparent)]
    Set(#[from] ToolsetError),
    /// The name, title and description of a tool are longer than 64 KiB together.
    #[error(
        "tool `{tool}`: its texts have {bytes} bytes, at most {MAX_TEXTS} are shown to a model"
    )]
    Texts {
        /// The name of the tool, up to 100 characters.
        tool: String,
        /// Their size.
        bytes: usize,
    },
    /// The list has more than 10,000 tools or 64 MiB. What comes after that is not read.
    #[error(
        "the list of the server is too long: what comes after 10,000 tools, or 64 MiB, is left out"
    )]
    TooMany,
    /// The pages of the list have no end: a cursor came twice, or there are more than 1,000.
    #[error("the pages of the server's list do not end: what comes after them is left out")]
    Endless,
    /// The server is not reached.
    #[error("server `{server}`: {error}")]
    Server {
        /// Its name.
        server: String,
        /// What is wrong.
        error: ClientError,
    },
}

/// The largest size of the texts of a tool, in bytes.
const MAX_TEXTS: usize = 64 << 10;

/// A server by its name.
pub(crate) type Named = (String, Client);

/// Puts the tools of servers together. A name that several have gets the name of its server before it, in all of them: the
/// order of the servers decides nothing.
pub(crate) async fn merge(servers: &[(&Named, &Offer)]) -> Listed {
    let mut owners: HashMap<(&str, &str), Option<usize>> = HashMap::new();
    for (index, ((_, client), offer)) in servers.iter().enumerate() {
        for tool in &offer.tools {
            let owner = owners.entry((&client.settings.prefix, &tool.name));
            let owner = owner.or_insert(Some(index));
            if *owner != Some(index) {
                *owner = None;
            }
        }
    }
    let registry = ToolRegistry::new();
    let mut refused = Vec::new();
    for ((name, client), offer) in servers {
        for (index, tool) in offer.tools.iter().enumerate() {
            let has_clash =
                owners.get(&(client.settings.prefix.as_str(), &*tool.name)) == Some(&None);
            let prefix = if has_clash {
                format!("{name}_{}", client.settings.prefix)
            } else {
                client.settings.prefix.clone()
            };
            let bytes = foreign::texts(tool);
            if bytes > MAX_TEXTS {
                let tool = tool.name.chars().take(100).collect();
                refused.push(Refused::Texts { tool, bytes });
                continue;
            }
            match foreign::tool(client, tool, &prefix) {
                Ok(tool) => refused.extend(registry.insert(tool).err().map(Refused::from)),
                Err(error) => refused.push(error.into()),
            }
            // A long list of large schemas keeps a thread for seconds.
            if index % 32 == 31 {
                tokio::task::yield_now().await;
            }
        }
        refused.extend(offer.cut.clone());
    }
    Listed {
        tools: registry.snapshot(),
        refused,
    }
}

impl Listed {
    /// The tools alone. What is refused is written to the log of `tracing`.
    pub(crate) fn logged(self) -> Toolset {
        for refused in &self.refused {
            tracing::warn!(%refused, "a tool of the server cannot be used");
        }
        self.tools
    }
}
