use std::{env, fs, path::PathBuf, process::Command};

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

/// What an example printed, which ends by itself and leaves no temporary file.
fn printed(name: &str) -> String {
    let temporary = env::temp_dir().join(format!("toolwright-{name}-{}", std::process::id()));
    fs::create_dir_all(&temporary).unwrap();
    let mut command = Command::new(example(name));
    let output = command.env("TMPDIR", &temporary).output().unwrap();
    let failure = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {failure}");
    // An error, if it is not empty.
    fs::remove_dir(&temporary).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_example_of_a_client_calls_its_server() {
    let expected = "shops_opening_hours: Look up the opening hours of a shop.\n\
                    the server: The Corner is open from 9 to 17\n\
                    The Corner opens at 9.\n";
    assert_eq!(printed("mcp_client"), expected);
}

#[test]
fn the_example_of_a_task_gets_its_result() {
    let printed = printed("mcp_tasks");
    let lines: Vec<_> = printed.lines().collect();
    let [progress @ .., result] = &lines[..] else {
        panic!("it printed nothing")
    };
    assert_eq!(*result, "15 books have 1050000 words");
    let is_progress = |line: &&str| line.contains("of 15");
    assert!(
        !progress.is_empty() && progress.iter().all(is_progress),
        "{printed}"
    );
}

#[tokio::test]
async fn a_program_that_is_no_server_is_an_error() {
    let missing = Client::stdio("no-such-program", [""; 0]).await.unwrap_err();
    assert!(matches!(missing, ClientError::Start(_)), "{missing:?}");
    let other = Client::stdio("true", [""; 0]).await.unwrap_err();
    assert!(matches!(other, ClientError::Begin(_)), "{other:?}");
}
