//! rmcp's router calls its tools without the protocol, but with a peer of a connection: it has one that nothing is sent
//! over.

use rmcp::{
    RoleServer, ServerHandler,
    handler::server::{router::tool::ToolRouter, tool::ToolCallContext, wrapper::Parameters},
    model::{CallToolRequestParams, CallToolResponse, ContentBlock, JsonObject, RequestId},
    service::{RequestContext, RunningService, serve_directly},
    tool, tool_router,
};

use crate::types::{self, BookTrip};

struct Server;

impl ServerHandler for Server {}

#[tool_router]
impl Server {
    #[tool(description = "Book a trip.")]
    async fn book_trip(&self, Parameters(trip): Parameters<BookTrip>) -> String {
        serde_json::to_string(&types::book(trip).await).expect("is JSON")
    }
}

pub struct Tools {
    router: ToolRouter<Server>,
    running: RunningService<RoleServer, Server>,
    _client: tokio::io::DuplexStream,
}

impl Tools {
    /// On a runtime: it spawns the connection.
    pub async fn new() -> Self {
        let (server, client) = tokio::io::duplex(4096);
        Self {
            router: Server::tool_router(),
            running: serve_directly(Server, server, None),
            _client: client,
        }
    }

    pub async fn call(&self, args: &str) -> String {
        let args: JsonObject = serde_json::from_str(args).expect("is an object");
        let params = CallToolRequestParams::new("book_trip").with_arguments(args);
        let id = RequestId::Number(1);
        let context = RequestContext::new(id, self.running.peer().clone());
        let context = ToolCallContext::new(self.running.service(), params, context);
        let result = match self.router.call(context).await {
            Ok(CallToolResponse::Complete(result)) => result,
            other => panic!("{other:?}"),
        };
        match result.content.into_iter().next() {
            Some(ContentBlock::Text(text)) => text.text,
            other => panic!("{other:?}"),
        }
    }
}
