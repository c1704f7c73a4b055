use futures_util::future::join_all;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use super::{call, deep, initialize, request, service, text};
use crate::support::serve;

/// A client of one of the versions of the protocol.
struct Requests {
    http: Client,
    address: String,
    /// The session of the older one.
    session: Option<String>,
}

/// Clients of both versions.
async fn clients(address: &str) -> [Requests; 2] {
    let mut clients = [(); 2].map(|()| Requests {
        http: Client::new(),
        address: address.to_owned(),
        session: None,
    });
    let begun = clients[0].raw(initialize().to_string()).send().await;
    let begun = begun.unwrap();
    let session = begun.headers()["mcp-session-id"].to_str().unwrap();
    clients[0].session = Some(session.to_owned());
    begun.text().await.unwrap();
    let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    clients[0].raw(done.to_string()).send().await.unwrap();
    clients
}

impl Requests {
    fn raw(&self, body: impl Into<reqwest::Body>) -> RequestBuilder {
        let request = self.http.post(&self.address).body(body);
        let request = request
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        match &self.session {
            Some(session) => request.header("mcp-session-id", session),
            None => request,
        }
    }

    /// A request as its version has it.
    fn message(&self, mut message: Value) -> RequestBuilder {
        if self.session.is_some() {
            return self.raw(message.to_string());
        }
        message["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "hostile", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let request = self.raw(message.to_string());
        let request = request.header("mcp-protocol-version", "2026-07-28");
        let request = request.header("mcp-method", message["method"].as_str().unwrap());
        match message["params"]["name"].as_str() {
            Some(name) => request.header("mcp-name", name),
            None => request,
        }
    }

    async fn call(&self, name: &str, arguments: Value) -> Value {
        self.call_as(1, name, arguments).await
    }

    /// A call by an id, which is to be that of no other call of the session.
    async fn call_as(&self, id: u32, name: &str, arguments: Value) -> Value {
        let answer = self.message(call(id, name, arguments)).send().await;
        let answer = answer.unwrap().text().await.unwrap();
        // It is JSON, or an event after one without data.
        let mut lines = answer.lines();
        let json = lines.find_map(|line| {
            let line = line.strip_prefix("data:").unwrap_or(line).trim();
            line.starts_with('{').then_some(line)
        });
        serde_json::from_str(json.unwrap_or_else(|| panic!("{answer}"))).unwrap()
    }

    /// Checks that the next call works.
    async fn works(&self, after: &str) {
        let answer = self.call("measure", json!({"text": "four"})).await;
        assert_eq!(text(&answer), "4", "after {after}");
    }
}

#[tokio::test]
async fn each_bad_request_is_refused_and_the_next_call_works() {
    let address = serve(service().0.http()).await;
    for client in clients(&address).await {
        for body in [
            String::new(),
            "{{{{".to_owned(),
            "[[[[]]]]".to_owned(),
            "\u{feff}\0\u{7f}".to_owned(),
            r#"{"jsonrpc": "2.0", "id": 3, "met"#.to_owned(),
            deep(),
            call("long", "measure", json!({"text": "a".repeat(9 << 20)})).to_string(),
        ] {
            let answer = client.raw(body.clone()).send().await.unwrap();
            let shown: String = body.chars().take(50).collect();
            assert!(answer.status().is_client_error(), "{shown}: {answer:?}");
            client.works(&shown).await;
        }
        let list = request("list", "tools/list", json!({"cursor": "no such page"}));
        let answer = client.message(list).send().await.unwrap();
        assert!(answer.text().await.unwrap().contains("-32602"));
        client.works("a page that is none").await;
    }
}

#[tokio::test]
async fn half_a_request_and_silence_holds_nobody_up() {
    let address = serve(service().0.http()).await;
    let place = address.strip_prefix("http://").unwrap();
    let host = place.strip_suffix("/mcp").unwrap();
    let mut open = Vec::new();
    for _ in 0..100 {
        let mut stream = TcpStream::connect(host).await.unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAccept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{\"jsonrpc\""
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        open.push(stream);
    }
    for client in clients(&address).await {
        client.works("half a request").await;
    }
}

#[tokio::test]
async fn a_flood_of_notifications_loses_no_answer() {
    let address = serve(service().0.http()).await;
    let [client, _] = clients(&address).await;
    for number in 0..2_000 {
        let params = json!({"requestId": number, "reason": "x".repeat(100)});
        let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        let answer = client.message(note).send().await.unwrap();
        assert_eq!(answer.status(), 202);
    }
    client.works("a flood").await;
}

#[tokio::test]
async fn many_calls_at_once_get_their_answers() {
    const CALLS: u32 = 200;
    let (service, gate) = service();
    let address = serve(service.http()).await;
    for client in clients(&address).await {
        let calls = (0..CALLS)
            .map(|number| client.call_as(number, "wait_at_gate", json!({"number": number})));
        let opening = async {
            gate.inside.acquire_many(CALLS).await.unwrap().forget();
            gate.permits.add_permits(CALLS as usize);
        };
        let (answers, ()) = tokio::join!(join_all(calls), opening);
        for (number, answer) in answers.iter().enumerate() {
            assert_eq!(text(answer), number.to_string());
        }
    }
}

#[tokio::test]
async fn a_client_that_goes_within_a_call_without_a_session_cancels_it() {
    let (service, gate) = service();
    let address = serve(service.http()).await;
    let [_, client] = clients(&address).await;
    tokio::select! {
        answer = client.call("wait_at_gate", json!({"number": 1})) => panic!("{answer}"),
        permit = gate.inside.acquire() => permit.unwrap().forget(),
    }
    gate.cancelled.notified().await;
    client.works("one that went").await;
}
