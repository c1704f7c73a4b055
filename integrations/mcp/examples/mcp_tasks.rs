//! A long call as a task: the client gets an id at once, asks how far the call is, and fetches the result later. The task is
//! in an SQLite file, so that every process with this file answers for it.
//!
//! `cargo run -p toolwright-mcp --example mcp_tasks`

use std::{error::Error, time::Duration};

use rmcp::{
    ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, GetTaskParams,
        Implementation, TaskPayload,
    },
};
use toolwright::{ToolContext, mcp::Service, store::SqliteStore, tool, toolset};

/// Count the words of all books in the library.
#[tool(read_only)]
async fn count_words(
    /// The number of books.
    #[tool(range(1..=100))]
    books: u32,
    #[context] cx: &ToolContext,
) -> String {
    for book in 1..=books {
        cx.progress()
            .step(book.into(), books.into(), format!("book {book} of {books}"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    format!("{books} books have {} words", books * 70_000)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("mcp_tasks-{}.sqlite", std::process::id()));
    let service = Service::new(toolset![count_words])
        .store("library", SqliteStore::open(&file).await?)
        .long("count_words");

    // A client in this process, which has tasks. Others come by `serve_stdio` or `http`.
    let (here, there) = tokio::io::duplex(4_096);
    tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
    let capabilities = ClientCapabilities::builder().enable_tasks().build();
    let client = ClientConfig::new(capabilities, Implementation::from_build_env());
    let client = client.serve(here).await?;

    let arguments = serde_json::json!({"books": 10});
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let call = CallToolRequestParams::new("count_words").with_arguments(arguments);
    let CallToolResponse::Task(begun) = client.call_tool_once(call).await? else {
        return Err("the call is no task".into());
    };
    println!("task {}", begun.task.task_id);
    loop {
        let asks = GetTaskParams::new(&*begun.task.task_id);
        let task = client.get_task(asks).await?.task;
        match &task.payload {
            TaskPayload::Completed { result } => {
                println!("{}", serde_json::to_string_pretty(result)?);
                break;
            }
            _ => println!("{:?}: {:?}", task.status(), task.task.status_message),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    client.cancel().await?;
    std::fs::remove_file(file)?;
    Ok(())
}
