//! Messages beside the answer: `phase` of openai-python, `types/responses/response_output_message.py`.

use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, ModelResponse, message::AssistantMessage, model::ModelEvent,
    tool::ToolDefinitions,
};

use crate::provider::{Codec, DecodeStream, EncodeInput, OpenAiResponsesCodec};

fn message(id: &str, phase: &str, text: &str) -> Value {
    json!({"type": "message", "id": id, "role": "assistant", "status": "completed", "phase": phase,
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn output() -> Value {
    json!([message("msg_1", "commentary", "I look into {the book}."),
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}},
        message("msg_2", "commentary", "Found it."),
        message("msg_3", "final_answer", "{\"page\": 3}")])
}

fn streamed() -> (Vec<ModelEvent>, ModelResponse) {
    let mut all = Vec::new();
    for (index, item) in output().as_array().expect("is an array").iter().enumerate() {
        let text = item["content"][0]["text"].as_str();
        let mut begun = item.clone();
        if let Some(text) = text {
            begun["content"] = json!([]);
            all.push(
                json!({"type": "response.output_item.added", "output_index": index, "item": begun}),
            );
            for piece in text.split_inclusive(' ') {
                all.push(
                    json!({"type": "response.output_text.delta", "output_index": index,
                    "item_id": item["id"], "content_index": 0, "delta": piece}),
                );
            }
        }
        all.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    all.push(json!({"type": "response.completed", "response": {"status": "completed", "output": output()}}));
    let mut decoder = OpenAiResponsesCodec::new().stream_decoder(&ToolDefinitions::default());
    let mut events = Vec::new();
    for event in all {
        let frame = format!("data: {event}\n\n");
        decoder
            .feed(frame.as_bytes(), &mut events)
            .expect("is read");
    }
    decoder.finish(&mut events).expect("is whole");
    (events.clone(), events.into_iter().collect())
}

fn whole() -> ModelResponse {
    let body = json!({"status": "completed", "output": output()}).to_string();
    let codec = OpenAiResponsesCodec::new();
    codec
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect("is whole")
}

#[test]
fn the_answer_is_the_final_phase() {
    let (events, reply) = streamed();
    assert_eq!(reply.text, "{\"page\": 3}");
    assert_eq!(reply, whole());
    // Commentary is shown as it comes.
    let first = events.iter().find_map(|event| match event {
        ModelEvent::Reasoning(words) => Some(words.as_str()),
        _ => None,
    });
    assert_eq!(first, Some("I "));
}

#[test]
fn each_message_goes_back_as_it_came() {
    let response = AssistantMessage {
        tool_rounds: [].into(),
        parts: whole().parts,
    };
    let request = ModelRequest::new([
        Message::user("Where?"),
        Message::Assistant(response),
        Message::user("And?"),
    ]);
    let body = OpenAiResponsesCodec::new()
        .encode(EncodeInput::new("gpt-5.4", &request))
        .expect("is sent");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let items: Vec<_> = body["input"].as_array().expect("is an array")[1..5]
        .iter()
        .collect();
    assert_eq!(
        items[..3],
        output()
            .as_array()
            .expect("is an array")
            .iter()
            .take(3)
            .collect::<Vec<_>>()
    );
    assert_eq!(
        *items[3],
        json!({"type": "message", "role": "assistant", "content": "{\"page\": 3}", "phase": "final_answer"})
    );
}
