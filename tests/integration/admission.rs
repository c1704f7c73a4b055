//! What lets a call of a run start, and what it is asked about.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::time::{Instant, sleep};
use toolwright::{
    ApprovalRequest, Decision, ModelResponse, RateLimit, Runner, ToolCall, ToolOutput, ToolPolicy,
    Toolset, testing::ScriptedModel,
};

use crate::handwritten::Handwritten;

/// When calls of which tool started, in seconds since the first look.
#[derive(Clone)]
struct Starts {
    begin: Instant,
    seen: Arc<Mutex<Vec<(&'static str, u64)>>>,
}

impl Starts {
    fn new() -> Self {
        Self {
            begin: Instant::now(),
            seen: Arc::default(),
        }
    }

    /// A tool that writes down when it starts, and then takes so many seconds.
    fn tool(&self, name: &'static str, seconds: u64, policy: ToolPolicy) -> Handwritten {
        let starts = self.clone();
        let work = move |_: ToolCall, _| {
            let starts = starts.clone();
            async move {
                let at = starts.begin.elapsed().as_secs();
                starts.seen.lock().unwrap().push((name, at));
                sleep(Duration::from_secs(seconds)).await;
                Ok(ToolOutput::text(name))
            }
        };
        Handwritten::new(name, work).with_policy(policy)
    }

    fn seen(&self) -> Vec<(&'static str, u64)> {
        self.seen.lock().unwrap().clone()
    }
}

fn calls(names: &[&str]) -> Vec<ToolCall> {
    let calls = names.iter().map(|name| ToolCall::new("", *name, "{}"));
    calls.collect()
}

fn model(names: &[&str]) -> ScriptedModel {
    ScriptedModel::new([
        ModelResponse::from_calls(calls(names)),
        ModelResponse::from_text("done"),
    ])
}

/// Approves after 100 seconds, and counts who asked when.
async fn late(_: ApprovalRequest) -> Decision {
    sleep(Duration::from_secs(100)).await;
    Decision::Approve
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_run_that_waits_for_an_approval_holds_no_place() {
    for concurrency in [1, 2] {
        let starts = Starts::new();
        let asks = ToolPolicy::default().with_approval();
        let tools = Toolset::new()
            .with(starts.tool("guarded", 0, asks))
            .and_then(|tools| tools.with(starts.tool("free", 0, ToolPolicy::default())))
            .unwrap();
        let runner = Runner::builder(model(&["guarded", "guarded", "free"]))
            .tools(tools)
            .concurrency(concurrency)
            .approver(late)
            .build()
            .unwrap();
        runner.run("go").await.unwrap();
        assert_eq!(
            starts.seen(),
            [("free", 0), ("guarded", 100), ("guarded", 100)]
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_run_that_waits_for_its_rate_limit_holds_no_place() {
    let starts = Starts::new();
    let limited = ToolPolicy::default().with_rate_limit(RateLimit::per_minute(1));
    let tools = Toolset::new()
        .with(starts.tool("limited", 0, limited))
        .and_then(|tools| tools.with(starts.tool("free", 0, ToolPolicy::default())))
        .unwrap();
    let runner = Runner::builder(model(&["limited", "limited", "limited", "free"]))
        .tools(tools)
        .concurrency(2)
        .build()
        .unwrap();
    runner.run("go").await.unwrap();
    assert_eq!(
        starts.seen(),
        [
            ("limited", 0),
            ("free", 0),
            ("limited", 60),
            ("limited", 120)
        ]
    );
}
