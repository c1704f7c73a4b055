//! The loop of a run by hand: messages as structs that serde writes for each request, the floor's reader of streams,
//! `join_all` over the calls.
use crate::{floor, sse};
use serde::{Deserialize, Serialize};

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
pub async fn run(
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
