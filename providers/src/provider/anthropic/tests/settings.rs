use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, ModelResponse, ModelSettings, Part, Schema, ToolCall, ToolChoice,
    ToolDefinition, ToolResult, ToolRound,
    message::{AssistantMessage, Opaque},
    tool::ToolDefinitions,
};

use super::super::{AnthropicCodec, PROVIDER};
use crate::provider::{Codec, DecodeStream, EncodeInput};

/// Checks fields of the body and the codes of the warnings.
fn check(request: &ModelRequest, expected: &Value, codes: &[&str]) {
    let body: Value =
        serde_json::from_slice(&AnthropicCodec::new().body(EncodeInput::new("m", request)))
            .expect("is JSON");
    for (name, value) in expected.as_object().expect("is a list of fields") {
        assert_eq!(&body[name], value, "{name} of {body}");
    }
    let warnings = AnthropicCodec::new().warnings(request);
    let told: Vec<_> = warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(told, codes);
}

fn asked(settings: ModelSettings) -> ModelRequest {
    ModelRequest::new([Message::user("Hi")]).with_settings(settings)
}

fn with_tool(settings: ModelSettings, choice: ToolChoice) -> ModelRequest {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    asked(settings)
        .with_tools([ToolDefinition::new("look", "Looks.", schema)])
        .with_tool_choice(choice)
}

fn effort(effort: &str) -> ModelSettings {
    ModelSettings::new().with_reasoning_effort(effort)
}

#[test]
fn settings_have_their_fields_and_extra_ones_win() {
    let settings = ModelSettings::new()
        .with_temperature(0.5)
        .with_max_output_tokens(9)
        .with_stop_sequences(["END", "\n"])
        .with_seed(1)
        .with_extra("top_k", 3)
        .with_extra("max_tokens", 10);
    check(
        &asked(settings),
        &json!({"temperature": 0.5, "max_tokens": 10, "top_k": 3, "stop_sequences": ["END"],
            "thinking": null, "tool_choice": null}),
        &["seed_ignored", "stop_sequence_ignored"],
    );
    check(
        &asked(ModelSettings::new().with_temperature(1.5)),
        &json!({"temperature": 1.0}),
        &["temperature_lowered"],
    );
}

#[test]
fn a_choice_goes_along_with_tools_only() {
    let none = ModelSettings::new();
    let sent = |choice, expected: Value| {
        let request = with_tool(ModelSettings::new(), choice);
        check(&request, &json!({"tool_choice": expected}), &[]);
    };
    sent(ToolChoice::Auto, Value::Null);
    sent(ToolChoice::None, json!({"type": "none"}));
    sent(ToolChoice::Required, json!({"type": "any"}));
    sent(
        ToolChoice::Tool("look".into()),
        json!({"type": "tool", "name": "look"}),
    );
    let without = asked(none).with_tool_choice(ToolChoice::Required);
    check(&without, &json!({"tool_choice": null, "tools": null}), &[]);
    let own = asked(ModelSettings::new().with_extra("tools", json!([{"name": "search"}])));
    check(
        &own.with_tool_choice(ToolChoice::Required),
        &json!({"tool_choice": {"type": "any"}}),
        &[],
    );
}

#[test]
fn one_call_at_a_time_is_part_of_the_choice() {
    let sent = |choice, expected: Value| {
        let settings = ModelSettings::new().with_parallel_tool_calls(false);
        check(
            &with_tool(settings, choice),
            &json!({"tool_choice": expected}),
            &[],
        );
    };
    sent(
        ToolChoice::Auto,
        json!({"type": "auto", "disable_parallel_tool_use": true}),
    );
    sent(
        ToolChoice::Required,
        json!({"type": "any", "disable_parallel_tool_use": true}),
    );
    sent(
        ToolChoice::Tool("look".into()),
        json!({"type": "tool", "name": "look", "disable_parallel_tool_use": true}),
    );
    sent(ToolChoice::None, json!({"type": "none"}));
}

#[test]
fn effort_is_a_word_a_budget_or_none() {
    check(
        &asked(effort("high")),
        &json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"},
            "max_tokens": 16384}),
        &[],
    );
    check(
        &asked(effort("4096")),
        &json!({"thinking": {"type": "enabled", "budget_tokens": 4096}, "output_config": null,
            "max_tokens": 12288}),
        &[],
    );
    check(
        &asked(effort("none")),
        &json!({"thinking": {"type": "disabled"}, "max_tokens": 8192}),
        &[],
    );
}

#[test]
fn a_budget_fits_into_the_output() {
    check(
        &asked(effort("4096").with_max_output_tokens(2000)),
        &json!({"thinking": {"type": "enabled", "budget_tokens": 1999}, "max_tokens": 2000}),
        &["reasoning_budget"],
    );
    check(
        &asked(effort("1")),
        &json!({"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 9216}),
        &["reasoning_budget"],
    );
    check(
        &asked(effort("4096").with_max_output_tokens(1024)),
        &json!({"thinking": null, "max_tokens": 1024}),
        &["reasoning_off"],
    );
    check(
        &asked(effort("4294967295")),
        &json!({"max_tokens": u32::MAX}),
        &["reasoning_budget"],
    );
}

#[test]
fn a_forced_call_is_made_without_thinking() {
    for choice in [ToolChoice::Required, ToolChoice::Tool("look".into())] {
        check(
            &with_tool(effort("high"), choice.clone()),
            &json!({"thinking": null, "output_config": {"effort": "high"}}),
            &["reasoning_off"],
        );
        let own = ModelSettings::new().with_extra("thinking", json!({"type": "adaptive"}));
        check(
            &with_tool(own.with_parallel_tool_calls(false), choice),
            &json!({"thinking": {"type": "adaptive"},
                "tool_choice": {"type": "auto", "disable_parallel_tool_use": true}}),
            &["tool_choice_ignored"],
        );
    }
    check(
        &with_tool(effort("high"), ToolChoice::None),
        &json!({"thinking": {"type": "adaptive"}, "tool_choice": {"type": "none"}}),
        &[],
    );
}

#[test]
fn thinking_takes_no_temperature() {
    check(
        &asked(effort("low").with_temperature(0.2)),
        &json!({"thinking": {"type": "adaptive"}, "temperature": null}),
        &["temperature_ignored"],
    );
    check(
        &asked(effort("low").with_temperature(1.0)),
        &json!({"thinking": {"type": "adaptive"}, "temperature": 1.0}),
        &[],
    );
}

#[test]
fn a_budget_is_not_sent_in_the_middle_of_a_turn_without_thinking() {
    let call = Part::Call(ToolCall::new("a", "look", "{}"));
    let signed = Part::Opaque(Opaque {
        provider: format!("{PROVIDER}:h"),
        data: json!({"type": "thinking", "signature": "s"}),
    });
    let round = |reply| ToolRound {
        reply,
        results: [ToolResult::success("a", ())].into(),
    };
    let request = |tool_rounds| {
        let message = AssistantMessage {
            tool_rounds,
            parts: [].into(),
        };
        let messages = [Message::user("Hi"), Message::Assistant(message)];
        ModelRequest::new(messages).with_settings(effort("2000"))
    };
    let without = request([round([call.clone()].into())].into());
    check(&without, &json!({"thinking": null}), &["reasoning_off"]);
    let begun = vec![round([signed, call.clone()].into()), round([call].into())];
    let enabled = json!({"thinking": {"type": "enabled", "budget_tokens": 2000}});
    check(&request(begun.into()), &enabled, &[]);
    let mut next = without;
    next.messages.push(Message::user("And now?"));
    check(&next, &enabled, &[]);
}

/// A response of code that waits for a call, with the container that it runs in.
fn paused_in(container: &Value, streamed: bool) -> Vec<Part> {
    let content = json!([
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "code_execution", "input": {"code": "look()"}},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {},
            "caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}}]);
    let whole = json!({"type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": "tool_use", "container": container, "usage": {"input_tokens": 1, "output_tokens": 1}});
    if !streamed {
        let decoded =
            AnthropicCodec::new().decode(&ToolDefinitions::default(), whole.to_string().as_bytes());
        return decoded.expect("is a response").parts.to_vec();
    }
    let mut events =
        vec![json!({"type": "message_start", "message": {"model": "m", "content": []}})];
    for (index, block) in content.as_array().expect("is one").iter().enumerate() {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    // As recorded: the end has it.
    let delta = json!({"stop_reason": "tool_use", "container": container});
    events.push(json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}}));
    events.push(json!({"type": "message_stop"}));
    let stream = events.iter().map(|event| format!("data: {event}\n\n"));
    let stream: String = stream.collect();
    let mut decoder = AnthropicCodec::new().stream_decoder(&ToolDefinitions::default());
    let mut events = Vec::new();
    decoder
        .feed(stream.as_bytes(), &mut events)
        .expect("is read");
    decoder.finish(&mut events).expect("is whole");
    let response: ModelResponse = events.into_iter().collect();
    response.parts.to_vec()
}

/// The round of a response, and the body of the request that follows it.
fn body_after(rounds: Vec<Vec<Part>>, server: &str, settings: ModelSettings) -> Value {
    let rounds = rounds.into_iter().map(|parts| ToolRound {
        results: [ToolResult::success("toolu_1", "seen")].into(),
        reply: parts.into(),
    });
    let said = AssistantMessage {
        tool_rounds: rounds.collect(),
        parts: [].into(),
    };
    let request = ModelRequest::new([Message::user("Look."), Message::Assistant(said)])
        .with_settings(settings);
    let input = EncodeInput::new("m", &request).with_server(server);
    let body = AnthropicCodec::new().encode(input).expect("is written");
    serde_json::from_slice(&body).expect("is JSON")
}

#[test]
fn the_container_of_code_goes_back_by_itself() {
    let code = || {
        let tool = json!({"type": "code_execution_20260120", "name": "code_execution"});
        ModelSettings::new().with_extra("tools", json!([tool]))
    };
    let container = |id: &str, year: &str| json!({"id": id, "expires_at": format!("{year}-03-03T19:38:14.861782Z")});
    for streamed in [false, true] {
        let paused = paused_in(&container("container_1", "2999"), streamed);
        let later = paused_in(&container("container_2", "2999"), streamed);
        let over = paused_in(&container("container_3", "2001"), streamed);
        let without = paused_in(&Value::Null, streamed);
        let sent = |rounds: &[&Vec<Part>]| {
            let rounds = rounds.iter().copied().cloned().collect();
            let body = body_after(rounds, "", code());
            // It is no block of the message.
            let content = body["messages"][1]["content"].as_array().expect("is one");
            let is_block = |block: &Value| block["type"] != "container";
            assert!(content.iter().all(is_block), "{body}");
            body["container"].clone()
        };
        assert_eq!(sent(&[&paused]), "container_1");
        assert_eq!(
            sent(&[&paused, &later]),
            "container_2",
            "the last one counts"
        );
        assert_eq!(sent(&[&paused, &without]), "container_1");
        assert_eq!(sent(&[&without]), Value::Null);
        assert_eq!(sent(&[&over]), Value::Null, "it has expired");
        let body = body_after(vec![paused.clone()], "elsewhere", code());
        assert_eq!(body["container"], Value::Null, "another server's");
        let body = body_after(vec![paused.clone()], "", ModelSettings::new());
        assert_eq!(body["container"], Value::Null, "nothing runs in it");
        let own = code().with_extra("container", "mine");
        assert_eq!(
            body_after(vec![paused.clone()], "", own)["container"],
            "mine"
        );
        let skills = json!([{"type": "anthropic", "skill_id": "pptx", "version": "latest"}]);
        let with_skills = code().with_extra("container", json!({"skills": skills}));
        assert_eq!(
            body_after(vec![paused], "", with_skills)["container"],
            json!({"id": "container_1", "skills": skills})
        );
    }
}
