//! What a round of a run allocates: for what it adds, whatever stands before it.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use allocation_counter::measure;
use toolwright::{
    ChatModel, Conversation, Message, ModelResponse, Runner, ToolCall, ToolResult, Toolset,
    message::{Image, Part, UserMessage},
    model::{ModelRequest, ModelStream, Warning},
    run::{Action, Run, RunConfig, RunId, Signal},
    tool::ToolPolicy,
};

use crate::handwritten::echo;

/// Calls a tool in so many rounds, and then answers.
struct Busy {
    rounds: u64,
    asked: AtomicU64,
    /// The requests, if they are kept.
    kept: Option<Mutex<Vec<ModelRequest>>>,
}

impl Busy {
    fn new(rounds: u64, keeps: bool) -> Self {
        let kept = keeps.then(|| {
            let most = usize::try_from(rounds).expect("is small") + 1;
            Mutex::new(Vec::with_capacity(most))
        });
        let asked = AtomicU64::new(0);
        Self {
            rounds,
            asked,
            kept,
        }
    }
}

impl ChatModel for Busy {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        if let Some(kept) = &self.kept {
            let mut kept = kept.lock().expect("nothing panics while it is held");
            kept.push(request.clone());
        }
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let events = if asked < self.rounds {
            ModelResponse::from_calls([call(asked)]).into_events()
        } else {
            ModelResponse::from_text("Done.").into_events()
        };
        Box::pin(futures_util::stream::iter(events.into_iter().map(Ok)))
    }
}

/// Numbers of one length, so that rounds differ in nothing but their place.
fn call(number: u64) -> ToolCall {
    ToolCall::new("a", "echo", format!(r#"{{"number":{}}}"#, 100_000 + number))
}

fn runner(model: Busy) -> Runner {
    Runner::builder(model)
        .tools(Toolset::new().with(echo()).expect("one tool"))
        .max_rounds(u32::MAX)
        .build()
        .expect("is consistent")
}

/// What all of a run allocates, given back or not.
fn cost(rounds: u64, keeps: bool) -> u64 {
    let (runner, runtime) = (runner(Busy::new(rounds, keeps)), runtime());
    let cost = measure(|| {
        let outcome = runtime.block_on(runner.run("go")).expect("does not fail");
        assert_eq!(u64::from(outcome.rounds), rounds);
    });
    cost.bytes_total
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().build().expect("starts")
}

/// What a round costs around a place, on average.
fn round_at(place: u64, keeps: bool) -> u64 {
    (cost(place + 64, keeps) - cost(place, keeps)) / 64
}

#[test]
fn a_round_costs_as_much_after_a_thousand_as_after_ten() {
    for keeps in [false, true] {
        let (early, late) = (round_at(10, keeps), round_at(1100, keeps));
        assert!(late < early + early / 10, "{early}, then {late}: {keeps}");
    }
}

#[test]
fn a_run_by_hand_costs_as_much_per_round_while_everything_is_kept() {
    let cost = |rounds: u64| {
        let cost = measure(|| {
            let mut config = RunConfig::default();
            config.limits.max_rounds = u32::MAX;
            let (mut run, mut log) = Run::start(RunId::new("1"), config, Conversation::new(), "go");
            let mut kept = Vec::new();
            for number in 0..rounds {
                kept.push((run.request(), run.conversation()));
                log.extend(run.handle(Signal::Replied {
                    unfit: None,
                    response: ModelResponse::from_calls([call(number)]),
                    policies: vec![ToolPolicy::default()],
                }));
                let [Action::StartCall(id)] = run.poll()[..] else {
                    panic!("one call")
                };
                log.extend(run.handle(Signal::CallStarted(id)));
                kept.push((run.request(), run.conversation()));
                let result = ToolResult::success("a", (100_000 + number).to_string());
                log.extend(run.handle(Signal::CallFinished(id, result)));
            }
        });
        cost.bytes_total
    };
    let round_at = |place| (cost(place + 64) - cost(place)) / 64;
    // Between two doublings of the lists in which everything is kept here.
    let (early, late) = (round_at(1030), round_at(4200));
    assert!(late < early + early / 10, "{early}, then {late}");
}

#[test]
fn warnings_that_all_differ_are_looked_up_and_not_compared() {
    let (mut run, _) = Run::start(
        RunId::new("1"),
        RunConfig::default(),
        Conversation::new(),
        "go",
    );
    let mut response = ModelResponse::from_text("Done.");
    for number in 0..20_000 {
        let warning = Warning::new("code", format!("warning {}", number % 10_000));
        response.warnings.push(warning);
    }
    run.handle(Signal::Replied {
        unfit: None,
        response,
        policies: Vec::new(),
    });
    let outcome = run.outcome().expect("has answered");
    assert_eq!(outcome.warnings.len(), 10_000);
    assert_eq!(outcome.warnings[9_999].message, "warning 9999");
}

/// The images that a conversation begins with.
const IMAGES: u64 = 26 << 20;

fn with_images() -> Conversation {
    let mut conversation = Conversation::new();
    let megabyte = Image::from_bytes("image/png", vec![7; 1 << 20]);
    for _ in 0..IMAGES >> 20 {
        conversation.push_user(UserMessage::new([
            Part::Text("Look.".into()),
            Part::Image(megabyte.clone()),
        ]));
        conversation.push_response(ModelResponse::from_text("Nice."));
    }
    conversation
}

#[test]
fn images_are_not_copied() {
    let runtime = runtime();
    let mut conversation = with_images();
    let runner = runner(Busy::new(20, true));
    let cost = measure(|| {
        runtime
            .block_on(runner.request("go").within(&mut conversation).run())
            .expect("does not fail");
    });
    assert!(cost.bytes_total < 1 << 20, "{} bytes", cost.bytes_total);
    assert_eq!(conversation.messages().len(), 54);
}

#[test]
fn an_image_that_a_tool_returns_is_not_copied() {
    let image = Image::from_bytes("image/png", vec![7; 1 << 20]);
    let mut config = RunConfig::default();
    config.limits.max_rounds = 5;
    let cost = measure(|| {
        let (mut run, _) = Run::start(RunId::new("1"), config, Conversation::new(), "go");
        run.handle(Signal::Replied {
            unfit: None,
            response: ModelResponse::from_calls([call(0)]),
            policies: Vec::new(),
        });
        let [Action::StartCall(id)] = run.poll()[..] else {
            panic!("one call")
        };
        run.handle(Signal::CallStarted(id));
        let result = ToolResult::success("a", image.clone());
        run.handle(Signal::CallFinished(id, result));
        assert!(format!("{:?}", run.request().messages.last()).len() > 1 << 20);
    });
    // The text that looks at it is all.
    assert!(cost.bytes_max < 6 << 20, "{} bytes", cost.bytes_max);
}

#[test]
fn what_is_shared_stays_as_it_was() {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    conversation.push_response(ModelResponse::from_calls([call(1)]));
    let (earlier, request) = (conversation.clone(), conversation.request());
    conversation
        .push_results([ToolResult::success("a", "one")])
        .expect("fits");
    conversation.push_response(ModelResponse::from_text("Done."));
    assert!(earlier.requires_tool_execution() && earlier.text().is_empty());
    assert_eq!(request.messages, earlier.messages());
    let [Message::User(_), Message::Assistant(message)] = conversation.messages() else {
        panic!("a question and its answer")
    };
    assert_eq!(message.tool_rounds[0].results.len(), 1);
    assert_eq!(conversation.text(), "Done.");
}
