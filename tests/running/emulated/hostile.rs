//! Models inside an emulated one that do what nobody asked for, and runs that are cancelled at each of their events.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use futures_util::{FutureExt as _, StreamExt as _, stream};
use toolwright::{
    ChatModel, Conversation, Message, ModelError, ModelResponse, Runner, ToolCall,
    emulation::{CallForm, Emulated, ToolEmulation},
    model::{FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Usage, collect},
    run::Finish,
    testing::ScriptedModel,
};

use super::{CALL, NONE, codes, native, no_tools, run, text, tools};

type Events = Vec<Result<ModelEvent, ModelError>>;

/// A model of these events, one list for each request. One that has no end never goes on.
#[derive(Clone)]
struct Streams(Arc<Mutex<VecDeque<Events>>>);

impl Streams {
    fn new(script: impl IntoIterator<Item = Events>) -> Self {
        Self(Arc::new(Mutex::new(script.into_iter().collect())))
    }

    fn left(&self) -> usize {
        self.0.lock().expect("is whole").len()
    }
}

impl ChatModel for Streams {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let events = self.0.lock().expect("is whole").pop_front();
        let events = events.expect("is not asked more often");
        let ends = matches!(
            events.last(),
            Some(Err(_) | Ok(ModelEvent::Finished { .. }))
        );
        let events = stream::iter(events);
        if ends {
            Box::pin(events)
        } else {
            Box::pin(events.chain(stream::pending()))
        }
    }
}

fn whole(text: &str) -> Events {
    let response = ModelResponse::from_text(text).with_usage(Usage::new(10, 1));
    response.into_events().into_iter().map(Ok).collect()
}

fn request() -> ModelRequest {
    ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned())
}

fn finished() -> ModelEvent {
    ModelEvent::Finished {
        reason: FinishReason::Stop,
        raw: None,
    }
}

/// What has ended is counted, also where the next request of the same response never does.
#[tokio::test]
async fn a_cancel_loses_nothing_of_what_the_requests_before_used() {
    let rows = [
        (ToolEmulation::Force, vec![whole("prose"), vec![]]),
        (ToolEmulation::Force, vec![whole(NONE), vec![]]),
        (
            ToolEmulation::Force,
            vec![whole(NONE), vec![Ok(ModelEvent::Text("Sun".into()))]],
        ),
        (ToolEmulation::Fallback, vec![whole("I wonder."), vec![]]),
        (
            ToolEmulation::Fallback,
            vec![whole("I wonder."), whole("prose"), vec![]],
        ),
    ];
    for (mode, script) in rows {
        let ended = script.len() - 1;
        let what = format!("{mode:?} {script:?}");
        let inner = Streams::new(script);
        let runner = Runner::builder(Emulated::new(inner.clone(), mode)).tools(tools());
        let handle = runner.build().expect("is consistent").start("How is it?");
        let control = handle.control();
        let cancel = async {
            while inner.left() > 0 {
                tokio::task::yield_now().await;
            }
            // What it says is read.
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            control.cancel();
        };
        let (outcome, ()) = tokio::join!(handle.outcome(), cancel);
        let outcome = outcome.expect("ends");
        assert_eq!(outcome.finish, Finish::Cancelled);
        let used = Usage::new(10 * ended as u64, ended as u64);
        assert_eq!(outcome.usage, used, "{what}");
        let counted = (outcome.model_calls, outcome.requests as usize);
        assert_eq!(counted, (1, ended + 1), "{what}");
    }
}

/// It was offered no tools.
#[tokio::test]
async fn a_native_call_in_an_answer_is_not_run() {
    for streams in [true, false] {
        let script = [text(NONE), native(), text(NONE), text("Sunny.")];
        let (outcome, ..) = run(ToolEmulation::Force, script, streams).await;
        assert_eq!((outcome.rounds, outcome.text.as_str()), (0, "Sunny."));
        assert!(codes(&outcome).contains(&"calls_left_out"));
    }
    let mut both = ModelResponse::from_calls([ToolCall::new("a", "look", "{}")]);
    both.parts
        .push(toolwright::message::Part::Text("Sunny.".into()));
    let inner = ScriptedModel::new([text(NONE), both.into()]);
    let model = Emulated::new(inner, ToolEmulation::Force);
    let response = model.complete(&request()).await.expect("answers");
    assert_eq!(
        (response.tool_calls.len(), response.text.as_str()),
        (0, "Sunny.")
    );
    assert_eq!(response.finish_reason, FinishReason::Stop);
}

#[tokio::test]
async fn a_response_that_tells_its_usage_at_each_piece_is_decided_about_as_well() {
    let mut events = Events::new();
    for piece in 1..5_000 {
        events.push(Ok(ModelEvent::Text("a".into())));
        events.push(Ok(ModelEvent::from(Usage::new(10, piece))));
    }
    events.push(Ok(finished()));
    let model = Emulated::new(Streams::new([events, whole(CALL)]), ToolEmulation::Fallback);
    let response = collect(model.stream(&request())).await.expect("decides");
    assert_eq!((response.tool_calls.len(), response.requests), (1, 2));
    assert_eq!(response.usage, Some(Usage::new(20, 5_000)));
}

#[tokio::test]
async fn requests_before_one_that_is_refused_are_counted() {
    let refused = ModelError::new(ModelErrorKind::ToolsUnsupported, "no tools here");
    let refused = vec![
        Ok(ModelEvent::from(Usage::new(10, 1))),
        Ok(ModelEvent::Requests(2)),
        Err(refused),
    ];
    let model = Emulated::new(
        Streams::new([refused, whole(CALL)]),
        ToolEmulation::Fallback,
    );
    let response = collect(model.stream(&request())).await.expect("decides");
    assert_eq!((response.tool_calls.len(), response.requests), (1, 3));
    assert_eq!(response.usage, Some(Usage::new(20, 2)));
}

/// A server may be another one by then, behind a model that asks several times.
#[tokio::test]
async fn a_refusal_after_attempts_that_have_failed_is_one_also_where_calls_are_known() {
    let refused = ModelError::new(ModelErrorKind::ToolsUnsupported, "no tools here");
    let refused = vec![
        Ok(ModelEvent::from(Usage::new(10, 1))),
        Ok(ModelEvent::Requests(2)),
        Err(refused),
    ];
    let call = ToolCall::new("a", "look", r#"{"n": 1}"#);
    let native = ModelResponse::from_calls([call]).into_events();
    let native = native.into_iter().map(Ok).collect();
    let model = Emulated::new(
        Streams::new([native, refused, whole(CALL)]),
        ToolEmulation::Fallback,
    );
    let first = collect(model.stream(&request())).await.expect("calls");
    assert_eq!(
        (first.tool_calls.len(), model.facts().calls),
        (1, CallForm::Native)
    );
    let response = collect(model.stream(&request())).await.expect("decides");
    assert_eq!((response.tool_calls.len(), response.requests), (1, 3));
    assert_eq!(response.usage, Some(Usage::new(20, 2)));
    assert_eq!(model.facts().calls, CallForm::None);
}

/// Templates of many models refuse a request otherwise: "conversation roles must alternate".
#[tokio::test]
async fn the_user_and_the_assistant_take_turns() {
    let decide = |n: u32| {
        text(&format!(
            r#"{{"tools": [{{"name": "look", "arguments": {{"n": {n}}}}}]}}"#
        ))
    };
    let script = || {
        vec![
            decide(1),
            text("prose"),
            decide(2),
            text(NONE),
            text("Sunny."),
            text(NONE),
            text("Yes."),
        ]
    };
    for (mode, script) in [
        (ToolEmulation::Force, script()),
        (
            ToolEmulation::Fallback,
            [vec![no_tools()], script()].concat(),
        ),
    ] {
        let inner = ScriptedModel::new(script);
        let model = Emulated::new(inner.clone(), mode);
        let runner = Runner::builder(model).tools(tools()).system("Be brief.");
        let runner = runner.build().expect("is consistent");
        let mut conversation = Conversation::new();
        conversation.push_user("It is about the weather.");
        for question in ["How is it?", "Really?"] {
            let outcome = runner
                .request(question)
                .within(&mut conversation)
                .run()
                .await;
            outcome.expect("answers");
        }
        let requests = inner.requests();
        // Natively the conversation is sent as it is.
        for request in requests.iter().filter(|request| request.tools.is_empty()) {
            let is_user = |message: &Message| matches!(message, Message::User(_));
            let turns: Vec<_> = request.messages.iter().map(is_user).collect();
            let taken: Vec<_> = (0..turns.len()).map(|turn| turn % 2 == 0).collect();
            assert_eq!(turns, taken, "{:#?}", request.messages);
        }
    }
}

/// Text that may become a call is held back, and is text if nothing more comes.
#[tokio::test]
async fn text_that_is_held_back_is_kept_when_the_response_breaks_off() {
    struct Ending(Mutex<VecDeque<Events>>);

    impl ChatModel for Ending {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            let events = self.0.lock().expect("is whole").pop_front();
            Box::pin(stream::iter(events.expect("is not asked more often")))
        }
    }

    let late = || {
        Err(ModelError::new(
            ModelErrorKind::Authentication,
            "the key is gone",
        ))
    };
    for answer in ["{\"city\": \"Os", "It is <tool", "[1, 2"] {
        for end in [Some(late()), None] {
            for (mode, mut script) in [
                (ToolEmulation::Force, vec![whole(NONE)]),
                (ToolEmulation::Fallback, vec![]),
            ] {
                let text = Ok(ModelEvent::Text(answer.into()));
                script.push(std::iter::once(text).chain(end.clone()).collect());
                let model = Emulated::new(Ending(Mutex::new(script.into())), mode);
                let error = collect(model.stream(&request())).await.expect_err("fails");
                let text = error.partial.expect("has come").text;
                assert_eq!(text, answer, "{mode:?}");
            }
        }
    }
}

/// What was used is counted wherever a run is cancelled, and its conversation goes on.
#[tokio::test]
async fn a_run_that_is_cancelled_at_any_poll_counts_what_it_used() {
    let written = "<tool_call>{\"name\": \"look\", \"arguments\": {\"n\": 1}}</tool_call>";
    for (mode, refused, script) in [
        (
            ToolEmulation::Force,
            0,
            vec![text(CALL), text("prose"), text(NONE), text("Sunny.")],
        ),
        (
            ToolEmulation::Fallback,
            0,
            vec![text("I wonder."), text(CALL), text(NONE), text("Sunny.")],
        ),
        (
            ToolEmulation::Fallback,
            1,
            vec![no_tools(), text(CALL), text(NONE), text("Sunny.")],
        ),
        (
            ToolEmulation::Fallback,
            0,
            vec![text(written), text("Sunny.")],
        ),
    ] {
        for streams in [true, false] {
            for polls in 0.. {
                let inner = ScriptedModel::new(script.clone());
                let model = Emulated::new(inner.clone(), mode);
                let runner = Runner::builder(model).tools(tools()).streaming(streams);
                let runner = runner.build().expect("is consistent");
                let mut handle = runner.start("How is it?");
                let control = handle.control();
                let mut is_over = false;
                for _ in 0..polls {
                    is_over |= matches!(handle.next().now_or_never(), Some(None));
                }
                control.cancel();
                let outcome = handle.outcome().await.expect("ends");
                // All but the one under way; that of the tools told nothing.
                let sent = inner.requests().len() as u64;
                let told = outcome.usage.input_tokens / 10 + refused.min(sent);
                let what = format!("{mode:?} {streams} {polls}: {sent} {:?}", outcome.usage);
                assert!((sent.saturating_sub(1)..=sent).contains(&told), "{what}");
                assert!(u64::from(outcome.requests) <= sent, "{what}");

                let next = ScriptedModel::new([text(NONE), text("Yes.")]);
                let next =
                    Runner::builder(Emulated::new(next, ToolEmulation::Force)).tools(tools());
                let next = next.build().expect("is consistent");
                let mut conversation = outcome.conversation;
                let outcome = next
                    .request("Really?")
                    .within(&mut conversation)
                    .run()
                    .await;
                assert_eq!(outcome.expect("answers").text, "Yes.", "{what}");
                if is_over {
                    break;
                }
            }
        }
    }
}
