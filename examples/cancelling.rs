//! A run that is cancelled: what had finished is kept, what runs is stopped and may say its last, and
//! the conversation can go on. Ctrl-C cancels it as well.
//!
//! ```text
//! cargo run -p examples --example cancelling
//! ```

use std::time::Duration;

use toolwright::{
    ModelResponse, Runner, ToolCall, ToolContext,
    runner::{Printer, RunEvent},
    testing::ScriptedModel,
    tool,
    tool::{CallUpdate, Progress},
    toolset,
};

/// Count the files of the user.
#[tool(read_only)]
async fn count_files() -> u32 {
    100
}

/// Copy all files of the user.
#[tool]
async fn copy_files(#[context] cx: &ToolContext, #[context] progress: Progress) -> String {
    for number in 1..=100 {
        progress.step(number, 100, format!("file {number}"));
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
            () = cx.cancelled() => return format!("stopped after {number} files"),
        }
    }
    "copied 100 files".to_owned()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            ToolCall::new("a", "count_files", "{}"),
            ToolCall::new("b", "copy_files", "{}"),
        ]),
        ModelResponse::from_text("I copied a few of them."),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![count_files, copy_files])
        .build()?;

    let mut printer = Printer::stdout().with_progress();
    let mut run = runner.start("Copy my files.");
    // Ctrl-C cancels the run, and not the program.
    let control = run.control();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            control.cancel();
        }
    });
    while let Some(event) = run.next().await {
        printer.print(&event)?;
        if let RunEvent::Update {
            update: CallUpdate::Progress(report),
            ..
        } = event
            && report.progress >= 3.0
        {
            // So does this program by itself, so that it ends offline.
            run.cancel();
        }
    }
    let outcome = run.outcome().await?;
    printer.end(&outcome)?;

    println!("\nYou: What did you do?");
    let run = runner
        .request("What did you do?")
        .within(outcome.conversation)
        .start();
    printer.run(run).await?;
    println!("\nShown: every call has its result after a cancel, and the conversation goes on.");
    Ok(())
}
