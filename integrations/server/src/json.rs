//! JSON in responses.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header::CONTENT_TYPE};
use serde::Serialize;

use crate::failure::Failure;

/// A response of JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Failure> {
    with_status(StatusCode::OK, value)
}

/// A response of JSON to what others do later.
pub(crate) fn accepted(value: &impl Serialize) -> Result<Response, Failure> {
    with_status(StatusCode::ACCEPTED, value)
}

fn with_status(status: StatusCode, value: &impl Serialize) -> Result<Response, Failure> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|_| Failure::internal("the answer cannot be written as JSON"))?;
    let json = HeaderValue::from_static("application/json");
    Ok((status, [(CONTENT_TYPE, json)], text).into_response())
}
