//! Readable lines about a run, as events of `tracing`. What the model wrote and what tools answered is not in them.

use std::{collections::BTreeMap, time::Instant};

use tracing::{Level, enabled, info, warn};

use toolwright_core::{
    Toolset,
    driver::counted,
    run::{CallId, Delay, Finish, Record, Run},
};

/// The lines about a run.
#[derive(Default)]
pub(super) struct Trace {
    /// The number of calls of the latest response that have no result.
    open: usize,
    /// True if the latest response has no calls.
    has_text_alone: bool,
    /// The round that was reported last.
    round: Option<u32>,
    /// The calls that run, and when they started.
    started: BTreeMap<CallId, Instant>,
}

/// Returns true if anybody reads the lines.
pub(super) fn is_read() -> bool {
    enabled!(Level::INFO)
}

/// The number of tools of a request up to which models choose well.
const FEW_TOOLS: usize = 20;

/// Warns of more tools in each request than models choose well among.
pub(super) fn warn_of_many_tools(tools: &Toolset) {
    let offered = tools.definitions().filter(|tool| !tool.deferred).count();
    if offered > FEW_TOOLS {
        warn!(
            tools = offered,
            "each request offers {offered} tools, and models choose worse among more than {FEW_TOOLS}: defer \
             those that are seldom used by `Toolset::deferred`"
        );
    }
}

impl Trace {
    /// The lines about a resumed run: its earlier calls, and records that are not reported yet.
    pub(super) fn resumed(run: &Run, untold: &[Record]) -> Self {
        let finished = || {
            untold.iter().filter_map(|record| match record {
                Record::CallFinished { call, .. } => Some(call.round),
                _ => None,
            })
        };
        let under_way = run.calls_under_way();
        let under_way = under_way.first().map(|call| call.round);
        let open = run.open_calls() + finished().count();
        info!(run = %run.id(), calls = open, "run resumed");
        Self {
            open,
            has_text_alone: false,
            round: under_way.or_else(|| finished().next()),
            started: BTreeMap::new(),
        }
    }

    /// Tells what a record says, which the run has applied.
    pub(super) fn tell(&mut self, run: &Run, record: &Record) {
        if !is_read() {
            return;
        }
        let id = run.id();
        match record {
            Record::Started { .. } => info!(run = %id, "run started"),
            Record::Replied { response, .. } => {
                self.open = response.tool_calls.len();
                self.has_text_alone = response.tool_calls.is_empty();
            }
            Record::ModelDelayed { error } => {
                info!(run = %id, error.type = ?error.kind, "the model is asked again");
            }
            Record::ContextCompacted { .. } => info!(run = %id, "less of the conversation is sent"),
            Record::CallStarted { call, name } => {
                self.tell_round(run, *call);
                self.started.insert(*call, Instant::now());
                info!(run = %id, call = %call, gen_ai.tool.name = name.as_str(), "call started");
            }
            Record::CallDelayed { call, why } => {
                self.tell_round(run, *call);
                info!(run = %id, call = %call, waits_for = name_of(why), "call waits");
            }
            Record::CallFinished { call, result, .. } => {
                self.tell_round(run, *call);
                let started = self.started.remove(call);
                let elapsed = started.map(|started| started.elapsed());
                let error = result.outcome.as_ref().err();
                let name = run.call(*call).map(|call| call.name.as_str());
                info!(
                    run = %id,
                    call = %call,
                    gen_ai.tool.name = name,
                    elapsed = elapsed.map(tracing::field::debug),
                    error.type = error.map(|error| error.category.as_str()),
                    "result ready"
                );
                self.open = self.open.saturating_sub(1);
                if self.open == 0 {
                    let calls = calls_of(run, call.round);
                    info!(run = %id, round = call.round + 1, calls, "round complete");
                }
            }
            Record::Transferred { call, from, to } => {
                info!(run = %id, call = %call, from, gen_ai.agent.name = to.as_str(), "handed over");
            }
            Record::Finished { finish } => {
                if self.has_text_alone && *finish == Finish::Answered {
                    info!(run = %id, "no tool calls, generation complete");
                }
                let (rounds, _) = run.spent();
                let after = counted(rounds, "round");
                info!(run = %id, rounds, "{} after {after}", words(finish));
            }
            _ => {}
        }
    }

    /// Tells that the run waits for others.
    pub(super) fn tell_suspended(run: &Run) {
        let calls = run.waiting_for_others().len();
        info!(run = %run.id(), calls, "run suspended");
    }

    /// Tells that a round starts, at the first thing that happens to a call of it.
    fn tell_round(&mut self, run: &Run, call: CallId) {
        if self.round != Some(call.round) {
            self.round = Some(call.round);
            info!(run = %run.id(), round = call.round + 1, calls = self.open, "round started");
        }
    }
}

/// The number of calls of a round.
fn calls_of(run: &Run, round: u32) -> usize {
    let mut ids = (0..).map(|index| CallId { round, index });
    ids.position(|id| run.call(id).is_none())
        .unwrap_or_default()
}

fn name_of(delay: &Delay) -> &'static str {
    match delay {
        Delay::Retry { .. } => "retry",
        Delay::Approval => "approval",
        Delay::Question { .. } => "question",
        Delay::External => "answer",
        Delay::RateLimit => "rate_limit",
        Delay::StillRunning => "still_running",
        Delay::Below { .. } => "below",
    }
}

fn words(finish: &Finish) -> String {
    match finish {
        Finish::Answered => "answer".to_owned(),
        Finish::Suspended => "suspended".to_owned(),
        Finish::Cancelled => "cancelled".to_owned(),
        Finish::Stopped(reason) => format!("stopped: {reason}"),
        Finish::Failed(failure) => format!("failed: {failure}"),
        finish => finish.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fmt::{Debug, Write},
        sync::{Arc, Mutex},
    };

    use tracing::{
        Event, Metadata, Subscriber,
        field::{Field, Visit},
        span::{Attributes, Id, Record},
    };

    use crate::Runner;
    use crate::testing::ScriptedModel;
    use toolwright_core::{
        DynamicTool, ModelResponse, ToolCall, ToolError, ToolPolicy, Toolset,
        run::{Limits, RunError, RunOutcome},
    };

    /// Writes down each event, but for what differs from run to run.
    struct Lines(Arc<Mutex<Vec<String>>>);

    struct Line(String);

    impl Visit for Line {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            let written = match field.name() {
                "message" => write!(self.0, "{value:?};"),
                "run" | "elapsed" => write!(self.0, " {}", field.name()),
                name => write!(self.0, " {name}={value:?}"),
            };
            written.expect("a text takes everything");
        }
    }

    impl Subscriber for Lines {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            !metadata.is_span()
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            let mut line = Line(String::new());
            event.record(&mut line);
            self.0.lock().expect("nothing panics").push(line.0);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    async fn lines_of(runner: Runner) -> Vec<String> {
        lines_while(async || runner.start("secret question").outcome().await).await
    }

    async fn lines_while(run: impl AsyncFnOnce() -> Result<RunOutcome, RunError>) -> Vec<String> {
        let lines = Arc::<Mutex<Vec<_>>>::default();
        let _here = tracing::subscriber::set_default(Lines(Arc::clone(&lines)));
        run().await.expect("is no failure");
        let lines = lines.lock().expect("nothing panics").clone();
        lines
            .into_iter()
            .filter(|line| line.contains(" run"))
            .collect()
    }

    fn builder() -> crate::RunnerBuilder {
        let tool = |name, policy| {
            DynamicTool::builder(name, "Does something, or not.")
                .policy(policy)
                .build(move |_: ToolCall, _| async move {
                    match name {
                        "fail" => Err(ToolError::not_found("secret error")),
                        _ => Ok("secret result"),
                    }
                })
                .expect("is sound")
        };
        let plain = ToolPolicy::default();
        let tools = Toolset::new().with(tool("look", plain)).and_then(|tools| {
            let tools = tools.with(tool("fail", plain))?;
            tools.with(tool("pay", plain.with_approval()))
        });
        let names = ["look", "fail"];
        let calls = names.map(|name| ToolCall::new("", name, "{}"));
        let model = ScriptedModel::new([
            ModelResponse::from_calls(calls),
            ModelResponse::from_text("secret answer"),
        ]);
        Runner::builder(model)
            .tools(tools.expect("the names differ"))
            .suspends()
    }

    #[tokio::test]
    async fn a_run_is_told_line_by_line_without_its_content() {
        let lines = lines_of(builder().build().expect("is consistent")).await;
        let expected = [
            "run started; run",
            "round started; run round=1 calls=2",
            "call started; run call=0.0 gen_ai.tool.name=\"look\"",
            "call started; run call=0.1 gen_ai.tool.name=\"fail\"",
            "result ready; run call=0.0 gen_ai.tool.name=\"look\" elapsed",
            "result ready; run call=0.1 gen_ai.tool.name=\"fail\" elapsed error.type=\"resourceNotFound\"",
            "round complete; run round=1 calls=2",
            "no tool calls, generation complete; run",
            "answer after 1 round; run rounds=1",
        ];
        assert_eq!(lines, expected, "{lines:#?}");
    }

    #[test]
    fn more_tools_than_models_choose_well_among_are_a_warning() {
        let all = |number: usize| {
            let tools = (0..number).map(|index| {
                let tool = DynamicTool::builder(format!("look_{index}"), "Look around, or not.");
                let tool = tool.build(|_: ToolCall, _| async { Ok("nothing") });
                tool.expect("is sound")
            });
            tools.fold(Toolset::new(), |all, tool| {
                all.with(tool).expect("the names differ")
            })
        };
        let lines = |tools: Toolset| {
            let lines = Arc::<Mutex<Vec<String>>>::default();
            let here = tracing::subscriber::set_default(Lines(Arc::clone(&lines)));
            let model = ScriptedModel::new([ModelResponse::from_text("done")]);
            let built = Runner::builder(model).tools(tools).build();
            built.expect("is consistent");
            drop(here);
            Arc::into_inner(lines).map(|lines| lines.into_inner().expect("nothing panics"))
        };
        assert_eq!(lines(all(20)), Some(vec![]));
        let deferred = all(30).deferred(|tool| tool.name.ends_with('0'));
        let told = lines(deferred).expect("the subscriber is gone");
        assert!(
            told[0].starts_with("each request offers 27 tools"),
            "{told:?}"
        );
        assert!(told[0].contains("`Toolset::deferred`"), "{told:?}");
    }

    #[tokio::test]
    async fn a_limit_and_a_suspension_are_told() {
        let limited = builder().limits(Limits::agent().with_max_rounds(1));
        let lines = lines_of(limited.build().expect("is consistent")).await;
        let last = lines.last().expect("there are some");
        assert!(
            last.starts_with("the limit of 1 round of tool calls is reached after 1 round"),
            "{last}"
        );

        let lines = lines_of(waiting()).await;
        let told = [
            "round started; run round=1 calls=2",
            "call waits; run call=0.0 waits_for=\"approval\"",
            "call waits; run call=0.1 waits_for=\"approval\"",
            "run suspended; run calls=2",
        ];
        assert_eq!(lines[1..], told, "{lines:#?}");
    }

    /// A runner whose run waits for two approvals.
    fn waiting() -> Runner {
        let calls = [(); 2].map(|()| ToolCall::new("", "pay", "{}"));
        let calls = ModelResponse::from_calls(calls);
        let tools = builder().build().expect("is consistent").tools();
        let waiting = Runner::builder(ScriptedModel::new([calls])).tools(tools);
        waiting.suspends().build().expect("is consistent")
    }

    #[tokio::test]
    async fn a_round_that_goes_on_is_complete_with_its_last_result() {
        let outcome = waiting().run("Pay.").await.expect("is no failure");
        let stored = outcome.suspended.expect("is suspended");
        let [first, second] = stored.pending() else {
            panic!("both wait");
        };
        let said = [first.deny("no"), second.deny("no")];
        let next = || {
            let model = ScriptedModel::new([ModelResponse::from_text("done")]);
            let tools = builder().build().expect("is consistent").tools();
            let next = Runner::builder(model).tools(tools);
            next.suspends().build().expect("is consistent")
        };
        let denied = "error.type=\"permissionDenied\"";
        let [first, second] = [0, 1].map(|index| {
            format!("result ready; run call=0.{index} gen_ai.tool.name=\"pay\" {denied}")
        });
        let end = [
            "round complete; run round=1 calls=2",
            "no tool calls, generation complete; run",
            "answer after 1 round; run rounds=1",
        ];
        let resumed = |calls: u32| format!("run resumed; run calls={calls}");
        let run = next()
            .resume(stored.clone())
            .decide(said)
            .start()
            .await
            .expect("goes on");
        let lines = lines_while(async || run.outcome().await).await;
        let told = [resumed(2), first.clone(), second.clone()];
        assert_eq!(lines[..3], told, "{lines:#?}");
        assert_eq!(lines[3..], end, "{lines:#?}");

        // A process that was gone before it stored the results of the decisions.
        let mut log = stored.records().to_vec();
        for pending in stored.pending() {
            log.push(toolwright_core::run::Record::CallDecided {
                call: pending.id,
                decision: toolwright_core::tool::Decision::deny("no"),
                tool: None,
            });
            let stored =
                toolwright_core::run::StoredRun::from_records(log.clone()).expect("is a log");
            let run = next().resume(stored).start().await.expect("goes on");
            let lines = lines_while(async || run.outcome().await).await;
            if pending.id.index == 0 {
                let told = [
                    resumed(2),
                    first.clone(),
                    "run suspended; run calls=1".to_owned(),
                ];
                assert_eq!(lines, told, "{lines:#?}");
                let (_, missing) = toolwright_core::run::Run::replay(&log).expect("is a log");
                log.extend(missing);
            } else {
                assert_eq!(lines[..2], [resumed(1), second.clone()], "{lines:#?}");
                assert_eq!(lines[2..], end, "{lines:#?}");
            }
        }
    }
}
