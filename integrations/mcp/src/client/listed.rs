//! What servers have on offer.

use std::collections::{HashMap, HashSet};

use rmcp::model::Tool;
use toolwright_core::{DynamicTool, Tool as _, ToolRegistry, Toolset, ToolsetError};

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

/// A tool on its way into a set.
struct Made<'a> {
    /// The number of its server.
    server: usize,
    tool: &'a Tool,
    ours: DynamicTool,
    /// Whether it has the name of its server before its own.
    is_named: bool,
}

/// Puts the tools of servers together. A name that several have gets the name of its server before it, in all of them: the
/// order of the servers decides nothing. So it is where one has the name that another one's tool gets by this.
pub(crate) async fn merge(servers: &[(&Named, &Offer)]) -> Listed {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for (server, ((_, client), offer)) in servers.iter().enumerate() {
        for (index, tool) in offer.tools.iter().enumerate() {
            let bytes = definition::texts(tool);
            if bytes > MAX_TEXTS {
                let tool = tool.name.chars().take(100).collect();
                refused.push(Refused::Texts { tool, bytes });
                continue;
            }
            match foreign::tool(client, tool, &client.settings.prefix, offer.has_tasks) {
                Ok(ours) => all.push(Made {
                    server,
                    tool,
                    ours,
                    is_named: false,
                }),
                Err(error) => refused.push(error.into()),
            }
            // A long list of large schemas keeps a thread for seconds.
            if index % 32 == 31 {
                tokio::task::yield_now().await;
            }
        }
        refused.extend(offer.cut.clone());
    }
    let mut shared = shared(&all);
    while name(servers, &mut all, &shared, &mut refused) {
        shared = self::shared(&all);
    }
    let registry = ToolRegistry::new();
    for Made { ours, .. } in all {
        let name = ours.definition().name.clone();
        if shared.contains(&*name) {
            let name = name.into_owned();
            refused.push(ToolsetError::Duplicate { name }.into());
        } else {
            refused.extend(registry.insert(ours).err().map(Refused::from));
        }
    }
    Listed {
        tools: registry.snapshot(),
        refused,
    }
}

/// The names that tools of several servers have.
fn shared(all: &[Made<'_>]) -> HashSet<String> {
    let (mut owners, mut shared) = (HashMap::new(), HashSet::new());
    for Made { server, ours, .. } in all {
        let name = &*ours.definition().name;
        if owners.entry(name).or_insert(server) != &server {
            shared.insert(name.to_owned());
        }
    }
    shared
}

/// Puts the name of its server before each of these names, unless it is there. It gives `false` if none was left.
fn name(
    servers: &[(&Named, &Offer)],
    all: &mut Vec<Made<'_>>,
    shared: &HashSet<String>,
    refused: &mut Vec<Refused>,
) -> bool {
    let mut has_named = false;
    all.retain_mut(|it| {
        if it.is_named || !shared.contains(&*it.ours.definition().name) {
            return true;
        }
        let ((name, client), offer) = servers[it.server];
        let prefix = format!("{name}_{}", client.settings.prefix);
        (has_named, it.is_named) = (true, true);
        let made = foreign::tool(client, it.tool, &prefix, offer.has_tasks);
        let made = made.map(|ours| it.ours = ours);
        made.map_err(|error| refused.push(error.into())).is_ok()
    });
    has_named
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
