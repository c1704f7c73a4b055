//! What a check of the input refuses or redacts is stored nowhere, by whatever way it comes.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use toolwright::{
    Conversation, ModelResponse, Runner, ToolCall, Toolset,
    approval::Decision,
    message::{UserMessage, text_of},
    run::{Finish, Limits, RunOutcome},
    runner::{InputRefusal, RunEvent, RunHandle, RunOptions, RunnerBuilder, UserInput},
    store::{ConversationId, InboxContent, InboxItem, MemoryStore, Scope, Store},
    testing::ScriptedModel,
    tool,
    tool::Extension,
    toolset,
};

use super::readers::{Got, Traces, frames, stored};

const SECRET: &str = "hunter2-4711";

/// Look up a word.
#[tool(read_only)]
fn look_up(word: String) -> String {
    word
}

/// Delete a file.
#[tool(approval)]
fn delete_file(path: String) -> String {
    path
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Check {
    None,
    Refuses,
    RefusesInOtherWords,
    Redacts,
    Panics,
    Hangs,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Run,
    Misfit,
    Borrowed,
    Owned,
    StoredRun,
    StoredConversation,
    Pushed,
    PushedToStored,
    Inbox,
    BelowAnother,
}

const WAYS: [Way; 10] = [
    Way::Run,
    Way::Misfit,
    Way::Borrowed,
    Way::Owned,
    Way::StoredRun,
    Way::StoredConversation,
    Way::Pushed,
    Way::PushedToStored,
    Way::Inbox,
    Way::BelowAnother,
];

/// Adds the check, which takes what has no secret in it.
fn checked(runner: RunnerBuilder, check: Check) -> RunnerBuilder {
    if check == Check::None {
        return runner;
    }
    runner.check_input(move |input: UserInput| async move {
        let text = text_of(&input.message.parts);
        if !text.contains(SECRET) {
            return Ok(input.message);
        }
        match check {
            Check::None => unreachable!(),
            Check::Refuses => Err(InputRefusal::new("Leave passwords out.")),
            Check::RefusesInOtherWords => {
                Err(InputRefusal::new("Leave passwords out.").stored_as("(a password)"))
            }
            Check::Redacts => Ok(text.replace(SECRET, "[password]").into()),
            Check::Panics => panic!("cannot judge {text}"),
            Check::Hangs => pending().await,
        }
    })
}

/// A model that calls a tool of this name first, and then answers each request.
fn model(tool: &str, arguments: &str) -> ScriptedModel {
    let says = ["Fine.", "Again.", "Once more."].map(ModelResponse::from_text);
    let call = ModelResponse::from_calls([ToolCall::new("1", tool, arguments)]);
    ScriptedModel::new([call].into_iter().chain(says))
}

/// Reads a run to its end, and pushes the message when it has begun.
async fn read(mut handle: RunHandle, push: Option<String>, got: &mut Vec<Got>) -> RunOutcome {
    let (id, mut push, mut events) = (handle.id().to_string(), push, Vec::new());
    while let Some(event) = handle.next().await {
        if let Some(message) = push.take() {
            handle.push(message).expect("it is under way");
        }
        events.push(event);
    }
    got.push(("events".into(), format!("{events:?}")));
    let logged = events.iter().filter_map(|event| match event {
        RunEvent::Recorded { record, .. } => serde_json::to_string(record).ok(),
        _ => None,
    });
    got.push(("log".into(), logged.collect()));
    got.extend(frames(&id, &events));
    let outcome = handle.outcome().await;
    let outcome = outcome.unwrap_or_else(|error| *error.outcome);
    got.push(("outcome".into(), format!("{outcome:?}")));
    outcome
}

/// Says the secret by one of the ways, and then more. It gives what everybody has got, and the outcome.
async fn all_of(way: Way, check: Check) -> (Vec<Got>, RunOutcome) {
    let (mut got, store, traces) = (Vec::new(), MemoryStore::new(), Traces::default());
    let subscribed = tracing::subscriber::set_default(traces.clone());
    let said = format!("My password is {SECRET}.");
    let main = model("look_up", r#"{"word": "fjord"}"#);
    let builder = checked(Runner::builder(main.clone()), check).tools(toolset![look_up]);
    let (runner, chat) = match way {
        Way::Run | Way::Misfit | Way::Borrowed | Way::Owned | Way::Pushed => (builder, None),
        _ => (
            builder.store("support", store.clone()),
            Some(ConversationId::new("chat")),
        ),
    };
    let runner = runner.build().expect("is sound");
    let outcome = match way {
        Way::Run | Way::StoredRun => read(runner.start(said), None, &mut got).await,
        Way::Misfit => {
            let misfit = RunOptions::new().with_tools(["unknown"]);
            read(runner.request(said).with(misfit).start(), None, &mut got).await
        }
        Way::Borrowed => {
            let mut conversation = Conversation::new();
            let outcome = runner.request(said).within(&mut conversation).run().await;
            let more = runner.request("And now?").within(&mut conversation).run();
            got.push(("next turn".into(), format!("{:?}", more.await)));
            got.push(("conversation".into(), format!("{conversation:?}")));
            outcome.expect("it does not fail")
        }
        Way::Owned => {
            let handle = runner.request(said).within(Conversation::new()).start();
            read(handle, None, &mut got).await
        }
        Way::StoredConversation => {
            let chat = chat.expect("it has a store");
            let handle = runner.request(said).within(&chat).start();
            let outcome = read(handle, None, &mut got).await;
            let more = runner.request("And now?").within(&chat).run().await;
            got.push(("next turn".into(), format!("{more:?}")));
            outcome
        }
        Way::Pushed | Way::PushedToStored => {
            read(runner.start("Look it up."), Some(said), &mut got).await
        }
        Way::Inbox => {
            let mut handle = runner.start("Look it up.");
            while !matches!(handle.next().await, Some(RunEvent::Recorded { .. })) {}
            let message = runner.check_input(said).await;
            let item = InboxItem::new(InboxContent::Message(message)).checked();
            let put = store.put(Scope::All, handle.id(), &item).await;
            put.expect("it is under way");
            let inbox = store.inbox(Scope::All, handle.id(), 0).await;
            got.push(("inbox".into(), format!("{inbox:?}")));
            read(handle, None, &mut got).await
        }
        Way::BelowAnother => {
            let clerk = runner.as_tool("ask_clerk", "Finds out.").expect("is one");
            let task = format!(r#"{{"task": "{said}"}}"#);
            let above = Runner::builder(model("ask_clerk", &task))
                .tools(Toolset::new().with(clerk).expect("one name"))
                .build()
                .expect("is sound");
            above.run("Ask the clerk.").await.expect("it answers")
        }
    };
    got.extend(stored(&store).await);
    drop(subscribed);
    traces.with(|traces| got.push(("traces".into(), traces.clone())));
    got.push(("requests".into(), format!("{:?}", main.requests())));
    (got, outcome)
}

fn has_secret(got: &[Got]) -> Vec<&str> {
    let with = got.iter().filter(|(_, text)| text.contains(SECRET));
    with.map(|(name, _)| name.as_str()).collect()
}

#[tokio::test(start_paused = true)]
async fn what_was_refused_or_redacted_is_nowhere() {
    for way in WAYS {
        for check in [
            Check::Refuses,
            Check::RefusesInOtherWords,
            Check::Redacts,
            Check::Panics,
            Check::Hangs,
        ] {
            let (got, outcome) = all_of(way, check).await;
            assert_eq!(has_secret(&got), [""; 0], "{way:?} {check:?}");
            let all: String = got.iter().map(|(_, text)| text.as_str()).collect();
            let is_there = match check {
                Check::RefusesInOtherWords => "(a password)",
                Check::Redacts => "[password]",
                _ => InputRefusal::STORED,
            };
            // It stands in its place, where there is one: the run above has no log of the run below.
            let has_no_place =
                way == Way::Misfit || (way == Way::BelowAnother && check != Check::Redacts);
            assert!(has_no_place || all.contains(is_there), "{way:?} {check:?}");
            let is_question = !matches!(
                way,
                Way::Misfit | Way::Pushed | Way::PushedToStored | Way::Inbox | Way::BelowAnother
            );
            if is_question && check != Check::Redacts {
                assert_eq!(outcome.finish, Finish::InputRefused, "{way:?} {check:?}");
                assert!(!outcome.text.is_empty());
            }
        }
    }
}

/// Otherwise the test above could not fail.
#[tokio::test(start_paused = true)]
async fn without_a_check_it_is_somewhere() {
    for way in WAYS {
        let (got, _) = all_of(way, Check::None).await;
        assert!(!has_secret(&got).is_empty(), "{way:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_while_its_question_is_checked_stores_nothing_of_it() {
    let store = MemoryStore::new();
    for is_stored in [false, true] {
        let runner = checked(Runner::builder(model("none", "{}")), Check::Hangs);
        let runner = if is_stored {
            runner.store("support", store.clone())
        } else {
            runner
        };
        let handle = runner.build().expect("is sound").start(SECRET);
        handle.cancel();
        let outcome = handle.outcome().await.expect("it does not fail");
        assert_eq!(outcome.finish, Finish::Cancelled);
        assert!(!format!("{outcome:?}").contains(SECRET));
    }
    assert_eq!(has_secret(&stored(&store).await), [""; 0]);
}

/// It comes back to the program that pushed it, as each message that is too late.
#[tokio::test(start_paused = true)]
async fn a_message_whose_check_is_cancelled_is_unread() {
    for is_late in [false, true] {
        let runner = checked(
            Runner::builder(model("look_up", r#"{"word": "a"}"#)),
            Check::Hangs,
        );
        let limits = Limits::default().with_max_time(std::time::Duration::from_secs(1));
        let runner = if is_late {
            runner.limits(limits)
        } else {
            runner
        };
        let runner = runner.tools(toolset![look_up]).build().expect("is sound");
        let mut handle = runner.start("Look it up.");
        handle.push(SECRET).expect("it is under way");
        let control = handle.control();
        let (mut got, mut seen) = (Vec::new(), 0);
        while let Some(event) = handle.next().await {
            got.push(("event".into(), format!("{event:?}")));
            seen += 1;
            if seen == 1 && !is_late {
                control.cancel();
            }
        }
        let outcome = handle.outcome().await.expect("it does not fail");
        assert_eq!(outcome.unread, [UserMessage::from(SECRET)], "{is_late}");
        assert!(!format!("{:?}", outcome.conversation).contains(SECRET));
        assert_eq!(has_secret(&got), [""; 0]);
    }
}

#[derive(Clone, Default)]
struct Began(Arc<tokio::sync::Notify>);

/// Say that it began, after a while.
#[tool(read_only)]
async fn begin(#[context] began: Extension<Began>) -> &'static str {
    tokio::task::yield_now().await;
    began.0.0.notify_one();
    "it began"
}

#[tokio::test(start_paused = true)]
async fn calls_go_on_while_a_message_is_checked() {
    let began = Began::default();
    let waits = began.clone();
    let runner = Runner::builder(model("begin", "{}"))
        .tools(toolset![begin])
        .calls(toolwright::dispatch::CallOptions::new().with_extension(began))
        .check_input(move |input: UserInput| {
            let waits = waits.clone();
            async move {
                if text_of(&input.message.parts) == "And now?" {
                    waits.0.notified().await;
                }
                Ok::<_, InputRefusal>(input.message)
            }
        })
        .build()
        .expect("is sound");
    let mut handle = runner.start("Begin.");
    let mut push = Some("And now?");
    while let Some(event) = handle.next().await {
        let is_call = format!("{event:?}").contains("record: CallStarted");
        if let Some(message) = push.take_if(|_| is_call) {
            handle.push(message).expect("it is under way");
        }
    }
    let outcome = handle.outcome().await.expect("it answers");
    assert_eq!(
        (outcome.pushed_messages, &outcome.warnings[..]),
        (1, &[][..])
    );
}

/// What was stored of it is not judged again, with whatever result.
#[tokio::test(start_paused = true)]
async fn a_run_that_is_resumed_checks_nothing_again() {
    let (store, asked) = (MemoryStore::new(), Arc::new(AtomicUsize::new(0)));
    let calls = [ToolCall::new("1", "delete_file", r#"{"path": "a"}"#)];
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("It is gone."),
    ]);
    let build = |refuses: bool| {
        let asked = Arc::clone(&asked);
        Runner::builder(model.clone())
            .tools(toolset![delete_file])
            .store("support", store.clone())
            .suspends()
            .check_input(move |input: UserInput| {
                asked.fetch_add(1, Relaxed);
                let text = text_of(&input.message.parts).replace(SECRET, "[password]");
                async move {
                    if refuses {
                        Err("not any more")
                    } else {
                        Ok(UserMessage::from(text))
                    }
                }
            })
            .build()
            .expect("is sound")
    };
    let runner = build(false);
    let handle = runner.start(format!("Delete it, {SECRET}."));
    handle
        .push(format!("With {SECRET}."))
        .expect("it is under way");
    let outcome = handle.outcome().await.expect("it waits");
    assert_eq!(
        (outcome.finish, asked.load(Relaxed)),
        (Finish::Suspended, 2)
    );
    let message = runner.check_input(format!("By {SECRET}.")).await;
    let item = InboxItem::new(InboxContent::Message(message)).checked();
    let put = store.put(Scope::All, &outcome.run_id, &item).await;
    put.expect("it is not over");

    let decision = outcome.pending[0].decide(Decision::Approve);
    let item = InboxItem::new(InboxContent::Resolution(decision));
    let put = store.put(Scope::All, &outcome.run_id, &item).await;
    put.expect("it is not over");
    let handle = build(true).resume(&outcome.run_id).start().await;
    let resumed = handle.expect("it is there").outcome().await;
    let resumed = resumed.expect("it goes on");
    assert_eq!(
        (resumed.text.as_str(), asked.load(Relaxed)),
        ("It is gone.", 3)
    );
    assert_eq!((resumed.pushed_messages, resumed.warnings.len()), (2, 0));
    let requests = format!("{:?}", model.requests());
    for text in [
        "Delete it, [password].",
        "With [password].",
        "By [password].",
    ] {
        assert!(requests.contains(text), "{text}: {requests}");
    }
    assert_eq!(has_secret(&stored(&store).await), [""; 0]);
}

/// It is found again by its task, which is not what is stored of it.
#[tokio::test(start_paused = true)]
async fn a_run_below_another_goes_on_after_its_task_was_redacted() {
    let (store, task) = (
        MemoryStore::new(),
        format!(r#"{{"task": "Use {SECRET}."}}"#),
    );
    let (main, below) = (
        model("ask_clerk", &task),
        model("delete_file", r#"{"path": "a"}"#),
    );
    let build = |check| {
        let clerk = checked(Runner::builder(below.clone()), check)
            .tools(toolset![delete_file])
            .suspends()
            .build()
            .expect("is sound")
            .as_tool("ask_clerk", "Finds out.")
            .expect("is one");
        Runner::builder(main.clone())
            .tools(Toolset::new().with(clerk).expect("one name"))
            .store("support", store.clone())
            .build()
            .expect("is sound")
    };
    let outcome = build(Check::Redacts).run("Ask.").await.expect("it waits");
    assert_eq!(outcome.finish, Finish::Suspended);
    let decision = outcome.pending[0].decide(Decision::Approve);
    let item = InboxItem::new(InboxContent::Resolution(decision));
    let put = store.put(Scope::All, &outcome.run_id, &item).await;
    put.expect("it is not over");
    let handle = build(Check::Refuses).resume(&outcome.run_id).start().await;
    let outcome = handle.expect("it is there").outcome().await;
    let outcome = outcome.expect("it goes on");
    let round = outcome.tool_rounds().next().expect("it has one");
    assert_eq!(round.results[0].to_model_text(), "Fine.");
    assert!(!format!("{:?}", below.requests()).contains(SECRET));
}

#[tokio::test]
async fn a_check_knows_for_whom_the_run_is() {
    struct Role(&'static str);

    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let runner = Runner::builder(model("look_up", r#"{"word": "a"}"#))
        .tools(toolset![look_up])
        .check_input(move |input: UserInput| {
            let role = input.context.extension::<Role>().map(|role| role.0);
            notes.lock().expect("it is free").push((input.owner, role));
            async move { Ok::<_, InputRefusal>(input.message) }
        })
        .build()
        .expect("is sound");
    let handle = runner
        .with_owner("ada")
        .with_extension(Role("clerk"))
        .start("Look it up.");
    handle.push("And more.").expect("it is under way");
    handle.outcome().await.expect("it answers");
    let ada = (Some("ada".to_owned()), Some("clerk"));
    assert_eq!(*seen.lock().expect("it is free"), [ada.clone(), ada]);
}
