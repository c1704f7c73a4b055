//! A run whose model cannot answer at once.

use std::time::Duration;

use tokio::time::Instant;
use toolwright::{
    ModelError, ModelResponse, Runner,
    model::{ModelErrorKind, ModelEvent},
    run::{Finish, Limits, Record, Run},
    runner::RunEvent,
    testing::{ScriptedModel, ScriptedResponse},
    tool::Backoff,
};

fn busy() -> ModelError {
    ModelError::new(ModelErrorKind::Overloaded, "busy")
}

fn script(replies: impl IntoIterator<Item = ScriptedResponse>) -> ScriptedModel {
    ScriptedModel::new(replies)
}

fn answer() -> ScriptedResponse {
    ModelResponse::from_text("done").into()
}

#[tokio::test(start_paused = true)]
async fn a_request_is_sent_five_times_and_no_more() {
    let replies = |failures| {
        let busy = std::iter::repeat_with(|| busy().into()).take(failures);
        script(busy.chain([answer()]))
    };
    for streaming in [true, false] {
        let model = replies(4);
        let runner = Runner::builder(model.clone()).streaming(streaming).build();
        let outcome = runner.expect("is one").run("hello").await.expect("answers");
        assert_eq!((outcome.text.as_str(), outcome.model_calls), ("done", 5));
        assert_eq!(outcome.model_retries, 4);
        let requests = model.requests();
        assert!(requests.len() == 5 && requests.iter().all(|request| *request == requests[0]));

        let model = replies(5);
        let runner = Runner::builder(model.clone()).streaming(streaming).build();
        let error = runner
            .expect("is one")
            .run("hello")
            .await
            .expect_err("fails");
        assert_eq!(error.outcome.model_calls, 5);
        assert_eq!(model.requests().len(), 5);
    }
}

#[tokio::test(start_paused = true)]
async fn how_often_can_be_set() {
    let model = script([busy().into(), answer()]);
    let limits = Limits::default().with_model_retries(0);
    let runner = Runner::builder(model.clone()).limits(limits).build();
    runner
        .expect("is one")
        .run("hello")
        .await
        .expect_err("fails");
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn it_waits_as_long_as_it_is_told_and_else_ever_longer() {
    let wait = Duration::from_secs(7);
    let model = script([busy().with_retry_after(wait).into(), answer()]);
    let from = Instant::now();
    let runner = Runner::builder(model).build().expect("is one");
    runner.run("hello").await.expect("answers");
    assert!(from.elapsed() >= wait, "{:?}", from.elapsed());

    let model = script([busy().into(), busy().into(), answer()]);
    let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(9)).without_jitter();
    let from = Instant::now();
    let runner = Runner::builder(model).model_backoff(backoff).build();
    runner.expect("is one").run("hello").await.expect("answers");
    assert_eq!(from.elapsed().as_secs(), 1 + 2);
}

/// What a reader sees of a run: the text, and the log.
async fn read(runner: &Runner) -> (String, Vec<Record>) {
    let (mut text, mut log) = (String::new(), Vec::new());
    let mut run = runner.start("hello");
    while let Some(event) = run.next().await {
        match event {
            RunEvent::Delta(ModelEvent::Text(piece)) => text.push_str(&piece),
            RunEvent::Recorded { record, .. } => log.push(record),
            _ => {}
        }
    }
    (text, log)
}

#[tokio::test(start_paused = true)]
async fn a_reader_sees_one_beginning_of_a_reply() {
    let begun = busy().with_partial(ModelResponse::from_text("I think"));
    let model = script([begun.clone().into(), answer()]);
    let runner = Runner::builder(model.clone()).build().expect("is one");
    let (text, log) = read(&runner).await;
    assert_eq!((text.as_str(), model.requests().len()), ("I think", 1));
    assert!(
        log.iter()
            .any(|record| matches!(record, Record::ModelFailed { .. }))
    );

    // What nobody has seen is asked for again.
    let model = script([begun.into(), answer()]);
    let runner = Runner::builder(model.clone()).build().expect("is one");
    let outcome = runner.run("hello").await.expect("answers");
    assert_eq!((outcome.text.as_str(), outcome.model_calls), ("done", 2));
    let mut named = ModelResponse::new(Vec::new());
    named.model = Some("one".to_owned());
    let model = script([busy().with_partial(named).into(), answer()]);
    let runner = Runner::builder(model).build().expect("is one");
    let (text, log) = read(&runner).await;
    assert_eq!(text, "done");
    let asked_again = [Record::ModelDelayed { error: busy() }, Record::ModelResumed];
    let kinds = |records: &[Record]| {
        records
            .iter()
            .map(std::mem::discriminant)
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(&log[1..3]), kinds(&asked_again));
    let (replayed, missing) = Run::replay(&log).expect("is a log");
    assert!(missing.is_empty());
    let outcome = replayed.outcome().expect("is over");
    assert_eq!(
        (outcome.finish, outcome.model_retries),
        (Finish::Answered, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_wait_ends_when_the_run_is_cancelled() {
    let late = busy().with_retry_after(Duration::from_secs(50));
    let model = script([late.into(), answer()]);
    let runner = Runner::builder(model.clone()).build().expect("is one");
    let mut run = runner.start("hello");
    while let Some(event) = run.next().await {
        if let RunEvent::Recorded { record, .. } = event
            && matches!(record, Record::ModelDelayed { .. })
        {
            break;
        }
    }
    let token = run.cancellation();
    let from = Instant::now();
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        token.cancel();
    };
    let (outcome, ()) = tokio::join!(run.outcome(), cancel);
    assert_eq!(outcome.expect("ends").finish, Finish::Cancelled);
    assert_eq!((from.elapsed().as_secs(), model.requests().len()), (1, 1));
}
