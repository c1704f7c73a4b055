//! `Ollama` against a server.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Finish, FinishReason, Message, ModelRequest, ModelSettings, Ollama, Runner,
    ToolChoice, model::ModelErrorKind, model::collect, tool, toolset,
};

use crate::loopback::{Answer, Server};

/// Get the weather in a city as it is now.
#[tool(read_only)]
fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("rain in {city}")
}

pub(crate) fn model(server: &Server) -> Ollama {
    let base_url = server.base_url();
    Ollama::new("qwen3").with_base_url(base_url.trim_end_matches("/v1"))
}

/// A reply that calls a tool after it has thought, as the lines that stream it.
fn calling() -> [Value; 3] {
    let call = json!({"id": "call_1", "function":
        {"index": 0, "name": "get_weather", "arguments": {"city": "Oslo"}}});
    [
        json!({"model": "qwen3", "message": {"role": "assistant", "content": "", "thinking": "I look it up."}, "done": false}),
        json!({"model": "qwen3", "message": {"role": "assistant", "content": "", "tool_calls": [call]}, "done": false}),
        json!({"model": "qwen3", "message": {"role": "assistant", "content": ""}, "done": true,
            "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 5}),
    ]
}

fn answering() -> [Value; 2] {
    [
        json!({"model": "qwen3", "message": {"role": "assistant", "content": "Take a raincoat."}, "done": false}),
        json!({"model": "qwen3", "message": {"role": "assistant", "content": ""}, "done": true,
            "done_reason": "stop", "prompt_eval_count": 20, "eval_count": 6}),
    ]
}

pub(crate) fn streamed(lines: &[Value]) -> String {
    let lines = lines.iter().map(|line| format!("{line}\n"));
    lines.collect::<Vec<_>>().concat()
}

/// The same reply in one object.
pub(crate) fn whole(lines: &[Value]) -> String {
    let mut whole = lines[lines.len() - 1].clone();
    for line in lines {
        for (name, value) in line["message"].as_object().expect("is one") {
            if *value != "" {
                whole["message"][name] = value.clone();
            }
        }
    }
    whole.to_string()
}

fn answer(lines: &[Value], streaming: bool) -> Answer {
    if streaming {
        Answer::http("200 OK", "application/x-ndjson", &streamed(lines))
    } else {
        Answer::json(&whole(lines))
    }
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_thinking() {
    for streaming in [false, true] {
        let answers = vec![
            answer(&calling(), streaming),
            answer(&answering(), streaming),
        ];
        let server = Server::start(answers).await;
        let runner = Runner::builder(model(&server).with_api_key("sk-secret"))
            .system("Be brief.")
            .tools(toolset![get_weather])
            .tool_choice(ToolChoice::Required)
            .settings(ModelSettings::new().with_reasoning_effort("true"))
            .streaming(streaming)
            .build()
            .expect("is consistent");
        let outcome = runner.run("What should I wear in Oslo?").await;
        let outcome = outcome.expect("the server answers");
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(outcome.text, "Take a raincoat.");
        let usage = &outcome.usage;
        assert_eq!((usage.input_tokens, usage.output_tokens), (30, 11));
        let mut codes = outcome.warnings.iter().map(|warning| &*warning.code);
        assert!(codes.any(|code| code == "tool_choice_emulated"));

        let requests = server.requests();
        let head = &requests[0].head;
        assert!(head.starts_with("post /api/chat http/1.1"), "{head}");
        assert!(head.contains("authorization: bearer sk-secret"), "{head}");
        let bodies: Vec<Value> = requests
            .iter()
            .map(|request| serde_json::from_slice(&request.body).expect("is JSON"))
            .collect();
        assert_eq!(bodies[0]["stream"], streaming);
        assert_eq!(bodies[0]["think"], true);
        let system = bodies[0]["messages"][0]["content"].as_str();
        assert!(system.is_some_and(|text| text.contains("at least one of the tools")));
        // A call is required of the first round alone.
        assert_eq!(
            bodies[1]["messages"],
            json!([
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "What should I wear in Oslo?"},
                {"role": "assistant", "content": "", "thinking": "I look it up.", "tool_calls": [
                    {"function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}]},
                {"role": "tool", "tool_name": "get_weather", "content": "rain in Oslo"}])
        );
    }
}

#[tokio::test]
async fn no_key_is_needed_and_none_is_sent() {
    let server = Server::start(vec![answer(&answering(), false)]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let reply = model(&server).complete(&request).await;
    assert_eq!(reply.expect("answers").text, "Take a raincoat.");
    let head = &server.requests()[0].head;
    assert!(!head.contains("authorization"), "{head}");
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let body = r#"{"error":"sk-secret is too fast"}"#;
    let headers = [("content-type", "application/json"), ("retry-after", "7")];
    let answer = || Answer::with_headers("429 Too Many Requests", &headers, body);
    let server = Server::start(vec![answer(), answer()]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let model = model(&server).with_api_key("sk-secret");
    let whole = model.complete(&request).await.expect_err("is refused");
    let streamed = collect(model.stream(&request))
        .await
        .expect_err("is refused");
    for error in [whole, streamed] {
        assert_eq!(error.kind, ModelErrorKind::RateLimit);
        assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
        assert!(error.retryable);
        assert!(!format!("{error:?}").contains("sk-secret"), "{error:?}");
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_keeps_what_came() {
    let [half, _] = answering();
    let lines = [
        half,
        json!({"error": "an error was encountered while running the model"}),
    ];
    let server = Server::start(vec![answer(&lines, true)]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let error = collect(model(&server).stream(&request))
        .await
        .expect_err("is broken off");
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    assert_eq!(
        error.partial.map(|reply| reply.text).as_deref(),
        Some("Take a raincoat.")
    );
}

#[tokio::test]
async fn a_stream_ends_with_done_though_the_connection_stays() {
    let server = Server::start(vec![Answer::silent_events(&streamed(&answering()))]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let reply = collect(model(&server).stream(&request))
        .await
        .expect("is whole");
    assert_eq!(
        (&*reply.text, reply.finish_reason),
        ("Take a raincoat.", FinishReason::Stop)
    );
}

#[tokio::test]
async fn a_model_that_takes_no_tools_says_so() {
    let body = r#"{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}"#;
    let answer = Answer::http("400 Bad Request", "application/json", body);
    let server = Server::start(vec![answer]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let error = model(&server).complete(&request).await;
    assert_eq!(
        error.expect_err("is refused").kind,
        ModelErrorKind::ToolsUnsupported
    );
}
