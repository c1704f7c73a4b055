//! Tools that share a value: methods of an `impl` block.
//!
//! ```text
//! cargo run -p examples --example shared_state
//! ```

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use serde_json::json;
use toolwright::{ToolError, testing, tools};

/// Notes that the model keeps for the user.
#[derive(Default)]
struct Notes {
    texts: Mutex<BTreeMap<String, String>>,
}

#[tools]
impl Notes {
    /// Keep a note, in place of an older one of the same title.
    #[tool(idempotent)]
    async fn keep_note(&self, title: String, text: String) -> String {
        let answer = format!("kept {title}");
        self.texts().insert(title, text);
        answer
    }

    /// Read a note again.
    #[tool(read_only)]
    async fn read_note(
        &self,
        /// The title, as `list_notes` gives it.
        title: String,
    ) -> Result<String, ToolError> {
        let note = self.texts().get(&title).cloned();
        note.ok_or_else(|| ToolError::invalid_arguments(format!("no note is called {title}")))
    }

    /// List the titles of all notes.
    #[tool(read_only)]
    async fn list_notes(&self) -> Vec<String> {
        self.texts().keys().cloned().collect()
    }

    /// Not a tool: the program uses it.
    fn texts(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, String>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tools = Notes::default().into_tools();
    for (name, arguments) in [
        ("keep_note", json!({"title": "milk", "text": "two bottles"})),
        ("list_notes", json!({})),
        ("read_note", json!({"title": "milk"})),
        ("read_note", json!({"title": "bread"})),
    ] {
        match testing::call(&tools, name, arguments).await {
            Ok(output) => println!("{name}: {}", output.to_text()),
            Err(error) => println!("{name}: {error}"),
        }
    }
    println!("\nShown: the tools of one value share what it holds.");
}
