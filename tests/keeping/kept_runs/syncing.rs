//! How often something is written, and how often it is synced.

use toolwright::{
    run::Finish,
    runner::{Durability, RunEvent},
};

use super::*;
use crashing::Watched;

/// Runs these rounds, and gives the number of appends, and of those that are synced. The creation of the run is not
/// among them.
async fn counts(
    tools: &Toolset,
    rounds: impl IntoIterator<Item = ModelResponse>,
    durability: Durability,
) -> (usize, usize) {
    let store = Watched::default();
    let runner = builder(&model(rounds), tools, store.clone())
        .durability(durability)
        .no_progress(false)
        .max_rounds(20);
    let outcome = runner.build().expect("is sound").run("buy").await;
    assert_eq!(outcome.expect("it ends").finish, Finish::Answered);
    store.counts()
}

/// Tools whose calls end one after the other.
fn slow() -> Toolset {
    let ends = Arc::new(AtomicUsize::new(0));
    let tool = |name: &'static str, effects| {
        let ends = Arc::clone(&ends);
        let tool = DynamicTool::builder(name, "Takes a while.")
            .policy(ToolPolicy::default().with_effects(effects));
        let tool = tool.build(move |_: ToolCall, _| {
            let ends = ends.fetch_add(1, Ordering::SeqCst) as u64;
            async move {
                tokio::time::sleep(Duration::from_millis(10 * (1 + ends))).await;
                Ok::<_, ToolError>("done")
            }
        });
        tool.expect("is sound")
    };
    Toolset::new()
        .with(tool("pay", Effects::Write))
        .and_then(|tools| tools.with(tool("look", Effects::ReadOnly)))
        .expect("the names differ")
}

const READS: [&str; 4] = ["look"; 4];
const WRITES: [&str; 4] = ["pay"; 4];
const BOTH: [&str; 4] = ["look", "pay", "look", "pay"];

/// The start of a round, its end with all results, and at last the answer with the end of the run. Reads need no sync to
/// start.
#[tokio::test]
async fn records_that_follow_each_other_are_written_at_once() {
    let (tools, _) = tools();
    for (names, rounds, expected) in [
        (READS, 1, (3, 2)),
        (WRITES, 1, (3, 3)),
        (BOTH, 1, (3, 3)),
        (READS, 10, (21, 11)),
        (WRITES, 10, (21, 21)),
        (BOTH, 10, (21, 21)),
    ] {
        let script = (0..rounds).map(|_| calls(&names));
        let counted = counts(&tools, script, Durability::Synced).await;
        assert_eq!(counted, expected, "{rounds} rounds of {names:?}");
    }
}

/// A result that comes alone is written at once, and only the last of a round is synced.
#[tokio::test(start_paused = true)]
async fn a_round_is_synced_twice_at_most_however_its_calls_end() {
    for (names, rounds, expected) in [
        (READS, 1, (6, 2)),
        (WRITES, 1, (6, 3)),
        (BOTH, 1, (6, 3)),
        (BOTH, 10, (51, 21)),
    ] {
        let script = (0..rounds).map(|_| calls(&names));
        let counted = counts(&slow(), script, Durability::Synced).await;
        assert_eq!(counted, expected, "{rounds} rounds of {names:?}");
    }
}

#[tokio::test]
async fn a_run_that_is_only_written_asks_for_no_sync() {
    let (tools, _) = tools();
    let script = (0..3).map(|_| calls(&BOTH));
    assert_eq!(counts(&tools, script, Durability::Written).await, (7, 0));

    // Also where it is suspended and given up.
    let asks = DynamicTool::builder("ask", "Asks before it runs.")
        .policy(ToolPolicy::default().with_approval())
        .build(async |_: ToolCall, _| Ok::<_, ToolError>("done"));
    let tools = Toolset::new().with(asks.expect("is sound"));
    let tools = tools.expect("is sound");
    let store = Watched::default();
    let runner = builder(&model([calls(&["ask"])]), &tools, store.clone())
        .suspends()
        .durability(Durability::Written)
        .build()
        .expect("is sound");
    let outcome = runner.run("ask").await.expect("it waits");
    assert_eq!(outcome.finish, Finish::Suspended);
    runner.abandon(&outcome.run_id).await.expect("is sound");
    assert_eq!(store.counts().1, 0);
}

/// What the application is to do is not told before it is as safe as what a tool is to do.
#[tokio::test]
async fn a_call_for_the_application_is_synced_before_it_is_told() {
    for (effects, synced) in [(Effects::Write, 1), (Effects::ReadOnly, 0)] {
        let tool = DynamicTool::builder("ask", "Asks the application.")
            .policy(ToolPolicy::default().with_effects(effects))
            .build_external();
        let tools = Toolset::new().with(tool.expect("is sound"));
        let store = Watched::default();
        let model = model([calls(&["ask"])]);
        let runner = builder(&model, &tools.expect("is sound"), store.clone())
            .suspend_after(Duration::from_secs(3600));
        let mut handle = runner.build().expect("is sound").start("ask");
        loop {
            if let RunEvent::Recorded { record, .. } = handle.next().await.expect("it waits")
                && matches!(record, Record::CallDelayed { .. })
            {
                break;
            }
        }
        assert_eq!(store.counts().1, synced, "{effects:?}");
    }
}
