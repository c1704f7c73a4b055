//! A request to the server.

use rmcp::{
    RoleClient,
    model::{ClientRequest, ServerResult},
    service::{PeerRequestOptions, RequestHandle, ServiceError},
};

use super::line::Line;
use crate::requests::Unanswered;

/// What a server answered; `None` if it has gone. The request may have had its effect then.
pub(crate) type Answer = Option<ServerResult>;

/// Sends a request and waits for its answer.
///
/// # Cancel safety
///
/// Dropped, it is cancelled at the server.
pub(crate) async fn send(line: &Line, request: ClientRequest) -> Result<Answer, ServiceError> {
    let handle = begin(line, request).await?;
    answer(line, handle).await
}

pub(crate) async fn begin(
    line: &Line,
    request: ClientRequest,
) -> Result<RequestHandle<RoleClient>, ServiceError> {
    let options = PeerRequestOptions::no_options();
    tokio::select! {
        handle = line.peer.send_cancellable_request(request, options) => handle,
        // What still ends the connection takes no request.
        () = line.over.cancelled() => Err(ServiceError::TransportClosed),
    }
}

pub(crate) async fn answer(
    line: &Line,
    handle: RequestHandle<RoleClient>,
) -> Result<Answer, ServiceError> {
    let unanswered = Unanswered::new(&handle);
    let answer = tokio::select! {
        // What came before the end counts.
        biased;
        answer = handle.await_response() => answer.map(Some),
        () = line.over.cancelled() => Ok(None),
    };
    unanswered.end();
    answer
}
