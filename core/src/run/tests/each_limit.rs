//! Each limit of a run, at 0, 1, 2 and 50, whatever happens when it is reached.

use super::*;
use crate::Toolset;

const ON_LIMIT: [OnLimit; 3] = [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error];

/// A model that never comes to an end: calls as long as it may, and its text when it is to answer.
struct Endless {
    calls_per_response: usize,
    tokens: u64,
    result: fn() -> ToolResult,
}

impl Endless {
    fn new(calls_per_response: usize) -> Self {
        Self {
            calls_per_response,
            tokens: 10,
            result: || ToolResult::success("", "ok"),
        }
    }

    /// Runs to the end. It gives the outcome and the number of calls that ran.
    fn run(&self, config: RunConfig) -> (RunOutcome, u32) {
        let (mut run, mut log) =
            Run::start(RunId::new("run"), config, Conversation::new(), "question");
        let mut ran = 0;
        let mut round = 0;
        while run.outcome().is_none() {
            let signal = match run.poll()[0] {
                Action::CallModel(call) => {
                    round += 1;
                    let mut response = match call {
                        ModelCall::Open => {
                            let ids = (0..self.calls_per_response).map(|index| {
                                // Each round is another one: progress is made.
                                let arguments = format!(r#"{{"n":{round}}}"#);
                                ToolCall::new(index.to_string(), "look", arguments)
                            });
                            ModelResponse::from_calls(ids)
                        }
                        _ => ModelResponse::from_text("so far"),
                    };
                    response.model = Some("gpt-5.1-mini-2026-01-15".to_owned());
                    response.usage = Some(Usage::new(self.tokens / 2, self.tokens / 2));
                    let policies = Vec::new();
                    Signal::Replied {
                        unfit: None,
                        response,
                        policies,
                    }
                }
                Action::StartCall(id) => {
                    ran += 1;
                    log.extend(run.handle(Signal::CallStarted(id)));
                    Signal::CallFinished(id, (self.result)())
                }
                _ => panic!("nothing else comes"),
            };
            log.extend(run.handle(signal));
        }
        assert_eq!(Run::replay(&log), Ok((run.clone(), Vec::new())));
        (outcome(&run), ran)
    }
}

fn config(limits: Limits, on_limit: OnLimit) -> RunConfig {
    RunConfig {
        limits: limits.with_on_limit(on_limit).with_no_progress(false),
        prices: PriceTable::new().with("gpt-5.1-mini", Price::per_million(1e6, 1e6)),
        ..RunConfig::default()
    }
}

fn finish(limit: Limit, on_limit: OnLimit) -> Finish {
    let summarized = on_limit == OnLimit::Summarize;
    match on_limit {
        OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
        _ => Finish::Limit { limit, summarized },
    }
}

/// The answer, if one is asked for at the limit.
fn answer(on_limit: OnLimit) -> u32 {
    u32::from(on_limit == OnLimit::Summarize)
}

#[test]
fn rounds_and_tool_calls() {
    for on_limit in ON_LIMIT {
        for max in [0, 1, 2, 50] {
            let rounds = config(Limits::agent().with_max_rounds(max), on_limit);
            let (outcome, ran) = Endless::new(1).run(rounds);
            assert_eq!(outcome.finish, finish(Limit::Rounds { max }, on_limit));
            let counted = (outcome.model_calls, outcome.rounds, outcome.tool_calls, ran);
            assert_eq!(counted, (max + 1, max, max, max));

            let limits = Limits::agent().with_max_rounds(60).with_max_tool_calls(max);
            let (outcome, ran) = Endless::new(1).run(config(limits, on_limit));
            assert_eq!(outcome.finish, finish(Limit::ToolCalls { max }, on_limit));
            let counted = (outcome.model_calls, outcome.rounds, outcome.tool_calls, ran);
            assert_eq!(counted, (max + 1, max, max, max));
        }
    }
}

/// The first calls run and the others are answered.
#[test]
fn tool_calls_that_are_too_many_in_one_reply() {
    for on_limit in ON_LIMIT {
        for (max, calls_per_response, rounds) in [(1, 3, 1), (2, 3, 1), (50, 20, 3), (50, 100, 1)] {
            let limits = Limits::agent().with_max_tool_calls(max);
            let (outcome, ran) = Endless::new(calls_per_response).run(config(limits, on_limit));
            assert_eq!(outcome.finish, finish(Limit::ToolCalls { max }, on_limit));
            let counted = (outcome.model_calls, outcome.rounds, ran);
            assert_eq!(counted, (rounds + answer(on_limit), rounds, max));
            let last = outcome.tool_rounds().last().expect("there is one");
            let (ok, refused): (Vec<_>, Vec<_>) = last
                .results
                .iter()
                .partition(|result| result.outcome.is_ok());
            assert_eq!(ok.len() + refused.len(), calls_per_response);
            for result in refused {
                let text = result.to_model_text();
                let why = format!("not executed: {}", Limit::ToolCalls { max });
                assert!(text.contains(&why), "{text}");
            }
        }
        for max in [0, 1, 2, 50] {
            let limits = Limits::agent().with_max_calls_per_response(max);
            let (outcome, ran) = Endless::new(20_000).run(config(limits, on_limit));
            assert_eq!(
                outcome.finish,
                finish(Limit::CallsPerResponse { max }, on_limit)
            );
            let counted = (outcome.model_calls, outcome.rounds, outcome.tool_calls, ran);
            assert_eq!(counted, (1 + answer(on_limit), max.min(1), max, max));
        }
    }
}

#[test]
fn a_reply_with_many_calls_is_bounded_by_default() {
    let (outcome, ran) = Endless::new(20_000).run(RunConfig::default());
    assert_eq!((outcome.model_calls, ran), (2, Limits::CALLS_PER_RESPONSE));
}

#[test]
fn tokens_and_cost() {
    for on_limit in ON_LIMIT {
        for (max, requests) in [(0, 0), (1, 1), (2, 1), (50, 4)] {
            // Each request takes 10 tokens, and the answer as many as the request before it.
            let limits = Limits::agent().with_max_tokens(max);
            let (outcome, ran) = Endless::new(1).run(config(limits, on_limit));
            assert_eq!(outcome.finish, finish(Limit::Tokens { max }, on_limit));
            assert_eq!(
                (outcome.model_calls, ran),
                (requests + answer(on_limit), requests)
            );
            let used = outcome.usage.input_tokens + outcome.usage.output_tokens;
            assert!(max < 10 || used <= max, "{used} of {max}");

            let limits = Limits::agent().with_max_tokens(max).with_answer_tokens(0);
            let (outcome, ran) = Endless::new(1).run(config(limits, on_limit));
            let requests = u32::try_from(max.div_ceil(10)).expect("is small");
            assert_eq!(
                (outcome.model_calls, ran),
                (requests + answer(on_limit), requests)
            );

            // A token costs 1.
            let max = Cost::new(f64::from(u32::try_from(max).expect("is small")));
            let limits = Limits::agent().with_max_cost(max);
            let (outcome, ran) = Endless::new(1).run(config(limits, on_limit));
            assert_eq!(outcome.finish, finish(Limit::Cost { max }, on_limit));
            assert_eq!(
                (outcome.model_calls, ran),
                (requests + answer(on_limit), requests)
            );
            assert_eq!(
                outcome.cost,
                Some(Cost::new(f64::from(outcome.model_calls) * 10.0))
            );
        }
    }
}

#[test]
fn rounds_with_only_invalid_calls() {
    let misfit = || ToolResult::error("", ToolError::invalid_arguments("no"));
    let unknown = || {
        let error = Toolset::new().unknown(&ToolCall::new("", "look", "{}"));
        ToolResult::error("", error)
    };
    let fails = || ToolResult::error("", ToolError::not_found("no city"));
    for on_limit in ON_LIMIT {
        for max in [0, 1, 2, 50] {
            for result in [misfit, unknown] {
                let limits = Limits::agent().with_max_rounds(60);
                let limits = limits.with_max_invalid_rounds(Some(max));
                let mut model = Endless::new(2);
                model.result = result;
                let (outcome, _) = model.run(config(limits, on_limit));
                assert_eq!(
                    outcome.finish,
                    finish(Limit::InvalidCalls { max }, on_limit)
                );
                assert_eq!(outcome.model_calls, max + answer(on_limit));
            }
        }
    }
    // A failure of the tool is none of the call, and the default is 3.
    for (result, rounds) in [(fails as fn() -> ToolResult, 50), (misfit, 3)] {
        let mut model = Endless::new(1);
        model.result = result;
        let (outcome, _) = model.run(config(Limits::agent(), OnLimit::Summarize));
        assert_eq!(outcome.rounds, rounds);
    }
}

#[test]
fn the_model_is_told_before_a_limit_is_reached() {
    let last_note = |run: &Run| format!("{:?}", run.request().messages.last());
    let (mut run, _) = start(Limits::default().with_max_rounds(2).with_max_tool_calls(3));
    assert!(!last_note(&run).contains("Note"));
    reply(&mut run, calls(&["a", "b"]));
    answer_all_calls(&mut run);
    let note = last_note(&run);
    assert!(note.contains("you can call tools once more"), "{note}");
    assert!(note.contains("at most 1 more tool call will run"), "{note}");
    reply(&mut run, ModelResponse::from_text("done"));
    assert!(!format!("{:?}", outcome(&run).conversation).contains("Note"));

    let (mut run, _) = start(Limits::default().with_max_tokens(100));
    let mut response = calls(&["a"]);
    response.usage = Some(Usage::new(40, 40));
    response.model = Some("m".to_owned());
    run.state.config.limits.answer_tokens = Some(0);
    reply(&mut run, response);
    answer_all_calls(&mut run);
    assert!(last_note(&run).contains("20 tokens are left"));
}

#[test]
fn what_cannot_be_counted_is_told_once() {
    let limits = Limits::default().with_max_tokens(100);
    let (mut run, _) = start(limits);
    for _ in 0..2 {
        reply(&mut run, calls(&["a"]));
        answer_all_calls(&mut run);
    }
    reply(&mut run, ModelResponse::from_text("done"));
    let codes: Vec<_> = outcome(&run)
        .warnings
        .into_iter()
        .map(|warning| warning.code)
        .collect();
    assert_eq!(codes, ["usage_unknown"]);

    let mut run = Run::start(
        RunId::new("run"),
        config(Limits::agent(), OnLimit::Stop),
        Conversation::new(),
        "question",
    )
    .0;
    let mut response = ModelResponse::from_text("done");
    response.usage = Some(Usage::new(1, 1));
    response.model = Some("another".to_owned());
    reply(&mut run, response);
    let outcome = outcome(&run);
    assert_eq!(outcome.warnings[0].code, "price_unknown");
    assert_eq!(outcome.cost, Some(Cost::ZERO));
}

#[test]
fn a_price_is_that_of_the_longest_name_and_counts_the_cache() {
    let prices = PriceTable::new()
        .with("a", Price::per_million(1.0, 2.0))
        .with(
            "a-mini",
            Price::per_million(0.1, 0.2)
                .with_cached_input(0.01)
                .with_written_input(0.2),
        );
    let mut usage = Usage::new(1_000_000, 1_000_000);
    usage.cached_input_tokens = Some(500_000);
    usage.written_input_tokens = Some(100_000);
    // What the model has not shown of its output costs as much as the rest.
    usage.reasoning_tokens = Some(900_000);
    let cost_of = |model: &str, usage: &Usage| prices.find(model).map(|price| price.of(usage));
    let cost = |model: &str| cost_of(model, &usage);
    assert_eq!(cost("a-large"), Some(Cost::new(3.0)));
    assert_eq!(
        cost("a-mini-2026"),
        Some(Cost::new(0.04 + 0.005 + 0.02 + 0.2))
    );
    assert_eq!(cost("b"), None);
    // Parts that are more than the whole are cut to it.
    usage.cached_input_tokens = Some(u64::MAX);
    assert_eq!(cost_of("a-large", &usage), Some(Cost::new(3.0)));
    let stored = serde_json::to_string(&prices).expect("serialises");
    assert_eq!(
        serde_json::from_str::<PriceTable>(&stored).expect("reads"),
        prices
    );
}
