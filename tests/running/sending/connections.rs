//! Connections serve again once the end of a reply has come, also where that is a little later than its last event.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::{JoinHandle, yield_now},
};
use toolwright::{
    Anthropic, ChatModel, Ollama, OpenAiChat, OpenAiResponses, model::collect,
    provider::HttpOptions,
};

use super::{END, PIECE};
use crate::{loopback, served::question};

/// A server that keeps its connections, and ends each reply when it is told to.
struct Keeping {
    address: String,
    connections: Arc<AtomicUsize>,
    end: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Drop for Keeping {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Keeping {
    async fn start(body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("is bound").to_string();
        let length = body.len();
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        let reply: Arc<str> = format!("{head}{length:x}\r\n{body}\r\n").into();
        let (connections, end) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let (counted, told) = (Arc::clone(&connections), Arc::clone(&end));
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                // The end is sent at once, and not when the rest of the reply has been confirmed.
                connection.set_nodelay(true).expect("is open");
                tokio::spawn(serve(connection, Arc::clone(&reply), Arc::clone(&told)));
            }
        });
        Self {
            address,
            connections,
            end,
            task,
        }
    }

    /// Ends the reply, and lets the end be read.
    async fn ends(&self) {
        self.end.notify_one();
        for _ in 0..2_000 {
            yield_now().await;
        }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

async fn serve(mut connection: TcpStream, reply: Arc<str>, end: Arc<Notify>) {
    while loopback::read(&mut connection).await.is_some() {
        if connection.write_all(reply.as_bytes()).await.is_err() {
            return;
        }
        end.notified().await;
        if connection.write_all(b"0\r\n\r\n").await.is_err() {
            return;
        }
    }
}

type Model = fn(&str) -> Box<dyn ChatModel>;

/// Streams that say themselves that nothing more comes.
fn streams() -> [(&'static str, Model, String); 4] {
    [
        (
            "openai_chat",
            |url| Box::new(OpenAiChat::new("m", "sk-secret").with_base_url(url)),
            format!("{PIECE}{END}data: [DONE]\n\n"),
        ),
        (
            "openai_responses",
            |url| Box::new(OpenAiResponses::new("m", "sk-secret").with_base_url(url)),
            "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"I am here.\"}\n\n\
             data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n"
                .to_owned(),
        ),
        (
            "anthropic",
            |url| Box::new(Anthropic::new("m", "sk-secret").with_base_url(url)),
            "data: {\"type\":\"message_start\",\"message\":{\"content\":[{\"type\":\"text\",\
             \"text\":\"I am here.\"}],\"stop_reason\":\"end_turn\"}}\n\n\
             data: {\"type\":\"message_stop\"}\n\n"
                .to_owned(),
        ),
        (
            "ollama",
            |url| Box::new(Ollama::new("m").with_base_url(url)),
            "{\"message\":{\"content\":\"I am here.\"},\"done\":true,\"done_reason\":\"stop\"}\n"
                .to_owned(),
        ),
    ]
}

/// The answer is there before the end, which is read while nobody waits.
#[tokio::test]
async fn a_late_end_costs_no_connection() {
    for (name, model, body) in streams() {
        let server = Keeping::start(&body).await;
        let model = model(&format!("http://{}", server.address));
        for number in 0..20 {
            let request = question();
            let reply = collect(model.stream(&request)).await;
            assert_eq!(reply.expect("answers").text, "I am here.", "{name}");
            server.ends().await;
            assert_eq!(server.connections(), 1, "{name}, request {number}");
        }
    }
}

/// A server that never ends a reply gets a connection for each request, and keeps nobody waiting for long.
#[tokio::test(start_paused = true)]
async fn an_end_that_never_comes_is_not_waited_for() {
    let [(_, model, body), ..] = streams();
    let server = Keeping::start(&body).await;
    let model = model(&format!("http://{}", server.address));
    for number in 1..=5 {
        let request = question();
        let reply = collect(model.stream(&request)).await.expect("answers");
        assert_eq!(reply.text, "I am here.");
        assert_eq!(server.connections(), number);
    }
}

/// Two models with clones of one value of options send over one connection; one with its own opens another.
#[tokio::test]
async fn models_with_the_same_options_share_connections() {
    let [(_, _, body), ..] = streams();
    let server = Keeping::start(&body).await;
    let url = format!("http://{}", server.address);
    let shared = HttpOptions::new();
    let all = [(shared.clone(), 1), (shared, 1), (HttpOptions::new(), 2)];
    for (http, connections) in all {
        let model = OpenAiChat::new("m", "sk-secret").with_base_url(&url);
        let model = model.with_http(http);
        let request = question();
        let reply = collect(model.stream(&request)).await;
        assert_eq!(reply.expect("answers").text, "I am here.");
        server.ends().await;
        assert_eq!(server.connections(), connections);
    }
}
