//! Runs that cannot go on, or not by themselves.

use toolwright::{
    run::{ResumeError, StoreErrorKind},
    runner::OnChanged,
    store::RunStatus,
};

use super::*;

/// A run whose process is gone before its first response.
async fn left(store: &MemoryStore, tools: &Toolset) -> RunId {
    let runner = builder(&model([]), tools, store.clone()).lease_time(OVER);
    let mut handle = runner.build().unwrap().start("buy");
    handle.next().await.unwrap();
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
    let first = runner.resume(&id).await.unwrap();
    let second = runner.resume(&id).await.unwrap_err();
    assert_eq!(kind(&second), Some(StoreErrorKind::Held));
    first.outcome().await.unwrap();
    let third = runner.resume(&id).await.unwrap_err();
    assert_eq!(third, ResumeError::IsOver);
}

#[tokio::test]
async fn a_run_that_is_not_there_or_has_no_store_is_refused() {
    let (tools, _) = tools();
    let id = RunId::new("nobody");
    let runner = builder(&model([]), &tools, MemoryStore::new())
        .build()
        .unwrap();
    let error = runner.resume(&id).await.unwrap_err();
    assert_eq!(kind(&error), Some(StoreErrorKind::NotFound));
    let runner = Runner::builder(model([])).build().unwrap();
    let error = runner.resume(&id).await.unwrap_err();
    assert_eq!(error, ResumeError::NoStore);
}

#[tokio::test]
async fn tools_that_have_changed_are_told_by_name() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let id = left(&store, &tools).await;
    let fewer = tools.filtered(|tool, _| tool.name != "pay");
    let runner = builder(&model([]), &fewer, store.clone());
    let error = runner.build().unwrap().resume(&id).await.unwrap_err();
    let names = vec!["pay".to_owned()];
    assert_eq!(error, ResumeError::ToolsChanged { names });
    // It is free for somebody who takes it as it is.
    let runner = builder(&model([]), &fewer, store).on_changed_tools(OnChanged::Proceed);
    let handle = runner.build().unwrap().resume(&id).await.unwrap();
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
        let mut handle = runner.resume(&id).await.unwrap();
        handle.next().await.expect("it goes on");
    }
    let [recovered] = &runner.recover().await.unwrap()[..] else {
        panic!("there is one");
    };
    let Err(ResumeError::Parked { reason }) = &recovered.handle else {
        panic!("{recovered:?}");
    };
    assert!(reason.contains('5'), "{reason}");
    let loaded = store.load(&id, 0).await.unwrap();
    assert!(matches!(loaded.status, RunStatus::Parked { .. }));
    assert!(runner.recover().await.unwrap().is_empty());
    // Whoever asks for it by its id tries it again.
    let handle = runner.resume(&id).await.unwrap();
    assert_eq!(handle.outcome().await.unwrap().text, "answer");
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
