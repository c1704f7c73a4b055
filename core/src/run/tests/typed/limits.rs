//! Answers of a form, where a limit stands.

use super::*;

const GOOD: &str = r#"{"good":1}"#;
const BAD: &str = "{}";

fn given(arguments: &str) -> ToolCall {
    ToolCall::new("a", "answer", arguments)
}

fn look() -> ToolCall {
    ToolCall::new("b", "look", "{}")
}

fn of<const N: usize>(calls: [ToolCall; N]) -> ModelResponse {
    ModelResponse::from_calls(calls)
}

fn text(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn costly(mut response: ModelResponse) -> ModelResponse {
    response.usage = Some(Usage::new(50, 50));
    response
}

/// Plays the replies to the end of the run, whose outcome it gives with the number of requests. Arguments and texts fit
/// that are `GOOD`.
fn play(
    means: AnswerMeans,
    limits: Limits,
    replies: impl IntoIterator<Item = ModelResponse>,
) -> (RunOutcome, u32) {
    let (mut run, mut log) = typed(means, limits);
    let mut replies = replies.into_iter();
    while run.outcome().is_none() {
        let signal = match run.poll()[0] {
            Action::CallModel(_) => {
                let response = replies.next().expect("the model is not asked more often");
                let said = run.answer_text(&response);
                let unfit = (said != GOOD).then(|| "no".to_owned());
                let policy = |call: &ToolCall| match call.name.as_str() {
                    "answer" => ToolPolicy::default().with_ends_run(),
                    _ => ToolPolicy::default(),
                };
                let policies = response.tool_calls.iter().map(policy).collect();
                Signal::Replied {
                    response,
                    policies,
                    unfit,
                }
            }
            Action::StartCall(id) => {
                log.extend(run.handle(Signal::CallStarted(id)));
                let call = run.call(id).expect("it runs");
                let result = match (call.name.as_str(), call.arguments.as_str()) {
                    ("answer", BAD) => ToolResult::error("", ToolError::invalid_arguments("no")),
                    _ => ToolResult::success("", "ok"),
                };
                Signal::CallFinished(id, result)
            }
            ref action => panic!("{action:?}"),
        };
        log.extend(run.handle(signal));
    }
    assert_eq!(replies.count(), 0, "the run ended before");
    let ended = outcome(&run);
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    let requests = ended.model_calls;
    (ended, requests)
}

/// Limits that are reached when a round with one call is over.
fn reached() -> [Limits; 2] {
    let one = Limits::default();
    [one.with_max_rounds(1), one.with_max_tool_calls(1)]
}

#[test]
fn an_answer_that_fits_ends_the_run_where_a_limit_stands() {
    for limits in reached() {
        for on_limit in [OnLimit::Stop, OnLimit::Error] {
            let limits = limits.with_on_limit(on_limit);
            let replies = [of([look()]), of([given(GOOD)])];
            let (ended, _) = play(by_tool(), limits, replies);
            assert_eq!((ended.finish, &*ended.text), (Finish::Answered, GOOD));
            assert_eq!((ended.rounds, ended.corrections), (1, 0));
            // Another call beside it does not run.
            let replies = [of([look()]), of([look(), given(GOOD)])];
            let (ended, _) = play(by_tool(), limits, replies);
            assert_eq!((ended.finish, &*ended.text), (Finish::Answered, GOOD));
            assert_eq!(ended.rounds, 1);
            let stored = format!("{:?}", ended.conversation);
            assert!(stored.contains("not executed"), "{stored}");
        }
        // A last request allows no calls. Its answer may come as one all the same.
        let replies = [of([look()]), of([given(GOOD)])];
        let (ended, _) = play(by_tool(), limits, replies);
        assert!(matches!(
            ended.finish,
            Finish::Limit {
                summarized: true,
                ..
            }
        ));
        assert_eq!(ended.text, GOOD);
        assert_eq!(ended.conversation.text(), GOOD);
    }
}

#[test]
fn an_answer_counts_as_no_tool_call() {
    for on_limit in [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error] {
        let limits = Limits::default().with_on_limit(on_limit);
        for (calls, limits) in [
            (of([look(), given(GOOD)]), limits.with_max_tool_calls(1)),
            (
                of([look(), given(GOOD)]),
                limits.with_max_calls_per_response(1),
            ),
        ] {
            let (ended, _) = play(by_tool(), limits, [calls]);
            assert_eq!((ended.finish, &*ended.text), (Finish::Answered, GOOD));
        }
        // Those that do not fit leave the calls to the others.
        let limits = limits.with_max_tool_calls(1);
        let replies = [
            of([given(BAD)]),
            of([look(), given(BAD)]),
            of([given(GOOD)]),
        ];
        let replies = replies.into_iter();
        let (ended, _) = play(by_tool(), limits, replies);
        assert_eq!(ended.text, GOOD);
        let ran = format!("{:?}", ended.conversation);
        assert!(!ran.contains("not executed"), "{ran}");
    }
    // One response has no more of them than of others.
    let many = ModelResponse::from_calls((0..200).map(|_| given(BAD)).chain([given(GOOD)]));
    let limits = Limits::default().with_max_calls_per_response(2);
    let (ended, _) = play(by_tool(), limits, [many, of([given(GOOD)])]);
    assert_eq!((ended.text.as_str(), ended.corrections), (GOOD, 1));
}

#[test]
fn one_that_does_not_fit_is_asked_for_again_where_a_limit_of_calls_stands() {
    for limits in reached() {
        for on_limit in [OnLimit::Stop, OnLimit::Error] {
            let limits = limits.with_on_limit(on_limit);
            for wrong in [of([given(BAD)]), text("wrong")] {
                let replies = [of([look()]), wrong.clone(), of([given(GOOD)])];
                let (ended, _) = play(by_tool(), limits, replies);
                assert_eq!((ended.finish, &*ended.text), (Finish::Answered, GOOD));
                assert_eq!((ended.rounds, ended.corrections), (1, 1));
                let replies = [of([look()]), wrong.clone(), wrong.clone(), wrong];
                let (ended, requests) = play(by_tool(), limits, replies);
                assert!(
                    matches!(ended.finish, Finish::Failed(Failure::AnswerUnfit { .. })),
                    "{:?}",
                    ended.finish
                );
                assert_eq!((requests, ended.corrections), (4, 2));
            }
            // Calls beside it reach the limit.
            let replies = [of([look()]), of([given(BAD), look()])];
            let (ended, _) = play(by_tool(), limits, replies);
            assert!(!matches!(ended.finish, Finish::Answered));
        }
    }
}

#[test]
fn a_correction_stands_under_the_limits() {
    let limits = Limits::default().with_max_tokens(150);
    let limit = Limit::Tokens { max: 150 };
    for (means, wrong) in [
        (AnswerMeans::Schema, text("wrong")),
        (AnswerMeans::Text, text("wrong")),
        (by_tool(), text("wrong")),
        (by_tool(), of([given(BAD)])),
        // Nothing was said at all.
        (AnswerMeans::Schema, text("")),
    ] {
        // Nothing more is asked.
        let stops = limits.with_on_limit(OnLimit::Stop);
        let (ended, requests) = play(means.clone(), stops, [costly(wrong.clone())]);
        let summarized = false;
        assert_eq!(
            ended.finish,
            Finish::Limit { limit, summarized },
            "{wrong:?}"
        );
        assert_eq!((requests, ended.pauses), (1, 0));
        // Or one request, in which the answer is mended,
        let replies = [wrong.clone(), text(GOOD)].map(costly);
        let (ended, requests) = play(means.clone(), limits, replies);
        let summarized = true;
        assert_eq!(
            ended.finish,
            Finish::Limit { limit, summarized },
            "{wrong:?}"
        );
        assert_eq!((requests, ended.text.as_str()), (2, GOOD));
        // or is not.
        let replies = [wrong.clone(), text("worse")].map(costly);
        let (ended, requests) = play(means, limits, replies);
        let summarized = false;
        assert_eq!(
            ended.finish,
            Finish::Limit { limit, summarized },
            "{wrong:?}"
        );
        assert_eq!((requests, ended.text.as_str()), (2, "worse"));
    }
}

#[test]
fn the_last_request_shows_what_did_not_fit() {
    let limits = Limits::default().with_max_tokens(150);
    let (mut run, _) = typed(AnswerMeans::Schema, limits);
    run.handle(unfit(costly(text("wrong"))));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Locked)]);
    let request = format!("{:?}", run.request());
    assert!(
        request.contains("wrong") && request.contains("does not fit: no"),
        "{request}"
    );
}

#[test]
fn answers_that_do_not_fit_are_no_invalid_rounds() {
    let limits = Limits::default().with_max_invalid_rounds(Some(1));
    let replies = [of([given(BAD)]), of([given(BAD)]), of([given(GOOD)])];
    let (ended, _) = play(by_tool(), limits, replies);
    assert_eq!((ended.finish, ended.corrections), (Finish::Answered, 2));
}
