//! What a model reads of an outcome is bounded, and the whole goes to whoever keeps it.

use std::sync::{Arc, Mutex, PoisonError};

use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput,
    Toolset,
    dispatch::{CallOptions, DispatchOptions, OversizedOutput, dispatch_fn},
    message::ToolRound,
    run::RunOutcome,
    runner::RunnerBuilder,
    testing::ScriptedModel,
    tool,
    tool::ToolPolicy,
    toolset,
};

use crate::handwritten::{Handwritten, echo};

/// The budget, unless set.
const STANDARD: usize = 32 * 1024;

/// Say so many words.
#[tool]
async fn talk(words: usize) -> String {
    "word ".repeat(words)
}

/// Give so many numbers.
#[tool]
async fn count(numbers: usize) -> Vec<usize> {
    (0..numbers).collect()
}

/// Fail with so many words.
#[tool]
async fn complain(words: usize) -> Result<(), ToolError> {
    Err(ToolError::not_found("word ".repeat(words)).with_detail("words", "word ".repeat(words)))
}

/// Fail with so many words, and nothing else.
#[tool]
async fn refuse(words: usize) -> Result<(), String> {
    Err("word ".repeat(words))
}

fn tools() -> Toolset {
    toolset![talk, count, complain, refuse]
}

fn call(name: &str, argument: &str, number: usize) -> ToolCall {
    ToolCall::new(
        format!("{name}_1"),
        name,
        format!(r#"{{"{argument}":{number}}}"#),
    )
}

async fn text(call: ToolCall, options: &DispatchOptions) -> String {
    let results = tools().dispatch_with(&[call], options).await;
    results[0].to_model_text().into_owned()
}

async fn run(call: ToolCall, set: impl FnOnce(RunnerBuilder) -> RunnerBuilder) -> RunOutcome {
    let replies = [
        ModelResponse::from_calls([call]),
        ModelResponse::from_text("done"),
    ];
    let runner = Runner::builder(ScriptedModel::new(replies)).tools(tools());
    let runner = set(runner).build().expect("the settings agree");
    let outcome = runner.run("Talk.").await;
    outcome.expect("the model answers")
}

fn result_of(outcome: &RunOutcome) -> String {
    let mut answered = outcome.tool_rounds().flat_map(ToolRound::answered_calls);
    let (_, result) = answered.next().expect("one call was answered");
    result.to_model_text().into_owned()
}

#[tokio::test]
async fn a_long_text_is_cut_to_its_head_and_its_tail() {
    let whole = "word ".repeat(10_000);
    for text in [
        text(call("talk", "words", 10_000), &DispatchOptions::new()).await,
        result_of(&run(call("talk", "words", 10_000), |runner| runner).await),
    ] {
        assert!(text.len() <= STANDARD && text.len() > STANDARD - 100);
        let (head, rest) = text.split_once("\n[... ").expect("there is a notice");
        let (notice, tail) = rest.split_once(" ...]\n").expect("it has an end");
        assert!(whole.starts_with(head) && whole.ends_with(tail));
        let missing = whole.len() - head.len() - tail.len();
        assert_eq!(notice, format!("{missing} bytes left out"));
    }
}

#[tokio::test]
async fn the_budget_can_be_set_and_lifted() {
    let (short, all) = (Some(100), None);
    for (bytes, expected) in [(short, 100), (all, 50_000)] {
        let options = DispatchOptions::from(CallOptions::new().with_max_output(bytes));
        let dispatched = text(call("talk", "words", 10_000), &options).await;
        let run = result_of(
            &run(call("talk", "words", 10_000), |runner| {
                runner.calls(CallOptions::new().with_max_output(bytes))
            })
            .await,
        );
        assert_eq!(dispatched, run);
        assert!(dispatched.len() <= expected && dispatched.len() > expected - 10);
    }
}

#[tokio::test]
async fn a_tools_own_budget_comes_first() {
    let policy = ToolPolicy::default().with_max_output(60);
    let tools = Toolset::new().with(echo().with_policy(policy)).unwrap();
    let call = ToolCall::new("a", "echo", "x".repeat(1_000));
    let options = DispatchOptions::from(CallOptions::new().with_max_output(500));
    let dispatched = tools.dispatch_with(std::slice::from_ref(&call), &options);
    let dispatched = dispatched.await.remove(0);
    // By itself a call has the tool's own budget and no other.
    let alone = tools.call(&call, &ToolContext::default()).await;
    assert_eq!(alone, dispatched);
    assert!(alone.to_model_text().len() <= 60);
    let plain = Toolset::new().with(echo()).unwrap();
    let call = ToolCall::new("a", "echo", "x".repeat(100_000));
    let alone = plain.call(&call, &ToolContext::default()).await;
    assert_eq!(alone.to_model_text(), call.arguments);
}

#[tokio::test]
async fn what_fits_stays_as_it_is() {
    let options = DispatchOptions::from(CallOptions::new().with_max_output(50));
    assert_eq!(text(call("talk", "words", 10), &options).await.len(), 50);
    assert_eq!(text(call("count", "numbers", 3), &options).await, "[0,1,2]");
}

#[tokio::test]
async fn errors_are_bounded_too() {
    let options = DispatchOptions::from(CallOptions::new().with_max_output(200));
    let failed = text(call("complain", "words", 1_000), &options).await;
    assert!(failed.len() <= 200, "{failed}");
    assert!(
        failed.starts_with("Tool execution failed (resourceNotFound): word word"),
        "{failed}"
    );
    let refused = text(call("refuse", "words", 1_000), &options).await;
    assert!(
        refused.len() <= 200 && refused.starts_with("Tool execution failed (unknown): word word"),
        "{refused}"
    );
    // The name is the model's own, and may be of any length.
    let unknown = text(call(&"x".repeat(100_000), "a", 1), &options).await;
    assert!(
        unknown.len() <= 200 && unknown.contains("resourceNotFound"),
        "{unknown}"
    );
    let calls = [call("a", "a", 1)];
    let thrown = dispatch_fn(&calls, &options, async |_, _| {
        Err::<(), _>(ToolError::internal("x".repeat(1_000)))
    });
    let error = thrown.await.remove(0).outcome.unwrap_err();
    assert_eq!(error.category, ErrorCategory::Unknown);
    assert!(error.log.is_some_and(|log| log.len() <= 200));
}

#[tokio::test]
async fn the_whole_goes_to_whoever_keeps_it() {
    let kept = Arc::new(Mutex::new(Vec::<OversizedOutput>::new()));
    let keeper = kept.clone();
    let options = DispatchOptions::from(CallOptions::new().with_max_output(300).with_overflow(
        move |overflow: OversizedOutput| {
            let place = format!("kept/{}.txt", overflow.result.call_id);
            keeper.lock().unwrap().push(overflow);
            async { Some(place) }
        },
    ));
    let calls = [
        call("talk", "words", 200),
        call("talk", "words", 2),
        call("complain", "words", 200),
    ];
    let results = tools().dispatch_with(&calls, &options).await;
    let [long, short, failed] = &results[..] else {
        panic!("there are three calls")
    };
    assert!(
        long.to_model_text()
            .contains("; the whole output: kept/talk_1.txt ...]")
    );
    assert_eq!(short.to_model_text(), "word word ");
    assert!(failed.to_model_text().contains("kept/complain_1.txt"));

    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let whole: Vec<_> = kept
        .iter()
        .map(|overflow| (&*overflow.tool, overflow.result.is_error(), overflow.limit))
        .collect();
    assert_eq!(whole, [("talk", false, 300), ("complain", true, 300)]);
    assert_eq!(kept[0].result.to_model_text(), "word ".repeat(200));
    assert!(kept[1].result.to_model_text().len() > 2_000);
}

#[tokio::test]
async fn who_keeps_it_may_fail() {
    let cut = text(
        call("talk", "words", 200),
        &DispatchOptions::from(CallOptions::new().with_max_output(100)),
    )
    .await;
    let nowhere = DispatchOptions::from(
        CallOptions::new()
            .with_max_output(100)
            .with_overflow(async |_| None),
    );
    let crash = DispatchOptions::from(
        CallOptions::new()
            .with_max_output(100)
            .with_overflow(async |_| panic!("the disk is full")),
    );
    for options in [nowhere, crash] {
        assert_eq!(text(call("talk", "words", 200), &options).await, cut);
    }
}

#[tokio::test]
async fn json_that_is_cut_is_sent_as_text_and_images_stay() {
    use toolwright::{message::Image, tool::OutputPart};

    let parts = Handwritten::new("parts", async |_, _| {
        let numbers: Vec<_> = (0..1_000).collect();
        let image = Image::from_bytes("image/png", [0; 3_000]);
        ToolOutput::image(image).with_json(&numbers)
    });
    let tools = Toolset::new().with(parts).unwrap();
    let options = DispatchOptions::from(CallOptions::new().with_max_output(200));
    let calls = [ToolCall::new("a", "parts", "")];
    let result = tools.dispatch_with(&calls, &options);
    let output = result.await.remove(0).outcome.unwrap();
    let [
        OutputPart::Image(Image::Base64 { data, .. }),
        OutputPart::Text(text),
    ] = &output.parts[..]
    else {
        panic!("an image, and what is left of the numbers: {output:?}")
    };
    assert_eq!(data.len(), 4_000);
    assert!(
        text.starts_with("[0,1,2,") && text.ends_with("998,999]"),
        "{text}"
    );
    assert!(
        text.contains("; what is left is no valid JSON ...]"),
        "{text}"
    );
}
