//! The arguments of calls as the tools take them.

use std::{collections::BTreeMap, sync::Arc};

use toolwright_runtime::model::ModelEvent;

use super::tool_list::ToolList;

/// Turns the arguments of calls into those of the tools, while a response comes.
///
/// The text of a call that comes in another form is held back until the response ends.
#[derive(Debug)]
pub(crate) struct RestoreArguments {
    sent: Arc<ToolList>,
    /// The name and the text so far of the calls that are held back, by number.
    held: BTreeMap<usize, (String, String)>,
}

impl RestoreArguments {
    pub(crate) fn new(sent: Arc<ToolList>) -> Self {
        Self {
            sent,
            held: BTreeMap::new(),
        }
    }

    /// Changes the events from a place on.
    pub(crate) fn take(&mut self, events: &mut Vec<ModelEvent>, from: usize) {
        if self.sent.is_plain() {
            return;
        }
        for event in events.split_off(from) {
            match event {
                ModelEvent::CallStarted {
                    index, ref name, ..
                } => {
                    if self.sent.changes(name) {
                        self.held
                            .entry(index)
                            .or_insert_with(|| (name.clone(), String::new()));
                    }
                    events.push(event);
                }
                ModelEvent::CallArguments { index, text } => match self.held.get_mut(&index) {
                    Some((_, held)) => held.push_str(&text),
                    None => events.push(ModelEvent::CallArguments { index, text }),
                },
                ModelEvent::Finished { .. } => {
                    self.finish(events);
                    events.extend(self.sent.warnings.iter().cloned().map(ModelEvent::Warning));
                    events.push(event);
                }
                event => events.push(event),
            }
        }
    }

    /// Tells what was held back. A text that was cut off comes as it is.
    pub(crate) fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        for (index, (name, mut text)) in std::mem::take(&mut self.held) {
            let warning = self.sent.restore(&name, &mut text);
            events.push(ModelEvent::CallArguments { index, text });
            events.extend(warning.map(ModelEvent::Warning));
        }
    }
}
