//! Strict tools over OpenAI Chat Completions: what is sent, and how the arguments come back.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::{
    ChatModel, Dispatch, Execute, Message, ModelResponse, Runner, Tool, ToolCall, ToolContext,
    ToolError, ToolInput, Toolset,
    model::{ModelRequest, collect},
    profile::Profile,
    provider::{Codec, DecodeStream, EncodeInput, OpenAiChatCodec},
    tool,
    tool::Strict,
    toolset,
};

use crate::{
    loopback::{Answer, Server},
    openai_chat::model,
};

/// A size, or both ends of it.
#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Size {
    Fixed(u8),
    Range { least: u8, most: Option<u8> },
}

/// Label something.
#[tool]
fn label(
    labels: BTreeMap<String, u8>,
    at: (u8, bool),
    size: Option<Size>,
    note: Option<String>,
) -> String {
    format!("{labels:?} {at:?} {} {note:?}", size.is_some())
}

/// Look at something.
#[tool]
fn look(at: Option<u8>) -> String {
    format!("{at:?}")
}

const SENT: &str = r#"{"labels":[{"key":"a","value":1}],"at":{"0":7,"1":true},"size":{"least":1,"most":null},"note":null}"#;
const OWN: &str = r#"{"labels":{"a":1},"at":[7,true],"size":{"least":1}}"#;

fn reply(name: &str, arguments: &str) -> Value {
    json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null,
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": name, "arguments": arguments}}]}}]})
}

fn request(tools: &Toolset) -> ModelRequest {
    let mut request = ModelRequest::new([Message::user("Go on.")]);
    request.tools = tools.shared_definitions().clone();
    request
}

/// Set the fields of a note.
#[derive(Deserialize, Tool)]
#[tool(strict = "portable")]
struct SetFields {
    note: String,
    #[serde(flatten)]
    fields: BTreeMap<String, u8>,
}

impl Execute for SetFields {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(format!("{}: {:?}", self.note, self.fields))
    }
}

#[tokio::test]
async fn a_flattened_map_is_a_member_of_a_strict_tool() {
    let tools = toolset![SetFields].strict(Strict::OpenAi);
    let sent = r#"{"note":"n","other_members":[{"key":"a","value":1}]}"#;
    let calls = OpenAiChatCodec::new()
        .calls(&tools, &reply("set_fields", sent))
        .expect("is a reply");
    assert_eq!(calls[0].arguments, r#"{"note":"n","a":1}"#);
    let results = tools.dispatch(&calls).await;
    assert_eq!(results[0].to_model_text(), r#"n: {"a": 1}"#);
}

/// A document, in one of two forms.
#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Doc {
    List(Vec<Value>),
    Map(Map<String, Value>),
}

/// Store a document.
#[tool(strict = "openai")]
fn store(doc: Doc) -> String {
    match doc {
        Doc::List(list) => format!("a list of {}", list.len()),
        Doc::Map(map) => format!("a map of {}", map.len()),
    }
}

#[tokio::test]
async fn a_map_beside_a_list_is_not_taken_for_one() {
    let tools = toolset![store];
    let sent = OpenAiChatCodec::new().tools(&tools).to_value();
    let doc = &sent[0]["function"]["parameters"]["properties"]["doc"]["anyOf"];
    assert_eq!(doc[1]["required"], json!(["object"]));
    for (sent, own, said) in [
        (
            r#"{"doc":{"object":[{"key":"year","value":"2024"}]}}"#,
            r#"{"doc":{"year":2024}}"#,
            "a map of 1",
        ),
        (
            r#"{"doc":["1","[2]"]}"#,
            r#"{"doc":[1,[2]]}"#,
            "a list of 2",
        ),
        (r#"{"doc":[]}"#, r#"{"doc":[]}"#, "a list of 0"),
    ] {
        let calls = OpenAiChatCodec::new()
            .calls(&tools, &reply("store", sent))
            .expect("is a reply");
        assert_eq!(calls[0].arguments, own);
        let results = tools.dispatch(&calls).await;
        assert_eq!(results[0].to_model_text(), said);
    }
}

fn strict() -> Toolset {
    toolset![label]
        .strict(Strict::OpenAi)
        .merge(toolset![look])
        .expect("the names differ")
}

#[test]
fn a_strict_tool_is_sent_with_its_schema_and_others_as_they_are() {
    let tools = strict();
    let sent = OpenAiChatCodec::new().tools(&tools).to_value();
    let function = &sent[0]["function"];
    assert_eq!(function["strict"], true);
    let parameters = &function["parameters"];
    assert_eq!(
        parameters["required"],
        json!(["labels", "at", "size", "note"])
    );
    assert_eq!(parameters["properties"]["labels"]["type"], "array");
    assert_eq!(
        parameters["properties"]["note"]["type"],
        json!(["string", "null"])
    );
    let profile = Profile::openai_strict().render(tools.definitions().next().expect("is one"));
    let profile = profile.expect("it can be sent");
    assert_eq!(
        *parameters,
        profile.parameters.expect("it has parameters").to_value()
    );

    let plain = OpenAiChatCodec::new().tools(&toolset![look]);
    let own = toolset![look]
        .definitions()
        .next()
        .expect("is one")
        .input_schema
        .clone();
    assert!(plain.as_str().contains(own.as_str()) && !plain.as_str().contains("strict"));
    assert_eq!(sent[1], plain.to_value()[0]);
}

#[tokio::test]
async fn arguments_come_back_as_the_tool_takes_them() {
    let tools = strict();
    let calls = OpenAiChatCodec::new()
        .calls(&tools, &reply("label", SENT))
        .expect("is a reply");
    assert_eq!(calls, [ToolCall::new("a", "label", OWN)]);
    let results = tools.dispatch(&calls).await;
    assert_eq!(
        results[0].to_model_text(),
        r#"{"a": 1} (7, true) true None"#
    );

    // What is not strict stays as it was written, white space and all.
    let other = r#"{ "at" :null }"#;
    let calls = OpenAiChatCodec::new()
        .calls(&tools, &reply("look", other))
        .expect("is a reply");
    assert_eq!(calls[0].arguments, other);
}

/// Pieces of a stream: the call of the strict tool in three, another call between them.
fn stream() -> String {
    let chunk = |delta: Value, reason: Value| {
        let chunk = json!({"choices": [{"delta": delta, "finish_reason": reason}]});
        format!("data: {chunk}\n\n")
    };
    let call = |index: u8, id: &str, name: &str, text: &str| {
        let function = json!({"name": name, "arguments": text});
        let mut call = json!({"index": index, "function": function});
        if !id.is_empty() {
            call["id"] = id.into();
        }
        chunk(json!({"tool_calls": [call]}), Value::Null)
    };
    let (first, rest) = SENT.split_at(20);
    let (second, third) = rest.split_at(9);
    [
        call(0, "a", "label", first),
        call(0, "", "", second),
        call(1, "b", "look", r#"{"at": "#),
        call(0, "", "", third),
        call(1, "", "", "1}"),
        chunk(json!({}), "tool_calls".into()),
        "data: [DONE]\n\n".to_owned(),
    ]
    .concat()
}

fn check(reply: &ModelResponse) {
    let expected = [
        ToolCall::new("a", "label", OWN),
        ToolCall::new("b", "look", r#"{"at": 1}"#),
    ];
    assert_eq!(reply.tool_calls, expected);
    assert!(reply.warnings.is_empty());
}

#[test]
fn a_stream_cut_anywhere_comes_back_the_same() {
    let tools = strict();
    let stream = stream();
    for cut in 0..stream.len() {
        let mut decoder = OpenAiChatCodec::new().stream_decoder(tools.shared_definitions());
        let mut events = Vec::new();
        let (first, second) = stream.as_bytes().split_at(cut);
        decoder.feed(first, &mut events).expect("is a stream");
        decoder.feed(second, &mut events).expect("is a stream");
        decoder.finish(&mut events).expect("is whole");
        check(&events.into_iter().collect());
    }
}

#[test]
fn a_stream_that_breaks_off_keeps_what_came() {
    let tools = strict();
    let stream = stream();
    let end = stream.find(r#""name":"look""#).expect("it is there");
    let end = stream[..end].rfind("data:").expect("it is there");
    let mut decoder = OpenAiChatCodec::new().stream_decoder(tools.shared_definitions());
    let mut events = Vec::new();
    decoder
        .feed(&stream.as_bytes()[..end], &mut events)
        .expect("is a stream");
    decoder.finish(&mut events).expect_err("it is not whole");
    let reply: ModelResponse = events.into_iter().collect();
    assert_eq!(reply.tool_calls[0].arguments, SENT[..29]);
}

#[tokio::test]
async fn the_model_undoes_both_ways() {
    let tools = strict();
    let whole = reply("label", SENT).to_string();
    let server = Server::start(vec![Answer::json(&whole), Answer::events(&stream())]).await;
    let model = model(&server);
    let request = request(&tools);
    let whole = model.complete(&request).await.expect("answers");
    assert_eq!(whole.tool_calls[0].arguments, OWN);
    check(&collect(model.stream(&request)).await.expect("answers"));
}

/// The model knows only the form that it is shown.
#[tokio::test]
async fn an_earlier_call_is_sent_again_in_the_form_of_the_provider() {
    let stream = stream();
    let rounds = vec![
        Answer::events(&stream),
        Answer::json(
            r#"{"choices": [{"finish_reason": "stop", "message": {"content": "Done."}}]}"#,
        ),
    ];
    let server = Server::start(rounds).await;
    let runner = Runner::builder(model(&server)).tools(strict());
    let runner = runner.build().expect("is complete");
    let outcome = runner.run("Go on.").await.expect("answers");
    assert_eq!(outcome.text, "Done.");

    let requests = server.requests();
    let body: Value = serde_json::from_slice(&requests[1].body).expect("it is JSON");
    let sent = |call: usize| {
        let arguments = &body["messages"][1]["tool_calls"][call]["function"]["arguments"];
        let arguments = arguments.as_str().expect("they are text");
        serde_json::from_str::<Value>(arguments).expect("it is JSON")
    };
    assert_eq!(sent(0), serde_json::from_str::<Value>(SENT).expect("is"));
    assert_eq!(sent(1), json!({"at": 1}));
    // What is kept of the round is the tool's own.
    let kept = json!(outcome.conversation).to_string();
    let kept_is_own =
        kept.contains(&json!(OWN).to_string()) && !kept.contains(&json!(SENT).to_string());
    assert!(kept_is_own, "{kept}");
}

#[tokio::test]
async fn a_tool_that_cannot_be_strict_is_sent_without_and_the_reply_says_so() {
    let schema = r#"{"type":"object","properties":{"a":{"$ref":"https://example.org/a"}}}"#;
    let schema = toolwright::schema::Schema::from_text(schema).expect("it is JSON");
    let definition = toolwright::ToolDefinition::new("far", "Reach far away.", schema.clone());
    let request = ModelRequest::new([]).with_tools([definition.with_strict(Strict::OpenAi)]);
    let body = OpenAiChatCodec::new()
        .encode(EncodeInput::new("m", &request))
        .expect("can be sent");
    let body: Value = serde_json::from_slice(&body).expect("it is JSON");
    let function = &body["tools"][0]["function"];
    assert_eq!(function["parameters"], schema.to_value());
    assert_eq!(function.get("strict"), None);
    let reply = reply("far", r#"{"a": null}"#).to_string();
    let reply = OpenAiChatCodec::new()
        .decode(&request.tools, reply.as_bytes())
        .expect("is a reply");
    assert_eq!(reply.tool_calls[0].arguments, r#"{"a": null}"#);
    assert_eq!(reply.warnings.len(), 1);
    assert_eq!(
        reply.warnings[0].to_string(),
        "not_strict: `far` cannot be sent to openai_strict: arguments.a: `https://example.org/a` \
         has no target in this schema; define it under `$defs`; it is sent without \
         `strict`"
    );
}

#[test]
fn strict_is_stored_under_its_name_and_left_out_otherwise() {
    let tools = toolset![look];
    let stored =
        |tools: &Toolset| serde_json::to_value(tools.shared_definitions()).expect("stores");
    assert_eq!(stored(&tools)[0].get("strict"), None);
    for (strict, name) in [
        (Strict::OpenAi, "openai"),
        (Strict::Anthropic, "anthropic"),
        (Strict::Portable, "portable"),
    ] {
        let tools = tools.clone().strict(strict);
        assert_eq!(stored(&tools)[0]["strict"], name);
        // What a tool says itself counts.
        let again = tools.strict(Strict::OpenAi);
        assert_eq!(stored(&again)[0]["strict"], name);
    }
}
