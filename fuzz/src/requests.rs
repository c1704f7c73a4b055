//! The rules that every provider has for a conversation, whatever stands in it: each call is answered
//! once, in order, under an id and a name that the provider takes.

use std::collections::HashSet;

use serde_json::Value;

/// A call in a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    /// Empty where the request has none.
    pub(crate) id: String,
    pub(crate) name: String,
}

/// Checks the body of a request, and gives its calls.
///
/// # Panics
///
/// Where the provider would refuse it.
pub(crate) fn check(provider: &str, body: &Value) -> Vec<Sent> {
    let calls = match provider {
        "openai_chat" => chat(list(&body["messages"])),
        "openai_responses" => responses(list(&body["input"])),
        "anthropic" => anthropic(list(&body["messages"])),
        "gemini" => gemini(list(&body["contents"])),
        "ollama" => ollama(list(&body["messages"])),
        _ => unreachable!("it is one of the five"),
    };
    let mut ids = HashSet::new();
    for call in &calls {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        assert!((1..=64).contains(&call.name.len()), "{call:?}");
        assert!(call.name.chars().all(is_plain), "{call:?}");
        assert!(call.id.len() <= 40, "{call:?}");
        assert!(
            call.id.is_empty() || ids.insert(&call.id),
            "{call:?} stands twice"
        );
    }
    calls
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("is a list")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// The text of a JSON object.
fn object_in(value: &Value) {
    let object = serde_json::from_str::<serde_json::Map<_, _>>(text(value));
    assert!(object.is_ok(), "{value}: {object:?}");
}

/// Calls that wait for their answers, in order.
#[derive(Default)]
struct Waiting {
    calls: Vec<Sent>,
    answered: usize,
}

impl Waiting {
    fn call(&mut self, id: &str, name: &str) {
        let (id, name) = (id.to_owned(), name.to_owned());
        self.calls.push(Sent { id, name });
    }

    /// The next call that has no answer.
    fn answer(&mut self) -> &Sent {
        let call = self
            .calls
            .get(self.answered)
            .expect("an answer has its call");
        self.answered += 1;
        call
    }

    fn answer_by_id(&mut self, id: &Value) {
        assert_eq!(self.answer().id, text(id));
    }

    fn all_answered(&self, next: &Value) {
        let open = &self.calls[self.answered..];
        assert!(open.is_empty(), "{open:?} have no answer before {next}");
    }

    fn end(self) -> Vec<Sent> {
        self.all_answered(&Value::Null);
        self.calls
    }
}

fn chat(messages: &[Value]) -> Vec<Sent> {
    let mut waiting = Waiting::default();
    for message in messages {
        match text(&message["role"]) {
            "tool" => {
                waiting.answer_by_id(&message["tool_call_id"]);
                text(&message["content"]);
            }
            "assistant" => {
                waiting.all_answered(message);
                for call in message["tool_calls"].as_array().into_iter().flatten() {
                    assert_eq!(call["type"], "function");
                    assert_ne!(call["id"], "");
                    object_in(&call["function"]["arguments"]);
                    waiting.call(text(&call["id"]), text(&call["function"]["name"]));
                }
                let says = !message["content"].is_null() || !message["tool_calls"].is_null();
                assert!(says, "{message}");
            }
            "user" => {
                waiting.all_answered(message);
                assert!(!message["content"].is_null(), "{message}");
            }
            role => assert_eq!(role, "system"),
        }
    }
    waiting.end()
}

fn responses(items: &[Value]) -> Vec<Sent> {
    let mut waiting = Waiting::default();
    for item in items {
        let id = item["call_id"].as_str().unwrap_or_default();
        match item["type"].as_str().unwrap_or_default() {
            "function_call" => {
                object_in(&item["arguments"]);
                assert_ne!(id, "");
                waiting.call(id, text(&item["name"]));
            }
            // Those that the server ran itself are for nobody to answer.
            "custom_tool_call" if !id.starts_with("xs_call_") => {
                text(&item["input"]);
                waiting.call(id, text(&item["name"]));
            }
            "function_call_output" | "custom_tool_call_output" => {
                waiting.answer_by_id(&item["call_id"]);
                assert!(!item["output"].is_null(), "{item}");
            }
            _ => {
                if item["role"] == "user" {
                    waiting.all_answered(item);
                }
            }
        }
    }
    waiting.end()
}

fn anthropic(messages: &[Value]) -> Vec<Sent> {
    let mut waiting = Waiting::default();
    for (number, message) in messages.iter().enumerate() {
        let role = ["user", "assistant"][number % 2];
        assert_eq!(message["role"], role, "{message}");
        let blocks = list(&message["content"]);
        assert!(!blocks.is_empty(), "{message}");
        let mut after_results = false;
        for block in blocks {
            let kind = text(&block["type"]);
            assert!(kind != "tool_result" || !after_results, "{message}");
            after_results |= kind != "tool_result";
            match kind {
                "tool_use" => {
                    let id = text(&block["id"]);
                    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                    assert!(!id.is_empty() && id.chars().all(is_plain), "{block}");
                    assert!(block["input"].is_object(), "{block}");
                    waiting.call(id, text(&block["name"]));
                }
                "tool_result" => waiting.answer_by_id(&block["tool_use_id"]),
                "text" => assert!(!text(&block["text"]).trim().is_empty(), "{message}"),
                _ => {}
            }
        }
        if role == "user" {
            waiting.all_answered(message);
        }
    }
    waiting.end()
}

fn gemini(contents: &[Value]) -> Vec<Sent> {
    let mut waiting = Waiting::default();
    for (number, content) in contents.iter().enumerate() {
        let is_user = content["role"] == "user";
        assert!(is_user || content["role"] == "model", "{content}");
        assert!(is_user || number > 0, "the user begins");
        let parts = list(&content["parts"]);
        assert!(!parts.is_empty(), "{content}");
        if !is_user {
            waiting.all_answered(content);
        }
        for part in parts {
            let id = |of: &Value| of["id"].as_str().unwrap_or_default().to_owned();
            if let call @ Value::Object(_) = &part["functionCall"] {
                assert!(!is_user && call["args"].is_object(), "{content}");
                waiting.call(&id(call), text(&call["name"]));
            } else if let answer @ Value::Object(_) = &part["functionResponse"] {
                assert!(is_user && answer["response"].is_object(), "{content}");
                let call = waiting.answer();
                assert_eq!(call.name, text(&answer["name"]));
                assert_eq!(call.id, id(answer));
            }
        }
        if is_user {
            waiting.all_answered(content);
        }
    }
    waiting.end()
}

fn ollama(messages: &[Value]) -> Vec<Sent> {
    let mut waiting = Waiting::default();
    for message in messages {
        let role = text(&message["role"]);
        text(&message["content"]);
        if role == "tool" {
            assert_eq!(waiting.answer().name, text(&message["tool_name"]));
            continue;
        }
        waiting.all_answered(message);
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            assert_eq!(role, "assistant", "{message}");
            let function = &call["function"];
            assert!(function["arguments"].is_object(), "{message}");
            waiting.call("", text(&function["name"]));
        }
    }
    waiting.end()
}
