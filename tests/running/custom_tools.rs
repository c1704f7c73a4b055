//! Tools whose input is one text: custom tools of OpenAI, and functions of everybody else.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolwright::{
    Conversation, ModelResponse, ToolCall, Toolset,
    message::Part,
    model::{ModelEvent, ModelRequest, ToolChoice},
    provider::{
        AnthropicCodec, Codec, DecodeStream, EncodeInput, GeminiCodec, OllamaCodec,
        OpenAiChatCodec, OpenAiResponsesCodec,
    },
    tool,
    tool::{Grammar, TextInput},
    toolset,
    toolset::ToolsetError,
};

/// Add and subtract whole numbers.
#[tool(read_only)]
fn calculate(term: String) -> String {
    format!("<{term}>")
}

/// Look at something, a number of times.
#[tool(read_only)]
fn look(at: String, times: u32) -> String {
    at.repeat(times as usize)
}

const OPENAI: &str = "api.openai.com";
/// A text that is JSON itself, with the argument in it.
const TERM: &str = "{\"term\": \"1 + 2\"}\n";

fn tools() -> Toolset {
    let grammar = Grammar::Lark("start: NUMBER".to_owned());
    let tools = toolset![look, calculate].with_text_input("calculate", TextInput::of(grammar));
    tools.expect("it has one text")
}

fn request() -> ModelRequest {
    let mut conversation = Conversation::new();
    conversation.push_user("What is 1 + 2?");
    conversation
        .request()
        .with_tools(tools().definitions().cloned())
}

fn body<C: Codec>(codec: &C, request: &ModelRequest, server: &str) -> Value {
    let input = EncodeInput::new("gpt-5.4", request).with_server(server);
    serde_json::from_slice(&codec.encode(input).expect("is written")).expect("is JSON")
}

#[test]
fn only_a_tool_with_one_text_takes_it() {
    let input = TextInput::new;
    let refused = toolset![look].with_text_input("look", input());
    assert_eq!(
        refused.err(),
        Some(ToolsetError::NoText {
            name: "look".to_owned()
        })
    );
    let unknown = toolset![look].with_text_input("lock", input());
    assert!(matches!(unknown, Err(ToolsetError::Unknown { .. })));
    let stored = serde_json::to_value(tools().definitions().collect::<Vec<_>>()).expect("is JSON");
    let grammar = json!({"grammar": {"syntax": "lark", "definition": "start: NUMBER"}});
    assert_eq!(stored[1]["text_input"], grammar);
    assert_eq!(stored[0].get("text_input"), None);
}

#[test]
fn openai_is_sent_a_custom_tool() {
    let chat = OpenAiChatCodec::new();
    let responses = OpenAiResponsesCodec::new();
    let named = request().with_tool_choice(ToolChoice::Tool("calculate".to_owned()));
    let sent = body(&responses, &named, OPENAI);
    let format = json!({"type": "grammar", "syntax": "lark", "definition": "start: NUMBER"});
    let description = "Add and subtract whole numbers.";
    assert_eq!(
        sent["tools"][1],
        json!({"type": "custom", "name": "calculate", "description": description, "format": format})
    );
    assert_eq!(sent["tools"][0]["type"], "function");
    assert_eq!(
        sent["tool_choice"],
        json!({"type": "custom", "name": "calculate"})
    );
    let sent = body(&chat, &named, OPENAI);
    let format =
        json!({"type": "grammar", "grammar": {"syntax": "lark", "definition": "start: NUMBER"}});
    let custom = json!({"name": "calculate", "description": description, "format": format});
    assert_eq!(
        sent["tools"][1],
        json!({"type": "custom", "custom": custom})
    );
    assert_eq!(
        sent["tool_choice"],
        json!({"type": "custom", "custom": {"name": "calculate"}})
    );
    let allowed = request().with_allowed_tools(["calculate"]);
    let choice = &body(&responses, &allowed, OPENAI)["tool_choice"];
    assert_eq!(
        choice["tools"],
        json!([{"type": "custom", "name": "calculate"}])
    );
    let here = EncodeInput::new("gpt-5.4", &named).with_server(OPENAI);
    assert_eq!(chat.warnings_at(here), []);
    assert_eq!(responses.warnings_at(here), []);
    // Any text is a format as well, and a tool that is looked up stays a function.
    let any = toolset![calculate].with_text_input("calculate", TextInput::new());
    let any = any.expect("it has one text");
    let with = |tools: &Toolset| ModelRequest::new([]).with_tools(tools.definitions().cloned());
    let sent = body(&responses, &with(&any), OPENAI);
    assert_eq!(sent["tools"][0]["format"], json!({"type": "text"}));
    let sent = body(&responses, &with(&any.deferred(|_| true)), OPENAI);
    assert_eq!(sent["tools"][0]["type"], "function");
}

#[test]
fn everybody_else_is_sent_a_function() {
    fn check<C: Codec>(codec: &C, lost: &str) {
        let request = request();
        let sent = body(codec, &request, "llm.example").to_string();
        assert!(
            !sent.contains("custom") && !sent.contains("start: NUMBER"),
            "{sent}"
        );
        assert!(sent.contains("\"term\""), "{sent}");
        let warnings = codec.warnings(&request);
        let told: Vec<_> = warnings
            .iter()
            .map(|warning| (&*warning.code, &*warning.message))
            .collect();
        assert_eq!(told, [("grammar_not_sent", lost)]);
    }
    let lost = "`calculate` is sent as a function, without its grammar";
    check(&OpenAiChatCodec::new(), lost);
    check(&OpenAiResponsesCodec::new(), lost);
    check(&AnthropicCodec::new(), lost);
    check(&GeminiCodec::new(), lost);
    check(&OllamaCodec::new(), lost);
}

/// The reply as a model of OpenAI's server gives it.
fn marked(mut reply: ModelResponse) -> ModelResponse {
    for part in reply.parts.to_mut() {
        if let Part::Opaque(opaque) = part {
            opaque.provider = format!("{}:{OPENAI}", opaque.provider);
        }
    }
    reply
}

fn streamed<C: Codec>(codec: &C, events: &[Value]) -> ModelResponse {
    let mut text = String::new();
    for event in events {
        write!(text, "data: {event}\n\n").expect("a text takes all");
    }
    let mut decoder = codec.stream_decoder(tools().shared_definitions());
    let mut heard = Vec::new();
    // One byte at a time.
    for byte in text.as_bytes() {
        decoder
            .feed(std::slice::from_ref(byte), &mut heard)
            .expect("is read");
    }
    decoder.finish(&mut heard).expect("is whole");
    let pieces = heard
        .iter()
        .filter(|event| matches!(event, ModelEvent::CallArguments { .. }));
    assert_eq!(pieces.count(), 1);
    heard.into_iter().collect()
}

/// The request after a call and its result, from a conversation that was stored in between.
fn after(reply: ModelResponse) -> ModelRequest {
    let expected = json!({"term": TERM}).to_string();
    assert_eq!(
        reply.tool_calls[..],
        [ToolCall::new("call_1", "calculate", expected)]
    );
    let mut conversation = Conversation::new();
    conversation.push_user("What is 1 + 2?");
    conversation.push_response(marked(reply));
    let results = [toolwright::ToolResult::success("call_1", "3")];
    conversation.push_results(results).expect("is the result");
    let stored = serde_json::to_string(&conversation).expect("is JSON");
    let conversation: Conversation = serde_json::from_str(&stored).expect("is the same");
    conversation
        .request()
        .with_tools(tools().definitions().cloned())
}

#[test]
fn a_call_of_responses_goes_both_ways() {
    let codec = OpenAiResponsesCodec::new();
    let item = json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1",
        "name": "calculate", "input": TERM});
    let begun = json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1",
        "name": "calculate", "input": ""});
    let whole = json!({"object": "response", "status": "completed", "output": [item]});
    let delta = |text: &str| json!({"type": "response.custom_tool_call_input.delta", "output_index": 0, "item_id": "ctc_1", "delta": text});
    let (first, second) = TERM.split_at(5);
    let events = [
        json!({"type": "response.output_item.added", "output_index": 0, "item": begun}),
        delta(first),
        delta(second),
        json!({"type": "response.custom_tool_call_input.done", "output_index": 0, "item_id": "ctc_1", "input": TERM}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": whole}),
    ];
    let decoded = codec.decode(tools().shared_definitions(), whole.to_string().as_bytes());
    for reply in [decoded.expect("is a response"), streamed(&codec, &events)] {
        let next = after(reply);
        let sent = body(&codec, &next, OPENAI);
        assert_eq!(
            sent["input"][1],
            json!({"type": "custom_tool_call", "call_id": "call_1",
            "name": "calculate", "input": TERM})
        );
        assert_eq!(
            sent["input"][2],
            json!({"type": "custom_tool_call_output", "call_id": "call_1", "output": "3"})
        );
        // Another server knows a function.
        let sent = body(&codec, &next, "llm.example");
        assert_eq!(sent["input"][1]["type"], "function_call");
        assert_eq!(
            sent["input"][1]["arguments"],
            json!({"term": TERM}).to_string()
        );
        assert_eq!(sent["input"][2]["type"], "function_call_output");
    }
}

#[test]
fn a_call_of_chat_completions_goes_both_ways() {
    let codec = OpenAiChatCodec::new();
    let call =
        json!({"id": "call_1", "type": "custom", "custom": {"name": "calculate", "input": TERM}});
    let whole = json!({"choices": [{"index": 0, "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": null, "tool_calls": [call]}}]});
    let chunk = |delta: Value, end: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]});
    let (first, second) = TERM.split_at(5);
    let events = [
        chunk(
            json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "custom",
            "custom": {"name": "calculate", "input": first}}]}),
            json!(null),
        ),
        chunk(
            json!({"tool_calls": [{"index": 0, "custom": {"input": second}}]}),
            json!(null),
        ),
        chunk(json!({}), json!("tool_calls")),
    ];
    let decoded = codec.decode(tools().shared_definitions(), whole.to_string().as_bytes());
    for reply in [decoded.expect("is a response"), streamed(&codec, &events)] {
        let next = after(reply);
        let sent = body(&codec, &next, OPENAI);
        assert_eq!(sent["messages"][1]["tool_calls"], json!([call]));
        assert_eq!(
            sent["messages"][2],
            json!({"role": "tool", "tool_call_id": "call_1", "content": "3"})
        );
        let sent = body(&codec, &next, "llm.example");
        let function = &sent["messages"][1]["tool_calls"][0]["function"];
        assert_eq!(function["arguments"], json!({"term": TERM}).to_string());
    }
}

/// A server that was sent a function answers with one, whatever its argument is.
#[test]
fn a_call_of_a_function_stays_as_it_is() {
    let arguments = json!({"term": TERM}).to_string();
    let item = json!({"type": "function_call", "call_id": "call_1", "name": "calculate", "arguments": arguments});
    let whole = json!({"object": "response", "status": "completed", "output": [item]});
    let codec = OpenAiResponsesCodec::new();
    let reply = codec.decode(tools().shared_definitions(), whole.to_string().as_bytes());
    let sent = body(&codec, &after(reply.expect("is a response")), OPENAI);
    assert_eq!(sent["input"][1]["type"], "function_call");
    assert_eq!(sent["input"][2]["type"], "function_call_output");
}
