//! The events of sub-agents, among those of the run around them.

use std::collections::BTreeMap;

use toolwright::{
    run::{CallId, Record, Run, RunId},
    runner::{Printer, RunEvent},
};

use super::{agent, asks, calls, runner, says};
use crate::handwritten::echo;

/// A run with a sub-agent that has a sub-agent that calls a tool.
fn tree() -> toolwright::Runner {
    let inner = runner([calls([("echo", r#"{"n": 1}"#)]), says("found")], [echo()]);
    let middle = runner([asks("inner"), says("passed on")], [agent(&inner, "inner")]);
    runner([asks("middle"), says("end")], [agent(&middle, "middle")])
}

/// The records of each run, and which runs are below a call of which.
#[derive(Default)]
struct Logs {
    records: BTreeMap<Vec<String>, Vec<Record>>,
    ids: BTreeMap<Vec<String>, RunId>,
}

impl Logs {
    fn read(&mut self, path: &[String], event: &RunEvent) {
        match event {
            RunEvent::Recorded { sequence, record } => {
                let log = self.records.entry(path.to_vec()).or_default();
                assert_eq!(*sequence, log.len() as u64, "{path:?}");
                log.push(record.clone());
            }
            RunEvent::Nested {
                call,
                agent,
                run_id,
                event,
            } => {
                // Its call runs.
                let (mut started, mut finished) = (false, false);
                for record in &self.records[path] {
                    started |= matches!(record, Record::CallStarted { call: id, .. } if id == call);
                    finished |=
                        matches!(record, Record::CallFinished { call: id, .. } if id == call);
                }
                assert!(started && !finished, "{agent}");
                let below = [path, &[format!("{call} {agent}")]].concat();
                let known = self
                    .ids
                    .entry(below.clone())
                    .or_insert_with(|| run_id.clone());
                assert_eq!(known, run_id);
                self.read(&below, event);
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn every_level_is_read_in_its_place() {
    let mut handle = tree().start("?");
    let (mut logs, mut texts) = (Logs::default(), String::new());
    while let Some(event) = handle.next().await {
        logs.read(&[], &event);
        let stored = serde_json::to_string(&event).expect("is data");
        assert_eq!(
            serde_json::from_str::<RunEvent>(&stored).expect("is data"),
            event
        );
        let mut event = &event;
        while let RunEvent::Nested { event: below, .. } = event {
            event = below;
        }
        if let RunEvent::Delta(toolwright::model::ModelEvent::Text(text)) = event {
            texts.push_str(text);
        }
    }
    assert_eq!(texts, "foundpassed onend");
    assert_eq!(logs.records.len(), 3);
    for (path, log) in &logs.records {
        let (run, missing) = Run::replay(log).expect("is a log");
        assert_eq!(missing, [], "{path:?}");
        let outcome = run.outcome().expect("is over");
        assert_eq!(logs.ids.get(path).unwrap_or(handle.id()), &outcome.run_id);
        assert_eq!(
            outcome.model_calls,
            6 - 2 * u32::try_from(path.len()).expect("is small")
        );
    }
}

/// A slow reader keeps the runs below from going ahead.
#[tokio::test]
async fn nothing_runs_ahead_of_its_reader() {
    let mut handle = tree().start("?");
    let mut seen = Vec::new();
    while let Some(event) = handle.next().await {
        tokio::task::yield_now().await;
        if let RunEvent::Nested { event, .. } = event
            && let RunEvent::Nested { event, .. } = *event
            && let RunEvent::Recorded { record, .. } = *event
        {
            seen.push(matches!(record, Record::CallFinished { .. }));
        }
    }
    assert_eq!(seen.iter().filter(|is_result| **is_result).count(), 1);
    assert_eq!(handle.outcome().await.expect("ends").text, "end");
}

#[tokio::test]
async fn a_printer_shows_whose_line_it_is() {
    let mut printed = Vec::new();
    let outcome = Printer::new(&mut printed).run(tree().start("?")).await;
    outcome.expect("ends");
    let printed = String::from_utf8(printed).expect("is text");
    let expected = "  0.0 middle({\"task\": \"Look it up.\"})
  middle | 0.0 inner({\"task\": \"Look it up.\"})
  middle | inner | 0.0 echo({\"n\": 1})
  middle | inner | 0.0 echo: {\"n\": 1}
  middle | inner | found
  middle | 0.0 inner: found
  middle | passed on
  0.0 middle: passed on
end
  ended: the model answered
";
    assert!(printed.starts_with(expected), "{printed}");
}

/// The id of a call is that of its own run.
#[tokio::test]
async fn two_at_once_are_told_apart() {
    let one = runner([says("first")], super::NONE);
    let other = runner([says("second")], super::NONE);
    let task = r#"{"task": "Go on."}"#;
    let script = [calls([("one", task), ("other", task)]), says("end")];
    let mut handle = runner(script, [agent(&one, "one"), agent(&other, "other")]).start("?");
    let mut texts = BTreeMap::<CallId, String>::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Nested { call, event, .. } = event
            && let RunEvent::Delta(toolwright::model::ModelEvent::Text(text)) = *event
        {
            texts.entry(call).or_default().push_str(&text);
        }
    }
    let texts: Vec<_> = texts.into_values().collect();
    assert_eq!(texts, ["first", "second"]);
}
