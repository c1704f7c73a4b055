//! A damaged run in the pages of a list.

use std::time::{Duration, SystemTime};

use toolwright::{
    run::RunId,
    store::{NewRun, RunFilter, Scope, Store, StoreErrorKind},
};

use crate::sample;

/// Three runs, a minute between each two: a list has them by their times.
pub(crate) fn three_runs() -> [NewRun; 3] {
    let mut created = SystemTime::UNIX_EPOCH;
    ["older", "r", "newer"].map(|id| {
        let mut run = sample::run(id);
        run.info.created = created;
        created += Duration::from_secs(60);
        run
    })
}

/// Checks that the second of three runs, which is damaged, is listed beside the others and has a place in the pages.
pub(crate) async fn is_listed_beside_the_others(store: &impl Store, damaged: &RunId, damage: &str) {
    let mut filter = RunFilter::default();
    // So many runs and damaged ones are in each page.
    for (limit, pages) in [
        (1, vec![(1, 0), (0, 1), (1, 0)]),
        (2, vec![(1, 1), (1, 0)]),
        (3, vec![(2, 1)]),
    ] {
        filter.limit = limit;
        filter.after = None;
        for expected in pages {
            let page = store
                .list(Scope::All, &filter)
                .await
                .expect("runs are listed");
            let counts = (page.items.len(), page.damaged.len());
            assert_eq!(counts, expected, "{damage}, in pages of {limit}");
            for error in page.damaged {
                assert_eq!(error.kind, StoreErrorKind::Corrupt, "{damage}: {error}");
                assert_eq!(error.run_id.as_ref(), Some(damaged), "{damage}");
            }
            filter.after = page.next;
        }
        assert_eq!(filter.after, None, "{damage}, in pages of {limit}");
    }
}
