//! Whole runs, kept in one file.

use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::{
    ModelResponse, Runner, ToolCall,
    store::{RunFilter, RunStatus, Scope, SqliteStore, Store},
    testing::ScriptedModel,
    tool, toolset,
};

use crate::folder::Folder;

const RUNS: usize = 50;

static BOOKED: AtomicUsize = AtomicUsize::new(0);

/// Book a table for the user.
#[tool]
async fn book_table(people: u32) -> String {
    BOOKED.fetch_add(1, Ordering::Relaxed);
    format!("a table for {people} is booked")
}

#[tokio::test(flavor = "multi_thread")]
async fn many_runs_share_a_file() {
    let folder = Folder::new();
    let stores = [
        SqliteStore::open(folder.file()).await.unwrap(),
        SqliteStore::open(folder.file()).await.unwrap(),
    ];
    let runs = (0..RUNS).map(|number| {
        let store = stores[number % 2].clone();
        tokio::spawn(async move {
            let call = ToolCall::new("1", "book_table", r#"{"people": 2}"#);
            let model = ScriptedModel::new([
                ModelResponse::from_calls([call]),
                ModelResponse::from_text("It is booked."),
            ]);
            let runner = Runner::builder(model)
                .tools(toolset![book_table])
                .store("bookings", store)
                .build()
                .unwrap();
            let owner = format!("owner {}", number % 5);
            let outcome = runner.with_owner(owner).run("A table for two.").await;
            assert_eq!(outcome.unwrap().text, "It is booked.");
        })
    });
    for run in runs.collect::<Vec<_>>() {
        run.await.unwrap();
    }
    assert_eq!(BOOKED.load(Ordering::Relaxed), RUNS);

    let mut filter = RunFilter::default();
    filter.runner = Some("bookings".to_owned());
    let listed = stores[0]
        .list(Scope::Owner("owner 3"), &filter)
        .await
        .unwrap();
    assert_eq!(listed.items.len(), RUNS / 5);
    for run in listed.items {
        assert_eq!(run.status, RunStatus::Finished);
        let loaded = stores[1]
            .load(Scope::All, &run.info.run_id, 0)
            .await
            .unwrap();
        assert_eq!(loaded.entries.len() as u64, run.entries);
    }
}
