//! Tools and conditions that end a run.

use super::*;

fn response_with(run: &mut Run, response: ModelResponse, policies: Vec<ToolPolicy>) {
    run.handle(Signal::Replied {
        unfit: None,
        response,
        policies,
    });
}

#[test]
fn the_result_of_a_tool_that_ends_the_run_is_its_answer() {
    let ends = ToolPolicy::default().with_ends_run();
    let (mut run, _) = start(Limits::default());
    response_with(
        &mut run,
        calls(&["a", "b"]),
        vec![ToolPolicy::default(), ends],
    );
    answer_all_calls(&mut run);
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish, outcome.text.as_str()),
        (Finish::Answered, "0.1")
    );
    assert_eq!((outcome.rounds, outcome.model_calls), (1, 1));
    assert!(!outcome.conversation.requires_tool_execution());
}

#[test]
fn what_the_model_is_told_of_edited_arguments_is_no_part_of_the_answer() {
    let asks = ToolPolicy::default().with_ends_run().with_approval();
    let (mut run, _) = start(Limits::default());
    response_with(&mut run, calls(&["a"]), vec![asks]);
    let id = CallId { round: 0, index: 0 };
    run.handle(Signal::CallDelayed(id, Delay::Approval));
    run.handle(decided(id, Decision::approve_with(r#"{"sum": 1}"#)));
    run.handle(Signal::CallStarted(id));
    run.handle(Signal::CallFinished(id, ToolResult::success("", "paid")));
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish, outcome.text.as_str()),
        (Finish::Answered, "paid")
    );
    assert!(format!("{:?}", outcome.conversation).contains("Note from the application"));
}

#[test]
fn a_tool_that_fails_does_not_end_the_run() {
    let ends = ToolPolicy::default().with_ends_run();
    let (mut run, _) = start(Limits::default());
    response_with(&mut run, calls(&["a"]), vec![ends]);
    let id = CallId { round: 0, index: 0 };
    run.handle(Signal::CallStarted(id));
    run.handle(Signal::CallFinished(
        id,
        ToolResult::error_message("", "no"),
    ));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
}

#[test]
fn what_was_said_meanwhile_is_answered_before_the_run_ends() {
    let ends = ToolPolicy::default().with_ends_run();
    let (mut run, _) = start(Limits::default());
    response_with(&mut run, calls(&["a"]), vec![ends]);
    run.handle(Signal::MessagePushed("wait".into()));
    answer_all_calls(&mut run);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
}

#[test]
fn a_condition_ends_the_run_after_its_round() {
    let called = StopWhen::ToolCalled("look".to_owned());
    for (conditions, rounds, reason) in [
        (vec![called.clone()], 1, called.clone()),
        (vec![StopWhen::Rounds(2)], 2, StopWhen::Rounds(2)),
        (
            vec![
                StopWhen::ToolCalled("other".to_owned()),
                StopWhen::Rounds(3),
            ],
            3,
            StopWhen::Rounds(3),
        ),
        (vec![StopWhen::Rounds(1), called], 1, StopWhen::Rounds(1)),
    ] {
        let config = RunConfig {
            stop_when: conditions,
            ..RunConfig::default()
        };
        let (mut run, mut log) =
            Run::start(RunId::new("run"), config, Conversation::new(), "question");
        for round in 0..rounds {
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
            let signal = Signal::Replied {
                unfit: None,
                response: calls(&["a", "b"]),
                policies: Vec::new(),
            };
            log.extend(run.handle(signal));
            for index in 0..2 {
                let id = CallId { round, index };
                log.extend(run.handle(Signal::CallStarted(id)));
                log.extend(run.handle(Signal::CallFinished(id, ToolResult::success("", 1))));
            }
        }
        let outcome = outcome(&run);
        assert_eq!(
            outcome.finish,
            Finish::Stopped(StopReason::Condition(reason))
        );
        assert_eq!((outcome.rounds, outcome.text.as_str()), (rounds, ""));
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
}

#[test]
fn a_condition_that_holds_beside_the_answer_of_a_tool_ends_the_run() {
    let config = RunConfig {
        stop_when: vec![StopWhen::Rounds(1)],
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    let ends = ToolPolicy::default().with_ends_run();
    response_with(&mut run, calls(&["a"]), vec![ends]);
    run.handle(Signal::MessagePushed("wait".into()));
    answer_all_calls(&mut run);
    let outcome = outcome(&run);
    assert_eq!(
        (outcome.finish, outcome.text.as_str(), outcome.unread.len()),
        (Finish::Answered, "0.0", 1)
    );
}
