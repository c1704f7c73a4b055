//! The paths of the server.

use std::sync::Arc;

use axum::{
    Router, middleware,
    routing::{get, post},
};
use http::StatusCode;

use crate::{
    access::guard,
    app::App,
    chat,
    failure::Failure,
    runs::{self, Cancel, Push},
    tools,
};
#[cfg(feature = "playground")]
use crate::{access::guard_page, page};

/// The router of a server.
pub(crate) fn router<S>(app: &Arc<App>) -> Router<S> {
    let router = Router::new()
        .route("/chat", get(chat::list).post(chat::post))
        .route(
            "/chat/{id}",
            get(chat::whole).patch(chat::rename).delete(chat::delete),
        )
        .route("/chat/{id}/export", get(chat::export))
        .route("/chat/{id}/cancel", post(runs::to_chat::<Cancel>))
        .route("/chat/{id}/messages", post(runs::to_chat::<Push>))
        .route("/chat/{id}/stream", get(chat::stream))
        .route("/runs", get(runs::list))
        .route("/runs/{id}", get(runs::one))
        .route("/runs/{id}/log", get(runs::entries))
        .route("/runs/{id}/stream", get(runs::stream))
        .route("/runs/{id}/events", get(runs::events))
        .route("/runs/{id}/fixture", get(runs::file))
        .route("/runs/{id}/cancel", post(runs::to_run::<Cancel>))
        .route("/runs/{id}/messages", post(runs::to_run::<Push>))
        .route("/runs/{id}/decisions", post(runs::decide))
        .route("/runs/{id}/answers", post(runs::answer))
        .route("/tools", get(tools::list))
        .route("/tools/{name}", get(tools::one))
        .route("/tools/{name}/call", post(tools::call))
        .route("/info", get(tools::info))
        .fallback(async || Failure::not_found())
        .method_not_allowed_fallback(async || {
            let message = "method not allowed";
            Failure::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                message,
            )
        })
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard));
    #[cfg(feature = "playground")]
    let router = if app.playground {
        let guard = middleware::from_fn_with_state(Arc::clone(app), guard_page);
        router.merge(page::routes(Router::new()).layer(guard))
    } else {
        router
    };
    router.with_state(Arc::clone(app))
}
