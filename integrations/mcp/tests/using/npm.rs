//! Servers of others, which npm installs, in a run with a scripted model.
//!
//! It needs node and npm, so it is ignored. `.ci/run` starts it.

use std::{env, fs, path::Path, process::Command};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::json;
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolResult, message::Image, testing::ScriptedModel,
    tool::OutputPart,
};
use toolwright_mcp::{Client, Refused, Servers};

/// A variable that makes it an error if the servers cannot be installed.
const REQUIRED: &str = "TOOLWRIGHT_REQUIRE_NODE";
const VERSION: &str = "2026.8.31";

fn install(folder: &Path) -> Result<(), String> {
    let package = |name: &str| format!("@modelcontextprotocol/server-{name}@{VERSION}");
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let output = Command::new("npm")
        .args(["install", "--no-save", "--no-fund", "--no-audit"])
        .args(["everything", "filesystem"].map(package))
        .current_dir(folder)
        .output()
        .map_err(|error| format!("npm: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The parts of a result: texts as they are, and the kind and size of an image. Of an error the first words.
fn parts(result: &ToolResult) -> Vec<String> {
    let output = match &result.outcome {
        Ok(output) => output,
        Err(error) => {
            let words = error.message.split(" - ").next().unwrap();
            return vec![format!("error: {words}")];
        }
    };
    let parts = output.parts.iter().map(|part| match part {
        OutputPart::Text(text) => text.clone(),
        OutputPart::Image(Image::Base64 { media_type, data }) => {
            let bytes = BASE64_STANDARD.decode(&**data).unwrap();
            format!("{media_type}, {} bytes", bytes.len())
        }
        other => panic!("{other:?}"),
    });
    parts.collect()
}

#[tokio::test]
#[ignore = "it needs node and npm; `.ci/run` starts it"]
async fn servers_of_npm_work_in_a_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-servers");
    if let Err(error) = install(&folder) {
        assert!(env::var_os(REQUIRED).is_none(), "{error}");
        eprintln!("NOT TESTED: the servers cannot be installed: {error}");
        return;
    }
    let files = folder.join("files");
    fs::create_dir_all(&files).unwrap();
    let file = files.join("note.txt");
    // That of an earlier run: what is read must have been written now.
    let _ = fs::remove_file(&file);
    let program = |name: &str| folder.join(format!("node_modules/.bin/mcp-server-{name}"));
    let text = json!({"mcpServers": {
        "everything": {"command": "node", "args": [program("everything"), "stdio"]},
        "files": {"command": "node", "args": [program("filesystem"), files]},
        "gone": {"command": "node", "args": ["--eval", "process.exit(1)"]},
    }});
    let servers = Servers::from_json(&text.to_string()).unwrap();
    let listed = servers.list().await;
    let refused = &listed.refused[..];
    assert!(
        matches!(refused, [Refused::Server { server, .. }] if server == "gone"),
        "{refused:?}"
    );
    let wrote = format!("Successfully wrote to {}", file.display());
    let path = json!({"path": file});
    let calls = [
        ("echo", json!({"message": "hello"}), &["Echo: hello"][..]),
        (
            "get-sum",
            json!({"a": 40, "b": 2}),
            &["The sum of 40 and 2 is 42."],
        ),
        (
            "get-tiny-image",
            json!({}),
            &[
                "Here's the image you requested:",
                "image/png, 4033 bytes",
                "The image above is the MCP logo.",
            ],
        ),
        (
            "get-structured-content",
            json!({"location": "New York"}),
            &[r#"{"temperature":33,"conditions":"Cloudy","humidity":82}"#],
        ),
        (
            "trigger-long-running-operation",
            json!({"duration": 0.2, "steps": 2}),
            &["Long running operation completed. Duration: 0.2 seconds, Steps: 2."],
        ),
        (
            "write_file",
            json!({"path": file, "content": "kept"}),
            &[&wrote],
        ),
        ("read_text_file", path, &["kept"]),
        (
            "read_text_file",
            json!({"path": "/etc/passwd"}),
            &["error: Access denied"],
        ),
    ];
    let rounds = calls.iter().enumerate().map(|(number, (name, given, _))| {
        let call = ToolCall::new(format!("c{number}"), *name, given.to_string());
        ModelResponse::from_calls([call])
    });
    let model = ScriptedModel::new(rounds.chain([ModelResponse::from_text("Done.")]));
    let runner = Runner::builder(model).tools(listed.tools).build().unwrap();
    let outcome = runner.run("Go on.").await.unwrap();
    assert_eq!(outcome.text, "Done.");
    let rounds = outcome.tool_rounds();
    let results: Vec<_> = rounds.flat_map(|round| round.results.iter()).collect();
    assert_eq!(results.len(), calls.len());
    for (number, (result, (name, _, expected))) in results.iter().zip(&calls).enumerate() {
        assert_eq!(result.call_id, format!("c{number}"));
        assert_eq!(parts(result), *expected, "{name}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

#[tokio::test]
#[ignore = "it needs node and npm; `.ci/run` starts it"]
async fn a_server_of_npm_asks_a_person() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp-asking");
    if let Err(error) = install(&folder) {
        assert!(env::var_os(REQUIRED).is_none(), "{error}");
        return;
    }
    let program = folder.join("node_modules/.bin/mcp-server-everything");
    let client = Client::stdio("node", [program.as_os_str(), "stdio".as_ref()])
        .await
        .unwrap();
    let without = client.toolset().await.unwrap();
    let client = client.asking(|_, _| async { toolwright::approval::Decision::deny("no") });
    let tools = client.toolset().await.unwrap();
    let name = "trigger-elicitation-request";
    assert!(without.find(name).is_none());
    let output = toolwright::testing::call(&tools, name, json!({}))
        .await
        .unwrap();
    assert!(output.to_text().contains("decline"), "{}", output.to_text());
}
