use std::net::SocketAddr;

use reqwest::{Method, StatusCode, header};
use rmcp::{
    model::CallToolRequestParams,
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Value, json};
use toolwright::{
    ToolContext,
    dispatch::CallOptions,
    tool,
    tool::{Capabilities, Extension, ExtensionRef},
    toolset,
};
use toolwright_mcp::{
    Caller, HttpService, ProtectedResource, Refusal, Service, ServiceError, Visit,
};
use tower_service::Service as _;

use crate::support::{Client, serve, texts, versions};

#[derive(Clone)]
struct Tenant(&'static str);

/// Say who asks.
#[tool(read_only)]
fn who_asks(
    #[context] caller: ExtensionRef<'_, Caller>,
    #[context] Extension(tenant): Extension<Tenant>,
    #[context] cx: &ToolContext,
) -> String {
    assert_eq!(cx.owner(), Some(caller.id()));
    format!("{} of {}", caller.id(), tenant.0)
}

/// Write into the database.
#[tool(requires(database))]
fn write_note() -> &'static str {
    "written"
}

/// Fetch a page of another machine.
#[tool(requires(network))]
fn fetch_page() -> &'static str {
    "fetched"
}

fn service() -> HttpService {
    // The token is `<owner> <scope>…`.
    let hook = async |visit: Visit| {
        let token = visit
            .bearer()
            .ok_or_else(|| Refusal::unauthorized("sign in"))?;
        let mut words = token.split(',');
        match words.next() {
            Some("stranger") | None => Err(Refusal::unauthorized("the token is not known")),
            Some("banned") => Err(Refusal::forbidden("you were banned")),
            Some("broken") => panic!("the hook is broken"),
            Some(owner) => Ok(Caller::owner(owner)
                .with_scopes(words)
                .with_extension(Tenant("babel"))),
        }
    };
    let about = ProtectedResource::new("https://notes.example.com/mcp").unwrap();
    let about = about
        .authorization_server("https://auth.example.com")
        .scopes(["notes:read"]);
    let calls = CallOptions::new().with_granted(Capabilities::DATABASE | Capabilities::NETWORK);
    Service::new(toolset![who_asks, write_note, fetch_page])
        .calls(calls)
        .with_extension(Tenant("nobody"))
        .scope("notes:write", Capabilities::DATABASE)
        .http()
        .owner(hook)
        .protected(about)
}

async fn clients(address: &str, token: &str) -> Vec<Client> {
    let mut all = Vec::new();
    for version in versions() {
        let config = StreamableHttpClientTransportConfig::with_uri(address).auth_header(token);
        let transport = StreamableHttpClientTransport::from_config(config);
        all.push(Client::over(transport, version, None).await);
    }
    all
}

async fn post(address: &str, headers: &[(&str, &str)], body: &Value) -> reqwest::Response {
    let mut request = reqwest::Client::new()
        .post(address)
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header(header::CONTENT_TYPE, "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(body.to_string()).send().await.unwrap()
}

fn challenge(answer: &reqwest::Response) -> &str {
    answer.headers()[header::WWW_AUTHENTICATE].to_str().unwrap()
}

const METADATA: &str =
    r#"resource_metadata="https://notes.example.com/.well-known/oauth-protected-resource/mcp""#;

#[tokio::test]
async fn a_tool_sees_who_asks() {
    let address = serve(service()).await;
    for client in clients(&address, "ada").await {
        let result = client.call("who_asks", json!({})).await;
        assert_eq!(texts(&result), ["ada of babel"]);
    }
}

#[tokio::test]
async fn a_scope_grants_what_it_stands_for() {
    let address = serve(service()).await;
    for (token, expected) in [
        ("ada", &["who_asks", "fetch_page"][..]),
        ("ada,notes:write", &["who_asks", "write_note", "fetch_page"]),
    ] {
        for client in clients(&address, token).await {
            let tools = client.running.list_all_tools().await.unwrap();
            let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
            assert_eq!(names, expected);
            let call = CallToolRequestParams::new("write_note");
            let result = client.running.call_tool(call).await;
            assert_eq!(result.is_ok(), expected.len() == 3, "{result:?}");
        }
    }
}

#[tokio::test]
async fn a_call_without_the_scope_says_which_one() {
    let address = serve(service()).await;
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "write_note"},
    });
    let answer = post(&address, &[("authorization", "Bearer ada")], &call).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let expected = format!(r#"Bearer error="insufficient_scope", scope="notes:write", {METADATA}"#);
    assert_eq!(challenge(&answer), expected);
}

#[tokio::test]
async fn a_request_without_a_token_is_refused() {
    let address = serve(service()).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let answer = post(&address, &[], &list).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let expected = format!(r#"Bearer scope="notes:read", {METADATA}"#);
    assert_eq!(challenge(&answer), expected);
    let answer = post(&address, &[("authorization", "Bearer stranger")], &list).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert!(challenge(&answer).contains(r#"error="invalid_token""#));
    for (token, status) in [("Bearer banned", 403), ("Bearer broken", 500)] {
        let answer = post(&address, &[("authorization", token)], &list).await;
        assert_eq!(answer.status(), status);
    }
}

#[tokio::test]
async fn the_metadata_are_at_their_path() {
    let http = service();
    let path = http.metadata_path();
    assert_eq!(path, "/.well-known/oauth-protected-resource/mcp");
    let address = serve(http).await;
    let metadata = address.replace("/mcp", &path);
    let metadata = reqwest::get(metadata).await.unwrap().text().await.unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&metadata).unwrap(),
        json!({
            "resource": "https://notes.example.com/mcp",
            "authorization_servers": ["https://auth.example.com"],
            "scopes_supported": ["notes:read", "notes:write"],
            "bearer_methods_supported": ["header"],
        })
    );
}

#[tokio::test]
async fn a_session_belongs_to_its_owner() {
    let address = serve(service()).await;
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    });
    let answer = post(&address, &[("authorization", "Bearer ada")], &initialize).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let session = answer.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    for (token, status) in [
        ("Bearer ada", StatusCode::ACCEPTED),
        ("Bearer bob", StatusCode::NOT_FOUND),
    ] {
        let headers = [("authorization", token), ("mcp-session-id", &*session)];
        assert_eq!(post(&address, &headers, &begun).await.status(), status);
    }
}

#[tokio::test]
async fn another_origin_has_to_be_allowed() {
    let http = service().allow_origin("https://App.example.com/").unwrap();
    let address = serve(http).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (origin, status) in [
        ("https://app.example.com", StatusCode::UNAUTHORIZED),
        ("https://evil.example.com", StatusCode::FORBIDDEN),
    ] {
        let answer = post(&address, &[("origin", origin)], &list).await;
        assert_eq!(answer.status(), status);
        let allowed = answer.headers().get(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        assert_eq!(allowed.is_some(), status == StatusCode::UNAUTHORIZED);
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
        assert_eq!(
            answer.headers()["cross-origin-resource-policy"],
            "same-origin"
        );
        assert_eq!(answer.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(answer.headers()[header::VARY], "origin");
    }
    let two = ["https://app.example.com", "https://evil.example.com"].map(|it| ("origin", it));
    let answer = post(&address, &two, &list).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let preflight = reqwest::Client::new()
        .request(Method::OPTIONS, &address)
        .header(header::ORIGIN, "https://app.example.com")
        .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST");
    assert_eq!(
        preflight.send().await.unwrap().status(),
        StatusCode::NO_CONTENT
    );
}

#[test]
fn an_origin_that_no_page_has_is_refused() {
    for origin in [
        "*",
        "https://*",
        "app.example",
        "https://a/b",
        "https://u@a",
    ] {
        let refused = service().allow_origin(origin).map(drop);
        assert_eq!(refused, Err(ServiceError::Origin(origin.to_owned())));
    }
}

/// Browsers fetch the metadata for a page that signs somebody in, and ask before they send a header of the protocol.
#[tokio::test]
async fn pages_of_each_origin_read_the_metadata() {
    let address = serve(service()).await;
    let metadata = address.replace("/mcp", &service().metadata_path());
    let preflight = reqwest::Client::new()
        .request(Method::OPTIONS, &metadata)
        .header(header::ORIGIN, "https://inspector.example")
        .header(header::ACCESS_CONTROL_REQUEST_METHOD, "GET")
        .header(
            header::ACCESS_CONTROL_REQUEST_HEADERS,
            "mcp-protocol-version",
        );
    let answer = preflight.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let headers = answer.headers();
    assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
    assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_METHODS], "GET");
    assert_eq!(
        headers[header::ACCESS_CONTROL_ALLOW_HEADERS],
        "mcp-protocol-version"
    );
    let get = reqwest::Client::new().get(&metadata);
    let get = get.header(header::ORIGIN, "https://inspector.example");
    let answer = get.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
}

#[tokio::test]
async fn without_the_hook_another_machine_is_refused() {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (peer, is_refused) in [
        ("10.0.0.1:1", true),
        ("127.0.0.1:1", false),
        ("[::ffff:127.0.0.1]:1", false),
    ] {
        let request = http::Request::post("http://localhost/mcp")
            .header(header::HOST, "localhost")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header(header::CONTENT_TYPE, "application/json")
            .extension(peer.parse::<SocketAddr>().unwrap())
            .body(list.to_string());
        let mut http = Service::new(toolset![write_note]).http();
        let answer = http.call(request.unwrap()).await.unwrap();
        assert_eq!(answer.status() == 403, is_refused, "{peer}");
    }
}

#[tokio::test]
async fn without_the_hook_a_proxy_is_refused() {
    let address = serve(Service::new(toolset![write_note]).http()).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (name, value) in [
        ("forwarded", "for=10.0.0.1"),
        ("via", "1.1 proxy"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x-real-ip", "10.0.0.1"),
        ("x-client-ip", "10.0.0.1"),
        ("true-client-ip", "10.0.0.1"),
        ("cf-connecting-ip", "10.0.0.1"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let answer = post(&address, &[(name, value)], &list).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{name}");
    }
}

#[test]
fn a_resource_has_an_address() {
    for address in ["", "/mcp", "notes.example.com"] {
        ProtectedResource::new(address).unwrap_err();
    }
}
