//! The connection that listens.

use std::time::Duration;

use tokio::sync::broadcast::Sender;

use super::Change;
use crate::connection::Target;

/// How long to wait before another attempt to connect.
const PAUSE: Duration = Duration::from_secs(1);

/// Says what other stores tell, for ever.
pub(super) async fn listen(target: Target, heard: Sender<Change>) {
    loop {
        // Without a connection those who wait look by themselves.
        if let Ok((_session, mut notifications)) = target.listening(true).await {
            let _ = heard.send(Change::Any);
            while let Some(notification) = notifications.recv().await {
                let run = notification.payload().parse();
                let _ = heard.send(run.map_or(Change::Any, Change::Run));
            }
            let _ = heard.send(Change::Any);
        }
        tokio::time::sleep(PAUSE).await;
    }
}
