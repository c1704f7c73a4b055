//! Changes of a server's tools, which the newer protocol tells to those that listen.

use rmcp::{
    model::{ServerNotification, SubscriptionFilter},
    service::ServiceError,
};

use super::{backoff::Backoff, line::Line, listener::Listener};

/// Listens as long as the connection lasts, if the server tells changes so. In the older protocol they are notifications,
/// which the [`Listener`] gets by itself.
pub(crate) fn announce(line: &Line, listener: &Listener) {
    let Some(server) = line.peer.peer_info() else {
        return;
    };
    let tools = server.capabilities.tools.as_ref();
    let tells = tools.and_then(|tools| tools.list_changed) == Some(true);
    if !tells || server.protocol_version.has_initialize() {
        return;
    }
    let (line, listener) = (line.clone(), listener.clone());
    tokio::spawn(async move {
        let over = line.over.clone();
        tokio::select! {
            () = over.cancelled() => {}
            () = listen(line, listener) => {}
        }
    });
}

async fn listen(line: Line, listener: Listener) {
    let mut backoff = Backoff::default();
    loop {
        backoff.wait().await;
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        match line.peer.listen(filter).await {
            Ok(mut subscription) => {
                // What changed before it stood was told to nobody.
                listener.change();
                while let Ok(Some(told)) = subscription.next().await {
                    if matches!(told, ServerNotification::ToolListChangedNotification(_)) {
                        listener.change();
                    }
                }
            }
            // It has no subscriptions.
            Err(ServiceError::McpError(_)) => return,
            Err(error) => tracing::debug!(%error, "the changes of a server are not heard"),
        }
    }
}
