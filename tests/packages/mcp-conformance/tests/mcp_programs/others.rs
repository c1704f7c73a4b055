//! The official client of Python, and the command line of the inspector.

use std::{env, process::Command};

use serde_json::{Value, json};

use crate::{
    in_process::{Received, conformance, notes, without_id},
    server::Server,
};

/// What a program printed: `tools` and `results`.
fn received(printed: &Value) -> Received {
    let tools = printed["tools"].as_array().unwrap().iter();
    let tools = tools.map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone()));
    let results = printed["results"].as_array().unwrap().iter().map(|result| {
        let mut content = result["content"].clone();
        for part in content.as_array_mut().unwrap() {
            // Addresses of resources are made up for the client.
            if let Some(Value::Object(resource)) = part.get_mut("resource") {
                resource.remove("uri");
            }
            if let Some(Value::String(text)) = part.get_mut("text") {
                *text = without_id(text);
            }
        }
        let mut shown = json!({"content": content, "isError": result["isError"] == true});
        if let Some(value) = result.get("structuredContent") {
            shown["structuredContent"] = value.clone();
        }
        shown
    });
    Received {
        tools: tools.collect(),
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
    let python = env::var_os("TOOLWRIGHT_MCP_PYTHON").unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp_programs/client.py");
    let server = Server::start();
    let (conformance, notes) = (conformance(), notes());
    let over_http = vec![server.address.clone()];
    for (served, address) in [
        (&conformance, &over_http),
        (&conformance, &conformance.program),
        (&notes, &notes.program),
    ] {
        let expected = served.in_process(true).await;
        let calls = serde_json::to_string(&served.calls).unwrap();
        for version in ["legacy", "auto"] {
            let mut command = Command::new(&python);
            command.args([script, version, &calls]).args(address);
            let received = received(&run(&mut command));
            assert_eq!(received, expected, "{version} {address:?}");
        }
    }
}

#[tokio::test]
#[ignore = "it needs the inspector; `.ci/mcp-clients` starts it"]
async fn the_inspector_receives_what_a_call_in_process_returns() {
    let inspector = env::var_os("TOOLWRIGHT_MCP_INSPECTOR").unwrap();
    for served in [conformance(), notes()] {
        let inspect = |arguments: &[&str]| {
            let mut command = Command::new(&inspector);
            command.arg("--cli").args(&served.program).args(arguments);
            run(&mut command)
        };
        let list = inspect(&["--method", "tools/list"]);
        let results = served.calls.iter().map(|(name, arguments)| {
            let mut call = vec!["--method", "tools/call", "--tool-name", name];
            let given = arguments.as_object().unwrap().iter();
            let given: Vec<_> = given
                .map(|(name, value)| format!("{name}={}", value.as_str().unwrap()))
                .collect();
            for argument in &given {
                call.extend(["--tool-arg", argument]);
            }
            inspect(&call)
        });
        let results: Vec<_> = results.collect();
        let printed = json!({"tools": list["tools"], "results": results});
        // Each call has a process of its own.
        let expected = served.in_process(false).await;
        assert_eq!(received(&printed), expected, "{:?}", served.program);
    }
}
