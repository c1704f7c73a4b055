//! What is sent of a conversation that is longer than the model's context window.

use super::{
    explored::{More, ONCE, config, explore},
    *,
};
use crate::{ToolRound, message::Opaque};

/// What is sent is a conversation that any provider takes. Gives the number of requests that only a window makes.
pub(super) fn check(run: &Run) -> u32 {
    check_messages(&run.request().messages);
    let state = &run.state;
    let whole = &state.conversation;
    if let Some(compaction) = whole.compaction() {
        // The view that was followed piece by piece is the one that is made anew.
        if !whole.requires_tool_execution() {
            assert_eq!(
                state.compacting.view(),
                Some(&whole.shown()),
                "{compaction:?}"
            );
        }
    } else {
        assert_eq!(state.compacting.view(), None);
    }
    state.compacting.requests()
}

fn check_messages(messages: &[Message]) {
    assert!(matches!(messages.first(), Some(Message::User(_))));
    for message in messages {
        let Message::Assistant(message) = message else {
            continue;
        };
        for round in message
            .tool_rounds
            .iter()
            .filter(|round| !round.results.is_empty())
        {
            let calls: Vec<_> = round.calls().map(|call| &call.id).collect();
            let results: Vec<_> = round.results.iter().map(|result| &result.call_id).collect();
            assert_eq!(calls, results);
        }
    }
}

/// Rounds until the window is full; then ways in which a response can end, of which a text may be a summary.
fn long(replies: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let odd = [
        calls(&["late"]),
        ModelResponse::from_text("a text"),
        ModelResponse::from_text(" "),
        ModelResponse::from_text("cut").with_finish_reason(FinishReason::Length),
        ModelResponse::from_text("…").with_finish_reason(FinishReason::Paused),
    ];
    let replies = match replies {
        0 | 1 => vec![calls(&["x"])],
        2..=4 => odd.into(),
        _ => vec![ModelResponse::from_text("done")],
    };
    let without_policies = |response| (response, Vec::new());
    replies.into_iter().map(without_policies).collect()
}

/// Every schedule of a run whose conversation is longer than the window, with and without summaries.
#[test]
fn every_schedule_in_a_window_leaves_a_valid_transcript() {
    let mut states = 0;
    for (max_rounds, tokens, summarizes) in [(3, 50, false), (3, 50, true), (2, 1, true)] {
        let limits = Limits::default()
            .with_max_rounds(max_rounds)
            .with_max_time(std::time::Duration::from_secs(60));
        let mut config = config(limits, 1);
        let mut window = ContextWindow::new(tokens).with_keep_rounds(1);
        window.summarize = summarizes;
        config.context_window = Some(window);
        let more = More {
            failures: 0,
            outages: 1,
            times: 1,
            too_long: 3,
            ..ONCE
        };
        states += explore(long, config, more);
    }
    assert!(states > 3_000, "explored {states} states");
}

/// Numbers that are no pattern, the same each time.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    pub(super) fn text(&mut self) -> String {
        let length = [0, 1, 30, 300, 5_000][usize::try_from(self.below(5)).expect("is small")];
        "word ".repeat(length / 5 + 1)
    }
}

/// A conversation of turns with rounds, pauses, images, opaque parts and errors.
pub(super) fn random_conversation(random: &mut Random) -> Conversation {
    let mut conversation = Conversation::new();
    for _ in 0..random.below(12) {
        conversation.push_user(random.text());
        for _ in 0..random.below(6) {
            let mut parts = vec![
                Part::Reasoning(random.text()),
                signature(&random.below(1_000).to_string()),
            ];
            let count = random.below(3) + 1;
            parts.extend((0..count).map(|_| Part::Call(ToolCall::new("x", "look", "{}"))));
            conversation.push_response(ModelResponse::new(parts));
            let results = (0..count).map(|_| match random.below(4) {
                0 => ToolResult::error_message("x", random.text()),
                1 => ToolResult::success(
                    "x",
                    crate::ToolOutput::text(random.text()).with_image(image()),
                ),
                _ => ToolResult::success("x", random.text()),
            });
            let results: Vec<_> = results.collect();
            conversation.push_results(results).expect("they are theirs");
        }
        for _ in 0..random.below(3) {
            conversation.push_response(ModelResponse::from_text(random.text()));
        }
    }
    conversation
}

fn signature(text: &str) -> Part {
    Part::Opaque(Opaque {
        provider: "anthropic".into(),
        data: serde_json::json!({"signature": text}),
    })
}

fn image() -> crate::message::Image {
    crate::message::Image::from_url("https://example.com/a.png")
}

pub(super) fn windowed(window: ContextWindow) -> RunConfig {
    let mut config = RunConfig::default();
    config.limits.max_rounds = u32::MAX;
    config.limits.no_progress = false;
    config.context_window = Some(window);
    config
}

pub(super) fn start_in(window: ContextWindow, conversation: &Conversation) -> (Run, Vec<Record>) {
    Run::start(
        RunId::new("run"),
        windowed(window),
        conversation.clone(),
        "question",
    )
}

pub(super) fn too_long() -> Signal {
    Signal::ModelFailed(ModelError::new(ModelErrorKind::ContextTooLong, "too long"))
}

/// The rounds of messages, whole.
fn rounds(messages: &[Message]) -> Vec<&ToolRound> {
    let rounds = messages.iter().filter_map(|message| match message {
        Message::Assistant(message) => Some(&message.tool_rounds),
        Message::User(_) => None,
    });
    rounds.flatten().collect()
}

#[test]
fn what_is_sent_of_any_conversation_is_one() {
    let mut random = Random(7);
    let mut compacted = 0;
    for number in 0..400 {
        let before = random_conversation(&mut random);
        let mut window = ContextWindow::new(100 + random.below(8_000))
            .with_keep_rounds(u32::try_from(random.below(4)).expect("is small"));
        window.summarize = number % 2 == 0;
        let (mut run, mut log) = start_in(window, &before);
        for _ in 0..6 {
            check(&run);
            if run.poll() == [Action::CallModel(ModelCall::Compact)] {
                reply(&mut run, ModelResponse::from_text("in short"));
                log.clear();
            }
            check(&run);
            let request = run.request();
            compacted += usize::from(request.messages != *run.conversation().messages());
            // Each response that is sent is whole, with all that was signed in it, and in its order.
            let conversation = run.conversation();
            let whole = rounds(conversation.messages());
            let sent = rounds(&request.messages);
            let latest = &whole[whole.len() - sent.len()..];
            for (sent, whole) in sent.iter().zip(latest) {
                assert_eq!(sent.reply, whole.reply);
            }
            // The question is always among it, and the conversation itself is whole.
            assert!(
                request
                    .messages
                    .iter()
                    .any(|message| *message == Message::user("question"))
            );
            assert_eq!(
                conversation.messages()[..before.messages().len()],
                *before.messages()
            );
            let stored = serde_json::to_string(&conversation).expect("serialises");
            let read: Conversation = serde_json::from_str(&stored).expect("is valid");
            assert_eq!((&read, read.shown()), (&conversation, conversation.shown()));

            let count = random.below(3) + 1;
            let ids = ["a", "b", "c"];
            reply(
                &mut run,
                calls(&ids[..usize::try_from(count).expect("is small")]),
            );
            while let Some(Action::StartCall(id)) = run.poll().first().copied() {
                run.handle(Signal::CallStarted(id));
                run.handle(Signal::CallFinished(
                    id,
                    ToolResult::success("", random.text()),
                ));
            }
        }
    }
    assert!(compacted > 1_000, "compacted {compacted} times");
}

#[test]
fn turns_before_the_run_are_left_out_whole() {
    let mut before = Conversation::new();
    for turn in 0..100 {
        before.push_user(format!("question {turn}"));
        before.push_response(calls(&["x"]));
        let result = ToolResult::success("x", "found. ".repeat(20));
        before.push_results([result]).expect("it is its own");
        before.push_response(ModelResponse::from_text(format!(
            "answer {turn}: {}",
            "so. ".repeat(40)
        )));
    }
    let (run, log) = start_in(ContextWindow::new(4_000), &before);
    let [_, Record::ContextCompacted { compaction, .. }] = &log[..] else {
        panic!("{log:?}")
    };
    assert_eq!(compaction.left_out % 3, 0, "turns have three pieces");
    let request = run.request();
    let texts = request.messages.iter().map(|message| match message {
        Message::User(message) => crate::message::text_of(&message.parts),
        Message::Assistant(message) => message.text(),
    });
    let texts: Vec<_> = texts.collect();
    let first = compaction.left_out / 3;
    assert!(
        texts[0].contains(&format!("the {} oldest messages", compaction.left_out)),
        "{}",
        texts[0]
    );
    assert_eq!(texts[1], format!("question {first}"));
    assert!(texts[2].starts_with(&format!("answer {first}:")));
    assert_eq!(texts.last().map(String::as_str), Some("question"));
    // About half of the window.
    let bytes = serde_json::to_string(&request).expect("serialises").len();
    assert!((4_000..12_000).contains(&bytes), "{bytes}");
}

#[test]
fn latest_results_that_alone_do_not_fit_are_cut() {
    let (mut run, mut log) = start_in(ContextWindow::new(32_000), &Conversation::new());
    for _ in 0..3 {
        log.extend(run.handle(Signal::Replied {
            unfit: None,
            response: calls(&["a", "b", "c", "d", "e"]),
            policies: Vec::new(),
        }));
        while let Some(Action::StartCall(id)) = run.poll().first().copied() {
            log.extend(run.handle(Signal::CallStarted(id)));
            let result = ToolResult::success("", "found ".repeat(5_000));
            log.extend(run.handle(Signal::CallFinished(id, result)));
        }
        let request = run.request();
        let bytes = serde_json::to_string(&request.messages).expect("serialises");
        // At most what is free of the window, and at least a beginning of each of the latest results.
        assert!(bytes.len() < 24_000 * 4, "{}", bytes.len());
        let sent = rounds(&request.messages);
        let latest = sent.last().expect("there is one");
        for result in &latest.results {
            let text = result.to_model_text();
            assert!(text.starts_with("found found") && text.contains("[the rest is left out: "));
        }
        check(&run);
    }
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}
