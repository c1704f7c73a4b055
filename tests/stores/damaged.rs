//! A damaged run in the pages of a list.

use toolwright::{
    run::RunId,
    store::{RunFilter, Store, StoreErrorKind},
};

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
            let page = store.list(&filter).await.expect("runs are listed");
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
