//! 1,000 chats at once from one process, beside a handler of axum that streams the same bytes at the same pace.
//!
//! Each chat has three replies: two with calls, one with the answer. Of ten clients one reads slowly, and of fifty one reads
//! nothing. The processor and the memory are those of the serving process, which is one of its own.

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use futures::{StreamExt, stream};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright::{
    ChatModel, Message, ModelResponse, Runner, ToolCall,
    message::Part,
    model::{ModelEvent, ModelRequest, ModelStream},
    server::{Server, ServerLimits},
    store::MemoryStore,
    tool, toolset,
};

/// The pause before each piece of a reply.
const PACE: Duration = Duration::from_millis(50);
/// The pieces of a reply.
const PIECES: usize = 30;
/// What the serving process serves.
const SERVES: &str = "TOOLWRIGHT_BENCH_SERVES";
/// The file with the bytes of a stream.
const BYTES: &str = "TOOLWRIGHT_BENCH_BYTES";

/// A model that speaks slowly.
struct Slow;

impl ChatModel for Slow {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let rounds = match request.messages.last() {
            Some(Message::Assistant(message)) => message.tool_rounds.len(),
            _ => 0,
        };
        let mut parts = vec![Part::Text("some words of it. ".repeat(PIECES))];
        if rounds < 2 {
            let call = |a| ToolCall::new("", "add", format!(r#"{{"a":{a},"b":2}}"#));
            parts.extend([Part::Call(call(1)), Part::Call(call(2))]);
        }
        let events = ModelResponse::new(parts).into_events().into_iter();
        let events = events.flat_map(|event| match event {
            ModelEvent::Text(text) => text
                .split_inclusive(". ")
                .map(|piece| ModelEvent::Text(piece.to_owned()))
                .collect(),
            other => vec![other],
        });
        Box::pin(stream::iter(events).then(async |event| {
            if matches!(event, ModelEvent::Text(_)) {
                tokio::time::sleep(PACE).await;
            }
            Ok(event)
        }))
    }
}

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn runner() -> Runner {
    let runner = Runner::builder(Slow).tools(toolset![add]);
    let runner = runner.store("served", MemoryStore::new()).build();
    runner.expect("it is consistent")
}

/// A process that serves, and what it has used.
struct Serving {
    process: Child,
    address: SocketAddr,
}

impl Serving {
    fn start(serves: &str, bytes: &str) -> Self {
        let program = env::current_exe().expect("a benchmark knows where it is");
        let mut command = Command::new(program);
        command.env(SERVES, serves).env(BYTES, bytes);
        let mut process = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let output = process.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(output)
            .read_line(&mut line)
            .expect("it says where it listens");
        let address = line.trim().parse().expect("it is an address");
        Self { process, address }
    }

    /// The time that its threads have run.
    fn time(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.process.id());
        let stat = fs::read_to_string(path).expect("it runs");
        let fields: Vec<_> = stat
            .rsplit(')')
            .next()
            .expect("it has fields")
            .split(' ')
            .collect();
        let ticks = |at: usize| fields[at].parse::<u64>().expect("it is a number");
        // Of user and of system, in hundredths of a second.
        Duration::from_millis((ticks(12) + ticks(13)) * 10)
    }

    /// The most memory that it has had, or what it has now, in KiB.
    fn memory(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(path).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_whitespace().next());
        number
            .and_then(|it| it.parse().ok())
            .expect("it is a number")
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Many sockets are files of one process.
fn many_files() {
    let limit = libc::rlimit {
        rlim_cur: 8_192,
        rlim_max: 8_192,
    };
    // SAFETY: it reads a struct of this function.
    let set = unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    assert_eq!(set, 0, "8,192 files may be open");
}

async fn serve(serves: &str) {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port is free");
    println!("{}", listener.local_addr().expect("it has an address"));
    std::io::stdout().flush().expect("somebody reads it");
    if serves == "by hand" {
        let bytes = fs::read(env::var(BYTES).expect("it is set")).expect("it is there");
        let text = String::from_utf8(bytes).expect("it is text");
        let frames: Vec<String> = text.split_inclusive("\n\n").map(str::to_owned).collect();
        let frames = Arc::new(frames);
        let handler = move |_: String| {
            let frames = Arc::clone(&frames);
            async move {
                let body = stream::unfold(
                    (frames, 0),
                    async |(frames, at): (Arc<Vec<String>>, usize)| {
                        let frame = frames.get(at)?.clone();
                        if frame.contains(r#""type":"text-delta""#) {
                            tokio::time::sleep(PACE).await;
                        }
                        let frame = axum::body::Bytes::from(frame);
                        Some((Ok::<_, std::io::Error>(frame), (frames, at + 1)))
                    },
                );
                let headers = [("content-type", "text/event-stream")];
                (headers, axum::body::Body::from_stream(body))
            }
        };
        let router = axum::Router::new().route("/chat", axum::routing::post(handler));
        return axum::serve(listener, router).await.expect("it serves");
    }
    if serves == "runs alone" {
        let runner = runner();
        let handler = move |_: String| {
            let runner = runner.clone();
            async move {
                let run = runner.start("Say something.").detach();
                run.outcome().await.expect("it answers").text
            }
        };
        let router = axum::Router::new().route("/chat", axum::routing::post(handler));
        return axum::serve(listener, router).await.expect("it serves");
    }
    let mut limits = ServerLimits::default();
    (limits.streams, limits.connections) = (4_096, 4_096);
    let server = Server::new(runner())
        .expect("it has a store")
        .limits(limits);
    server.serve(listener, std::future::pending()).await;
}

/// How a client reads.
#[derive(Clone, Copy, PartialEq)]
enum Pace {
    Fast,
    Slow,
    Never,
}

/// Reads a chat, and gives its bytes.
async fn read(address: SocketAddr, chat: usize, pace: Pace) -> Vec<u8> {
    let body = format!(
        r#"{{"id":"c{chat}","messages":[{{"id":"q","role":"user","parts":[{{"type":"text","text":"hello"}}]}}],"trigger":"submit-message"}}"#
    );
    let request = format!(
        "POST /chat HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = TcpStream::connect(address).await.expect("it listens");
    socket
        .write_all(request.as_bytes())
        .await
        .expect("it is taken");
    let mut bytes = Vec::new();
    match pace {
        Pace::Fast => {
            socket.read_to_end(&mut bytes).await.expect("it comes");
        }
        Pace::Slow => {
            let mut buffer = [0; 512];
            loop {
                let read = socket.read(&mut buffer).await.expect("it comes");
                bytes.extend(&buffer[..read]);
                if read == 0 {
                    break;
                }
                tokio::time::sleep(PACE).await;
            }
        }
        Pace::Never => {
            // As long as the others take.
            tokio::time::sleep(PACE * 3 * PIECES as u32).await;
        }
    }
    bytes
}

/// The body of an answer in chunks.
fn body_of(answer: &[u8]) -> String {
    let text = String::from_utf8(answer.to_vec()).expect("it is text");
    let (_, mut chunks) = text.split_once("\r\n\r\n").expect("it has a head");
    let mut body = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("it is a length");
        if length == 0 {
            break;
        }
        body += &rest[..length];
        chunks = &rest[length + 2..];
    }
    body
}

/// Reads so many chats at once. It gives the time of the processor for each of them, and the memory in KiB.
async fn load(serves: &'static str, bytes: &str, chats: usize) -> (Duration, u64, Duration) {
    let serving = Serving::start(serves, bytes);
    // The first one warms it up.
    read(serving.address, chats, Pace::Fast).await;
    let (time, memory, from) = (serving.time(), serving.memory("VmRSS:"), Instant::now());
    let readers: Vec<_> = (0..chats)
        .map(|chat| {
            let pace = match chat {
                _ if chat % 50 == 7 => Pace::Never,
                _ if chat % 10 == 3 => Pace::Slow,
                _ => Pace::Fast,
            };
            let address = serving.address;
            tokio::spawn(async move {
                let bytes = read(address, chat, pace).await;
                let is_whole = serves != "server" || pace == Pace::Never;
                assert!(
                    is_whole || bytes.windows(6).any(|it| it == b"[DONE]"),
                    "chat {chat}"
                );
            })
        })
        .collect();
    for reader in readers {
        reader.await.expect("it does not panic");
    }
    let wall = from.elapsed();
    let time = serving.time() - time;
    let memory = serving.memory("VmHWM:").saturating_sub(memory);
    (time / chats as u32, memory / chats as u64, wall)
}

#[tokio::main]
async fn main() {
    many_files();
    if let Ok(serves) = env::var(SERVES) {
        return serve(&serves).await;
    }
    // A run of CI shows that it works.
    let is_short = env::args().any(|argument| argument == "rounds=1");
    let chats = if is_short { 50 } else { 1_000 };
    let file = env::temp_dir().join(format!("toolwright-served-{}", std::process::id()));
    let path = file.to_str().expect("it is text").to_owned();
    let body = {
        let serving = Serving::start("server", &path);
        body_of(&read(serving.address, 0, Pace::Fast).await)
    };
    fs::write(&file, &body).expect("there is a temporary folder");
    println!(
        "{chats} chats at once, each of {} bytes in {} frames:",
        body.len(),
        body.matches("\n\n").count()
    );
    println!("| | ms of a processor for each | ratio | KiB for each | s |");
    println!("| --- | --: | --: | --: | --: |");
    let mut floor = None;
    for serves in ["by hand", "runs alone", "server"] {
        let (time, memory, wall) = load(serves, &path, chats).await;
        let floor = *floor.get_or_insert(time);
        println!(
            "| {serves} | {:.2} | {:.2} | {memory} | {:.1} |",
            time.as_secs_f64() * 1e3,
            time.as_secs_f64() / floor.as_secs_f64(),
            wall.as_secs_f64(),
        );
    }
    let _ = fs::remove_file(file);
}
