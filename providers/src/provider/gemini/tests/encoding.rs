use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, Strict, ToolCall, ToolDefinition, ToolOutput, ToolResult,
    ToolRound, UserMessage,
    message::{AssistantMessage, Image, Opaque},
    model::ModelSettings,
    schema::Schema,
    tool::OutputPart,
};

use super::super::PROVIDER;
use crate::{
    profile::Profile,
    provider::{Codec, EncodeInput, GeminiCodec},
};

fn body(model: &str, request: &ModelRequest) -> Value {
    serde_json::from_slice(&GeminiCodec::new().body(EncodeInput::new(model, request)))
        .expect("is JSON")
}

fn check_contents(request: &ModelRequest, expected: &Value) {
    assert_eq!(&body("gemini-2.5-pro", request)["contents"], expected);
}

fn call(id: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new(id, "look", arguments))
}

fn opaque(provider: &str, data: Value) -> Part {
    let provider = provider.to_owned();
    Part::Opaque(Opaque { provider, data })
}

fn own(data: Value) -> Part {
    opaque(PROVIDER, data)
}

fn round(reply: Vec<Part>, texts: &[&str]) -> ToolRound {
    let results = texts.iter().map(|text| ToolResult::success("", *text));
    ToolRound {
        reply: reply.into(),
        results: results.collect(),
    }
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

fn user(parts: &Value) -> Value {
    json!({"role": "user", "parts": parts})
}

fn model(parts: &Value) -> Value {
    json!({"role": "model", "parts": parts})
}

fn hi() -> Value {
    user(&json!([{"text": "Hi"}]))
}

fn sent_result(said: &str) -> Value {
    json!({"functionResponse": {"name": "look", "response": {"output": said}}})
}

fn look() -> ToolDefinition {
    let schema = r#"{"type":"object","properties":{"b":{"type":["string","null"]},"a":{}}}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    ToolDefinition::new("look", "Looks.", schema)
}

#[test]
fn a_request_is_contents_beside_a_system_text() {
    let request = ModelRequest::new([Message::user("Hi"), Message::assistant("Yes?")]);
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [hi(), model(&json!([{"text": "Yes?"}]))]});
    let request = request.with_system("Be brief.");
    assert_eq!(body("m", &request), expected);
    assert_eq!(
        GeminiCodec::new().body(EncodeInput::new("m", &request)),
        GeminiCodec::new().body(EncodeInput::new("m", &request).streamed())
    );
    let blank = request.with_system(" \n");
    assert_eq!(body("m", &blank).get("systemInstruction"), None);
}

#[test]
fn calls_and_results_go_by_an_id_where_there_is_one() {
    let request = asked(
        vec![
            round(
                vec![call("", "{\"b\": 1, \"a\": 2}"), call("", "")],
                &["x", "y"],
            ),
            round(vec![Part::Text("And".into()), call("abc", "{}")], &["z"]),
        ],
        vec![Part::Text("Done.".into())],
    );
    let call = |args: Value| json!({"functionCall": {"name": "look", "args": args}});
    let named = json!({"functionCall": {"id": "abc", "name": "look", "args": {}}});
    let mut result = sent_result("z");
    result["functionResponse"]["id"] = "abc".into();
    check_contents(
        &request,
        &json!([
            hi(),
            model(&json!([call(json!({"b": 1, "a": 2})), call(json!({}))])),
            user(&json!([sent_result("x"), sent_result("y")])),
            model(&json!([{"text": "And"}, named])),
            user(&json!([result])),
            model(&json!([{"text": "Done."}])),
        ]),
    );
}

#[test]
fn arguments_go_back_byte_for_byte_and_are_an_object() {
    let request = asked(
        vec![round(
            vec![
                call("", "{\"z\":1.50,  \"a\":\"\\u00e9\"}"),
                call("", "{\"a\": "),
            ],
            &["x", "y"],
        )],
        Vec::new(),
    );
    let sent = GeminiCodec::new().body(EncodeInput::new("m", &request));
    let sent = String::from_utf8(sent).expect("is text");
    assert!(
        sent.contains(r#""args":{"z":1.50,  "a":"\u00e9"}"#),
        "{sent}"
    );
    assert!(
        sent.contains(r#""args":{"invalid_arguments":"{\"a\": "}"#),
        "{sent}"
    );
}

#[test]
fn calls_without_results_are_left_out() {
    let open = round(vec![Part::Text("One moment".into()), call("a", "{}")], &[]);
    let request = asked(vec![open], vec![Part::Text("No.".into()), call("b", "{}")]);
    check_contents(&request, &json!([hi(), model(&json!([{"text": "No."}]))]));
}

#[test]
fn a_conversation_begins_with_the_user_and_replies_are_joined() {
    let replies = [Message::assistant("A"), Message::assistant("B")];
    check_contents(
        &ModelRequest::new(replies),
        &json!([
            user(&json!([{"text": "(The conversation begins here.)"}])),
            model(&json!([{"text": "A"}, {"text": "B"}])),
        ]),
    );
    let nothing = Message::User(UserMessage::new([]));
    check_contents(
        &ModelRequest::new([nothing]),
        &json!([user(&json!([{"text": "(empty message)"}]))]),
    );
}

#[test]
fn signatures_go_back_on_their_parts() {
    let request = asked(
        vec![round(
            vec![
                Part::Reasoning("a summary".into()),
                Part::Text("A".into()),
                own(json!({"beside": "text"})),
                Part::Text("B".into()),
                own(json!({"beside": "text", "thoughtSignature": "s1"})),
                Part::Reasoning("hm".into()),
                own(json!({"beside": "thought", "thoughtSignature": "s2"})),
                call("", "{}"),
                own(json!({"beside": "functionCall", "thoughtSignature": "s3",
                    "functionCall": {"new": 1, "name": "not this"}})),
                call("", "{}"),
                own(json!({"executableCode": {"code": "1"}, "thoughtSignature": "s4"})),
            ],
            &["x", "y"],
        )],
        vec![own(json!({"text": "", "thoughtSignature": "s5"}))],
    );
    let plain = json!({"name": "look", "args": {}});
    check_contents(
        &request,
        &json!([
            hi(),
            model(&json!([
                {"text": "A"},
                {"text": "B", "thoughtSignature": "s1"},
                {"text": "hm", "thought": true, "thoughtSignature": "s2"},
                {"functionCall": {"name": "look", "args": {}, "new": 1}, "thoughtSignature": "s3"},
                {"functionCall": plain},
                {"executableCode": {"code": "1"}, "thoughtSignature": "s4"},
            ])),
            user(&json!([sent_result("x"), sent_result("y")])),
            model(&json!([{"text": "", "thoughtSignature": "s5"}])),
        ]),
    );
}

#[test]
fn what_is_of_others_or_has_a_part_of_its_own_is_left_out() {
    let others = |data: Value| opaque("anthropic", data);
    let request = asked(
        Vec::new(),
        vec![
            Part::Text("A".into()),
            others(json!({"beside": "text", "thoughtSignature": "s"})),
            own(json!({"beside": "functionCall", "thoughtSignature": "of no call"})),
            own(json!({"text": "said by nobody"})),
            own(json!({"functionCall": {"name": "x"}})),
            own(json!({"functionResponse": {"name": "x"}, "text": ""})),
            own(json!({})),
            own(json!([1])),
            Part::Reasoning("a summary".into()),
            own(json!({"beside": "thought"})),
            own(json!({"beside": "text", "text": "another", "thoughtSignature": "late"})),
        ],
    );
    check_contents(&request, &json!([hi(), model(&json!([{"text": "A"}]))]));
}

#[test]
fn a_reply_that_nobody_signed_has_a_stand_in_from_gemini_3_on() {
    let signed = || own(json!({"beside": "functionCall", "thoughtSignature": "s"}));
    let request = asked(
        vec![
            round(vec![call("", "{}"), call("", "{}")], &["x", "y"]),
            round(vec![call("", "{}"), signed(), call("", "{}")], &["x", "y"]),
        ],
        vec![Part::Text("Done.".into())],
    );
    let signatures = |model| {
        let body = body(model, &request);
        [1, 3, 5].map(|at| {
            let parts = body["contents"][at]["parts"].as_array().expect("is one");
            let all = parts.iter().map(|part| part["thoughtSignature"].clone());
            Value::Array(all.collect())
        })
    };
    let own = json!(["s", null]);
    let stand_in = json!(["skip_thought_signature_validator", null]);
    for new in ["gemini-3-pro-preview", "models/gemini-flash-latest"] {
        assert_eq!(
            signatures(new),
            [stand_in.clone(), own.clone(), json!([null])]
        );
    }
    for old in ["gemini-2.5-flash", "gemma-3-27b-it"] {
        let none = json!([null, null]);
        assert_eq!(signatures(old), [none, own.clone(), json!([null])]);
    }
}

#[test]
fn results_are_objects_of_an_output_or_an_error() {
    let json = ToolOutput::json(&json!({"b": [1], "a": "x"})).expect("serialises");
    let broken = ToolOutput::from(OutputPart::Json("{".into()));
    let two = ToolOutput::text("a").with_json(&1).expect("serialises");
    let answers = [
        ToolResult::success("", json),
        ToolResult::success("", broken),
        ToolResult::success("", two),
        ToolResult::success("", ()),
        ToolResult::error_message("", "no"),
    ];
    let calls = vec![ToolCall::new("", "look at", "{}"); answers.len()];
    let said: Vec<_> = GeminiCodec::new()
        .results(&calls, &answers)
        .into_iter()
        .map(|mut part| {
            assert_eq!(part["functionResponse"]["name"], "look_at");
            part["functionResponse"]["response"].take()
        })
        .collect();
    assert_eq!(
        said,
        [
            json!({"output": {"b": [1], "a": "x"}}),
            json!({"output": "{"}),
            json!({"output": "a\n1"}),
            json!({"output": "(no output)"}),
            json!({"error": "Tool execution failed (unknown): no"}),
        ]
    );
}

#[test]
fn images_go_into_a_result_where_the_model_takes_them() {
    let image = || Image::from_bytes("image/png", b"\x89PNG");
    let rounds = || {
        let output = ToolOutput::text("Here:").with_image(image());
        vec![ToolRound {
            reply: [call("a", "{}"), call("b", "{}")].into(),
            results: [
                ToolResult::success("a", output),
                ToolResult::success("b", "x"),
            ]
            .into(),
        }]
    };
    let blob = json!({"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}});
    let answers = |model| body(model, &asked(rounds(), Vec::new()))["contents"][2]["parts"].clone();
    let said = json!({"output": "Here:\n(1 image)"});
    let other =
        json!({"functionResponse": {"id": "b", "name": "look", "response": {"output": "x"}}});
    assert_eq!(
        answers("gemini-3-flash-preview"),
        json!([{"functionResponse": {"id": "a", "name": "look", "response": said, "parts": [blob]}}, other])
    );
    assert_eq!(
        answers("gemini-2.5-flash"),
        json!([
            {"functionResponse": {"id": "a", "name": "look", "response": said}},
            other,
            {"text": "Images in the result of `look`:"},
            blob,
        ])
    );
}

#[test]
fn a_user_shows_images_and_what_only_this_api_takes() {
    let video = json!({"fileData": {"fileUri": "https://youtu.be/x"}, "videoMetadata": {"fps": 1}});
    let parts = vec![
        Part::Text("Look:".into()),
        Part::Image(Image::from_url("https://h/a.png")),
        own(video.clone()),
        opaque("openai_chat", json!({"x": 1})),
    ];
    check_contents(
        &ModelRequest::new([Message::User(UserMessage::new(parts))]),
        &json!([user(&json!([
            {"text": "Look:"},
            {"fileData": {"fileUri": "https://h/a.png", "mimeType": "image/png"}},
            video,
        ]))]),
    );
}

#[test]
fn tools_are_declared_in_json_schema_or_in_the_subset_of_open_api() {
    let request = ModelRequest::new([Message::user("Hi")]).with_tools([look()]);
    let sent = |body: Vec<u8>| -> Value {
        let mut body: Value = serde_json::from_slice(&body).expect("is JSON");
        body["tools"].take()
    };
    let tools = sent(GeminiCodec::new().body(EncodeInput::new("m", &request)));
    let declaration = &tools[0]["functionDeclarations"][0];
    assert_eq!(declaration["name"], "look");
    assert_eq!(declaration["description"], "Looks.");
    assert_eq!(declaration.get("parameters"), None);
    let schema = &declaration["parametersJsonSchema"];
    assert_eq!(schema["properties"]["b"]["type"], json!(["string", "null"]));

    let tools = sent(
        GeminiCodec::new()
            .with_profile(Profile::gemini())
            .body(EncodeInput::new("m", &request)),
    );
    let declaration = &tools[0]["functionDeclarations"][0];
    assert_eq!(declaration.get("parametersJsonSchema"), None);
    let schema = &declaration["parameters"];
    assert_eq!(schema["properties"]["b"]["nullable"], true);

    let none = ModelRequest::new([Message::user("Hi")]);
    assert_eq!(
        sent(GeminiCodec::new().body(EncodeInput::new("m", &none))),
        Value::Null
    );
    assert_eq!(
        GeminiCodec::new()
            .tools(&toolwright_core::Toolset::new())
            .as_str(),
        "[]"
    );
}

#[test]
fn what_a_profile_refuses_goes_as_json_schema() {
    let schema = r##"{"type":"object","properties":{"a":{"$ref":"#"}}}"##;
    let schema = Schema::from_text(schema).expect("is JSON");
    let tree = ToolDefinition::new("tree", "Grows.", schema);
    let request = ModelRequest::new([Message::user("Hi")]).with_tools([tree]);
    let body = GeminiCodec::new()
        .with_profile(Profile::gemini())
        .body(EncodeInput::new("m", &request));
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let declaration = &body["tools"][0]["functionDeclarations"][0];
    assert_eq!(declaration.get("parameters"), None);
    assert_eq!(
        declaration["parametersJsonSchema"]["properties"]["a"]["$ref"],
        "#"
    );
}

#[test]
fn strict_is_said_by_the_mode_and_by_no_field() {
    let strict = look().with_strict(Strict::Portable);
    let request = ModelRequest::new([Message::user("Hi")]).with_tools([strict]);
    let body = body("m", &request);
    assert_eq!(
        body["toolConfig"],
        json!({"functionCallingConfig": {"mode": "VALIDATED"}})
    );
    assert!(!body.to_string().contains("strict"), "{body}");
    // Not by a set's own rules where a profile says what the server enforces.
    let body = GeminiCodec::new()
        .with_profile(Profile::gemini())
        .body(EncodeInput::new("m", &request));
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body.get("toolConfig"), None);
}

#[test]
fn a_program_with_a_client_of_its_own_sends_the_same_tools() {
    let settings = ModelSettings::new().with_extra("tools", json!([{"googleSearch": {}}]));
    let request = ModelRequest::new([Message::user("Hi")])
        .with_tools([look()])
        .with_settings(settings);
    let sent = &body("m", &request)["tools"];
    assert_eq!(
        *sent,
        json!([body("m", &ModelRequest::new([]).with_tools([look()]))["tools"][0], {"googleSearch": {}}]),
        "those of the user stand beside ours"
    );
    assert_eq!(
        GeminiCodec::new()
            .tools(&toolwright_core::Toolset::new())
            .to_value(),
        json!([])
    );
}
