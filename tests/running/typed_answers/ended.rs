//! Runs that end without an answer of their type, and handles.

use toolwright::{
    Runner,
    model::{FinishReason, ModelEvent},
    run::{Finish, OnLimit},
    runner::{Answer, AnswerError, RunEvent, RunHandle},
    toolset,
};

use super::*;

/// The reason why there is no answer.
async fn ended(handle: RunHandle<Answer<Weather>>) -> Finish {
    match handle.answer().await.expect_err("there is no answer") {
        AnswerError::NoAnswer(outcome) => outcome.finish,
        error => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn a_refusal_is_no_answer() {
    for model in [by_schema, by_tool] {
        let mut refusal = text("");
        refusal.refusal = Some("I would rather not.".to_owned());
        let model = model([refusal]);
        let finish = ended(runner(model.clone()).request("Rain?").answer_as().start()).await;
        assert_eq!((finish, model.requests().len()), (Finish::Refused, 1));
    }
}

#[tokio::test]
async fn what_was_cut_off_is_no_answer() {
    for (reason, finish) in [
        (FinishReason::Length, Finish::Truncated),
        (FinishReason::ContentFilter, Finish::Filtered),
    ] {
        let mut reply = text(OSLO);
        reply.finish_reason = reason;
        assert_eq!(
            ended(
                runner(by_schema([reply]))
                    .request("Rain?")
                    .answer_as()
                    .start()
            )
            .await,
            finish
        );
    }
}

#[tokio::test]
async fn a_cancelled_run_has_none() {
    let handle = runner(by_schema([text(OSLO)]))
        .request("Rain?")
        .answer_as()
        .start();
    handle.cancel();
    assert_eq!(ended(handle).await, Finish::Cancelled);
    // Between an answer that does not fit and the next.
    let mut handle = runner(by_schema([text("a"), text(OSLO)]))
        .request("Rain?")
        .answer_as()
        .start();
    while let Some(event) = handle.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        if matches!(record, toolwright::run::Record::Replied { .. }) {
            handle.cancel();
        }
    }
    assert_eq!(ended(handle).await, Finish::Cancelled);
}

#[tokio::test]
async fn a_limit_without_a_summary_has_none() {
    let rain = call("get_rain", r#"{"city": "Oslo"}"#);
    let model = by_schema([rain.clone(), rain]);
    let runner = Runner::builder(model).tools(toolset![get_rain]);
    let runner = runner
        .max_rounds(1)
        .on_limit(OnLimit::Stop)
        .build()
        .unwrap();
    let error = weather(&runner).await.expect_err("none");
    assert!(matches!(error.outcome().finish, Finish::Limit { .. }));
    assert!(error.to_string().contains("1 round"), "{error}");
}

#[tokio::test]
async fn it_streams() {
    let mut handle = runner(by_schema([text("a"), text(OSLO)]))
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    let mut streamed = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Delta(ModelEvent::Text(text)) = event {
            streamed.push(text);
        }
    }
    assert_eq!(streamed.concat(), format!("a{OSLO}"));
    assert_eq!(handle.answer().await.expect("fits").value, oslo());
    // As a stream, and without its type.
    let handle = runner(by_schema([text(OSLO)]))
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    let events = futures_util::StreamExt::count(handle).await;
    assert!(events > 3, "{events}");
    let handle = runner(by_schema([text(OSLO)]))
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    assert_eq!(handle.into_untyped().outcome().await.unwrap().text, OSLO);
}

#[tokio::test]
async fn a_push_is_answered_in_the_same_form() {
    let model = by_schema([text("a"), text(OSLO), text(OSLO)]);
    let mut handle = runner(model)
        .request("Rain?")
        .answer_as::<Weather>()
        .start();
    while let Some(event) = handle.next().await {
        if matches!(event, RunEvent::Delta(ModelEvent::Text(text)) if text == "a") {
            handle.push("In Oslo.").expect("it is under way");
        }
    }
    let answer = handle.answer().await.expect("fits");
    assert_eq!((answer.value, answer.outcome.pushed_messages), (oslo(), 1));
}
