//! Equal requests to a server that come at once count once, and each has its answer.

use std::{collections::BTreeSet, net::SocketAddr, path::Path, sync::Arc};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use toolwright::{
    ModelError, ModelResponse, ToolCall,
    model::ModelErrorKind,
    server::{Server, ServerLimits},
    store::{MemoryStore, RunFilter, Scope, Store},
    testing::{ScriptedModel, ScriptedResponse},
};

use super::{
    Ran, builder,
    deciding::asking,
    delegated::delegated,
    processes::{Folder, Kind},
};

const SENDERS: usize = 100;

/// A store that is known by its methods alone.
struct Shared {
    store: Arc<dyn Store>,
}

impl Store for Shared {
    delegated!(create append lease inbox renew load conversation others);
}

/// Two servers that share a store and a model, as two processes have them.
struct Servers {
    store: Arc<dyn Store>,
    addresses: [SocketAddr; 2],
    serving: [JoinHandle<()>; 2],
}

impl Servers {
    async fn start(stores: [Arc<dyn Store>; 2], script: Vec<ScriptedResponse>) -> Self {
        let model = ScriptedModel::new(script);
        let store = Arc::clone(&stores[0]);
        let (mut addresses, mut serving) = (Vec::new(), Vec::new());
        for store in stores {
            let runner = builder(&model, &asking(&Ran::default()), Shared { store }).suspends();
            let mut limits = ServerLimits::default();
            limits.streams = 2 * SENDERS;
            let server = Server::new(runner.build().expect("it is consistent"));
            let server = server.expect("it has a store").limits(limits);
            let listener = TcpListener::bind("127.0.0.1:0").await;
            let listener = listener.expect("a port is free");
            addresses.push(listener.local_addr().expect("it has an address"));
            serving.push(tokio::spawn(server.serve(listener, std::future::pending())));
        }
        Self {
            store,
            addresses: addresses.try_into().expect("there are two"),
            serving: serving.try_into().expect("there are two"),
        }
    }

    /// Sends the same so often at once, to the one and the other; gives the different answers.
    async fn send(&self, path: &str, body: &Value) -> BTreeSet<(u16, String)> {
        let mut senders = JoinSet::new();
        for number in 0..SENDERS {
            let address = self.addresses[number % 2];
            senders.spawn(send(address, path.to_owned(), body.to_string()));
        }
        let mut answers = BTreeSet::new();
        while let Some(answer) = senders.join_next().await {
            answers.insert(answer.expect("it does not panic"));
        }
        answers
    }

    /// The same, of messages whose streams come to their end. It gives the run that all of them read.
    async fn ask(&self, body: &Value) -> String {
        let mut runs = BTreeSet::new();
        for (status, answer) in self.send("/chat", body).await {
            assert_eq!(status, 200, "{answer}");
            assert!(answer.contains("[DONE]"), "{answer}");
            let start = answer.lines().find_map(|line| line.strip_prefix("data: "));
            let start: Value = serde_json::from_str(start.expect("it begins")).expect("it is JSON");
            runs.insert(
                start["messageId"]
                    .as_str()
                    .expect("it has an id")
                    .to_owned(),
            );
        }
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs.pop_first().expect("it is one")
    }

    async fn runs(&self) -> usize {
        let runs = self.store.list(Scope::All, &RunFilter::default()).await;
        runs.expect("it answers").items.len()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        for serving in &self.serving {
            serving.abort();
        }
    }
}

/// The status and the body of an answer.
async fn send(address: SocketAddr, path: String, body: String) -> (u16, String) {
    let mut socket = TcpStream::connect(address).await.expect("it listens");
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    socket
        .write_all(head.as_bytes())
        .await
        .expect("it is taken");
    let mut answer = String::new();
    socket
        .read_to_string(&mut answer)
        .await
        .expect("it is text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("it has a head");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.expect("it has a status"), body.to_owned())
}

fn question(id: &str, text: &str) -> Value {
    json!({"id": id, "role": "user", "parts": [{"type": "text", "text": text}]})
}

fn says(text: &str) -> ScriptedResponse {
    ModelResponse::from_text(text).into()
}

async fn each_request_counts_once(stores: [Arc<dyn Store>; 2]) {
    let failed = ModelError::new(ModelErrorKind::InvalidRequest, "not today");
    let pay = ToolCall::new("", "pay", "{}");
    let script = vec![
        says("one"),
        says("one again"),
        says("another one"),
        failed.into(),
        says("two"),
        ModelResponse::from_calls([pay]).into(),
        says("paid"),
    ];
    let servers = Servers::start(stores, script).await;

    let one = question("u1", "One?");
    let first = servers
        .ask(&json!({"id": "c", "trigger": "submit-message", "messages": [one]}))
        .await;
    assert_eq!(servers.runs().await, 1);

    // Also once the answer is there.
    for _ in 0..2 {
        let again = json!({
            "id": "c", "trigger": "regenerate-message", "messageId": first, "messages": [one],
        });
        assert_ne!(servers.ask(&again).await, first);
        assert_eq!(servers.runs().await, 2);
    }

    let edited = question("u2", "Another one?");
    let edited = json!({
        "id": "c", "trigger": "submit-message", "messageId": "u1", "messages": [edited],
    });
    servers.ask(&edited).await;
    assert_eq!(servers.runs().await, 3);

    // A run that came to nothing before is begun once more.
    let two = json!({"id": "d", "trigger": "submit-message", "messages": [question("u3", "Two?")]});
    let (status, answer) = send(servers.addresses[0], "/chat".to_owned(), two.to_string()).await;
    assert!(
        status == 200 && answer.contains(r#""type":"error""#),
        "{answer}"
    );
    servers.ask(&two).await;
    assert_eq!(servers.runs().await, 5);

    let pays =
        json!({"id": "e", "trigger": "submit-message", "messages": [question("u4", "Pay.")]});
    let run = servers.ask(&pays).await;
    let decided = json!({"decisions": [{"call": "0.0", "decision": "approve"}]});
    for _ in 0..2 {
        let path = format!("/runs/{run}/decisions");
        let answers = servers.send(&path, &decided).await;
        let answers: Vec<_> = answers.into_iter().map(|(status, _)| status).collect();
        assert_eq!(answers, [202]);
    }
    assert!(servers.ask(&pays).await == run && servers.runs().await == 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_equal_requests_at_once_each_counts_once_in_memory() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    each_request_counts_once([Arc::clone(&store), store]).await;
}

async fn in_a_folder(kind: Kind, folder: &Path) {
    let stores = [kind.open(folder).await, kind.open(folder).await];
    each_request_counts_once(stores).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_equal_requests_at_once_each_counts_once_in_sqlite() {
    in_a_folder(Kind::Sqlite, Folder::new("sent-at-once").path()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn of_equal_requests_at_once_each_counts_once_in_postgres() {
    in_a_folder(Kind::Postgres, Folder::new("sent-at-once-postgres").path()).await;
}
