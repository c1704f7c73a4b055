//! Runs that are kept in a store: what is written when, and how they go on.

mod agents;
mod allowed_tools;
mod asked_anew;
mod asking;
mod asking_beside;
mod begun;
mod clocks;
mod conversations;
mod crashing;
mod damaged;
mod deciding;
mod delegated;
mod driving;
mod ending;
mod growing;
mod handed_over;
mod killed;
mod linear;
mod many_runs;
mod owner_in_tools;
mod owners;
mod processes;
mod queueing;
mod reading_along;
mod recovering;
mod refusing;
mod restarted;
mod sent_at_once;
mod silent;
mod starting_early;
mod syncing;
mod taking_over;
mod two_drivers;
mod waiting_below;
mod waiting_on;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use toolwright::{
    ModelResponse, Runner, ToolCall, ToolError, Toolset,
    dynamic::DynamicTool,
    run::{Record, RunId},
    runner::RunnerBuilder,
    store::{Entry, MemoryStore, Scope, Store},
    testing::ScriptedModel,
    tool::{Effects, ToolPolicy},
};

/// A lease that is over at once: whoever comes next may take the run.
const OVER: Duration = Duration::ZERO;

/// How often each tool ran.
#[derive(Clone, Default)]
struct Ran {
    write: Arc<AtomicUsize>,
    read: Arc<AtomicUsize>,
}

impl Ran {
    fn counts(&self) -> (usize, usize) {
        let count = |ran: &Arc<AtomicUsize>| ran.load(Ordering::SeqCst);
        (count(&self.write), count(&self.read))
    }
}

fn counted(name: &'static str, effects: Effects, ran: &Arc<AtomicUsize>) -> DynamicTool {
    let ran = Arc::clone(ran);
    let tool = DynamicTool::builder(name, "Does something that is counted.")
        .policy(ToolPolicy::default().with_effects(effects));
    let tool = tool.build(move |_: ToolCall, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        async { Ok::<_, ToolError>("done") }
    });
    tool.expect("is sound")
}

/// A tool that writes, and one that reads.
fn tools() -> (Toolset, Ran) {
    let ran = Ran::default();
    let tools = Toolset::new()
        .with(counted("pay", Effects::Write, &ran.write))
        .and_then(|tools| tools.with(counted("look", Effects::ReadOnly, &ran.read)));
    (tools.expect("the names differ"), ran)
}

fn calls(names: &[&str]) -> ModelResponse {
    let calls = names.iter().enumerate();
    ModelResponse::from_calls(calls.map(|(id, name)| ToolCall::new(id.to_string(), *name, "{}")))
}

/// A model that says this, and then answers.
fn model(rounds: impl IntoIterator<Item = ModelResponse>) -> ScriptedModel {
    let answer = ModelResponse::from_text("answer");
    ScriptedModel::new(rounds.into_iter().chain([answer]))
}

fn builder(model: &ScriptedModel, tools: &Toolset, store: impl Store) -> RunnerBuilder {
    Runner::builder(model.clone())
        .tools(tools.clone())
        .store("tests", store)
}

/// The records of a run as they are stored.
async fn log(store: &impl Store, run: &RunId) -> Vec<Record> {
    let loaded = store.load(Scope::All, run, 0).await.expect("it is there");
    let entries = (0..).zip(loaded.entries);
    entries
        .map(|(place, text)| {
            Entry::from_text(&text, run, place)
                .expect("is an entry")
                .record
        })
        .collect()
}

/// Gives the first lease of a run back, as if its time were over.
async fn release(store: &MemoryStore, run: &RunId) {
    let until = std::time::SystemTime::UNIX_EPOCH;
    let lease = toolwright::store::Lease::new(run.clone(), 1, until);
    store.release(&lease).await.expect("it is the newest");
}
