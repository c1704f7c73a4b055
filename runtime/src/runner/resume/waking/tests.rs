use std::time::Duration;

use tokio::sync::mpsc;

use super::*;
use crate::{
    store::{InboxItem, MemoryStore, Scope, Store},
    testing::ScriptedModel,
};
use toolwright_core::{DynamicTool, ModelResponse, ToolCall, ToolError, ToolPolicy, Toolset};

fn runner(store: &MemoryStore) -> Runner {
    let pay = DynamicTool::builder("pay", "Pays what somebody is owed.");
    let pay = pay.policy(ToolPolicy::default().with_approval());
    let pay = pay.build(|_: ToolCall, _| async { Ok::<_, ToolError>("paid") });
    let tools = Toolset::new().with(pay.expect("is sound"));
    let call = ModelResponse::from_calls([ToolCall::new("", "pay", "{}")]);
    let model = ScriptedModel::new([call, ModelResponse::from_text("Done.")]);
    let builder = Runner::builder(model).tools(tools.expect("is the only one"));
    let builder = builder.suspends().store("pays", store.clone());
    builder.build().expect("is consistent")
}

/// Another process holds the run when the item comes, and lets it go without having taken it.
#[tokio::test(start_paused = true)]
async fn a_run_is_woken_when_its_holder_lets_it_go() {
    let store = MemoryStore::new();
    let runner = runner(&store);
    let outcome = runner.run("Pay.").await.expect("is suspended");
    let run = outcome.run_id;
    let loaded = store.load(Scope::All, &run, 0).await.expect("is there");
    let approval = InboxContent::Resolution(loaded.pending[0].approve());
    let lease = store.lease(Scope::All, &run, Duration::from_secs(30));
    let lease = lease.await.expect("is free");
    let approval = InboxItem::new(approval);
    let put = store.put(Scope::All, &run, &approval);
    put.await.expect("is not over");
    let (send, mut received) = mpsc::unbounded_channel();
    for _ in 0..2 {
        let send = send.clone();
        let woken = runner.wake(&run, move |handle| drop(send.send(handle)));
        assert!(!woken.await.expect("is held"));
    }
    received.try_recv().expect_err("is held");
    store.release(&lease).await.expect("is held");
    let handle = received.recv().await.expect("is resumed");
    let outcome = handle.outcome().await.expect("is no failure");
    assert_eq!(outcome.text, "Done.");
    // Both have woken it, and it goes on once.
    drop(send);
    assert!(received.recv().await.is_none());
    let over = runner.wake(&run, drop).await;
    assert!(matches!(over, Err(ResumeError::IsOver)), "{over:?}");
}
