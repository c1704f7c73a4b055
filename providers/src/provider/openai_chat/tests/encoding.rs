use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, Strict, ToolCall, ToolChoice, ToolDefinition, ToolOutput,
    ToolResult, ToolRound, Toolset, UserMessage,
    message::{AssistantMessage, Image, Opaque},
    model::ModelSettings,
    schema::Schema,
    tool::OutputPart,
};

use super::super::{OpenAiChatCodec, PROVIDER, codec::ChatCompletions};
use crate::{
    codec::tool_list::ToolList,
    provider::{Codec, EncodeInput},
};

/// Checks fields of the body; those that are not named are not looked at.
fn check(request: &ModelRequest, expected: &Value) {
    let body: Value =
        serde_json::from_slice(&OpenAiChatCodec::new().body(EncodeInput::new("m", request)))
            .expect("is JSON");
    for (name, value) in expected.as_object().expect("is a list of fields") {
        assert_eq!(&body[name], value, "{name}");
    }
}

fn round(reply: Vec<Part>, texts: &[&str]) -> ToolRound {
    ToolRound {
        reply: reply.into(),
        results: texts
            .iter()
            .map(|text| ToolResult::success("", *text))
            .collect(),
    }
}

fn call(id: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new(id, "look", arguments))
}

fn own(data: Value) -> Part {
    Part::Opaque(Opaque {
        provider: PROVIDER.to_owned(),
        data,
    })
}

fn assistant(tool_rounds: Vec<ToolRound>, parts: Vec<Part>) -> ModelRequest {
    ModelRequest::new([Message::Assistant(AssistantMessage {
        tool_rounds: tool_rounds.into(),
        parts: parts.into(),
    })])
}

fn look() -> ToolDefinition {
    let schema = r#"{"type":"object","properties":{"b":{},"a":{}}}"#;
    ToolDefinition::new(
        "look",
        "Looks.",
        Schema::from_text(schema).expect("is JSON"),
    )
}

#[test]
fn a_plain_request_holds_nothing_that_was_not_asked_for() {
    let request = ModelRequest::new([Message::user("Hi")]).with_system("Be brief.");
    let body: Value =
        serde_json::from_slice(&OpenAiChatCodec::new().body(EncodeInput::new("m", &request)))
            .expect("is JSON");
    assert_eq!(
        body,
        json!({"model": "m", "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
        ]})
    );
}

#[test]
fn a_streamed_request_asks_for_the_usage() {
    let body = OpenAiChatCodec::new()
        .body(EncodeInput::new("m", &ModelRequest::new([Message::user("Hi")])).streamed());
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["stream"], true);
    assert_eq!(body["stream_options"], json!({"include_usage": true}));
}

#[test]
fn settings_have_their_fields_and_extra_ones_win() {
    let mut settings = ModelSettings::new()
        .with_temperature(0.5)
        .with_max_output_tokens(9)
        .with_parallel_tool_calls(false)
        .with_extra("temperature", 1)
        .with_extra("top_k", 3);
    settings.stop_sequences = vec!["END".into()];
    settings.seed = Some(-1);
    settings.reasoning_effort = Some("low".into());
    let request = ModelRequest::new([]).with_settings(settings);
    check(
        &request,
        &json!({"temperature": 1, "max_completion_tokens": 9, "top_k": 3, "stop": ["END"],
            "seed": -1, "reasoning_effort": "low",
            // OpenAI refuses it without tools.
            "parallel_tool_calls": null}),
    );
    check(
        &request.with_tools([look()]),
        &json!({"parallel_tool_calls": false}),
    );
}

#[test]
fn tools_keep_the_order_of_their_properties() {
    let request = ModelRequest::new([]).with_tools([look()]);
    let body = String::from_utf8(OpenAiChatCodec::new().body(EncodeInput::new("m", &request)))
        .expect("is text");
    let tool = r#"{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object","properties":{"b":{},"a":{}}}}}"#;
    assert!(body.contains(tool), "{body}");
    assert_eq!(OpenAiChatCodec::new().tools(&Toolset::new()).as_str(), "[]");
}

#[test]
fn the_tools_of_a_set_are_rendered_once() {
    let set = Toolset::new();
    let first = OpenAiChatCodec::new().tools(&set);
    let again = OpenAiChatCodec::new().tools(&set.clone());
    assert_eq!(first.as_str().as_ptr(), again.as_str().as_ptr());
    let mut request = ModelRequest::default();
    request.tools = set.shared_definitions().clone();
    let kept = ToolList::of::<ChatCompletions>(&request.tools, None, false);
    assert_eq!(first.as_str().as_ptr(), kept.json.as_str().as_ptr());
}

#[test]
fn a_choice_goes_along_with_tools_only() {
    let with = |choice| {
        ModelRequest::new([])
            .with_tools([look()])
            .with_tool_choice(choice)
    };
    check(&with(ToolChoice::Auto), &json!({"tool_choice": null}));
    check(&with(ToolChoice::None), &json!({"tool_choice": "none"}));
    check(
        &with(ToolChoice::Required),
        &json!({"tool_choice": "required"}),
    );
    check(
        &with(ToolChoice::Tool("look".into())),
        &json!({"tool_choice": {"type": "function", "function": {"name": "look"}}}),
    );
    let without = ModelRequest::new([]).with_tool_choice(ToolChoice::Required);
    check(&without, &json!({"tool_choice": null, "tools": null}));
}

#[test]
fn images_stand_where_they_stood() {
    let image = |image| Part::Image(image);
    let message = UserMessage::new([
        Part::Text("Is".into()),
        image(Image::Base64 {
            media_type: "image/png".into(),
            data: "AAAA".into(),
        }),
        image(Image::Url {
            url: "https://example.com/b.png".into(),
        }),
    ]);
    check(
        &ModelRequest::new([Message::User(message)]),
        &json!({"messages": [{"role": "user", "content": [
            {"type": "text", "text": "Is"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            {"type": "image_url", "image_url": {"url": "https://example.com/b.png"}},
        ]}]}),
    );
}

#[test]
fn every_call_is_answered_by_its_id() {
    let first = round(vec![call("", "{}"), call("x", "{}")], &["one", "two"]);
    let second = round(vec![Part::Text("Again.".into()), call("x", "")], &["three"]);
    let sent = |id: &str| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}});
    check(
        &assistant(vec![first, second], vec![Part::Text("Done.".into())]),
        &json!({"messages": [
            {"role": "assistant", "content": null, "tool_calls": [sent("call00000"), sent("x")]},
            {"role": "tool", "tool_call_id": "call00000", "content": "one"},
            {"role": "tool", "tool_call_id": "x", "content": "two"},
            {"role": "assistant", "content": "Again.", "tool_calls": [sent("call00002")]},
            {"role": "tool", "tool_call_id": "call00002", "content": "three"},
            {"role": "assistant", "content": "Done."},
        ]}),
    );
}

#[test]
fn a_call_without_its_result_is_left_out() {
    let open = round(vec![call("a", "{}")], &[]);
    let parts = vec![Part::Text("Hm.".into()), call("b", "{}")];
    check(
        &assistant(vec![open], parts),
        &json!({"messages": [{"role": "assistant", "content": "Hm."}]}),
    );
}

#[test]
fn broken_arguments_and_names_do_not_break_the_request() {
    let reply = vec![Part::Call(ToolCall::new("a", "no tool", "{\"x\": "))];
    check(
        &assistant(vec![round(reply, &["no"])], vec![]),
        &json!({"messages": [
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "a", "type": "function", "function":
                    {"name": "no_tool", "arguments": "{\"invalid_arguments\":\"{\\\"x\\\": \"}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "no"},
        ]}),
    );
}

#[test]
fn reasoning_goes_back_in_the_field_it_came_in() {
    let reply = |field: &str| {
        vec![
            own(json!({"reasoning_words_in": field})),
            Part::Reasoning("I ".into()),
            Part::Reasoning("see".into()),
            Part::Text("Yes.".into()),
        ]
    };
    check(
        &assistant(vec![], reply("reasoning_content")),
        &json!({"messages": [
            {"role": "assistant", "content": "Yes.", "reasoning_content": "I see"}]}),
    );
    check(
        &assistant(vec![], reply("reasoning")),
        &json!({"messages": [{"role": "assistant", "content": "Yes.", "reasoning": "I see"}]}),
    );
    let mut with_details = reply("reasoning");
    with_details.push(own(json!({"reasoning_details": [{"data": "x"}]})));
    check(
        &assistant(vec![], with_details),
        &json!({"messages": [
            {"role": "assistant", "content": "Yes.", "reasoning_details": [{"data": "x"}]}]}),
    );
    let thinking =
        |text: &str| json!({"type": "thinking", "thinking": [{"type": "text", "text": text}]});
    check(
        &assistant(vec![], reply("content")),
        &json!({"messages": [{"role": "assistant", "content":
            [thinking("I "), thinking("see"), {"type": "text", "text": "Yes."}]}]}),
    );
}

#[test]
fn signatures_go_back_on_the_message_or_the_call() {
    let reply = vec![
        call("a", "{}"),
        call("b", "{}"),
        own(json!({"call": 1, "extra_content": {"s": 1}})),
        own(json!({"thought_signature": "t"})),
    ];
    let request = assistant(vec![round(reply, &["x", "y"])], vec![]);
    let body: Value =
        serde_json::from_slice(&OpenAiChatCodec::new().body(EncodeInput::new("m", &request)))
            .expect("is JSON");
    let message = &body["messages"][0];
    assert_eq!(message["thought_signature"], "t");
    assert_eq!(message["tool_calls"][0]["extra_content"], Value::Null);
    assert_eq!(message["tool_calls"][1]["extra_content"], json!({"s": 1}));
}

#[test]
fn calls_of_strict_tools_have_their_form_again_if_they_have_one() {
    let strict = look().with_strict(Strict::OpenAi);
    for (own, sent) in [
        (r#"{"a":[1.50]}"#, r#"{"a":"[1.50]","b":null}"#),
        ("", r#"{"b":null,"a":null}"#),
        ("[1]", r#"{"invalid_arguments":"[1]"}"#),
        (r#"{"c":7}"#, r#"{"c":7,"b":null,"a":null}"#),
    ] {
        let messages = assistant(vec![round(vec![call("a", own)], &["done"])], vec![]);
        let request = messages.with_tools([strict.clone()]);
        let body: Value =
            serde_json::from_slice(&OpenAiChatCodec::new().body(EncodeInput::new("m", &request)))
                .expect("is JSON");
        let function = &body["messages"][0]["tool_calls"][0]["function"];
        assert_eq!(function["arguments"], sent);
    }
}

#[test]
fn other_providers_parts_are_left_out() {
    let foreign = Part::Opaque(Opaque {
        provider: "anthropic".into(),
        data: json!({"signature": "s"}),
    });
    let parts = vec![foreign.clone(), Part::Reasoning("I see".into())];
    check(&assistant(vec![], parts), &json!({"messages": []}));
    let parts = vec![foreign, Part::Text("Yes.".into())];
    check(
        &assistant(vec![], parts),
        &json!({"messages": [{"role": "assistant", "content": "Yes."}]}),
    );
}

#[test]
fn results_are_messages_in_order_and_their_images_follow() {
    let image = OutputPart::Image(Image::Url {
        url: "https://example.com/a.png".into(),
    });
    let seen = ToolOutput {
        parts: vec![OutputPart::Text("seen".into()), image],
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
        Value::from(OpenAiChatCodec::new().results(&calls, &answers)),
        json!([
            {"role": "tool", "tool_call_id": "a", "content": "seen\n(1 image)"},
            {"role": "tool", "tool_call_id": "b",
                "content": "Tool execution failed (unknown): no"},
            {"role": "user", "content": [
                {"type": "text", "text": "Images in the result of the call a:"},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]},
        ])
    );
}
