use std::time::{Duration, SystemTime};

use futures_util::FutureExt;

use super::MemoryStore;
use crate::{
    run::RunId,
    store::{NewRun, RunInfo, Store},
};

#[tokio::test]
async fn who_waits_no_more_leaves_nothing() {
    let (store, run) = (MemoryStore::new(), RunId::new("run"));
    let info = RunInfo::new(run.clone(), "runner", SystemTime::now());
    let new = NewRun::new(info, Vec::new());
    let created = store.create(&new, Duration::from_secs(60)).await;
    created.expect("a run");
    for _ in 0..3 {
        let waited = store.wait_for_inbox(&run, 0).now_or_never();
        assert!(waited.is_none(), "nothing came");
        assert!(store.lock().waiting.is_empty());
    }
}
