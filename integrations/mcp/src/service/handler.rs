//! Requests of a client.

use std::{
    collections::HashMap,
    future::pending,
    sync::{Arc, OnceLock},
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
        CompleteResult, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
        Implementation, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ResourceUpdatedNotificationParam, ServerCapabilities,
        SubscribeRequestMethod, SubscribeRequestParams, SubscriptionFilter, Tool,
        UnsubscribeRequestMethod, UnsubscribeRequestParams, UpdateTaskParams,
    },
    service::{NotificationContext, RequestContext, ServiceError, SubscriptionContext},
};
use toolwright_core::{CancellationToken, ToolChanges, driver::Mutex};

use super::{
    Served, call, caller, page, task,
    updates::{Changes, Watched},
};

/// A connection, or a request without one.
pub(crate) struct Handler {
    served: Arc<Served>,
    /// Cancelled when the connection is over.
    over: CancellationToken,
    /// Set when the changes of the tools are sent.
    followed: OnceLock<()>,
    /// The resources that the client watches.
    watched: Watched,
    /// Set when their changes are sent.
    watching: OnceLock<()>,
    /// What [`listen`](Self::listen) tells, by the task of its request. `rmcp` acknowledges the request in between.
    begun: Mutex<HashMap<tokio::task::Id, (ToolChanges, Option<Changes>)>>,
}

impl Drop for Handler {
    fn drop(&mut self) {
        self.over.cancel();
    }
}

impl Handler {
    pub(crate) fn new(served: Arc<Served>) -> Self {
        let over = CancellationToken::new();
        Self {
            served,
            over,
            followed: OnceLock::new(),
            watched: Watched::default(),
            watching: OnceLock::new(),
            begun: Mutex::default(),
        }
    }
}

/// A change that cannot be sent ends nothing: the next one is told to a client that is still there.
fn note(sent: Result<(), ServiceError>) {
    if let Err(error) = sent {
        tracing::debug!(%error, "a client is not told of a change");
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> InitializeResult {
        let Served { name, version, .. } = &*self.served;
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let has_prompts = !self.served.prompts.is_empty();
        let has_resources = !self.served.resources.is_empty();
        capabilities.prompts = has_prompts.then(Default::default);
        capabilities.resources = has_resources.then(Default::default);
        if let Some(resources) = &mut capabilities.resources {
            resources.subscribe = self.served.updates.as_ref().map(|_| true);
        }
        capabilities.completions = (has_prompts || has_resources).then(Default::default);
        if self.served.tasks.has_store() {
            capabilities.extensions = Some([task::extension()].into());
        }
        let mut info = InitializeResult::new(capabilities)
            .with_server_info(Implementation::new(name, version));
        info.instructions.clone_from(&self.served.instructions);
        info
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.served.tools_for(&context);
        let definitions: Vec<_> = tools.definitions().collect();
        let page = page::of(&definitions, self.served.page, request, |tool| &tool.name)?;
        let names = page.items.iter();
        let listed = names.filter_map(|tool| self.served.shown(&tool.name));
        let listed: Vec<Tool> = listed.collect();
        let mut list = ListToolsResult::with_all_items(listed);
        list.next_cursor = page.next;
        Ok(list.with_ttl_ms(self.served.fresh_ms()))
    }

    /// The schema by which headers are checked: it is not shown.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.served.shown(name)
    }

    /// Tells each change of the tools. Clients of the newer protocol [listen](Self::listen) instead.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.followed.get_or_init(|| {
            let (mut changes, over) = (self.served.tools.changes(), self.over.clone());
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        () = over.cancelled() => return,
                        () = changes.next() => {}
                    }
                    note(context.peer.notify_tool_list_changed().await);
                }
            });
        });
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let Some(updates) = &self.served.updates else {
            return Err(ErrorData::method_not_found::<SubscribeRequestMethod>());
        };
        self.watched.add(&self.served, request.uri)?;
        self.watching.get_or_init(|| {
            let mut updates = updates.follow().of(caller::owner(&context));
            let (watched, over) = (self.watched.clone(), self.over.clone());
            tokio::spawn(async move {
                loop {
                    let changed = tokio::select! {
                        () = over.cancelled() => return,
                        changed = updates.next(&watched) => changed,
                    };
                    for address in changed {
                        let change = ResourceUpdatedNotificationParam::new(address);
                        note(context.peer.notify_resource_updated(change).await);
                    }
                }
            });
        });
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.served.updates.is_none() {
            return Err(ErrorData::method_not_found::<UnsubscribeRequestMethod>());
        }
        self.watched.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        if let Some(task) = tokio::task::try_id() {
            self.begun.lock().insert(task, self.served.changes());
        }
        let resources = requested.resource_subscriptions.as_deref();
        let resources = self.served.watchable(resources.unwrap_or_default());
        let accepted = SubscriptionFilter::builder().tools_list_changed();
        Some(accepted.resource_subscriptions(resources).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let (accepted, sink) = (context.accepted(), context.sink());
        let has_tools = accepted.tools_list_changed == Some(true);
        let resources = accepted.resource_subscriptions.iter().flatten().cloned();
        let watched: Watched = resources.collect();
        let begun = tokio::task::try_id().and_then(|task| self.begun.lock().remove(&task));
        let (mut tools, updates) = begun.unwrap_or_else(|| self.served.changes());
        let owner = caller::owner(context.request_context());
        let mut updates = updates.map(|updates| updates.of(owner));
        loop {
            let changed = async {
                match &mut updates {
                    Some(updates) => updates.next(&watched).await,
                    None => pending().await,
                }
            };
            let sent = tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = tools.next(), if has_tools => sink.notify_tool_list_changed().await,
                changed = changed => {
                    let mut sent = Ok(());
                    for address in changed {
                        sent = sent.and(sink.notify_resource_updated(address).await);
                    }
                    sent
                }
            };
            if sent.is_err() {
                return Ok(());
            }
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tools = self.served.tools_for(&context);
        if tools.find(&request.name).is_none() {
            let unknown = format!("Unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(unknown, None));
        }
        if let Some(task) = self.served.begin_task(&tools, &request, &context).await? {
            return Ok(task);
        }
        call::run(&self.served, tools, request, context).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.served.list_prompts(request)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.served.get_prompt(request, &context).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.served.list_resources(request)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.served.list_templates(request)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.served.read_resource(request, &context).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.served.complete(&request)
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.served.get_task(request, &context).await
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.served.update_task(request, &context).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.served.cancel_task(request, &context).await
    }
}
