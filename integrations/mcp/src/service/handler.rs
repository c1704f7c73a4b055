//! Requests of a client.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, Implementation, InitializeResult, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, SubscriptionFilter, Tool,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use toolwright_core::{CancellationToken, Toolset};

use super::{Served, call, definition, page};

/// A connection, or a request without one.
pub(crate) struct Handler {
    served: Arc<Served>,
    /// Cancelled when the connection is over.
    over: CancellationToken,
}

impl Drop for Handler {
    fn drop(&mut self) {
        self.over.cancel();
    }
}

impl Handler {
    pub(crate) fn new(served: Arc<Served>) -> Self {
        let over = CancellationToken::new();
        Self { served, over }
    }

    /// The tools that a client may call, as they are now.
    fn tools(&self) -> Toolset {
        let granted = self.served.options.calls.granted();
        let tools = self.served.tools.snapshot();
        tools
            .granted(granted)
            .filtered(|_, policy| !policy.external)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> InitializeResult {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let Served { name, version, .. } = &*self.served;
        let mut info = InitializeResult::new(capabilities)
            .with_server_info(Implementation::new(name, version));
        info.instructions.clone_from(&self.served.instructions);
        info
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools();
        let definitions: Vec<_> = tools.definitions().collect();
        let cursor = request.and_then(|request| request.cursor);
        let size = self.served.page.get();
        let page = page::of(&definitions, size, cursor.as_deref(), |tool| &tool.name)?;
        let listed: Vec<Tool> = page.items.iter().map(|tool| definition::of(tool)).collect();
        let mut list = ListToolsResult::with_all_items(listed);
        list.next_cursor = page.next;
        Ok(list.with_ttl_ms(u64::try_from(self.served.fresh.as_millis()).unwrap_or(u64::MAX)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tools = self.tools();
        let tool = tools.find(name)?;
        Some(definition::of(tool.definition()))
    }

    /// Tells each change of the tools. Clients of the newer protocol [listen](Self::listen) instead.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (mut changes, over) = (self.served.tools.changes(), self.over.clone());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = over.cancelled() => return,
                    () = changes.next() => {}
                }
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    fn accepted_subscription_filter(
        &self,
        _requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.served.tools.changes();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = changes.next() => {}
            }
            if context.sink().notify_tool_list_changed().await.is_err() {
                return Ok(());
            }
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tools = self.tools();
        if tools.find(&request.name).is_none() {
            let unknown = format!("Unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(unknown, None));
        }
        call::run(&self.served, tools, request, context).await
    }
}
