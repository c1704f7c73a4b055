//! A run that somebody steers while it is under way.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};
use toolwright::{
    Conversation, Message, ModelError, ModelResponse, Runner, ToolCall, ToolOutput, Toolset,
    message::Part,
    model::{ModelErrorKind, ModelRequest},
    run::{Finish, Limits, OnLimit, Record, RequestPlan, Run, RunConfig, RunId, Signal, StoredRun},
    runner::{RunControl, RunEvent, RunHandle},
    testing::{ScriptedModel, ScriptedResponse},
};

use crate::handwritten::Handwritten;

/// A tool that says when it runs, and ends when it is let go.
struct Held {
    runs: Arc<Notify>,
    goes_on: Arc<Notify>,
}

impl Held {
    fn new() -> Self {
        Self {
            runs: Arc::default(),
            goes_on: Arc::default(),
        }
    }

    /// Starts a run whose calls are held.
    fn start(&self, model: &ScriptedModel) -> RunHandle {
        let runner = Runner::builder(model.clone()).tools(self.tools()).build();
        runner.expect("is consistent").start("Weather?")
    }

    fn tools(&self) -> Toolset {
        let (runs, goes_on) = (Arc::clone(&self.runs), Arc::clone(&self.goes_on));
        let look = Handwritten::new("look", move |_, _| {
            let (runs, goes_on) = (Arc::clone(&runs), Arc::clone(&goes_on));
            async move {
                runs.notify_one();
                goes_on.notified().await;
                Ok(ToolOutput::text("sunny"))
            }
        });
        Toolset::new().with(look).expect("is the only one")
    }
}

fn users(request: &ModelRequest) -> Vec<String> {
    let texts = request.messages.iter().filter_map(|message| match message {
        Message::User(message) => Some(message.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.clone()),
            _ => None,
        })),
        Message::Assistant(_) => None,
    });
    texts.flatten().collect()
}

fn calls() -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("a", "look", "{}")])
}

#[tokio::test]
async fn a_message_from_another_task_reaches_the_model_with_the_next_request() {
    let held = Held::new();
    let model = ScriptedModel::new([calls(), ModelResponse::from_text("sunny and calm")]);
    let handle = held.start(&model);
    let control = handle.control();
    assert_eq!(control.id(), handle.id());
    let run = tokio::spawn(handle.outcome());
    held.runs.notified().await;
    control.push("And the wind?").expect("goes on");
    // The driver hears it while the call runs, and the model after it.
    tokio::task::yield_now().await;
    assert_eq!(model.requests().len(), 1);
    held.goes_on.notify_one();
    let outcome = run.await.expect("runs").expect("answers");
    assert_eq!(users(&model.requests()[1]), ["Weather?", "And the wind?"]);
    assert_eq!(
        (outcome.text.as_str(), outcome.pushed_messages),
        ("sunny and calm", 1)
    );
    assert!(control.push("too late").is_err());
    assert!(control.cancel_after_round().is_err());
}

#[tokio::test]
async fn what_is_said_before_the_first_request_is_in_it_and_in_the_log() {
    let model = ScriptedModel::new([ModelResponse::from_text("sunny and calm")]);
    let runner = Runner::builder(model.clone())
        .build()
        .expect("is consistent");
    let mut handle = runner.start("Weather?");
    let mut log = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            if log.is_empty() {
                handle.push("And the wind?").expect("goes on");
            }
            log.push(record);
        }
    }
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!(outcome.text, "sunny and calm");
    assert_eq!(users(&model.requests()[0]), ["Weather?", "And the wind?"]);
    assert_eq!(outcome.conversation.messages().len(), 3);
    let place = |wanted: fn(&Record) -> bool| log.iter().position(wanted);
    let pushed = place(|record| matches!(record, Record::MessagePushed { .. }));
    let read = place(|record| matches!(record, Record::MessagesRead));
    let replied = place(|record| matches!(record, Record::Replied { .. }));
    assert!(pushed.is_some() && pushed < read && read < replied);
}

/// Wherever it comes: the next request that is made has it.
#[tokio::test(start_paused = true)]
async fn a_message_is_in_the_next_request_from_every_place() {
    for is_planned in [false, true] {
        for place in 0.. {
            let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
            let model = ScriptedModel::new([
                calls().into(),
                ScriptedResponse::Error(busy),
                calls().into(),
                ModelResponse::from_text("sunny").into(),
                ModelResponse::from_text("calm").into(),
            ]);
            let look = Handwritten::new("look", async |_, _| Ok(ToolOutput::text("sunny")));
            let tools = Toolset::new().with(look).expect("is the only one");
            let mut runner = Runner::builder(model.clone()).tools(tools);
            if is_planned {
                runner = runner.before_request(async |_| {
                    tokio::task::yield_now().await;
                    RequestPlan::new()
                });
            }
            let mut handle = runner.build().expect("is consistent").start("Weather?");
            let (mut read, mut made) = (0, None);
            while handle.next().await.is_some() {
                if read == place {
                    let said = handle.push("And the wind?");
                    made = said.ok().map(|()| model.requests().len());
                }
                read += 1;
            }
            let outcome = handle.outcome().await.expect("answers");
            let Some(made) = made else {
                assert!(place > 9, "only {place} places");
                break;
            };
            let requests = model.requests();
            // What comes when the answer is in the log is not lost.
            let is_late = outcome.unread.len() == 1 && requests.len() == made;
            assert!(
                is_late || outcome.pushed_messages == 1,
                "said at place {place}"
            );
            for (number, request) in requests.iter().enumerate() {
                let has_it = users(request).len() == 2;
                assert_eq!(
                    has_it,
                    number >= made,
                    "request {number}, said at place {place}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_message_that_comes_after_the_cancel_is_not_lost() {
    let held = Held::new();
    let model = ScriptedModel::new([calls()]);
    let handle = held.start(&model);
    let control = handle.control();
    let run = tokio::spawn(handle.outcome());
    held.runs.notified().await;
    control.cancel();
    control.push("And the wind?").expect("is not over yet");
    let outcome = run.await.expect("runs").expect("is no failure");
    assert_eq!(
        (outcome.finish, outcome.unread.len()),
        (Finish::Cancelled, 1)
    );
}

#[tokio::test]
async fn a_message_to_a_run_that_its_first_limit_ends_is_not_lost() {
    let limits = Limits::agent().with_max_invalid_rounds(Some(0));
    let model = ScriptedModel::new([ModelResponse::from_text("never asked")]);
    let runner = Runner::builder(model)
        .limits(limits.with_on_limit(OnLimit::Stop))
        .build();
    let handle = runner.expect("is consistent").start("Weather?");
    handle.push("And the wind?").expect("is not over yet");
    let outcome = handle.outcome().await.expect("is no failure");
    assert!(matches!(outcome.finish, Finish::Limit { .. }));
    assert_eq!(outcome.unread.len(), 1);
}

#[tokio::test]
async fn a_cancel_after_the_round_keeps_its_results() {
    let held = Held::new();
    let model = ScriptedModel::new([calls(), ModelResponse::from_text("never asked")]);
    let handle = held.start(&model);
    let control = handle.control();
    let run = tokio::spawn(handle.outcome());
    held.runs.notified().await;
    control.cancel_after_round().expect("goes on");
    tokio::task::yield_now().await;
    held.goes_on.notify_one();
    let outcome = run.await.expect("runs").expect("is no failure");
    assert_eq!(
        (outcome.finish.clone(), outcome.rounds),
        (Finish::Cancelled, 1)
    );
    let round = outcome.tool_rounds().next().expect("there is one");
    assert_eq!(round.results[0].to_model_text(), "sunny");
    assert_eq!(model.requests().len(), 1);
}

/// Returns true if a record is the one that something is said after.
type Moment = fn(&Record) -> bool;

/// Said before a request is sent, it ends the run, whatever came before.
#[tokio::test(start_paused = true)]
async fn a_cancel_after_the_round_asks_for_nothing_more() {
    let look = || Handwritten::new("look", async |_, _| Ok(ToolOutput::text("sunny")));
    let moments: [(Moment, usize); 3] = [
        (|record| matches!(record, Record::Started { .. }), 0),
        (|record| matches!(record, Record::ModelDelayed { .. }), 1),
        (|record| matches!(record, Record::CallFinished { .. }), 2),
    ];
    for (moment, requests) in moments {
        let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let model = ScriptedModel::new([
            ScriptedResponse::Error(busy),
            calls().into(),
            ModelResponse::from_text("never asked").into(),
        ]);
        let runner = Runner::builder(model.clone())
            .tools(Toolset::new().with(look()).expect("is the only one"))
            .build();
        let mut handle = runner.expect("is consistent").start("Weather?");
        let mut log = Vec::new();
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { record, .. } = event {
                if moment(&record) {
                    handle.cancel_after_round().expect("goes on");
                }
                log.push(record);
            }
        }
        assert_eq!(model.requests().len(), requests);
        let outcome = handle.outcome().await.expect("is no failure");
        assert_eq!(outcome.finish, Finish::Cancelled);
        assert!(Run::replay(&log).is_ok_and(|(run, missing)| {
            missing.is_empty() && run.outcome().as_ref() == Some(&outcome)
        }));
    }
}

/// Also while it waits before it asks again, and what else is said does not end that wait.
#[tokio::test(start_paused = true)]
async fn a_cancel_after_the_round_ends_the_wait_for_another_attempt() {
    let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let busy = busy.with_retry_after(Duration::from_secs(60));
    let model = ScriptedModel::new([busy.into(), ScriptedResponse::from(calls())]);
    let runner = Runner::builder(model.clone()).build();
    let handle = runner.expect("is consistent").start("Weather?");
    let (control, start) = (handle.control(), Instant::now());
    let said = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        control.push("And the wind?").expect("goes on");
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(model.requests().len(), 1);
        control.cancel_after_round().expect("goes on");
    };
    let (outcome, ()) = tokio::join!(handle.outcome(), said);
    let outcome = outcome.expect("is no failure");
    assert_eq!(
        (outcome.finish, outcome.unread.len()),
        (Finish::Cancelled, 1)
    );
    assert_eq!(start.elapsed(), Duration::from_secs(10));
    assert_eq!(model.requests().len(), 1);
}

/// A program that goes away while a response is waited for asks for it no more.
#[tokio::test]
async fn a_run_that_goes_on_after_a_cancel_after_the_round_asks_for_nothing_more() {
    let model = ScriptedModel::new([ModelResponse::from_text("never asked")]);
    let runner = Runner::builder(model.clone())
        .build()
        .expect("is consistent");
    let (mut run, mut log) = Run::start(
        RunId::new("1"),
        RunConfig::default(),
        Conversation::new(),
        "Weather?",
    );
    log.extend(run.handle(Signal::CancelAfterRound));
    let stored = StoredRun::from_records(log).expect("is a log");
    let handle = runner.resume(stored).start().await.expect("goes on");
    let outcome = handle.outcome().await.expect("is no failure");
    assert_eq!(
        (outcome.finish, model.requests().len()),
        (Finish::Cancelled, 0)
    );
}

#[tokio::test]
async fn a_run_that_was_dropped_hears_nothing() {
    let model = ScriptedModel::new([ModelResponse::from_text("sunny")]);
    let runner = Runner::builder(model).build().expect("is consistent");
    let handle = runner.start("Weather?");
    let control = handle.control();
    drop(handle);
    assert!(control.push("And the wind?").is_err());
}

#[tokio::test]
async fn what_a_tool_says_is_heard_before_its_result() {
    for cancels in [true, false] {
        let control = Arc::<Mutex<Option<RunControl>>>::default();
        let held = Arc::clone(&control);
        let look = Handwritten::new("look", move |_, _| {
            let control = held.lock().expect("nothing panics").clone();
            let control = control.expect("is there before the run is polled");
            let said = if cancels {
                control.cancel_after_round()
            } else {
                control.push("And the wind?")
            };
            said.expect("goes on");
            async { Ok(ToolOutput::text("sunny")) }
        });
        let tools = Toolset::new().with(look).expect("is the only one");
        let model = ScriptedModel::new([calls(), ModelResponse::from_text("sunny and calm")]);
        let runner = Runner::builder(model.clone())
            .tools(tools)
            .build()
            .expect("is consistent");
        let handle = runner.start("Weather?");
        *control.lock().expect("nothing panics") = Some(handle.control());
        let outcome = handle.outcome().await.expect("is no failure");
        if cancels {
            assert_eq!(
                (outcome.finish, model.requests().len()),
                (Finish::Cancelled, 1)
            );
        } else {
            assert_eq!(
                (outcome.finish, model.requests().len()),
                (Finish::Answered, 2)
            );
            assert_eq!(users(&model.requests()[1]), ["Weather?", "And the wind?"]);
        }
    }
}
