//! Going on with a run of a store, beside what nobody can do without: to load it, and to parse each line of its log.
//!
//! `cargo bench -p toolwright-benches --bench resuming`. A run has rounds of four calls. Its process is gone, and it is
//! leased, loaded, replayed and checked. Nothing more of it is done.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;

use std::{env, fs, process, time::Duration};

use harness::c;
use serde_json::Value;
use tokio::runtime::Runtime;
use toolwright::{
    ModelResponse, Runner, ToolCall, Toolset,
    run::Limits,
    runner::RunEvent,
    store::{ConversationId, MemoryStore, NewRun, Scope, SqliteStore, Store},
    testing::ScriptedModel,
    tool, toolset,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// Records of a run: those of eleven rounds, and of eleven hundred.
const RECORDS: [usize; 2] = [100, 10_000];
const CALLS: usize = 4;

/// Get the weather of a city today.
#[tool(read_only)]
async fn get_weather(city: String) -> String {
    format!("{city}: 11 degrees, a light rain from the west, and no change until the evening")
}

fn main() {
    let rounds = harness::arg("rounds", 15);
    let runtime = harness::multi(1);
    let folder = env::temp_dir().join(format!("toolwright-resuming-{}", process::id()));
    fs::create_dir_all(&folder).expect("temporary files can be made");
    for records in RECORDS {
        let run = runtime.block_on(left_after(records));
        let bytes: usize = run.entries.iter().map(String::len).sum();
        println!("\n{} records are {bytes} bytes", run.entries.len());
        resume(&runtime, &run, MemoryStore::new(), "memory", rounds);
        let sqlite = SqliteStore::open(folder.join(format!("{records}.db")));
        let sqlite = runtime.block_on(sqlite).expect("the file is new");
        resume(&runtime, &run, sqlite, "SQLite", rounds);
    }
    runtime.block_on(talk());
    let _ = fs::remove_dir_all(&folder);
}

/// Counts the bytes of a conversation, each turn of which asks for the weather four times.
async fn talk() {
    const TURNS: usize = 100;
    let store = MemoryStore::new();
    let replies = (0..TURNS).flat_map(|turn| [reply(turn), ModelResponse::from_text("It rains.")]);
    let runner = runner(replies.collect(), store.clone());
    let mut run = 0;
    for _ in 0..TURNS {
        let request = runner.request("How is the weather?");
        let outcome = request.within(ConversationId::new("chat")).run().await;
        let outcome = outcome.expect("it answers");
        let log = store
            .load(Scope::All, &outcome.run_id, 0)
            .await
            .expect("it is there");
        run = log.entries.iter().map(String::len).sum();
    }
    let versions = store
        .conversation(Scope::All, &"chat".into(), 0, None)
        .await;
    let versions = versions.expect("it is there");
    let all: usize = versions.iter().map(|version| version.text.len()).sum();
    let last = versions.last().map_or(0, |version| version.text.len());
    println!(
        "\n{TURNS} turns of a conversation are {all} bytes, {last} of them the last turn; the log of the last run is {run}"
    );
}

fn resume(runtime: &Runtime, run: &NewRun, store: impl Store + Clone, name: &str, rounds: usize) {
    let created = runtime.block_on(store.create(run, Duration::ZERO));
    created.expect("the run is new");
    let (runner, run_id) = (runner(Vec::new(), store.clone()), &run.info.run_id);
    let contestants = [
        c("Store::load, and serde_json::Value of each entry", |n| {
            let store = &store;
            async move {
                for _ in 0..n {
                    let loaded = store
                        .load(Scope::All, run_id, 0)
                        .await
                        .expect("it is there");
                    for entry in &loaded.entries {
                        let value: Value = serde_json::from_str(entry).expect("is JSON");
                        std::hint::black_box(value);
                    }
                }
            }
        }),
        c("Store::load", |n| {
            let store = &store;
            async move {
                for _ in 0..n {
                    let loaded = store
                        .load(Scope::All, run_id, 0)
                        .await
                        .expect("it is there");
                    std::hint::black_box(loaded);
                }
            }
        }),
        c("Runner::resume", |n| {
            let runner = &runner;
            async move {
                for _ in 0..n {
                    let handle = runner.resume(run_id).start().await.expect("it goes on");
                    drop(std::hint::black_box(handle));
                }
            }
        }),
    ];
    let iterations = if run.entries.len() > 1_000 { 2 } else { 50 };
    let rows = harness::race(runtime, &contestants, rounds, iterations, 1);
    let title = format!("{} records in {name}", run.entries.len());
    harness::print("resuming", &title, &rows, 1.0);
}

fn runner(replies: Vec<ModelResponse>, store: impl Store) -> Runner {
    let mut limits = Limits::default();
    limits.max_rounds = u32::MAX;
    limits.no_progress = false;
    Runner::builder(ScriptedModel::new(replies))
        .tools(tools())
        .limits(limits)
        .store("bench", store)
        .lease_time(Duration::ZERO)
        .build()
        .expect("it is sound")
}

fn tools() -> Toolset {
    toolset![get_weather]
}

/// A run with so many records whose process is gone.
async fn left_after(records: usize) -> NewRun {
    let store = MemoryStore::new();
    let replies = (0..records / (1 + 2 * CALLS) + 1).map(reply).collect();
    let mut handle = runner(replies, store.clone()).start("How is the weather everywhere?");
    while let Some(event) = handle.next().await {
        if matches!(event, RunEvent::Recorded { sequence, .. } if sequence + 1 >= records as u64) {
            break;
        }
    }
    let loaded = store
        .load(Scope::All, handle.id(), 0)
        .await
        .expect("it is there");
    let mut entries = loaded.entries;
    entries.truncate(records);
    NewRun::new(loaded.info, entries)
}

fn reply(round: usize) -> ModelResponse {
    let call = |index: usize| {
        let arguments = format!("{{\"city\": \"town {round} {index}\"}}");
        ToolCall::new(format!("call_{round}_{index}"), "get_weather", arguments)
    };
    ModelResponse::from_calls((0..CALLS).map(call))
}
