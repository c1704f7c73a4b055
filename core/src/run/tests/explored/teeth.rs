//! The exploration finds faults: each that is seeded into the machine.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    thread,
    time::Duration,
};

use super::{
    schedules::{handed_over, typed},
    *,
};
use crate::run::faults::{Fault, seed};

const FAULTS: [Fault; 29] = [
    Fault::RerunsWrite,
    Fault::RerunsBelow,
    Fault::HidesInterruption,
    Fault::StartsUnrecorded,
    Fault::LosesSibling,
    Fault::SwapsResults,
    Fault::UnlocksLastRequest,
    Fault::IgnoresRounds,
    Fault::IgnoresToolCalls,
    Fault::DropsEdit,
    Fault::RunsForbidden,
    Fault::RunsDenied,
    Fault::RunsUnapproved,
    Fault::RunsExternal,
    Fault::PassesBarrier,
    Fault::LosesPushed,
    Fault::IgnoresStop,
    Fault::LeavesCalls,
    Fault::KeepsRevoked,
    Fault::RunsExpired,
    Fault::CorrectsBeyondLimits,
    Fault::DropsAnswer,
    Fault::CountsAnswers,
    Fault::ForgetsAgents,
    Fault::IgnoresShared,
    Fault::TransfersTwice,
    Fault::ForgetsCheckpoint,
    Fault::ForgetsAnswers,
    Fault::AsksTwice,
];

/// Three calls, of which the middle one is a barrier, as often as the model is asked.
fn tireless(_: u32) -> Vec<(ModelResponse, Vec<ToolPolicy>)> {
    let (beside, barrier) = (
        ToolPolicy::default(),
        ToolPolicy::default().with_sequential(),
    );
    vec![(calls(&["x", "x", ""]), vec![beside, barrier, beside])]
}

/// Explorations that are small, and between them show every fault.
fn small() {
    let limits = Limits::default().with_max_rounds(1);
    let more = More {
        cancels: 1,
        pushes: 1,
        crashes: 1,
        ..More::default()
    };
    explore(shared, config(limits, 2), more);
    let mut timed = config(limits, 2);
    timed.pending_time = Some(Duration::from_secs(60));
    let once = More {
        expiries: 1,
        ..More::default()
    };
    explore(shared, timed, once);
    let revokes = More { revokes: 1, ..ONCE };
    explore(delayed, config(limits, 2), revokes);
    let mut chosen = config(limits, 2);
    chosen.tool_choice = ToolChoiceSchedule::Every(ToolChoice::Tool("look".into()));
    explore(disobedient, chosen, More::default());
    let limits = Limits::default().with_max_rounds(3);
    explore(tireless, config(limits.with_max_tool_calls(2), 2), ONCE);
    let stopping = limits.with_on_limit(OnLimit::Stop).with_max_rounds(1);
    for limits in [
        stopping,
        stopping.with_max_tokens(30),
        limits.with_max_tool_calls(1),
    ] {
        let means = AnswerMeans::Tool("answer".to_owned());
        explore(answering, typed(limits, means), More::default());
    }
    let mut stops = config(limits, 3);
    stops.stop_when = vec![StopWhen::Rounds(1)];
    explore(tireless, stops, ONCE);
    let once = More {
        agents: 1,
        shared: 1,
        ..More::default()
    };
    explore(brief, config(limits, 2), once);
    explore(handing, handed_over(limits), More::default());
    let once = More {
        below: 1,
        ..More::default()
    };
    explore(resuming, config(limits, 2), once);
    let once = More {
        checkpoints: 1,
        crashes: 1,
        questions: 2,
        ..More::default()
    };
    explore(brief, config(limits, 2), once);
}

/// What is wrong with the machine, as the exploration says it.
fn found() -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(small)).map_err(|panic| text(&*panic))
}

fn text(panic: &dyn Any) -> String {
    let literal = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = literal.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_default().chars().take(120).collect()
}

#[test]
fn every_seeded_fault_is_found() {
    small();
    // Whoever else panics meanwhile is heard.
    let (previous, here) = (take_hook(), thread::current().id());
    set_hook(Box::new(move |panic| {
        if thread::current().id() != here {
            previous(panic);
        }
    }));
    let mut missed = Vec::new();
    for fault in FAULTS {
        seed(Some(fault));
        let found = found();
        seed(None);
        println!("{fault:?}: {found:?}");
        if found.is_ok() {
            missed.push(fault);
        }
    }
    drop(take_hook());
    assert!(missed.is_empty(), "not found: {missed:?}");
}
