//! What starts before its record is written.

use toolwright::{ToolContext, runner::RunEvent};

use super::*;
use crashing::Slow;

/// A tool that reads, and then lets the appends of the store through.
fn opening(store: &Slow) -> DynamicTool {
    let store = store.clone();
    let tool = DynamicTool::builder("look", "Reads something.")
        .policy(ToolPolicy::default().with_effects(Effects::ReadOnly));
    let tool = tool.build(move |_: ToolCall, cx: ToolContext| {
        let store = store.clone();
        async move {
            cx.progress().fraction(0.5, "half of it");
            // What starts beside it would have started by then.
            tokio::task::yield_now().await;
            store.open();
            Ok::<_, ToolError>("seen")
        }
    });
    tool.expect("is sound")
}

/// The store takes its first append when the read has run.
#[tokio::test(start_paused = true)]
async fn a_read_runs_while_its_start_is_written_and_a_write_does_not() {
    let (store, ran) = (Slow::default(), Ran::default());
    let writes = Arc::clone(&ran.write);
    let before = Arc::new(AtomicUsize::new(usize::MAX));
    let seen = Arc::clone(&before);
    let gate = store.clone();
    let look = DynamicTool::builder("look", "Reads something.")
        .policy(ToolPolicy::default().with_effects(Effects::ReadOnly));
    let look = look.build(move |_: ToolCall, _| {
        let (gate, writes, seen) = (gate.clone(), Arc::clone(&writes), Arc::clone(&seen));
        async move {
            // What may start beside it has its turn.
            tokio::time::sleep(Duration::from_millis(10)).await;
            seen.store(writes.load(Ordering::SeqCst), Ordering::SeqCst);
            gate.open();
            Ok::<_, ToolError>("seen")
        }
    });
    let tools = Toolset::new()
        .with(counted("pay", Effects::Write, &ran.write))
        .and_then(|tools| tools.with(look.expect("is sound")))
        .expect("the names differ");
    let runner = builder(&model([calls(&["pay", "look", "pay"])]), &tools, store);
    let outcome = runner.build().unwrap().run("buy").await.unwrap();
    assert_eq!(before.load(Ordering::SeqCst), 0, "nothing was written");
    assert_eq!(ran.counts().0, 2);
    let round = outcome.tool_rounds().next().unwrap();
    let texts: Vec<_> = round.results.iter().map(|it| it.to_model_text()).collect();
    assert_eq!(texts, ["done", "seen", "done"]);
}

/// What a call says before its start is written is read after that.
#[tokio::test(start_paused = true)]
async fn what_a_call_says_early_is_not_lost() {
    let store = Slow::default();
    let tools = Toolset::new().with(opening(&store)).unwrap();
    let runner = builder(&model([calls(&["look"])]), &tools, store);
    let mut handle = runner.build().unwrap().start("look");
    let mut read = Vec::new();
    while let Some(event) = handle.next().await {
        match event {
            RunEvent::Recorded {
                record: Record::CallStarted { .. },
                ..
            } => read.push("started"),
            RunEvent::Update { .. } => read.push("said"),
            RunEvent::Recorded {
                record: Record::CallFinished { .. },
                ..
            } => read.push("finished"),
            _ => {}
        }
    }
    assert_eq!(read, ["started", "said", "finished"]);
}
