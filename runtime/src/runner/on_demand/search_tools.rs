//! The tool that searches for tools.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolwright_json::char_boundary;

use toolwright_core::{
    Schema, ToolCall, ToolContext, ToolDefinition, ToolError, ToolOutput, ToolPolicy, ToolResult,
    ToolSearch, Toolset, WordSearch,
    tool::{Call, Effects, OutputPart, Tool},
};

/// The name of the tool that searches for tools.
pub(in crate::runner) const SEARCH_TOOLS: &str = "search_tools";

/// The description. It stays the same for any set of tools, and so does the beginning of the requests.
const DESCRIPTION: &str = "Search for more tools. Many tools are not in your list until you search for them by what they \
                           do. Search before you say that something cannot be done. The tools that are found are added to \
                           your list, and you can call them from your next turn on.";

const SCHEMA: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"What the tool should do, in a few words, such as: send an email. One search for each thing to do."},"limit":{"type":"integer","description":"The number of tools to find; 5 by default.","minimum":1,"maximum":20}},"required":["query"],"additionalProperties":false}"#;

/// The number of tools that are found, unless the model says another.
const FOUND: u8 = 5;
const MOST: u8 = 20;

/// The limit, in bytes, of a description in the result. The model reads the whole one with the tool.
const DESCRIPTION_BYTES: usize = 300;

/// The limit, in bytes, of the whole result, which nothing reaches.
const RESULT_BYTES: usize = 64 * 1024;

/// The tool that searches among others.
pub(super) struct SearchTools {
    definition: ToolDefinition,
    tools: Toolset,
    by: Arc<dyn ToolSearch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    query: String,
    #[serde(default)]
    limit: Option<u8>,
}

/// The result of a search.
#[derive(Serialize, Deserialize)]
struct Findings {
    tools: Vec<Finding>,
    #[serde(default)]
    note: String,
}

#[derive(Serialize, Deserialize)]
struct Finding {
    name: String,
    #[serde(default)]
    description: String,
}

impl SearchTools {
    pub(super) fn new(tools: Toolset) -> Self {
        let schema = Schema::from_text(SCHEMA).unwrap_or_else(|_| unreachable!("it is JSON"));
        let definition = ToolDefinition::new(SEARCH_TOOLS, DESCRIPTION, schema);
        let own = tools.own_search().cloned();
        let by = own.unwrap_or_else(|| Arc::new(WordSearch));
        Self {
            definition,
            tools,
            by,
        }
    }

    async fn search(&self, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        let Arguments { query, limit } = call.decode()?;
        let limit = limit.unwrap_or(FOUND).clamp(1, MOST).into();
        let names = self.by.search(&self.tools, &query, limit).await?;
        let mut tools = Vec::<Finding>::new();
        let found = names.iter().filter_map(|name| self.tools.find(name));
        for tool in found.map(Tool::definition) {
            if tools.len() < limit && tools.iter().all(|found| found.name != *tool.name) {
                tools.push(finding(tool));
            }
        }
        let note = if tools.is_empty() {
            "No tool was found. Try other words that say what the tool should do."
        } else {
            "These tools are in your list from your next turn on."
        };
        let note = note.to_owned();
        ToolOutput::json(&Findings { tools, note })
    }
}

fn finding(tool: &ToolDefinition) -> Finding {
    let whole = &*tool.description;
    let shown = &whole[..char_boundary::floor(whole, DESCRIPTION_BYTES)];
    let cut = if shown.len() < whole.len() { "…" } else { "" };
    Finding {
        name: tool.name.to_string(),
        description: format!("{shown}{cut}"),
    }
}

/// The names that the result of a search has. None if it is the result of something else.
pub(super) fn found(result: &ToolResult) -> Vec<String> {
    let Ok(output) = &result.outcome else {
        return Vec::new();
    };
    let Some(OutputPart::Json(text) | OutputPart::Text(text)) = output.parts.first() else {
        return Vec::new();
    };
    let findings = serde_json::from_str(text).unwrap_or(Findings {
        tools: Vec::new(),
        note: String::new(),
    });
    let names = findings.tools.into_iter().take(MOST.into());
    names.map(|tool| tool.name).collect()
}

impl Tool for SearchTools {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn policy(&self) -> ToolPolicy {
        ToolPolicy::default()
            .with_effects(Effects::ReadOnly)
            .with_timeout(self.by.time_limit())
            .with_max_output(RESULT_BYTES)
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        call.decode::<Arguments>().map(|_| ())
    }

    fn call<'a>(&'a self, call: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        Call::future(self.search(call))
    }
}
