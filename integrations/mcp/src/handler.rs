//! Requests of a client.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, Implementation, InitializeResult, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, Tool,
    },
    service::RequestContext,
};
use toolwright_core::Toolset;

use crate::{call, definition, page, service::Served};

/// A connection, or a request without one.
pub(crate) struct Handler {
    served: Arc<Served>,
}

impl Handler {
    pub(crate) fn new(served: Arc<Served>) -> Self {
        Self { served }
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
