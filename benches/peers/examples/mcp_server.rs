//! `integrations/mcp/examples/mcp_server.rs` with `rmcp` alone.

use std::{collections::BTreeMap, sync::Mutex};

use rmcp::{
    ErrorData, ServerHandler, ServiceExt,
    handler::server::wrapper::Parameters,
    model::{CallToolResult, ContentBlock, Implementation, InitializeResult, ServerCapabilities},
    schemars::JsonSchema,
    tool, tool_handler, tool_router,
    transport::stdio,
};
use serde::Deserialize;

#[derive(Default)]
struct Notes(Mutex<BTreeMap<String, String>>);

#[derive(Deserialize, JsonSchema)]
struct ReadNote {
    /// The title of the note.
    title: String,
}

#[derive(Deserialize, JsonSchema)]
struct WriteNote {
    /// The title of the note.
    #[schemars(length(min = 1, max = 80))]
    title: String,
    /// The text of the note.
    text: String,
}

#[tool_router]
impl Notes {
    /// List the titles of all notes.
    #[tool(annotations(read_only_hint = true))]
    async fn list_notes(&self) -> Result<CallToolResult, ErrorData> {
        let notes = self.0.lock().expect("no tool panics with it");
        let titles: Vec<_> = notes.keys().collect();
        Ok(CallToolResult::success(vec![ContentBlock::json(titles)?]))
    }

    /// Read a note.
    #[tool(annotations(read_only_hint = true))]
    async fn read_note(
        &self,
        Parameters(ReadNote { title }): Parameters<ReadNote>,
    ) -> Result<String, String> {
        let notes = self.0.lock().expect("no tool panics with it");
        let text = notes.get(&title).cloned();
        text.ok_or_else(|| format!("no note is called `{title}`"))
    }

    /// Write a note, in place of one that has the same title.
    #[tool(annotations(idempotent_hint = true))]
    async fn write_note(
        &self,
        Parameters(WriteNote { title, text }): Parameters<WriteNote>,
    ) -> Result<(), String> {
        // The schema is only shown: a call that does not fit it arrives.
        if title.is_empty() || title.chars().count() > 80 {
            return Err("the title has 1 to 80 characters".to_owned());
        }
        let mut notes = self.0.lock().expect("no tool panics with it");
        notes.insert(title, text);
        Ok(())
    }
}

#[tool_handler]
impl ServerHandler for Notes {
    fn get_info(&self) -> InitializeResult {
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("notes", "1.0.0"))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Notes::default().serve(stdio()).await?.waiting().await?;
    Ok(())
}
