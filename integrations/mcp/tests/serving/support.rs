//! A client in this process.

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
        ElicitRequestParams, ElicitResult, ElicitationAction, ProgressNotificationParam,
        ProtocolVersion,
    },
    service::{
        ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RunningService,
    },
    transport::{IntoTransport, StreamableHttpClientTransport},
};
use serde_json::Value;
use tokio::{net::TcpListener, sync::mpsc};
use toolwright_mcp::{HttpService, Service};

/// Keeps the progress that it is told, and answers for a person.
pub(crate) struct Listener {
    progress: mpsc::UnboundedSender<ProgressNotificationParam>,
    changes: mpsc::UnboundedSender<()>,
    person: Option<ElicitationAction>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        if self.person.is_some() {
            info.capabilities = ClientCapabilities::builder().enable_elicitation().build();
        }
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            panic!("it is a form")
        };
        assert!(
            message.contains("delete_file") && message.contains("a.txt"),
            "{message}"
        );
        Ok(ElicitResult::new(self.person.clone().unwrap()))
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changes.send(()).unwrap();
    }

    async fn on_progress(
        &self,
        report: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.progress.send(report).unwrap();
    }
}

pub(crate) struct Client {
    pub(crate) running: RunningService<RoleClient, Listener>,
    pub(crate) progress: mpsc::UnboundedReceiver<ProgressNotificationParam>,
    pub(crate) changes: mpsc::UnboundedReceiver<()>,
}

/// With a handshake, and without one.
pub(crate) fn versions() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover { preferred_versions },
    ]
}

/// Clients of both versions, each over a pipe and over HTTP.
pub(crate) async fn clients(service: &Service) -> Vec<Client> {
    let address = serve(service.http()).await;
    let mut all = Vec::new();
    for version in versions() {
        all.push(Client::begin(service.clone(), version.clone(), None).await);
        let transport = StreamableHttpClientTransport::from_uri(&*address);
        all.push(Client::over(transport, version, None).await);
    }
    all
}

/// Serves over HTTP, and gives the address.
pub(crate) async fn serve(http: HttpService) -> String {
    // Clients of `reqwest` want one, also without TLS, where a package of the build asks for TLS.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let metadata = http.metadata_path();
    let router = axum::Router::new()
        .nest_service("/mcp", http.clone())
        .route_service(&metadata, http);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/mcp")
}

impl Client {
    pub(crate) async fn of(service: Service) -> Self {
        let [_, newest] = versions();
        Self::begin(service, newest, None).await
    }

    pub(crate) async fn begin(
        service: Service,
        version: ClientLifecycleMode,
        person: Option<ElicitationAction>,
    ) -> Self {
        let (here, there) = tokio::io::duplex(4_096);
        tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
        Self::over(here, version, person).await
    }

    pub(crate) async fn over<T, E, A>(
        transport: T,
        version: ClientLifecycleMode,
        person: Option<ElicitationAction>,
    ) -> Self
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let (send, progress) = mpsc::unbounded_channel();
        let (send_change, changes) = mpsc::unbounded_channel();
        let listener = Listener {
            progress: send,
            changes: send_change,
            person,
        };
        let running = listener.serve_with_lifecycle(transport, version);
        let running = running.await.unwrap();
        Self {
            running,
            progress,
            changes,
        }
    }

    pub(crate) async fn call(&self, name: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object")
        };
        let call = CallToolRequestParams::new(name).with_arguments(arguments);
        self.running.call_tool(call).await.unwrap()
    }
}

/// The texts of a result.
pub(crate) fn texts(result: &CallToolResult) -> Vec<&str> {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|text| text.text.as_str()).collect()
}
