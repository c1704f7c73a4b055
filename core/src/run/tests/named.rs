//! Calls by their ids.

use super::*;

/// Runs rounds of calls of different tools, and looks every call up at every step.
#[test]
fn every_call_is_found_by_its_id_whenever_it_was() {
    let (mut run, mut log) = start(Limits::default());
    let mut expected: Vec<(CallId, ToolCall)> = Vec::new();
    for round in 0..4 {
        let calls: Vec<_> = (0..=round)
            .map(|index| ToolCall::new("x", format!("tool_{round}_{index}"), "{}"))
            .collect();
        let ids = (0..).map(|index| CallId { round, index });
        expected.extend(ids.zip(calls.clone()));
        log.extend(run.handle(Signal::Replied {
            unfit: None,
            response: ModelResponse::from_calls(calls),
            policies: Vec::new(),
        }));
        while let Some(Action::StartCall(id)) = run.poll().first().copied() {
            let arguments = format!(r#"{{"prepared":"{id}"}}"#);
            let at = expected.iter().position(|(known, _)| *known == id);
            let call = &mut expected[at.expect("is known")].1;
            call.arguments.clone_from(&arguments);
            let (call, changes) = (id, Vec::new());
            log.extend(run.handle(Signal::CallPrepared {
                call,
                arguments,
                changes,
            }));
            log.extend(run.handle(Signal::CallStarted(id)));
            log.extend(run.handle(Signal::CallFinished(id, ToolResult::success("", ()))));
            for (id, call) in &expected {
                assert_eq!(run.call(*id), Some(call));
            }
        }
    }
    let unknown = [(0, 1), (3, 4), (4, 0)].map(|(round, index)| CallId { round, index });
    assert!(unknown.iter().all(|id| run.call(*id).is_none()));
    for record in &log {
        if let Record::CallStarted { call, name } = record {
            assert_eq!(*name, run.call(*call).expect("is known").name);
        }
    }
    assert_eq!(Run::replay(&log), Ok((run, Vec::new())));
}

#[test]
fn a_log_with_other_names_is_refused() {
    let (mut run, mut log) = start(Limits::default());
    log.extend(run.handle(Signal::Replied {
        unfit: None,
        response: calls(&["a"]),
        policies: Vec::new(),
    }));
    let id = CallId { round: 0, index: 0 };
    let stored = |name: &str| {
        let mut log = serde_json::to_value(&log).expect("serialises");
        let started = serde_json::json!({"type": "call_started", "call": id, "name": name});
        let records = log.as_array_mut().expect("is a list");
        records.push(started.clone());
        let record: Record = serde_json::from_value(started.clone()).expect("is a record");
        assert_eq!(serde_json::to_value(record).expect("serialises"), started);
        serde_json::from_value::<Vec<Record>>(log).expect("is a log")
    };
    run.handle(Signal::CallStarted(id));
    assert_eq!(Run::replay(&stored("look")), Ok((run, Vec::new())));
    let sequence = 2;
    for other in ["", "delete"] {
        assert_eq!(Run::replay(&stored(other)), Err(CorruptLog { sequence }));
    }
}
