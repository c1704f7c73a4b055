//! The process that is killed.

use std::{
    env,
    fs::OpenOptions,
    io::{Write, stdout},
    path::{Path, PathBuf},
    time::Duration,
};

use toolwright::{
    ChatModel, Message, ModelResponse, Runner, ToolCall, ToolError, Toolset,
    dynamic::DynamicTool,
    model::{ModelRequest, ModelStream},
    run::{ResumeError, StoreErrorKind},
    runner::{RunEvent, RunHandle},
    store::{FileStore, RunFilter, SqliteStore, Store},
    tool::{Effects, ToolPolicy},
};

use super::{FOLDER, STORE};

/// The rounds of the run.
pub(super) const ROUNDS: u32 = 3;

/// A model that has no state: what it says follows from the request.
struct Script;

impl ChatModel for Script {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let rounds = request.messages.iter().map(|message| match message {
            Message::Assistant(message) => message.tool_rounds.len(),
            Message::User(_) => 0,
        });
        let round = rounds.sum::<usize>();
        let response = if round < ROUNDS as usize {
            let call = |tool: &str| ToolCall::new(format!("{tool} {round}"), tool, "{}");
            ModelResponse::from_calls([call("pay"), call("look")])
        } else {
            ModelResponse::from_text("done")
        };
        let events = response.into_events().into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events.collect::<Vec<_>>()))
    }
}

/// A tool that writes its calls to a file of its own.
fn writing(name: &'static str, effects: Effects, folder: &Path) -> DynamicTool {
    let file = folder.join(name);
    let tool = DynamicTool::builder(name, "Writes its call to a file.");
    let tool = tool.policy(ToolPolicy::default().with_effects(effects));
    let tool = tool.build(move |call: ToolCall, _| {
        let file = file.clone();
        async move {
            let mut file = OpenOptions::new().append(true).create(true).open(file)?;
            writeln!(file, "{}", call.id)?;
            Ok::<_, ToolError>("written")
        }
    });
    tool.expect("is sound")
}

#[tokio::test]
#[ignore = "other tests start it"]
async fn drives_a_run() {
    let folder = PathBuf::from(env::var_os(FOLDER).unwrap());
    let store = folder.join("store");
    if env::var(STORE).is_ok_and(|store| store == "files") {
        drive(&folder, FileStore::open(store).await.unwrap()).await;
    } else {
        drive(&folder, SqliteStore::open(store).await.unwrap()).await;
    }
}

async fn drive(folder: &Path, store: impl Store + Clone) {
    let tools = Toolset::new()
        .with(writing("pay", Effects::Write, folder))
        .and_then(|tools| tools.with(writing("look", Effects::ReadOnly, folder)));
    let runner = Runner::builder(Script)
        .tools(tools.expect("the names differ"))
        .store("killed", store.clone())
        .lease_time(Duration::ZERO)
        .build()
        .expect("is sound");
    let runs = store.list(&RunFilter::default()).await.expect("is read");
    let handle = match runs.items.first() {
        None => Some(runner.start("go")),
        Some(run) => resumed(&runner, &run.info.run_id).await,
    };
    if let Some(mut handle) = handle {
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { .. } = event {
                // Nobody may read it any more.
                let _ = writeln!(stdout(), "step");
            }
        }
        handle.outcome().await.expect("it ends");
    }
    let _ = writeln!(stdout(), "the run is over");
}

/// The run, unless it is over. Who was killed while it took the lease keeps others out for a while.
async fn resumed(runner: &Runner, run: &toolwright::run::RunId) -> Option<RunHandle> {
    loop {
        match runner.resume(run).await {
            Ok(handle) => return Some(handle),
            Err(ResumeError::IsOver) => return None,
            Err(ResumeError::Parked { .. }) => {}
            Err(ResumeError::Store(error)) if error.kind == StoreErrorKind::Held => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}
