//! Runs that cannot go on, or not by themselves.

use toolwright::{
    ToolContext,
    run::{ResumeError, StoreErrorKind},
    runner::{OnChanged, RunEvent, RunHandle},
    store::{ConversationId, RunStatus, Scope},
};

use super::*;

/// A run whose process is gone before its first response.
async fn left(store: &MemoryStore, tools: &Toolset) -> RunId {
    let runner = builder(&model([]), tools, store.clone()).lease_time(OVER);
    let mut handle = runner.build().expect("is sound").start("buy");
    handle.next().await.expect("is sound");
    handle.id().clone()
}

fn kind(error: &ResumeError) -> Option<StoreErrorKind> {
    match error {
        ResumeError::Store(error) => Some(error.kind),
        _ => None,
    }
}

#[tokio::test]
async fn a_run_is_resumed_by_one() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let id = left(&store, &tools).await;
    let runner = builder(&model([]), &tools, store.clone()).build().unwrap();
    let first = runner.resume(&id).start().await.unwrap();
    let second = runner.resume(&id).start().await.unwrap_err();
    assert_eq!(kind(&second), Some(StoreErrorKind::Held));
    first.outcome().await.unwrap();
    let third = runner.resume(&id).start().await.unwrap_err();
    assert_eq!(third, ResumeError::IsOver);
}

#[tokio::test]
async fn a_run_that_is_not_there_or_has_no_store_is_refused() {
    let (tools, _) = tools();
    let id = RunId::new("nobody");
    let runner = builder(&model([]), &tools, MemoryStore::new())
        .build()
        .unwrap();
    let error = runner.resume(&id).start().await.unwrap_err();
    assert_eq!(kind(&error), Some(StoreErrorKind::NotFound));
    let runner = Runner::builder(model([])).build().unwrap();
    let error = runner.resume(&id).start().await.unwrap_err();
    assert_eq!(error, ResumeError::NoStore);
}

#[tokio::test]
async fn tools_that_have_changed_are_told_by_name() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let id = left(&store, &tools).await;
    let fewer = tools.filtered(|tool, _| tool.name != "pay");
    let runner = builder(&model([]), &fewer, store.clone());
    let error = runner
        .build()
        .unwrap()
        .resume(&id)
        .start()
        .await
        .unwrap_err();
    let names = vec!["pay".to_owned()];
    assert_eq!(error, ResumeError::ToolsChanged { names });
    // It is free for somebody who takes it as it is.
    let runner = builder(&model([]), &fewer, store).on_changed_tools(OnChanged::Proceed);
    let handle = runner.build().unwrap().resume(&id).start().await.unwrap();
    assert_eq!(handle.outcome().await.unwrap().text, "answer");
}

#[tokio::test]
async fn a_run_that_gets_no_further_is_parked() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let id = left(&store, &tools).await;
    let runner = builder(&model([]), &tools, store.clone())
        .lease_time(OVER)
        .build()
        .unwrap();
    for _ in 0..5 {
        let mut handle = runner.resume(&id).start().await.unwrap();
        handle.next().await.expect("it goes on");
    }
    let [recovered] = &runner.recover().await.unwrap()[..] else {
        panic!("there is one");
    };
    let Err(ResumeError::Parked { reason }) = &recovered.handle else {
        panic!("{recovered:?}");
    };
    assert!(reason.contains('5'), "{reason}");
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    assert!(matches!(loaded.status, RunStatus::Parked { .. }));
    assert!(runner.recover().await.unwrap().is_empty());
    // Whoever asks for it by its id tries it again.
    let handle = runner.resume(&id).start().await.unwrap();
    assert_eq!(handle.outcome().await.unwrap().text, "answer");
}

/// A call that dies after its checkpoint, again and again, gets no further by saying the same each time.
#[tokio::test]
async fn a_run_whose_checkpoint_stays_the_same_is_parked() {
    let tool = DynamicTool::builder("pay", "Pays by a job, and never ends.");
    let tool = tool.build(|_: ToolCall, cx: ToolContext| async move {
        cx.checkpoint("job 7").await?;
        std::future::pending::<Result<&str, ToolError>>().await
    });
    let tools = Toolset::new()
        .with(tool.expect("is sound"))
        .expect("is one");
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay"])]), &tools, store.clone())
        .lease_time(OVER)
        .build()
        .unwrap();
    let until_checkpoint = async |mut handle: RunHandle| loop {
        let event = handle.next().await.expect("it goes on");
        if let RunEvent::Recorded {
            record: Record::CallCheckpointed { .. },
            ..
        } = event
        {
            break;
        }
    };
    let handle = runner.start("buy");
    let id = handle.id().clone();
    until_checkpoint(handle).await;
    for _ in 0..5 {
        until_checkpoint(runner.resume(&id).start().await.unwrap()).await;
    }
    let [recovered] = &runner.recover().await.unwrap()[..] else {
        panic!("there is one");
    };
    let is_parked = matches!(recovered.handle, Err(ResumeError::Parked { .. }));
    assert!(is_parked, "{recovered:?}");
}

#[tokio::test]
async fn all_runs_that_nobody_drives_are_recovered() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let mut left_over = Vec::new();
    for _ in 0..3 {
        left_over.push(left(&store, &tools).await);
    }
    let script = ScriptedModel::new((0..4).map(|_| ModelResponse::from_text("answer")));
    let runner = builder(&script, &tools, store.clone()).build().unwrap();
    let driven = runner.start("mine");
    let mut recovered = runner.recover().await.unwrap();
    recovered.sort_by(|a, b| a.run_id.cmp(&b.run_id));
    left_over.sort();
    let ids: Vec<_> = recovered.iter().map(|run| run.run_id.clone()).collect();
    assert_eq!(ids, left_over);
    for run in recovered {
        run.handle.unwrap().outcome().await.unwrap();
    }
    driven.outcome().await.unwrap();
    assert!(runner.recover().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_run_that_had_extensions_gets_them_anew() {
    struct User(String);

    let store = MemoryStore::new();
    let tool = DynamicTool::builder("who_am_i", "Says who asks.");
    let tool = tool.build(async |_: ToolCall, cx: ToolContext| {
        Ok::<_, ToolError>(cx.require::<User>()?.0.clone())
    });
    let tools = Toolset::new().with(tool.unwrap()).unwrap();
    let runner = || builder(&model([calls(&["who_am_i"])]), &tools, store.clone());
    let begins = runner().lease_time(OVER).build().unwrap().with_owner("ada");
    let mut handle = begins.with_extension(User("ada".to_owned())).start("who?");
    handle.next().await.unwrap();
    let id = handle.id().clone();
    drop(handle);

    let error = runner()
        .build()
        .unwrap()
        .resume(&id)
        .start()
        .await
        .unwrap_err();
    assert_eq!(error, ResumeError::NoExtensions);
    let runner = runner().restore_extensions(|run, runner| {
        let owner = run.owner.clone().expect("it has one");
        runner.with_extension(User(owner))
    });
    let handle = runner.build().unwrap().resume(&id).start().await.unwrap();
    let outcome = handle.outcome().await.unwrap();
    let round = outcome.tool_rounds().next().unwrap();
    assert_eq!(round.results[0].to_model_text(), "ada");
}

#[tokio::test]
async fn a_run_that_waits_for_people_is_resumed_as_often_as_one_likes() {
    let store = MemoryStore::new();
    let tool = DynamicTool::builder("ask_user", "Asks the user a question.");
    let tools = Toolset::new().with(tool.build_external().unwrap()).unwrap();
    let runner = builder(&model([calls(&["ask_user"])]), &tools, store.clone());
    let runner = runner.build().unwrap();
    let id = runner.run("ask").await.unwrap().run_id;
    // Nobody has said anything.
    assert!(runner.recover().await.unwrap().is_empty());
    for _ in 0..10 {
        let handle = runner.resume(&id).start().await.unwrap();
        let outcome = handle.outcome().await.unwrap();
        assert_eq!(outcome.finish, toolwright::run::Finish::Suspended);
        // Its store has it.
        assert_eq!((outcome.pending.len(), outcome.suspended), (1, None));
    }
    let loaded = store.load(Scope::All, &id, 0).await.unwrap();
    assert_eq!(loaded.status, RunStatus::Suspended);
}

#[tokio::test]
async fn a_run_that_is_given_up_frees_its_conversation_and_keeps_it() {
    let (tools, ran) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay"])]), &tools, store.clone());
    let runner = runner.lease_time(OVER).build().unwrap();
    let mut handle = runner
        .request("buy")
        .within(ConversationId::new("chat"))
        .start();
    let id = handle.id().clone();
    while ran.counts().0 == 0 {
        handle.next().await.unwrap();
    }
    runner.abandon(&id).await.unwrap();
    // Its driver does nothing more.
    let error = handle.outcome().await.unwrap_err();
    assert!(matches!(error.failure, toolwright::run::Failure::Store(_)));
    assert_eq!(runner.abandon(&id).await.unwrap_err(), ResumeError::IsOver);
    assert_eq!(
        runner.resume(&id).start().await.unwrap_err(),
        ResumeError::IsOver
    );

    let answers = ScriptedModel::new([ModelResponse::from_text("answer")]);
    let runner = builder(&answers, &tools, store).build().unwrap();
    let outcome = runner
        .request("again")
        .within(ConversationId::new("chat"))
        .run()
        .await
        .unwrap();
    // The question and what was done come first.
    assert_eq!(outcome.conversation.messages().len(), 4);
}
