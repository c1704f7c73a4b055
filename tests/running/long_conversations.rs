//! Runs whose conversation is longer than the context window of their model.

mod golden;
mod linear;

use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

use toolwright::{
    ChatModel, Conversation, Message, ModelError, ModelResponse, Runner, ToolCall, ToolOutput,
    Toolset,
    message::{Part, text_of},
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Usage},
    provider::{Codec, EncodeInput, OpenAiChatCodec},
    run::{ContextWindow, Finish, Record},
    runner::{BuildError, RunEvent},
    testing::ScriptedModel,
};

use crate::handwritten::Handwritten;

const WINDOW: u64 = 32_000;

/// A model that takes so many tokens, and calls a tool so often.
struct Narrow {
    rounds: u32,
    reports: bool,
    answered: AtomicU32,
    refused: AtomicU32,
    /// How often a request did not begin as the one before it.
    changed: AtomicU32,
    most: Mutex<u64>,
    last: Mutex<Vec<Sent>>,
}

/// What is sent in a piece: a message of the user or a response, with results.
type Sent = (Vec<Part>, Vec<String>);

impl Narrow {
    fn new(rounds: u32, reports: bool) -> Self {
        Self {
            rounds,
            reports,
            answered: AtomicU32::new(0),
            refused: AtomicU32::new(0),
            changed: AtomicU32::new(0),
            most: Mutex::default(),
            last: Mutex::default(),
        }
    }

    fn answer(&self, request: &ModelRequest) -> Result<ModelResponse, ModelError> {
        let tokens = tokens(request);
        if tokens > WINDOW {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let message = format!("{tokens} tokens");
            return Err(ModelError::new(ModelErrorKind::ContextTooLong, message));
        }
        let mut most = self.most.lock().expect("is not poisoned");
        *most = tokens.max(*most);
        let sent = sent(&request.messages);
        let mut last = self.last.lock().expect("is not poisoned");
        if !sent.starts_with(&last) {
            self.changed.fetch_add(1, Ordering::Relaxed);
        }
        *last = sent;
        let number = self.answered.fetch_add(1, Ordering::Relaxed);
        let response = if number < self.rounds {
            let text = Part::Text(format!("Step {number}."));
            let arguments = format!(r#"{{"number":{number}}}"#);
            let call = Part::Call(ToolCall::new(format!("call_{number}"), "search", arguments));
            ModelResponse::new(vec![text, call])
        } else {
            ModelResponse::from_text("Done.")
        };
        Ok(if self.reports {
            response.with_usage(Usage::new(tokens, 40))
        } else {
            response
        })
    }
}

impl ChatModel for Narrow {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let events = match self.answer(request) {
            Ok(response) => response.into_events().into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        Box::pin(futures_util::stream::iter(events))
    }
}

/// The tokens of a request as it goes over the wire: up to four letters or digits, or one other character.
fn tokens(request: &ModelRequest) -> u64 {
    let body = OpenAiChatCodec::new().encode(EncodeInput::new("m", request));
    let body = body.expect("is written");
    let (mut tokens, mut word) = (0, 0);
    for byte in body {
        if byte.is_ascii_alphanumeric() {
            tokens += u64::from(word % 4 == 0);
            word += 1;
        } else {
            tokens += u64::from(!byte.is_ascii_whitespace());
            word = 0;
        }
    }
    tokens
}

fn sent(messages: &[Message]) -> Vec<Sent> {
    let mut sent = Vec::new();
    for message in messages {
        match message {
            Message::User(message) => sent.push((message.parts.to_vec(), Vec::new())),
            Message::Assistant(message) => {
                let rounds = message.tool_rounds.iter().map(|round| {
                    let results = round.results.iter();
                    let results = results.map(|result| result.to_model_text().into_owned());
                    (round.reply.to_vec(), results.collect())
                });
                sent.extend(rounds);
            }
        }
    }
    sent
}

/// Finds texts of many lengths.
fn search() -> Handwritten {
    Handwritten::new("search", async |call, _| {
        let number: usize = call.arguments.bytes().map(usize::from).sum();
        let text = format!("{} is what was found. ", call.arguments);
        Ok(ToolOutput::text(text.repeat(number % 40)))
    })
}

fn runner(model: impl ChatModel, window: ContextWindow) -> Runner {
    Runner::builder(model)
        .system("Look everything up.")
        .tools(Toolset::new().with(search()).expect("one tool"))
        .max_rounds(u32::MAX)
        .context_window(window)
        .build()
        .expect("is consistent")
}

#[tokio::test]
async fn two_thousand_rounds_end_in_an_answer() {
    for reports in [true, false] {
        let model = std::sync::Arc::new(Narrow::new(2_000, reports));
        let runner = runner(std::sync::Arc::clone(&model), ContextWindow::new(WINDOW));
        let outcome = runner.run("Find everything.").await.expect("answers");
        assert_eq!(
            (&outcome.finish, outcome.rounds),
            (&Finish::Answered, 2_000)
        );
        assert_eq!(outcome.tool_rounds().count(), 2_000, "all is kept");
        let [refused, changed] =
            [&model.refused, &model.changed].map(|count| count.load(Ordering::Relaxed));
        let most = *model.most.lock().expect("is not poisoned");
        eprintln!(
            "usage told: {reports}; {} compactions, {refused} refused, at most {most} tokens",
            outcome.compactions
        );
        assert!(most <= WINDOW && most > WINDOW / 2, "{most}");
        assert!(refused <= if reports { 1 } else { 3 }, "{refused}");
        assert_eq!(outcome.model_calls, 2_001 + refused);
        // What is sent is changed by compactions alone, and by few: each makes room for many rounds.
        assert_eq!(changed, outcome.compactions);
        assert!(outcome.compactions < 150, "{}", outcome.compactions);
    }
}

#[tokio::test]
async fn the_next_run_begins_its_requests_as_the_last_one_did() {
    let model = std::sync::Arc::new(Narrow::new(150, true));
    let runner = runner(std::sync::Arc::clone(&model), ContextWindow::new(WINDOW));
    let mut conversation = Conversation::new();
    let outcome = runner
        .request("Find everything.")
        .within(&mut conversation)
        .run()
        .await;
    let compactions = outcome.expect("answers").compactions;
    assert!(compactions > 1);
    let stored = serde_json::to_string(&conversation).expect("serialises");
    let mut conversation: Conversation = serde_json::from_str(&stored).expect("is one");
    for question in ["And now?", "And now?", "And now?"] {
        let outcome = runner
            .request(question)
            .within(&mut conversation)
            .run()
            .await
            .expect("answers");
        assert_eq!((outcome.text.as_str(), outcome.compactions), ("Done.", 0));
    }
    assert_eq!(model.changed.load(Ordering::Relaxed), compactions);
    assert_eq!(conversation.messages().len(), 8);
    assert!(conversation.shown().len() < 10);
    assert_eq!(conversation.clone().without_compaction().shown().len(), 8);
}

const SUMMARY: &str = "Steps were made, and nothing was found.";

/// A runner whose model calls a tool so often, and the other model that makes its summaries.
fn summarized(rounds: u32) -> (Runner, ScriptedModel) {
    let response = || ModelResponse::from_text(SUMMARY).with_usage(Usage::new(1_000, 10));
    let summarizer = ScriptedModel::new(std::iter::repeat_with(response).take(100));
    let runner = Runner::builder(Narrow::new(rounds, true))
        .tools(Toolset::new().with(search()).expect("one tool"))
        .max_rounds(u32::MAX)
        .context_window(ContextWindow::new(WINDOW))
        .compact_with(summarizer.clone())
        .build()
        .expect("is consistent");
    (runner, summarizer)
}

#[tokio::test]
async fn a_summary_is_another_models_and_nobody_reads_it_as_an_answer() {
    let (runner, summarizer) = summarized(200);
    let mut handle = runner.start("Find everything.");
    let (mut started, mut made) = (0, 0);
    while let Some(event) = handle.next().await {
        match event {
            RunEvent::Delta(ModelEvent::Text(text)) => assert!(!text.contains("nothing was")),
            RunEvent::Recorded { record, .. } => match record {
                Record::Replied { response, .. } => assert!(!response.text.contains("nothing was")),
                Record::CompactionStarted { .. } => started += 1,
                Record::ContextCompacted {
                    compaction, error, ..
                } => {
                    made += 1;
                    assert_eq!(error, None);
                    assert!(compaction.left_out == 0 || compaction.summary.is_some());
                }
                _ => {}
            },
            _ => {}
        }
    }
    let outcome = handle.outcome().await.expect("answers");
    let requests = summarizer.requests();
    assert!(started > 1 && made >= started);
    assert_eq!(
        (requests.len(), outcome.compactions),
        (started, u32::try_from(made).expect("is small"))
    );
    for request in &requests {
        assert!(request.tools.is_empty() && tokens(request) < WINDOW);
    }
    // Each summary tells of the one before.
    let Message::User(asked) = &requests[1].messages[0] else {
        panic!("a message of a user")
    };
    assert!(text_of(&asked.parts).contains(SUMMARY));
    let asked = u32::try_from(requests.len()).expect("is small");
    assert_eq!(outcome.model_calls, 201 + asked);
    assert!(outcome.usage.output_tokens >= 201 * 40 + u64::from(asked) * 10);
    let compaction = outcome.conversation.compaction().expect("there is one");
    assert_eq!(compaction.summary.as_deref(), Some(SUMMARY));
}

/// Wherever it comes: the summary that it makes necessary is made by the other model, before the request that has it.
#[tokio::test]
async fn a_message_that_makes_a_summary_necessary_is_sent_after_it() {
    let long = "word ".repeat(16_000);
    let mut summaries = 0;
    for place in 0..60 {
        let (runner, summarizer) = summarized(12);
        let mut handle = runner.start("Find everything.");
        let (mut read, mut started) = (0, 0);
        while let Some(event) = handle.next().await {
            if read == place {
                let _ = handle.push(long.clone());
            }
            read += 1;
            match event {
                RunEvent::Delta(ModelEvent::Text(text)) => assert!(!text.contains("nothing was")),
                RunEvent::Recorded { record, .. } => match record {
                    Record::Replied { response, .. } => {
                        assert!(!response.text.contains("nothing was"));
                    }
                    Record::CompactionStarted { .. } => started += 1,
                    _ => {}
                },
                _ => {}
            }
        }
        handle.outcome().await.expect("answers");
        assert_eq!(summarizer.requests().len(), started, "said at {place}");
        summaries += started;
    }
    assert!(summaries > 0, "no summary was made");
}

#[test]
fn a_model_for_summaries_needs_a_window() {
    let model = || ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    let runner = Runner::builder(model()).compact_with(model()).build();
    assert!(matches!(runner, Err(BuildError::NoContextWindow)));
}

#[tokio::test]
async fn tools_that_need_much_of_the_window_are_counted_before_anything_is_told() {
    let schema = format!(
        r#"{{"type":"object","description":"{}"}}"#,
        "what it is ".repeat(4_000)
    );
    let schema = toolwright::schema::Schema::from_text(&schema).expect("is JSON");
    let mut conversation = Conversation::new();
    for turn in 0..40 {
        conversation.push_user(format!("Question {turn}"));
        conversation.push_response(ModelResponse::from_text("An answer. ".repeat(200)));
    }
    let model = std::sync::Arc::new(Narrow::new(0, true));
    let runner = Runner::builder(std::sync::Arc::clone(&model))
        .tools(
            Toolset::new()
                .with(search().with_schema(schema))
                .expect("one tool"),
        )
        .context_window(ContextWindow::new(WINDOW))
        .build()
        .expect("is consistent");
    let outcome = runner
        .request("And now?")
        .within(&mut conversation)
        .run()
        .await
        .expect("answers");
    assert_eq!((outcome.compactions, outcome.model_calls), (1, 1));
    assert!(conversation.shown().len() > 5);
}
