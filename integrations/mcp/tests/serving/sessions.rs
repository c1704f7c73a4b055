//! Sessions of the protocol of 2025-11-25, of which there are not too many.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{sync::Semaphore, time::timeout};
use toolwright::{ToolError, ToolInput, tool, tool::Extension, toolset, toolset::ToolRegistry};
use toolwright_mcp::{Caller, Elicit, Elicited, HttpService, Refusal, Service, Visit};

use crate::support::serve;

/// The longest time of an answer.
const TIME: Duration = Duration::from_secs(60);

/// Wait until the gate is open.
#[tool(read_only)]
async fn wait_at_gate(#[context] Extension(gate): Extension<Arc<Semaphore>>) -> &'static str {
    gate.acquire().await.unwrap().forget();
    "open"
}

#[derive(serde::Deserialize, ToolInput)]
struct Size {
    /// The size.
    size: u8,
}

/// Ask a person for the size, in a task of its own.
#[tool(spawn)]
async fn ask_size(#[context] ask: Elicit<Size>) -> Result<String, ToolError> {
    Ok(match ask.form("Which size?").await? {
        Elicited::Accepted(Size { size }) => format!("size {size}"),
        _ => "no size".to_owned(),
    })
}

fn service(gate: &Arc<Semaphore>) -> HttpService {
    let service = Service::new(toolset![wait_at_gate, ask_size]).with_extension(Arc::clone(gate));
    service.http().owner(async |visit: Visit| {
        let token = visit.bearer();
        let token = token.ok_or_else(|| Refusal::unauthorized("sign in"))?;
        Ok(Caller::owner(token))
    })
}

/// Requests of an owner.
struct Requests {
    http: reqwest::Client,
    address: String,
    owner: &'static str,
}

impl Requests {
    fn new(address: &str, owner: &'static str) -> Self {
        let address = address.to_owned();
        let http = reqwest::Client::new();
        Self {
            http,
            address,
            owner,
        }
    }

    async fn post(&self, session: Option<&str>, body: &Value) -> reqwest::Response {
        let mut request = self.http.post(&self.address);
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        request
            .bearer_auth(self.owner)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await
            .unwrap()
    }

    async fn initialize(&self) -> reqwest::Response {
        let info = json!({"name": "many", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": info});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        self.post(None, &body).await
    }

    /// A new session.
    async fn begin(&self) -> String {
        let answer = self.initialize().await;
        assert_eq!(answer.status(), 200);
        let session = answer.headers()["mcp-session-id"].to_str().unwrap();
        let session = session.to_owned();
        answer.text().await.unwrap();
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(Some(&session), &begun).await.status(), 202);
        session
    }

    async fn is_there(&self, session: &str) -> bool {
        let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
        let answer = self.post(Some(session), &ping).await;
        let status = answer.status();
        answer.text().await.unwrap();
        assert!(status == 200 || status == 404, "{status}");
        status == 200
    }

    async fn begin_call(&self, session: &str) -> reqwest::Response {
        self.begin_call_of(session, "wait_at_gate").await
    }

    async fn begin_call_of(&self, session: &str, tool: &str) -> reqwest::Response {
        let params = json!({"name": tool, "arguments": {}});
        let body = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
        self.post(Some(session), &body).await
    }

    /// Answers a question for the size.
    async fn answer(&self, session: &str, question: &str) {
        let question: Value = serde_json::from_str(question).unwrap();
        let result = json!({"action": "accept", "content": {"size": 7}});
        let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
        assert_eq!(self.post(Some(session), &answer).await.status(), 202);
    }

    /// Comes back for what was sent after an event.
    async fn resume(&self, session: &str, last_event_id: &str) -> reqwest::Response {
        let request = self.listen(session);
        let request = request.header("last-event-id", last_event_id);
        request.send().await.unwrap()
    }

    /// The stream that is no request's.
    fn listen(&self, session: &str) -> reqwest::RequestBuilder {
        let request = self.http.get(&self.address).bearer_auth(self.owner);
        let request = request.header("accept", "text/event-stream");
        request.header("mcp-session-id", session)
    }
}

/// Reads a stream up to an event with this text, and gives the id and the data of that event.
async fn read_to(stream: &mut reqwest::Response, part: &str) -> (String, String) {
    let mut text = String::new();
    loop {
        let bytes = timeout(TIME, stream.chunk()).await.unwrap();
        text += str::from_utf8(&bytes.unwrap().unwrap()).unwrap();
        let mut events = text.split_inclusive("\n\n");
        let event = events.find(|event| event.contains(part) && event.ends_with("\n\n"));
        if let Some(event) = event {
            let field = |name| event.lines().find_map(|line| line.strip_prefix(name));
            let [id, data] = ["id:", "data:"].map(|name| field(name).unwrap().trim().to_owned());
            return (id, data);
        }
    }
}

#[tokio::test]
async fn many_sessions_of_an_owner_end_none_of_another() {
    let gate = Arc::new(Semaphore::new(0));
    let address = serve(service(&gate)).await;
    let (ada, bob) = (
        Requests::new(&address, "ada"),
        Requests::new(&address, "bob"),
    );
    let of_bob = bob.begin().await;
    // Two that are used: one by a call, and one now and then.
    let calls = ada.begin().await;
    let call = ada.begin_call(&calls).await;
    let used = ada.begin().await;
    let mut sessions = Vec::new();
    for count in 0..1_100 {
        sessions.push(ada.begin().await);
        if count % 100 == 0 {
            assert!(ada.is_there(&used).await);
        }
    }
    assert!(bob.is_there(&of_bob).await);
    assert!(bob.is_there(&bob.begin().await).await);
    for (number, session) in sessions.iter().enumerate() {
        let is_there = ada.is_there(session).await;
        assert_eq!(is_there, number >= 1_100 - 254, "{number}");
    }
    gate.add_permits(1);
    assert!(call.text().await.unwrap().contains("open"));
    assert!(ada.is_there(&calls).await);
}

#[tokio::test]
async fn a_session_for_which_there_is_no_room_is_refused() {
    let gate = Arc::new(Semaphore::new(0));
    for (max, others) in [((2, 100), 0), ((100, 3), 1)] {
        let address = serve(service(&gate).max_sessions(max.0, max.1)).await;
        let (ada, bob) = (
            Requests::new(&address, "ada"),
            Requests::new(&address, "bob"),
        );
        for _ in 0..others {
            bob.begin().await;
        }
        let mut open = Vec::new();
        for _ in 0..2 {
            let session = ada.begin().await;
            open.push(ada.begin_call(&session).await);
        }
        let refused = ada.initialize().await;
        assert_eq!(refused.status(), 429);
        let why = refused.text().await.unwrap();
        assert!(why.contains("too many sessions"), "{why}");
        // A session that is not used any more makes room.
        drop(open.pop());
        while ada.initialize().await.status() == 429 {}
    }
}

#[tokio::test]
async fn beyond_the_sessions_of_all_who_has_most_loses_one() {
    let address = serve(service(&Arc::new(Semaphore::new(0))).max_sessions(100, 4)).await;
    let (ada, bob) = (
        Requests::new(&address, "ada"),
        Requests::new(&address, "bob"),
    );
    let of_bob = bob.begin().await;
    let of_ada = [ada.begin().await, ada.begin().await, ada.begin().await];
    let second = bob.begin().await;
    assert!(!ada.is_there(&of_ada[0]).await);
    for (owner, session) in [
        (&bob, &of_bob),
        (&bob, &second),
        (&ada, &of_ada[1]),
        (&ada, &of_ada[2]),
    ] {
        assert!(owner.is_there(session).await);
    }
}

#[tokio::test]
async fn an_owner_whose_sessions_are_in_use_keeps_nobody_out() {
    let gate = Arc::new(Semaphore::new(0));
    let address = serve(service(&gate).max_sessions(100, 3)).await;
    let [ada, bob, eve] = ["ada", "bob", "eve"].map(|name| Requests::new(&address, name));
    let mut open = Vec::new();
    for _ in 0..2 {
        let session = ada.begin().await;
        open.push(ada.begin_call(&session).await);
    }
    let of_bob = bob.begin().await;
    let of_eve = eve.begin().await;
    assert!(eve.is_there(&of_eve).await);
    assert!(!bob.is_there(&of_bob).await);
}

#[tokio::test]
async fn an_answer_waits_for_a_client_whose_connection_broke() {
    let gate = Arc::new(Semaphore::new(0));
    let address = serve(service(&gate)).await;
    let ada = Requests::new(&address, "ada");
    for is_noticed in [true, false] {
        let session = ada.begin().await;
        let mut call = ada.begin_call(&session).await;
        let (last, _) = read_to(&mut call, "").await;
        // Where the connection is half open, the answer is sent to nobody.
        let half_open = (!is_noticed).then_some(call);
        gate.add_permits(1);
        for _ in 0..100 {
            assert!(ada.is_there(&session).await);
        }
        if let Some(call) = half_open {
            assert!(call.text().await.unwrap().contains("open"));
        }
        // A client that loses it again asks once more.
        for _ in 0..2 {
            let answer = ada.resume(&session, &last).await;
            assert_eq!(answer.status(), 200);
            let answer = answer.text().await.unwrap();
            assert!(answer.contains("open"), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_client_that_asks_for_what_is_not_kept_is_refused() {
    let gate = Arc::new(Semaphore::new(0));
    let address = serve(service(&gate)).await;
    let ada = Requests::new(&address, "ada");
    let session = ada.begin().await;
    for unknown in ["0/1000", "7/x", "none"] {
        let refused = ada.resume(&session, unknown).await;
        assert_eq!(refused.status(), 400);
        let why = refused.text().await.unwrap();
        assert!(why.contains("not kept"), "{why}");
    }
    assert!(ada.is_there(&session).await);
}

#[tokio::test]
async fn a_question_from_another_task_comes_in_the_stream_of_its_call() {
    let address = serve(service(&Arc::new(Semaphore::new(0)))).await;
    let ada = Requests::new(&address, "ada");
    let session = ada.begin().await;
    let mut call = ada.begin_call_of(&session, "ask_size").await;
    let (_, question) = read_to(&mut call, "elicitation/create").await;
    ada.answer(&session, &question).await;
    let (_, answer) = read_to(&mut call, "result").await;
    assert!(answer.contains("size 7"), "{answer}");
}

#[tokio::test]
async fn a_question_that_was_delivered_is_not_asked_again() {
    let address = serve(service(&Arc::new(Semaphore::new(0)))).await;
    let ada = Requests::new(&address, "ada");
    let session = ada.begin().await;
    let mut call = ada.begin_call_of(&session, "ask_size").await;
    let (last, question) = read_to(&mut call, "elicitation/create").await;
    drop(call);
    let again = ada.resume(&session, &last).await;
    ada.answer(&session, &question).await;
    let events = timeout(TIME, again.text()).await.unwrap().unwrap();
    assert!(events.contains("size 7"), "{events}");
    assert!(!events.contains("elicitation/create"), "{events}");
}

#[tokio::test]
async fn the_stream_of_the_session_goes_on_after_the_last_event() {
    let tools = ToolRegistry::new();
    let address = serve(Service::new(tools.clone()).http()).await;
    let ada = Requests::new(&address, "ada");
    let session = ada.begin().await;
    let mut stream = ada.listen(&session).send().await.unwrap();
    for number in 0..3 {
        tools.update(Ok::<_, ()>).unwrap();
        let (id, change) = read_to(&mut stream, "").await;
        assert_eq!(id, number.to_string(), "{change}");
        assert!(change.contains("list_changed"), "{change}");
        drop(stream);
        // The server reads that it is gone.
        for _ in 0..100 {
            assert!(ada.is_there(&session).await);
        }
        stream = ada.resume(&session, &id).await;
    }
}
