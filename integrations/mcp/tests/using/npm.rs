//! Servers of others, which npm installs, in a run with a scripted model.
//!
//! It needs node and npm, so it is ignored. `.ci/run` starts it.

use std::{env, fs, path::Path, process::Command};

use serde_json::{Value, json};
use toolwright::{ModelResponse, Runner, ToolCall, testing::ScriptedModel};
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
    let called = |name: &str, arguments: Value| ToolCall::new("a", name, arguments.to_string());
    let calls = [
        called("echo", json!({"message": "hello"})),
        called("get-sum", json!({"a": 40, "b": 2})),
        called("get-tiny-image", json!({})),
        called("get-structured-content", json!({"location": "New York"})),
        called(
            "trigger-long-running-operation",
            json!({"duration": 0.2, "steps": 2}),
        ),
        called("write_file", json!({"path": file, "content": "kept"})),
        called("read_text_file", json!({"path": file})),
        called("read_text_file", json!({"path": "/etc/passwd"})),
    ];
    let rounds = calls.map(|call| ModelResponse::from_calls([call]));
    let model = ScriptedModel::new(
        rounds
            .into_iter()
            .chain([ModelResponse::from_text("Done.")]),
    );
    let runner = Runner::builder(model.clone())
        .tools(listed.tools)
        .build()
        .unwrap();
    let outcome = runner.run("Go on.").await.unwrap();
    assert_eq!(outcome.text, "Done.");
    let last = format!("{:?}", model.requests().last().unwrap().messages);
    for part in [
        "hello",
        "42",
        "image/png",
        "temperature",
        "completed",
        "kept",
        "ccess denied",
    ] {
        assert!(last.contains(part), "{part}: {last}");
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
