//! The official client of Python, and the command line of the inspector.

use std::{collections::BTreeMap, env, process::Command};

use serde_json::{Value, json};
use toolwright::{Dispatch, ToolCall, ToolResult, message::FileSource, tool::OutputPart};

use crate::{
    server::{PROGRAM, Server},
    tools,
};

/// What a program received, or would receive if the tools were called here.
#[derive(Debug, PartialEq)]
struct Received {
    /// Description and schema by name.
    tools: BTreeMap<String, (Value, Value)>,
    /// Content, and whether it is an error.
    results: Vec<(Value, bool)>,
}

/// A call of each tool.
fn calls() -> Vec<(String, Value)> {
    let tools = tools::tools().unwrap();
    let names = tools.names().map(ToOwned::to_owned);
    let calls = names.map(|name| {
        let arguments = match name.as_str() {
            "test_header" => json!({"region": "north"}),
            "json_schema_2020_12_tool" => json!({"email": "a@example.com"}),
            _ => json!({}),
        };
        (name, arguments)
    });
    calls.collect()
}

async fn in_process() -> Received {
    let tools = tools::tools().unwrap();
    let definitions = tools.definitions().map(|tool| {
        let said = (json!(tool.description), tool.input_schema.to_value());
        (tool.name.to_string(), said)
    });
    let calls: Vec<_> = calls().into_iter().collect();
    let calls: Vec<_> = calls
        .iter()
        .map(|(name, arguments)| ToolCall::new(name, name, arguments.to_string()))
        .collect();
    let results = tools.dispatch(&calls).await;
    Received {
        tools: definitions.collect(),
        results: results.iter().map(content).collect(),
    }
}

fn content(result: &ToolResult) -> (Value, bool) {
    let Ok(output) = &result.outcome else {
        return (
            json!([{"type": "text", "text": result.to_model_text()}]),
            true,
        );
    };
    let parts = output.parts.iter().map(|part| match part {
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
    });
    (parts.collect(), false)
}

/// From `data:image/png;base64,…`.
fn media(kind: &str, address: &str) -> Value {
    let (media_type, data) = address
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"))
        .unwrap();
    json!({"type": kind, "data": data, "mimeType": media_type})
}

/// What a program printed: `tools`, and `results` with `content` and `isError`.
fn received(printed: &Value) -> Received {
    let list = printed["tools"].as_array().unwrap();
    let ours = calls();
    let list = list
        .iter()
        .filter(|tool| ours.iter().any(|(name, _)| tool["name"] == **name));
    let list = list.map(|tool| {
        let name = tool["name"].as_str().unwrap().to_owned();
        (
            name,
            (tool["description"].clone(), tool["inputSchema"].clone()),
        )
    });
    let results = printed["results"].as_array().unwrap().iter().map(|result| {
        let mut content = result["content"].clone();
        for part in content.as_array_mut().unwrap() {
            // Addresses of resources are made up for the client.
            if let Some(Value::Object(resource)) = part.get_mut("resource") {
                resource.remove("uri");
            }
        }
        (content, result["isError"] == true)
    });
    Received {
        tools: list.collect(),
        results: results.collect(),
    }
}

fn run(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&printed).unwrap_or_else(|error| {
        let failure = String::from_utf8_lossy(&output.stderr);
        panic!("{command:?}: {error}\n{printed}\n{failure}")
    })
}

#[tokio::test]
#[ignore = "it needs the client of Python; `.ci/mcp-clients` starts it"]
async fn python_receives_what_a_call_in_process_returns() {
    let expected = in_process().await;
    let python = env::var_os("TOOLWRIGHT_MCP_PYTHON").unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp_programs/client.py");
    let calls = serde_json::to_string(&calls()).unwrap();
    let server = Server::start();
    for version in ["legacy", "auto"] {
        for address in [&[&*server.address][..], &[PROGRAM, "stdio"]] {
            let mut command = Command::new(&python);
            command.args([script, version, &calls]).args(address);
            assert_eq!(
                received(&run(&mut command)),
                expected,
                "{version} {address:?}"
            );
        }
    }
}

#[tokio::test]
#[ignore = "it needs the inspector; `.ci/mcp-clients` starts it"]
async fn the_inspector_receives_what_a_call_in_process_returns() {
    let expected = in_process().await;
    let program = env::var_os("TOOLWRIGHT_MCP_INSPECTOR").unwrap();
    let inspector = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(["--cli", PROGRAM, "stdio"]).args(arguments);
        run(&mut command)
    };
    let list = inspector(&["--method", "tools/list"]);
    let results = calls().into_iter().map(|(name, arguments)| {
        let mut call = vec!["--method", "tools/call", "--tool-name", &name];
        let given = arguments.as_object().unwrap().iter();
        let given: Vec<_> = given
            .map(|(name, value)| format!("{name}={}", value.as_str().unwrap()))
            .collect();
        for argument in &given {
            call.extend(["--tool-arg", argument]);
        }
        inspector(&call)
    });
    let results: Vec<_> = results.collect();
    let printed = json!({"tools": list["tools"], "results": results});
    assert_eq!(received(&printed), expected);
}
