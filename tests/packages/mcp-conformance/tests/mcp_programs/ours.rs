//! The client of this package and its server.

use std::process::Command;

use crate::server::Server;

#[test]
fn the_client_calls_each_tool_of_the_server() {
    let server = Server::start();
    let client = Command::new(env!("CARGO_BIN_EXE_mcp-conformance-client"))
        .arg(&server.address)
        .output()
        .unwrap();
    let results = String::from_utf8(client.stdout).unwrap();
    let failure = String::from_utf8_lossy(&client.stderr);
    assert!(client.status.success(), "{results}{failure}");
    for text in [
        "This is a simple text response for testing.",
        "This tool intentionally returns an error for testing",
        "Progress test completed",
    ] {
        assert!(results.contains(text), "{results}");
    }
}
