//! The paths of the server.

use std::sync::Arc;

use axum::{
    Router, middleware,
    routing::{get, post},
};
use http::StatusCode;

use crate::{app::App, chat, failure::Failure, guard::guard, tools};

/// The router of a server.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .route("/chat", post(chat::post))
        .route("/chat/{id}/stream", get(chat::stream))
        .route("/tools", get(tools::list))
        .route("/tools/{name}", get(tools::one))
        .route("/info", get(tools::info))
        .fallback(async || Failure::not_found())
        .method_not_allowed_fallback(async || {
            let message = "this is not done with that method";
            Failure::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                message,
            )
        })
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}
