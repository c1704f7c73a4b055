//! Why a request about a task is refused.

use std::error::Error;

use rmcp::ErrorData;

/// There is no such task for this client: another owner may have it.
pub(super) fn unknown(id: &str) -> ErrorData {
    ErrorData::invalid_params(format!("there is no task {id}"), None)
}

/// Something failed here. The reason is for the log.
pub(super) fn internal(error: &dyn Error) -> ErrorData {
    tracing::error!(%error, "a task cannot be answered for");
    ErrorData::internal_error("the task cannot be answered for now", None)
}
