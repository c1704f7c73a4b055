//! What is written, and when.

use tokio::sync::Semaphore;
use toolwright::{
    ChatModel, OpenAiChat,
    emulation::{Emulated, ToolEmulation},
    model::Retry,
    runner::RunEvent,
    store::{Append, Lease, RunFilter, RunInfo, RunStatus, Scope},
};

use super::{
    delegated::{Done, delegated},
    *,
};

#[tokio::test]
async fn a_run_is_kept_with_all_its_records() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay", "look"])]), &tools, store.clone());
    let runner = runner.build().unwrap().with_owner("ada");
    let mut handle = runner.request("buy").label("shop", "7").start();
    let (id, mut read) = (handle.id().clone(), Vec::new());
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            read.push(record);
        }
    }
    assert_eq!(log(&store, &id).await, read);
    assert!(matches!(read.last(), Some(Record::Finished { .. })));

    let filter = RunFilter::default();
    let [run] = &store
        .list(Scope::Owner("ada"), &filter)
        .await
        .unwrap()
        .items[..]
    else {
        panic!("there is one run");
    };
    assert_eq!((&run.info.run_id, &run.info.runner[..]), (&id, "tests"));
    assert_eq!(run.info.labels["shop"], "7");
    assert_eq!(run.info.tools.len(), 2);
    assert_eq!((&run.status, run.held_until), (&RunStatus::Finished, None));
}

#[tokio::test]
async fn settings_hold_whatever_is_set_first() {
    let store = MemoryStore::new();
    let runner = Runner::builder(model([])).lease_time(Duration::from_secs(600));
    let mut handle = runner
        .store("tests", store.clone())
        .build()
        .unwrap()
        .start("buy");
    handle.next().await.unwrap();
    let until = store
        .load(Scope::All, handle.id(), 0)
        .await
        .unwrap()
        .held_until;
    let soon = std::time::SystemTime::now() + Duration::from_secs(500);
    assert!(until.unwrap() > soon);
}

/// Somebody who reads the events stalls for longer than the lease holds, and another driver takes the run.
#[tokio::test(start_paused = true)]
async fn a_driver_that_has_slept_starts_nothing() {
    let (tools, ran) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay"])]), &tools, store.clone());
    let mut asleep = runner.build().unwrap().start("buy");
    loop {
        let event = asleep.next().await.unwrap();
        if let RunEvent::Recorded { record, .. } = event
            && matches!(record, Record::CallStarted { .. })
        {
            break;
        }
    }
    release(&store, asleep.id()).await;
    let elsewhere = builder(&model([]), &tools, store.clone()).build().unwrap();
    let handle = elsewhere.resume(asleep.id()).start().await.unwrap();
    assert_eq!(handle.outcome().await.unwrap().text, "answer");
    tokio::time::advance(Duration::from_secs(31)).await;
    let error = asleep.outcome().await.unwrap_err();
    assert!(matches!(error.failure, toolwright::run::Failure::Store(_)));
    assert_eq!(ran.counts(), (0, 0));
}

/// A store with one place: whoever appends keeps others from extending their lease.
struct OnePlace {
    store: MemoryStore,
    place: Arc<Semaphore>,
}

impl Store for OnePlace {
    delegated!(create lease inbox load conversation others);

    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        Box::pin(async move {
            let _place = self.place.acquire().await.expect("it is open");
            tokio::task::yield_now().await;
            self.store.append(lease, append).await
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease, time: Duration) -> Done<'a, Lease> {
        Box::pin(async move {
            let _place = self.place.acquire().await.expect("it is open");
            self.store.renew(lease, time).await
        })
    }
}

/// Nobody polls a run for longer than its lease holds, while an append is under way that holds what the renewal needs.
#[tokio::test(start_paused = true)]
async fn a_driver_that_has_slept_in_an_append_goes_on() {
    let (tools, ran) = tools();
    let (store, place) = (MemoryStore::new(), Arc::new(Semaphore::new(1)));
    let store = OnePlace {
        store,
        place: Arc::clone(&place),
    };
    let runner = builder(&model([calls(&["pay"])]), &tools, store);
    let mut handle = runner.build().unwrap().start("buy");
    while place.available_permits() > 0 {
        let _ = futures_util::FutureExt::now_or_never(handle.next());
    }
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!(handle.outcome().await.unwrap().text, "answer");
    assert_eq!(ran.counts(), (1, 0));
}

#[tokio::test]
async fn nobody_reads_what_is_not_written() {
    let (tools, _) = tools();
    let store = MemoryStore::new();
    let runner = builder(&model([calls(&["pay", "look"])]), &tools, store.clone());
    let mut handle = runner.build().unwrap().start("buy");
    let id = handle.id().clone();
    let mut records = 0;
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { sequence, record } = event {
            let written = log(&store, &id).await;
            assert_eq!(written[usize::try_from(sequence).unwrap()], record);
            records += 1;
        }
    }
    assert!(records > 6);
}

#[tokio::test]
async fn a_call_that_writes_starts_when_its_start_is_written() {
    let store = MemoryStore::new();
    let seen = store.clone();
    let pay = DynamicTool::builder("pay", "Does something that is counted.");
    let pay = pay.build(move |_: ToolCall, _| {
        let store = seen.clone();
        async move {
            let runs = store
                .list(Scope::All, &RunFilter::default())
                .await
                .unwrap()
                .items;
            let log = log(&store, &runs[0].info.run_id).await;
            let starts = |record: &&Record| matches!(record, Record::CallStarted { .. });
            Ok::<_, ToolError>(log.iter().filter(starts).count().to_string())
        }
    });
    let tools = Toolset::new().with(pay.unwrap()).unwrap();
    let runner = builder(&model([calls(&["pay"])]), &tools, store)
        .build()
        .unwrap();
    // Also where nobody reads the events.
    let outcome = runner.run("buy").await.unwrap();
    let round = outcome.tool_rounds().next().unwrap();
    assert_eq!(round.results[0].to_model_text(), "1");
}

/// A model in others is still the same model.
#[tokio::test]
async fn the_name_of_the_model_is_kept() {
    let store = MemoryStore::new();
    let named = || OpenAiChat::new("gpt-9", "a key");
    let wrapped = Retry::new(Emulated::new(Arc::new(named()), ToolEmulation::Force));
    assert_eq!(wrapped.name(), Some("gpt-9"));
    for (model, name) in [
        (Arc::new(wrapped) as Arc<dyn ChatModel>, Some("gpt-9")),
        (Arc::new(model([])), None),
    ] {
        let runner = Runner::builder(model)
            .store("tests", store.clone())
            .build()
            .unwrap();
        let mut handle = runner.start("hello");
        handle.next().await.unwrap();
        let runs = store
            .list(Scope::All, &RunFilter::default())
            .await
            .unwrap()
            .items;
        let info = runs.into_iter().map(|run| run.info);
        let info = info.into_iter().find(|info| info.run_id == *handle.id());
        assert_eq!(info.unwrap().model.as_deref(), name);
    }
}

/// What older programs wrote has no name of a model.
#[test]
fn what_is_known_of_a_run_is_read_without_what_came_later() {
    let text = r#"{"run_id": "run", "runner": "tests",
        "created": {"secs_since_epoch": 5, "nanos_since_epoch": 0}}"#;
    let info: RunInfo = serde_json::from_str(text).unwrap();
    assert_eq!((info.runner.as_str(), info.model), ("tests", None));
}
