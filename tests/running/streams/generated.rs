//! Runs of scripts that are made at random, each the same every time.

use std::time::Duration;

use toolwright::{
    ModelResponse, Runner, ToolOutput,
    message::{Image, Part},
    model::{FinishReason, ModelEvent},
    run::{Limits, OnLimit, PendingCall, Resolution, WaitsFor},
    runner::{RunEvent, RunHandle},
    testing::{ScriptedModel, ScriptedResponse},
};

use super::scripts::{Told, call, failure, outcome, reply, said, text, thought, tools};

const HOUR: Duration = Duration::from_secs(3600);

/// Numbers that follow from the first.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(number: u64) -> Self {
        Self(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one.
    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is below a `usize`")
    }

    fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

const TEXTS: [&str; 7] = [
    "It rains.",
    "a\nb\r\n\r\nc",
    "“Grüße” 👋🏽 \u{2028} end",
    "data: {\"type\":\"finish\"}\n\n",
    "x",
    " ",
    "<script>alert(1)</script>",
];

const CALLS: [(&str, &str); 18] = [
    ("look", r#"{"city": "Oslo"}"#),
    ("look", r#"{"city": "Atlantis"}"#),
    ("look", r#"{"town": 1}"#),
    ("look", r#"{"city": "#),
    ("draw", ""),
    ("draw", "{}"),
    ("count", "{\n \"word\": \"tea\"\r\n}"),
    ("count", r#"{"word": "tea", "__proto__": {"a": 1}}"#),
    ("count", r#"{"word": {"constructor": {"prototype": 1}}}"#),
    ("count", r#"{"word": 1e400}"#),
    ("pay", r#"{"euros": 1}"#),
    ("pay", r#"{"euros": 2}"#),
    ("pay", r#"{"euros": 13}"#),
    ("choose_colour", r#"{"colours": ["red"]}"#),
    ("nobody", "{}"),
    ("no-such - tool/\"x\"\n", r#"{"a": [1, {"b": null}]}"#),
    ("__proto__", "[]"),
    ("constructor", "12"),
];

fn parts(dice: &mut Dice, calls: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    if dice.one_in(3) {
        parts.push(thought(dice.of(&TEXTS)));
    }
    if dice.one_in(2) {
        parts.push(text(dice.of(&TEXTS)));
    }
    for _ in 0..calls {
        let (name, arguments) = dice.of(&CALLS);
        parts.push(call(name, arguments));
        if dice.one_in(6) {
            parts.push(text(dice.of(&TEXTS)));
        }
    }
    if dice.one_in(12) {
        parts.push(Part::Image(Image::from_bytes("image/png", b"\x89PNG")));
    }
    parts
}

fn script(dice: &mut Dice) -> Vec<ScriptedResponse> {
    let mut script = Vec::new();
    for _ in 0..=dice.below(4) {
        let calls = dice.below(4);
        let parts = parts(dice, calls);
        script.push(match dice.below(14) {
            0 => failure(Some(reply([thought("One way."), call("look", r#"{"ci"#)]))).into(),
            1 => failure(None).into(),
            2 => reply([thought("Nothing to say.")]).into(),
            3 => reply(parts).with_finish_reason(FinishReason::Length).into(),
            4 => reply(
                parts
                    .into_iter()
                    .filter(|part| !matches!(part, Part::Call(_))),
            )
            .with_finish_reason(FinishReason::Paused)
            .into(),
            _ => reply(parts).into(),
        });
    }
    script.push(match dice.below(10) {
        0 => ScriptedResponse::Stall(reply(parts(dice, 1))),
        1 => failure(Some(reply([text("It was")])))
            .with_retryable(false)
            .into(),
        2 => refusal().into(),
        _ => reply([thought("So."), text("Done.")]).into(),
    });
    // More than any run asks for.
    script.extend((0..12).map(|_| reply([text("And done.")]).into()));
    script
}

fn refusal() -> ModelResponse {
    let mut refused = reply([]).with_finish_reason(FinishReason::Refusal);
    refused.refusal = Some("I will not.".to_owned());
    refused
}

/// Reads a run, pushes messages to it and cancels it.
async fn read(run: &mut RunHandle, dice: &mut Dice) -> Vec<RunEvent> {
    let cancels = dice.one_in(7).then(|| dice.below(25));
    let pushes = dice.one_in(5).then(|| dice.below(8));
    let mut events = Vec::new();
    loop {
        // Time is paused: it is only over when nothing else happens, which is a reply that stalls.
        let Ok(event) = tokio::time::timeout(HOUR, run.next()).await else {
            run.cancel();
            continue;
        };
        let Some(event) = event else { break };
        events.push(event);
        if pushes == Some(events.len()) {
            // It may be over already.
            let _ = run.push("And in Rome?");
        }
        if cancels == Some(events.len()) {
            run.cancel();
        }
    }
    events
}

fn resolution(call: &PendingCall, dice: &mut Dice) -> Resolution {
    match (call.waits_for, dice.one_in(2)) {
        (WaitsFor::Answer, true) => call.answer(ToolOutput::text("red")),
        (WaitsFor::Answer, false) => call.fail(toolwright::ToolError::not_found("no paint")),
        (_, true) => call.approve(),
        (_, false) => call.deny("too much"),
    }
}

/// What somebody reads who comes in the middle, is slow, or reads along with a driver that is gone.
fn as_read(events: Vec<RunEvent>, dice: &mut Dice) -> Vec<RunEvent> {
    let how = dice.below(4);
    let mut read = Vec::new();
    let mut pieces = Vec::new();
    let mut last = 0;
    for event in events {
        match &event {
            RunEvent::Delta(piece) => {
                pieces.push(piece.clone());
                match how {
                    // Slow.
                    1 if dice.one_in(2) => read.push(RunEvent::ResponseSnapshot {
                        after: last,
                        pieces: pieces.clone(),
                    }),
                    1 => {}
                    // It read something else of a driver that is gone.
                    2 if pieces.len() == 1 && dice.one_in(3) => {
                        let other = ModelEvent::Text("Good day".to_owned());
                        read.push(RunEvent::Delta(other));
                        read.push(RunEvent::ResponseReset { after: last });
                        read.push(event);
                    }
                    _ => read.push(event),
                }
            }
            RunEvent::Recorded { sequence, .. } => {
                last = *sequence;
                pieces.clear();
                read.push(event);
            }
            _ => read.push(event),
        }
    }
    read
}

/// A run at random. Time must be paused.
pub(super) async fn run(number: u64) -> Told {
    let mut dice = Dice::new(number);
    let mut limits = Limits::default();
    if dice.one_in(8) {
        (limits.max_rounds, limits.on_limit) = (1, dice.of(&[OnLimit::Stop, OnLimit::Summarize]));
    }
    let script = script(&mut dice);
    let runner = Runner::builder(ScriptedModel::new(script))
        .tools(tools())
        .limits(limits)
        .suspends()
        .build()
        .expect("is consistent");
    let mut run = runner.start("Hi.");
    let mut parts = Vec::new();
    loop {
        let events = read(&mut run, &mut dice).await;
        parts.push(as_read(events, &mut dice));
        let outcome = outcome(run).await;
        let Some(stored) = outcome.suspended.clone() else {
            return Told {
                name: "generated",
                parts,
                said: said(&outcome.conversation),
                is_broken_off: outcome.broken_off,
            };
        };
        let said = outcome
            .pending
            .iter()
            .map(|call| resolution(call, &mut dice));
        let said: Vec<_> = said.collect();
        run = runner
            .resume(stored)
            .decide(said)
            .start()
            .await
            .expect("goes on");
    }
}
