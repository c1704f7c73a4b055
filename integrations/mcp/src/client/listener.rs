//! What a server sends by itself.

use std::{collections::HashMap, sync::Arc};

use rmcp::{
    ClientHandler, RoleClient,
    model::{ClientConfig, Implementation, ProgressNotificationParam, ProgressToken},
    service::NotificationContext,
};
use tokio::sync::watch;
use toolwright_core::{
    driver::Mutex,
    tool::{Progress, ProgressReport},
};

/// Hands the progress of calls on. Sampling and roots are refused, as `rmcp` does by default.
#[derive(Clone, Default)]
pub(crate) struct Listener {
    calls: Arc<Mutex<HashMap<ProgressToken, Progress>>>,
    /// Counts what may have changed the tools.
    changes: watch::Sender<u64>,
}

/// Progress is handed on while it lives.
pub(crate) struct Heard {
    listener: Listener,
    token: ProgressToken,
}

impl Listener {
    pub(crate) fn hear(&self, token: ProgressToken, progress: Progress) -> Heard {
        self.calls.lock().insert(token.clone(), progress);
        let listener = self.clone();
        Heard { listener, token }
    }

    /// The tools may be others from now on.
    pub(crate) fn change(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// The number of changes so far.
    pub(crate) fn changes(&self) -> u64 {
        *self.changes.borrow()
    }

    /// The changes from now on. They end with the connection.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        self.listener.calls.lock().remove(&self.token);
    }
}

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        sent: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let progress = self.calls.lock().get(&sent.progress_token).cloned();
        let Some(progress) = progress else { return };
        let mut report = ProgressReport::new(sent.progress);
        report.total = sent.total;
        report.message = sent.message.unwrap_or_default();
        progress.report(report);
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.change();
    }

    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.client_info = Implementation::new("toolwright", env!("CARGO_PKG_VERSION"));
        info
    }
}
