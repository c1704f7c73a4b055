//! Lists of messages: what is wrong in them, what is done about it, and what survives the way in and out.

use serde_json::{Value, json};
use toolwright::{
    Conversation, Message, ToolResult,
    message::Part,
    provider::{Finding, FindingKind, ImportError, Mending, MessageList, Protocol},
};

fn call(id: &str) -> Value {
    let function = json!({"name": "look", "arguments": "{}"});
    json!({"role": "assistant", "content": null,
        "tool_calls": [{"id": id, "type": "function", "function": function}]})
}

fn result(id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn chat() -> MessageList {
    MessageList::new(Protocol::OpenAiChat)
}

/// Reads a list and writes it again.
fn mended(list: &MessageList, messages: &Value) -> (Vec<Finding>, Value) {
    let imported = list.read(&messages.to_string()).expect("it is mended");
    let written = list.write(&imported.conversation).to_value();
    (imported.report, written)
}

#[test]
fn damage_is_mended_with_a_report_or_refused_with_one() {
    use FindingKind::*;
    let not_run =
        "Tool execution failed (cancelled): not executed: the history has no result of this call";
    let hi = || user("hi");
    for (messages, expected, found) in [
        (
            json!([hi(), call("a"), user("go on")]),
            json!([hi(), call("a"), result("a", not_run), user("go on")]),
            vec![("messages[1]", DanglingCall)],
        ),
        (
            json!([hi(), result("a", "1"), assistant("Yes.")]),
            json!([hi(), assistant("Yes.")]),
            vec![("messages[1]", OrphanResult)],
        ),
        (
            json!([
                hi(),
                call("a"),
                result("a", "1"),
                result("a", "2"),
                assistant("Yes.")
            ]),
            json!([hi(), call("a"), result("a", "1"), assistant("Yes.")]),
            vec![("messages[3]", DuplicateResult)],
        ),
        (
            json!([hi(), call("a"), user("go on"), result("a", "1")]),
            json!([hi(), call("a"), result("a", "1"), user("go on")]),
            vec![("messages[3]", MovedResult)],
        ),
        (
            json!([hi(), result("a", "1"), call("a"), assistant("Yes.")]),
            json!([hi(), call("a"), result("a", "1"), assistant("Yes.")]),
            vec![("messages[1]", MovedResult)],
        ),
        (
            json!([hi(), call("a"), call("a"), result("a", "1")]),
            json!([hi(), call("a"), result("a", "1")]),
            vec![("messages[2]", DuplicateMessage)],
        ),
        (
            json!([hi(), assistant(""), user(" "), assistant("Yes.")]),
            json!([hi(), assistant("Yes.")]),
            vec![("messages[1]", EmptyMessage), ("messages[2]", EmptyMessage)],
        ),
        (
            json!([hi(), {"role": "robot", "content": "x"}, 7, assistant("Yes.")]),
            json!([hi(), assistant("Yes.")]),
            vec![("messages[2]", LeftOut), ("messages[1]", LeftOut)],
        ),
    ] {
        let (report, written) = mended(&chat(), &messages);
        assert_eq!(written["messages"], expected, "{messages}");
        let kinds: Vec<_> = report
            .iter()
            .map(|found| (&*found.path, found.kind))
            .collect();
        assert_eq!(kinds, found, "{messages}");
        let refused = chat()
            .with_mending(Mending::Refuse)
            .read(&messages.to_string());
        assert_eq!(refused, Err(ImportError::Damaged { report }), "{messages}");
    }
}

#[test]
fn what_is_no_damage_is_not_refused() {
    let strict = chat().with_mending(Mending::Refuse);
    let twice = json!([
        user("hi"),
        call("a"),
        result("a", "1"),
        call("a"),
        result("a", "2"),
        assistant("Yes.")
    ]);
    let imported = strict
        .read(&twice.to_string())
        .expect("ids may be repeated");
    assert_eq!(imported.report[0].kind, FindingKind::ReplacedId);
    let written = strict.write(&imported.conversation).to_value();
    assert_ne!(written["messages"][3]["tool_calls"][0]["id"], "a");

    let waits = json!([user("hi"), call("a")]);
    let mut imported = strict.read(&waits.to_string()).expect("calls may wait");
    assert_eq!(imported.report[0].kind, FindingKind::PendingCalls);
    assert!(imported.conversation.requires_tool_execution());
    let results = [ToolResult::success("a", "1")];
    imported
        .conversation
        .push_results(results)
        .expect("they wait");
    let written = strict.write(&imported.conversation).to_value();
    assert_eq!(
        written["messages"],
        json!([user("hi"), call("a"), result("a", "1")])
    );
}

#[test]
fn two_messages_of_one_side_are_one_where_sides_take_turns() {
    let list = MessageList::new(Protocol::Anthropic);
    let (report, written) = mended(&list, &json!([user("a"), user("b"), assistant("c")]));
    assert_eq!(report[0].kind, FindingKind::MergedRoles);
    assert_eq!(report[0].path, "messages[1]");
    let text = |text: &str| json!({"type": "text", "text": text});
    assert_eq!(
        written["messages"],
        json!([{"role": "user", "content": [text("a"), text("b")]},
            {"role": "assistant", "content": [text("c")]}])
    );
}

/// Every message of this list stands in a form that only its protocol has.
#[test]
fn what_only_its_protocol_says_survives_in_it() {
    let cached = json!({"type": "ephemeral"});
    let anthropic = json!({
        "system": [{"type": "text", "text": "Be brief.", "cache_control": cached}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": cached}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "tool_use", "id": "a", "name": "look", "input": {"n": 1.0}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "is_error": true, "cache_control": cached,
                    "content": [{"type": "text", "text": "boom"}]}]}]});
    let chat = json!({"messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "system", "content": [{"type": "text", "text": "Kindly.", "cache_control": cached}]},
        {"role": "user", "name": "ada", "content": [
            {"type": "image_url", "image_url": {"url": "https://h/a.png", "detail": "low"}},
            {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}]},
        {"role": "assistant", "content": "Hm.", "reasoning_details": [
            {"type": "reasoning.encrypted", "data": "d", "id": "r"}]},
        {"role": "developer", "content": "Go on."}]});
    let responses = json!({"input": [
        {"role": "developer", "content": "Be brief."},
        {"type": "message", "role": "user", "content": "hi"},
        {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "e"},
        {"type": "function_call", "id": "fc", "call_id": "a", "name": "look", "arguments": "{}",
            "status": "completed"},
        {"type": "function_call_output", "call_id": "a", "output": "1", "status": "completed"}]});
    let gemini = json!({
        "systemInstruction": {"role": "user", "parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "hi"},
                {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://b/o"}}]},
            {"role": "model", "parts": [
                {"functionCall": {"name": "look", "args": {}}, "thoughtSignature": "c2ln"}]},
            {"role": "user", "parts": [
                {"functionResponse": {"name": "look", "response": {"a": 1, "b": [2]}}}]}]});
    for (protocol, body) in [
        (Protocol::Anthropic, anthropic),
        (Protocol::OpenAiChat, chat),
        (Protocol::OpenAiResponses, responses),
        (Protocol::Gemini, gemini),
    ] {
        let (report, written) = mended(&MessageList::new(protocol), &body);
        assert_eq!(written, body);
        let damage: Vec<_> = report
            .iter()
            .filter(|found| found.kind.is_damage())
            .collect();
        assert!(damage.is_empty(), "{damage:?}");
        // Marks are for their own protocol, and disturb no other.
        let conversation = MessageList::new(protocol)
            .read(&body.to_string())
            .expect("is read");
        for other in Protocol::ALL.into_iter().filter(|other| *other != protocol) {
            let list = MessageList::new(other);
            let written = list.write(&conversation.conversation);
            assert!(
                !written.as_str().contains("imported"),
                "{other:?}: {written}"
            );
            assert!(
                !written.as_str().contains("ephemeral"),
                "{other:?}: {written}"
            );
            list.with_mending(Mending::Refuse)
                .read(written.as_str())
                .expect("is whole");
        }
    }
}

#[test]
fn what_a_server_signed_goes_to_no_other() {
    let thinking = json!({"type": "thinking", "thinking": "Hm.", "signature": "s"});
    let text = json!({"type": "text", "text": "Yes."});
    let body = json!([user("hi"), {"role": "assistant", "content": [thinking, text]}]);
    let own = MessageList::new(Protocol::Anthropic);
    let read = own.read(&body.to_string()).expect("is read");
    assert_eq!(
        own.write(&read.conversation).to_value()["messages"][1]["content"][0],
        thinking
    );
    let other = own.with_server("proxy.example");
    assert_eq!(
        other.write(&read.conversation).to_value()["messages"][1]["content"][0],
        text
    );
}

#[test]
fn a_changed_system_text_is_what_is_written() {
    let body = json!([{"role": "developer", "content": "Be brief."}, user("hi")]);
    let conversation = chat()
        .read(&body.to_string())
        .expect("is read")
        .conversation;
    let written = chat()
        .write(&conversation.with_system("Be kind."))
        .to_value();
    let system = json!({"role": "system", "content": "Be kind."});
    assert_eq!(written["messages"], json!([system, user("hi")]));
}

#[test]
fn a_text_that_is_too_large_or_no_list_is_refused() {
    let read = |json: &str| chat().with_max_bytes(1000).read(json);
    assert_eq!(
        read(&" ".repeat(1001)),
        Err(ImportError::TooLarge {
            bytes: 1001,
            max_bytes: 1000
        })
    );
    let deep = format!("{}{}", "[".repeat(97), "]".repeat(97));
    assert_eq!(read(&deep), Err(ImportError::TooDeep { levels: 96 }));
    assert_eq!(read("{}"), Err(ImportError::NoList { field: "messages" }));
    assert_eq!(
        read(r#"{"messages":1}"#),
        Err(ImportError::NoList { field: "messages" })
    );
    let twice = r#"[{"role":"user","role":"system","content":"hi"}]"#;
    let path = "messages[0].role".to_owned();
    assert_eq!(read(twice), Err(ImportError::DuplicateKey { path }));
    let message = read("[{]").expect_err("is no JSON").to_string();
    assert!(message.contains("line 1 column 3"), "{message}");
}

/// Results in the wrong order, and results far from their calls, cost no more than a few looks each.
#[test]
fn a_long_damaged_list_is_read_in_time() {
    const CALLS: usize = 20_000;
    let calls = (0..CALLS).map(|number| call(&format!("c{number}"))["tool_calls"][0].clone());
    let calls = calls.collect::<Vec<_>>();
    let results = (0..CALLS)
        .rev()
        .map(|number| result(&format!("c{number}"), "1"));
    let mut messages = vec![
        user("hi"),
        json!({"role": "assistant", "tool_calls": calls}),
    ];
    messages.extend(results);
    let far = (0..CALLS).map(|number| call(&format!("d{number}")));
    messages.extend(far.flat_map(|call| [call, user("go on")]));
    messages.extend((0..CALLS).map(|number| result(&format!("d{number}"), "1")));
    let imported = chat()
        .read(&Value::from(messages).to_string())
        .expect("is mended");
    let is_moved = |found: &Finding| found.kind == FindingKind::MovedResult;
    assert!(imported.report.iter().all(is_moved));
    let rest = imported.report.last().map(|found| &*found.message);
    let rest = rest.and_then(|message| message.split(' ').next());
    assert_eq!(rest, Some(&*(2 * CALLS - 1 - 1_000).to_string()));
    let Some(Message::Assistant(first)) = imported.conversation.messages().get(1) else {
        panic!("the calls are there");
    };
    assert_eq!(first.tool_rounds[0].results.len(), CALLS);
}

#[test]
fn an_image_in_an_address_becomes_one_that_every_provider_takes() {
    let url = "data:image/png;base64,iVBORw==";
    let body =
        json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]);
    let imported = chat().read(&body.to_string()).expect("is read");
    let written = |protocol| {
        MessageList::new(protocol)
            .write(&imported.conversation)
            .to_value()
    };
    assert_eq!(written(Protocol::OpenAiChat)["messages"], body);
    assert_eq!(
        written(Protocol::Ollama)["messages"][0]["images"][0],
        "iVBORw=="
    );
    let Some(Message::User(message)) = imported.conversation.messages().first() else {
        panic!("it is there");
    };
    assert!(matches!(message.parts[0], Part::Image(_)));
    assert_eq!(
        written(Protocol::Gemini)["contents"][0]["parts"][0]["inlineData"]["data"],
        "iVBORw=="
    );
}

#[test]
fn an_empty_list_is_an_empty_conversation() {
    for protocol in Protocol::ALL {
        let imported = MessageList::new(protocol).read("[]").expect("is a list");
        assert_eq!(imported.conversation, Conversation::new());
        assert_eq!(imported.report, []);
    }
}

#[test]
fn a_list_of_little_takes_little_memory() {
    let zeros = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
    let imported = chat().read(&zeros(5_000)).expect("is a list");
    assert_eq!(imported.report.len(), 1_001);
    let last = imported.report.last().expect("there is one");
    assert_eq!(
        (last.kind, &*last.path),
        (FindingKind::LeftOut, "messages[1000]")
    );
    assert!(last.message.starts_with("4000 more"), "{last}");
    let too_many = ImportError::TooMany {
        max_messages: 1_000_000,
    };
    assert_eq!(chat().read(&zeros(1_000_001)).err(), Some(too_many));
}
