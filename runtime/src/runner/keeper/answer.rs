//! How long a run that is to stop waits for its store.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};
use tokio::time::sleep;

use crate::store::no_answer;
use toolwright_core::run::StoreError;

/// The least time that a store has for an answer to a run that is to stop: others may write before it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The answer of the store to a run that may be to stop. Once that is so, it is waited for as long as the calls have to end,
/// and for ten seconds.
pub(in crate::runner) async fn until_given_up<T>(
    answer: impl Future<Output = Result<T, StoreError>>,
    is_to_stop: impl Future<Output = ()>,
    grace: Duration,
) -> Result<T, StoreError> {
    let given_up = async {
        is_to_stop.await;
        sleep(grace.max(PATIENCE)).await;
    };
    match select(pin!(answer), pin!(given_up)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(no_answer()),
    }
}
