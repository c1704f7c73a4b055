//! How the cost of a step grows with what is there already: turns of a stored conversation, open runs, calls of a reply,
//! rounds, tools, readers of a run.
//!
//! `cargo bench -p toolwright-benches --bench growth`; `-- only=turns` is one of the parts. Each cost is the least of some
//! tries. The slope is that of the cost over the size, both as logarithms: 1 is linear where the cost is that of all, and 0
//! where it is that of one step.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;

use std::{
    env, fs,
    future::Future,
    process,
    time::{Duration, Instant},
};

use tokio::runtime::Runtime;
use toolwright::{
    ChatModel, Conversation, ModelResponse, Runner, ToolCall, ToolError, Toolset,
    dynamic::DynamicTool,
    model::{ModelEvent, ModelRequest, ModelStream},
    run::Limits,
    store::{ConversationId, ConversationVersion, MemoryStore, Scope, SqliteStore, Store},
    testing::ScriptedModel,
    tool, toolset,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// Says nothing much.
#[tool(read_only)]
async fn look_up(number: u32) -> String {
    format!("number {number}")
}

fn main() {
    let runtime = harness::multi(1);
    let tries = harness::arg("rounds", 5);
    let only = env::args().find_map(|arg| arg.strip_prefix("only=").map(str::to_owned));
    let is_on = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let folder = env::temp_dir().join(format!("toolwright-growth-{}", process::id()));
    fs::create_dir_all(&folder).expect("temporary files can be made");
    if is_on("turns") {
        let sizes = [1, 10, 100, 1_000];
        for is_known in [true, false] {
            let who = if is_known {
                "a runner that has the last one"
            } else {
                "a new runner"
            };
            table(
                &format!("one turn after so many, memory, {who}"),
                &sizes,
                |size| runtime.block_on(turn(MemoryStore::new(), size, is_known, tries)),
            );
            table(
                &format!("one turn after so many, SQLite, {who}"),
                &sizes,
                |size| {
                    let path = folder.join(format!("{size}-{is_known}.db"));
                    let store = runtime.block_on(SqliteStore::open(path));
                    runtime.block_on(turn(store.expect("the file is new"), size, is_known, tries))
                },
            );
        }
    }
    if is_on("runs") {
        table(
            "open runs of 100 pieces over one store",
            &[16, 128, 1_024, 8_192],
            |size| least(&runtime, tries.min(2), || open_runs(size, true)),
        );
        table(
            "open runs of 100 pieces without a store",
            &[16, 128, 1_024, 8_192],
            |size| least(&runtime, tries.min(2), || open_runs(size, false)),
        );
    }
    if is_on("calls") {
        table(
            "calls of one reply, with a store",
            &[10, 100, 1_000, 10_000],
            |size| least(&runtime, tries.min(2), || calls(size, true)),
        );
        table(
            "calls of one reply, without a store",
            &[10, 100, 1_000, 10_000],
            |size| least(&runtime, tries.min(2), || calls(size, false)),
        );
    }
    if is_on("rounds") {
        table(
            "rounds of one run, with a store",
            &[10, 100, 1_000],
            |size| least(&runtime, tries, || rounds(size)),
        );
    }
    if is_on("tools") {
        table(
            "tools of a runner, one run",
            &[10, 100, 1_000, 10_000],
            |size| {
                let runner = with_tools(size);
                least(&runtime, tries, || async {
                    runner.run("Hello.").await.expect("it answers");
                })
            },
        );
    }
    if is_on("readers") {
        table(
            "readers of one run of 1,000 pieces",
            &[1, 10, 100, 1_000],
            |size| least(&runtime, tries.min(2), || readers(size)),
        );
    }
    let _ = fs::remove_dir_all(&folder);
}

/// Prints the cost at each size, and the slope from one to the next.
fn table(title: &str, sizes: &[usize], mut cost: impl FnMut(usize) -> Duration) {
    // One round shows that it works.
    let most = if harness::arg("rounds", 5) == 1 {
        2
    } else {
        sizes.len()
    };
    let sizes = &sizes[..most];
    println!(
        "\n## growth: {title}\n\n| size | cost, us | of the first | slope |\n| --- | --- | --- | --- |"
    );
    let mut before: Option<(usize, f64)> = None;
    let mut first = f64::NAN;
    for &size in sizes {
        let cost = cost(size).as_secs_f64() * 1e6;
        let slope =
            before.map(|(than, less)| (cost / less).ln() / (size as f64 / than as f64).ln());
        if before.is_none() {
            first = cost;
        }
        let slope = slope.map_or_else(String::new, |slope| format!("{slope:.2}"));
        println!("| {size} | {cost:.0} | {:.2} | {slope} |", cost / first);
        before = Some((size, cost));
    }
}

fn least<F: Future<Output = ()>>(
    runtime: &Runtime,
    tries: usize,
    mut work: impl FnMut() -> F,
) -> Duration {
    let once = |_| {
        let began = Instant::now();
        runtime.block_on(work());
        began.elapsed()
    };
    (0..tries.max(1)).map(once).min().expect("it was tried")
}

/// The time of a turn of a conversation that has so many, the first of them its own.
async fn turn(store: impl Store + Clone, size: usize, is_known: bool, tries: usize) -> Duration {
    let (mut conversation, id) = (Conversation::new(), ConversationId::new("chat"));
    for number in 1..size {
        let before = conversation.clone();
        conversation.push_user(format!(
            "Question {number}: how is the weather in Oslo today?"
        ));
        conversation.push_response(ModelResponse::from_text("A light rain, as yesterday."));
        let version = ConversationVersion::following(&before, number as u64, &conversation);
        let version = version.expect("it is written");
        let saved = store.save_conversation(Scope::All, &id, &version).await;
        saved.expect("it is saved");
    }
    let runner = || {
        let answers = (0..tries + 2).map(|_| ModelResponse::from_text("A light rain."));
        let builder = Runner::builder(ScriptedModel::new(answers)).store("bench", store.clone());
        builder.build().expect("it is right")
    };
    let ask = async |runner: &Runner, question| {
        let request = runner.request(question).within(id.clone());
        request.run().await.expect("it answers");
    };
    let mut ours = runner();
    if is_known {
        ask(&ours, "Hello.").await;
    }
    let mut least = Duration::MAX;
    for _ in 0..tries.max(1) {
        if !is_known {
            ours = runner();
        }
        let began = Instant::now();
        ask(&ours, "And tomorrow?").await;
        least = least.min(began.elapsed());
    }
    least
}

/// A model whose reply comes in 100 pieces, with others' turns between.
#[derive(Debug)]
struct Slow;

impl ChatModel for Slow {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let events = ModelResponse::from_text("x".repeat(100)).into_events();
        let pieces = events.into_iter().flat_map(|event| match event {
            ModelEvent::Text(text) => text
                .chars()
                .map(|char| ModelEvent::Text(char.to_string()))
                .collect(),
            event => vec![event],
        });
        let pieces: Vec<_> = pieces.collect();
        Box::pin(futures::stream::unfold(
            pieces.into_iter(),
            |mut pieces| async move {
                tokio::task::yield_now().await;
                pieces.next().map(|piece| (Ok(piece), pieces))
            },
        ))
    }
}

async fn open_runs(size: usize, is_kept: bool) {
    let mut builder = Runner::builder(Slow);
    if is_kept {
        builder = builder.store("bench", MemoryStore::new());
    }
    let runner = builder.build().expect("it is right");
    let runs = (0..size).map(|_| async {
        let mut run = runner.start("Hello.");
        while run.next().await.is_some() {}
        run.outcome().await.expect("it answers");
    });
    futures::future::join_all(runs).await;
}

async fn calls(size: usize, is_kept: bool) {
    let call = |number| ToolCall::new("", "look_up", format!(r#"{{"number":{number}}}"#));
    let replies = [
        ModelResponse::from_calls((0..size).map(call)),
        ModelResponse::from_text("That is all."),
    ];
    let limits = Limits::default().with_max_calls_per_response(u32::MAX);
    let mut builder = Runner::builder(ScriptedModel::new(replies))
        .tools(toolset![look_up])
        .limits(limits);
    if is_kept {
        builder = builder.store("bench", MemoryStore::new());
    }
    let outcome = builder
        .build()
        .expect("it is right")
        .run("Look them up.")
        .await;
    assert_eq!(outcome.expect("it answers").tool_calls as usize, size);
}

async fn rounds(size: usize) {
    let reply = |number| {
        let call = ToolCall::new("", "look_up", format!(r#"{{"number":{number}}}"#));
        ModelResponse::from_calls([call])
    };
    let replies = (0..size).map(reply);
    let replies = replies.chain([ModelResponse::from_text("That is all.")]);
    let limits = Limits::default().with_max_rounds(u32::MAX);
    let builder = Runner::builder(ScriptedModel::new(replies))
        .tools(toolset![look_up])
        .limits(limits)
        .store("bench", MemoryStore::new());
    let outcome = builder
        .build()
        .expect("it is right")
        .run("Look them up.")
        .await;
    assert_eq!(outcome.expect("it answers").rounds as usize, size);
}

fn with_tools(size: usize) -> Runner {
    let mut tools = Toolset::new();
    for number in 0..size {
        let tool = DynamicTool::builder(format!("tool_{number}"), "Does what its number says.")
            .build(async |_: ToolCall, _cx| Ok::<_, ToolError>("done"));
        tools = tools
            .with(tool.expect("it is right"))
            .expect("its name is new");
    }
    let answers = (0..100).map(|_| ModelResponse::from_text("Hello."));
    let builder = Runner::builder(ScriptedModel::new(answers)).tools(tools);
    builder.build().expect("it is right")
}

async fn readers(size: usize) {
    let pieces = "y".repeat(1_000);
    let store = MemoryStore::new();
    let builder = Runner::builder(ScriptedModel::new([ModelResponse::from_text(pieces)]));
    let runner = builder.store("bench", store).build().expect("it is right");
    let mut run = runner.start("Hello.");
    run.next().await.expect("it begins");
    let readers: Vec<_> = (0..size)
        .map(|_| {
            let (runner, id) = (runner.clone(), run.id().clone());
            tokio::spawn(async move {
                let mut reader = runner.attach(&id, None).await.expect("it is there");
                while reader.next().await.is_some() {}
            })
        })
        .collect();
    while run.next().await.is_some() {}
    for reader in readers {
        reader.await.expect("it reads");
    }
}
