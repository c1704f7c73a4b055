//! Runs of 10 and of 50 rounds with four calls each, over HTTP from a server in a process of its own, beside the same
//! loop by hand: streamed and not.
//!
//! `cargo bench -p toolwright-benches --bench runs`; `-- turns=50` is one of the lengths, and `streamed=1` or `streamed=2`
//! (not streamed) one of the forms.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/floor.rs"]
#[allow(dead_code, clippy::all)]
mod floor;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
mod quoted_trip;
#[rustfmt::skip]
#[path = "measure/server.rs"]
#[allow(dead_code, clippy::all)]
mod server;
#[rustfmt::skip]
#[path = "measure/sse.rs"]
#[allow(dead_code, clippy::all)]
mod sse;
#[allow(dead_code)]
mod trip;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use quoted_trip::book_trip;
use serde::{Deserialize, Serialize};
use toolwright::{OpenAiChat, Runner, toolset};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// The server, which ends with the benchmark.
struct Server(Child, String);

impl Server {
    fn start() -> Self {
        let program = std::env::current_exe().expect("is a program");
        let mut child = Command::new(program)
            .arg("serve")
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut port = String::new();
        let output = child.stdout.take().expect("is piped");
        let read = BufReader::new(output).read_line(&mut port);
        read.expect("says its port");
        let address = format!("http://127.0.0.1:{}", port.trim());
        Self(child, address)
    }

    /// The base URL of runs with so many rounds.
    fn url(&self, turns: usize) -> String {
        let version = if turns == 50 { "v50" } else { "v1" };
        format!("{}/{version}", self.1)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A message by hand.
#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Message {
    User {
        content: String,
    },
    Assistant {
        content: Option<String>,
        tool_calls: Vec<Call>,
    },
    Tool {
        tool_call_id: String,
        content: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Call {
    id: String,
    r#type: String,
    function: Function,
}

#[derive(Serialize, Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: &'a [Message],
    tools: &'a serde_json::value::RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Deserialize)]
struct Whole {
    choices: [Choice; 1],
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
    #[serde(default)]
    tool_calls: Vec<Call>,
}

/// The loop by hand: a request, its response, the calls, their results.
async fn by_hand(
    client: &reqwest::Client,
    url: &str,
    tools: &serde_json::value::RawValue,
    streamed: bool,
) -> String {
    let address = format!("{url}/chat/completions");
    let mut messages = vec![Message::User {
        content: "Book it.".to_owned(),
    }];
    loop {
        let body = Body {
            model: "m",
            messages: &messages,
            tools,
            stream: streamed.then_some(true),
            stream_options: streamed.then_some(StreamOptions {
                include_usage: true,
            }),
        };
        let request = client
            .post(&address)
            .header("content-type", "application/json")
            .header("authorization", "Bearer key")
            .body(serde_json::to_vec(&body).expect("is JSON"));
        let mut response = request.send().await.expect("answers");
        let (text, calls) = if streamed {
            let mut lines = sse::Lines::default();
            let mut assembler = sse::Assembler::default();
            while let Some(bytes) = response.chunk().await.expect("comes") {
                lines.push(&bytes, &mut |data| {
                    assembler.openai(data, sse::Json::Serde);
                });
            }
            let calls = assembler.msg.calls.into_iter().map(|call| Call {
                id: call.id,
                r#type: "function".to_owned(),
                function: Function {
                    name: call.name,
                    arguments: call.args,
                },
            });
            (assembler.msg.text, calls.collect())
        } else {
            let body = response.bytes().await.expect("comes");
            let Whole { choices: [choice] } = serde_json::from_slice(&body).expect("is a response");
            let text = choice.message.content.unwrap_or_default();
            (text, choice.message.tool_calls)
        };
        if calls.is_empty() {
            return text;
        }
        let results = calls.iter().map(|call| async {
            assert_eq!(call.function.name, "book_trip");
            Message::Tool {
                tool_call_id: call.id.clone(),
                content: floor::direct(&call.function.arguments).await,
            }
        });
        let results = futures::future::join_all(results).await;
        messages.push(Message::Assistant {
            content: (!text.is_empty()).then_some(text),
            tool_calls: calls,
        });
        messages.extend(results);
    }
}

/// What a run answers, after as many rounds as it should have.
async fn ours(runner: &Runner, turns: usize) -> String {
    let outcome = runner.run("Book it.").await.expect("ends");
    assert_eq!(usize::try_from(outcome.rounds), Ok(turns));
    outcome.text
}

fn main() {
    if std::env::args().any(|argument| argument == "serve") {
        return harness::current_thread().block_on(server::serve_script());
    }
    let rounds = harness::arg("rounds", 15);
    let (only_turns, only_streamed) = (harness::arg("turns", 0), harness::arg("streamed", 0));
    let server = Server::start();
    let runtime = harness::current_thread();
    let client = reqwest::Client::new();
    let set = toolset![book_trip];
    let tools = toolwright::provider::openai_chat::tools(&set);
    let tools: &serde_json::value::RawValue =
        serde_json::from_str(tools.as_str()).expect("is JSON");
    for (turns, streamed) in [(10, true), (50, true), (10, false), (50, false)] {
        let form = if streamed { 1 } else { 2 };
        if ![turns, 0].contains(&only_turns) || ![form, 0].contains(&only_streamed) {
            continue;
        }
        let url = server.url(turns);
        let runner = Runner::builder(OpenAiChat::new("m", "key").with_base_url(&url))
            .tools(set.clone())
            .streaming(streamed)
            .max_rounds(60)
            .no_progress(false)
            .build()
            .expect("is a runner");
        let said = runtime.block_on(by_hand(&client, &url, tools, streamed));
        assert_eq!(said, runtime.block_on(ours(&runner, turns)));
        let (url, client, runner) = (&url, &client, &runner);
        let contestants = [
            harness::c("by hand", |n| async move {
                for _ in 0..n {
                    by_hand(client, url, tools, streamed).await;
                }
            }),
            harness::c("`Runner::run`", |n| async move {
                for _ in 0..n {
                    ours(runner, turns).await;
                }
            }),
        ];
        let rows = harness::race(&runtime, &contestants, rounds, 1, 1);
        let form = if streamed { "streamed" } else { "not streamed" };
        harness::print(
            "runs",
            &format!("{turns} rounds of 4 calls, {form}"),
            &rows,
            1.0,
        );
    }
}
