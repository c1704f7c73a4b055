//! An approval that comes later: the run ends and is stored, and a second process goes on with it when a
//! person has decided.
//!
//! ```text
//! cargo run -p examples --example approval
//! ```
//!
//! `approvals` shows a run that stays and waits.

use std::{fs, path::Path, process::Command};

use toolwright::{
    ModelResponse, Runner, ToolCall,
    approval::visible_line,
    message::ToolRound,
    run::{Finish, RunOutcome, StoredRun},
    testing::ScriptedModel,
    tool, toolset,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Pay an invoice of the user.
#[tool(approval)]
async fn pay(euros: u64) -> String {
    format!("paid {euros} euros")
}

/// Show the balance of the user.
#[tool(read_only)]
async fn balance() -> String {
    "1200 euros".to_owned()
}

fn runner(replies: Vec<ModelResponse>) -> Result<Runner> {
    let runner = Runner::builder(ScriptedModel::new(replies))
        .tools(toolset![pay, balance])
        .suspends()
        .build()?;
    Ok(runner)
}

/// The first process: it asks the model, runs what needs nobody, and stores the run.
async fn ask(file: &Path) -> Result<()> {
    let calls = ModelResponse::from_calls([
        ToolCall::new("a", "pay", r#"{"euros": 5}"#),
        ToolCall::new("b", "pay", r#"{"euros": 900}"#),
        ToolCall::new("c", "balance", "{}"),
    ]);
    let outcome = runner(vec![calls])?.run("Pay my invoices.").await?;
    assert_eq!(outcome.finish, Finish::Suspended);
    for pending in &outcome.pending {
        println!(
            "waits for somebody: {}({})",
            pending.call.name,
            visible_line(&pending.call.arguments)
        );
    }
    fs::write(file, serde_json::to_vec(&outcome.suspended)?)?;
    Ok(())
}

/// The second process, on another day: it reads the run, decides, and goes on.
async fn go_on(file: &Path) -> Result<()> {
    let run: StoredRun = serde_json::from_slice(&fs::read(file)?)?;
    let [small, large] = run.pending() else {
        return Err("two calls wait".into());
    };
    let decisions = [small.approve(), large.deny("too much for one day")];
    let runner = runner(vec![ModelResponse::from_text("I paid the small one.")])?;
    let handle = runner.resume(run).decide(decisions).start().await?;
    let outcome = handle.outcome().await?;
    print(&outcome);
    Ok(())
}

fn print(outcome: &RunOutcome) {
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        println!("{}({})", call.name, call.arguments);
        println!(
            "  the model reads: {}",
            result.to_model_text().replace(": ", ":\n    ")
        );
    }
    println!("{outcome}");
}

#[tokio::main]
async fn main() -> Result<()> {
    if let Some(file) = std::env::args().nth(1) {
        return go_on(Path::new(&file)).await;
    }
    let file =
        std::env::temp_dir().join(format!("toolwright-approval-{}.json", std::process::id()));
    ask(&file).await?;
    println!("the run is stored, and this process could end; a second one goes on:");
    let status = Command::new(std::env::current_exe()?).arg(&file).status()?;
    fs::remove_file(&file)?;
    if !status.success() {
        return Err("the second process failed".into());
    }
    println!("\nShown: a run ended, was stored, and went on when a person had decided.");
    Ok(())
}
