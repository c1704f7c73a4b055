//! Logs of runs with a context window, replayed.

use super::{
    compacted::{Random, random_conversation, start_in},
    *,
};

/// Runs a round whose response and result have these texts.
fn round(run: &mut Run, log: &mut Vec<Record>, said: &str, result: &str) {
    if run.poll() == [Action::CallModel(ModelCall::Compact)] {
        let response = ModelResponse::from_text("in short");
        let policies = Vec::new();
        log.extend(run.handle(Signal::Replied {
            unfit: None,
            response,
            policies,
        }));
    }
    let mut parts = calls(&["a"]).parts.to_vec();
    parts.push(Part::Text(said.to_owned()));
    let response = ModelResponse::new(parts);
    let policies = Vec::new();
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response,
        policies,
    }));
    while let Some(Action::StartCall(id)) = run.poll().first().copied() {
        log.extend(run.handle(Signal::CallStarted(id)));
        log.extend(run.handle(Signal::CallFinished(id, ToolResult::success("", result))));
    }
}

fn check(log: &[Record]) {
    let replayed = Run::replay(log).map(|(_, missing)| missing.len());
    assert_eq!(replayed, Ok(0));
}

#[test]
fn a_log_with_many_compactions_is_one() {
    let mut random = Random(7);
    for number in 0..200 {
        let before = random_conversation(&mut random);
        let mut window = ContextWindow::new(100 + random.below(8_000))
            .with_keep_rounds(u32::try_from(random.below(4)).expect("is small"));
        window.summarize = number % 2 == 0;
        let (mut run, mut log) = start_in(window, &before);
        for _ in 0..12 {
            round(&mut run, &mut log, "", &random.text());
        }
        check(&log);
    }
}

#[test]
fn the_last_turn_before_a_run_may_be_longer_than_the_window() {
    let mut before = Conversation::new();
    for turn in 0..5 {
        before.push_user(format!("question {turn}"));
        for _ in 0..(if turn == 4 { 12 } else { 3 }) {
            let mut parts = calls(&["x"]).parts.to_vec();
            parts.push(Part::Text("w".repeat(500)));
            before.push_response(ModelResponse::new(parts));
            let result = ToolResult::success("x", "f".repeat(20));
            before.push_results([result]).expect("is that of the call");
        }
        before.push_response(ModelResponse::from_text("so"));
    }
    for tokens in (1_500..6_000).step_by(150) {
        let (mut run, mut log) = start_in(ContextWindow::new(tokens), &before);
        for _ in 0..20 {
            round(&mut run, &mut log, &"w".repeat(500), "ok");
        }
        check(&log);
    }
}
