//! Runs of sub-agents, which go with the run at their top.

use std::collections::BTreeMap;

use super::{RunFilter, RunStatus, Scope, Store, StoreError, StoreErrorKind, listing::ROOT};
use toolwright_core::run::RunId;

/// Deletes a run that is over, after those below it.
pub(super) async fn delete<S: Store + ?Sized>(
    store: &S,
    scope: Scope<'_>,
    run: &RunId,
) -> Result<(), StoreError> {
    let top = match store.load(scope, run, u64::MAX).await {
        Ok(loaded) if !loaded.status.is_over() => return Err(StoreError::in_use(run)),
        Ok(loaded) => loaded.info.top(),
        // One that is damaged says nothing, and is deleted first if it is over.
        Err(error) if is_damaged(&error) => {
            store.delete_run(scope, run).await?;
            None
        }
        Err(error) => return Err(error),
    };
    for (below, status) in runs_below((store, scope), top.as_ref().unwrap_or(run), run).await? {
        if !status.is_over() {
            unless_gone(store.abandon(scope, &below).await)?;
        }
        unless_gone(store.delete_run(scope, &below).await)?;
    }
    unless_gone(store.delete_run(scope, run).await)
}

fn is_damaged(error: &StoreError) -> bool {
    matches!(error.kind, StoreErrorKind::Corrupt | StoreErrorKind::Newer)
}

/// Somebody else may be faster.
fn unless_gone(done: Result<(), StoreError>) -> Result<(), StoreError> {
    match done {
        Err(error)
            if matches!(
                error.kind,
                StoreErrorKind::NotFound | StoreErrorKind::RunIsOver
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}

/// The runs below a run, of all that are below the one at the top.
async fn runs_below<S: Store + ?Sized>(
    (store, scope): (&S, Scope<'_>),
    top: &RunId,
    run: &RunId,
) -> Result<Vec<(RunId, RunStatus)>, StoreError> {
    let mut filter = RunFilter::default();
    filter.labels.insert(ROOT.to_owned(), top.to_string());
    let (mut all, mut parents) = (Vec::new(), BTreeMap::new());
    loop {
        let page = store.list(scope, &filter).await?;
        for below in page.items {
            if let Some((parent, _)) = below.info.parent() {
                parents.insert(below.info.run_id.clone(), parent);
            }
            all.push((below.info.run_id, below.status));
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => break,
        }
    }
    all.retain(|(below, _)| {
        let mut above = std::iter::successors(parents.get(below), |above| parents.get(*above));
        // Labels that form a circle belong to no run.
        above
            .by_ref()
            .take(parents.len() + 1)
            .any(|above| above == run)
    });
    Ok(all)
}
