//! A long call as a task: the server answers with an id at once, and the client asks for the result until it is there. The task
//! is in an SQLite file, so that every process with this file answers for it.
//!
//! `cargo run -p toolwright-mcp --example mcp_tasks`

use std::{env, error::Error, fs, time::Duration};

use toolwright::{
    Dispatch, ToolCall, ToolContext,
    dispatch::{DispatchEvent, DispatchOptions},
    mcp::{Client, Service},
    store::SqliteStore,
    tool, toolset,
};

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
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    format!("{books} books have {} words", books * 70_000)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("toolwright-tasks-{}", std::process::id()));
    fs::create_dir(&folder)?;
    let service = Service::new(toolset![count_words])
        .store(
            "library",
            SqliteStore::open(folder.join("library.db")).await?,
        )
        .long("count_words");

    // A client in this process. Others come by `serve_stdio` or `http`.
    let client = Client::pipe(move || {
        let (here, there) = tokio::io::duplex(4_096);
        let service = service.clone();
        tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
        Ok(tokio::io::split(here))
    });
    // A call waits here for its result. In a run with a store, the id of the task is in the log of the run.
    let tools = client.await?.toolset().await?;
    let calls = [ToolCall::new("1", "count_words", r#"{"books": 15}"#)];
    let options = DispatchOptions::new();
    let mut events = tools.dispatch_stream(&calls, &options);
    while let Some(event) = events.next().await {
        match event {
            DispatchEvent::Update { update, .. } => println!("{update:?}"),
            DispatchEvent::Finished { result, .. } => println!("{}", result.to_model_text()),
            _ => {}
        }
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}
