use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, Strict, ToolCall, ToolChoice, ToolDefinition, ToolOutput,
    ToolResult, ToolRound, Toolset, UserMessage,
    message::{AssistantMessage, Image, Opaque},
    model::ModelSettings,
    schema::Schema,
};

use super::super::{OpenAiResponsesCodec, PROVIDER};
use crate::provider::{Codec, EncodeInput};

fn body(request: &ModelRequest) -> Value {
    serde_json::from_slice(&OpenAiResponsesCodec::new().body(EncodeInput::new("m", request)))
        .expect("is JSON")
}

fn settings(settings: ModelSettings) -> ModelRequest {
    ModelRequest::new([Message::user("Hi")]).with_settings(settings)
}

fn own(data: Value) -> Part {
    Part::Opaque(Opaque {
        provider: PROVIDER.to_owned(),
        data,
    })
}

fn call(id: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new(id, "look", arguments))
}

/// A reply, answered with one result a call, as it goes back.
fn round(reply: Vec<Part>) -> Vec<Value> {
    let calls = toolwright_core::message::calls_of(&reply).count();
    let results = vec![ToolResult::success("", "a cat"); calls];
    let message = AssistantMessage {
        tool_rounds: [ToolRound {
            reply: reply.into(),
            results: results.into(),
        }]
        .into(),
        parts: [].into(),
    };
    let body = body(&ModelRequest::new([Message::Assistant(message)]));
    body["input"].as_array().expect("is a list").clone()
}

fn last(parts: Vec<Part>) -> Vec<Value> {
    let message = AssistantMessage {
        tool_rounds: [].into(),
        parts: parts.into(),
    };
    let body = body(&ModelRequest::new([Message::Assistant(message)]));
    body["input"].as_array().expect("is a list").clone()
}

fn user(parts: Vec<Part>) -> Value {
    body(&ModelRequest::new([Message::User(UserMessage::new(parts))]))["input"].clone()
}

fn look() -> ToolDefinition {
    let schema = r#"{"type":"object","properties":{"b":{},"a":{}}}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    ToolDefinition::new("look", "Looks.", schema)
}

fn thought(content: &str) -> Value {
    json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": content})
}

#[test]
fn a_plain_request_asks_for_nothing_to_be_stored() {
    let request = ModelRequest::new([Message::user("Hi")]).with_system("Be brief.");
    let plain = json!({"model": "m", "instructions": "Be brief.",
        "input": [{"type": "message", "role": "user", "content": "Hi"}],
        "store": false, "include": ["reasoning.encrypted_content"]});
    assert_eq!(body(&request), plain);
    let streamed = OpenAiResponsesCodec::new().body(EncodeInput::new("m", &request).streamed());
    let mut streamed: Value = serde_json::from_slice(&streamed).expect("is JSON");
    assert_eq!(streamed["stream"].take(), true);
    streamed.as_object_mut().expect("is one").remove("stream");
    assert_eq!(streamed, plain);
}

#[test]
fn settings_have_their_fields_and_extra_ones_win() {
    let mut all = ModelSettings::new()
        .with_temperature(0.5)
        .with_max_output_tokens(9)
        .with_reasoning_effort("low")
        .with_extra("text", json!({"format": {"type": "json_object"}}))
        .with_extra("include", Value::Null)
        .with_extra("temperature", 1);
    all.parallel_tool_calls = Some(false);
    let sent = body(&settings(all.clone()).with_tools([look()]));
    assert_eq!(sent["temperature"], 1);
    assert_eq!(sent["max_output_tokens"], 9);
    assert_eq!(sent["reasoning"], json!({"effort": "low"}));
    assert_eq!(sent["text"], json!({"format": {"type": "json_object"}}));
    assert_eq!(sent["include"], Value::Null);
    assert_eq!(sent["parallel_tool_calls"], false);
    // Alone it says nothing.
    assert_eq!(body(&settings(all))["parallel_tool_calls"], Value::Null);
}

#[test]
fn the_effort_stands_beside_what_the_user_says_of_reasoning() {
    let check = |own: Value, expected: Value| {
        let settings_ = ModelSettings::new()
            .with_reasoning_effort("low")
            .with_extra("reasoning", own);
        assert_eq!(body(&settings(settings_))["reasoning"], expected);
    };
    check(
        json!({"summary": "auto"}),
        json!({"summary": "auto", "effort": "low"}),
    );
    check(json!({"effort": "high"}), json!({"effort": "high"}));
    check(Value::Null, Value::Null);
}

#[test]
fn what_the_api_has_no_field_for_is_told() {
    let codes = |settings_: ModelSettings| {
        let warnings = OpenAiResponsesCodec::new().warnings(&settings(settings_));
        let codes = warnings.into_iter().map(|warning| warning.code);
        codes.collect::<Vec<_>>()
    };
    let both = ModelSettings::new()
        .with_seed(7)
        .with_stop_sequences(["END"]);
    assert_eq!(
        codes(both.clone()),
        ["seed_ignored", "stop_sequence_ignored"]
    );
    // A server that takes them is sent them by name.
    let own = both
        .with_extra("seed", 7)
        .with_extra("stop", json!(["END"]));
    assert_eq!(codes(own), [""; 0]);
}

#[test]
fn every_choice_of_tools_has_its_form() {
    let check = |choice: ToolChoice, expected: Value| {
        let request = settings(ModelSettings::new()).with_tool_choice(choice);
        assert_eq!(body(&request)["tool_choice"], Value::Null);
        let sent = body(&request.clone().with_tools([look()]));
        assert_eq!(sent["tool_choice"], expected);
        // The server's own tools are tools as well.
        let own = ModelSettings::new().with_extra("tools", json!([{"type": "web_search"}]));
        let sent = body(&request.with_settings(own));
        assert_eq!(sent["tool_choice"], expected);
    };
    check(ToolChoice::Auto, Value::Null);
    check(ToolChoice::None, json!("none"));
    check(ToolChoice::Required, json!("required"));
    check(
        ToolChoice::Tool("look".into()),
        json!({"type": "function", "name": "look"}),
    );
    let allowed = json!({"type": "allowed_tools", "mode": "required",
        "tools": [{"type": "function", "name": "look"}]});
    let own = ModelSettings::new().with_extra("tool_choice", allowed.clone());
    let request = settings(own).with_tools([look()]);
    assert_eq!(body(&request)["tool_choice"], allowed);
}

#[test]
fn a_tool_says_whether_it_is_strict() {
    let sent = OpenAiResponsesCodec::new()
        .tools(&Toolset::new())
        .to_value();
    assert_eq!(sent, json!([]));
    let both = [look(), look().with_strict(Strict::Anthropic)];
    let request = settings(ModelSettings::new()).with_tools(both);
    let text = String::from_utf8(OpenAiResponsesCodec::new().body(EncodeInput::new("m", &request)))
        .expect("is text");
    let plain = r#"{"type":"function","name":"look","description":"Looks.","parameters":{"type":"object","properties":{"b":{},"a":{}}},"strict":false}"#;
    assert!(
        text.contains(&format!("\"tools\":[{plain},{plain}]")),
        "{text}"
    );

    let schema = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    let tool = ToolDefinition::new("look", "Looks.", schema).with_strict(Strict::OpenAi);
    let sent = body(&settings(ModelSettings::new()).with_tools([tool]));
    assert_eq!(sent["tools"][0]["strict"], true);
    assert_eq!(sent["tools"][0]["parameters"]["required"], json!(["a"]));
}

#[test]
fn what_the_user_says_is_a_text_or_parts_in_order() {
    let image = Image::from_bytes("image/png", b"\x89PNG");
    let file = json!({"type": "input_file", "file_id": "file_1"});
    let sent = user(vec![
        Part::Text("This".into()),
        Part::Image(image),
        own(file.clone()),
    ]);
    assert_eq!(
        sent,
        json!([{"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "This"},
            {"type": "input_image", "image_url": "data:image/png;base64,iVBORw==", "detail": "auto"},
            file]}])
    );
    assert_eq!(
        user(vec![Part::Image(Image::from_url("https://a/b.png"))])[0]["content"][0]["image_url"],
        "https://a/b.png"
    );
    assert_eq!(
        user(vec![]),
        json!([{"type": "message", "role": "user", "content": ""}])
    );
}

#[test]
fn each_item_says_its_type() {
    // The server of llama.cpp: "Cannot determine type of 'item'".
    let custom = json!({"type": "custom_tool_call", "call_id": "call_2"});
    let mut items = round(vec![
        Part::Text("I look.".into()),
        own(thought("gAAA")),
        call("call_1", "{}"),
        call("call_2", r#"{"input":"x"}"#),
        own(custom),
    ]);
    items.extend(last(vec![Part::Text("Seen.".into())]));
    items.extend(
        user(vec![Part::Text("Hi".into())])
            .as_array()
            .cloned()
            .expect("is a list"),
    );
    items.extend(user(vec![]).as_array().cloned().expect("is a list"));
    let kinds: Vec<_> = items.iter().map(|item| item["type"].as_str()).collect();
    let expected = [
        "message",
        "reasoning",
        "function_call",
        "custom_tool_call",
        "function_call_output",
        "custom_tool_call_output",
        "message",
        "message",
        "message",
    ];
    assert_eq!(kinds, expected.map(Some));
}

#[test]
fn a_user_may_answer_what_the_server_asks() {
    let answer =
        json!({"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": true});
    assert_eq!(user(vec![own(answer.clone())]), json!([answer]));
    let said = |text: &str| json!({"type": "message", "role": "user", "content": text});
    let parts = vec![
        Part::Text("Yes.".into()),
        own(answer.clone()),
        Part::Text("Go on.".into()),
    ];
    assert_eq!(user(parts), json!([said("Yes."), answer, said("Go on.")]));
    // Results have a place of their own.
    let result = json!({"type": "function_call_output", "call_id": "a", "output": "b"});
    assert_eq!(
        user(vec![own(result)]),
        json!([{"type": "message", "role": "user", "content": ""}])
    );
}

#[test]
fn reasoning_goes_back_byte_for_byte_before_its_call() {
    let items = round(vec![
        Part::Reasoning("Words that the item holds.".into()),
        own(thought("gAAA+/=")),
        call("call_1", "{\"a\": 1}"),
    ]);
    let result = json!({"type": "function_call_output", "call_id": "call_1", "output": "a cat"});
    assert_eq!(
        items,
        [
            thought("gAAA+/="),
            json!({"type": "function_call", "call_id": "call_1", "name": "look",
                "arguments": "{\"a\": 1}"}),
            result,
        ]
    );
}

#[test]
fn reasoning_that_the_server_cannot_know_does_not_go_back() {
    let said = json!({"type": "message", "role": "assistant", "content": "Yes."});
    let check = |item: Value, is_sent: bool| {
        let items = last(vec![own(item.clone()), Part::Text("Yes.".into())]);
        let expected = if is_sent {
            vec![item, said.clone()]
        } else {
            vec![said.clone()]
        };
        assert_eq!(items, expected);
    };
    check(thought("gAAA"), true);
    check(thought(""), false);
    let known = json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}]});
    check(known.clone(), false);
    let words = json!({"type": "reasoning", "id": "rs_1", "summary": [],
        "content": [{"type": "reasoning_text", "text": "Hm."}]});
    check(words, true);
    // A server that stores replies does.
    let reply = AssistantMessage {
        tool_rounds: [].into(),
        parts: [own(known.clone()), Part::Text("Yes.".into())].into(),
    };
    let request = ModelRequest::new([Message::Assistant(reply)])
        .with_settings(ModelSettings::new().with_extra("store", true));
    assert_eq!(body(&request)["input"][0], known);
    // Reasoning that led to nothing is refused.
    assert_eq!(last(vec![own(thought("gAAA"))]), [Value::Null; 0]);
}

#[test]
fn words_mark_the_place_of_reasoning_that_came_after_what_it_led_to() {
    let item = |text: &str| {
        json!({"type": "reasoning", "id": text, "summary": [],
            "content": [{"type": "reasoning_text", "text": text}]})
    };
    let items = last(vec![
        Part::Reasoning("One".into()),
        Part::Text("A".into()),
        own(item("One")),
        Part::Reasoning("other words".into()),
        own(item("Two")),
        Part::Text("B".into()),
    ]);
    let said = |text: &str| json!({"type": "message", "role": "assistant", "content": text});
    assert_eq!(items, [item("One"), said("A"), item("Two"), said("B")]);
}

#[test]
fn a_text_goes_back_with_its_phase_and_apart_from_the_next() {
    let items = last(vec![
        Part::Text("I look.".into()),
        own(json!({"type": "message", "phase": "commentary", "role": "system", "id": "msg_1"})),
        Part::Text("Here ".into()),
        own(json!({"type": "message"})),
        Part::Text("it is.".into()),
    ]);
    assert_eq!(
        items,
        [
            json!({"type": "message", "role": "assistant", "content": "I look.", "phase": "commentary"}),
            json!({"type": "message", "role": "assistant", "content": "Here "}),
            json!({"type": "message", "role": "assistant", "content": "it is."}),
        ]
    );
}

#[test]
fn a_message_with_content_of_its_own_goes_back_as_long_as_it_says_its_text() {
    let cited = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "It ", "annotations": [{"type": "file_citation"}]},
            {"type": "output_text", "text": "is.", "annotations": []}]});
    let check = |text: &str, expected: Value| {
        let parts = vec![Part::Text(text.into()), own(cited.clone())];
        assert_eq!(last(parts), [expected]);
    };
    check("It is.", cited.clone());
    let changed = json!({"type": "message", "role": "assistant", "content": "It was."});
    check("It was.", changed);
    // Content that is no text says none.
    let refusal = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "refusal", "refusal": "No."}]});
    assert_eq!(last(vec![own(refusal.clone())]), [refusal]);
}

#[test]
fn items_of_the_server_go_back_as_they_came_and_to_no_other() {
    let search = json!({"type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": {"type": "search", "query": "b"}});
    let parts = || vec![own(search.clone()), Part::Text("Found.".into())];
    assert_eq!(last(parts())[0], search);
    let elsewhere = parts().into_iter().map(|part| match part {
        Part::Opaque(opaque) => Part::Opaque(Opaque {
            provider: "openai_responses:other".to_owned(),
            ..opaque
        }),
        part => part,
    });
    let said = json!({"type": "message", "role": "assistant", "content": "Found."});
    assert_eq!(last(elsewhere.collect()), std::slice::from_ref(&said));
    // Calls and results have parts of their own.
    for kind in [
        "function_call",
        "function_call_output",
        "custom_tool_call_output",
        "",
    ] {
        let item = json!({"type": kind, "call_id": "a", "output": "b"});
        assert_eq!(
            last(vec![own(item), Part::Text("Found.".into())]),
            std::slice::from_ref(&said)
        );
    }
}

#[test]
fn a_call_goes_back_with_what_belongs_to_it_and_so_does_its_result() {
    let caller = json!({"type": "program", "caller_id": "call_0"});
    let items = round(vec![
        call("call_1", "{}"),
        call("call_2", "{}"),
        own(
            json!({"type": "function_call", "call_id": "call_2", "caller": caller,
            "namespace": "crm", "arguments": "{\"forged\": 1}", "name": "forged"}),
        ),
    ]);
    assert_eq!(
        items[1],
        json!({"type": "function_call", "call_id": "call_2", "name": "look", "arguments": "{}",
            "caller": caller, "namespace": "crm"})
    );
    assert_eq!(items[0]["caller"], Value::Null);
    assert_eq!(items[2]["caller"], Value::Null);
    assert_eq!(
        items[3],
        json!({"type": "function_call_output", "call_id": "call_2", "output": "a cat", "caller": caller})
    );
}

#[test]
fn a_custom_call_is_a_text_and_is_answered_as_one() {
    let items = round(vec![
        call("call_1", "SELECT 1"),
        own(json!({"type": "custom_tool_call", "call_id": "call_1"})),
    ]);
    assert_eq!(
        items,
        [
            json!({"type": "custom_tool_call", "call_id": "call_1", "name": "look", "input": "SELECT 1"}),
            json!({"type": "custom_tool_call_output", "call_id": "call_1", "output": "a cat"}),
        ]
    );
    // One that the server ran is no call.
    let ran = json!({"type": "custom_tool_call", "call_id": "xs_call_1", "name": "x_search", "input": "{}"});
    let items = last(vec![own(ran.clone()), Part::Text("Found.".into())]);
    assert_eq!(items[0], ran);
}

#[test]
fn a_call_that_cannot_be_sent_as_it_is_is_made_sendable() {
    let items = round(vec![call("", "{\"a\": "), call("", "")]);
    assert_eq!(items[0]["call_id"], "call00000");
    assert_eq!(
        items[0]["arguments"],
        "{\"invalid_arguments\":\"{\\\"a\\\": \"}"
    );
    assert_eq!(items[1]["arguments"], "{}");
    assert_eq!(items[2]["call_id"], "call00000");
    assert_eq!(items[3]["call_id"], "call00001");
}

#[test]
fn results_are_texts_or_parts_in_order() {
    let picture = ToolOutput::text("The harbour:")
        .with_image(Image::from_url("https://a/b.png"))
        .with_text("at noon");
    let calls = ["a", "b", "c"].map(|id| ToolCall::new(id, "look", "{}"));
    let items = OpenAiResponsesCodec::new().results(
        &calls,
        &[
            ToolResult::success("a", 7),
            ToolResult::success("b", picture),
            ToolResult::error_message("c", "no light"),
        ],
    );
    let output = |id: &str, output: Value| json!({"type": "function_call_output", "call_id": id, "output": output});
    assert_eq!(
        items,
        [
            output("a", json!("7")),
            output(
                "b",
                json!([{"type": "input_text", "text": "The harbour:"},
                    {"type": "input_image", "image_url": "https://a/b.png", "detail": "auto"},
                    {"type": "input_text", "text": "at noon"}])
            ),
            output("c", json!("Tool execution failed (unknown): no light")),
        ]
    );
}

#[test]
fn reasoning_that_comes_last_goes_back_where_the_server_takes_it() {
    let thought =
        json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "a"});
    let parts = vec![Part::Text("A cat.".into()), own(thought.clone())];
    let message = Message::Assistant(AssistantMessage {
        tool_rounds: Vec::new().into(),
        parts: parts.into(),
    });
    let request = ModelRequest::new([Message::user("Hi"), message]);
    let input = |dialect: &OpenAiResponsesCodec| {
        let body = dialect.body(EncodeInput::new("m", &request));
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        body["input"].as_array().cloned().unwrap_or_default()
    };
    assert_eq!(input(&OpenAiResponsesCodec::new()).len(), 2);
    let sent = input(&OpenAiResponsesCodec::new().with_reasoning_last());
    assert_eq!(sent.last(), Some(&thought));
}
