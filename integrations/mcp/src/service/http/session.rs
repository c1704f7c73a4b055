//! Sessions of the protocol of 2025-11-25, each of which belongs to an owner.
//!
//! The id that a client gets has a mark of its owner, which only this process can make: a request of another owner with the
//! id is refused, and nothing is kept for it.

use std::{
    hash::{BuildHasher, RandomState},
    sync::Arc,
};

use http::{HeaderMap, HeaderValue, StatusCode};
use toolwright_http_access::Refusal;

use super::Answer;
use crate::service::caller::Caller;

/// The header of the id.
const ID: &str = "mcp-session-id";

#[derive(Clone, Default)]
pub(super) struct Sessions(Arc<RandomState>);

impl Sessions {
    /// Checks that a session is that of the caller.
    pub(super) fn check(&self, headers: &mut HeaderMap, caller: &Caller) -> Result<(), Refusal> {
        let Some(shown) = headers.get(ID) else {
            return Ok(());
        };
        let id = shown.to_str().ok().and_then(|shown| {
            let (id, mark) = shown.rsplit_once('.')?;
            (mark == self.mark_of(id, caller)).then_some(id)
        });
        let id = id.and_then(|id| HeaderValue::from_str(id).ok());
        // As for a session that has ended: the client begins another one.
        let id = id.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "unknown session"))?;
        headers.insert(ID, id);
        Ok(())
    }

    /// Marks the session of a response.
    pub(super) fn mark(&self, answer: &mut Answer, caller: &Caller) {
        let Some(Ok(id)) = answer.headers().get(ID).map(HeaderValue::to_str) else {
            return;
        };
        let shown = format!("{id}.{}", self.mark_of(id, caller));
        if let Ok(shown) = HeaderValue::from_str(&shown) {
            answer.headers_mut().insert(ID, shown);
        }
    }

    fn mark_of(&self, id: &str, caller: &Caller) -> String {
        format!("{:016x}", self.0.hash_one((id, caller.id())))
    }
}
