use std::{env, path::PathBuf};

use serde_json::json;
use toolwright::testing;
use toolwright_mcp::{Client, ClientError};

/// An example of this package, which cargo has built beside the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    folder.join("examples").join(name)
}

#[tokio::test]
async fn tools_of_a_program_are_called() {
    let client = Client::stdio(example("mcp_server"), [""; 0]).await.unwrap();
    let tools = client.toolset().await.unwrap();
    let names: Vec<_> = tools.names().collect();
    assert_eq!(names, ["list_notes", "read_note", "write_note"]);
    let note = json!({"title": "a", "text": "b"});
    testing::call(&tools, "write_note", note).await.unwrap();
    let read = testing::call(&tools, "read_note", json!({"title": "a"}))
        .await
        .unwrap();
    assert_eq!(read.to_text(), "b");
}

#[tokio::test]
async fn a_program_that_is_no_server_is_an_error() {
    let missing = Client::stdio("no-such-program", [""; 0]).await.unwrap_err();
    assert!(matches!(missing, ClientError::Start(_)), "{missing:?}");
    let other = Client::stdio("true", [""; 0]).await.unwrap_err();
    assert!(matches!(other, ClientError::Begin(_)), "{other:?}");
}
