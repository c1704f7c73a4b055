//! Reads a part of a request.

use std::fmt::Display;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::failure::Failure;

/// What an extractor of axum reads of a request. What it refuses is answered as JSON, as all else is.
pub(crate) struct Read<T>(pub(crate) T);

impl<S, T> FromRequestParts<S> for Read<T>
where
    S: Sync,
    T: FromRequestParts<S, Rejection: Display>,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let read = T::from_request_parts(parts, state).await;
        read.map(Self)
            .map_err(|refused| Failure::bad_request(refused.to_string()))
    }
}
