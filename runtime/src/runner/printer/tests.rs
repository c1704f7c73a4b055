use std::time::Duration;

use super::*;
use crate::testing::{ScriptedModel, ScriptedResponse};
use crate::{Runner, RunnerBuilder};
use toolwright_core::{
    DynamicTool, ModelError, ModelErrorKind, ModelResponse, Part, ToolCall, ToolError, ToolPolicy,
    Toolset, Usage,
    dynamic::Parameter,
    model::Warning,
    run::Limits,
    tool::{CallUpdate, ProgressReport},
};

/// Waits as long as it is told, and says so. It fails if that is no time at all.
fn tools() -> Toolset {
    let wait = DynamicTool::builder("wait", "Waits as long as it is told.")
        .required("ms", Parameter::integer());
    let wait = wait.build(async |call: ToolCall, _| {
        let ms = call.arguments.trim_matches(|c: char| !c.is_ascii_digit());
        let ms = ms.parse().expect("is a number");
        tokio::time::sleep(Duration::from_millis(ms)).await;
        match ms {
            0 => Err(ToolError::not_found("no time\u{1b}[2J\nat all")),
            ms => Ok(format!("waited\u{1b}[2J\n{ms}")),
        }
    });
    let pay = DynamicTool::builder("pay", "Pays what somebody is owed.")
        .policy(ToolPolicy::default().with_approval());
    let pay = pay.build(async |_: ToolCall, _| Ok::<_, ToolError>("paid"));
    let tools = Toolset::new().with(wait.expect("is sound"));
    let tools = tools.and_then(|tools| tools.with(pay.expect("is sound")));
    tools.expect("the names differ")
}

fn wait(ms: u64) -> ToolCall {
    ToolCall::new("", "wait", format!(r#"{{"ms":{ms}}}"#))
}

fn runner(script: impl IntoIterator<Item = ScriptedResponse>) -> RunnerBuilder {
    Runner::builder(ScriptedModel::new(script))
        .tools(tools())
        .suspends()
}

async fn printed(runner: RunnerBuilder) -> String {
    let mut printer = Printer::new(Vec::new());
    let run = runner.build().expect("is consistent").start("Do it.");
    printer.run(run).await.ok();
    text(printer)
}

fn text(printer: Printer<Vec<u8>>) -> String {
    String::from_utf8(printer.lines.writer).expect("is text")
}

#[tokio::test(start_paused = true)]
async fn calls_run_side_by_side_and_one_of_them_fails() {
    for streaming in [true, false] {
        let mut parts = vec![Part::Text("Let me\nwait.".into())];
        parts.extend([20, 10, 0].map(|ms| Part::Call(wait(ms))));
        let calls = ModelResponse::new(parts).with_usage(Usage::new(10, 2));
        let answer = ModelResponse::from_text("Done.").with_usage(Usage::new(20, 3));
        let runner = runner([calls.into(), answer.into()]).streaming(streaming);
        let expected = "\
Let me
wait.
  0.0 wait({\"ms\":20})
  0.1 wait({\"ms\":10})
  0.2 wait({\"ms\":0})
  0.2 wait failed: no time\\u{1b}[2J at all
  0.1 wait: waited\\u{1b}[2J 10
  0.0 wait: waited\\u{1b}[2J 20
Done.
  ended: the model answered
  rounds: 1, tool calls: 3, model calls: 2, tokens: 30 in, 5 out
";
        assert_eq!(printed(runner).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_is_asked_again_and_what_it_began_is_void() {
    let busy = || ModelError::new(ModelErrorKind::Overloaded, "busy\u{7}");
    let begun = busy().with_partial(ModelResponse::from_calls([wait(1)]));
    let text = busy().with_partial(ModelResponse::from_text("Half a"));
    let script = [
        begun.into(),
        ModelResponse::from_calls([wait(5)]).into(),
        text.into(),
    ];
    let expected = format!(
        "  the model is asked again: {0}
  0.0 wait({{\"ms\":5}})
  0.0 wait: waited\\u{{1b}}[2J 5
Half a
  the model failed: {0}
  ended: failed, {0}
  rounds: 1, tool calls: 1, model calls: 3, tokens: unknown
",
        busy().to_string().replace('\u{7}', "\\u{7}"),
    );
    assert_eq!(printed(runner(script)).await, expected);
}

#[tokio::test]
async fn an_approval_waits_and_the_run_goes_on() {
    let pay = || ToolCall::new("", "pay", "{}");
    let calls = ModelResponse::from_calls([pay(), pay()]);
    let runner = runner([calls.into(), ModelResponse::from_text("Done.").into()]);
    let runner = runner.build().expect("is consistent");
    let mut printer = Printer::new(Vec::new());
    let outcome = printer.run(runner.start("Pay.")).await.expect("waits");
    let stored = outcome.suspended.expect("is suspended");
    let said = [
        stored.pending()[0].approve(),
        stored.pending()[1].deny("too much"),
    ];
    let run = runner
        .resume(stored)
        .decide(said)
        .start()
        .await
        .expect("goes on");
    printer.run(run).await.expect("answers");
    let expected = "  0.0 waits for an approval: pay({})
  0.1 waits for an approval: pay({})
  ended: suspended, calls that wait: 2
  rounds: 0, tool calls: 2, model calls: 1, tokens: unknown
  0.0 pay is approved
  0.1 pay is denied: too much
  0.1 pay failed: the call was not approved: too much
  0.0 pay({})
  0.0 pay: paid
Done.
  ended: the model answered
  rounds: 1, tool calls: 2, model calls: 2, tokens: unknown
";
    assert_eq!(text(printer), expected);
}

#[tokio::test]
async fn a_run_that_goes_on_elsewhere_names_its_calls() {
    let calls = ModelResponse::from_calls([ToolCall::new("", "pay", "{}")]);
    let first = runner([calls.into()]).build().expect("is consistent");
    let outcome = first.run("Pay.").await.expect("waits");
    let stored = outcome.suspended.expect("is suspended");
    let expected = "  0.0 pay is approved
  0.0 pay({})
  0.0 pay: paid
Done.
";
    for is_whole in [true, false] {
        let said = [stored.pending()[0].approve()];
        let second = runner([ModelResponse::from_text("Done.").into()]);
        let second = second.build().expect("is consistent");
        // This printer has seen nothing of the run.
        let mut printer = Printer::new(Vec::new());
        let mut run = second
            .resume(stored.clone())
            .decide(said)
            .start()
            .await
            .expect("goes on");
        if is_whole {
            printer.run(run).await.expect("answers");
        } else {
            printer.follow(&run);
            while let Some(event) = run.next().await {
                printer.print(&event).expect("is written");
            }
        }
        let output = text(printer);
        assert!(output.starts_with(expected), "{output}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_is_named() {
    let call = || ModelResponse::from_calls([wait(5)]).into();
    let limits = Limits::default().with_max_rounds(1);
    let runner = runner([call(), ModelResponse::from_text("So far.").into()]).limits(limits);
    let expected = "  0.0 wait({\"ms\":5})
  0.0 wait: waited\\u{1b}[2J 5
So far.
  ended: the limit of 1 round of tool calls is reached; the model answered from what there was
";
    let mut printer = Printer::new(Vec::new()).with_width(120);
    let run = runner.build().expect("is consistent").start("Do it.");
    printer.run(run).await.expect("answers");
    let output = text(printer);
    assert!(output.starts_with(expected), "{output}");
}

#[tokio::test]
async fn a_cancel_breaks_the_reply_off() {
    let stall = ScriptedResponse::Stall(ModelResponse::from_text("Half a"));
    let runner = runner([stall]).build().expect("is consistent");
    let mut run = runner.start("Do it.");
    let mut printer = Printer::new(Vec::new());
    while let Some(event) = run.next().await {
        printer.print(&event).expect("is written");
        if printer.lines.writer == b"Half a" {
            run.cancel();
        }
    }
    printer
        .end(&run.outcome().await.expect("is cancelled"))
        .expect("is written");
    let expected = "\
Half a
  the response broke off
  the run is to stop
  ended: cancelled
  rounds: 0, tool calls: 0, model calls: 1, tokens: unknown
";
    assert_eq!(text(printer), expected);
}

#[tokio::test]
async fn nothing_that_a_model_writes_reaches_the_terminal_as_an_order() {
    let evil = "\u{1b}]0;title\u{7}\r\u{9b}2J\u{202e}";
    let calls = ModelResponse::new(vec![
        Part::Text(evil.into()),
        Part::Call(ToolCall::new(
            evil,
            evil,
            format!("\"{evil}{}", "x".repeat(500)),
        )),
    ]);
    let mut printer = Printer::new(Vec::new()).with_width(40);
    let run = runner([calls.into(), ModelResponse::from_text(evil).into()]);
    let run = run.build().expect("is consistent").start(evil);
    printer.run(run).await.expect("answers");
    for name in [evil, "pay"] {
        let update = CallUpdate::Progress(ProgressReport::new(1.0).with_message(evil));
        let (call, name) = (CallId { round: 0, index: 0 }, name.to_owned());
        printer.lines.rewrites = true;
        printer
            .print(&RunEvent::Update { call, name, update })
            .expect("is written");
        printer.lines.clear().expect("is written");
    }
    printer
        .print(&RunEvent::Delta(ModelEvent::Warning(Warning::new(
            "x", evil,
        ))))
        .expect("is written");
    let output = text(printer);
    assert!(output.contains("]0;title"), "{output:?}");
    for line in output.split(['\n', '\r']) {
        assert!(
            !line.contains(|c: char| c.is_control() || c == '\u{202e}'),
            "{line:?}"
        );
        assert!(line.chars().count() <= 40, "{line:?}");
    }
}

#[test]
fn progress_is_written_over_where_there_is_a_terminal() {
    let update = |done: f64| RunEvent::Update {
        call: CallId { round: 0, index: 0 },
        name: "copy".to_owned(),
        update: CallUpdate::Progress(ProgressReport::new(done).with_total(2.0).with_message("m")),
    };
    let mut printer = Printer::new(Vec::new());
    printer.print(&update(1.0)).expect("is written");
    assert_eq!(printer.lines.writer, b"");
    let mut lines = Printer::new(Vec::new()).with_progress();
    for done in [1.0, 2.0] {
        lines.print(&update(done)).expect("is written");
    }
    assert_eq!(text(lines), "  0.0 copy 1 of 2: m\n  0.0 copy 2 of 2: m\n");
    let mut printer = printer.with_progress();
    printer.lines.rewrites = true;
    for event in [
        update(1.0),
        update(2.0),
        RunEvent::Delta(ModelEvent::Text("So.".into())),
    ] {
        printer.print(&event).expect("is written");
    }
    let (shown, blank) = ("  0.0 copy 1 of 2: m", " ".repeat(20));
    let expected = format!("{shown}\r{blank}\r  0.0 copy 2 of 2: m\r{blank}\rSo.");
    assert_eq!(text(printer), expected);
}

#[test]
fn a_line_of_any_width_is_written_over() {
    let output = "x".repeat(100_000);
    let update = RunEvent::Update {
        call: CallId { round: 0, index: 0 },
        name: "read".to_owned(),
        update: CallUpdate::Partial(toolwright_core::ToolOutput::text(output)),
    };
    let mut printer = Printer::new(Vec::new()).with_width(usize::MAX);
    printer.lines.rewrites = true;
    for _ in 0..2 {
        printer.print(&update).expect("is written");
    }
    let lines = text(printer);
    let lines: Vec<_> = lines.split('\r').map(str::trim).collect();
    assert_eq!((lines[1], lines[0]), ("", lines[2]));
}

#[test]
fn times_are_short() {
    assert_eq!(calls::shown_time(Duration::from_millis(312)), "312 ms");
    assert_eq!(calls::shown_time(Duration::from_millis(12_340)), "12.3 s");
}
