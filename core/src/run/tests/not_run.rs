//! Calls of replies that run nothing.

use super::*;
use crate::message::Opaque;

/// Every way in which a reply may end.
const REASONS: [FinishReason; 11] = [
    FinishReason::Stop,
    FinishReason::ToolCalls,
    FinishReason::Length,
    FinishReason::ContentFilter,
    FinishReason::Refusal,
    FinishReason::Paused,
    FinishReason::MalformedCall,
    FinishReason::ActionRequired,
    FinishReason::Pending,
    FinishReason::Unknown,
    FinishReason::Other,
];

fn choices() -> [ToolChoice; 4] {
    [
        ToolChoice::Auto,
        ToolChoice::None,
        ToolChoice::Required,
        ToolChoice::Tool("look".into()),
    ]
}

/// Replies with calls, of which the choice of `look` allows some.
fn replies() -> Vec<ModelResponse> {
    let call = |name: &str| Part::Call(ToolCall::new("id", name, "{}"));
    let asks = Part::Opaque(Opaque {
        provider: "openai_responses".into(),
        data: serde_json::json!({"type": "shell_call"}),
    });
    let parts = [
        vec![call("look")],
        vec![call("look"), call("leap")],
        vec![call("leap"), asks, call("look")],
        vec![Part::Text("I look.".into()), call("look"), call("leap")],
    ];
    parts.into_iter().map(ModelResponse::new).collect()
}

#[test]
fn no_call_runs_of_a_reply_that_runs_none_and_each_is_answered() {
    for (reason, choice) in REASONS
        .into_iter()
        .flat_map(|reason| choices().map(|choice| (reason, choice)))
    {
        for response in replies() {
            let response = response.with_finish_reason(reason);
            let runs_none = reason.forbids_execution() || reason == FinishReason::ActionRequired;
            let place = format!("{reason:?}, {choice:?}, {:?}", response.parts);
            let config = RunConfig {
                tool_choice: choice.clone().into(),
                ..RunConfig::default()
            };
            let (mut run, mut log) =
                Run::start(RunId::new("run"), config, Conversation::new(), "question");
            // Asked once more, the model says it again.
            for _ in 0..2 {
                log.extend(run.handle(Signal::Replied {
                    unfit: None,
                    response: response.clone(),
                    policies: Vec::new(),
                }));
                let starts = run.poll();
                let starts = starts
                    .iter()
                    .any(|action| matches!(action, Action::StartCall(_)));
                assert!(!(starts && runs_none), "{place}");
                if starts {
                    break;
                }
                assert!(!run.conversation().requires_tool_execution(), "{place}");
            }
            assert_eq!(Run::replay(&log), Ok((run, Vec::new())), "{place}");
        }
    }
}
