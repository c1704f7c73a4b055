use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, PromptCaching, Strict, ToolCall, ToolDefinition, ToolOutput,
    ToolResult, ToolRound, Toolset, UserMessage,
    message::{AssistantMessage, Document, Image, Opaque},
    model::{ModelSettings, WebSearch},
    schema::Schema,
    tool::OutputPart,
};

use super::super::{AnthropicCodec, PROVIDER};
use crate::provider::{Codec, EncodeInput};

fn body(request: &ModelRequest) -> Value {
    serde_json::from_slice(&AnthropicCodec::new().body(EncodeInput::new("m", request)))
        .expect("is JSON")
}

fn check_messages(request: &ModelRequest, expected: &Value) {
    assert_eq!(&body(request)["messages"], expected);
}

fn round(reply: Vec<Part>, texts: &[&str]) -> ToolRound {
    let results = texts.iter().map(|text| ToolResult::success("", *text));
    ToolRound {
        reply: reply.into(),
        results: results.collect(),
    }
}

fn call(id: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new(id, "look", arguments))
}

fn opaque(provider: &str, data: Value) -> Part {
    let provider = provider.to_owned();
    Part::Opaque(Opaque { provider, data })
}

fn asked(tool_rounds: Vec<ToolRound>, parts: Vec<Part>) -> ModelRequest {
    ModelRequest::new([
        Message::user("Hi"),
        Message::Assistant(AssistantMessage {
            tool_rounds: tool_rounds.into(),
            parts: parts.into(),
        }),
    ])
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn sent_call(id: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "look", "input": input})
}

fn sent_result(id: &str, said: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": [text(said)]})
}

fn look() -> ToolDefinition {
    let schema = r#"{"type":"object","properties":{"b":{},"a":{}}}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    ToolDefinition::new("look", "Looks.", schema)
}

#[test]
fn a_plain_request_holds_nothing_that_was_not_asked_for() {
    let request = ModelRequest::new([Message::user("Hi")]).with_system("Be brief.");
    assert_eq!(
        body(&request),
        json!({"model": "m", "max_tokens": 8192, "system": [text("Be brief.")],
            "messages": [{"role": "user", "content": [text("Hi")]}]})
    );
    let streamed: Value = serde_json::from_slice(
        &AnthropicCodec::new().body(EncodeInput::new("m", &request).streamed()),
    )
    .expect("is JSON");
    assert_eq!(streamed["stream"], true);
    assert_eq!(body(&request.with_system(" "))["system"], Value::Null);
}

#[test]
fn tools_keep_the_order_of_their_properties() {
    let request = ModelRequest::new([]).with_tools([look()]);
    let body = String::from_utf8(AnthropicCodec::new().body(EncodeInput::new("m", &request)))
        .expect("is text");
    let tool = r#"{"name":"look","description":"Looks.","input_schema":{"type":"object","properties":{"b":{},"a":{}}}}"#;
    assert!(body.contains(tool), "{body}");
    assert_eq!(AnthropicCodec::new().tools(&Toolset::new()).as_str(), "[]");
}

#[test]
fn results_of_a_round_stand_in_one_message_and_sides_take_turns() {
    let first = round(
        vec![call("", "{}"), call("x", "{\"b\":1, \"a\":2}")],
        &["one", "two"],
    );
    let second = round(vec![Part::Text("Again.".into()), call("x", "")], &["three"]);
    let mut request = asked(vec![first, second], vec![]);
    request.messages.push(Message::user("And now?"));
    request.messages.push(Message::user("Hello?"));
    check_messages(
        &request,
        &json!([
            {"role": "user", "content": [text("Hi")]},
            {"role": "assistant", "content":
                [sent_call("call00000", &json!({})), sent_call("x", &json!({"b": 1, "a": 2}))]},
            {"role": "user", "content": [sent_result("call00000", "one"), sent_result("x", "two")]},
            {"role": "assistant", "content":
                [text("Again."), sent_call("call00002", &json!({}))]},
            {"role": "user", "content":
                [sent_result("call00002", "three"), text("And now?"), text("Hello?")]},
        ]),
    );
}

#[test]
fn arguments_are_sent_as_the_model_wrote_them() {
    let request = asked(
        vec![round(vec![call("a", "{\"b\": 1.50, \"a\":2}")], &["x"])],
        vec![],
    );
    let body = String::from_utf8(AnthropicCodec::new().body(EncodeInput::new("m", &request)))
        .expect("is text");
    assert!(body.contains(r#""input":{"b": 1.50, "a":2}"#), "{body}");
}

#[test]
fn calls_of_strict_tools_have_their_form_again() {
    let own = round(vec![call("a", r#"{"a":[1.50]}"#)], &["x"]);
    let request = asked(vec![own], vec![]).with_tools([look().with_strict(Strict::Anthropic)]);
    let sent = sent_call("a", &json!({"a": "[1.50]"}));
    assert_eq!(body(&request)["messages"][1]["content"], json!([sent]));
}

#[test]
fn what_the_api_refuses_is_not_sent() {
    let open = round(vec![call("a", "{}")], &[]);
    let parts = vec![Part::Text(" ".into()), call("b", "{}")];
    check_messages(
        &asked(vec![open], parts),
        &json!([{"role": "user", "content": [text("Hi")]}]),
    );
    let reply = vec![Part::Call(ToolCall::new(
        "functions.no:0",
        "no tool",
        "{\"x\": ",
    ))];
    let request = ModelRequest::new([
        Message::Assistant(AssistantMessage {
            tool_rounds: [round(reply, &[" "])].into(),
            parts: [].into(),
        }),
        Message::User(UserMessage::new([])),
    ]);
    check_messages(
        &request,
        &json!([
            {"role": "user", "content": [text("(The conversation begins here.)")]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "call00000",
                "name": "no_tool", "input": {"invalid_arguments": "{\"x\": "}}]},
            {"role": "user", "content":
                [sent_result("call00000", "(no output)"), text("(empty message)")]},
        ]),
    );
}

#[test]
fn reasoning_that_was_cut_off_is_not_sent_back_at_the_end() {
    let thinking = json!({"type": "thinking", "signature": "s"});
    let reasoning = || {
        vec![
            Part::Reasoning("Hm.".into()),
            opaque(PROVIDER, thinking.clone()),
        ]
    };
    let after = |parts| {
        let mut request = asked(vec![], parts);
        request.messages.push(Message::user("Go on."));
        request
    };
    let [hi, more] = ["Hi", "Go on."].map(text);
    check_messages(
        &after(reasoning()),
        &json!([{"role": "user", "content": [hi, more]}]),
    );
    let mut whole = reasoning();
    whole.push(Part::Text("Yes.".into()));
    let sent = body(&after(whole));
    assert_eq!(
        sent["messages"][1]["content"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn images_stand_where_they_stood() {
    let encoded = Image::Base64 {
        media_type: "image/png".into(),
        data: "AAAA".into(),
    };
    let linked = Image::from_url("https://example.com/b.png");
    let of_bytes = json!({"type": "image", "source":
        {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    let of_link = json!({"type": "image", "source":
        {"type": "url", "url": "https://example.com/b.png"}});
    let message = UserMessage::new([
        Part::Image(encoded.clone()),
        Part::Text("Is it".into()),
        Part::Image(linked.clone()),
    ]);
    check_messages(
        &ModelRequest::new([Message::User(message)]),
        &json!([{"role": "user", "content": [of_bytes, text("Is it"), of_link]}]),
    );
    let seen = ToolOutput {
        parts: vec![
            OutputPart::Image(encoded),
            OutputPart::Json("{\"n\":1}".into()),
            OutputPart::Image(linked),
        ],
    };
    let answers = [
        ToolResult::success("a", seen),
        ToolResult::error_message("b", "no"),
    ];
    let calls = [
        ToolCall::new("a", "look", "{}"),
        ToolCall::new("b", "look", "{}"),
    ];
    assert_eq!(
        Value::from(AnthropicCodec::new().results(&calls, &answers)),
        json!([
            {"type": "tool_result", "tool_use_id": "a",
                "content": [of_bytes, text("{\"n\":1}"), of_link]},
            {"type": "tool_result", "tool_use_id": "b", "is_error": true,
                "content": [text("Tool execution failed (unknown): no")]},
        ])
    );
}

#[test]
fn what_others_read_is_left_out_and_documents_of_the_user_are_sent() {
    let reply = vec![
        Part::Reasoning("Hm.".into()),
        opaque("openai_chat", json!({"signature": "s"})),
        opaque(
            "anthropic:other.example",
            json!({"type": "thinking", "signature": "s"}),
        ),
        Part::Text("Yes.".into()),
    ];
    let mut request = asked(vec![], reply);
    let document = json!({"type": "document", "source": {"type": "file", "file_id": "f"}});
    let parts = vec![opaque(PROVIDER, document.clone())];
    request
        .messages
        .push(Message::User(UserMessage::new(parts)));
    check_messages(
        &request,
        &json!([
            {"role": "user", "content": [text("Hi")]},
            {"role": "assistant", "content": [text("Yes.")]},
            {"role": "user", "content": [document]},
        ]),
    );
}

#[test]
fn opaque_parts_bring_no_calls_and_write_over_nothing() {
    let reply = vec![
        Part::Text("Yes.".into()),
        opaque(
            PROVIDER,
            json!({"type": "text", "text": "No.", "citations": [1]}),
        ),
        opaque(
            PROVIDER,
            json!({"type": "tool_use", "id": "evil", "name": "rm", "input": {}}),
        ),
        opaque(
            PROVIDER,
            json!({"type": "tool_result", "tool_use_id": "evil"}),
        ),
        opaque(PROVIDER, json!(7)),
    ];
    check_messages(
        &asked(vec![], reply),
        &json!([
            {"role": "user", "content": [text("Hi")]},
            {"role": "assistant", "content":
                [{"type": "text", "text": "Yes.", "citations": [1]}]},
        ]),
    );
}

#[test]
fn the_beginning_is_marked_to_be_kept() {
    let settings = |caching| ModelSettings::new().with_prompt_caching(caching);
    let request = asked(vec![round(vec![call("a", "{}")], &["x"])], vec![])
        .with_system("Be brief.")
        .with_tools([look(), look()])
        .with_settings(settings(PromptCaching::FiveMinutes));
    let body_of_five = body(&request);
    let mark = json!({"type": "ephemeral"});
    assert_eq!(body_of_five["tools"][0]["cache_control"], Value::Null);
    assert_eq!(body_of_five["tools"][1]["cache_control"], mark);
    assert_eq!(body_of_five["system"][0]["cache_control"], mark);
    assert_eq!(
        body_of_five["messages"][2]["content"][0]["cache_control"],
        mark
    );
    let marks = body_of_five.to_string().matches("cache_control").count();
    assert_eq!(marks, 3);
    let body_of_hour = body(&request.with_settings(settings(PromptCaching::OneHour)));
    assert_eq!(
        body_of_hour["tools"][1]["cache_control"],
        json!({"type": "ephemeral", "ttl": "1h"})
    );
    let without = ModelRequest::new([]).with_settings(settings(PromptCaching::OneHour));
    assert_eq!(body(&without)["messages"], json!([]));
}

#[test]
fn a_search_does_not_refer_to_tools_that_are_gone() {
    let found = |names: &[&str]| {
        let references = names
            .iter()
            .map(|name| json!({"type": "tool_reference", "tool_name": name}));
        json!({"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": {
            "type": "tool_search_tool_search_result",
            "tool_references": references.collect::<Vec<_>>()}})
    };
    let search = json!({"type": "server_tool_use", "id": "srvtoolu_1",
        "name": "tool_search_tool_bm25", "input": {"query": "weather"}});
    let reply = vec![
        opaque(PROVIDER, search),
        opaque(PROVIDER, found(&["look", "gone"])),
        call("toolu_1", "{}"),
    ];
    let request = asked(vec![round(reply, &["sunny"])], Vec::new());
    let both = [
        look(),
        ToolDefinition {
            name: "gone".into(),
            ..look()
        },
    ];
    let blocks = |request: &ModelRequest| body(request)["messages"][1]["content"].clone();
    let with_both = request.clone().with_tools(both);
    assert_eq!(blocks(&with_both)[1], found(&["look", "gone"]));
    let with_one = request.clone().with_tools([look()]);
    assert_eq!(blocks(&with_one)[1], found(&["look"]));
    // Messages that are written without tools are as they were, and a list of the user's own may have it.
    assert_eq!(blocks(&request)[1], found(&["look", "gone"]));
    let settings = ModelSettings::new().with_extra("tools", json!([]));
    let with_own = request.with_tools([look()]).with_settings(settings);
    assert_eq!(blocks(&with_own)[1], found(&["look", "gone"]));
}

#[test]
fn a_use_that_was_cut_off_goes_back_only_where_it_goes_on() {
    let search = |id: &str| json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "Rust"}});
    let result = json!({"type": "web_search_tool_result", "tool_use_id": "a", "content": []});
    let parts = vec![
        Part::Text("I look.".into()),
        opaque(PROVIDER, search("a")),
        opaque(PROVIDER, result.clone()),
        opaque(PROVIDER, search("b")),
    ];
    let paused = asked(Vec::new(), parts);
    let whole = json!([text("I look."), search("a"), result, search("b")]);
    assert_eq!(body(&paused)["messages"][1]["content"], whole);
    let mut over = paused;
    over.messages.push(Message::user("And?"));
    let answered = json!([text("I look."), search("a"), result]);
    assert_eq!(body(&over)["messages"][1]["content"], answered);
}

#[test]
fn the_last_answer_does_not_end_in_white_space() {
    let request = asked(Vec::new(), vec![Part::Text("I go on \n".into())]);
    assert_eq!(
        body(&request)["messages"][1]["content"],
        json!([text("I go on")])
    );
    let mut over = request;
    over.messages.push(Message::user("And?"));
    assert_eq!(
        body(&over)["messages"][1]["content"],
        json!([text("I go on \n")])
    );
}

#[test]
fn a_document_is_cited_if_it_is_asked_for() {
    let document = Document::from_bytes("text/plain", "A.").with_name("a.txt");
    let sent = |document| {
        let user = UserMessage::new([Part::Document(document)]);
        body(&ModelRequest::new([Message::user(user)]))["messages"][0]["content"][0].clone()
    };
    assert_eq!(sent(document.clone()).get("citations"), None);
    assert_eq!(
        sent(document.with_citations())["citations"],
        json!({"enabled": true})
    );
}

/// anthropic-python has several versions of a tool; one in the extra fields is sent instead of ours.
#[test]
fn another_version_of_a_tool_is_sent_in_the_place_of_ours() {
    let newer = json!([{"type": "web_search_20260209", "name": "web_search"}]);
    let settings = ModelSettings::new()
        .with_provider_tool(WebSearch::new())
        .with_extra("tools", newer.clone());
    let request = ModelRequest::new([Message::user("Hi")]).with_settings(settings);
    assert_eq!(body(&request)["tools"], newer);
}
