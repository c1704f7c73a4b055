//! A model that asks again.

use std::time::Duration;

use futures_util::StreamExt;
use tokio::time::Instant;
use toolwright::{
    ChatModel, ModelError, ModelResponse, Runner,
    model::{ModelErrorKind, ModelEvent, ModelRequest, Retry, Usage},
    run::Limits,
    testing::{ScriptedModel, ScriptedResponse},
    tool::Backoff,
};

fn busy() -> ModelError {
    ModelError::new(ModelErrorKind::Overloaded, "busy")
}

fn script(
    replies: impl IntoIterator<Item = ScriptedResponse>,
) -> (ScriptedModel, Retry<ScriptedModel>) {
    let model = ScriptedModel::new(replies);
    (model.clone(), Retry::new(model))
}

fn answer() -> ScriptedResponse {
    ModelResponse::from_text("done").into()
}

/// What a stream gives, and its error.
async fn read(model: &impl ChatModel) -> (Vec<ModelEvent>, Option<ModelError>) {
    let request = ModelRequest::default();
    let mut stream = model.stream(&request);
    let (mut events, mut error) = (Vec::new(), None);
    while let Some(event) = stream.next().await {
        assert!(error.is_none(), "nothing comes after an error");
        match event {
            Ok(event) => events.push(event),
            Err(ended) => error = Some(ended),
        }
    }
    (events, error)
}

#[tokio::test(start_paused = true)]
async fn a_request_is_sent_five_times_and_no_more() {
    let replies = |failures| {
        let busy = std::iter::repeat_with(|| busy().into()).take(failures);
        script(busy.chain([answer()]))
    };
    let (asked, model) = replies(4);
    let from = Instant::now();
    let reply = model.complete(&ModelRequest::default()).await;
    assert_eq!(reply.expect("the fifth time").text, "done");
    assert_eq!(asked.requests().len(), 5);
    let waited = from.elapsed().as_millis();
    assert!((7_500..=15_010).contains(&waited), "{waited} ms");

    let (asked, model) = replies(5);
    let error = model.complete(&ModelRequest::default()).await;
    assert_eq!(
        error.expect_err("five times").kind,
        ModelErrorKind::Overloaded
    );
    assert_eq!(asked.requests().len(), 5);

    let (asked, model) = script([busy().into(), answer()]);
    let (_, error) = read(&model.with_retries(0)).await;
    assert_eq!((error, asked.requests().len()), (Some(busy()), 1));
}

#[tokio::test(start_paused = true)]
async fn what_cannot_succeed_is_not_sent_again() {
    let wrong = ModelError::new(ModelErrorKind::InvalidRequest, "no");
    let much_later = busy().with_retry_after(Duration::from_secs(61));
    for error in [wrong, much_later, busy().with_retryable(false)] {
        let (asked, model) = script([error.clone().into(), answer()]);
        let (events, came) = read(&model).await;
        assert_eq!((events.len(), came), (0, Some(error)));
        assert_eq!(asked.requests().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn it_waits_as_long_as_it_is_told_and_else_ever_longer() {
    let wait = Duration::from_secs(7);
    let (_, model) = script([busy().with_retry_after(wait).into(), answer()]);
    let from = Instant::now();
    read(&model).await;
    assert!(from.elapsed() >= wait, "{:?}", from.elapsed());

    let (_, model) = script([busy().into(), busy().into(), answer()]);
    let backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(9)).without_jitter();
    let from = Instant::now();
    read(&model.with_backoff(backoff)).await;
    assert_eq!(from.elapsed().as_secs(), 1 + 2);
}

#[tokio::test(start_paused = true)]
async fn nobody_sees_two_beginnings_of_a_reply() {
    // Nothing of the answer had come: the model's name is told once, by the reply that counts.
    let mut named = ModelResponse::new(Vec::new());
    named.model = Some("first".to_owned());
    let mut whole = ModelResponse::from_text("done");
    whole.model = Some("second".to_owned());
    let (asked, model) = script([busy().with_partial(named).into(), whole.into()]);
    let (events, error) = read(&model).await;
    let models: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::Model(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!((models, error), (vec!["second"], None));
    assert_eq!(asked.requests().len(), 2);

    // A piece of it had come.
    let begun = busy().with_partial(ModelResponse::from_text("I think"));
    let (asked, model) = script([begun.into(), answer()]);
    let (events, error) = read(&model).await;
    let text: String = events
        .into_iter()
        .filter_map(|event| match event {
            ModelEvent::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(text, "I think");
    assert_eq!(
        error.expect("it broke off").kind,
        ModelErrorKind::Overloaded
    );
    assert_eq!(asked.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn it_goes_into_a_runner() {
    let (asked, model) = script([busy().into(), answer()]);
    let runner = Runner::builder(model).build().expect("is one");
    let outcome = runner.run("hello").await.expect("answers");
    assert_eq!(outcome.text, "done");
    assert_eq!(asked.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_failed_attempts_used_is_counted() {
    let cost = |input, output| Some(Usage::new(input, output));
    let failed = |usage: Option<Usage>| {
        let mut partial = ModelResponse::new(Vec::new());
        partial.usage = usage;
        busy().with_partial(partial)
    };
    let answered = |usage: Option<Usage>| {
        let mut reply = ModelResponse::from_text("done");
        reply.usage = usage;
        ScriptedResponse::from(reply)
    };
    // The last attempt says what it used, or does not.
    for (last, all) in [(cost(5, 3), cost(18, 3)), (None, cost(13, 0))] {
        let replies = || {
            let before = [failed(cost(10, 0)).into(), busy().into()];
            before
                .into_iter()
                .chain([failed(cost(3, 0)).into(), answered(last.clone())])
        };
        let (_, model) = script(replies());
        let reply = model.complete(&ModelRequest::default()).await;
        assert_eq!(reply.expect("the fourth time").usage, all);

        let (_, model) = script(replies());
        let (events, error) = read(&model).await;
        assert_eq!(error, None);
        assert_eq!(events.into_iter().collect::<ModelResponse>().usage, all);

        for streaming in [true, false] {
            let (_, model) = script(replies());
            let runner = Runner::builder(model).streaming(streaming);
            let outcome = runner.build().expect("is one").run("hello").await;
            assert_eq!(Some(outcome.expect("answers").usage), all);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_all_attempts_used_stands_in_the_last_error() {
    let failed = |usage: Usage| busy().with_partial(ModelResponse::default().with_usage(usage));
    // The last one says nothing of its reply, or something.
    for (last, all) in [(busy(), 7), (failed(Usage::new(4, 0)), 11)] {
        let replies = || [failed(Usage::new(7, 0)).into(), last.clone().into()];
        let (_, model) = script(replies());
        let model = model.with_retries(1);
        let error = model.complete(&ModelRequest::default()).await;
        let partial = error.expect_err("twice").partial.expect("has a usage");
        assert_eq!(partial.usage, Some(Usage::new(all, 0)));

        for streaming in [true, false] {
            let (_, model) = script(replies());
            let limits = Limits::chat().with_model_retries(0);
            let runner = Runner::builder(model.with_retries(1)).limits(limits);
            let runner = runner.streaming(streaming).build().expect("is one");
            let error = runner.run("hello").await.expect_err("fails twice");
            assert_eq!(
                error.outcome.usage,
                Usage::new(all, 0),
                "streaming: {streaming}"
            );
        }
    }
}
