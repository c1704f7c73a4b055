//! The schema of an answer, as each codec sends it.

use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, ToolChoice, ToolDefinition,
    model::{AnswerSchema, ModelSettings, Warning},
    schema::Schema,
};

use crate::{
    profile::Profile,
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec, Vendor,
    },
};

/// All members required: every provider enforces it.
const PLACE: &str = r#"{"type":"object","properties":{"zip":{"type":"string","maxLength":5},
    "city":{"type":["string","null"]}},"required":["zip","city"],"additionalProperties":false}"#;
/// With a member that may be left out.
const OPTIONAL: &str = r#"{"type":"object","properties":{"city":{"type":"string"},
    "zip":{"type":"string"}},"required":["city"],"additionalProperties":false}"#;
const MAP: &str = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
const LIST: &str = r#"{"type":"array","items":{"type":"string"}}"#;

fn asking(schema: &str) -> ModelRequest {
    let schema = Schema::from_text(schema).expect("is JSON");
    let answer = AnswerSchema::new("place", schema).with_description("Where it is.");
    ModelRequest::new([Message::user("Hi")]).with_answer_schema(answer)
}

fn with_extra(request: ModelRequest, name: &str, value: Value) -> ModelRequest {
    request.with_settings(ModelSettings::new().with_extra(name, value))
}

fn with_tool(request: ModelRequest, choice: ToolChoice) -> ModelRequest {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    request
        .with_tools([ToolDefinition::new("look", "Looks.", schema)])
        .with_tool_choice(choice)
}

fn text(codec: &impl Codec, request: &ModelRequest) -> String {
    let body = codec
        .encode(EncodeInput::new("m", request))
        .expect("is written");
    String::from_utf8(body).expect("is text")
}

/// Checks what a codec sends in the field of a path, and the codes of its warnings.
#[track_caller]
fn check(codec: &impl Codec, request: &ModelRequest, path: &str, sent: &Value, expected: &[&str]) {
    let body: Value = serde_json::from_str(&text(codec, request)).expect("is JSON");
    let found = body.pointer(path).unwrap_or(&Value::Null);
    assert_eq!(found, sent, "{path} of {body}");
    let warnings = codec.warnings(request);
    let told: Vec<_> = warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(told, expected, "{warnings:?}");
}

fn value(schema: &str) -> Value {
    serde_json::from_str(schema).expect("is JSON")
}

const LEFT_OUT: [&str; 1] = ["answer_schema_left_out"];
const NOT_STRICT: [&str; 1] = ["answer_schema_not_strict"];

/// [`PLACE`] where lengths are told in words.
fn place() -> Value {
    json!({"type": "object", "properties": {
        "zip": {"type": "string", "description": "(maxLength: 5)"},
        "city": {"type": ["string", "null"]}},
        "required": ["zip", "city"], "additionalProperties": false})
}

#[test]
fn chat_completions_enforce_what_comes_back_as_it_is() {
    let codec = OpenAiChatCodec::new();
    let format = |schema: Value, strict: bool| {
        json!({"type": "json_schema", "json_schema": {
            "name": "place", "description": "Where it is.", "schema": schema, "strict": strict}})
    };
    let field = "/response_format";
    check(&codec, &asking(PLACE), field, &format(place(), true), &[]);
    for schema in [OPTIONAL, MAP] {
        let sent = format(value(schema), false);
        check(&codec, &asking(schema), field, &sent, &NOT_STRICT);
    }
    check(&codec, &asking(LIST), field, &Value::Null, &LEFT_OUT);
    let own = with_extra(
        asking(LIST),
        "response_format",
        json!({"type": "json_object"}),
    );
    check(&codec, &own, field, &json!({"type": "json_object"}), &[]);
}

#[test]
fn responses_have_it_in_text() {
    let codec = OpenAiResponsesCodec::new();
    let format = |schema: Value, strict: bool| {
        json!({"type": "json_schema", "name": "place", "description": "Where it is.",
            "schema": schema, "strict": strict})
    };
    let field = "/text";
    let sent = json!({"format": format(place(), true)});
    check(&codec, &asking(PLACE), field, &sent, &[]);
    let sent = json!({"format": format(value(OPTIONAL), false)});
    check(&codec, &asking(OPTIONAL), field, &sent, &NOT_STRICT);
    check(&codec, &asking(LIST), field, &Value::Null, &LEFT_OUT);
    let beside = with_extra(asking(PLACE), "text", json!({"verbosity": "low"}));
    let sent = json!({"format": format(place(), true), "verbosity": "low"});
    check(&codec, &beside, field, &sent, &[]);
    let own = json!({"format": {"type": "text"}});
    let request = with_extra(asking(LIST), "text", own.clone());
    check(&codec, &request, field, &own, &[]);
}

#[test]
fn anthropic_has_it_in_the_output_config() {
    let codec = AnthropicCodec::new();
    let format = |schema: Value| json!({"format": {"type": "json_schema", "schema": schema}});
    let field = "/output_config";
    check(&codec, &asking(PLACE), field, &format(place()), &[]);
    check(
        &codec,
        &asking(OPTIONAL),
        field,
        &format(value(OPTIONAL)),
        &[],
    );
    check(&codec, &asking(MAP), field, &Value::Null, &LEFT_OUT);
    check(&codec, &asking(LIST), field, &Value::Null, &LEFT_OUT);
    let mut beside = asking(OPTIONAL);
    beside.settings = ModelSettings::new().with_reasoning_effort("high");
    let mut sent = format(value(OPTIONAL));
    sent["effort"] = "high".into();
    check(&codec, &beside, field, &sent, &[]);
    // No schema goes along that is not enforced.
    let plain = AnthropicCodec::new().with_profile(Profile::anthropic());
    check(&plain, &asking(PLACE), field, &format(place()), &[]);
    check(&plain, &asking(MAP), field, &Value::Null, &LEFT_OUT);
    // The field of the beta, beside another one of the configuration.
    let own = with_extra(asking(MAP), "output_format", json!({"type": "json_schema"}));
    check(&codec, &own, field, &Value::Null, &[]);
    let mut own = asking(MAP);
    own.settings = ModelSettings::new()
        .with_extra("output_format", json!({"type": "json_schema"}))
        .with_extra("output_config", json!({"effort": "high"}));
    check(&codec, &own, field, &json!({"effort": "high"}), &[]);
    let own = with_extra(asking(MAP), "output_config", json!({"format": null}));
    check(&codec, &own, field, &json!({"format": null}), &[]);
}

#[test]
fn gemini_has_it_in_the_generation_config() {
    let codec = GeminiCodec::new();
    let field = "/generationConfig";
    let json = "application/json";
    for schema in [OPTIONAL, MAP] {
        let sent = json!({"responseMimeType": json, "responseJsonSchema": value(schema)});
        check(&codec, &asking(schema), field, &sent, &[]);
    }
    check(&codec, &asking(LIST), field, &Value::Null, &LEFT_OUT);
    let open_api = GeminiCodec::new().with_profile(Profile::gemini());
    let schema = json!({"type": "object", "properties": {
        "zip": {"type": "string", "maxLength": 5},
        "city": {"type": "string", "nullable": true}}, "required": ["zip", "city"]});
    let sent = json!({"responseMimeType": json, "responseSchema": schema});
    check(&open_api, &asking(PLACE), field, &sent, &[]);
    check(&open_api, &asking(MAP), field, &Value::Null, &LEFT_OUT);
    let own = json!({"responseMimeType": "text/x.enum", "responseSchema": {"type": "STRING"}});
    let request = with_extra(asking(MAP), "generationConfig", own.clone());
    check(&codec, &request, field, &own, &[]);
}

#[test]
fn ollama_has_it_where_there_are_no_tools() {
    let codec = OllamaCodec::new();
    let field = "/format";
    let mut place = value(PLACE);
    place
        .as_object_mut()
        .expect("is one")
        .remove("additionalProperties");
    check(&codec, &asking(PLACE), field, &place, &[]);
    check(&codec, &asking(MAP), field, &value(MAP), &[]);
    check(&codec, &asking(LIST), field, &Value::Null, &LEFT_OUT);
    let tools = with_tool(asking(PLACE), ToolChoice::Auto);
    check(&codec, &tools, field, &Value::Null, &LEFT_OUT);
    let tools = with_tool(asking(PLACE), ToolChoice::None);
    check(&codec, &tools, field, &place, &["tool_choice_emulated"]);
    check(
        &OllamaCodec::new().with_profile(Profile::ollama()),
        &asking(MAP),
        field,
        &value(MAP),
        &[],
    );
    let own = with_extra(asking(LIST), "format", json!("json"));
    check(&codec, &own, field, &json!("json"), &[]);
}

#[test]
fn vendors_differ() {
    let field = "/response_format/json_schema/strict";
    let check = |vendor, strict: Value, codes: &[&str]| {
        check(
            &OpenAiChatCodec::of(vendor),
            &asking(PLACE),
            field,
            &strict,
            codes,
        );
    };
    check(Vendor::OPENROUTER, json!(true), &[]);
    check(Vendor::MISTRAL, json!(true), &[]);
    // Models that do not enforce it: the warning that the guide promises.
    check(Vendor::GROQ, json!(false), &["answer_schema_not_strict"]);
    check(Vendor::DEEPSEEK, Value::Null, &LEFT_OUT);
    check(Vendor::OLLAMA, json!(false), &[]);
}

#[test]
fn a_schema_keeps_its_order() {
    let order = r#""zip":{"type":"string""#;
    let request = asking(PLACE);
    for (name, body) in [
        ("anthropic", text(&AnthropicCodec::new(), &request)),
        ("gemini", text(&GeminiCodec::new(), &request)),
        ("ollama", text(&OllamaCodec::new(), &request)),
        ("chat", text(&OpenAiChatCodec::new(), &request)),
        ("responses", text(&OpenAiResponsesCodec::new(), &request)),
    ] {
        let first = format!(r#""properties":{{{order}"#);
        assert!(body.contains(&first), "{name}: {body}");
    }
}

#[test]
fn a_warning_says_why() {
    let of = |schema: &str, name: &'static str| -> String {
        let mut request = asking(schema);
        let answer = request.answer_schema.as_mut().expect("has one");
        answer.name = name.into();
        let warnings: Vec<Warning> = OpenAiChatCodec::new().warnings(&request);
        warnings
            .into_iter()
            .map(|warning| warning.message)
            .collect()
    };
    let remote =
        r#"{"type":"object","properties":{"a":{"$ref":"https://x.y/z"}},"required":["a"]}"#;
    for (found, words) in [
        (of(LIST, "a"), "an object around another root"),
        (of(PLACE, "a place"), "the name `a place` is not allowed"),
        (
            of(remote, "a"),
            "openai_strict refuses it: answer.a: `https://x.y/z`",
        ),
    ] {
        assert!(found.contains(words), "{found}");
    }
}

#[test]
fn without_one_nothing_is_said() {
    let request = ModelRequest::new([Message::user("Hi")]);
    let field = "/response_format";
    check(
        &OpenAiChatCodec::of(Vendor::DEEPSEEK),
        &request,
        field,
        &Value::Null,
        &[],
    );
    check(
        &OpenAiResponsesCodec::new(),
        &request,
        "/text",
        &Value::Null,
        &[],
    );
}

#[test]
fn gemini_before_3_takes_no_schema_beside_tools() {
    // "Function calling with a response mime type: 'application/json' is unsupported"
    let codec = GeminiCodec::new();
    let search = |request: ModelRequest| {
        let settings = ModelSettings::new().with_extra("tools", json!([{"googleSearch": {}}]));
        request.with_settings(settings)
    };
    let cases = [
        ("gemini-2.5-flash", asking(PLACE), true),
        (
            "gemini-2.5-flash",
            with_tool(asking(PLACE), ToolChoice::Auto),
            false,
        ),
        (
            "gemini-2.5-flash",
            with_tool(asking(PLACE), ToolChoice::None),
            false,
        ),
        (
            "gemini-2.0-flash",
            with_tool(asking(PLACE), ToolChoice::Required),
            false,
        ),
        ("gemini-2.5-flash", search(asking(PLACE)), false),
        (
            "gemini-3-pro-preview",
            with_tool(asking(PLACE), ToolChoice::Auto),
            true,
        ),
        (
            "gemini-flash-latest",
            with_tool(asking(PLACE), ToolChoice::Auto),
            true,
        ),
    ];
    for (model, request, is_sent) in cases {
        let input = EncodeInput::new(model, &request);
        let body: Value =
            serde_json::from_slice(&codec.encode(input).expect("is written")).expect("is JSON");
        let sent = !body["generationConfig"]["responseMimeType"].is_null();
        assert_eq!(sent, is_sent, "{model}: {body}");
        let warnings = codec.warnings_at(input);
        let told = warnings
            .iter()
            .any(|one| one.code == "answer_schema_left_out");
        assert_eq!(told, !is_sent, "{model}: {warnings:?}");
    }
}
