//! The texts and calls of a sub-agent so far, as text: clients show it as the output so far of the call.

use toolwright_core::run::{PendingCall, Record, WaitsFor};
use toolwright_runtime::RunEvent;

/// The most bytes that are kept: the last ones.
const MOST: usize = 8 * 1024;

/// The texts and calls of the runs below a call so far.
#[derive(Debug, Default)]
pub(super) struct Below {
    text: String,
}

impl Below {
    /// Reads an event of a run of the agent of this name. It gives all so far, if there is more than before.
    pub(super) fn read(&mut self, agent: &str, event: &RunEvent) -> Option<String> {
        match event {
            // Whose it is stands before the line.
            RunEvent::Nested {
                agent: below,
                event,
                ..
            } => self.read(&format!("{agent} > {below}"), event),
            RunEvent::Recorded { record, .. } => self.record(agent, record),
            _ => None,
        }
    }

    fn record(&mut self, agent: &str, record: &Record) -> Option<String> {
        let line = match record {
            Record::CallStarted { name, .. } => format!("{agent} calls {name}"),
            Record::Replied { response, .. } if !response.text_or_refusal().trim().is_empty() => {
                format!("{agent}: {}", response.text_or_refusal())
            }
            _ => return None,
        };
        Some(self.say(&line))
    }

    /// Says that an agent waits for people. It gives all so far.
    pub(super) fn wait(&mut self, call: &PendingCall) -> String {
        let what = match call.waits_for {
            WaitsFor::Answer => "an answer",
            WaitsFor::Question => "the answer to a question",
            _ => "an approval",
        };
        self.say(&format!(
            "{} waits for {what} of {}",
            call.agents(),
            call.call.name
        ))
    }

    fn say(&mut self, line: &str) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        let surplus = self.text.len().saturating_sub(MOST);
        let end = (surplus..=self.text.len()).find(|end| self.text.is_char_boundary(*end));
        self.text.drain(..end.unwrap_or_default());
        self.text.clone()
    }
}
