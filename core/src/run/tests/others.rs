//! Calls that wait for people or for the application, and calls whose program is gone.

use super::*;
use crate::conversation::not_executed;

const FIRST: CallId = CallId { round: 0, index: 0 };
const SECOND: CallId = CallId { round: 0, index: 1 };

fn run_of(policies: Vec<ToolPolicy>) -> (Run, Vec<Record>) {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["x", "x"]),
        policies,
    }));
    (run, log)
}

#[test]
fn a_call_of_an_external_tool_is_answered_and_never_started() {
    let external = ToolPolicy::default().with_external();
    let (mut run, mut log) = run_of(vec![external, ToolPolicy::default()]);
    assert_eq!(
        run.poll(),
        [Action::AskAnswer(FIRST), Action::StartCall(SECOND)]
    );
    assert!(run.handle(Signal::CallStarted(FIRST)).is_empty());
    assert!(
        run.handle(Signal::CallAnswered(FIRST, ToolResult::success("", 1)))
            .is_empty()
    );
    log.extend(run.handle(Signal::CallDelayed(FIRST, Delay::External)));
    assert!(run.handle(Signal::CallResumed(FIRST)).is_empty());
    assert!(run.waiting_for_others().is_empty(), "another may start");
    log.extend(run.handle(Signal::CallStarted(SECOND)));
    assert!(run.waiting_for_others().is_empty(), "another runs");
    log.extend(run.handle(Signal::CallFinished(SECOND, ToolResult::success("", 2))));
    assert_eq!(run.waiting_for_others(), [(FIRST, &Delay::External)]);

    // A stored run waits as this one does.
    let (mut again, missing) = Run::replay(&log).expect("is a log");
    assert_eq!((&again, missing.len()), (&run, 0));
    assert!(again.handle(Signal::Interrupted).is_empty());
    let answered = again.handle(Signal::CallAnswered(FIRST, ToolResult::success("", 1)));
    assert_eq!(answered.len(), 1);
    assert!(
        again
            .handle(Signal::CallAnswered(FIRST, ToolResult::success("", 3)))
            .is_empty()
    );
    assert_eq!(again.poll(), [Action::CallModel(ModelCall::Open)]);
}

#[test]
fn an_external_call_may_need_an_approval_first() {
    let external = ToolPolicy::default().with_external().with_approval();
    let (mut run, _) = run_of(vec![external, ToolPolicy::default().with_sequential()]);
    assert_eq!(run.poll(), [Action::AskApproval(FIRST)]);
    assert!(
        run.handle(Signal::CallDelayed(FIRST, Delay::External))
            .is_empty()
    );
    run.handle(Signal::CallDelayed(FIRST, Delay::Approval));
    assert_eq!(
        run.waiting_for_others(),
        [(FIRST, &Delay::Approval)],
        "the barrier waits"
    );
    run.handle(decided(FIRST, Decision::Approve));
    assert_eq!(run.poll(), [Action::AskAnswer(FIRST)]);
}

#[test]
fn a_cancel_answers_what_waits_for_the_application() {
    let external = ToolPolicy::default().with_external();
    let (mut run, _) = run_of(vec![external, external]);
    run.handle(Signal::CallDelayed(FIRST, Delay::External));
    run.handle(Signal::Cancel);
    assert!(
        run.handle(Signal::CallAnswered(FIRST, ToolResult::success("", 1)))
            .is_empty()
    );
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
}

/// Which results of the last round say that their calls may have taken effect.
fn perhaps_done(conversation: &Conversation) -> Vec<bool> {
    let Some(Message::Assistant(message)) = conversation.messages().last() else {
        panic!("the calls are the last");
    };
    let round = message.tool_rounds.iter().next().expect("is there");
    let texts = round.results.iter().map(ToolResult::to_model_text);
    texts
        .map(|text| text.contains("may have taken effect"))
        .collect()
}

#[test]
fn what_was_handed_over_is_not_said_to_have_done_nothing() {
    let external = ToolPolicy::default().with_external();
    let (reads, keyed, asks) = (
        external.with_effects(Effects::ReadOnly),
        external.with_effects(Effects::Idempotent),
        external.with_approval(),
    );
    for (first, second, why) in [
        (external, reads, Delay::External),
        (keyed, asks, Delay::Approval),
    ] {
        let (mut run, mut log) = run_of(vec![first, second]);
        log.extend(run.handle(Signal::CallDelayed(FIRST, Delay::External)));
        log.extend(run.handle(Signal::CallDelayed(SECOND, why)));
        assert_eq!(perhaps_done(&run.conversation()), [true, false]);
        log.extend(run.handle(Signal::Cancel));
        assert_eq!(perhaps_done(&outcome(&run).conversation), [true, false]);
        assert!(Run::replay(&log).is_ok());

        // A log that says that it has not run is no log of this run.
        let is_first = |record: &Record| matches!(record, Record::CallFinished { .. });
        let first = log.iter().position(is_first).expect("is answered");
        log[first] = Record::CallFinished {
            call: FIRST,
            result: ToolResult::error("x", not_executed("the run was cancelled")),
            spent: None,
        };
        assert!(Run::replay(&log).is_err());
    }
    for (effects, is_perhaps_done) in [
        (Effects::ReadOnly, false),
        (Effects::Idempotent, true),
        (Effects::Write, true),
    ] {
        let policy = ToolPolicy::default().with_effects(effects);
        let (mut run, _) = run_of(vec![policy]);
        run.handle(Signal::CallStarted(FIRST));
        let told = perhaps_done(&run.conversation());
        assert_eq!(told, [is_perhaps_done, false], "{effects:?} runs");
        let told = format!("{:?}", run.conversation());
        assert_eq!(
            told.matches("not executed").count(),
            1,
            "the second: {told}"
        );
        // It would run again, and is not to.
        run.handle(Signal::Interrupted);
        run.handle(Signal::Cancel);
        let told = perhaps_done(&outcome(&run).conversation);
        assert_eq!(told, [is_perhaps_done, false], "{effects:?} ran");
    }
}

#[test]
fn what_nobody_speaks_of_in_time_is_answered() {
    let external = ToolPolicy::default().with_external();
    let reads = external.with_effects(Effects::ReadOnly);
    let asks = external.with_approval();
    for (policy, why, told) in [
        (
            external,
            Delay::External,
            "nobody answered in time; it may have taken effect",
        ),
        (reads, Delay::External, "nobody answered in time"),
        (
            asks,
            Delay::Approval,
            "the call was not approved: nobody decided in time",
        ),
    ] {
        for has_time in [true, false] {
            let config = RunConfig {
                pending_time: has_time.then_some(std::time::Duration::from_secs(60)),
                ..RunConfig::default()
            };
            let start = Run::start(RunId::new("run"), config, Conversation::new(), "question");
            let (mut run, mut log) = start;
            log.extend(run.handle(Signal::Replied {
                unfit: None,
                response: calls(&["a", "b"]),
                policies: vec![policy],
            }));
            assert!(
                run.handle(Signal::CallExpired(FIRST)).is_empty(),
                "it waits for nobody"
            );
            log.extend(run.handle(Signal::CallDelayed(FIRST, why.clone())));
            let expired = run.handle(Signal::CallExpired(FIRST));
            if !has_time {
                assert!(expired.is_empty());
                continue;
            }
            let [
                Record::CallExpired { call: FIRST },
                Record::CallFinished {
                    call: FIRST,
                    result,
                    ..
                },
            ] = &expired[..]
            else {
                panic!("it is answered: {expired:?}");
            };
            let text = result.to_model_text();
            assert!(text.ends_with(told), "{text}");
            log.extend(expired.iter().cloned());
            for late in [
                Signal::CallExpired(FIRST),
                Signal::CallAnswered(FIRST, ToolResult::success("", 1)),
                decided(FIRST, Decision::Approve),
            ] {
                assert!(run.handle(late).is_empty());
            }
            assert_eq!(Run::replay(&log), Ok((run.clone(), Vec::new())));
            log.pop();
            let (replayed, missing) = Run::replay(&log).expect("is cut off");
            assert_eq!((replayed, &missing[..]), (run, &expired[1..]));
        }
    }
}

#[test]
fn what_ran_when_its_program_went_away_runs_again_only_if_it_may() {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let keyed = ToolPolicy::default().with_effects(Effects::Idempotent);
    for (policy, runs_again) in [(reads, true), (keyed, true), (ToolPolicy::default(), false)] {
        let (mut run, mut log) = run_of(vec![policy, policy]);
        log.extend(run.handle(Signal::CallStarted(FIRST)));
        log.extend(run.handle(Signal::CallStarted(SECOND)));
        log.extend(run.handle(Signal::CallFinished(SECOND, ToolResult::success("", 2))));

        let (mut run, missing) = Run::replay(&log).expect("is a log");
        assert!(missing.is_empty() && run.poll().is_empty());
        let records = run.handle(Signal::Interrupted);
        assert_eq!(records.len(), 1);
        assert!(run.handle(Signal::Interrupted).is_empty());
        log.extend(records);
        if runs_again {
            assert_eq!(run.poll(), [Action::StartCall(FIRST)]);
            log.extend(run.handle(Signal::CallStarted(FIRST)));
            assert_eq!(run.attempt(FIRST), 2);
            log.extend(run.handle(Signal::CallFinished(FIRST, ToolResult::success("", 1))));
        }
        assert_eq!(run.poll(), [Action::CallModel(ModelCall::Open)]);
        let text = format!("{:?}", run.conversation());
        assert_eq!(
            text.contains("it may have taken effect"),
            !runs_again,
            "{text}"
        );
        assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
    }
}

#[test]
fn a_run_that_was_cancelled_when_its_program_went_away_ends() {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let (mut run, mut log) = run_of(vec![reads, reads]);
    for call in [FIRST, SECOND] {
        log.extend(run.handle(Signal::CallStarted(call)));
    }
    log.extend(run.handle(Signal::Cancel));
    let (mut run, _) = Run::replay(&log).expect("is a log");
    log.extend(run.handle(Signal::Interrupted));
    assert_eq!(outcome(&run).finish, Finish::Cancelled);
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

#[test]
fn a_log_in_which_a_write_is_interrupted_and_runs_again_is_none() {
    let (mut run, mut log) = run_of(Vec::new());
    log.extend(run.handle(Signal::CallStarted(FIRST)));
    log.push(Record::CallInterrupted { call: FIRST });
    let sequence = log.len() as u64 - 1;
    assert_eq!(Run::replay(&log), Err(CorruptLog { sequence }));
}
