//! A request to the server.

use rmcp::{
    RoleClient,
    model::{CancelledNotificationParam, ClientRequest, RequestId, ServerResult},
    service::{Peer, PeerRequestOptions, RequestHandle, ServiceError},
};

use super::line::Line;

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
    let mut unanswered = Unanswered(Some((line.peer.clone(), handle.id.clone())));
    let answer = tokio::select! {
        // What came before the end counts.
        biased;
        answer = handle.await_response() => answer.map(Some),
        () = line.over.cancelled() => Ok(None),
    };
    unanswered.0 = None;
    answer
}

/// A request without an answer. Dropped, because the call was cancelled or is late, it tells the server.
struct Unanswered(Option<(Peer<RoleClient>, RequestId)>);

impl Drop for Unanswered {
    fn drop(&mut self) {
        let Some((peer, id)) = self.0.take() else {
            return;
        };
        let reason = Some("the call was cancelled".to_owned());
        let sent = CancelledNotificationParam::new(Some(id), reason);
        // Dropped by the end of the runtime, there is nobody to send it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { peer.notify_cancelled(sent).await });
        }
    }
}
