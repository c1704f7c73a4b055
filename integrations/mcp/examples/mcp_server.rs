//! Three tools for clients of the Model Context Protocol, at the standard input and output.
//!
//! ```json
//! {"mcpServers": {"notes": {"command": "target/debug/examples/mcp_server"}}}
//! ```

use std::{collections::BTreeMap, sync::Mutex};

use toolwright::{ToolContext, ToolError, mcp, tool, toolset};

#[derive(Default)]
pub(crate) struct Notes(Mutex<BTreeMap<String, String>>);

/// List the titles of all notes.
#[tool(read_only)]
pub(crate) fn list_notes(#[context] cx: &ToolContext) -> Result<Vec<String>, ToolError> {
    let notes = cx
        .require::<Notes>()?
        .0
        .lock()
        .expect("no tool panics with it");
    Ok(notes.keys().cloned().collect())
}

/// Read a note.
#[tool(read_only)]
pub(crate) fn read_note(
    /// The title of the note.
    title: String,
    #[context] cx: &ToolContext,
) -> Result<String, ToolError> {
    let notes = cx
        .require::<Notes>()?
        .0
        .lock()
        .expect("no tool panics with it");
    let text = notes.get(&title).cloned();
    text.ok_or_else(|| ToolError::not_found(format!("no note is called `{title}`")))
}

/// Write a note, in place of one that has the same title.
#[tool(idempotent)]
pub(crate) fn write_note(
    /// The title of the note.
    #[tool(length(1..=80))]
    title: String,
    /// The text of the note.
    text: String,
    #[context] cx: &ToolContext,
) -> Result<(), ToolError> {
    let mut notes = cx
        .require::<Notes>()?
        .0
        .lock()
        .expect("no tool panics with it");
    notes.insert(title, text);
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), mcp::ServiceError> {
    mcp::Service::new(toolset![list_notes, read_note, write_note])
        .named("notes", "1.0.0")
        .with_extension(Notes::default())
        .serve_stdio()
        .await
}
