//! A model that goes round in circles.

use super::*;

/// Runs a round of one call of `look`, with these arguments and this result.
fn round(run: &mut Run, arguments: &str, result: &str, policy: ToolPolicy) {
    let call = ToolCall::new(format!("id {}", run.sequence()), "look", arguments);
    run.handle(Signal::Replied {
        unfit: None,
        response: ModelResponse::from_calls([call]),
        policies: vec![policy],
    });
    let [Action::StartCall(id)] = run.poll()[..] else {
        panic!("the call may start: {:?}", run.poll())
    };
    run.handle(Signal::CallStarted(id));
    run.handle(Signal::CallFinished(id, ToolResult::success("", result)));
}

/// What each round is followed by: nothing, a note, or the end.
fn after_each(rounds: &[(&str, &str)], policy: ToolPolicy) -> String {
    let (mut run, _) = start(Limits::default());
    let mut seen = String::new();
    for (arguments, result) in rounds {
        round(&mut run, arguments, result, policy);
        let noted = format!("{:?}", run.request().messages).contains("Do something else");
        seen.push(match run.poll()[..] {
            [Action::CallModel(ModelCall::Open)] if noted => 'n',
            [Action::CallModel(ModelCall::Open)] => '.',
            [Action::CallModel(ModelCall::Locked)] => 'L',
            _ => panic!("{:?}", run.poll()),
        });
        if seen.ends_with('L') {
            assert!(
                format!("{:?}", run.request().messages)
                    .contains("returned the same results several times")
            );
            reply(&mut run, ModelResponse::from_text("so far"));
            let limit = Limit::NoProgress;
            let summarized = true;
            assert_eq!(outcome(&run).finish, Finish::Limit { limit, summarized });
            assert!(!format!("{:?}", run.conversation()).contains("Note from"));
            break;
        }
    }
    seen
}

const A: (&str, &str) = ("{}", "none");
const B: (&str, &str) = ("{}", "some");
const C: (&str, &str) = ("{ }", "none");

#[test]
fn the_same_round_three_times_of_five_is_noted_and_then_a_limit() {
    let plain = ToolPolicy::default();
    assert_eq!(after_each(&[A, A, A, A], plain), "..nL");
    assert_eq!(after_each(&[A, B, A, C, A, B, A], plain), "....n.L");
    assert_eq!(after_each(&[A, A, B, C, B, A, C], plain), ".......");
    // A note is given once, whatever the model goes on with.
    assert_eq!(after_each(&[A, A, A, B, C, B, B], plain), "..n...L");
    assert_eq!(after_each(&[A; 12], plain.with_polls()), "............");
}

#[test]
fn it_can_be_left_out_and_what_was_before_the_run_does_not_count() {
    let (mut run, _) = start(Limits::default().with_no_progress(false));
    for _ in 0..12 {
        round(&mut run, A.0, A.1, ToolPolicy::default());
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    }
    reply(&mut run, ModelResponse::from_text("done"));
    let config = RunConfig::default();
    let before = outcome(&run).conversation;
    let (mut next, _) = Run::start(RunId::new("next"), config, before, "again");
    for _ in 0..2 {
        round(&mut next, A.0, A.1, ToolPolicy::default());
        assert!(!format!("{:?}", next.request().messages).contains("Do something else"));
    }
}

#[test]
fn what_happens_at_the_limit_is_as_at_the_others() {
    for (on_limit, finish) in [
        (
            OnLimit::Stop,
            Finish::Limit {
                limit: Limit::NoProgress,
                summarized: false,
            },
        ),
        (
            OnLimit::Error,
            Finish::Failed(Failure::Limit(Limit::NoProgress)),
        ),
    ] {
        let (mut run, _) = start(Limits::default().with_on_limit(on_limit));
        for _ in 0..4 {
            round(&mut run, A.0, A.1, ToolPolicy::default());
        }
        assert_eq!(outcome(&run).finish, finish);
    }
}

#[test]
fn limits_that_were_stored_before_are_read() {
    let stored = r#"{"max_rounds": 5, "on_limit": "summarize"}"#;
    let limits: Limits = serde_json::from_str(stored).expect("reads");
    // Runs without time limits stay so.
    let mut chat = Limits::chat();
    (chat.max_time, chat.model_timeout) = (None, None);
    assert_eq!(limits, chat);
}
