//! A run below that only a newer program can read.

use std::sync::OnceLock;

use toolwright::{
    run::{StoreError, StoreErrorKind},
    store::LoadedRun,
};

use super::{
    super::delegated::{Done, delegated},
    *,
};

/// A store in memory with one run that it cannot read.
#[derive(Clone, Default)]
struct Newer {
    store: MemoryStore,
    run: Arc<OnceLock<RunId>>,
}

impl Store for Newer {
    delegated!(create append lease inbox renew conversation others);

    fn load<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, from: u64) -> Done<'a, LoadedRun> {
        Box::pin(async move {
            if self.run.get() == Some(run) {
                return Err(StoreError::new(
                    StoreErrorKind::Newer,
                    "it is of a newer program",
                ));
            }
            self.store.load(scope, run, from).await
        })
    }
}

/// The run above takes the decision, and cannot know which of its calls it is for.
#[tokio::test]
async fn a_decision_waits_for_a_program_that_can_read_its_run() {
    let (store, ran) = (Newer::default(), Ran::default());
    let outcome = deep(store.clone(), &ran).run("buy").await.expect("waits");
    let (top, below) = (outcome.run_id, outcome.pending[0].run_id.clone());
    store.run.set(below.clone()).expect("it is not set");
    say(&store.store, &top, outcome.pending[0].approve()).await;
    let again = deep(store.clone(), &ran).resume(&top).start().await;
    drop(again.expect("it goes on").outcome().await);
    let inbox = store.store.inbox(Scope::All, &below, 0).await;
    let [received] = <[_; 1]>::try_from(inbox.expect("it is there")).expect("the decision");
    let InboxContent::Resolution(resolution) = received.item.content() else {
        panic!("{received:?}");
    };
    assert_eq!(resolution, &outcome.pending[0].approve());
    assert_eq!(ran.counts().0, 0);
}
