//! The hook that says who calls.

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::{FutureExt as _, future::BoxFuture};
use http::StatusCode;

use crate::{Refusal, Visit};

/// Says who calls.
pub type OwnerHook<C> = Arc<dyn Fn(Visit) -> BoxFuture<'static, Result<C, Refusal>> + Send + Sync>;

/// Asks the hook who calls.
///
/// # Errors
///
/// When the hook refuses the request, or panics: it is user code, whose panic must not end the connection.
pub async fn identify<C>(hook: &OwnerHook<C>, visit: Visit) -> Result<C, Refusal> {
    let asked = AssertUnwindSafe(async { hook(visit).await });
    let caller = asked.catch_unwind().await;
    caller.unwrap_or_else(|_| {
        let message = "the caller could not be identified";
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message))
    })
}
