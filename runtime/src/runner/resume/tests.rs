use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::*;
use crate::RunEvent;
use crate::testing::ScriptedModel;
use toolwright_core::{
    DynamicTool, Finish, ModelResponse, ToolCall, ToolError, ToolPolicy, Toolset, run::Record,
    tool::Decision,
};

fn runner(description: &'static str, ran: &Arc<AtomicUsize>) -> Runner {
    let ran = Arc::clone(ran);
    let pay = DynamicTool::builder("pay", description);
    let pay = pay.policy(ToolPolicy::default().with_approval());
    let pay = pay.build(move |_: ToolCall, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        async { Ok::<_, ToolError>("paid") }
    });
    let tools = Toolset::new().with(pay.expect("is sound"));
    let model = ScriptedModel::new([ModelResponse::from_text("done")]);
    let builder = Runner::builder(model).tools(tools.expect("is the only one"));
    builder.suspends().build().expect("is consistent")
}

/// The log of a run whose process is gone after the approval of its call, and before the call started.
fn approved(runner: &Runner, is_known: bool) -> StoredRun {
    use toolwright_core::run::{Delay, RunConfig, RunId, Signal};
    let start = Run::start(
        RunId::new("run"),
        RunConfig::default(),
        toolwright_core::Conversation::new(),
        "Pay.",
    );
    let (mut run, mut log) = start;
    let call = CallId { round: 0, index: 0 };
    let tool = runner.tools().shared_definitions()[0].clone();
    for signal in [
        Signal::Replied {
            unfit: None,
            response: ModelResponse::from_calls([ToolCall::new("", "pay", "{}")]),
            policies: vec![ToolPolicy::default().with_approval()],
        },
        Signal::CallDelayed(call, Delay::Approval),
        Signal::CallDecided {
            call,
            decision: Decision::Approve,
            tool: is_known.then(|| Box::new(tool)),
        },
    ] {
        log.extend(run.handle(signal));
    }
    // As another process reads it.
    let log = serde_json::to_string(&log).expect("serialises");
    StoredRun::from_records(serde_json::from_str(&log).expect("reads")).expect("is a log")
}

/// An approval in the log holds for the tool that was approved, and for no other.
#[tokio::test]
async fn an_approved_call_whose_tool_has_changed_does_not_run_unasked() {
    const OLD: &str = "Pays what somebody is owed.";
    for (description, is_known, runs) in [
        (OLD, true, true),
        ("Pays something else entirely.", true, false),
        (OLD, false, false),
    ] {
        let ran = Arc::default();
        let stored = approved(&runner(OLD, &ran), is_known);
        let mut run = runner(description, &ran)
            .resume(stored)
            .start()
            .await
            .expect("goes on");
        let mut revoked = 0;
        while let Some(event) = run.next().await {
            let RunEvent::Recorded { record, .. } = event else {
                continue;
            };
            revoked += u32::from(matches!(record, Record::ApprovalRevoked { .. }));
        }
        let outcome = run.outcome().await.expect("is no failure");
        assert_eq!(
            (ran.load(Ordering::SeqCst), revoked),
            (usize::from(runs), u32::from(!runs))
        );
        let finish = if runs {
            Finish::Answered
        } else {
            Finish::Suspended
        };
        assert_eq!(outcome.finish, finish, "{description}");
    }
}

/// A log of an older version does not say which tool was approved.
#[test]
fn an_approval_without_its_tool_is_read_as_one_of_an_unknown_tool() {
    let old =
        r#"{"type":"call_decided","call":{"round":0,"index":0},"decision":{"type":"approve"}}"#;
    let record: Record = serde_json::from_str(old).expect("reads");
    assert!(matches!(record, Record::CallDecided { tool: None, .. }));
    assert_eq!(serde_json::to_string(&record).expect("serialises"), old);
}
