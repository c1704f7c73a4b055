//! What servers have on offer.

use std::collections::HashMap;

use toolwright_core::{ToolRegistry, Toolset};

use super::{
    Client,
    connection::Offer,
    definition, foreign,
    refused::{MAX_TEXTS, Refused},
};

/// What servers have on offer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The tools, in the order of the servers.
    pub tools: Toolset,
    /// What no run can use, with what is wrong with it.
    pub refused: Vec<Refused>,
}

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
            let bytes = definition::texts(tool);
            if bytes > MAX_TEXTS {
                let tool = tool.name.chars().take(100).collect();
                refused.push(Refused::Texts { tool, bytes });
                continue;
            }
            match foreign::tool(client, tool, &prefix, offer.has_tasks) {
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
