//! Approvals of tools that are others when the run goes on.

use toolwright::{
    ToolOutput,
    run::{Finish, Resolution, ResumeError, RunOutcome},
    runner::OnChanged,
    store::{InboxContent, InboxItem, Scope},
};

use super::{deciding::pending, *};

const OLD: &str = "Pays what somebody is owed.";
const NEW: &str = "Pays something else entirely.";

fn paying(description: &'static str, ran: &Ran) -> Toolset {
    let tool = DynamicTool::builder("pay", description);
    let tool = tool.policy(ToolPolicy::default().with_approval());
    let ran = Arc::clone(&ran.write);
    let tool = tool.build(move |_: ToolCall, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        async { Ok::<_, ToolError>("paid") }
    });
    Toolset::new()
        .with(tool.expect("is sound"))
        .expect("is sound")
}

fn runner(store: &MemoryStore, description: &'static str, ran: &Ran) -> Runner {
    let runner = builder(&model([]), &paying(description, ran), store.clone());
    let runner = runner.on_changed_tools(OnChanged::Proceed).suspends();
    runner.build().expect("is sound")
}

async fn resumed(runner: &Runner, id: &RunId) -> RunOutcome {
    let handle = runner.resume(id).start().await.expect("it goes on");
    handle.outcome().await.expect("is sound")
}

async fn put(store: &MemoryStore, id: &RunId, resolution: Resolution) {
    let item = InboxItem::new(InboxContent::Resolution(resolution));
    store.put(Scope::All, id, &item).await.expect("it is taken");
}

async fn suspended(ran: &Ran) -> (MemoryStore, RunId) {
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay"])]), &paying(OLD, ran), store.clone());
    let outcome = runner
        .suspends()
        .build()
        .expect("is sound")
        .run("buy")
        .await;
    let outcome = outcome.expect("is sound");
    assert_eq!(outcome.finish, Finish::Suspended);
    (store, outcome.run_id)
}

#[tokio::test]
async fn who_has_approved_another_tool_is_asked_anew() {
    let ran = Ran::default();
    let (store, id) = suspended(&ran).await;
    let first = pending(&store.load(Scope::All, &id, 0).await.unwrap()).clone();
    assert_eq!(first.asked, 0);
    put(&store, &id, first.approve()).await;
    let changed = runner(&store, NEW, &ran);
    assert_eq!(resumed(&changed, &id).await.finish, Finish::Suspended);

    let second = pending(&store.load(Scope::All, &id, 0).await.unwrap()).clone();
    let definition = second.definition.clone().expect("there is such a tool");
    assert_eq!((second.asked, &*definition.description), (1, NEW));
    // Whoever sends the first approval once more says nothing of this tool.
    put(&store, &id, first.approve()).await;
    assert_eq!(resumed(&changed, &id).await.finish, Finish::Suspended);
    assert_eq!(ran.counts().0, 0);

    put(&store, &id, second.approve()).await;
    assert_eq!(resumed(&changed, &id).await.finish, Finish::Answered);
    assert_eq!(ran.counts().0, 1);
}

#[tokio::test]
async fn a_denial_holds_for_every_tool() {
    let ran = Ran::default();
    let (store, id) = suspended(&ran).await;
    let first = pending(&store.load(Scope::All, &id, 0).await.unwrap()).clone();
    put(&store, &id, first.deny("too much")).await;
    let outcome = resumed(&runner(&store, NEW, &ran), &id).await;
    assert_eq!(outcome.finish, Finish::Answered);
    assert_eq!(ran.counts().0, 0);
}

/// Without a store, whoever has the run as data sends the decision with it.
#[tokio::test]
async fn a_run_as_data_asks_anew_as_well() {
    let ran = Ran::default();
    let of = |description, replies: Vec<ModelResponse>| {
        let runner = Runner::builder(ScriptedModel::new(replies));
        let runner = runner.tools(paying(description, &ran)).suspends();
        runner.build().expect("is sound")
    };
    let outcome = of(OLD, vec![calls(&["pay"])]).run("buy").await.unwrap();
    let stored = outcome.suspended.unwrap();
    let first = stored.pending()[0].clone();
    let changed = of(NEW, vec![ModelResponse::from_text("answer")]);
    let outcome = changed
        .resume(stored)
        .start()
        .await
        .unwrap()
        .outcome()
        .await;
    let stored = outcome.unwrap().suspended.unwrap();
    let second = stored.pending()[0].clone();
    assert_eq!((first.asked, second.asked), (0, 1));
    let old = changed
        .resume(stored.clone())
        .decide([first.approve()])
        .start()
        .await;
    assert_eq!(old.err(), Some(ResumeError::NotPending { call: first.id }));
    let outcome = changed
        .resume(stored)
        .decide([second.approve()])
        .start()
        .await
        .unwrap();
    assert_eq!(outcome.outcome().await.unwrap().finish, Finish::Answered);
    assert_eq!(ran.counts().0, 1);
}

/// An external tool does nothing here: what the application says of it is its own.
#[tokio::test]
async fn an_answer_of_an_external_tool_that_has_changed_counts() {
    let store = MemoryStore::new();
    let tools = |description: &'static str| {
        let tool = DynamicTool::builder("ask_user", description).build_external();
        Toolset::new()
            .with(tool.expect("is sound"))
            .expect("is sound")
    };
    let asks = builder(&model([calls(&["ask_user"])]), &tools(OLD), store.clone());
    let id = asks.build().unwrap().run("ask").await.unwrap().run_id;
    let waiting = pending(&store.load(Scope::All, &id, 0).await.unwrap()).clone();
    put(&store, &id, waiting.answer(ToolOutput::text("yes"))).await;
    let changed = builder(&model([]), &tools(NEW), store.clone());
    let changed = changed.on_changed_tools(OnChanged::Proceed);
    let outcome = resumed(&changed.build().unwrap(), &id).await;
    assert_eq!(outcome.finish, Finish::Answered);
}
