//! What a server sends by itself.

#![expect(deprecated, reason = "sampling and roots are deprecated, and refused")]

use std::{collections::HashMap, sync::Arc};

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
        ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode,
        FormElicitationCapability, Implementation, JsonObject, ListRootsResult,
        ProgressNotificationParam, ProgressToken, UrlElicitationCapability,
    },
    service::{NotificationContext, RequestContext},
    transport::EXTENSION_OAUTH_CLIENT_CREDENTIALS,
};
use tokio::sync::watch;
use toolwright_core::{
    driver::Mutex,
    tool::{Progress, ProgressReport},
};

use super::asking::{Asking, Unasked};

/// Hands on the progress of calls, and the questions for a person.
#[derive(Clone, Default)]
pub(crate) struct Listener {
    /// The calls of a connection. Another one has the same tokens for its own.
    calls: Arc<Mutex<HashMap<ProgressToken, Progress>>>,
    /// Counts what may have changed the tools.
    changes: watch::Sender<u64>,
    pub(crate) asking: Asking,
    /// Whether the program gets its tokens for itself.
    pub(crate) acts_alone: bool,
}

/// Progress is handed on while it lives.
pub(crate) struct Heard {
    listener: Listener,
    token: ProgressToken,
}

impl Listener {
    /// The listener of another connection.
    pub(crate) fn of_connection(&self) -> Self {
        Self {
            calls: Arc::default(),
            ..self.clone()
        }
    }

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

fn refused(why: &Unasked) -> ErrorData {
    ErrorData::new(
        ErrorCode::METHOD_NOT_FOUND,
        format!("refused: the server wants {why}"),
        None,
    )
}

impl ClientHandler for Listener {
    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        tokio::select! {
            answer = self.asking.ask(asked, None) => match answer {
                // The server was told that people can be asked, and not that its version of the protocol does it otherwise.
                Err(Unasked::Nobody) if self.asking.is_in_runs() => {
                    Ok(ElicitResult::new(ElicitationAction::Cancel))
                }
                answer => answer.map_err(|why| refused(&why)),
            },
            () = context.ct.cancelled() => Err(refused(&Unasked::Nobody)),
        }
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(refused(&Unasked::Sampling))
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Err(refused(&Unasked::Roots))
    }

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
        info.capabilities = ClientCapabilities::builder().enable_tasks().build();
        if self.asking.is_possible() {
            let forms = FormElicitationCapability::default();
            let asks = ElicitationCapability::new().with_form(forms);
            let asks = asks.with_url(UrlElicitationCapability::default());
            info.capabilities.elicitation = Some(asks);
        }
        if self.acts_alone {
            let extensions = info.capabilities.extensions.get_or_insert_default();
            let name = EXTENSION_OAUTH_CLIENT_CREDENTIALS.to_owned();
            extensions.insert(name, JsonObject::new());
        }
        info.client_info = Implementation::new("toolwright", env!("CARGO_PKG_VERSION"));
        info
    }
}
