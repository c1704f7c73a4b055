//! Whatever the calls of a batch do, in whatever order they end: the results stand in the order of the
//! calls, one for each, and only the call that fails has failed.

use std::{num::NonZeroUsize, time::Duration};

use tokio::{runtime::Handle, time::sleep};
use toolwright::{
    Dispatch, ErrorCategory, ToolCall, ToolContext, ToolError, ToolOutput, ToolResult, Toolset,
    dispatch::{CallOptions, DispatchEvent, DispatchOptions},
    tool::{Backoff, CancellationToken, Effects, ToolPolicy},
};

use crate::handwritten::Handwritten;

/// Numbers that are the same in every run of the tests (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    /// The seed is not 0.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

/// What a call does, after it has waited for so many milliseconds.
const DEEDS: [&str; 7] = [
    "succeed", "fail", "panic", "hang", "flaky", "report", "alone",
];

async fn act(call: ToolCall, cx: ToolContext) -> Result<ToolOutput, ToolError> {
    let wait = call.arguments.parse()?;
    if wait > 0 {
        sleep(Duration::from_millis(wait)).await;
    }
    match call.name.as_str() {
        "fail" => Err(ToolError::not_found("not there")),
        "panic" => panic!("on purpose"),
        "hang" => std::future::pending().await,
        "flaky" if cx.attempt() < 3 => Err(ToolError::new(ErrorCategory::NetworkError, "gone")),
        "report" => {
            cx.progress().step(1, 2, "half");
            Ok(ToolOutput::text(call.arguments))
        }
        _ => Ok(ToolOutput::text(call.arguments)),
    }
}

fn tools() -> Toolset {
    let mut all = DEEDS.into_iter().map(|name| {
        let policy = match name {
            "flaky" => ToolPolicy::default().with_effects(Effects::ReadOnly),
            "alone" => ToolPolicy::default().with_sequential(),
            "report" => ToolPolicy::default().with_spawn(),
            _ => ToolPolicy::default(),
        };
        Handwritten::new(name, act).with_policy(policy)
    });
    all.try_fold(Toolset::new(), Toolset::with)
        .expect("the names differ")
}

fn batch(dice: &mut Dice) -> Vec<ToolCall> {
    let ids = ["", "x", "y"];
    (0..dice.roll(12))
        .map(|_| {
            let deed = match dice.roll(8) {
                7 => "unknown",
                other => DEEDS[usize::try_from(other).expect("is small")],
            };
            let id = ids[usize::try_from(dice.roll(3)).expect("is small")];
            ToolCall::new(id, deed, dice.roll(4).to_string())
        })
        .collect()
}

fn check(call: &ToolCall, result: &ToolResult, cancelled: bool) {
    assert_eq!(result.call_id, call.id);
    let expected = match call.name.as_str() {
        "fail" | "unknown" => Err(ErrorCategory::ResourceNotFound),
        "panic" => Err(ErrorCategory::Unknown),
        "hang" => Err(ErrorCategory::ExecutionTimeout),
        _ => Ok(call.arguments.clone()),
    };
    let actual = match &result.outcome {
        Ok(output) => Ok(output.to_text().into_owned()),
        Err(error) => Err(error.category),
    };
    // A call between two attempts ends as the last one did.
    let between = call.name == "flaky" && actual == Err(ErrorCategory::NetworkError);
    let stopped = cancelled && (actual == Err(ErrorCategory::Cancelled) || between);
    assert!(actual == expected || stopped, "{call:?}: {result:?}");
}

#[tokio::test(start_paused = true)]
async fn whatever_happens_each_call_has_its_own_result_in_its_place() {
    let (tools, mut dice) = (tools(), Dice::new(1));
    for _ in 0..2_000 {
        let calls = batch(&mut dice);
        let token = CancellationToken::new();
        let bound = NonZeroUsize::new(usize::try_from(dice.roll(5)).expect("is small") + 1);
        let options = DispatchOptions::from(
            CallOptions::new()
                .with_concurrency(bound.expect("from 1"))
                .with_timeout(Duration::from_millis(10))
                .with_backoff(Backoff::new(
                    Duration::from_millis(4),
                    Duration::from_millis(4),
                ))
                .with_grace(Duration::from_millis(dice.roll(3))),
        )
        .with_context(ToolContext::default().with_cancellation(token.clone()));
        let cancel_at = (dice.roll(2) == 0).then(|| dice.roll(20));
        let stop = async {
            if let Some(after) = cancel_at {
                sleep(Duration::from_millis(after)).await;
                token.cancel();
            }
        };
        let streamed = dice.roll(2) == 0;
        let run = async {
            if streamed {
                read(&tools, &calls, &options).await
            } else {
                tools.dispatch_with(&calls, &options).await
            }
        };
        let (results, ()) = tokio::join!(run, stop);
        assert_eq!(results.len(), calls.len());
        for (call, result) in calls.iter().zip(&results) {
            check(call, result, cancel_at.is_some());
        }
    }
    sleep(Duration::from_millis(1)).await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

/// Reads every event, and checks that each call starts, says what it says and finishes in that order.
async fn read(tools: &Toolset, calls: &[ToolCall], options: &DispatchOptions) -> Vec<ToolResult> {
    let mut stream = tools.dispatch_stream(calls, options);
    let mut finished = vec![None; calls.len()];
    let mut attempts = vec![0; calls.len()];
    while let Some(event) = stream.next().await {
        match event {
            DispatchEvent::Started { index, attempt } => {
                attempts[index] += 1;
                assert_eq!(attempt, attempts[index]);
                assert!(finished[index].is_none());
            }
            DispatchEvent::Delayed { index, .. } | DispatchEvent::Update { index, .. } => {
                assert!(attempts[index] > 0 && finished[index].is_none());
            }
            DispatchEvent::Finished { index, result } => {
                assert!(finished[index].replace(result).is_none(), "once");
            }
            other => panic!("unknown: {other:?}"),
        }
    }
    let results = stream.results().await;
    assert!(
        finished
            .iter()
            .zip(&results)
            .all(|(read, kept)| read.as_ref() == Some(kept))
    );
    results
}

/// How much memory it takes is measured by the benchmark `batch`, which counts.
#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_calls_leave_no_task_behind() {
    let tools = tools();
    let calls: Vec<_> = (0..100_000_u32)
        .map(|i| {
            let deed = match i % 1_000 {
                0 => "panic",
                1 => "hang",
                2 => "flaky",
                3 => "alone",
                4 => "unknown",
                n if n % 10 == 5 => "report",
                n if n % 10 == 6 => "fail",
                _ => "succeed",
            };
            ToolCall::new("", deed, (i % 3).to_string())
        })
        .collect();
    let options = DispatchOptions::from(CallOptions::new().with_timeout(Duration::from_millis(10)));
    let results = tools.dispatch_with(&calls, &options).await;
    assert_eq!(results.len(), calls.len());
    for (call, result) in calls.iter().zip(&results) {
        check(call, result, false);
    }
    sleep(Duration::from_millis(1)).await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}
