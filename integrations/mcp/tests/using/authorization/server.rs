//! A server whose tools need a person, with its authorization server, at one address of this machine.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::StatusCode,
    middleware::{Next, from_fn},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::{net::TcpListener, sync::Notify};
use toolwright::{
    ToolContext, ToolError, dispatch::CallOptions, store::MemoryStore, tool, tool::Capabilities,
    toolset,
};
use toolwright_mcp::{Authorization, Caller, ProtectedResource, Refusal, Service, Visit};

/// The secret of the program `notes`.
pub(crate) const SECRET: &str = "hidden-own";

pub(crate) type Form = HashMap<String, String>;

/// Read a note.
#[tool(read_only)]
fn read_note() -> &'static str {
    "read"
}

/// Write a note.
#[tool(requires(database))]
fn write_note() -> &'static str {
    "written"
}

/// Copy all notes, until the call is cancelled.
#[tool(read_only)]
async fn copy_notes(#[context] cx: &ToolContext) -> Result<(), ToolError> {
    cx.require::<Arc<Notify>>()?.notify_one();
    cx.cancelled().await;
    Ok(())
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: String,
    /// Told when notes are copied.
    pub(crate) copies: Arc<Notify>,
    /// Told when the authorization server has answered.
    pub(crate) answered: Arc<Notify>,
    state: Arc<Mutex<State>>,
}

/// What the server has seen and how it behaves.
#[derive(Default)]
pub(crate) struct State {
    /// Addresses that a person has opened.
    pub(crate) consents: Vec<Form>,
    pub(crate) registrations: Vec<Value>,
    /// Requests for tokens.
    pub(crate) grants: Vec<Form>,
    /// Messages to the resource.
    pub(crate) messages: Vec<String>,
    /// Requests to the resource, by their tokens.
    pub(crate) visits: Vec<Option<String>>,
    /// Valid tokens, with their scopes.
    pub(crate) tokens: HashMap<String, Vec<String>>,
    pub(crate) refresh_tokens: Vec<String>,
    codes: HashMap<String, Form>,
    count: u32,
    pub(crate) behaviour: Behaviour,
}

/// What is not as it should be.
#[derive(Default)]
pub(crate) struct Behaviour {
    pub(crate) denies: bool,
    /// Each request needs a token with this scope.
    pub(crate) wants: Option<&'static str>,
    /// Tokens have the scope `notes:read` alone, whatever a person grants.
    pub(crate) grants_no_more: bool,
    /// In the place of the members of the answer for a token.
    pub(crate) answer: Option<Value>,
    /// Tokens are refused by the resource.
    pub(crate) issues_nothing: bool,
    /// Answers requests for tokens with this error.
    pub(crate) busy: Option<&'static str>,
    pub(crate) lifetime: Option<u64>,
    pub(crate) issuer_sent_back: Option<String>,
    /// In the place of the members of the metadata of the authorization server.
    pub(crate) metadata: Option<Value>,
    /// In the place of the metadata.
    pub(crate) raw_metadata: Option<Vec<u8>>,
    pub(crate) moved_to: Option<String>,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::naming("").await
    }

    /// A server that names this path of its own as its authorization server.
    pub(crate) async fn naming(path: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = Self {
            address: address.clone(),
            copies: Arc::default(),
            answered: Arc::default(),
            state: Arc::default(),
        };
        let about = ProtectedResource::new(&server.resource()).unwrap();
        let about = about
            .authorization_server(format!("{address}{path}"))
            .scopes(["notes:read"]);
        let visited = server.clone();
        let http = Service::new(toolset![read_note, write_note, copy_notes])
            .store("tests", MemoryStore::new())
            .only_as_task("copy_notes")
            .with_extension(Arc::clone(&server.copies))
            .calls(CallOptions::new().with_granted(Capabilities::DATABASE))
            .scope("notes:write", Capabilities::DATABASE)
            .http()
            .owner(move |visit: Visit| {
                let admitted = visited.admit(visit.bearer());
                async move { admitted }
            })
            .protected(about);
        let (asked, heard) = (server.clone(), server.clone());
        let hear = move |request: Request, next: Next| {
            let server = heard.clone();
            async move { next.run(server.hear(request).await).await }
        };
        let router = Router::new()
            .route_service(&http.metadata_path(), http.clone())
            .nest_service("/mcp", http)
            .layer(from_fn(hear))
            .fallback(move |request: Request| {
                let server = asked.clone();
                async move { server.answer(request).await }
            });
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    pub(crate) fn resource(&self) -> String {
        format!("{}/mcp", self.address)
    }

    pub(crate) fn with<T>(&self, what: impl FnOnce(&mut State) -> T) -> T {
        what(&mut self.state.lock().unwrap())
    }

    /// An authorisation of a program that acts for itself.
    pub(crate) fn program(&self) -> Authorization {
        Authorization::client_credentials(self.resource())
            .registered(&self.address, "notes")
            .secret(SECRET)
    }

    /// An authorisation whose person opens each page at once, and says yes.
    pub(crate) fn authorization(&self) -> Authorization {
        Authorization::new(self.resource(), Authorization::LOOPBACK).browser(|address| {
            let address = address.to_owned();
            tokio::spawn(async move { open(&address).await });
        })
    }

    fn admit(&self, token: Option<&str>) -> Result<Caller, Refusal> {
        self.with(|state| {
            state.visits.push(token.map(str::to_owned));
            let token = token.ok_or_else(|| Refusal::unauthorized("sign in"))?;
            let scopes = state.tokens.get(token);
            let scopes = scopes.ok_or_else(|| Refusal::unauthorized("sign in again"))?;
            if let Some(wanted) = state.behaviour.wants
                && !scopes.iter().any(|scope| scope == wanted)
            {
                return Err(Refusal::insufficient_scope([wanted]));
            }
            Ok(Caller::owner("ada").with_scopes(scopes.clone()))
        })
    }

    async fn hear(&self, request: Request) -> Request {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let message = String::from_utf8(body.to_vec()).unwrap();
        self.with(|state| state.messages.push(message));
        Request::from_parts(head, body.into())
    }

    async fn answer(&self, request: Request) -> Response {
        let (head, body) = request.into_parts();
        let query = form(head.uri.query().unwrap_or_default());
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let answer = self.with(|state| match head.uri.path() {
            "/.well-known/oauth-authorization-server" | "/.well-known/elsewhere" => {
                state.metadata(&self.address)
            }
            "/authorize" => state.authorize(&self.address, query),
            "/register" => state.register(&body),
            "/token" => state.token(&form(std::str::from_utf8(&body).unwrap())),
            _ => StatusCode::NOT_FOUND.into_response(),
        });
        self.answered.notify_one();
        answer
    }
}

impl State {
    fn metadata(&self, address: &str) -> Response {
        if let Some(moved) = &self.behaviour.moved_to {
            return Redirect::temporary(moved).into_response();
        }
        if let Some(raw) = &self.behaviour.raw_metadata {
            return Body::from(raw.clone()).into_response();
        }
        let mut metadata = json!({
            "issuer": address,
            "authorization_endpoint": format!("{address}/authorize"),
            "token_endpoint": format!("{address}/token"),
            "registration_endpoint": format!("{address}/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        });
        replace(&mut metadata, self.behaviour.metadata.as_ref());
        json_of(StatusCode::OK, &metadata)
    }

    fn authorize(&mut self, address: &str, query: Form) -> Response {
        let mut back = Url::parse(&query["redirect_uri"]).unwrap();
        let issuer = self
            .behaviour
            .issuer_sent_back
            .as_deref()
            .unwrap_or(address);
        back.query_pairs_mut()
            .append_pair("state", &query["state"])
            .append_pair("iss", issuer);
        if self.behaviour.denies {
            back.query_pairs_mut()
                .append_pair("error", "access_denied")
                .append_pair("error_description", "Ada said no");
        } else {
            let code = self.made("code");
            back.query_pairs_mut().append_pair("code", &code);
            self.codes.insert(code, query.clone());
        }
        self.consents.push(query);
        Redirect::to(back.as_str()).into_response()
    }

    fn register(&mut self, body: &[u8]) -> Response {
        let asked: Value = serde_json::from_slice(body).unwrap();
        let id = self.made("client");
        let answer = json!({
            "client_id": id, "client_secret": "secret-of-client", "redirect_uris": asked["redirect_uris"],
        });
        self.registrations.push(asked);
        json_of(StatusCode::CREATED, &answer)
    }

    fn token(&mut self, asked: &Form) -> Response {
        self.grants.push(asked.clone());
        if let Some(busy) = self.behaviour.busy {
            return json_of(StatusCode::BAD_REQUEST, &json!({"error": busy}));
        }
        let refused = || json_of(StatusCode::BAD_REQUEST, &json!({"error": "invalid_grant"}));
        let scopes = if asked["grant_type"] == "authorization_code" {
            let Some(consent) = self.codes.remove(&asked["code"]) else {
                return refused();
            };
            let challenge = Sha256::digest(asked["code_verifier"].as_bytes());
            let is_proven = consent["code_challenge"] == URL_SAFE_NO_PAD.encode(challenge);
            let is_same = asked.get("resource") == consent.get("resource")
                && asked.get("redirect_uri") == consent.get("redirect_uri");
            if !is_proven || !is_same || consent["code_challenge_method"] != "S256" {
                return refused();
            }
            consent.get("scope").cloned().unwrap_or_default()
        } else if asked["grant_type"] == "client_credentials" {
            let is_known = asked.get("client_id").is_some_and(|id| id == "notes")
                && asked.get("client_secret").is_some_and(|it| it == SECRET);
            if !is_known {
                return json_of(
                    StatusCode::UNAUTHORIZED,
                    &json!({
                        "error": "invalid_client",
                        "error_description": asked.get("client_secret"),
                    }),
                );
            }
            asked.get("scope").cloned().unwrap_or_default()
        } else {
            let used = &asked["refresh_token"];
            let Some(place) = self.refresh_tokens.iter().position(|it| it == used) else {
                return refused();
            };
            self.refresh_tokens.remove(place);
            "notes:read notes:write".to_owned()
        };
        let scopes = if self.behaviour.grants_no_more {
            "notes:read".to_owned()
        } else {
            scopes
        };
        let token = self.made("access");
        if !self.behaviour.issues_nothing {
            let scopes = scopes.split_whitespace().map(str::to_owned).collect();
            self.tokens.insert(token.clone(), scopes);
        }
        let lifetime = self.behaviour.lifetime.unwrap_or(3600);
        let mut answer = json!({
            "access_token": token, "token_type": "Bearer", "scope": scopes, "expires_in": lifetime,
        });
        replace(&mut answer, self.behaviour.answer.as_ref());
        if asked["grant_type"] != "client_credentials" {
            let refresh = self.made("refresh");
            answer["refresh_token"] = refresh.clone().into();
            self.refresh_tokens.push(refresh);
        }
        json_of(StatusCode::OK, &answer)
    }

    fn made(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("hidden-{kind}-{}", self.count)
    }
}

/// What a browser does with an address: it follows where it is sent.
pub(crate) async fn open(address: &str) {
    let back = sent_back(address).await;
    reqwest::get(back).await.unwrap();
}

/// Where the authorization server sends the browser.
pub(crate) async fn sent_back(address: &str) -> String {
    // One is there already, if another test was first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let answer = client.build().unwrap().get(address).send().await.unwrap();
    answer.headers()["location"].to_str().unwrap().to_owned()
}

fn form(text: &str) -> Form {
    let url = Url::parse(&format!("http://localhost/?{text}")).unwrap();
    url.query_pairs().into_owned().collect()
}

fn replace(object: &mut Value, members: Option<&Value>) {
    for (key, value) in members.iter().flat_map(|it| it.as_object().unwrap()) {
        object[key] = value.clone();
    }
}

fn json_of(status: StatusCode, value: &Value) -> Response {
    let headers = [("content-type", "application/json")];
    (status, headers, value.to_string()).into_response()
}
