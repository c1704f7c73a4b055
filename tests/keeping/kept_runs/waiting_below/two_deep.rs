//! Runs two levels below: what is decided of their calls, and what they do between crashes.

use tokio::time::timeout;

use super::*;

/// So long it is waited for what comes at once.
const PATIENCE: Duration = Duration::from_secs(20);

/// The run between goes on with a call beside it, and is not suspended: what is decided does not wait for that.
#[tokio::test]
async fn a_decision_two_levels_deep_is_heard_while_the_run_between_goes_on() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let release = Arc::<Notify>::default();
    let tools = Toolset::new()
        .with(agent(&[&["pay"]], pay(&ran), "buy"))
        .and_then(|tools| tools.with(waits_for(&release)));
    let between = Runner::builder(Rounds(&[&["buy", "wait"]], "ordered"));
    let between = between.tools(tools.expect("the names differ")).suspends();
    let between = between.build().expect("is sound");
    let clerk = between
        .as_tool("order", "Does what it is asked for.")
        .expect("is a tool");
    let runner = Runner::builder(Rounds(&[&["order"]], "done"))
        .tools(Toolset::new().with(clerk).expect("one name"))
        .store("tests", store.clone())
        .build()
        .expect("is sound");
    let mut handle = runner.start("buy");
    let top = handle.id().clone();
    let below = loop {
        let event = handle.next().await.expect("it is not over");
        if let RunEvent::Nested { event, .. } = event
            && let RunEvent::Recorded { record, .. } = *event
            && let Record::CallDelayed { why, .. } = record
            && let Delay::Below { calls, .. } = why
        {
            break calls[0].path[0].run_id.clone();
        }
    };
    let [waits] = &pending(&store, &below).await[..] else {
        panic!("one call waits")
    };
    say(&store, &top, waits.approve()).await;
    let paid = async {
        while ran.counts().0 == 0 {
            handle.next().await.expect("the call beside it is not over");
        }
    };
    let paid = timeout(PATIENCE, paid).await;
    paid.expect("it runs while the run between goes on");
    release.notify_one();
    let outcome = handle.outcome().await.expect("ends");
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Answered, 1));
    all_are_over(&store).await;
}

/// Each process gets one call further below, and the run at the top no further: it is not one that makes no progress.
#[tokio::test]
async fn a_run_whose_agent_gets_further_is_not_parked() {
    const LOOKS: &[&[&str]] = &[
        &["look"],
        &["look"],
        &["look"],
        &["look"],
        &["look"],
        &["look"],
        &["look"],
        &["look"],
    ];
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let process = || {
        let policy = ToolPolicy::default().with_effects(Effects::ReadOnly);
        let look = counted("look", Effects::ReadOnly, &ran.read);
        let look = look.with_policy(policy.with_polls());
        let tools = Toolset::new().with(agent(LOOKS, look, "buy"));
        Runner::builder(Rounds(&[&["buy"]], "done"))
            .tools(tools.expect("one name"))
            .store("tests", store.clone())
            .lease_time(OVER)
            .build()
            .expect("is sound")
    };
    let mut handle = process().start("buy");
    let top = handle.id().clone();
    for _ in 1..LOOKS.len() {
        loop {
            let event = handle.next().await.expect("it is not over");
            if let RunEvent::Nested { event, .. } = event
                && let RunEvent::Recorded { record, .. } = *event
                && matches!(record, Record::CallFinished { .. })
            {
                break;
            }
        }
        drop(handle);
        let resumed = process().resume(&top).start().await;
        handle = resumed.expect("it is not parked");
    }
    let outcome = handle.outcome().await.expect("ends");
    assert_eq!((outcome.finish, &*outcome.text), (Finish::Answered, "done"));
    assert!(ran.counts().1 >= LOOKS.len());
    all_are_over(&store).await;
}
