//! A run whose process is killed in the middle, and which goes on in another one.
//!
//! ```text
//! cargo run -p toolwright-sqlite --example resume
//! cargo run -p toolwright-sqlite --example resume -- trip.db     # press Ctrl-C in the middle, and start it again
//! ```
//!
//! The run is kept in a file of SQLite. What has a result is not done again.

use std::{
    env,
    error::Error,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use toolwright::{
    Message, ModelResponse, Runner, ToolCall,
    model::ModelRequest,
    run::{ResumeError, RunOutcome, StoreErrorKind},
    runner::Printer,
    store::{RunFilter, Scope, SqliteStore, Store},
    testing::ScriptedModel,
    tool, toolset,
};

/// Book a flight for the user.
#[tool]
async fn book_flight(to: String) -> String {
    tokio::time::sleep(Duration::from_millis(300)).await;
    format!("a seat to {to} is booked")
}

/// Find a hotel in a city.
#[tool(read_only)]
async fn find_hotel(city: String) -> String {
    tokio::time::sleep(Duration::from_millis(300)).await;
    format!("there is a room in {city}")
}

/// Says what comes next: the model of each process answers by this rule.
fn next(request: &ModelRequest) -> ModelResponse {
    let rounds = request.messages.iter().map(|message| match message {
        Message::Assistant(message) => message.tool_rounds.len(),
        Message::User(_) => 0,
    });
    let call = |id: &str, tool: &str, arguments: &str| {
        ModelResponse::from_calls([ToolCall::new(id, tool, arguments)])
    };
    match rounds.sum() {
        0 => call("a", "book_flight", r#"{"to": "Oslo"}"#),
        1 => call("b", "find_hotel", r#"{"city": "Oslo"}"#),
        _ => ModelResponse::from_text("You fly to Oslo, and there is a room."),
    }
}

/// Begins the run of a file, or goes on with it.
async fn drive(file: &Path) -> Result<RunOutcome, Box<dyn Error>> {
    let store = SqliteStore::open(file).await?;
    let runner = Runner::builder(ScriptedModel::by_rule(next))
        .tools(toolset![book_flight, find_hotel])
        .store("travel", store.clone())
        .lease_time(Duration::from_secs(1))
        .build()?;
    let mut unfinished = RunFilter::default();
    unfinished.unfinished = true;
    let handle = match store.list(Scope::All, &unfinished).await?.items.first() {
        None => runner.start("I want to go to Oslo."),
        Some(run) => loop {
            match runner.resume(&run.info.run_id).start().await {
                Ok(handle) => break handle,
                // The process that was killed holds it for a second.
                Err(ResumeError::Store(error)) if error.kind == StoreErrorKind::Held => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Err(error) => return Err(error.into()),
            }
        },
    };
    Ok(Printer::stdout().run(handle).await?)
}

/// Starts this program once more, and kills it when the flight is booked.
fn be_killed(file: &Path) -> Result<(), Box<dyn Error>> {
    let mut child = Command::new(env::current_exe()?)
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or("it has an output")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        println!("  {line}");
        if line.contains("find_hotel") {
            break;
        }
    }
    child.kill()?;
    child.wait()?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Some(file) = env::args_os().nth(1) {
        drive(Path::new(&file)).await?;
        return Ok(());
    }
    let folder = env::temp_dir().join(format!("toolwright-resume-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let file = folder.join("trip.db");
    println!("the first process:");
    be_killed(&file)?;
    println!("is killed. The second one:");
    let outcome = drive(&file).await?;
    std::fs::remove_dir_all(&folder)?;
    assert_eq!(outcome.rounds, 2);
    println!("Shown: a flight that is booked once, by a run that two processes drove.");
    Ok(())
}
