//! What a request brings.

use axum::extract::Request;
use http::{
    StatusCode,
    header::{CONTENT_LENGTH, CONTENT_TYPE},
};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use tokio::time::timeout;

use crate::{app::App, bodies::WholeBody, failure::Failure};

/// Reads the body of a request, which is JSON.
pub(crate) async fn read(app: &App, request: Request) -> Result<WholeBody, Failure> {
    let headers = request.headers();
    let kind = headers.get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    // A page of another origin can send no such type without asking first.
    if !essence.eq_ignore_ascii_case("application/json") {
        let message = "the body has to be `application/json`";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Failure::new(status, "unsupported_media_type", message));
    }
    let max = app.limits.body_bytes;
    let length = headers.get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > max as u64) {
        return Err(Failure::too_long(max));
    }
    let body = app.bodies.read(request.into_body());
    timeout(app.limits.body_time, body)
        .await
        .unwrap_or_else(|_| {
            let message =
                "the body was sent too slowly, or too many bodies are being read: try again";
            let status = StatusCode::REQUEST_TIMEOUT;
            Err(Failure::new(status, "too_slow", message))
        })
}

/// Reads the body of a request as a value.
pub(crate) async fn read_as<T: DeserializeOwned>(
    app: &App,
    request: Request,
) -> Result<T, Failure> {
    let body = read(app, request).await?;
    serde_json::from_slice(&body)
        .map_err(|error| Failure::bad_request(format!("invalid body: {error}")))
}

/// The page of a list that is asked for.
#[derive(Deserialize)]
pub(crate) struct PageQuery {
    #[serde(default, deserialize_with = "filled")]
    pub(crate) after: Option<String>,
    #[serde(default, deserialize_with = "filled")]
    limit: Option<String>,
}

impl PageQuery {
    /// The most items of the page.
    pub(crate) fn limit(&self, app: &App) -> Result<usize, Failure> {
        let limit = number(self.limit.as_deref(), "limit")?;
        let limit = limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        Ok(limit.clamp(1, app.limits.page.max(1)))
    }
}

/// A number of a query.
pub(crate) fn number(text: Option<&str>, name: &str) -> Result<Option<u64>, Failure> {
    let number = text.map(str::parse).transpose();
    number.map_err(|_| Failure::bad_request(format!("`{name}` must be an integer of at least 0")))
}

/// A text that is not empty.
pub(crate) fn filled<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.filter(|text| !text.is_empty()))
}
