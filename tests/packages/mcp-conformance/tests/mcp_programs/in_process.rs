//! The tools of our servers, called in this process.

use std::{collections::BTreeMap, path::Path};

use serde_json::{Value, json};
use toolwright::{
    Dispatch, ToolCall, ToolContext, ToolDefinition, ToolResult, Toolset, message::FileSource,
    schema::Schema, tool::OutputPart, toolset,
};

use crate::{all, example, server::PROGRAM, tools};

/// A server at its standard input and output.
pub(crate) struct Served {
    pub(crate) program: Vec<String>,
    tools: Toolset,
    /// Names and arguments.
    pub(crate) calls: Vec<(String, Value)>,
    /// What the tools share in a new process.
    begin: fn() -> ToolContext,
}

/// What a program received, or would receive if the tools were called here.
#[derive(Debug, PartialEq)]
pub(crate) struct Received {
    /// Definitions by name.
    pub(crate) tools: BTreeMap<String, Value>,
    pub(crate) results: Vec<Value>,
}

/// The server of this package. Of its tools those are called that any client may call, at any time.
pub(crate) fn conformance() -> Served {
    let tools = tools::tools().unwrap();
    let calls = tools.names().map(|name| {
        let arguments = match name {
            "test_header" => json!({"region": "north"}),
            "json_schema_2020_12_tool" => json!({"email": "a@example.com"}),
            _ => json!({}),
        };
        (name.to_owned(), arguments)
    });
    Served {
        program: vec![PROGRAM.to_owned(), "stdio".to_owned()],
        calls: calls.collect(),
        tools: all::tools().unwrap(),
        begin: ToolContext::default,
    }
}

/// The example `mcp_server`, which cargo builds beside the programs.
pub(crate) fn notes() -> Served {
    use example::{Notes, list_notes, read_note, write_note};

    let program = Path::new(PROGRAM).with_file_name("examples");
    let program = program.join("mcp_server").display().to_string();
    let calls = [
        ("list_notes", json!({})),
        (
            "write_note",
            json!({"title": "milk", "text": "two bottles"}),
        ),
        ("list_notes", json!({})),
        ("read_note", json!({"title": "milk"})),
        ("read_note", json!({"title": "bread"})),
        (
            "write_note",
            json!({"title": "a".repeat(81), "text": "long"}),
        ),
    ];
    Served {
        program: vec![program],
        tools: toolset![list_notes, read_note, write_note],
        calls: calls.map(|(name, given)| (name.to_owned(), given)).into(),
        begin: || ToolContext::default().with_extension(Notes::default()),
    }
}

impl Served {
    /// What its tools give in this process: all calls in one, or each in a new one.
    pub(crate) async fn in_process(&self, is_one: bool) -> Received {
        let definitions = self.tools.definitions();
        let tools = definitions.map(|tool| (tool.name.to_string(), definition(tool)));
        let (mut results, mut cx) = (Vec::new(), (self.begin)());
        for (name, arguments) in &self.calls {
            if !is_one {
                cx = (self.begin)();
            }
            let call = ToolCall::new(name, name, arguments.to_string());
            let result = self.tools.call(&call, &cx).await;
            results.push(self.result(name, &result));
        }
        Received {
            tools: tools.collect(),
            results,
        }
    }

    fn result(&self, name: &str, result: &ToolResult) -> Value {
        let Ok(output) = &result.outcome else {
            let content = json!([{"type": "text", "text": without_id(&result.to_model_text())}]);
            return json!({"content": content, "isError": true});
        };
        let content: Value = output.parts.iter().map(content).collect();
        let mut shown = json!({"content": content, "isError": false});
        let definition = self.tools.find(name).unwrap().definition();
        if definition
            .output_schema
            .as_ref()
            .is_some_and(|it| is_object(&it.to_value()))
        {
            shown["structuredContent"] = output.decode().unwrap();
        }
        shown
    }
}

/// The text of an error without the id of its call, which is that of the request.
pub(crate) fn without_id(text: &str) -> String {
    match text.split_once("Details: call: ") {
        Some((before, after)) => {
            let (_, rest) = after.split_once(", ").unwrap();
            format!("{before}Details: {rest}")
        }
        None => text.to_owned(),
    }
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object"
}

/// Only what the tool declares.
fn definition(tool: &ToolDefinition) -> Value {
    let schema = tool.output_schema.as_ref().map(Schema::to_value);
    let hints = json!({
        "readOnlyHint": tool.hints.read_only,
        "destructiveHint": tool.hints.destructive,
        "idempotentHint": tool.hints.idempotent,
        "openWorldHint": tool.hints.open_world,
    });
    let hints = declared(hints);
    declared(json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema.to_value(),
        "outputSchema": schema.filter(is_object),
        "annotations": (hints != json!({})).then_some(hints),
    }))
}

/// Without what is `null`.
fn declared(mut object: Value) -> Value {
    object
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    object
}

fn content(part: &OutputPart) -> Value {
    match part {
        OutputPart::Text(text) | OutputPart::Json(text) => json!({"type": "text", "text": text}),
        OutputPart::Image(image) => media("image", &image.address()),
        OutputPart::Audio(audio) => media("audio", &audio.address()),
        OutputPart::Document(document) => {
            let FileSource::Base64 { data } = &document.source else {
                panic!("{document:?}")
            };
            let (key, content) = match document.text() {
                Some(text) => ("text", json!(text)),
                None => ("blob", json!(data)),
            };
            json!({"type": "resource", "resource": {"mimeType": document.media_type, key: content}})
        }
        other => panic!("{other:?}"),
    }
}

/// From `data:image/png;base64,…`.
fn media(kind: &str, address: &str) -> Value {
    let (media_type, data) = address
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"))
        .unwrap();
    json!({"type": kind, "data": data, "mimeType": media_type})
}
