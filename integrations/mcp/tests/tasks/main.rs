//! Calls as tasks, which are kept in a store.

#![allow(clippy::unwrap_used, missing_docs)]

mod agents;
mod client;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../../../tests/support/exhaustive.rs"]
mod exhaustive;
mod expiry;
/// Processes that serve tasks, and are killed. What starts and kills them is that of the tests of kept runs.
#[path = "../../../../tests/keeping/kept_runs"]
mod kept_runs {
    #[path = "../../../integrations/mcp/tests/tasks/killing/calling.rs"]
    mod calling;
    mod delegated;
    #[path = "../../../integrations/mcp/tests/tasks/killing/killed.rs"]
    mod killed;
    #[expect(dead_code, unused_imports, reason = "other tests use the rest")]
    mod processes;
    #[path = "../../../integrations/mcp/tests/tasks/killing/proxy.rs"]
    mod proxy;
    #[path = "../../../integrations/mcp/tests/tasks/killing/serving.rs"]
    mod serving;
}
mod limits;
mod owners;
#[path = "../../../../tests/support/postgres_server.rs"]
mod postgres_server;
mod requests;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../using/scripted.rs"]
mod scripted;
mod shared;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../using/task_server.rs"]
mod task_server;
