//! A model that asks several others in turn: who answers, what is paid, and no piece of an answer twice.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use tokio::time::Instant;
use toolwright::{
    ChatModel, ModelError, ModelResponse, Runner,
    message::Part,
    model::{
        Fallback, FinishReason, Guarded, ModelErrorKind, ModelEvent, ModelRequest, ModelStream,
        Retry, Usage, collect,
    },
    run::Finish,
};

/// How a model fails. Every one but the last three comes before a piece of the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    At(ModelErrorKind),
    AfterItsUsage,
    HangsAtOnce,
    HangsAfterItsName,
    PanicsWhenAsked,
    PanicsWhenPolled,
    BreaksOffInAText,
    BreaksOffInACall,
    BreaksOffInReasoning,
}

use Fault::*;

const EARLY: [Fault; 12] = [
    At(ModelErrorKind::RateLimit),
    At(ModelErrorKind::Overloaded),
    At(ModelErrorKind::Transport),
    At(ModelErrorKind::MalformedResponse),
    At(ModelErrorKind::Authentication),
    At(ModelErrorKind::ToolsUnsupported),
    AfterItsUsage,
    HangsAtOnce,
    HangsAfterItsName,
    PanicsWhenAsked,
    PanicsWhenPolled,
    At(ModelErrorKind::Panicked),
];
const LATE: [Fault; 3] = [BreaksOffInAText, BreaksOffInACall, BreaksOffInReasoning];

/// A model with a name, that fails in turn and then answers.
#[derive(Clone)]
struct Faulty {
    name: &'static str,
    faults: Arc<Mutex<Vec<Fault>>>,
    asked: Arc<Mutex<u32>>,
}

impl Faulty {
    fn new(name: &'static str, faults: impl IntoIterator<Item = Fault>) -> Self {
        let mut faults: Vec<_> = faults.into_iter().collect();
        faults.reverse();
        Self {
            name,
            faults: Arc::new(Mutex::new(faults)),
            asked: Arc::default(),
        }
    }

    fn asked(&self) -> u32 {
        *self.asked.lock().expect("no test panics in it")
    }
}

fn error(kind: ModelErrorKind) -> ModelError {
    ModelError::new(kind, "as scripted")
}

impl ChatModel for Faulty {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        *self.asked.lock().expect("no test panics in it") += 1;
        let fault = self.faults.lock().expect("no test panics in it").pop();
        let fault = fault.unwrap_or(Nothing);
        let text = |text: &str| Ok(ModelEvent::Text(text.to_owned()));
        let broken = || Err(error(ModelErrorKind::Transport));
        let call = || {
            Ok(ModelEvent::CallStarted {
                index: 0,
                id: "a".into(),
                name: "look".into(),
            })
        };
        let usage = || Ok(ModelEvent::from(Usage::new(10, 1)));
        let events = match fault {
            PanicsWhenAsked => panic!("as scripted"),
            PanicsWhenPolled => {
                return Box::pin(stream::poll_fn(|_| panic!("as scripted")));
            }
            HangsAtOnce => return Box::pin(stream::pending()),
            HangsAfterItsName => {
                let name = Ok(ModelEvent::Model(self.name.to_owned()));
                return Box::pin(stream::iter([name]).chain(stream::pending()));
            }
            At(kind) => vec![Err(error(kind))],
            AfterItsUsage => vec![usage(), broken()],
            BreaksOffInAText => vec![text("half "), usage(), broken()],
            BreaksOffInACall => vec![call(), usage(), broken()],
            BreaksOffInReasoning => {
                vec![Ok(ModelEvent::Reasoning("well".into())), usage(), broken()]
            }
            Nothing => vec![
                text("whole"),
                usage(),
                Ok(ModelEvent::Finished {
                    reason: FinishReason::Stop,
                    raw: None,
                }),
            ],
        };
        Box::pin(stream::iter(events))
    }

    fn name(&self) -> Option<&str> {
        Some(self.name)
    }
}

/// Asks for a response, streamed or not.
async fn ask(model: &Fallback, streamed: bool) -> Result<ModelResponse, ModelError> {
    let request = ModelRequest::default();
    if streamed {
        collect(model.stream(&request)).await
    } else {
        model.complete(&request).await
    }
}

/// The tokens that a fault is paid for.
fn paid(fault: Fault) -> u64 {
    if matches!(
        fault,
        AfterItsUsage | BreaksOffInAText | BreaksOffInACall | BreaksOffInReasoning
    ) {
        10
    } else {
        0
    }
}

#[tokio::test(start_paused = true)]
async fn every_fault_before_the_answer_is_answered_by_the_next_model() {
    for streamed in [true, false] {
        for first in EARLY {
            for second in EARLY.into_iter().map(Some).chain([None]) {
                let models = [
                    Faulty::new("a", [first]),
                    Faulty::new("b", second),
                    Faulty::new("c", []),
                ];
                let model = Fallback::new(models.clone()).patience(Duration::from_secs(5));
                let case = format!("{first:?} and {second:?}, streamed: {streamed}");
                let response = ask(&model, streamed).await.expect(&case);
                assert_eq!(response.text, "whole", "{case}");
                let (who, asked) = if second.is_some() { ("c", 3) } else { ("b", 2) };
                assert_eq!(response.model.as_deref(), Some(who), "{case}");
                assert_eq!(response.requests, asked, "{case}");
                let tokens = paid(first) + second.map_or(0, paid) + 10;
                let usage = response.usage.expect("it is told");
                assert_eq!(usage.input_tokens, tokens, "{case}");
                let told: Vec<_> = response
                    .warnings
                    .iter()
                    .map(|it| it.code.as_str())
                    .collect();
                assert_eq!(told, vec!["model_failed"; asked as usize - 1], "{case}");
                let counts = models.map(|model| model.asked());
                assert_eq!(counts, [1, 1, u32::from(second.is_some())], "{case}");
            }
        }
    }
}

/// Whoever has read a piece reads no second beginning.
#[tokio::test]
async fn once_a_piece_was_read_no_other_model_is_asked() {
    for fault in LATE {
        let (first, second) = (Faulty::new("a", [fault]), Faulty::new("b", []));
        let model = Fallback::new([first, second.clone()]);
        let request = ModelRequest::default();
        let mut events = Vec::new();
        let mut stream = model.stream(&request);
        while let Some(event) = stream.next().await {
            events.push(event);
        }
        assert_eq!(second.asked(), 0, "{fault:?}");
        assert!(matches!(events.last(), Some(Err(_))), "{fault:?}");
        let error = collect(model.stream(&request)).await;
        let response = error.expect("the fault is over");
        assert_eq!(response.model.as_deref(), Some("a"), "{fault:?}");
    }
}

/// Nobody has read a piece of a response that is given whole.
#[tokio::test]
async fn a_whole_response_that_broke_off_is_asked_of_the_next_model() {
    for fault in LATE {
        let model = Fallback::new([Faulty::new("a", [fault]), Faulty::new("b", [])]);
        let response = ask(&model, false).await.expect("the second one answers");
        assert_eq!(response.text, "whole", "{fault:?}");
        let usage = response.usage.expect("it is told");
        assert_eq!(usage.input_tokens, 10 + paid(fault), "{fault:?}");
    }
}

#[tokio::test]
async fn the_error_of_the_last_one_tells_of_all() {
    for streamed in [true, false] {
        let overloaded = error(ModelErrorKind::Overloaded);
        assert!(overloaded.retryable);
        let model = Fallback::new([
            Faulty::new("a", [At(ModelErrorKind::Overloaded)]),
            Faulty::new("b", [At(ModelErrorKind::Authentication)]),
        ]);
        let error = ask(&model, streamed).await.expect_err("none answers");
        assert_eq!(error.kind, ModelErrorKind::Authentication);
        assert!(error.retryable, "the first one may answer later");
        assert!(
            error.message.contains("a: the provider cannot answer now"),
            "{error}"
        );
        assert_eq!(error.partial.expect("it counts").requests, 2);
    }
}

#[tokio::test]
async fn a_request_that_is_wrong_is_asked_of_nobody_else_unless_that_is_said() {
    let wrong = [
        ModelErrorKind::InvalidRequest,
        ModelErrorKind::ContextTooLong,
        ModelErrorKind::ContentFilter,
    ];
    for kind in wrong {
        let models = || (Faulty::new("a", [At(kind)]), Faulty::new("b", []));
        let (first, second) = models();
        let model = Fallback::new([first, second.clone()]);
        let error = ask(&model, true).await.expect_err("it is wrong");
        assert_eq!((error.kind, second.asked()), (kind, 0));
        assert_eq!(error.message, "as scripted");
        assert!(model.resting().is_empty());

        let (first, second) = models();
        let model = Fallback::new([first, second])
            .when(move |error| error.kind == kind || Fallback::may_be_answered_by_another(error));
        let response = ask(&model, true).await.expect("the second one answers");
        assert_eq!(response.model.as_deref(), Some("b"));
    }
}

#[tokio::test]
async fn without_a_model_there_is_an_error() {
    let model = Fallback::new::<Faulty>([]);
    for streamed in [true, false] {
        let error = ask(&model, streamed).await.expect_err("nobody answers");
        assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    }
    assert_eq!(model.name(), None);
    assert!(!model.takes_answer_schema(&ModelRequest::default()));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_fails_again_and_again_rests() {
    let down = [At(ModelErrorKind::Overloaded); 4];
    let (first, second) = (Faulty::new("a", down), Faulty::new("b", []));
    let model = Fallback::new([first.clone(), second]).rests_after(3, Duration::from_secs(30));
    for asked in [1, 2, 3, 3, 3] {
        ask(&model, true).await.expect("the second one answers");
        assert_eq!(first.asked(), asked);
    }
    assert_eq!(model.resting(), ["a"]);
    // After its rest one request tries it, and it rests again.
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(model.resting().is_empty());
    for asked in [4, 4] {
        ask(&model, true).await.expect("the second one answers");
        assert_eq!(first.asked(), asked);
    }
    tokio::time::advance(Duration::from_secs(30)).await;
    let response = ask(&model, true).await.expect("the first one is back");
    assert_eq!(response.model.as_deref(), Some("a"));
    assert!(response.warnings.is_empty());
}

/// Many requests at once do not all try a model that may still be down.
#[tokio::test(start_paused = true)]
async fn one_request_tries_a_model_after_its_rest() {
    let first = Faulty::new("a", [At(ModelErrorKind::Overloaded), HangsAtOnce]);
    let second = Faulty::new("b", []);
    let model = Fallback::new([first.clone(), second]).rests_after(1, Duration::from_secs(30));
    ask(&model, true).await.expect("the second one answers");
    tokio::time::advance(Duration::from_secs(30)).await;
    let request = ModelRequest::default();
    let mut tries = model.stream(&request);
    // It names itself and hangs then.
    while let Some(event) = futures_util::FutureExt::now_or_never(tries.next()) {
        assert!(event.is_some());
    }
    assert_eq!((first.asked(), model.resting()), (2, vec!["a"]));
    let response = ask(&model, true).await.expect("the second one answers");
    assert_eq!(response.model.as_deref(), Some("b"));
    assert_eq!(first.asked(), 2);
    // Whoever has tried it is gone, and has learnt nothing.
    drop(tries);
    let response = ask(&model, true).await.expect("the first one is back");
    assert_eq!(response.model.as_deref(), Some("a"));
}

/// A wait that a provider asks for is kept, and all that rest are better than nobody.
#[tokio::test(start_paused = true)]
async fn a_model_rests_as_long_as_it_asks_for_and_is_the_last_to_be_asked() {
    struct Limited(Mutex<u32>);

    impl ChatModel for Limited {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            let mut asked = self.0.lock().expect("no test panics in it");
            *asked += 1;
            if *asked == 2 {
                let answer = ModelResponse::from_text("at last").into_events();
                return Box::pin(stream::iter(answer.into_iter().map(Ok)));
            }
            let limited = error(ModelErrorKind::RateLimit);
            let wait = Duration::from_secs(600);
            Box::pin(stream::iter([Err(limited.with_retry_after(wait))]))
        }
    }

    let model = Fallback::new([Limited(Mutex::new(0))]).rests_after(1, Duration::from_secs(1));
    let error = ask(&model, true).await.expect_err("it is limited");
    assert_eq!(error.retry_after, Some(Duration::from_secs(600)));
    tokio::time::advance(Duration::from_secs(599)).await;
    assert_eq!(model.resting(), ["model 1"]);
    let response = ask(&model, true).await.expect("nobody else is there");
    assert_eq!(response.text, "at last");
    assert!(model.resting().is_empty());
}

/// The parts that only one provider can read stay in the conversation, and a run says who answered.
#[tokio::test]
async fn a_run_goes_from_one_model_to_another() {
    let (first, second) = (
        Faulty::new("a", [Nothing, At(ModelErrorKind::Overloaded)]),
        Faulty::new("b", []),
    );
    let runner = Runner::builder(Fallback::new([first, second])).build();
    let runner = runner.expect("it has a model");
    let mut talk = toolwright::Conversation::new();
    let one = runner
        .request("hello")
        .within(&mut talk)
        .run()
        .await
        .expect("a answers");
    let two = runner
        .request("hello")
        .within(&mut talk)
        .run()
        .await
        .expect("b answers");
    assert_eq!(
        (one.finish, two.finish),
        (Finish::Answered, Finish::Answered)
    );
    assert!(one.warnings.is_empty());
    assert_eq!(two.warnings[0].code, "model_failed");
    assert!(two.warnings[0].message.starts_with("a could not answer"));
    let texts = talk.messages().iter().filter_map(|message| match message {
        toolwright::Message::Assistant(message) => Some(&message.parts[0]),
        toolwright::Message::User(_) => None,
    });
    assert!(texts.eq([&Part::Text("whole".into()), &Part::Text("whole".into())]));
}

/// Patience holds for the last one as well: whoever asks may ask all of them again.
#[tokio::test(start_paused = true)]
async fn the_last_model_is_not_waited_for_for_ever() {
    for streamed in [true, false] {
        let model = Fallback::new([
            Faulty::new("a", [At(ModelErrorKind::Overloaded)]),
            Faulty::new("b", [HangsAfterItsName]),
        ]);
        let model = model.patience(Duration::from_secs(5));
        let error = ask(&model, streamed).await.expect_err("nobody answers");
        assert_eq!(error.kind, ModelErrorKind::Transport);
        assert!(error.retryable, "{error}");
    }
    let forever = Fallback::new([Faulty::new("a", []), Faulty::new("b", [])]);
    let forever = forever
        .patience(Duration::MAX)
        .rests_after(1, Duration::MAX);
    ask(&forever, true).await.expect("the first one answers");
}

/// The time limit of a request is that of each model, of a runner and without one, and of each attempt of a `Retry`.
#[tokio::test(start_paused = true)]
async fn a_model_that_hangs_is_left_for_the_next_one() {
    let time = Duration::from_secs(5);
    let models = || {
        let first = Retry::new(Faulty::new("a", [HangsAtOnce, HangsAfterItsName])).with_retries(1);
        Fallback::new([first])
            .or(Faulty::new("b", [HangsAfterItsName]))
            .or(Faulty::new("c", []))
    };
    for streamed in [true, false] {
        let began = Instant::now();
        let request = ModelRequest::default().with_time_limit(time);
        let model = models();
        let response = if streamed {
            collect(model.stream(&request)).await
        } else {
            model.complete(&request).await
        };
        let response = response.expect("the last one answers");
        assert_eq!(
            (response.model.as_deref(), response.requests),
            (Some("c"), 4)
        );
        assert!(began.elapsed() >= 3 * time, "{:?}", began.elapsed());

        let guarded = Guarded::new(models()).check_answer(async |_| Ok::<_, String>(()));
        let runner = Runner::builder(guarded)
            .streaming(streamed)
            .model_timeout(time);
        let outcome = runner.build().expect("is one").run("hello").await;
        let outcome = outcome.expect("the last one answers");
        assert_eq!((outcome.text.as_str(), outcome.model_retries), ("whole", 0));
    }
}

/// A response that ends before it is whole is none.
#[tokio::test]
async fn a_stream_without_an_end_is_a_failure() {
    struct Endless;

    impl ChatModel for Endless {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            Box::pin(stream::iter([Ok(ModelEvent::from(Usage::new(10, 1)))]))
        }
    }

    let model = Fallback::new([Endless]).or(Faulty::new("b", []));
    for streamed in [true, false] {
        let response = ask(&model, streamed).await.expect("the second one answers");
        assert_eq!(response.model.as_deref(), Some("b"));
    }
}

/// A reader that stops in the middle of an answer keeps its model from nobody.
#[tokio::test(start_paused = true)]
async fn a_model_that_answers_again_is_up() {
    let first = Faulty::new("a", [At(ModelErrorKind::Overloaded)]);
    let model = Fallback::new([first, Faulty::new("b", [])]);
    let model = model.rests_after(1, Duration::from_secs(30));
    ask(&model, true).await.expect("the second one answers");
    tokio::time::advance(Duration::from_secs(30)).await;
    let request = ModelRequest::default();
    let mut stops = model.stream(&request);
    while !matches!(stops.next().await, Some(Ok(ModelEvent::Text(_)))) {}
    let response = ask(&model, true).await.expect("the first one answers");
    assert_eq!(response.model.as_deref(), Some("a"));
}
