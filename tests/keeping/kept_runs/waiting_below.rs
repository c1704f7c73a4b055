//! Runs that are suspended since the run of a sub-agent below waits for people.

mod dying;
mod newer;
mod two_deep;

use futures_util::stream;
use tokio::sync::Notify;
use toolwright::{
    ChatModel,
    approval::Decision,
    model::{ModelRequest, ModelStream, Usage},
    run::{Delay, Finish, PendingCall, Resolution, RunOutcome, WaitsFor},
    runner::{Printer, RunEvent, RunHandle},
    store::{InboxContent, InboxItem, RunFilter, RunStatus, Scope},
};

use super::{
    crashing::{Asked, Silent},
    *,
};

/// The tokens of a response.
const TOKENS: u64 = 10;

/// A model that calls these tools, a round each, and then says something: a new process goes on with it.
struct Rounds(&'static [&'static [&'static str]], &'static str);

impl ChatModel for Rounds {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let rounds = request.messages.iter().filter_map(|message| match message {
            toolwright::Message::Assistant(message) => Some(message.tool_rounds.iter().count()),
            toolwright::Message::User(_) => None,
        });
        let mut response = match self.0.get(rounds.sum::<usize>()) {
            Some(names) => ModelResponse::from_calls(names.iter().map(|name| {
                let arguments = match *name {
                    "pay" | "look" | "wait" => "{}",
                    _ => r#"{"task": "Go on."}"#,
                };
                ToolCall::new(*name, *name, arguments)
            })),
            None => ModelResponse::from_text(self.1),
        };
        response.usage = Some(Usage::new(0, TOKENS));
        Box::pin(stream::iter(response.into_events().into_iter().map(Ok)))
    }
}

fn agent(
    rounds: &'static [&'static [&'static str]],
    tool: impl toolwright::Tool,
    name: &'static str,
) -> toolwright::runner::SubAgent {
    let tools = Toolset::new().with(tool).expect("one name");
    let runner = Runner::builder(Rounds(rounds, name)).tools(tools);
    let runner = runner.suspends().build().expect("is sound");
    runner
        .as_tool(name, "Does what it is asked for.")
        .expect("is a tool")
}

/// A tool that needs an approval.
fn pay(ran: &Ran) -> DynamicTool {
    let policy = ToolPolicy::default().with_approval();
    counted("pay", Effects::Write, &ran.write).with_policy(policy)
}

/// A runner with an agent that has an agent that pays, which somebody has to approve.
fn deep(store: impl Store, ran: &Ran) -> Runner {
    let buyer = agent(&[&["pay"]], pay(ran), "buy");
    let clerk = agent(&[&["buy"]], buyer, "order");
    let tools = Toolset::new().with(clerk).expect("one name");
    Runner::builder(Rounds(&[&["order"]], "done"))
        .tools(tools)
        .store("tests", store)
        .lease_time(OVER)
        .build()
        .expect("is sound")
}

/// A runner whose agent pays in two runs at once, beside a tool that reads.
fn wide(store: impl Store, ran: &Ran) -> Runner {
    let tools = Toolset::new()
        .with(agent(&[&["pay"]], pay(ran), "buy"))
        .and_then(|tools| tools.with(counted("look", Effects::ReadOnly, &ran.read)));
    Runner::builder(Rounds(&[&["buy", "buy", "look"]], "done"))
        .tools(tools.expect("the names differ"))
        .store("tests", store)
        .lease_time(OVER)
        .build()
        .expect("is sound")
}

/// A tool that reads, and ends when it is released.
fn waits_for(release: &Arc<Notify>) -> DynamicTool {
    let release = Arc::clone(release);
    let policy = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let wait = DynamicTool::builder("wait", "Waits until it is released.").policy(policy);
    let wait = wait.build(move |_: ToolCall, _| {
        let release = Arc::clone(&release);
        async move {
            release.notified().await;
            Ok::<_, ToolError>("released")
        }
    });
    wait.expect("is sound")
}

/// Says something to the run at the top.
async fn say(store: &MemoryStore, top: &RunId, resolution: Resolution) {
    let item = InboxItem::new(InboxContent::Resolution(resolution));
    store
        .put(Scope::All, top, &item)
        .await
        .expect("it is there");
}

/// What a run waits for, by its store.
async fn pending(store: &MemoryStore, run: &RunId) -> Vec<PendingCall> {
    let loaded = store
        .load(Scope::All, run, u64::MAX)
        .await
        .expect("is there");
    assert_eq!(loaded.status, RunStatus::Suspended);
    loaded.pending
}

async fn resumed(runner: &Runner, run: &RunId) -> RunOutcome {
    let handle = runner.resume(run).start().await.expect("it goes on");
    handle.outcome().await.expect("does not fail")
}

async fn all_are_over(store: &MemoryStore) {
    let page = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("is listed");
    for run in page.items {
        assert!(
            run.status.is_over(),
            "{}: {:?}",
            run.info.run_id,
            run.status
        );
    }
}

#[tokio::test]
async fn a_decision_about_a_call_three_levels_deep_goes_through_the_inbox_of_the_top() {
    for decision in [Decision::Approve, Decision::deny("too much")] {
        let (store, ran) = (MemoryStore::new(), Ran::default());
        let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
        assert_eq!(outcome.finish, Finish::Suspended);
        assert!(outcome.suspended.is_none(), "its store has it");
        let top = outcome.run_id;
        let [waits] = &outcome.pending[..] else {
            panic!("{:?}", outcome.pending);
        };
        assert_eq!(pending(&store, &top).await, outcome.pending);
        assert_eq!(waits.place(), "0.0 > 0.0 > 0.0");
        let agents: Vec<_> = waits.path.iter().map(|call| &*call.agent).collect();
        assert_eq!(agents, ["order", "buy"]);
        assert_eq!(waits.path[1].run_id, waits.run_id);
        assert_eq!(
            (&*waits.call.name, waits.waits_for),
            ("pay", WaitsFor::Approval)
        );

        // In another process, where nobody has decided.
        let runner = deep(store.clone(), &ran);
        assert!(runner.recover().await.expect("is read").is_empty());
        let again = resumed(&runner, &top).await;
        assert_eq!(
            (again.finish, &again.pending),
            (Finish::Suspended, &outcome.pending)
        );
        assert_eq!(ran.counts().0, 0);

        // Twice, and then a third time: it counts once.
        let is_yes = decision == Decision::Approve;
        let decide = || match &decision {
            Decision::Approve => waits.approve(),
            _ => waits.deny("too much"),
        };
        say(&store, &top, decide()).await;
        say(&store, &top, decide()).await;
        let recovered = deep(store.clone(), &ran).recover().await.expect("is read");
        let [recovered] = <[_; 1]>::try_from(recovered).expect("the run at the top");
        assert_eq!(recovered.run_id, top);
        let outcome = recovered.handle.expect("it goes on").outcome().await;
        let outcome = outcome.expect("does not fail");
        assert_eq!((outcome.finish, &*outcome.text), (Finish::Answered, "done"));
        assert_eq!(ran.counts().0, usize::from(is_yes));
        // Two requests of each: no run below was begun anew.
        assert_eq!(outcome.model_calls, 6);
        all_are_over(&store).await;
    }
}

#[tokio::test]
async fn a_printer_names_the_calls_of_runs_below_that_go_on() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
    say(&store, &outcome.run_id, outcome.pending[0].approve()).await;
    let runner = deep(store.clone(), &ran);
    let handle = runner.resume(&outcome.run_id).start().await;
    let mut printed = Vec::new();
    let ended = Printer::new(&mut printed)
        .run(handle.expect("it goes on"))
        .await;
    ended.expect("ends");
    let printed = String::from_utf8(printed).expect("is text");
    assert!(
        printed.contains("order | buy | 0.0 pay is approved"),
        "{printed}"
    );
    assert!(!printed.contains("(a call)"), "{printed}");
}

#[tokio::test]
async fn two_runs_below_wait_at_once_and_are_decided_about_one_by_one() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let outcome = wide(store.clone(), &ran).run("buy").await.expect("waits");
    assert_eq!(outcome.finish, Finish::Suspended);
    let places: Vec<_> = outcome.pending.iter().map(PendingCall::place).collect();
    assert_eq!(places, ["0.0 > 0.0", "0.1 > 0.0"]);
    assert_eq!(ran.counts(), (0, 1), "the call beside them ran");

    let (top, runner) = (outcome.run_id, wide(store.clone(), &ran));
    say(&store, &top, outcome.pending[1].approve()).await;
    let half = resumed(&runner, &top).await;
    assert_eq!((half.finish, ran.counts()), (Finish::Suspended, (1, 1)));
    assert_eq!(half.pending, outcome.pending[..1]);

    // What was said of the other one comes again, and too late.
    say(&store, &top, outcome.pending[1].deny("no")).await;
    say(&store, &top, outcome.pending[0].deny("no")).await;
    let end = resumed(&runner, &top).await;
    assert_eq!((end.finish, ran.counts()), (Finish::Answered, (1, 1)));
    assert_eq!(end.model_calls, 6);
    all_are_over(&store).await;
}

#[tokio::test]
async fn what_is_forged_does_nothing() {
    let (store, ran, others) = (MemoryStore::new(), Ran::default(), Ran::default());
    let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
    let other = deep(store.clone(), &others)
        .run("buy")
        .await
        .expect("waits");
    let top = outcome.run_id;
    // Of a run that is below another one.
    say(&store, &top, other.pending[0].approve()).await;
    // Of another call, with other arguments, of a run that is not there.
    for (key, value) in [
        ("arguments", serde_json::json!(r#"{"all": true}"#)),
        ("id", serde_json::json!({"round": 0, "index": 1})),
        ("run_id", serde_json::json!("another")),
        ("run_id", serde_json::json!(top)),
    ] {
        let decision = serde_json::to_value(outcome.pending[0].approve());
        let mut decision = decision.expect("is JSON");
        decision[key] = value;
        let decision = serde_json::from_value(decision).expect("is one");
        say(&store, &top, decision).await;
    }
    let again = resumed(&deep(store.clone(), &ran), &top).await;
    assert_eq!(
        (again.finish, again.pending),
        (Finish::Suspended, outcome.pending)
    );
    let again = resumed(&deep(store.clone(), &others), &other.run_id).await;
    assert_eq!(again.finish, Finish::Suspended);
    assert_eq!((ran.counts().0, others.counts().0), (0, 0));
}

/// Whoever knows the run below may put a decision into its own inbox, or drive it alone.
#[tokio::test]
async fn what_becomes_of_a_run_below_is_heard_by_the_run_above() {
    for is_driven in [false, true] {
        let (store, ran) = (MemoryStore::new(), Ran::default());
        let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
        let [waits] = &outcome.pending[..] else {
            panic!("{:?}", outcome.pending);
        };
        say(&store, &waits.run_id, waits.approve()).await;
        if is_driven {
            let tools = Toolset::new().with(pay(&ran)).expect("one name");
            let buyer = Runner::builder(Rounds(&[&["pay"]], "buy")).tools(tools);
            let buyer = buyer.suspends().store("tests", store.clone()).build();
            // It was begun with extensions: those of its place below the others.
            let buyer = buyer.expect("is sound").with_extension(());
            let end = resumed(&buyer, &waits.run_id).await;
            assert_eq!((end.finish, ran.counts().0), (Finish::Answered, 1));
        }
        let recovered = deep(store.clone(), &ran).recover().await.expect("is read");
        let [recovered] = <[_; 1]>::try_from(recovered).expect("the run at the top");
        let end = recovered.handle.expect("it goes on").outcome().await;
        assert_eq!(end.expect("does not fail").finish, Finish::Answered);
        assert_eq!(ran.counts().0, 1);
        all_are_over(&store).await;
    }
}

#[tokio::test]
async fn what_was_spent_below_stays_where_the_run_below_is_given_up() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
    let below = &outcome.pending[0].path[0].run_id;
    store.abandon(Scope::All, below).await.expect("it waits");
    let end = resumed(&deep(store.clone(), &ran), &outcome.run_id).await;
    assert_eq!((end.finish, ran.counts().0), (Finish::Answered, 0));
    assert_eq!(end.usage.total_tokens(), 4 * TOKENS);
}

#[tokio::test]
async fn a_run_that_is_cancelled_while_it_waits_below_leaves_nothing() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
    let top = outcome.run_id;
    let cancel = InboxItem::new(InboxContent::Cancel);
    store
        .put(Scope::All, &top, &cancel)
        .await
        .expect("it is there");
    assert_eq!(
        outcome.usage.total_tokens(),
        3 * TOKENS,
        "of three requests, while it waits"
    );
    say(&store, &top, outcome.pending[0].approve()).await;
    let end = resumed(&deep(store.clone(), &ran), &top).await;
    assert_eq!((&end.finish, ran.counts().0), (&Finish::Cancelled, 0));
    assert_eq!(end.usage.total_tokens(), 3 * TOKENS, "what is spent stays");
    assert_eq!(end.model_calls, 3);
    let round = end
        .conversation
        .messages()
        .iter()
        .find_map(|message| match message {
            toolwright::Message::Assistant(message) => message.tool_rounds.iter().next(),
            toolwright::Message::User(_) => None,
        });
    let results = &round.expect("there is a round").results;
    assert!(results.iter().all(|result| result.outcome.is_err()));
    // The runs below are cancelled as well, with all calls answered.
    let page = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("is listed");
    assert_eq!(page.items.len(), 3);
    for run in page.items {
        let log = log(&store, &run.info.run_id).await;
        let (run, missing) = toolwright::run::Run::replay(&log).expect("is a log");
        assert!(missing.is_empty());
        let outcome = run.outcome().expect("is over");
        assert_eq!(outcome.finish, Finish::Cancelled);
    }
}

/// The run below that a run begins to wait for.
async fn suspended_below(handle: &mut RunHandle) -> RunId {
    loop {
        let event = handle.next().await.expect("it is not over");
        if let RunEvent::Recorded {
            record:
                Record::CallDelayed {
                    why: Delay::Below { calls, .. },
                    ..
                },
            ..
        } = event
        {
            return calls[0].path[0].run_id.clone();
        }
    }
}

/// A call beside it takes its time: nobody waits for that.
#[tokio::test]
async fn a_run_below_goes_on_while_calls_beside_it_run() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let release = Arc::<Notify>::default();
    let wait = waits_for(&release);
    let tools = Toolset::new()
        .with(agent(&[&["pay"]], pay(&ran), "buy"))
        .and_then(|tools| tools.with(wait));
    let runner = Runner::builder(Rounds(&[&["buy", "wait"]], "done"))
        .tools(tools.expect("the names differ"))
        .store("tests", store.clone())
        .build()
        .expect("is sound");
    let mut handle = runner.start("buy");
    let top = handle.id().clone();
    let below = suspended_below(&mut handle).await;
    let [waits] = &pending(&store, &below).await[..] else {
        panic!("one call waits")
    };
    say(&store, &top, waits.approve()).await;
    while ran.counts().0 == 0 {
        handle.next().await.expect("the call beside it is not over");
    }
    release.notify_one();
    let outcome = handle.outcome().await.expect("ends");
    assert_eq!((outcome.finish, ran.counts().0), (Finish::Answered, 1));
    all_are_over(&store).await;
}

/// It does not hold the run for the time of a lease.
#[tokio::test(start_paused = true)]
async fn a_run_that_is_to_stop_does_not_wait_to_pass_a_decision_on() {
    for is_cancelled in [true, false] {
        let (store, ran) = (MemoryStore::new(), Ran::default());
        let silent = Silent::new(store.clone(), Asked::Load);
        let tools = Toolset::new()
            .with(agent(&[&["pay"]], pay(&ran), "buy"))
            .and_then(|tools| tools.with(waits_for(&Arc::default())));
        let runner = Runner::builder(Rounds(&[&["buy", "wait"]], "done"))
            .tools(tools.expect("the names differ"))
            .store("tests", silent.clone());
        let mut handle = silent::stopping(runner, is_cancelled).start("buy");
        let top = handle.id().clone();
        let below = suspended_below(&mut handle).await;
        let [waits] = &pending(&store, &below).await[..] else {
            panic!("one call waits")
        };
        silent.begin();
        say(&store, &top, waits.approve()).await;
        silent::ends_soon(handle, is_cancelled).await;
    }
}
