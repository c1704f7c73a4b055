//! Calls that the choice of tools forbids, and calls that it asks for in vain.

use super::*;

fn choosing(choice: ToolChoice) -> Run {
    with_limits(choice, Limits::default())
}

fn with_limits(tool_choice: ToolChoice, limits: Limits) -> Run {
    let config = RunConfig {
        limits,
        tool_choice: tool_choice.into(),
        ..RunConfig::default()
    };
    Run::start(RunId::new("run"), config, Conversation::new(), "question").0
}

fn only_look() -> ToolChoice {
    ToolChoice::Tool("look".into())
}

fn call(name: &str) -> Part {
    Part::Call(ToolCall::new("id", name, "{}"))
}

fn text(text: &str) -> Part {
    Part::Text(text.into())
}

/// The names of the calls that may start now.
fn startable(run: &Run) -> Vec<&str> {
    let actions = run.poll();
    let name = |action: &Action| match action {
        Action::StartCall(id) => run.call(*id).map(|call| call.name.as_str()),
        _ => None,
    };
    actions.iter().filter_map(name).collect()
}

/// The texts of the results of each round.
fn results(run: &Run) -> Vec<Vec<String>> {
    let conversation = run.conversation();
    let rounds = conversation
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Assistant(message) => Some(&message.tool_rounds),
            Message::User(_) => None,
        });
    let texts = |round: &crate::message::ToolRound| {
        let texts = round
            .results
            .iter()
            .map(|result| result.to_model_text().into_owned());
        texts.collect()
    };
    rounds.flatten().map(texts).collect()
}

fn codes(run: &Run) -> Vec<&str> {
    let warnings = run.warnings();
    warnings
        .iter()
        .map(|warning| warning.code.as_str())
        .collect()
}

fn note(run: &Run) -> String {
    format!("{:?}", run.request().messages.last())
}

#[test]
fn a_forced_choice_holds_for_the_first_round() {
    for choice in [ToolChoice::Required, only_look()] {
        let mut run = choosing(choice.clone());
        assert_eq!(run.request().tool_choice, choice);
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
        assert_eq!(run.request().tool_choice, ToolChoice::Auto);
        reply(&mut run, ModelResponse::new(vec![call("other")]));
        assert_eq!(startable(&run), ["other"]);
    }
}

#[test]
fn with_no_tool_allowed_the_text_beside_calls_is_the_answer() {
    for reason in [
        FinishReason::ToolCalls,
        FinishReason::Stop,
        FinishReason::MalformedCall,
    ] {
        let mut run = choosing(ToolChoice::None);
        let parts = vec![text("It is done."), call("delete_all"), call("")];
        reply(
            &mut run,
            ModelResponse::new(parts).with_finish_reason(reason),
        );
        let outcome = outcome(&run);
        assert_eq!(
            (outcome.finish, outcome.text.as_str()),
            (Finish::Answered, "It is done.")
        );
        assert_eq!(
            (outcome.rounds, outcome.model_calls, outcome.corrections),
            (0, 1, 0)
        );
        assert_eq!(outcome.conversation.text(), "It is done.");
        let results = &results(&run)[0];
        assert!(results.len() == 2 && results.iter().all(|text| text.contains("not allowed")));
        assert_eq!(codes(&run), ["call_not_allowed"]);
        assert!(
            run.warnings()[0]
                .message
                .contains("`delete_all` and 1 more")
        );
    }
}

#[test]
fn with_no_tool_allowed_calls_alone_are_no_answer() {
    let mut run = choosing(ToolChoice::None);
    reply(&mut run, calls(&["a"]));
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
    assert_eq!(run.request().tool_choice, ToolChoice::None);
    assert!(note(&run).contains("no tool may be called"));
    let mut obedient = run.clone();
    reply(&mut obedient, ModelResponse::from_text("fine"));
    assert_eq!(
        (outcome(&obedient).finish, outcome(&obedient).corrections),
        (Finish::Answered, 1)
    );
    reply(&mut run, calls(&["b"]));
    let outcome = outcome(&run);
    assert_eq!((outcome.finish, outcome.text.as_str()), (Finish::Empty, ""));
    assert_eq!((outcome.model_calls, outcome.rounds), (2, 0));
    assert_eq!(results(&run).len(), 2);
}

#[test]
fn of_a_mixed_reply_only_what_the_choice_names_runs() {
    let mut run = choosing(only_look());
    let parts = ["delete_all", "look", "LOOK", " look", "look"].map(call);
    reply(&mut run, ModelResponse::new(parts.into()));
    assert_eq!(startable(&run), ["look", "look"]);
    answer_all_calls(&mut run);
    let answered: Vec<_> = results(&run)[0]
        .iter()
        .map(|text| text.contains("only `look`"))
        .collect();
    assert_eq!(answered, [true, false, true, true, false]);
    assert_eq!(codes(&run), ["call_not_allowed"]);
    assert_eq!(
        (run.state.spent.rounds(), run.state.spent.corrections()),
        (1, 0)
    );
    assert_eq!(run.request().tool_choice, ToolChoice::Auto);
}

#[test]
fn a_barrier_that_is_not_allowed_holds_nobody_up() {
    let mut run = choosing(only_look());
    let barrier = ToolPolicy::default().with_sequential().with_approval();
    run.handle(Signal::Replied {
        unfit: None,
        response: ModelResponse::new(["look", "other", "look", "other"].map(call).into()),
        policies: vec![
            ToolPolicy::default(),
            barrier,
            ToolPolicy::default(),
            barrier,
        ],
    });
    assert_eq!(startable(&run).len(), 2);
    answer_all_calls(&mut run);
    assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
}

#[test]
fn a_forced_choice_is_corrected_once_and_then_has_failed() {
    for choice in [ToolChoice::Required, only_look()] {
        for unmet in [
            ModelResponse::from_text("I would rather not."),
            ModelResponse::new(Vec::new()),
            ModelResponse::new(vec![text("no "), call("other")]),
        ] {
            if choice == ToolChoice::Required && !unmet.tool_calls.is_empty() {
                continue;
            }
            let mut run = choosing(choice.clone());
            reply(&mut run, unmet.clone());
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
            assert_eq!(run.request().tool_choice, choice);
            assert!(note(&run).contains("you have to call"), "{}", note(&run));
            assert!(codes(&run).contains(&"tool_choice_unmet"));

            let mut met = run.clone();
            reply(&mut met, calls(&["a"]));
            assert_eq!(startable(&met), ["look"]);
            answer_all_calls(&mut met);
            assert!(!note(&met).contains("you have to call"));
            reply(&mut met, ModelResponse::from_text("done"));
            let done = outcome(&met);
            assert_eq!(
                (done.finish, done.rounds, done.corrections),
                (Finish::Answered, 1, 1)
            );
            assert_eq!(done.model_calls, 3);

            reply(&mut run, unmet.clone());
            let outcome = outcome(&run);
            assert_eq!(outcome.finish, Finish::Failed(Failure::ToolChoiceUnmet));
            assert_eq!(outcome.text, unmet.text);
            assert_eq!((outcome.model_calls, outcome.corrections), (2, 1));
        }
    }
}

/// A correction is no round, so that the bound of rounds does not take its place.
#[test]
fn a_correction_does_not_count_as_a_round() {
    for on_limit in [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error] {
        let limits = Limits::default().with_max_rounds(1).with_on_limit(on_limit);
        let mut run = with_limits(only_look(), limits);
        reply(&mut run, ModelResponse::new(vec![call("other")]));
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        reply(&mut run, calls(&["a"]));
        assert_eq!(
            run.poll(),
            [Action::StartCall(CallId { round: 1, index: 0 })]
        );
        answer_all_calls(&mut run);
        reply(&mut run, ModelResponse::from_text("done"));
        let outcome = outcome(&run);
        assert_eq!((outcome.rounds, outcome.text.as_str()), (1, "done"));
        assert_eq!(outcome.tool_rounds().count(), 2);
    }
}

#[test]
fn a_log_in_which_a_forbidden_call_starts_is_none() {
    let config = RunConfig {
        tool_choice: only_look().into(),
        ..RunConfig::default()
    };
    let (mut run, mut log) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: ModelResponse::new(["other", "look"].map(call).into()),
        policies: Vec::new(),
    }));
    let answered = Record::CallFinished {
        call: CallId { round: 0, index: 0 },
        result: ToolResult::success("id", "deleted"),
        spent: None,
    };
    let started = Record::CallStarted {
        call: CallId { round: 0, index: 0 },
        name: String::new(),
    };
    for forged in [answered, started.clone()] {
        let log = [&log[..2], &[forged]].concat();
        assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: 2 }));
    }
    let log = [&log[..], &[started]].concat();
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence: 3 }));
}

#[test]
fn a_malformed_call_is_asked_for_once_more_in_each_turn() {
    let malformed =
        |response: ModelResponse| response.with_finish_reason(FinishReason::MalformedCall);
    for bad in [
        malformed(ModelResponse::new(Vec::new())),
        malformed(ModelResponse::from_text("Let me")),
        malformed(calls(&["a", "b"])),
    ] {
        let (mut run, _) = start(Limits::default());
        for _ in 0..3 {
            reply(&mut run, bad.clone());
            assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
            assert!(note(&run).contains("could not be read"));
            reply(&mut run, calls(&["c"]));
            answer_all_calls(&mut run);
        }
        assert_eq!(
            (run.state.spent.rounds(), run.state.spent.corrections()),
            (3, 3)
        );
        reply(&mut run, bad.clone());
        reply(&mut run, bad.clone());
        let Finish::Failed(Failure::Model(error)) = outcome(&run).finish else {
            panic!("{:?}", outcome(&run).finish)
        };
        assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
        assert_eq!(outcome(&run).corrections, 4);
        assert_eq!(codes(&run), ["malformed_call"; 4]);
    }
}

#[test]
fn names_of_any_length_make_no_long_warning() {
    let mut run = choosing(ToolChoice::None);
    let long = call(&"ü".repeat(100_000));
    reply(&mut run, ModelResponse::new(vec![text("so"), long]));
    assert!(outcome(&run).warnings[0].message.len() < 300);
}

#[test]
fn a_schedule_sets_the_choice_of_each_request() {
    let schedule = ToolChoiceSchedule::Rounds(vec![only_look(), ToolChoice::Required]);
    let config = RunConfig {
        tool_choice: schedule,
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    for choice in [only_look(), ToolChoice::Required, ToolChoice::Auto] {
        assert_eq!(run.request().tool_choice, choice);
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    assert_eq!(run.request().tool_choice, ToolChoice::Auto);
}

#[test]
fn a_choice_for_every_request_holds_until_the_limit() {
    let config = RunConfig {
        tool_choice: ToolChoiceSchedule::Every(ToolChoice::Required),
        limits: Limits::default().with_max_rounds(2),
        ..RunConfig::default()
    };
    let (mut run, _) = Run::start(RunId::new("run"), config, Conversation::new(), "question");
    for _ in 0..2 {
        assert_eq!(run.request().tool_choice, ToolChoice::Required);
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    assert_eq!(run.request().tool_choice, ToolChoice::None);
}
