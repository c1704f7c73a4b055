//! Runs of agents that hand the conversation over go on with the right one, wherever their process dies.

use futures_util::stream;
use toolwright::{
    ChatModel, Message,
    model::{ModelRequest, ModelStream},
    run::{Finish, ResumeError, RunOutcome, WaitsFor},
    runner::{Agent, OnChanged},
    store::{ConversationId, InboxContent, InboxItem, RunStatus, Scope},
};

use super::{
    crashing::{End, Failing},
    *,
};

/// A model that calls tools after so many rounds, and else says something. A new process goes on with it. It says who was
/// asked in its place.
struct After {
    agent: &'static str,
    rounds: usize,
    calls: &'static [&'static str],
}

impl ChatModel for After {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let rounds = request.messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(message.tool_rounds.iter().count()),
            Message::User(_) => None,
        });
        let rounds = rounds.sum::<usize>();
        let response = if request.system.as_deref() != Some(self.agent) {
            ModelResponse::from_text(format!("{:?} was asked", request.system))
        } else if rounds == self.rounds {
            calls(self.calls)
        } else {
            ModelResponse::from_text(format!("{} after {rounds} rounds", self.agent))
        };
        Box::pin(stream::iter(response.into_events().into_iter().map(Ok)))
    }
}

fn member(agent: &'static str, rounds: usize, calls: &'static [&'static str]) -> RunnerBuilder {
    let model = After {
        agent,
        rounds,
        calls,
    };
    Runner::builder(model).system(agent)
}

/// The first hands over to one that pays and hands back.
fn team(store: impl Store, pay: DynamicTool) -> RunnerBuilder {
    let billing = member("billing", 1, &["pay", "transfer_to_main"])
        .tools(Toolset::new().with(pay).expect("one name"))
        .suspends();
    let billing = billing.build().expect("is sound");
    member("main", 0, &["transfer_to_billing"])
        .agent(Agent::new("billing", "Pays what is owed.", billing))
        .store("tests", store)
        .suspends()
        .lease_time(OVER)
}

/// Drives the run until its store ends like this at this append, and resumes it. It gives the outcome, unless the run was not
/// there or was over, how often was paid, and whether the store got that far.
async fn interrupted(end: End, at: usize) -> (Option<RunOutcome>, usize, bool) {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let pay = || counted("pay", Effects::Write, &ran.write);
    let failing = Failing::new(store.clone(), end, at);
    let runner = team(failing.clone(), pay()).build().expect("is sound");
    let mut handle = runner
        .request("Pay.")
        .within(ConversationId::new("talk"))
        .start();
    let id = handle.id().clone();
    tokio::select! {
        () = async { while handle.next().await.is_some() {} } => {}
        () = failing.died() => {}
    }
    drop(handle);
    let runner = team(store.clone(), pay()).build().expect("is sound");
    let outcome = match runner.resume(&id).start().await {
        Ok(handle) => Some(handle.outcome().await.expect("it goes on")),
        Err(ResumeError::IsOver) => None,
        Err(error) => {
            assert!(store.load(Scope::All, &id, 0).await.is_err(), "{error}");
            return (None, ran.counts().0, failing.has_failed());
        }
    };
    let status = store
        .load(Scope::All, &id, 0)
        .await
        .expect("is sound")
        .status;
    assert_eq!(status, RunStatus::Finished, "{end:?} {at}");
    let records = log(&store, &id).await;
    let handed = records
        .iter()
        .filter(|record| matches!(record, Record::Transferred { .. }));
    assert_eq!(handed.count(), 2, "{end:?} {at}");
    (outcome, ran.counts().0, failing.has_failed())
}

#[tokio::test]
async fn a_run_goes_on_with_the_agent_that_it_was_with_wherever_the_process_dies() {
    let (mut steps, mut resumed) = (0, 0);
    for end in [
        End::DiesBefore,
        End::DiesAfter,
        End::FailsBefore,
        End::FailsAfter,
    ] {
        for at in 0.. {
            let (outcome, paid, failed) = interrupted(end, at).await;
            assert!(paid <= 1, "{end:?} at append {at}: paid {paid} times");
            if let Some(outcome) = outcome {
                assert_eq!(outcome.finish, Finish::Answered, "{end:?} at {at}");
                assert_eq!(outcome.text, "main after 2 rounds", "{end:?} at {at}");
                assert_eq!(outcome.conversation.agent(), Some("main"));
                resumed += 1;
            }
            if !failed {
                assert_eq!(paid, 1, "{end:?} was not met");
                break;
            }
            steps += 1;
        }
    }
    assert!(steps >= 24 && resumed >= 16, "{resumed} of {steps} steps");
}

#[tokio::test]
async fn a_call_of_the_second_agent_is_approved_through_the_inbox() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let pay = || {
        let ran = Arc::clone(&ran.write);
        let tool = DynamicTool::builder("pay", "Pays, if somebody approves it.");
        let tool = tool.policy(ToolPolicy::default().with_approval());
        let tool = tool.build(move |_: ToolCall, _| {
            ran.fetch_add(1, Ordering::SeqCst);
            async { Ok::<_, ToolError>("paid") }
        });
        tool.expect("is sound")
    };
    // Its tools are looked at as well when it goes on.
    let runner = || {
        let runner = team(store.clone(), pay()).on_changed_tools(OnChanged::Refuse);
        runner.build().expect("is sound")
    };
    let outcome = runner().run("Pay.").await.expect("is suspended");
    assert_eq!(outcome.finish, Finish::Suspended);
    let [waits] = &outcome.pending[..] else {
        panic!("one call waits")
    };
    assert_eq!(
        (waits.waits_for, &*waits.call.name),
        (WaitsFor::Approval, "pay")
    );
    let item = InboxItem::new(InboxContent::Resolution(waits.approve()));
    store
        .put(Scope::All, &outcome.run_id, &item)
        .await
        .expect("is there");
    let handle = runner()
        .resume(&outcome.run_id)
        .start()
        .await
        .expect("goes on");
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!(outcome.text, "main after 2 rounds");
    assert_eq!(ran.counts().0, 1);
}

#[tokio::test]
async fn a_tool_of_the_second_agent_that_has_changed_is_told() {
    let (store, ran) = (MemoryStore::new(), Ran::default());
    let pay = |text: &'static str| {
        let tool = DynamicTool::builder("pay", text);
        let tool = tool.policy(ToolPolicy::default().with_approval());
        let tool = tool.build(async |_: ToolCall, _| Ok::<_, ToolError>("paid"));
        tool.expect("is sound")
    };
    let runner = |text| {
        let runner = team(store.clone(), pay(text)).on_changed_tools(OnChanged::Refuse);
        runner.build().expect("is sound")
    };
    let outcome = runner("Pays what is owed.").run("Pay.").await;
    let outcome = outcome.expect("is suspended");
    let refused = runner("Pays twice what is owed.")
        .resume(&outcome.run_id)
        .start()
        .await;
    let names = vec!["billing.pay".to_owned()];
    assert_eq!(refused.err(), Some(ResumeError::ToolsChanged { names }));
    assert_eq!(ran.counts().0, 0);
}
