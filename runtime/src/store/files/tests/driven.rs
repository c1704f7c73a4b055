//! Runs that a runner drives, over a disk that loses what was not synced and in logs that are cut.

mod cut;
mod lost;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use super::folder::Folder;
use crate::{
    ChatModel, DynamicTool, Effects, Finish, Message, ModelResponse, RunEvent, Runner, ToolCall,
    ToolError, ToolPolicy, Toolset,
    model::{ModelRequest, ModelStream},
    run::{Failure, Record, ResumeError, Run, RunId, StoreError},
    store::{Entry, FileStore, RunFilter, Store},
};

/// The rounds of a run.
const ROUNDS: usize = 2;

/// A model that has no state: it calls a tool that writes and one that reads in each round, and then answers.
struct Script;

impl ChatModel for Script {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let rounds = request.messages.iter().map(|message| match message {
            Message::Assistant(message) => message.tool_rounds.len(),
            Message::User(_) => 0,
        });
        let round = rounds.sum::<usize>();
        let response = if round < ROUNDS {
            let call = |tool: &str| ToolCall::new(format!("{tool} {round}"), tool, "{}");
            ModelResponse::from_calls([call("pay"), call("look")])
        } else {
            ModelResponse::from_text("done")
        };
        let events = response.into_events().into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events.collect::<Vec<_>>()))
    }
}

/// How often each call began.
#[derive(Clone, Default)]
struct Began(Arc<Mutex<BTreeMap<String, usize>>>);

impl Began {
    fn tool(&self, name: &'static str, effects: Effects) -> DynamicTool {
        let began = self.clone();
        let tool = DynamicTool::builder(name, "Counts its calls.");
        let tool = tool.policy(ToolPolicy::default().with_effects(effects));
        let tool = tool.build(move |call: ToolCall, _| {
            let mut calls = began.0.lock().expect("nothing panics");
            *calls.entry(call.id).or_default() += 1;
            async { Ok::<_, ToolError>("done") }
        });
        tool.expect("is sound")
    }

    fn count(&self, call: &str) -> usize {
        let calls = self.0.lock().expect("nothing panics");
        calls.get(call).copied().unwrap_or_default()
    }

    fn runner(&self, store: FileStore) -> Runner {
        let tools = Toolset::new()
            .with(self.tool("pay", Effects::Write))
            .and_then(|tools| tools.with(self.tool("look", Effects::ReadOnly)));
        let runner = Runner::builder(Script)
            .tools(tools.expect("the names differ"))
            .store("driven", store)
            // Whoever comes next may take the run at once.
            .lease_time(Duration::ZERO);
        runner.build().expect("is sound")
    }
}

/// Drives a run as far as its store allows, and gives what was read of its records.
async fn drive(mut handle: crate::RunHandle) -> (Vec<(u64, Record)>, Option<StoreError>) {
    let mut read = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { sequence, record } = event {
            read.push((sequence, record));
        }
    }
    match handle.outcome().await {
        Ok(outcome) => {
            assert_eq!(outcome.finish, Finish::Answered);
            (read, None)
        }
        Err(error) => match error.failure {
            Failure::Store(error) => (read, Some(error)),
            other => panic!("{other}"),
        },
    }
}

/// Goes on with a run; nothing is read of one that is over.
async fn resume(
    runner: &Runner,
    run: &RunId,
) -> Result<(Vec<(u64, Record)>, Option<StoreError>), ResumeError> {
    match runner.resume(run).await {
        Ok(handle) => Ok(drive(handle).await),
        Err(ResumeError::IsOver) => Ok((Vec::new(), None)),
        Err(error) => Err(error),
    }
}

/// The only run of a store; `None` if there is none.
async fn only_run(store: &FileStore) -> Option<RunId> {
    let runs = store.list(&RunFilter::default()).await.expect("it is read");
    assert!(runs.items.len() <= 1);
    runs.items.first().map(|run| run.info.run_id.clone())
}

async fn log(store: &FileStore, run: &RunId) -> Vec<Record> {
    let entries = store.load(run, 0).await.expect("it is there").entries;
    let entries = (0..).zip(&entries);
    let records = entries.map(|(place, text)| Entry::from_text(text, run, place));
    records
        .map(|entry| entry.expect("is whole").record)
        .collect()
}

/// Checks that a run is answered and that no call that writes ran twice.
async fn check_end(store: &FileStore, run: &RunId, began: &Began, what: &str) {
    let (run, missing) = Run::replay(&log(store, run).await).expect("is the log of a run");
    assert!(missing.is_empty(), "{what}: {missing:?}");
    let outcome = run.outcome().expect("it is over");
    assert_eq!(
        (&outcome.finish, &*outcome.text),
        (&Finish::Answered, "done"),
        "{what}"
    );
    assert_eq!(outcome.tool_rounds().count(), ROUNDS, "{what}");
    for (round, calls) in outcome.tool_rounds().enumerate() {
        let [pay, look] = &calls.results[..] else {
            panic!("{what}: {:?}", calls.results);
        };
        let paid = began.count(&format!("pay {round}"));
        if pay.is_error() {
            assert!(paid <= 1, "{what}: paid {paid} times");
            let text = pay.to_model_text();
            assert!(text.contains("may have taken effect"), "{what}: {text}");
        } else {
            assert_eq!(paid, 1, "{what}");
        }
        assert!(
            !look.is_error() && began.count(&format!("look {round}")) >= 1,
            "{what}"
        );
    }
}
