use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, Strict, ToolCall, ToolDefinition, ToolOutput, ToolResult,
    ToolRound, Toolset, UserMessage,
    message::{AssistantMessage, Image, Opaque},
    schema::Schema,
};

use super::super::OllamaCodec;
use crate::provider::{Codec, EncodeInput};

fn body(request: &ModelRequest) -> Value {
    serde_json::from_slice(&OllamaCodec::new().body(EncodeInput::new("m", request)))
        .expect("is JSON")
}

fn messages(request: &ModelRequest) -> Value {
    body(request)["messages"].take()
}

fn assistant(tool_rounds: Vec<ToolRound>, parts: Vec<Part>) -> ModelRequest {
    ModelRequest::new([Message::Assistant(AssistantMessage {
        tool_rounds: tool_rounds.into(),
        parts: parts.into(),
    })])
}

fn call(id: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new(id, "look", arguments))
}

fn look(schema: &str) -> ToolDefinition {
    let schema = Schema::from_text(schema).expect("is JSON");
    ToolDefinition::new("look", "Looks.", schema)
}

#[test]
fn a_plain_request_holds_nothing_that_was_not_asked_for() {
    let request = ModelRequest::new([Message::user("Hi")]).with_system("Be brief.");
    assert_eq!(
        body(&request),
        json!({"model": "m", "stream": false, "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
        ]})
    );
    let streamed = OllamaCodec::new().body(EncodeInput::new("m", &request).streamed());
    let streamed: Value = serde_json::from_slice(&streamed).expect("is JSON");
    assert_eq!(streamed["stream"], true);
}

#[test]
fn tools_are_in_the_form_of_the_server_and_never_strict() {
    let schema = r#"{"type":"object","properties":{"b":{"type":"integer","minimum":1},"a":{"type":"string"}},"required":["b"]}"#;
    let request = ModelRequest::new([]).with_tools([look(schema).with_strict(Strict::Portable)]);
    let body = String::from_utf8(OllamaCodec::new().body(EncodeInput::new("m", &request)))
        .expect("is text");
    let tool: Value = serde_json::from_str(&body).expect("is JSON");
    let tool = &tool["tools"][0];
    assert_eq!(tool["type"], "function");
    assert_eq!(tool["function"]["strict"], Value::Null);
    let number = &tool["function"]["parameters"]["properties"]["b"];
    // The server would drop the limit; the description keeps it.
    assert_eq!(number["type"], "integer");
    assert!(tool.to_string().contains("minimum"), "{tool}");
    assert!(body.find("\"b\":") < body.find("\"a\":"), "{body}");
    assert_eq!(OllamaCodec::new().tools(&Toolset::new()).as_str(), "[]");
}

#[test]
fn a_user_says_one_text_with_images_beside_it() {
    let parts = vec![
        Part::Text("What is".into()),
        Part::Image(Image::from_bytes("image/png", b"\x89PNG")),
        Part::Text("this?".into()),
        Part::Image(Image::from_url("https://example.com/a.png")),
    ];
    let request = ModelRequest::new([Message::user(UserMessage::new(parts))]);
    assert_eq!(
        messages(&request),
        json!([{"role": "user", "images": ["iVBORw=="],
            "content": "What is\nthis?\n(image: https://example.com/a.png)"}])
    );
}

#[test]
fn results_go_by_the_name_of_their_tool_and_images_with_them() {
    let output = ToolOutput::text("seen").with_image(Image::from_bytes("image/png", b"\x89PNG"));
    let round = ToolRound {
        reply: [
            Part::Text("I ".into()),
            Part::Text("look.".into()),
            call("same", r#"{"a": 1}"#),
            call("same", "oops"),
        ]
        .into(),
        results: [
            ToolResult::success("same", output),
            ToolResult::error_message("same", "broken"),
        ]
        .into(),
    };
    let expected = json!([
        {"role": "assistant", "content": "I look.", "tool_calls": [
            {"function": {"name": "look", "arguments": {"a": 1}}},
            {"function": {"name": "look", "arguments": {"invalid_arguments": "oops"}}}]},
        {"role": "tool", "tool_name": "look", "content": "seen\n(1 image)", "images": ["iVBORw=="]},
        {"role": "tool", "tool_name": "look",
            "content": "Tool execution failed (unknown): broken"}]);
    assert_eq!(
        messages(&assistant(vec![round.clone()], Vec::new())),
        expected
    );
    let calls: Vec<_> = round.calls().cloned().collect();
    assert_eq!(
        OllamaCodec::new().results(&calls, &round.results),
        [expected[1].clone(), expected[2].clone()]
    );
}

#[test]
fn calls_without_results_are_left_out() {
    let open = ToolRound {
        reply: [call("a", "{}")].into(),
        results: [].into(),
    };
    let parts = vec![Part::Reasoning("Hm.".into()), call("b", "{}")];
    assert_eq!(
        messages(&assistant(vec![open], parts)),
        json!([{"role": "assistant", "content": "", "thinking": "Hm."}])
    );
    assert_eq!(
        messages(&assistant(Vec::new(), vec![call("b", "{}")])),
        json!([])
    );
}

#[test]
fn opaque_parts_of_others_and_fields_of_ours_change_nothing() {
    let opaque = |provider: &str, data: Value| {
        Part::Opaque(Opaque {
            provider: provider.to_owned(),
            data,
        })
    };
    let fields = json!({"call": 0, "fields": {"function": {"name": "other"}, "x": 1}});
    let round = ToolRound {
        reply: [
            call("a", "{}"),
            opaque("anthropic", fields.clone()),
            opaque("ollama", json!({"call": 9, "fields": {"y": 1}})),
            opaque("ollama", json!("text")),
            opaque("ollama", fields),
        ]
        .into(),
        results: [ToolResult::success("a", "ok")].into(),
    };
    assert_eq!(
        messages(&assistant(vec![round], Vec::new()))[0]["tool_calls"],
        json!([{"function": {"name": "look", "arguments": {}}, "x": 1}])
    );
}
