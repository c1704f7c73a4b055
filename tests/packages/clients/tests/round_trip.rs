//! A tool goes out in the types of each client, its calls come back in them, and so do the results.

use serde_json::{Value, json};
use toolwright::{Toolset, tool, toolset};

/// Get the weather in a city as it is now.
#[tool(read_only)]
async fn get_weather(
    /// The city, for example "Oslo".
    city: String,
    /// How many days ahead.
    days: Option<u8>,
) -> Result<String, toolwright::ToolError> {
    match city.as_str() {
        "Oslo" => Ok(format!("rain in {days:?} days")),
        _ => Err(toolwright::ToolError::not_found(format!(
            "no station in {city}"
        ))),
    }
}

fn weather() -> Toolset {
    toolset![get_weather]
}

const NO_STATION: &str = "Tool execution failed (resourceNotFound): no station in Lima";

fn json_of(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("is JSON")
}

mod async_openai_chat {
    use async_openai::types::chat::{
        ChatCompletionRequestMessage, CreateChatCompletionRequest, CreateChatCompletionResponse,
    };
    use clients::chat;

    use super::*;

    fn request() -> CreateChatCompletionRequest {
        let question = json!({"role": "user", "content": "Weather?"});
        let question = serde_json::from_value::<ChatCompletionRequestMessage>(question);
        CreateChatCompletionRequest {
            model: "gpt-5.1-mini".to_owned(),
            messages: vec![question.expect("is a message")],
            tools: Some(chat::tools(&weather()).expect("are tools")),
            ..Default::default()
        }
    }

    fn reply(message: &Value, finish_reason: &str) -> CreateChatCompletionResponse {
        let reply = json!({"id": "r", "object": "chat.completion", "created": 1, "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]});
        serde_json::from_value(reply).expect("is a reply")
    }

    fn calling() -> Value {
        let call = |id: &str, arguments: &str| {
            json!({"id": id, "type": "function",
                "function": {"name": "get_weather", "arguments": arguments}})
        };
        json!({"role": "assistant",
            "tool_calls": [call("a", r#"{"city": "Oslo", "days": 2}"#), call("b", r#"{"city": "Lima"}"#)]})
    }

    #[tokio::test]
    async fn a_round() {
        let mut request = request();
        let sent = json_of(&request);
        assert_eq!(sent["tools"][0]["type"], "function");
        let function = &sent["tools"][0]["function"];
        assert_eq!(function["name"], "get_weather");
        assert_eq!(function["parameters"]["required"], json!(["city"]));

        let reply = reply(&calling(), "tool_calls");
        let any = chat::answer_calls(&weather(), &mut request, &reply).await;
        assert!(any.expect("they run"));
        let messages = &json_of(&request)["messages"];
        assert_eq!(messages[1], calling());
        let answer = |id, said| json!({"role": "tool", "tool_call_id": id, "content": said});
        assert_eq!(messages[2], answer("a", "rain in Some(2) days"));
        assert_eq!(messages[3], answer("b", NO_STATION));
        assert_eq!(request.messages.len(), 4);
    }

    #[tokio::test]
    async fn an_answer() {
        let mut request = request();
        let reply = reply(&json!({"role": "assistant", "content": "Rain."}), "stop");
        let any = chat::answer_calls(&weather(), &mut request, &reply).await;
        assert!(!any.expect("is a reply"));
        assert_eq!(request.messages.len(), 1);
    }

    #[tokio::test]
    async fn calls_that_were_cut_off_do_not_run() {
        let mut request = request();
        let reply = reply(&calling(), "length");
        let any = chat::answer_calls(&weather(), &mut request, &reply).await;
        assert!(any.expect_err("is refused").to_string().contains("length"));
        assert_eq!(request.messages.len(), 1);
    }
}

mod async_openai_responses {
    use async_openai::types::responses::{InputItem, Response};
    use clients::responses;

    use super::*;

    fn reply(output: &Value) -> Response {
        let reply = json!({"id": "resp_1", "object": "response", "created_at": 1, "model": "m",
            "status": "completed", "output": output});
        serde_json::from_value(reply).expect("is a reply")
    }

    #[tokio::test]
    async fn a_round() {
        let tools = responses::tools(&weather()).expect("are tools");
        let sent = json_of(&tools);
        assert_eq!(sent[0]["name"], "get_weather");
        assert_eq!(
            (&sent[0]["type"], &sent[0]["strict"]),
            (&"function".into(), &false.into())
        );

        let output = json!([
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
            {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "get_weather",
                "arguments": r#"{"city":"Lima"}"#, "status": "completed"},
        ]);
        let mut input: Vec<InputItem> = Vec::new();
        let any = responses::answer_calls(&weather(), &mut input, reply(&output)).await;
        assert!(any.expect("it runs"));
        let sent = json_of(&input);
        assert_eq!(sent[0]["encrypted_content"], output[0]["encrypted_content"]);
        assert_eq!(
            (&sent[0]["id"], &sent[0]["type"]),
            (&"rs_1".into(), &"reasoning".into())
        );
        assert_eq!(
            (&sent[1]["call_id"], &sent[1]["type"]),
            (&"a".into(), &"function_call".into())
        );
        assert_eq!(
            sent[2],
            json!({"type": "function_call_output", "call_id": "a", "output": NO_STATION})
        );
        assert_eq!(input.len(), 3);
    }

    #[tokio::test]
    async fn an_answer() {
        let output = json!([{"type": "message", "id": "msg_1", "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Rain.", "annotations": []}]}]);
        let mut input = Vec::new();
        let any = responses::answer_calls(&weather(), &mut input, reply(&output)).await;
        assert!(!any.expect("is a reply") && input.is_empty());
    }
}

mod genai_client {
    use clients::genai as client;
    use genai::chat::ChatResponse;

    use super::*;

    fn reply(parts: &Value, stop_reason: &Value) -> ChatResponse {
        let model = json!({"adapter_kind": "OpenAI", "model_name": "m"});
        let reply = json!({"content": parts, "model_iden": model, "provider_model_iden": model,
            "stop_reason": stop_reason, "usage": {}});
        // It borrows the name of the model.
        serde_json::from_str(&reply.to_string()).expect("is a reply")
    }

    fn call(id: &str, arguments: &Value) -> Value {
        json!({"ToolCall": {"call_id": id, "fn_name": "get_weather", "fn_arguments": arguments,
            "thought_signatures": ["c2ln"]}})
    }

    #[tokio::test]
    async fn a_round() {
        let sent = json_of(&client::tools(&weather()));
        assert_eq!(sent[0]["name"], "get_weather");
        assert_eq!(sent[0]["schema"]["required"], json!(["city"]));

        let parts = json!([
            call("a", &json!({"city": "Oslo", "days": 2})),
            // As a stream leaves them.
            call("b", &r#"{"city":"Lima"}"#.into()),
        ]);
        let reply = reply(&parts, &json!({"ToolCall": "tool_calls"}));
        let messages = client::answer_calls(&weather(), reply).await;
        let sent = json_of(&messages);
        assert_eq!(sent[0]["role"], "Assistant");
        assert_eq!(sent[0]["content"], parts);
        let answer = |id, said| json!({"ToolResponse": {"call_id": id, "fn_name": "get_weather", "content": said}});
        assert_eq!(sent[1]["role"], "Tool");
        assert_eq!(
            sent[1]["content"],
            json!([answer("a", "rain in Some(2) days"), answer("b", NO_STATION)])
        );
        assert_eq!(messages.len(), 2);
    }

    #[tokio::test]
    async fn calls_that_were_cut_off_do_not_run() {
        let parts = json!([call("a", &json!({"city": "Oslo"}))]);
        let reply = reply(&parts, &json!({"MaxTokens": "length"}));
        assert!(client::answer_calls(&weather(), reply).await.is_empty());
    }
}
