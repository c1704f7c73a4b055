//! `Ollama` against a server.

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Ollama,
    model::{ModelErrorKind, ModelSettings, ToolChoice, collect},
};

use crate::{
    loopback::{Answer, Server},
    served::{self, ANSWER, Asked, Reply, question},
};

pub(crate) fn model(server: &Server) -> Ollama {
    let base_url = server.base_url();
    Ollama::new("qwen3").with_base_url(base_url.trim_end_matches("/v1"))
}

fn model_with_key(server: &Server) -> Ollama {
    model(server).with_api_key("sk-secret")
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
        json!({"model": "qwen3", "message": {"role": "assistant", "content": ANSWER}, "done": false}),
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

fn in_both_forms(lines: &[Value]) -> Reply {
    Reply {
        whole: whole(lines),
        streamed: in_lines(lines),
    }
}

fn in_lines(lines: &[Value]) -> Answer {
    Answer::http("200 OK", "application/x-ndjson", &streamed(lines))
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_thinking() {
    for streaming in [false, true] {
        let replies = [in_both_forms(&calling()), in_both_forms(&answering())];
        let asked = Asked {
            settings: ModelSettings::new().with_reasoning_effort("true"),
            tool_choice: ToolChoice::Required,
            streaming,
        };
        let (outcome, requests) = served::run(model_with_key, replies, asked).await;
        assert_eq!(served::tokens(&outcome), (30, 11));
        assert!(served::warnings(&outcome).contains(&"tool_choice_emulated"));

        let head = &requests[0].head;
        assert!(head.starts_with("post /api/chat http/1.1"), "{head}");
        assert!(head.contains("authorization: bearer sk-secret"), "{head}");
        let bodies: Vec<_> = requests.iter().map(served::body).collect();
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
    let server = Server::start(vec![Answer::json(&whole(&answering()))]).await;
    let reply = model(&server).complete(&question()).await;
    assert_eq!(reply.expect("answers").text, ANSWER);
    let head = &server.requests()[0].head;
    assert!(!head.contains("authorization"), "{head}");
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let answer = served::too_fast(r#"{"error":"sk-secret is too fast"}"#);
    served::check_wait(model_with_key, "sk-secret", answer).await;
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_keeps_what_came() {
    let [half, _] = answering();
    let lines = [
        half,
        json!({"error": "an error was encountered while running the model"}),
    ];
    let server = Server::start(vec![in_lines(&lines)]).await;
    let error = collect(model(&server).stream(&question()))
        .await
        .expect_err("is broken off");
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    assert_eq!(
        error.partial.map(|reply| reply.text).as_deref(),
        Some(ANSWER)
    );
}

#[tokio::test]
async fn a_stream_ends_with_done_though_the_connection_stays() {
    served::check_end(model, &streamed(&answering())).await;
}

#[tokio::test]
async fn a_model_that_takes_no_tools_says_so() {
    let body = r#"{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}"#;
    let answer = Answer::http("400 Bad Request", "application/json", body);
    let server = Server::start(vec![answer]).await;
    let error = model(&server).complete(&question()).await;
    assert_eq!(
        error.expect_err("is refused").kind,
        ModelErrorKind::ToolsUnsupported
    );
}
