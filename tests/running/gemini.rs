//! `Gemini` against a server.

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Gemini, Runner,
    model::ModelSettings,
    provider::HttpOptions,
    run::{Finish, Limit, Limits, Price, PriceTable},
};

use crate::{
    loopback::{Answer, Server},
    served::{self, ANSWER, Asked, Reply},
};

pub(crate) fn model(server: &Server) -> Gemini {
    Gemini::new("gemini-3-x", "goog-secret").with_base_url(server.base_url())
}

fn reply(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 2},
        "modelVersion": "gemini-3-x", "responseId": "r"})
}

/// Two calls after a thought, one of them without an id, and the first of them signed.
fn calling() -> Value {
    json!([
        {"text": "I look it up.", "thought": true},
        {"functionCall": {"id": "a1", "name": "get_weather", "args": {"city": "Oslo"}},
            "thoughtSignature": "EqRk+/="},
        {"functionCall": {"name": "get_weather", "args": {"city": "Bergen"}}},
    ])
}

/// A reply as the events that stream it: one for each part.
pub(crate) fn streamed(reply: &Value) -> String {
    let parts = reply["candidates"][0]["content"]["parts"].as_array();
    let events = parts.expect("is one").iter().map(|part| {
        json!({"candidates": [{"content": {"role": "model", "parts": [part]}}],
            "modelVersion": reply["modelVersion"], "responseId": reply["responseId"]})
    });
    let mut end = reply.clone();
    end["candidates"][0]["content"]["parts"] = json!([{"text": ""}]);
    let events = events.chain([end]);
    let events = events.map(|event| format!("data: {event}\r\n\r\n"));
    events.collect::<Vec<_>>().concat()
}

fn in_both_forms(parts: &Value) -> Reply {
    let reply = reply(parts);
    Reply {
        whole: reply.to_string(),
        streamed: Answer::events(&streamed(&reply)),
    }
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_signature() {
    for streaming in [false, true] {
        let replies = [calling(), json!([{"text": ANSWER}])].map(|parts| in_both_forms(&parts));
        let settings = ModelSettings::new()
            .with_reasoning_effort("low")
            .with_parallel_tool_calls(false);
        let asked = Asked::new(settings, streaming);
        let (outcome, requests) = served::run(model, replies, asked).await;
        assert_eq!(served::tokens(&outcome), (20, 14));
        assert_eq!(outcome.usage.reasoning_tokens, Some(4));
        assert!(served::warnings(&outcome).contains(&"parallel_tool_calls_ignored"));

        let head = &requests[0].head;
        let method = if streaming {
            "streamgeneratecontent?alt=sse"
        } else {
            "generatecontent"
        };
        let line = format!("post /v1/models/gemini-3-x:{method} http/1.1");
        assert!(head.starts_with(&line), "{head}");
        assert!(head.contains("x-goog-api-key: goog-secret"), "{head}");
        assert!(!head.contains("authorization"), "{head}");
        let body = served::body(&requests[1]);
        assert_eq!(
            body["generationConfig"],
            json!({"thinkingConfig": {"includeThoughts": true, "thinkingLevel": "low"}})
        );
        assert_eq!(
            body["tools"][0]["functionDeclarations"][0]["name"],
            "get_weather"
        );
        let parts = calling();
        assert_eq!(
            body["contents"][1],
            json!({"role": "model", "parts": [parts[1], parts[2]]})
        );
        let result = |id: Option<&str>, said: &str| {
            let mut result = json!({"name": "get_weather", "response": {"output": said}});
            if let Some(id) = id {
                result["id"] = id.into();
            }
            json!({"functionResponse": result})
        };
        let results = [
            result(Some("a1"), "rain in Oslo"),
            result(None, "rain in Bergen"),
        ];
        assert_eq!(
            body["contents"][2],
            json!({"role": "user", "parts": results})
        );
    }
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let body = json!({"error": {"code": 429, "message": "goog-secret is too fast",
        "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "7s"}]}});
    let answer = Answer::http(
        "429 Too Many Requests",
        "text/event-stream",
        &body.to_string(),
    );
    for error in served::check_wait(model, "goog-secret", answer).await {
        assert_eq!(error.error_type.as_deref(), Some("RESOURCE_EXHAUSTED"));
    }
}

#[tokio::test]
async fn a_server_like_vertex_has_a_base_url_of_its_own_and_a_token() {
    let answers = vec![Answer::json(&reply(&json!([{"text": "Hi."}])).to_string())];
    let server = Server::start(answers).await;
    let base = format!(
        "{}/projects/p/locations/l/publishers/google",
        server.base_url()
    );
    let model = Gemini::new("gemini-2.5-pro", "")
        .with_base_url(base)
        .with_http(HttpOptions::new().with_header("authorization", "Bearer token"));
    model.complete(&served::question()).await.expect("answers");
    let requests = server.requests();
    let head = &requests[0].head;
    let path = "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generatecontent";
    assert!(head.starts_with(&format!("post {path} http/1.1")), "{head}");
    assert!(head.contains("authorization: bearer token"), "{head}");
    assert!(!head.contains("x-goog-api-key"), "{head}");
}

#[tokio::test]
async fn a_request_that_is_blocked_ends_the_run() {
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m"});
    let server = Server::start(vec![Answer::events(&format!("data: {blocked}\r\n\r\n"))]).await;
    let runner = Runner::builder(model(&server)).streaming(true).build();
    let outcome = runner.expect("is consistent").run("Hi").await;
    let outcome = outcome.expect("it is no error");
    assert_eq!(outcome.finish, Finish::Filtered);
    assert_eq!(outcome.warnings[0].code, "prompt_blocked");
}

#[tokio::test]
async fn thoughts_are_spent() {
    let thinking = |parts: &Value| {
        let mut reply = reply(parts);
        reply["usageMetadata"] = json!({"promptTokenCount": 10, "candidatesTokenCount": 5,
            "thoughtsTokenCount": 60_000, "totalTokenCount": 60_015});
        Answer::json(&reply.to_string())
    };
    let server = Server::start(vec![thinking(&calling()); 10]).await;
    let price = Price::per_million(0.0, 10.0);
    let runner = Runner::builder(model(&server))
        .tools(toolwright::toolset![served::get_weather])
        .limits(Limits::agent().with_max_tokens(150_000))
        .prices(PriceTable::new().with("gemini-3", price))
        .streaming(false)
        .build()
        .expect("is consistent");
    let outcome = runner
        .run("What should I wear in Oslo?")
        .await
        .expect("ends");
    assert_eq!(
        outcome.usage.output_tokens,
        u64::from(outcome.requests) * 60_005
    );
    let Finish::Limit { limit, .. } = outcome.finish else {
        panic!("{:?}", outcome.finish);
    };
    assert_eq!(limit, Limit::Tokens { max: 150_000 });
    let cost = outcome.cost.expect("is known").as_f64();
    assert!(cost > 0.6 * f64::from(outcome.requests), "{cost}");
}

#[tokio::test]
async fn a_typed_answer_beside_tools_comes_by_a_tool_before_gemini_3() {
    #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
    struct Clothes {
        warm: bool,
    }
    for (name, by_tool) in [("gemini-2.5-flash", true), ("gemini-3-x", false)] {
        let answer = if by_tool {
            json!([{"functionCall": {"name": "final_answer", "args": {"warm": true}}}])
        } else {
            json!([{"text": "{\"warm\": true}"}])
        };
        let replies = [calling(), answer].map(|parts| Answer::json(&reply(&parts).to_string()));
        let server = Server::start(replies.into()).await;
        let model = Gemini::new(name, "goog-secret").with_base_url(server.base_url());
        let runner = Runner::builder(model)
            .tools(toolwright::toolset![served::get_weather])
            .streaming(false);
        let runner = runner.build().expect("is consistent");
        let answer = runner
            .request("What should I wear?")
            .answer_as::<Clothes>()
            .run()
            .await;
        assert!(answer.expect("answers").value.warm);
        for request in server.requests() {
            let body = served::body(&request);
            let has_form = !body["generationConfig"]["responseMimeType"].is_null();
            assert_eq!(has_form, !by_tool, "{name}: {body}");
        }
    }
}
