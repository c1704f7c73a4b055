//! What runs allocate grows with what is there, and no faster: calls of a response, open runs, readers, tools.

use std::future::Future;

use allocation_counter::measure;
use futures_util::{FutureExt, future::join_all};
use toolwright::{
    ChatModel, Dispatch, Message,
    model::{ModelRequest, ModelStream},
    run::Limits,
    store::RunFilter,
};

use super::*;

/// The bytes that the work of one more thing allocates, early and late: of what is linear both are the same.
fn assert_linear<F: Future<Output = ()>>(what: &str, sizes: [usize; 4], work: impl Fn(usize) -> F) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().expect("starts");
    let bytes = |size| {
        // What is made once is made by then.
        runtime.block_on(work(1));
        measure(|| runtime.block_on(work(size))).bytes_total
    };
    let [few, some, many, most] = sizes;
    let one = |from: usize, to: usize| (bytes(to) - bytes(from)) / (to - from) as u64;
    let (early, late) = (one(few, some), one(many, most));
    eprintln!("bytes of one of the {what}: {early}, then {late}");
    assert!(
        late <= early + early / 10 + 64,
        "{what}: {early} bytes each, then {late}"
    );
}

#[test]
fn calls_of_a_response_are_linear() {
    assert_linear("calls", [256, 512, 2_048, 4_096], |size| async move {
        let (tools, ran) = tools();
        let model = model([calls(&vec!["look"; size])]);
        let runner = builder(&model, &tools, MemoryStore::new());
        let runner = runner
            .limits(
                Limits::default()
                    .with_max_calls_per_response(u32::try_from(size).expect("is small")),
            )
            .build();
        let outcome = runner.expect("it is right").run("Look.").await;
        outcome.expect("it answers");
        assert_eq!(ran.counts(), (0, size));
    });
}

/// A model that looks, and then answers, in whichever run.
struct LooksOnce;

impl ChatModel for LooksOnce {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let response = match request.messages.last() {
            Some(Message::User(_)) => calls(&["look"]),
            _ => ModelResponse::from_text("answer"),
        };
        let events = response.into_events().into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events))
    }
}

#[test]
fn open_runs_are_linear() {
    assert_linear("open runs", [16, 32, 256, 512], |size| async move {
        let (tools, ran) = tools();
        let runner = Runner::builder(LooksOnce).tools(tools);
        let runner = runner.store("tests", MemoryStore::new()).build();
        let runner = runner.expect("it is right");
        let outcomes = join_all((0..size).map(|_| runner.run("Look."))).await;
        assert!(outcomes.iter().all(Result::is_ok));
        assert_eq!(ran.counts(), (0, size));
    });
}

/// The server looks for the runs of a chat at each request.
#[test]
fn chats_in_one_store_are_linear() {
    assert_linear("chats", [32, 64, 256, 512], |size| async move {
        let (tools, _) = tools();
        let store = MemoryStore::new();
        let runner = Runner::builder(LooksOnce).tools(tools);
        let runner = runner.store("tests", store.clone()).build();
        let runner = runner.expect("it is right");
        for chat in 0..size {
            let asked = runner.request("Look.").label("chat", chat.to_string());
            asked.run().await.expect("it answers");
            let mut filter = RunFilter::default();
            filter.labels.insert("chat".to_owned(), chat.to_string());
            let page = store.list(Scope::All, &filter).await;
            assert_eq!(page.expect("it is listed").items.len(), 1);
        }
    });
}

#[test]
fn readers_of_a_run_are_linear() {
    assert_linear("readers", [8, 16, 128, 256], |size| async move {
        let (tools, _) = tools();
        let model = model([calls(&["look"; 8])]);
        let runner = builder(&model, &tools, MemoryStore::new()).build();
        let runner = runner.expect("it is right");
        let mut run = runner.start("Look.");
        run.next().await.expect("it begins");
        let id = run.id().clone();
        let readers = (0..size).map(|_| async {
            let mut reader = runner.attach(&id, None).await.expect("it is there");
            let mut events = 0;
            while reader.next().await.is_some() {
                events += 1;
            }
            assert!(events > 8, "{events} events");
        });
        let (outcome, _) = tokio::join!(run.outcome(), join_all(readers));
        outcome.expect("it answers");
    });
}

#[test]
fn tools_of_a_runner_are_linear() {
    assert_linear("tools", [64, 128, 1_024, 2_048], |size| async move {
        let tools = (0..size).map(|number| {
            let tool = DynamicTool::builder(format!("tool_{number:04}"), "Does nothing at all.");
            let tool = tool.build(async |_: ToolCall, _| Ok::<_, ToolError>("done"));
            tool.expect("is sound")
        });
        let set = tools.fold(Toolset::new(), |set, tool| {
            set.with(tool).expect("the names differ")
        });
        let model = model([calls(&["tool_0000"])]);
        let runner = builder(&model, &set, MemoryStore::new()).build();
        let outcome = runner.expect("it is right").run("Call it.").await;
        outcome.expect("it answers");
    });
}

/// Calls of a batch that wait for their turn take no room but a place.
#[test]
fn calls_that_have_not_started_take_little() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().expect("starts");
    let wait = DynamicTool::builder("wait", "Waits for ever.");
    let wait = wait.build(async |_: ToolCall, _| {
        std::future::pending::<()>().await;
        Ok::<_, ToolError>("")
    });
    let tools = Toolset::new().with(wait.expect("is sound"));
    let tools = tools.expect("one name");
    let peak = |size: usize| {
        let call = |_| ToolCall::new("", "wait", "{}");
        let calls: Vec<_> = (0..size).map(call).collect();
        let begun = || async {
            let batch = tools.dispatch(&calls);
            assert!(batch.now_or_never().is_none());
        };
        measure(|| runtime.block_on(begun())).bytes_max
    };
    let one = (peak(20_000) - peak(10_000)) / 10_000;
    eprintln!("bytes of a call that waits: {one}");
    assert!(one <= 8, "{one}");
}
