//! The explorations.

use super::*;

/// Every interleaving of starts, completions in any order, one cancel and one failing model call,
/// under every bound: whatever happens, the invariants of the run hold.
#[test]
fn every_schedule_leaves_a_valid_transcript() {
    let bounds = [(0, 1), (1, 1), (1, 3), (2, 2), (5, 1), (5, 2), (5, 3)];
    let states: usize = bounds
        .into_iter()
        .map(|(max_rounds, concurrency)| {
            let limits = Limits::default().with_max_rounds(max_rounds);
            explore(scripted, config(limits, concurrency), ONCE)
        })
        .sum();
    assert!(states > 5_000, "explored {states} states");
}

/// The same with attempts that fail and are repeated, approvals with every decision, and rate limits.
#[test]
fn every_schedule_with_delays_leaves_a_valid_transcript() {
    let more = More {
        retries: 1,
        limits: 1,
        repairs: 1,
        ..ONCE
    };
    let states: usize = [1, 2, 3]
        .into_iter()
        .map(|concurrency| {
            let limits = Limits::default().with_max_rounds(1);
            explore(delayed, config(limits, concurrency), more)
        })
        .sum();
    assert!(states > 5_000, "explored {states} states");
}

/// The same with people and an application that answer, messages that are pushed, and a program that goes away.
#[test]
fn every_schedule_with_others_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        pushes: 1,
        softs: 1,
        crashes: 1,
        ..More::default()
    };
    let states: usize = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3)]
        .into_iter()
        .map(|(max_rounds, concurrency)| {
            let limits = Limits::default().with_max_rounds(max_rounds);
            let mut config = config(limits, concurrency);
            config.plans_requests = concurrency == 2;
            explore(shared, config, more)
        })
        .sum();
    assert!(states > 100_000, "explored {states} states");
}

/// The same with sub-agents, which spend what is the run's, and as the run of one, which shares the limits of another.
#[test]
fn every_schedule_with_agents_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        crashes: 1,
        agents: 2,
        shared: 1,
        ..More::default()
    };
    let mut states = 0;
    for on_limit in [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error] {
        for concurrency in [1, 3] {
            let limits = Limits::default().with_max_rounds(2).with_on_limit(on_limit);
            let limits = limits.with_max_tokens(15).with_answer_tokens(2);
            let config = config(limits.with_max_tool_calls(4), concurrency);
            states += explore(resuming, config.clone(), More { crashes: 2, ..more });
            states += explore(scripted, config, more);
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The same with sub-agents whose runs wait for people, beside calls that somebody has to approve.
#[test]
fn every_schedule_with_suspended_agents_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        crashes: 1,
        revokes: 1,
        agents: 1,
        below: 2,
        ..More::default()
    };
    let mut states = 0;
    for script in [resuming as Script, approving] {
        for concurrency in 1..=3 {
            let limits = Limits::default().with_max_rounds(1);
            states += explore(script, config(limits, concurrency), more);
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The same with calls that record how far they have come, and go on from there.
#[test]
fn every_schedule_with_checkpoints_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        retries: 1,
        crashes: 2,
        checkpoints: 2,
        ..More::default()
    };
    let mut states = 0;
    for script in [delayed as Script, shared, resuming] {
        for concurrency in 1..=3 {
            let limits = Limits::default().with_max_rounds(1);
            states += explore(script, config(limits, concurrency), more);
        }
    }
    assert!(states > 10_000, "explored {states} states");
}

/// The same with calls that ask people twice, and programs and approvals that go away between.
#[test]
fn every_schedule_with_questions_leaves_a_valid_transcript() {
    let twice = More {
        crashes: 1,
        revokes: 1,
        questions: 2,
        ..More::default()
    };
    let states = questions(delayed, twice) + questions(shared, twice);
    assert!(states > 50_000, "explored {states} states");
}

/// The same with a question beside all else that a call may wait for.
#[test]
fn every_schedule_with_a_question_among_others_leaves_a_valid_transcript() {
    let others = More {
        cancels: 1,
        retries: 1,
        crashes: 1,
        expiries: 1,
        checkpoints: 1,
        questions: 1,
        ..More::default()
    };
    let states = questions(delayed, others) + questions(shared, others);
    assert!(states > 100_000, "explored {states} states");
}

fn questions(script: Script, more: More) -> usize {
    let limits = Limits::default().with_max_rounds(1);
    let mut config = config(limits, 2);
    config.pending_time = Some(std::time::Duration::from_secs(60));
    explore(script, config, more)
}

/// The same with people and an application that say nothing in time.
#[test]
fn every_schedule_with_expiries_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        crashes: 1,
        revokes: 1,
        expiries: 2,
        ..More::default()
    };
    let mut states = 0;
    for script in [shared as Script, delayed] {
        for concurrency in 1..=3 {
            let limits = Limits::default().with_max_rounds(1);
            let mut config = config(limits, concurrency);
            config.pending_time = Some(std::time::Duration::from_secs(60));
            states += explore(script, config, more);
        }
    }
    assert!(states > 10_000, "explored {states} states");
}

/// The same with all that may happen to calls beside that.
#[test]
fn every_schedule_with_all_of_these_leaves_a_valid_transcript() {
    let more = More {
        retries: 1,
        limits: 1,
        repairs: 1,
        pushes: 1,
        softs: 1,
        crashes: 1,
        ..ONCE
    };
    // All at once are many states, and each alone is explored above.
    let (more, least) = if std::env::var_os("TOOLWRIGHT_EXHAUSTIVE").is_some() {
        (more, 600_000)
    } else {
        let more = More {
            repairs: 0,
            softs: 0,
            ..more
        };
        (more, 50_000)
    };
    let config = config(Limits::default().with_max_rounds(1), 3);
    let states = explore(shared, config.clone(), more) + explore(delayed, config, more);
    assert!(states > least, "explored {states} states");
}

/// The same with a model that is often out, and asked again.
#[test]
fn every_schedule_with_outages_leaves_a_valid_transcript() {
    let more = More { outages: 4, ..ONCE };
    let states: usize = [0, 1, 2]
        .into_iter()
        .map(|max_rounds| {
            let limits = Limits::default().with_max_rounds(max_rounds);
            explore(brief, config(limits, 2), more)
        })
        .sum();
    assert!(states > 2_000, "explored {states} states");
}

/// The same with a time that is up at any moment, of the run and of its summary, whatever happens at a
/// bound.
#[test]
fn every_schedule_with_a_time_limit_leaves_a_valid_transcript() {
    let more = More {
        outages: 1,
        times: 2,
        ..ONCE
    };
    let mut states = 0;
    for on_limit in ON_LIMIT {
        for (script, max_rounds) in [(brief as Script, 1), (delayed, 1), (delayed, 0)] {
            let limits = Limits::default()
                .with_max_rounds(max_rounds)
                .with_on_limit(on_limit)
                .with_max_time(std::time::Duration::from_secs(60));
            states += explore(script, config(limits, 2), more);
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The same with a model that does not do what the choice of tools says, whatever happens at a bound.
#[test]
fn every_disobedience_leaves_a_valid_transcript() {
    let mut states = 0;
    for on_limit in ON_LIMIT {
        for max_rounds in 0..2 {
            let look = ToolChoice::Tool("look".into());
            for choice in [
                ToolChoice::Auto.into(),
                ToolChoice::None.into(),
                ToolChoice::Required.into(),
                look.clone().into(),
                ToolChoiceSchedule::Every(look.clone()),
                ToolChoiceSchedule::Rounds(vec![ToolChoice::Required, look]),
            ] {
                let limits = Limits::default()
                    .with_max_rounds(max_rounds)
                    .with_on_limit(on_limit);
                let mut config = config(limits, 2);
                config.tool_choice = choice;
                states += explore(disobedient, config, More::default());
            }
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The same with an answer that has a form, which fits or does not, at each limit, with a tool beside it.
#[test]
fn every_typed_answer_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        crashes: 1,
        ..More::default()
    };
    let mut states = 0;
    for on_limit in ON_LIMIT {
        let limits = Limits::default().with_on_limit(on_limit);
        for limits in [
            limits.with_max_rounds(0),
            limits.with_max_rounds(1),
            limits.with_max_rounds(2).with_max_tool_calls(1),
            limits.with_max_rounds(2).with_max_tokens(30),
            limits.with_max_rounds(2).with_max_invalid_rounds(Some(1)),
        ] {
            for means in [
                AnswerMeans::Schema,
                AnswerMeans::Text,
                AnswerMeans::Tool("answer".to_owned()),
            ] {
                states += explore(answering, typed(limits, means), more);
            }
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The same with agents that hand the conversation over.
#[test]
fn every_schedule_with_hand_overs_leaves_a_valid_transcript() {
    let more = More {
        cancels: 1,
        softs: 1,
        crashes: 1,
        ..More::default()
    };
    let mut states = 0;
    for on_limit in ON_LIMIT {
        for max_rounds in [1, 3] {
            let limits = Limits::default().with_on_limit(on_limit);
            let config = handed_over(limits.with_max_rounds(max_rounds));
            states += explore(handing, config, more);
        }
    }
    assert!(states > 5_000, "explored {states} states");
}

/// The settings of a run with two agents.
pub(super) fn handed_over(limits: Limits) -> RunConfig {
    let agent = |name: &str| AgentConfig::new(name).with_system(format!("You are {name}."));
    RunConfig {
        agents: vec![agent("main"), agent("other")],
        ..config(limits, 2)
    }
}

/// The settings of a run whose answer has a form.
pub(super) fn typed(limits: Limits, means: AnswerMeans) -> RunConfig {
    let schema = crate::schema::Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let form = AnswerForm::new(crate::model::AnswerSchema::new("place", schema), means);
    RunConfig {
        answer: Some(form.with_corrections(2)),
        ..config(limits, 2)
    }
}

const ON_LIMIT: [OnLimit; 3] = [OnLimit::Summarize, OnLimit::Stop, OnLimit::Error];
