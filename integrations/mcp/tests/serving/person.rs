//! A person at a client.

use std::sync::Arc;

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationCapability,
    },
    service::{ClientServiceExt, RequestContext, RunningService},
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};
use toolwright_mcp::Service;

use crate::support::{serve, versions};

pub(crate) type Says = dyn Fn(Value) -> (ElicitationAction, Option<Value>) + Send + Sync;

/// A person at a client, who has these ways of being asked.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) modes: Option<Value>,
    pub(crate) says: Arc<Says>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let modes = self.modes.clone().map(|modes| {
            let modes: ElicitationCapability = serde_json::from_value(modes).unwrap();
            modes
        });
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = modes;
        let mut info = ClientConfig::default();
        info.capabilities = capabilities;
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let (action, content) = (self.says)(serde_json::to_value(request).unwrap());
        let mut result = ElicitResult::new(action);
        result.content = content;
        Ok(result)
    }
}

pub(crate) fn person(
    says: impl Fn(Value) -> (ElicitationAction, Option<Value>) + Send + Sync + 'static,
) -> Person {
    Person {
        modes: Some(json!({"form": {}, "url": {}})),
        says: Arc::new(says),
    }
}

/// Clients of a person over a pipe and over HTTP, with both versions, in this order.
pub(crate) async fn clients_of(
    person: &Person,
    service: &Service,
) -> Vec<RunningService<RoleClient, Person>> {
    let address = serve(service.http()).await;
    let mut all = Vec::new();
    for version in versions() {
        let (here, there) = tokio::io::duplex(4_096);
        let service = service.clone();
        tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
        let client = person.clone();
        let client = client.serve_with_lifecycle(here, version.clone()).await;
        all.push(client.unwrap());
        let transport = StreamableHttpClientTransport::from_uri(&*address);
        let client = person.clone().serve_with_lifecycle(transport, version);
        all.push(client.await.unwrap());
    }
    all
}
