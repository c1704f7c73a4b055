//! A run that may have some tools of its runner has these alone, however it goes on.

use toolwright::{
    model::ToolChoice,
    run::{Failure, Finish, RunOutcome, StoredRun},
    runner::{Agent, RunEvent, RunOptions},
    store::{ConversationId, InboxContent, InboxItem, RunFilter, Scope},
};

use super::{deciding::asking, *};

/// A tool that waits for an approval, and one that reads.
fn both(ran: &Ran) -> Toolset {
    let look = counted("look", Effects::ReadOnly, &ran.read);
    asking(ran).with(look).expect("the names differ")
}

fn only(names: &[&str]) -> RunOptions {
    RunOptions::new().with_tools(names.iter().copied())
}

/// The model of another process, which tries the tool that is not allowed.
fn tries() -> ScriptedModel {
    model([calls(&["look"])])
}

/// The run has answered, was offered these tools in each request, and has run the one that it may.
fn check(outcome: &RunOutcome, model: &ScriptedModel, offered: &[&str], ran: &Ran) {
    assert_eq!(outcome.finish, Finish::Answered);
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        let names: Vec<_> = request.tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, offered);
    }
    assert_eq!(ran.counts(), (1, 0));
}

/// Approves the call of a suspended run, and goes on with it by another runner.
async fn go_on(store: &MemoryStore, suspended: &RunOutcome, next: RunnerBuilder) -> RunOutcome {
    assert_eq!(suspended.finish, Finish::Suspended);
    let approved = InboxContent::Resolution(suspended.pending[0].approve());
    let item = InboxItem::new(approved);
    store
        .put(Scope::All, &suspended.run_id, &item)
        .await
        .expect("it works");
    let next = next.suspends().build().expect("it works");
    let handle = next
        .resume(suspended.run_id.clone())
        .start()
        .await
        .expect("it works");
    handle.outcome().await.expect("it works")
}

#[tokio::test]
async fn a_suspended_run_keeps_its_tools() {
    let (ran, store) = (Ran::default(), MemoryStore::new());
    let first = builder(&model([calls(&["pay"])]), &both(&ran), store.clone());
    let first = first.suspends().build().expect("it works");
    let request = first.request("buy").with(only(&["pay"]));
    let suspended = request.run().await.expect("it works");
    let model = tries();
    let next = builder(&model, &both(&ran), store.clone());
    let outcome = go_on(&store, &suspended, next).await;
    check(&outcome, &model, &["pay"], &ran);
}

#[tokio::test]
async fn a_run_that_is_stored_as_a_value_keeps_its_tools() {
    let ran = Ran::default();
    let runner = |model: &ScriptedModel| {
        let builder = Runner::builder(model.clone()).tools(both(&ran));
        builder.suspends().build().expect("it works")
    };
    let first = runner(&model([calls(&["pay"])]));
    let request = first.request("buy").with(only(&["pay"]));
    let suspended = request
        .run()
        .await
        .expect("it works")
        .suspended
        .expect("it works");
    let text = serde_json::to_string(&suspended).expect("it works");
    let run: StoredRun = serde_json::from_str(&text).expect("it works");
    let (model, said) = (tries(), [run.pending()[0].approve()]);
    let handle = runner(&model).resume(run).decide(said).start().await;
    let outcome = handle.expect("it works").outcome().await.expect("it works");
    check(&outcome, &model, &["pay"], &ran);
}

/// What the run may not have can change meanwhile: it goes on all the same.
#[tokio::test]
async fn a_run_whose_process_is_gone_keeps_its_tools() {
    let ((tools, ran), store) = (tools(), MemoryStore::new());
    let first = builder(&model([calls(&["pay"])]), &tools, store.clone());
    let first = first.lease_time(OVER).build().expect("it works");
    let mut handle = first.request("buy").with(only(&["pay"])).start();
    loop {
        let event = handle.next().await.expect("it goes on");
        if let RunEvent::Recorded {
            record: Record::CallFinished { .. },
            ..
        } = event
        {
            break;
        }
    }
    drop(handle);
    let changed = DynamicTool::builder("look", "Looks elsewhere.");
    let changed = changed.build(async |_: ToolCall, _| Ok::<_, ToolError>(""));
    let pay = counted("pay", Effects::Write, &ran.write);
    let tools = Toolset::new().with(pay).expect("it works");
    let tools = tools.with(changed.expect("it works")).expect("it works");
    let model = tries();
    let next = builder(&model, &tools, store).lease_time(OVER);
    let mut recovered = next
        .build()
        .expect("it works")
        .recover()
        .await
        .expect("it works");
    let handle = recovered.remove(0).handle.expect("its tools are the same");
    let outcome = handle.outcome().await.expect("it works");
    check(&outcome, &model, &["pay"], &ran);
}

#[tokio::test]
async fn a_run_that_was_handed_over_keeps_its_tools() {
    let (ran, store) = (Ran::default(), MemoryStore::new());
    let team = |main: &ScriptedModel, billing: &ScriptedModel| {
        let billing = Runner::builder(billing.clone()).tools(both(&ran));
        let billing = billing.suspends().build().expect("it works");
        builder(main, &both(&ran), store.clone())
            .agent(Agent::new("billing", "Pays what is owed.", billing))
            .suspends()
    };
    let main = model([calls(&["transfer_to_billing"])]);
    let first = team(&main, &model([calls(&["pay"])]))
        .build()
        .expect("it works");
    let options = only(&["pay", "transfer_to_billing"]);
    let suspended = first
        .request("buy")
        .with(options)
        .run()
        .await
        .expect("it works");
    let billing = tries();
    let outcome = go_on(&store, &suspended, team(&model([]), &billing)).await;
    check(&outcome, &billing, &["pay"], &ran);
}

/// The options of a run that does not begin leave no trace: neither a run nor a conversation that is busy.
#[tokio::test]
async fn a_kept_run_whose_options_contradict_leaves_nothing_in_the_store() {
    let ((tools, _), store) = (tools(), MemoryStore::new());
    let runner = builder(&model([]), &tools, store.clone())
        .build()
        .expect("it works");
    let chat = ConversationId::new("chat");
    let contradicts = RunOptions::new().with_tool_choice(ToolChoice::Tool("delete".into()));
    let request = runner.request("buy").within(&chat).with(contradicts);
    let error = request.start().outcome().await.unwrap_err();
    assert!(matches!(error.failure, Failure::Options { .. }), "{error}");
    let runs = store
        .list(Scope::All, &RunFilter::default())
        .await
        .expect("it works");
    assert!(runs.items.is_empty());
    let conversations = store.conversations(Scope::All, None, 10).await;
    assert!(conversations.expect("it works").items.is_empty());
    let outcome = runner
        .request("buy")
        .within(chat)
        .run()
        .await
        .expect("it works");
    assert_eq!(outcome.conversation.messages().len(), 2, "it was free");
}
