//! The process that is killed.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
    process,
    time::Duration,
};

use tokio::net::TcpListener;
use toolwright::{
    ToolCall, ToolError, Toolset,
    dynamic::{DynamicTool, Parameter},
    tool::{Effects, ToolPolicy},
};
use toolwright_mcp::Service;

use super::processes::{Folder, Kind, Pointed, Points, say};

/// A tool that writes its arguments to a file of its own.
fn writing(name: &'static str, policy: ToolPolicy, folder: &Path, points: &Points) -> DynamicTool {
    let (file, points) = (folder.join(name), points.clone());
    let tool = DynamicTool::builder(name, "Writes its call to a file.")
        .required("number", Parameter::integer())
        .policy(policy);
    let tool = tool.build(move |call: ToolCall, _| {
        let (file, points) = (file.clone(), points.clone());
        async move {
            points.pass();
            let mut file = OpenOptions::new().append(true).create(true).open(file)?;
            file.write_all(format!("{} {}\n", process::id(), call.arguments).as_bytes())?;
            points.pass();
            Ok::<_, ToolError>("written")
        }
    });
    tool.unwrap()
}

/// How often each call of a tool began.
pub(super) fn began(folder: &Path, tool: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(folder.join(tool)).unwrap_or_default();
    let mut began = BTreeMap::new();
    for line in text.lines() {
        let (_, call) = line.split_once(' ').unwrap();
        *began.entry(call.to_owned()).or_default() += 1;
    }
    began
}

#[tokio::test]
#[ignore = "other tests start it"]
async fn serves_tasks() {
    let (folder, points) = (Folder::given(), Points::given());
    let store = Pointed::new(Kind::given().open(&folder).await, &points);
    let (writes, reads) = (ToolPolicy::default(), ToolPolicy::default());
    let reads = reads.with_effects(Effects::ReadOnly);
    let mut tools = Toolset::new();
    for (name, policy) in [
        ("pay", writes),
        ("look", reads),
        ("order", writes.with_approval()),
    ] {
        let tool = writing(name, policy, &folder, &points);
        tools = tools.with(tool).unwrap();
    }
    let mut service = Service::new(tools)
        .store("tasks", store)
        .lease_time(Duration::from_secs(2));
    for name in super::killed::TOOLS {
        service = service.long(name);
    }
    let router = axum::Router::new().nest_service("/mcp", service.http());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    say!("serves {}", listener.local_addr().unwrap());
    axum::serve(listener, router).await.unwrap();
}
